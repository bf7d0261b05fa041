"""Unmatched tokens of pairs, and how expected they are in their table: by hand."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from pearljoin import _parallel
from pearljoin._features.rival_groups import Groups
from pearljoin._features.text_profiles import Texts, text_profiles
from pearljoin._features.unmatched_tokens import (
    UNMATCHED_FEATURES,
    PairTexts,
    _at,
    _count,
    _Counts,
    _expected,
    unmatched_token_features,
)

SURE = 20.0


def pair_texts(left: list[str], right: list[str], pairs: list[tuple[int, int]]) -> PairTexts:
    sides = (Texts(texts, texts, [""] * len(texts)) for texts in (left, right))
    left_at, right_at = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return PairTexts(*text_profiles(*sides), left_at, right_at)


def unmatched_shares(texts: PairTexts, logits: list[float]) -> dict[str, np.ndarray]:
    found = unmatched_token_features(
        texts, np.array(logits, dtype=np.float32), Groups(texts.left_at)
    )
    assert found.shape == (len(logits), len(UNMATCHED_FEATURES))
    assert found.dtype == np.float32
    return dict(zip(UNMATCHED_FEATURES, found.T, strict=True))


def test_a_word_that_the_table_leaves_over_is_usual_and_another_is_odd() -> None:
    places = ["oslo", "lima", "bonn", "kyiv", "rome", "bern", "cork", "riga"]
    left = [f"{place} season" for place in places] + ["genoa season", "turin womens season"]
    right = [*places, "genoa", "turin"]
    found = unmatched_shares(pair_texts(left, right, [(n, n) for n in range(10)]), [SURE] * 10)
    # Nine other rows leave "season" over, and no other has "womens".
    assert (found["left_expected"][:9] > 5 * found["left_unexpected"][:9]).all()
    assert found["left_unexpected"][9] > 5 * found["left_unexpected"][8]
    assert found["left_most_unexpected"][9] > 5 * found["left_most_unexpected"][8]
    for name in ("right_expected", "right_unexpected", "right_most_unexpected"):
        assert found[name].tolist() == [0] * 10


def test_a_row_does_not_speak_for_itself() -> None:
    texts = pair_texts(["oslo season"], ["oslo"], [(0, 0)])
    alone = unmatched_shares(texts, [SURE])
    other = unmatched_shares(texts, [0.0])
    # But for what the table as a whole leaves over, which is hardly more.
    assert alone["left_unexpected"] == pytest.approx(other["left_unexpected"], rel=0.05)
    # Left over as often as words are in tables at large: one of two words, of equal weight or less.
    weight = alone["left_expected"] + alone["left_unexpected"]
    assert 0.4 < weight[0] < 0.8
    assert alone["left_unexpected"] > alone["left_expected"]


def test_rows_count_as_far_as_they_are_likely_to_match() -> None:
    left = [f"{place} season" for place in ("oslo", "lima", "bonn", "kyiv", "rome")]
    right = [text.split()[0] for text in left]
    texts = pair_texts(left, right, [(n, n) for n in range(5)])
    sure, unsure = unmatched_shares(texts, [SURE] * 5), unmatched_shares(texts, [-3.0] * 5)
    assert (sure["left_unexpected"] < 0.5 * unsure["left_unexpected"]).all()


def test_only_best_pairs_count() -> None:
    left, right = ["oslo club", "lima club"], ["oslo club", "lima", "bonn"]
    texts = pair_texts(left, right, [(0, 0), (0, 2), (1, 1), (1, 2)])
    found = unmatched_shares(texts, [SURE, 0.0, 0.0, -9.0])
    assert found["left_unexpected"][0] == found["left_expected"][0] == 0
    assert found["left_unexpected"][1] > 0
    # The pair of "oslo club" and "bonn" leaves "club" over, but is not that row's best.
    club = unmatched_token_features(
        pair_texts(left, right, [(0, 0), (1, 1)]),
        np.array([SURE, 0.0], dtype=np.float32),
        Groups(np.array([0, 1])),
    )[1]
    assert found["left_unexpected"][2] == pytest.approx(
        club[UNMATCHED_FEATURES.index("left_unexpected")]
    )


def test_sides_changed_about_give_the_same() -> None:
    left, right = ["oslo season", "lima fc", "bonn"], ["oslo city", "lima", "bonn club"]
    pairs = [(0, 0), (1, 1), (2, 2)]
    logits = [2.0, 1.0, 3.0]
    there = unmatched_shares(pair_texts(left, right, pairs), logits)
    back = unmatched_shares(pair_texts(right, left, pairs), logits)
    for name, other in zip(
        UNMATCHED_FEATURES, (*UNMATCHED_FEATURES[3:], *UNMATCHED_FEATURES[:3]), strict=True
    ):
        assert there[name] == pytest.approx(back[other], abs=1e-6)


def test_no_pairs_and_no_texts() -> None:
    assert unmatched_token_features(
        pair_texts(["a"], ["b"], []), np.zeros(0, dtype=np.float32), Groups(np.zeros(0, dtype=int))
    ).shape == (0, len(UNMATCHED_FEATURES))
    nothing = unmatched_token_features(None, np.ones(2, dtype=np.float32), Groups(np.array([0, 1])))
    assert nothing.tolist() == [[0] * len(UNMATCHED_FEATURES)] * 2


@pytest.mark.parametrize("part", [10, 1000])
def test_it_is_as_by_looking_word_by_word(monkeypatch, part: int) -> None:
    monkeypatch.setattr(_parallel, "PART", part)
    rng = np.random.default_rng(0)
    vocabulary = ["oslo", "season", "club", "lima", "women", "rome", "cup", "1990"]
    left, right = (
        [" ".join(rng.choice(vocabulary, rng.integers(1, 6), replace=False)) for _ in range(n)]
        for n in (12, 9)
    )
    texts = pair_texts(left, right, [(a, b) for a in range(12) for b in range(9)])
    logits = rng.normal(0, 2, 108).astype(np.float32)
    found = unmatched_token_features(texts, logits, Groups(texts.left_at))
    best = [9 * a + int(logits[9 * a : 9 * a + 9].argmax()) for a in range(12)]
    chance = 1 / (1 + np.exp(-logits[best].astype(float)))
    sides = ((texts.left, texts.right, texts.left_at), (texts.right, texts.left, texts.right_at))
    for side, (facts, other, own) in enumerate(sides):
        others = texts.right_at if side == 0 else texts.left_at
        weights, said = facts.words.toarray(), other.token_coverage.toarray()
        has = (weights > 0).astype(float)
        lacks = [has[own[p]] * (1 - said[others[p]]) for p in range(108)]
        seen = sum(c * has[own[p]] for c, p in zip(chance, best, strict=True))
        left_out = sum(c * lacks[p] for c, p in zip(chance, best, strict=True))
        share = (left_out.sum() + 0.2 * 15) / (seen.sum() + 15)
        for pair in range(108):
            row = pair // 9
            others_seen = seen - chance[row] * has[own[best[row]]]
            others_left = left_out - chance[row] * lacks[best[row]]
            usual = (others_left + 0.5 * share) / (others_seen + 0.5)
            weight, mass = weights[own[pair]], facts.squared_token_weights[own[pair]]
            odd = weight * lacks[pair] * (1 - usual)
            wanted = [
                (weight**2 * lacks[pair] * usual).sum() / mass,
                (weight * odd).sum() / mass,
                odd.max() / facts.heaviest,
            ]
            assert found[pair, 3 * side : 3 * side + 3] == pytest.approx(wanted, abs=1e-4)


def test_equal_best_pairs_share_their_row() -> None:
    left, right = ["oslo season", "lima season"], ["oslo", "lima", "season"]
    pairs = [(0, 0), (0, 2), (1, 1)]
    texts = pair_texts(left, right, pairs)
    there = unmatched_shares(texts, [1.0, 1.0, 1.0])
    turned = unmatched_shares(
        pair_texts(left, right, [pairs[1], pairs[0], pairs[2]]), [1.0, 1.0, 1.0]
    )
    for name in UNMATCHED_FEATURES:
        assert there[name][[1, 0, 2]] == pytest.approx(turned[name], abs=1e-6)


def test_a_word_that_only_the_row_itself_leaves_over_of_very_many_keeps_its_place() -> None:
    many = np.array([4e7, 4e7], dtype=np.float32)
    own = csr_matrix(np.array([[1, 1]], dtype=np.float32))
    counts = _Counts(many, np.array([1, 0], dtype=np.float32), own, own)
    lacking = csr_matrix(np.array([[2, 3]], dtype=np.float32))
    usual = _expected(lacking, counts, np.array([0]))
    assert usual.shape == (2,)
    assert usual == pytest.approx([0, 0], abs=1e-6)


def test_what_stands_at_the_places_of_another_is_found_place_by_place() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        dense = rng.random((6, 9)) * (rng.random((6, 9)) < 0.4)
        held = rng.random((6, 9)) * (rng.random((6, 9)) < 0.4)
        places, values = csr_matrix(dense), csr_matrix(held)
        assert _at(places, values) == pytest.approx(held[dense > 0])


def test_counts_are_sorted_and_without_zeros_as_what_reads_them_wants() -> None:
    rng = np.random.default_rng(1)
    words = [f"w{n}" for n in range(30)]
    left = [" ".join(rng.choice(words, 12, replace=False)) for _ in range(6)]
    right = [" ".join(rng.choice(words, 3, replace=False)) for _ in range(6)]
    texts = pair_texts(left, right, [(a, b) for a in range(6) for b in range(6)])
    every = np.arange(36)
    # A row without hope has the weight 0 in its best pairs.
    weights = np.where(every < 6, 0, 1 / 6).astype(np.float32)
    row_weights = csr_matrix((weights, (every // 6, every)), shape=(6, 36))
    counts = _count(texts, row_weights)
    for one in (counts.seen_in, counts.unmatched_in):
        assert (one.data != 0).all()
        for start, end in zip(one.indptr[:-1], one.indptr[1:], strict=True):
            assert (np.diff(one.indices[start:end]) > 0).all()
