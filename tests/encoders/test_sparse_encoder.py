"""Joins with a vectoriser whose vectors stay sparse: as with dense ones, without their memory."""

import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from encoder_samples import NAMES
from scipy.sparse import issparse
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer

import pearljoin as pj
from pearljoin._encoders import load_encoder, unit_vectors

LEFT = pd.DataFrame(
    {
        "name": [f"{name} {suffix}" for name in NAMES for suffix in ("Ltd", "& Co")] + [None, "x"],
        "city": [["Oslo", "Rome", None][at % 3] for at in range(2 * len(NAMES) + 2)],
        "group": [at % 2 for at in range(2 * len(NAMES) + 2)],
    }
)
RIGHT = pd.DataFrame(
    {
        "name": [f"The {name.upper()}" for name in NAMES] + ["", "y"],
        "city": [["oslo", "Roma"][at % 2] for at in range(len(NAMES) + 2)],
        "group": [at % 2 for at in range(len(NAMES) + 2)],
    }
)
VECTORISERS = {
    "tf-idf of n-grams": lambda: TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 3)),
    "tf-idf of words": lambda: TfidfVectorizer(),
    "hashed, with signs": lambda: HashingVectorizer(n_features=512, analyzer="char"),
}
JOINS = {
    "one column": {"on": "name"},
    "one to one": {"on": "name", "constraint": "one_to_one"},
    "every pair": {"on": "name", "constraint": "many_to_many", "threshold": 0.35},
    "the best of each": {"on": "name", "constraint": "many_to_many", "threshold": 0.0, "k": 3},
    "groups": {"on": "name", "by": "group"},
    "two columns": {"on": ["name", "city"]},
    "two columns with weights": {"on": ["name", "city"], "weights": [2, 1]},
    "nulls equal": {"on": ["name", "city"], "nulls_equal": True},
}


@pytest.mark.parametrize("kind", VECTORISERS)
@pytest.mark.parametrize("join", JOINS)
def test_a_join_gives_what_dense_vectors_give(monkeypatch, kind: str, join: str) -> None:
    def found():
        options = {"threshold": 0.0, **JOINS[join]}
        result = pj.match(LEFT, RIGHT, encoder=VECTORISERS[kind](), **options)
        candidates, matches = result.comparison.candidates, result.matches()
        by_row = np.lexsort((candidates.right, candidates.left))
        return (candidates.take(by_row), matches)

    wanted = found()
    monkeypatch.setattr(unit_vectors, "MAX_DENSE_DIM", 4)
    for one, other in zip(found(), wanted, strict=True):
        np.testing.assert_array_equal(one.left, other.left)
        np.testing.assert_array_equal(one.right, other.right)
        # Vectors differ by float32's own rounding. That may put a pair on another comparison level,
        # which moves what is learned, and with it every score, by a little.
        np.testing.assert_allclose(one.score, other.score, atol=1.1e-5, rtol=0)
        assert np.isclose(one.score, other.score, atol=1e-5, rtol=0).mean() > 0.99


@pytest.fixture
def sparse(monkeypatch) -> None:
    monkeypatch.setattr(unit_vectors, "MAX_DENSE_DIM", 4)


def test_a_vectoriser_of_33_000_columns_joins() -> None:
    right = [f"name{at} word{at % 97} {at * 7919}" for at in range(16_500)]
    left = [f"Word{at % 97}, {at * 7919} Name{at}" for at in range(0, 16_500, 50)]
    vectoriser = TfidfVectorizer(token_pattern=r"(?u)\b\w+\b")
    result = pj.match(left, right, encoder=vectoriser, threshold=0.5)
    matches = result.matches()
    assert matches.right.tolist() == (50 * matches.left).tolist()
    assert len(matches.left) > 0.9 * len(left)


def test_the_memory_is_far_below_that_of_a_dense_matrix() -> None:
    rng = np.random.default_rng(0)
    words = np.array([f"w{number:05d}" for number in range(50_000)])
    texts = [" ".join(rng.choice(words, size=6)) for _ in range(5_000)]
    vectoriser = TfidfVectorizer(vocabulary=words.tolist())
    tracemalloc.start()
    try:
        matcher = pj.Matcher(encoder=vectoriser, threshold=0.5).fit(texts)
        matches = matcher.match([text[::-1][:9] + text for text in texts[:500]]).matches()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert matches.right.tolist() == matches.left.tolist()
    assert peak < 5_000 * 50_000 * 4 / 4


def test_a_saved_matcher_keeps_sparse_vectors(sparse, tmp_path: Path) -> None:
    vectoriser = TfidfVectorizer().fit(NAMES)
    matcher = pj.Matcher(on="name", encoder=vectoriser, threshold=0.2).fit(RIGHT)
    matcher.save(tmp_path / "m")
    assert (tmp_path / "m" / "vectors_0_indices.npy").exists()
    loaded = pj.Matcher.load(tmp_path / "m", encoder=vectoriser)
    wanted, found = matcher.match(LEFT).matches(), loaded.match(LEFT).matches()
    np.testing.assert_array_equal(found.right, wanted.right)
    np.testing.assert_array_equal(found.score, wanted.score)
    other = TfidfVectorizer(analyzer="char").fit(NAMES)
    with pytest.raises(pj.ModelError, match="encoder is not the one"):
        pj.Matcher.load(tmp_path / "m", encoder=other)


def test_rows_are_added_to_sparse_vectors(sparse) -> None:
    names = RIGHT["name"].tolist()
    vectoriser = TfidfVectorizer().fit(NAMES)
    whole = pj.Matcher(encoder=vectoriser, threshold=0.2).fit(names)
    grown = pj.Matcher(encoder=vectoriser, threshold=0.2).fit(names[:9]).add(names[9:])
    left = LEFT["name"].tolist()
    wanted, found = whole.match(left).matches(), grown.match(left).matches()
    np.testing.assert_array_equal(found.right, wanted.right)
    again = grown.refit().match(left).matches()
    np.testing.assert_array_equal(again.right, wanted.right)
    np.testing.assert_array_equal(again.score, wanted.score)


def test_a_column_without_texts_joins_nothing(sparse) -> None:
    vectoriser = TfidfVectorizer().fit(NAMES)
    for left, right in [([None, ""], NAMES), (NAMES, [None]), ([], NAMES)]:
        assert len(pj.match(left, right, encoder=vectoriser, threshold=0.1).matches().left) == 0


def test_duplicates_explanations_and_the_joiner_take_sparse_vectors(sparse) -> None:
    names = [*NAMES, *(name.upper() for name in NAMES)]
    vectoriser = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4))
    clusters = pj.deduplicate(pd.DataFrame({"name": names}), on="name", encoder=vectoriser)
    assert clusters["cluster"].nunique() <= len(set(NAMES))
    result = pj.match(NAMES[:5], names, encoder=vectoriser, threshold=0.2)
    assert str(result.explain(0))
    assert issparse(load_encoder(vectoriser.fit(names)).encode(names))
    joiner = pj.FuzzyJoiner(RIGHT, on="name", encoder=vectoriser, threshold=0.2)
    assert len(joiner.fit_transform(LEFT)) == len(LEFT)
