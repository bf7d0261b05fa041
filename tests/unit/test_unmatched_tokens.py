"""Unmatched tokens of pairs, and how expected they are: by hand, and word by word."""

import numpy as np
import pytest

from pearljoin._features.rival_groups import Groups
from pearljoin._features.text_profiles import TextProfile, Texts, text_profiles
from pearljoin._features.token_alignment import AlignedTokens, align
from pearljoin._features.unmatched_tokens import (
    NO_COUNTS,
    UNMATCHED_FEATURES,
    PairTokens,
    SideCounts,
    SideTokens,
    TokenCounts,
    count_tokens,
    unmatched_token_features,
)
from pearljoin._search.tfidf import count, word_columns
from pearljoin._text.background import bundled_background
from pearljoin._text.term_weights import TermWeights

SURE = 20.0
Described = dict[str, np.ndarray]


def profiles_of(left: list[str], right: list[str]) -> tuple[TextProfile, TextProfile]:
    sides = (Texts(texts, texts, [""] * len(texts), [0] * len(texts)) for texts in (left, right))
    return text_profiles(*sides, TermWeights.of(count(right)))


def side_of(texts: TextProfile, tokens: AlignedTokens) -> SideTokens:
    words = texts.words
    column = texts.word_columns[words.indices[tokens.entry]]
    weight = words.data[tokens.entry].astype(np.float32)
    return SideTokens(tokens.bounds, column, weight, tokens.covered, texts.heaviest)


def pair_tokens(left: list[str], right: list[str], pairs: list[tuple[int, int]]) -> PairTokens:
    profiles = profiles_of(left, right)
    places = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return PairTokens(*map(side_of, profiles, align(*profiles, *places)))


def described(tokens: PairTokens, counts: TokenCounts) -> Described:
    n_pairs = len(tokens.left.bounds) - 1
    found = unmatched_token_features(tokens, counts, n_pairs)
    assert found.shape == (n_pairs, len(UNMATCHED_FEATURES))
    assert found.dtype == np.float32
    return dict(zip(UNMATCHED_FEATURES, found.T, strict=True))


def learned(tokens: PairTokens, logits: list[float], left: list[int]) -> TokenCounts:
    return count_tokens(tokens, np.array(logits, dtype=np.float32), Groups(np.array(left)))


PLACES = ["oslo", "lima", "bonn", "kyiv", "rome", "bern", "cork", "riga"]


def test_a_word_that_the_sample_leaves_over_is_expected_and_another_is_not() -> None:
    left = [f"{place} zzseason" for place in PLACES] + ["genoa zzseason", "turin zzwomens zzseason"]
    tokens = pair_tokens(left, [*PLACES, "genoa", "turin"], [(n, n) for n in range(10)])
    found = described(tokens, learned(tokens, [SURE] * 10, list(range(10))))
    assert (found["left_expected"][:9] > 5 * found["left_unexpected"][:9]).all()
    assert found["left_unexpected"][9] > 5 * found["left_unexpected"][8]
    assert found["left_most_unexpected"][9] > 5 * found["left_most_unexpected"][8]
    for name in ("right_expected", "right_unexpected", "right_most_unexpected"):
        assert found[name].tolist() == [0] * 10


def test_a_row_does_not_speak_for_itself() -> None:
    tokens = pair_tokens(["oslo zzseason"], ["oslo"], [(0, 0)])
    alone = described(tokens, learned(tokens, [SURE], [0]))
    nothing = described(tokens, NO_COUNTS)
    # But for what the sample as a whole leaves over, which is hardly more.
    assert alone["left_unexpected"] == pytest.approx(nothing["left_unexpected"], rel=0.1)
    assert alone["left_unexpected"] > alone["left_expected"]


def test_rows_count_as_far_as_they_are_likely_to_match() -> None:
    left = [f"{place} zzseason" for place in PLACES]
    tokens = pair_tokens(left, PLACES, [(n, n) for n in range(8)])
    sure, unsure = (
        described(tokens, learned(tokens, [logit] * 8, list(range(8)))) for logit in (SURE, -3.0)
    )
    assert (sure["left_unexpected"] < 0.5 * unsure["left_unexpected"]).all()


def test_only_best_pairs_count_and_equal_ones_share_their_row() -> None:
    left, right = ["oslo zzclub", "lima zzclub"], ["oslo zzclub", "lima", "bonn"]
    pairs = [(0, 0), (0, 2), (1, 1), (1, 2)]
    tokens = pair_tokens(left, right, pairs)
    counts = learned(tokens, [SURE, 0.0, 0.0, -9.0], [0, 0, 1, 1])
    column = np.sort(word_columns(["oslo", "lima", "zzclub"]))
    assert counts.left.column.tolist() == column.tolist()
    seen = dict(zip(counts.left.column, counts.left.seen, strict=True))
    unmatched = dict(zip(counts.left.column, counts.left.unmatched, strict=True))
    oslo, lima, club = word_columns(["oslo", "lima", "zzclub"])
    assert (seen[oslo], seen[lima], seen[club]) == pytest.approx((1, 0.5, 1.5))
    assert (unmatched[oslo], unmatched[lima], unmatched[club]) == pytest.approx((0, 0, 0.5))
    tied = learned(tokens, [0.0, 0.0, -SURE, -SURE], [0, 0, 1, 1])
    shared = dict(zip(tied.left.column, tied.left.seen, strict=True))
    assert shared[oslo] == pytest.approx(0.5, abs=1e-6)


def test_expected_by_hand() -> None:
    column = word_columns(["zzclub", "zzteam", "zznone", "gmbh"])
    place = np.argsort(column[:2])
    seen = np.array([9.0, 1.0], dtype=np.float32)[place]
    unmatched = np.array([5.0, 1.0], dtype=np.float32)[place]
    counts = SideCounts(np.sort(column[:2]), seen, unmatched)
    share = (6 + 0.2 * 15) / (10 + 15)
    known = bundled_background().unmatched(column)
    assert np.isnan(known[:3]).all()
    assert 0 < known[3] <= 1
    # One row fewer is counted, and before any the share counts for half a time.
    wanted = [(0.5 * share + 4) / (0.5 + 8), share, share, known[3]]
    assert counts.expected(column) == pytest.approx(wanted, rel=1e-5)
    # What is known of names at large counts for two times.
    gmbh = SideCounts(column[3:], np.array([5.0], np.float32), np.array([1.0], np.float32))
    assert gmbh.expected(column[3:]) == pytest.approx([2 * known[3] / (2 + 4)])
    at_large = NO_COUNTS.left.expected(column)
    assert at_large == pytest.approx([0.2, 0.2, 0.2, known[3]])


def test_sides_changed_about_give_the_same() -> None:
    left, right = ["oslo season", "lima fc", "bonn"], ["oslo city", "lima", "bonn club"]
    pairs = [(0, 0), (1, 1), (2, 2)]
    tokens = pair_tokens(left, right, pairs)
    turned = PairTokens(tokens.right, tokens.left)
    there, back = (
        described(one, learned(one, [2.0, 1.0, 3.0], [0, 1, 2])) for one in (tokens, turned)
    )
    for name, other in zip(
        UNMATCHED_FEATURES, (*UNMATCHED_FEATURES[3:], *UNMATCHED_FEATURES[:3]), strict=True
    ):
        assert there[name] == pytest.approx(back[other], abs=1e-6)


def test_no_pairs_and_no_texts() -> None:
    tokens = pair_tokens(["a"], ["b"], [])
    nothing = np.zeros(0, dtype=np.int64)
    assert unmatched_token_features(tokens, NO_COUNTS, 0).shape == (0, len(UNMATCHED_FEATURES))
    counts = count_tokens(tokens, nothing.astype(np.float32), Groups(nothing))
    assert [len(side.column) for side in counts] == [0, 0]
    without = unmatched_token_features(None, NO_COUNTS, 2)
    assert without.tolist() == [[0] * len(UNMATCHED_FEATURES)] * 2
    empty = pair_tokens(["", "a"], ["a", ""], [(0, 0), (0, 1), (1, 1)])
    assert np.isfinite(unmatched_token_features(empty, NO_COUNTS, 3)).all()


def test_it_is_as_by_looking_word_by_word() -> None:
    rng = np.random.default_rng(0)
    vocabulary = ["oslo", "season", "club", "lima", "zzx", "women", "rome", "cup", "1990"]
    left, right = (
        [" ".join(rng.choice(vocabulary, rng.integers(1, 6), replace=False)) for _ in range(n)]
        for n in (12, 9)
    )
    tokens = pair_tokens(left, right, [(a, b) for a in range(12) for b in range(9)])
    counts = learned(tokens, rng.normal(0, 2, 108).tolist(), np.repeat(range(12), 9).tolist())
    found = unmatched_token_features(tokens, counts, 108)
    for side, (of_side, counted) in enumerate(zip(tokens, counts, strict=True)):
        for pair in range(108):
            at = slice(of_side.bounds[pair], of_side.bounds[pair + 1])
            weight = of_side.weight[at].astype(float)
            missing = 1 - of_side.covered[at].astype(float)
            expected = counted.expected(of_side.column[at]).astype(float)
            mass, odd = (weight**2).sum(), weight * missing * (1 - expected)
            wanted = [
                (weight**2 * missing * expected).sum() / mass,
                (weight * odd).sum() / mass,
                odd.max() / of_side.heaviest,
            ]
            assert found[pair, 3 * side : 3 * side + 3] == pytest.approx(wanted, abs=1e-5)


def test_the_features_of_a_pair_depend_on_it_and_the_counts_alone() -> None:
    left, right = ["oslo season", "lima fc", "bonn"], ["oslo city", "lima", "bonn club"]
    pairs = [(a, b) for a in range(3) for b in range(3)]
    tokens = pair_tokens(left, right, pairs)
    counts = learned(tokens, [0.5] * 9, [0, 0, 0, 1, 1, 1, 2, 2, 2])
    every = unmatched_token_features(tokens, counts, 9)
    chosen = np.array([7, 2, 2])
    assert np.array_equal(unmatched_token_features(tokens.take(chosen), counts, 3), every[chosen])
