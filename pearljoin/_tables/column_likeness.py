"""Whether text columns of other names may hold the names of the same things."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Hashable
from collections.abc import Set as AbstractSet
from itertools import chain

from pearljoin._kinds.cells import sample_texts
from pearljoin._kinds.protocol import Kind
from pearljoin._kinds.recognise import recognise
from pearljoin._kinds.years import CLEAR
from pearljoin._text.normalise import mend, normalise

__all__ = ["SAMPLE", "are_measures", "are_of_one_kind", "share_words"]

SHARED_WORDS = 0.1
"""Share of the distinct values of one column, in [0, 1], that have most of their words, or of the
other's, in common with one of the other column, where both name the same things."""

SAMPLE = 5_000
"""Distinct values by which it is told what a column's values look like."""

FEW = 500
"""Values that are asked for their words beside a column of more than `SAMPLE`."""

MOST_WORDS_OF_SIZES = 8
"""Distinct words beside the numbers of a column of sizes: units, "by", "diameter"."""

FORMLESS: frozenset[Kind] = frozenset({"category", "name", "person", "text"})
"""Kinds that say nothing of what a column is, as many are of them."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LETTERS_OR_DIGITS = re.compile(r"\w+")
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


def are_of_one_kind(
    left: tuple[Collection[str], Hashable], right: tuple[Collection[str], Hashable]
) -> bool:
    """Tell whether two columns, each given as values and a name, are of one kind that has a form.

    Examples
    --------
    >>> are_of_one_kind((["ann@example.org"], "contact"), (["bo@example.org"], "reply to"))
    True
    """
    kind = recognise(list(left[0]), left[1])
    return kind not in FORMLESS and kind == recognise(list(right[0]), right[1])


def share_words(values: Collection[str], others: AbstractSet[str]) -> bool:
    """Tell whether enough values have most of their words, or of another's, in one of the others.

    Parameters
    ----------
    values
        Distinct values of one column, a sample of them where there are many.
    others
        All distinct values of the other column. Where there are many, words count as they stand,
        but for case: to write them in one way takes long, and a few words decide nothing.

    Examples
    --------
    >>> share_words(["Acme", "Borealis Books"], {"ACME Ltd"}), share_words(["Acme"], {"Books"})
    (True, False)
    """
    if sum(value in others for value in values) >= SHARED_WORDS * len(values):
        return True
    words_of = _words
    if len(others) > SAMPLE:
        words_of = _plain_words
        values = sample_texts(list(values), FEW)
    asked = [frozenset(words_of(value)) for value in values]
    known = frozenset(chain.from_iterable(asked))
    texts = [frozenset(words) for words in map(words_of, others) if not known.isdisjoint(words)]
    of_word = defaultdict(list)
    for at, words in enumerate(texts):
        for word in words & known:
            of_word[word].append(at)
    n_same = sum(_has_same(words, texts, of_word) for words in asked)
    return n_same >= SHARED_WORDS * len(asked)


def _has_same(
    words: frozenset[str], texts: list[frozenset[str]], of_word: dict[str, list[int]]
) -> bool:
    """Whether one of the texts has most words in common; those of the rarest word are asked."""
    known = [of_word[word] for word in words if word in of_word]
    near = min(known, key=len, default=[])
    return any(2 * len(words & texts[at]) > min(len(words), len(texts[at])) for at in near)


def _words(text: str) -> list[str]:
    return normalise(mend(text)).split()


def _plain_words(text: str) -> list[str]:
    return _LETTERS_OR_DIGITS.findall(text.casefold())
