"""Spelling vectors against scikit-learn's TfidfVectorizer, value by value."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from pearljoin import _parallel
from pearljoin._search import tfidf
from pearljoin._search.pair_products import pair_products

LEFT = ["north lodge", "a", "the old inn", "ab ab ab c", "北京 大学", "c++", "x" * 30, "é 🎉"]
RIGHT = ["north lodge hotel", "lodge", "a b", "inn the old", "ab c", "北京", "zzz", "🎉"]


def vectors(left: list[str], right: list[str]) -> tuple[csr_matrix, csr_matrix]:
    counts = tfidf.count(left), tfidf.count(right)
    texts = np.bincount(np.concatenate([side.indices for side in counts]), minlength=2 * 2**20)
    idf = (np.log((1 + len(left) + len(right)) / (1 + texts)) + 1).astype(np.float32)
    return tfidf.weigh(counts[0], idf), tfidf.weigh(counts[1], idf)


def by_sklearn(left: list[str], right: list[str]) -> np.ndarray:
    """Mean of the cosines of character n-grams and of words."""
    total = np.zeros((len(left), len(right)))
    for options in (
        {"analyzer": "char_wb", "ngram_range": (2, 4)},
        {"analyzer": "word", "token_pattern": r"\S+"},
    ):
        model = TfidfVectorizer(**options, lowercase=False).fit([*left, *right])
        total += (model.transform(left) @ model.transform(right).T).toarray() / 2
    return total


def test_products_are_the_mean_of_two_tf_idf_cosines() -> None:
    own, other = vectors(LEFT, RIGHT)
    rows = np.repeat(np.arange(len(LEFT)), len(RIGHT))
    columns = np.tile(np.arange(len(RIGHT)), len(LEFT))
    found = pair_products(own, other, rows, columns).reshape(len(LEFT), len(RIGHT))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, by_sklearn(LEFT, RIGHT), atol=1e-6)
    np.testing.assert_allclose(found, (own @ other.T).toarray(), atol=1e-6)


WORDS = st.text(st.sampled_from("abcé北🎉1+"), min_size=1, max_size=6)
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=6)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(TEXTS, TEXTS)
def test_any_texts_agree_with_scikit_learn(left: list[str], right: list[str]) -> None:
    own, other = vectors(left, right)
    np.testing.assert_allclose((own @ other.T).toarray(), by_sklearn(left, right), atol=1e-5)


def test_counts_are_those_of_count_vectorizers() -> None:
    counts = tfidf.count(LEFT)
    half = counts.shape[1] // 2
    assert counts.shape == (len(LEFT), 2 * 2**20)
    for part, options in (
        (counts[:, :half], {"analyzer": "char_wb", "ngram_range": (2, 4)}),
        (counts[:, half:], {"analyzer": "word", "token_pattern": r"\S+"}),
    ):
        wanted = CountVectorizer(**options, lowercase=False).fit_transform(LEFT)
        # Columns are hashed, so rows are compared by their sorted counts.
        for row in range(len(LEFT)):
            assert sorted(part[row].data) == sorted(wanted[row].data)


def test_texts_without_words_have_no_vector() -> None:
    own, other = vectors(["", "a"], ["", "a"])
    np.testing.assert_allclose((own @ other.T).toarray(), [[0, 0], [0, 1]], atol=1e-6)
    assert tfidf.count([]).shape == (0, 2 * 2**20)


def test_counting_by_chunks_changes_nothing(monkeypatch) -> None:
    whole = tfidf.count(LEFT)
    monkeypatch.setattr(tfidf, "CHUNK", 3)
    parts = tfidf.count(LEFT)
    assert (whole != parts).nnz == 0
    own, other = vectors(LEFT, RIGHT)
    rows = np.arange(8)
    before = pair_products(own, other, rows, rows[::-1])
    monkeypatch.setattr(_parallel, "PART", 3)
    assert pair_products(own, other, rows, rows[::-1]).tolist() == before.tolist()


def test_only_the_start_of_a_long_text_counts(monkeypatch) -> None:
    monkeypatch.setattr(tfidf, "LONGEST", 1000)
    text = " ".join(f"w{n}" for n in range(1000))
    counts = tfidf.count([text, text[: tfidf.LONGEST], text[: tfidf.LONGEST - 9]])
    assert (counts[0] != counts[1]).nnz == 0
    assert (counts[0] != counts[2]).nnz > 0


def test_lone_surrogates_and_control_characters_are_counted() -> None:
    own, other = vectors(["\ud800 x", "\x00\x07"], ["\ud800 x", "\x00\x07"])
    np.testing.assert_allclose((own @ other.T).diagonal(), 1, atol=1e-6)


# Searching --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def searched() -> tuple[csr_matrix, csr_matrix, np.ndarray]:
    rng = np.random.default_rng(0)
    words = [f"{a}{b}" for a in ("no", "su", "ea") for b in ("th", "rn", "l")]
    texts = [" ".join(rng.choice(words, size=rng.integers(1, 4))) for _ in range(140)]
    own, other = vectors(texts[:60], texts[60:])
    return own, other, (own @ other.T).toarray()


@pytest.mark.parametrize("k", [1, 5, 80, 1000])
def test_nearest_is_brute_force(searched, k: int) -> None:
    own, other, table = searched
    query, row, product = tfidf.nearest(own, other, k)
    np.testing.assert_allclose(product, table[query, row], atol=1e-6)
    for at in range(60):
        mine = product[query == at]
        assert (np.diff(mine) <= 1e-7).all()
        wanted = np.sort(table[at][table[at] > 0])[::-1][:k]
        np.testing.assert_allclose(mine, wanted, atol=1e-6)
        assert len(set(row[query == at])) == len(mine)
    assert (np.diff(query) >= 0).all()


@pytest.mark.parametrize("k", [1, 3, 10, 80, 81])
def test_ties_go_to_the_smaller_row(k: int) -> None:
    # Whole numbers, so that products tie exactly and in whichever order they are summed.
    random = np.random.default_rng(0)
    own, other = (
        csr_matrix(random.integers(0, 3, size=(n, 4)).astype(np.float32)) for n in (100, 80)
    )
    query, row, product = tfidf.nearest(own, other, k)
    table = (own @ other.T).toarray()
    for at in range(100):
        order = np.lexsort((np.arange(80), -table[at]))[:k]
        order = order[table[at][order] > 0]
        assert row[query == at].tolist() == order.tolist()
        assert product[query == at].tolist() == table[at][order].tolist()


def test_shards_find_the_same_rows_where_products_tie() -> None:
    random = np.random.default_rng(1)
    own, other = (
        csr_matrix(random.integers(0, 2, size=(n, 5)).astype(np.float32)) for n in (70, 200)
    )
    query, row, _ = tfidf.nearest(own, other, 6)
    known = tfidf.Frequencies(*tfidf.present_columns(other), 200)
    found = []
    for part in range(3):
        index = tfidf.Index(other[part::3], whole=known)
        at, place, product = index.nearest(own, 6)
        found.append((at, place * 3 + part, product))
    at, place, product = (np.concatenate(part) for part in zip(*found, strict=True))
    order = np.lexsort((place, -product, at))
    best = [place[order][at[order] == one][:6].tolist() for one in range(70)]
    assert best == [row[query == one].tolist() for one in range(70)]


@pytest.mark.parametrize("threshold", [0.05, 0.3, 0.7, 1.0 - 1e-6])
def test_above_is_brute_force(searched, threshold: float) -> None:
    own, other, table = searched
    query, row, product = tfidf.above(own, other, threshold)
    found = set(zip(query.tolist(), row.tolist(), strict=True))
    np.testing.assert_allclose(product, table[query, row], atol=1e-6)
    assert len(found) == len(query)
    assert {tuple(pair) for pair in np.argwhere(table >= threshold + 1e-6).tolist()} <= found
    assert found <= {tuple(pair) for pair in np.argwhere(table >= threshold - 1e-6).tolist()}


def test_columns_common_to_most_of_a_large_reference_do_not_slow_the_search() -> None:
    texts = [f"university of number{n}" for n in range(300)]
    own, other = vectors(["university of number7"], texts)
    query, row, product = tfidf.nearest(own, other, 3)
    assert row[0] == 7
    assert query.tolist() == [0] * len(row)
    # Rows that share the common words only are not listed.
    assert (product > 0).all()


def test_a_query_of_common_columns_is_searched_by_its_rarest(monkeypatch) -> None:
    monkeypatch.setattr(tfidf, "MOST_LISTED", 5)
    # Column 0 is of 6 rows, column 1 of 3, column 2 of 1.
    reference = csr_matrix(
        np.array([[1, 1, 1], [1, 1, 0], [1, 1, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]], np.float32)
    )
    index = tfidf.Index(reference)
    queries = csr_matrix(np.array([[1, 1, 1], [1, 0, 0], [0, 0, 0], [0, 1, 1]], np.float32))
    query, row, product = index.nearest(queries, 6)
    found = {(q, r): p for q, r, p in zip(query.tolist(), row.tolist(), product, strict=True)}
    # Columns 2 and 1 list four rows, column 0 would make it ten; a lone column is kept.
    assert found == {
        (0, 0): 2, (0, 1): 1, (0, 2): 1,
        **{(1, row): 1 for row in range(6)},
        (3, 0): 2, (3, 1): 1, (3, 2): 1,
    }  # fmt: skip
    alone = [index.nearest(queries[at], 6)[1].tolist() for at in range(4)]
    assert sum(map(len, alone)) == len(row)
    exact = tfidf.Index(reference, prune=False).nearest(queries, 6)
    assert len(exact[0]) == 6 + 6 + 3


def test_columns_are_counted_and_sorted_alike(monkeypatch) -> None:
    rng = np.random.default_rng(0)
    table = csr_matrix(rng.integers(0, 2, size=(40, 12)).astype(np.float32))
    table[:, 3] = 0
    table.eliminate_zeros()
    expected = np.unique(table.indices, return_counts=True)
    monkeypatch.setattr(tfidf, "ENTRIES_AT_ONCE", 7)
    assert table.nnz > table.shape[1]
    for found, known in zip(tfidf.present_columns(table), expected, strict=True):
        assert found.tolist() == known.tolist()
    few = table[:1]
    assert few.nnz < few.shape[1]
    assert tfidf.present_columns(few)[0].tolist() == sorted(few.indices.tolist())
    kept = np.array([1, 4, 9])
    for some in (table, few):
        assert np.array_equal(tfidf._only(some, kept).toarray(), some.toarray()[:, kept])
