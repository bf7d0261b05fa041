"""Alignment of the tokens of pairs, against a slow reference in plain Python."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from pearljoin._features import token_alignment
from pearljoin._features.text_profiles import Texts, text_profiles
from pearljoin._features.token_alignment import AlignedTokens, align
from pearljoin._search.tfidf import count
from pearljoin._text.background import bundled_background
from pearljoin._text.lexicon import NUMBER_WORDS, SMALL_WORDS
from pearljoin._text.similar_tokens import similar_tokens
from pearljoin._text.term_weights import TermWeights

WORDS = [
    "data", "base", "database", "bank", "bnak", "of", "oslo", "osl", "bo", "boo", "the", "ibm", "i",
    "ii", "j", "john", "jon", "bob", "robert", "7", "77", "a4", "a41", "univ", "university", "uo",
]  # fmt: skip
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join), min_size=1, max_size=4)
COLUMNS = ("spelled", "covered", "same", "begun", "initials")


def aligned(left: list[str], right: list[str], pairs: list[tuple[int, int]]) -> tuple:
    sides = (Texts(texts, texts, [""] * len(texts), [0] * len(texts)) for texts in (left, right))
    profiles = text_profiles(*sides, TermWeights.of(count(right)))
    places = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return profiles, align(*profiles, *places)


def similarity(word: str, other: str) -> float:
    """How far one word is a spelling of another."""
    if word == other:
        return 1
    known = bundled_background().equivalents.get(word, {}).get(other, 0)
    if any(letter.isdigit() for letter in word + other):
        return known
    return max(0, 1 - 3 * OSA.distance(word, other) / max(len(word), len(other)), known)


def begins(short: str, word: str) -> bool:
    return short == word or (word.startswith(short) and not short[0].isdigit())


def joined(words: list[str]) -> dict[str, tuple[str, str]]:
    """What two words side by side make."""
    return {a + b: (a, b) for a, b in pairwise(words) if not (a[-1].isdigit() and b[0].isdigit())}


def initials_in(words: list[str]) -> set[str]:
    """Initials of two or more words in a row, with and without small ones."""
    runs = [words, [word for word in words if word not in SMALL_WORDS]]
    return {
        "".join(word[0] for word in run[start:end])
        for run in runs
        for start in range(len(run))
        for end in range(start + 2, len(run) + 1)
    }


def by_looking(ours: list[str], theirs: list[str]) -> dict[str, tuple]:
    """Spelled, covered, same, begun and initials of each of our words."""
    found = {}
    parts = {part for word, two in joined(ours).items() if word in theirs for part in two}
    for word in set(ours):
        spelled = max((similarity(word, other) for other in theirs), default=0)
        if word in joined(theirs) or word in parts:
            spelled = 1
        begun = any(begins(word, other) for other in theirs)
        initials = word in initials_in(theirs)
        short = len(word) > 1 and word not in NUMBER_WORDS
        covered = max(spelled, float(initials or (begun and short)))
        flags = (word in theirs, begun, initials)
        found[word] = (float(spelled), covered, *map(float, flags))
    return found


def of_pair(profile, tokens: AlignedTokens, pair: int) -> dict[str, tuple]:
    at = range(tokens.bounds[pair], tokens.bounds[pair + 1])
    numbers = profile.words.indices[tokens.entry]
    return {
        profile.runs.index.words[numbers[place]]: tuple(
            float(getattr(tokens, name)[place]) for name in COLUMNS
        )
        for place in at
    }


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    TEXTS, TEXTS, st.sampled_from([1, 7, 4_000_000]), st.sampled_from([(0, 0, 0), (9_999, 0, 1)])
)
def test_it_is_as_by_looking_word_by_word(left, right, cells: int, listed) -> None:
    pairs = [(a, b) for a in range(len(left)) for b in range(len(right))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(token_alignment, "MOST_CELLS", cells)
        patch.setattr(token_alignment, "LISTED", listed)
        profiles, tokens = aligned(left, right, pairs)
    for pair, (a, b) in enumerate(pairs):
        texts = left[a].split(), right[b].split()
        for profile, side, (ours, theirs) in zip(
            profiles, tokens, (texts, texts[::-1]), strict=True
        ):
            found, wanted = of_pair(profile, side, pair), by_looking(ours, theirs)
            assert found.keys() == wanted.keys()
            for word, values in wanted.items():
                assert found[word] == pytest.approx(values, abs=1e-6), (word, ours, theirs)


def test_a_pair_is_aligned_as_it_is_beside_any_others() -> None:
    left, right = ["data base of oslo", "bob", ""], ["database", "robert university", "uo", ""]
    pairs = [(a, b) for a in range(3) for b in range(4)]
    _, every = aligned(left, right, pairs)
    for pair, (a, b) in enumerate(pairs):
        _, alone = aligned([left[a]], [right[b]], [(0, 0)])
        for one, many in zip(alone, every, strict=True):
            part = many.part(slice(pair, pair + 1))
            for name in COLUMNS:
                assert getattr(one, name).tolist() == getattr(part, name).tolist()


def test_tokens_of_long_texts_are_listed_unless_most_are_similar(monkeypatch) -> None:
    found = []

    def similar(*given):
        found.append(similar_tokens(*given))
        return found[-1]

    monkeypatch.setattr(token_alignment, "similar_tokens", similar)
    rng = np.random.default_rng(0)
    syllables = ["ra", "sto", "mer", "li", "vak", "do"]
    apart = [" ".join("".join(rng.choice(syllables, 5)) for _ in range(60)) for _ in range(9)]
    alike = [" ".join("aaaaaaaa" + "".join(rng.choice([*"abcd"], 4)) for _ in range(60))]
    pairs = [(a, b) for a in range(len(apart)) for b in range(len(apart))]
    for left, right, is_listed in ((apart, apart[::-1], True), (alike, alike, False)):
        some = pairs if is_listed else [(0, 0)]
        found.clear()
        monkeypatch.setattr(token_alignment, "LISTED", (0, 0, 0))
        _, listed = aligned(left, right, some)
        assert [each is not None for each in found] == [is_listed]
        monkeypatch.setattr(token_alignment, "LISTED", (1_000_000, 0, 1))
        _, compared = aligned(left, right, some)
        assert len(found) == 1
        for one, other in zip(listed, compared, strict=True):
            assert one.spelled.max() == 1
            assert ((one.spelled > 0) & (one.spelled < 1)).any() == is_listed
            for name in COLUMNS:
                assert getattr(one, name).tolist() == getattr(other, name).tolist()


def test_sums_and_largest_are_by_pair() -> None:
    _, (tokens, _) = aligned(["a b", "", "c"], ["x"], [(0, 0), (1, 0), (2, 0), (0, 0)])
    values = np.array([1, 2, 3, 4, -5], dtype=np.float32)
    assert tokens.bounds.tolist() == [0, 2, 2, 3, 5]
    assert tokens.sums(values).tolist() == [3, 0, 3, -1]
    assert tokens.largest(values).tolist() == [2, 0, 3, 4]
    assert tokens.pair.tolist() == [0, 0, 2, 3, 3]


def test_no_pairs() -> None:
    for left, right in ((["a"], ["b"]), ([], []), ([""], [""])):
        _, tokens = aligned(left, right, [])
        assert [one.bounds.tolist() for one in tokens] == [[0], [0]]
