"""Whether text columns of other names may hold the names of the same things."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Hashable

from pearljoin._kinds.protocol import Kind
from pearljoin._kinds.recognise import recognise
from pearljoin._kinds.years import CLEAR
from pearljoin._tables.columns import Cells, present_cells
from pearljoin._text.normalise import mend, normalise

__all__ = ["are_measures", "may_name_the_same"]

FEWEST_VALUES = 10
"""Distinct values of a column, from which it is asked whether the other has words of them."""

SHARED_WORDS = 0.1
"""Share of the distinct values of one column, in [0, 1], that have most of their words, or of the
other's, in common with one of the other column, where both name the same things."""

MOST_WORDS_OF_SIZES = 8
"""Distinct words beside the numbers of a column of sizes: units, "by", "diameter"."""

FORMLESS: frozenset[Kind] = frozenset({"category", "name", "person", "text"})
"""Kinds that say nothing of what a column is, as many are of them."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")


def are_measures(values: Collection[str], name: Hashable) -> bool:
    """Tell whether the distinct values of a column are numbers, dates or sizes, and name nothing.

    Examples
    --------
    >>> are_measures(["12.3 x 119.8 cm", "9 by 4 in"], "size"), are_measures(["Room 12"], "place")
    (True, False)
    """
    return recognise(list(values), name) in ("number", "date") or _are_sizes(values)


def _are_sizes(values: Collection[str]) -> bool:
    """Tell whether values are of several numbers each, and of few words beside them."""
    n_sizes = sum(len(_NUMBER.findall(value)) > 1 for value in values)
    words = {word.casefold() for value in values for word in _WORD.findall(value)}
    return n_sizes >= CLEAR * len(values) > 0 and len(words) <= MOST_WORDS_OF_SIZES


def may_name_the_same(left: Cells, right: Cells, left_name: Hashable, right_name: Hashable) -> bool:
    """Tell whether columns are of one kind that has a form, or have values of the same words.

    So they may where one has too few values to tell.

    Parameters
    ----------
    left, right, left_name, right_name
        The columns, and their names.
    """
    one, other = (set(map(str, present_cells(column))) for column in (left, right))
    fewer, more = sorted((one, other), key=len)
    if len(fewer) < FEWEST_VALUES:
        return True
    kind = recognise(list(one), left_name)
    if kind not in FORMLESS and kind == recognise(list(other), right_name):
        return True
    return _share_of_same_words(fewer, more) >= SHARED_WORDS


def _share_of_same_words(values: Collection[str], others: Collection[str]) -> float:
    """Share of values of whose words, or another's, most are in one of the others."""
    texts = [_words(other) for other in others]
    of_word = defaultdict(list)
    for at, words in enumerate(texts):
        for word in words:
            of_word[word].append(at)
    return sum(_has_same(_words(value), texts, of_word) for value in values) / len(values)


def _has_same(
    words: frozenset[str], texts: list[frozenset[str]], of_word: dict[str, list[int]]
) -> bool:
    """Whether one of the texts has most words in common; those of the rarest word are asked."""
    known = [of_word[word] for word in words if word in of_word]
    near = min(known, key=len, default=[])
    return any(2 * len(words & texts[at]) > min(len(words), len(texts[at])) for at in near)


def _words(text: str) -> frozenset[str]:
    return frozenset(normalise(mend(text)).split())
