"""Words of left texts that stand for words of right ones, as answers show.

Either table may abbreviate what the other spells out (*brs elb 22mm*, *Elbow, brass, 22 mm*). Of
one pair of texts nobody can tell which word stands for which. Of many answers it is seen: those
whose left text has *elb* have a right one with *elbow*, and others do not.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import betainc

from pearljoin._records.similarity import TextValues
from pearljoin._scoring.related_values import Texts
from pearljoin._text.contrasts import are_in_contrast
from pearljoin._text.normalise import normalise
from pearljoin._text.token_similarity import may_be_spellings
from pearljoin._typing import FloatVector, IntVector, Pairs

__all__ = ["translated_words"]

LIKELY = 0.1
"""Probability from which on a pair counts, by so much."""

INITIALS, ABBREVIATION, NEAR = range(3)
"""How a left word may stand for right ones: as their initials, as the first and further letters of
one, or the other way round, or as another spelling. What has other letters may be another thing:
where one table has junior schools and the other one senior schools, all answers agree."""

FEWEST = 1.5, 1.5, 2.5
"""Answers that have both, at least, by how they stand for each other."""

AGREEING = 0.6, 0.6, 0.8
"""Their share of all answers that have the left word, at least."""

CHANCE = 0.01
"""Probability, at most, that any right word would be in so many of them by chance."""

SHORTEST, MOST_INITIALS = 2, 5
"""Letters of a word that stands for another at least, and of one that is initials at most."""

SHORTEST_PART = 3
"""Letters of a part of a compound, at least."""

LONGEST_CODE = 3
"""Letters of a right word that may be a code for several left ones, at most."""

SHORTEST_NEAR = 4
"""Letters of two spellings of one word, at least: *Mr* and *Mrs* are none."""

MOST_WORDS = 40
"""Words of texts that are looked at: longer ones are prose, and dear to compare."""

DECIMALS = 6
"""What sums are rounded to, so that they depend on no order."""

LEAST_SHARE = 0.05
"""Share of the left texts that have such words, at least: to read them all again takes time."""

_WORD = re.compile(r"[^\W\d_]+")


def translated_words(
    here: TextValues, there: TextValues, pairs: Pairs, probability: FloatVector
) -> tuple[Texts, ...]:
    """Find words of left texts that stand for words of right ones.

    Parameters
    ----------
    here, there
        The texts of a key column.
    pairs
        The left and the right text of all candidates of sampled ones, int64 of shape (n_pairs,)
        each.
    probability
        float of shape (n_pairs,): that each is an answer.

    Returns
    -------
    translated
        Normalised left words and the right ones that they are read as, as they are written;
        ascending. Words that right texts have, too, stand for themselves. None where few left texts
        have such words.

    Notes
    -----
    The right words that a pair leaves over are there by chance as often as in pairs without the
    left word, so that their number is binomially distributed; it is asked of all right words that
    the left one may stand for in the same way (Bonferroni).
    """
    candidates = _TextPairs(*pairs, probability)
    words = _Words(here, there)
    found = dict(_likeliest(_count(candidates, words)))
    if not found:
        return ()
    known = _known_words(candidates, words, frozenset(found))
    texts = [frozenset(words.left(code)) for code in np.unique(candidates.left).tolist()]
    chosen = _consistent(
        {word: link for word, link in found.items() if word not in known}, frozenset().union(*texts)
    )
    if sum(not text.isdisjoint(chosen) for text in texts) < LEAST_SHARE * len(texts):
        return ()
    return tuple(
        (word, words.as_written(link.right, link.texts)) for word, link in sorted(chosen.items())
    )


class _TextPairs(NamedTuple):
    """Candidate pairs of texts.

    Attributes
    ----------
    left, right
        int64 of shape (n_pairs,): the texts of each pair.
    probability
        float of shape (n_pairs,): that it is an answer.
    """

    left: IntVector
    right: IntVector
    probability: FloatVector


class _Link(NamedTuple):
    """Right words that a left one may stand for."""

    kind: int
    right: str
    texts: frozenset[int]


class _Words:
    """The words of texts, each text split once."""

    def __init__(self, here: TextValues, there: TextValues) -> None:
        self._there = there
        self._normalised = here.normal, there.normal
        self._split: tuple[dict[int, list[str]], dict[int, list[str]]] = {}, {}

    def left(self, code: int) -> list[str]:
        return self._of(0, code)

    def right(self, code: int) -> list[str]:
        return self._of(1, code)

    def _of(self, side: int, code: int) -> list[str]:
        split = self._split[side]
        if code not in split:
            split[code] = self._normalised[side][code].split()[:MOST_WORDS]
        return split[code]

    def as_written(self, words: str, texts: frozenset[int]) -> str:
        """Return right words as most of some texts write them."""
        written = {word: Counter[str]() for word in words.split()}
        for code in sorted(texts):
            for some in _WORD.findall(self._there.texts[code]):
                if (word := normalise(some)) in written:
                    written[word][some] += 1
        usual = {
            word: min(times, key=lambda some: (-times[some], some)) if times else word
            for word, times in written.items()
        }
        return " ".join(usual[word] for word in words.split())


@dataclass
class _Counts:
    """How often words are left over in pairs, by probability."""

    total: float = 0.0
    left: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    right: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    both: dict[str, dict[tuple[int, str], float]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(float))
    )
    """By left word: how it may stand for right ones, and these."""
    texts: dict[tuple[str, str], set[int]] = field(default_factory=lambda: defaultdict(set))


def _count(pairs: _TextPairs, words: _Words) -> _Counts:
    """Count the words that either text of a pair has alone."""
    counts = _Counts()
    likely = np.flatnonzero(pairs.probability >= LIKELY)
    listed = (pairs.left[likely], pairs.right[likely], pairs.probability[likely])
    found = []
    for left, right, chance in zip(*(some.tolist() for some in listed), strict=True):
        fewer = _left_over(words.left(left), words.right(right))
        found.append((left, right, chance, fewer))
        counts.total += chance
        for word in fewer:
            counts.left[word] += chance
    for left, right, chance, left_over in found:
        here, there = words.left(left), words.right(right)
        more = _left_over(there, here)
        fewer = [word for word in left_over if counts.left[word] >= min(FEWEST)]
        runs = {word: list(_spelled_out(word, there, more)) for word in fewer}
        for other in {*more, *(run for some in runs.values() for run in some)}:
            counts.right[other] += chance
        for word in fewer:
            for other in (*more, *runs[word]):
                kind = _kind(word, other)
                if kind is not None and not _is_part(other, word, there):
                    counts.both[word][kind, other] += chance
                    counts.texts[word, other].add(right)
    return counts


def _left_over(words: Sequence[str], others: Sequence[str]) -> list[str]:
    """Words without digits that others have not, each once."""
    rest = set(words).difference(others)
    return [word for word in rest if len(word) >= SHORTEST and word.isalpha()]


def _spelled_out(word: str, there: Sequence[str], more: Sequence[str]) -> Iterator[str]:
    """Runs of words that are left over and have the letters of a word as their initials."""
    size = len(word)
    if size > MOST_INITIALS:
        return
    for start in range(len(there) - size + 1):
        run = there[start : start + size]
        if all(map(str.startswith, run, word)) and set(run) <= set(more):
            yield " ".join(run)


def _likeliest(counts: _Counts) -> Iterator[tuple[str, _Link]]:
    """Find the right words that each left one stands for, where there are any."""
    for word, both in counts.both.items():
        links, n_answers = [], counts.left[word]
        n_of_kind = Counter(kind for kind, _ in both)
        for (kind, other), n_both in both.items():
            if n_both < max(FEWEST[kind], AGREEING[kind] * n_answers):
                continue
            elsewhere = (counts.right[other] - n_both + 0.5) / (counts.total - n_answers + 1)
            share = min(1.0, elsewhere)
            chance = n_of_kind[kind] * float(betainc(n_both, n_answers - n_both + 1, share))
            if chance < CHANCE:
                links.append((kind, round(chance, 12), -round(n_both, DECIMALS), other))
        if links:
            kind, _, _, other = min(links)
            yield word, _Link(kind, other, frozenset(counts.texts[word, other]))


@lru_cache(maxsize=100_000)
def _kind(word: str, other: str) -> int | None:
    """How a left word may stand for right ones, if it does."""
    if " " in other:
        return INITIALS
    if _is_short_for(*sorted((word, other), key=len)):
        return ABBREVIATION
    is_long = min(len(word), len(other)) >= SHORTEST_NEAR
    return NEAR if is_long and may_be_spellings(word, other) else None


def _is_part(part: str, word: str, there: Sequence[str]) -> bool:
    """Tell whether a left word is compound of a right one and another of the text that has it.

    *Stahlschraube* is no *Schraube* beside *Stahl*: it is both.
    """
    if word.startswith(part):
        rest = word.removeprefix(part)
    elif word.endswith(part):
        rest = word.removesuffix(part)
    else:
        return False
    return len(rest) >= SHORTEST_PART and any(
        rest.startswith(other) or other.startswith(rest)
        for other in there
        if other != part and len(other) >= SHORTEST_PART
    )


def _is_short_for(short: str, long: str) -> bool:
    """Tell whether a word may be the first and further letters of a longer one."""
    letters = iter(long)
    return short[0] == long[0] and len(short) < len(long) and all(sign in letters for sign in short)


def _known_words(pairs: _TextPairs, words: _Words, asked: frozenset[str]) -> set[str]:
    """Which left words any right candidate has, too."""
    having = {
        code: having
        for code in np.unique(pairs.left).tolist()
        if (having := asked.intersection(words.left(code)))
    }
    known: set[str] = set()
    of = np.isin(pairs.left, list(having))
    for left, right in zip(pairs.left[of].tolist(), pairs.right[of].tolist(), strict=True):
        known |= having[left].intersection(words.right(right))
    return known


def _consistent(found: Mapping[str, _Link], left_words: Set[str]) -> dict[str, _Link]:
    """Leave out words in contrast, and other spellings of what is written on the left, too.

    And codes that may be short for another left word, too, which is read otherwise nowhere: where
    *Australia* is *AU*, *Austria* would be taken for it.
    """
    unread = left_words - found.keys()
    return {
        word: link
        for word, link in found.items()
        if not (link.kind == NEAR and link.right in left_words)
        and not (
            len(link.right) <= LONGEST_CODE
            and any(_is_short_for(link.right, other) for other in unread)
        )
        and not are_in_contrast({word}, set(link.right.split()))
    }
