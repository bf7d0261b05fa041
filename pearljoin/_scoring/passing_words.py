"""Passing words: words that vary among the texts of one entity.

An institution is written with its department or without, with its city and country or without, a
company with a legal form or another. Pairs of its texts share little, and their log odds are low;
but what they differ in tells nothing. Which words do not tell is seen in the table: where two texts
are likely the same and one says all that the other does and more, what it says more comes and goes.

Things that are told apart by a word each teach other words, or none: of two branches each has a
word that the other lacks, and where a parent is listed, too, its branches say all that it does and
one word more. So words come and go beside each other: a department, a city and a country stand in
one text, branches have one each. Legal forms do as well alone. And they are many: a handful of
words that come and go rather name versions of one thing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from pearljoin._text.lexicon import LEGAL_FORMS
from pearljoin._text.token_similarity import unlike
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["FLOOR", "differ_in_passing", "find_passing"]

LIKELY = 1.0
"""Log odds, as decoys corrected them, from which pairs of texts teach."""

FEWEST, LEAST_SHARE = 2.0, 0.05
"""In how many texts a word comes and goes, and in which share of those that have it, at least."""

BESIDE, OTHERS = 3, 2
"""In how many texts a passing word stands beside another one, and beside how many such others."""

FEWEST_WORDS = 20
"""Passing words of a table, at least. Departments, cities and streets are of an open class; what
tells songs, hotels or parts of a group apart ("Live Remix", "Beach Resort", "Holdings") is of a
handful of words that stand beside each other, too."""

FLOOR = 3.0
"""Log odds, at least, of texts that differ in passing words alone."""

MOST_WORDS = 40
"""Words of texts that are looked at: longer ones are prose, and dear to compare."""

DECIMALS = 6
"""What sums are rounded to, so that they depend on no order."""


def find_passing(
    texts: Sequence[str], first: IntVector, second: IntVector, log_odds: FloatVector
) -> tuple[str, ...]:
    """Find the words that vary among likely texts of one entity.

    Each text counts once, however many others it resembles.

    Parameters
    ----------
    texts
        The text of each record, normalised; "" for none.
    first, second
        int64 of shape (n_pairs,): the records of each pair.
    log_odds
        float32 of shape (n_pairs,): that both are the same thing, but for what is found here.

    Returns
    -------
    passing
        The words, in alphabetical order.
    """
    likely = log_odds >= LIKELY
    ends = first[likely], second[likely]
    n_partners = np.bincount(np.concatenate(ends), minlength=len(texts))
    words = {record: _words(texts[record]) for record in np.flatnonzero(n_partners).tolist()}
    n_passed: dict[str, float] = {}
    for pair in zip(*(end.tolist() for end in ends), strict=True):
        left, right = (words[record] for record in pair)
        if left == right or not left or not right:
            continue
        more = _unmatched(left, right), _unmatched(right, left)
        if bool(more[0]) == bool(more[1]):
            continue
        record = pair[0] if more[0] else pair[1]
        for word in more[0] or more[1]:
            n_passed[word] = n_passed.get(word, 0.0) + 1 / n_partners[record]
    n_passed = {word: round(times, DECIMALS) for word, times in n_passed.items()}
    often = {word for word, times in n_passed.items() if times >= FEWEST}
    n_having = dict.fromkeys(often, 1)
    for having in words.values():
        for word in having & often:
            n_having[word] += 1
    return _beside_others(
        texts, {word for word in often if n_passed[word] >= LEAST_SHARE * n_having[word]}
    )


def differ_in_passing(
    texts: Sequence[str], first: IntVector, second: IntVector, passing: Sequence[str]
) -> BoolVector:
    """Mark pairs of texts that differ in passing words alone, slips and abbreviations apart.

    Parameters
    ----------
    texts, first, second
        As of `find_passing`.
    passing
        The passing words.
    """
    known = frozenset(passing)
    listed = np.unique(np.concatenate([first, second]))
    words = {record: _words(texts[record]) for record in listed.tolist()}
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    found = (_differ_in(words[one], words[other], known) for one, other in pairs)
    return np.fromiter(found, dtype=bool, count=len(first))


def _beside_others(texts: Sequence[str], passing: set[str]) -> tuple[str, ...]:
    """Keep the words that stand beside others of them, and legal forms; none of too few."""
    if len(passing) < FEWEST_WORDS:
        return ()
    together = Counter(
        pair for text in texts for pair in combinations(sorted(passing & _words(text)), 2)
    )
    n_others = Counter(word for pair, times in together.items() if times >= BESIDE for word in pair)
    kept = sorted(word for word in passing if word in LEGAL_FORMS or n_others[word] >= OTHERS)
    return tuple(kept) if len(kept) >= FEWEST_WORDS else ()


def _differ_in(one: frozenset[str], other: frozenset[str], passing: frozenset[str]) -> bool:
    if (one & other) <= passing:
        return False  # nothing is left that they share
    return not _unmatched(one - passing, other) and not _unmatched(other - passing, one)


def _words(text: str) -> frozenset[str]:
    """The words of a text; none of one that is too long."""
    words = frozenset(text.split())
    return words if len(words) <= MOST_WORDS else frozenset()


def _unmatched(words: frozenset[str], others: frozenset[str]) -> list[str]:
    """List the words without an equal or similar word among the others."""
    return unlike(words - others, others - words)
