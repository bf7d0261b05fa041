"""Alternatives: words that stand in each other's place, and so name different things.

*Siemens annual report 2019*, *Bosch annual report 2019*, *Bayer annual report 2019*, and the same
three for 2020: the table is a grid, of makers and years, and each of its rows is a thing. Two such
texts share most of their words, and say nothing of how much the others count; what the words are
for is seen in the table. Two of them are alternatives where they stand in the same place of several
texts that are equal otherwise, and a third one does as well: two spellings of one word would do
that in pairs, as *colour* and *color*, and seldom in threes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from pearljoin._text.lexicon import LEGAL_FORMS
from pearljoin._text.token_similarity import are_spellings
from pearljoin._typing import BoolVector, IntVector

__all__ = ["LOWERED", "differ_in_alternatives", "find_alternatives", "without_words"]

LOWERED = 6.0
"""By how much alternatives lower the log odds of two texts: no two would be likely on top of it,
unless all else says so."""

MOST_JOINT = 2
"""Words that stand together in one place, at most."""

FEWEST_FILLERS, FEWEST_PLACES = 3, 2
"""Words that stand in one place, at least, and how many such places two alternatives share."""

MOST_FILLERS = 60
"""Words that are looked at in one place: pairs of them grow with the square."""

MOST_WORDS = 20
"""Words of texts that are looked at: longer ones are prose."""

Alternatives = Mapping[str, frozenset[str]]


def find_alternatives(texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Find words, or two words together, that stand in each other's place.

    Parameters
    ----------
    texts
        Normalised texts of one table.

    Returns
    -------
    alternatives
        Pairs of them, each once and in alphabetical order.
    """
    n_shared: Counter[tuple[str, str]] = Counter()
    for fillers in _by_place(texts).values():
        if len(fillers) >= FEWEST_FILLERS:
            n_shared.update(combinations(sorted(fillers)[:MOST_FILLERS], 2))
    often = [pair for pair, n in n_shared.items() if n >= FEWEST_PLACES and _are_of_sort(*pair)]
    of = _of_each(often)
    return tuple(sorted((one, other) for one, other in often if of[one] & of[other]))


def differ_in_alternatives(
    texts: Sequence[str],
    others: Sequence[str],
    first: IntVector,
    second: IntVector,
    alternatives: Iterable[tuple[str, str]],
) -> BoolVector:
    """Mark pairs of texts one of which has an alternative to a word of the other.

    Parameters
    ----------
    texts, others
        Normalised texts; "" for none.
    first, second
        int64 of shape (n_pairs,): of each pair, the place of one text among `texts` and that of
        the other among `others`.
    alternatives
        As of `find_alternatives`.
    """
    of = _of_each(alternatives)
    words = {at: texts[at].split() for at in np.unique(first).tolist()}
    other_words = {at: others[at].split() for at in np.unique(second).tolist()}
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    found = (_have_alternatives(words[one], other_words[other], of) for one, other in pairs)
    return np.fromiter(found, dtype=bool, count=len(first))


def without_words(
    alternatives: Iterable[tuple[str, str]], words: Iterable[str]
) -> tuple[tuple[str, str], ...]:
    """Leave out the alternatives that have one of some words, such as those that tell nothing."""
    known = frozenset(words)
    return tuple(pair for pair in alternatives if known.isdisjoint(" ".join(pair).split()))


def _by_place(texts: Iterable[str]) -> dict[tuple[str | None, ...], set[str]]:
    """List what stands in each place: by a text without it, None where it was."""
    found: dict[tuple[str | None, ...], set[str]] = defaultdict(set)
    for text in set(texts):
        words = text.split()
        if len(words) > MOST_WORDS:
            continue
        for n_joint in range(1, min(MOST_JOINT, len(words) - 1) + 1):
            for at in range(len(words) - n_joint + 1):
                end = at + n_joint
                place = (*words[:at], None, *words[end:])
                found[place].add(" ".join(words[at:end]))
    return found


def _are_of_sort(one: str, other: str) -> bool:
    """Whether two words may be alternatives: *4a* and *4b*, not *500* and *500g*; no legal form."""
    words, others = one.split(), other.split()
    # Of "red shirt" and "blue shirt" the first words are.
    if not set(words).isdisjoint(others) or not LEGAL_FORMS.keys().isdisjoint(words + others):
        return False
    return _shape(one) == _shape(other)


def _shape(word: str) -> str:
    """Where a word with digits has them and letters; "" for another."""
    if not any(map(str.isdigit, word)):
        return ""
    return "".join("0" if sign.isdigit() else "a" if sign.isalpha() else sign for sign in word)


def _of_each(pairs: Iterable[tuple[str, str]]) -> Alternatives:
    of: dict[str, set[str]] = defaultdict(set)
    for one, other in pairs:
        of[one].add(other)
        of[other].add(one)
    return {word: frozenset(others) for word, others in of.items()}


def _have_alternatives(one: list[str], other: list[str], of: Alternatives) -> bool:
    if max(len(one), len(other)) > MOST_WORDS:
        return False
    left, right = _unmatched(one, other), _unmatched(other, one)
    return any(_are_alternatives(a, b, of) for a in _phrases(left) for b in _phrases(right))


def _are_alternatives(one: str, other: str, of: Alternatives) -> bool:
    """Whether two words are alternatives, or one is misspelt for an alternative to the other."""
    if other in of.get(one, ()):
        return True
    if (one in of) == (other in of):
        return False
    known, unknown = (one, other) if one in of else (other, one)
    return any(are_spellings(unknown, word) for word in of[known])


def _phrases(words: list[str]) -> list[str]:
    """The words, each by itself and all of them together."""
    return [*words, " ".join(words)] if len(words) > 1 else words


def _unmatched(words: list[str], others: list[str]) -> list[str]:
    """List the words without an equal or similar word among those only the other text has."""
    rest = [word for word in others if word not in words]
    return [
        word
        for word in words
        if word not in others and not any(are_spellings(word, other) for other in rest)
    ]
