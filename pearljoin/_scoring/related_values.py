"""Whether written values of answers are related, however their column is compared.

A column may be compared by the wrong kind: container numbers as names, since some are written
*MSKU 746689-6*; a price beside a range of prices. What its positions then say is nothing, and what
the values say is which record is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import TypeAlias

import numpy as np

from pearljoin._records.equality import Values
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.column_pairs import ColumnPairs
from pearljoin._typing import IntVector

__all__ = ["Texts", "are_related", "written_values"]

FEWEST = 15
"""Answers whose values tell, at least."""

MOST, LONGEST = 300, 300
"""Answers that are looked at, and characters of a value, at most."""

DRAWN = 20
"""Pairs at random for each answer."""

LIFT, MORE = 3.0, 0.1
"""How often answers are related: so many times as often as pairs at random, and so much more."""

SHORTEST = 3
"""Letters and digits that one value has of another, at least."""

NEAR, MOST_NEAR = 0.01, 0.6
"""How near to their median ratios are that are one, and the share of the answers, at least."""

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_SIGNS = re.compile(r"[\W_]+")

Texts: TypeAlias = tuple[str, str]
"""The left and the right value of a pair, as they are written."""


def written_values(pairs: ColumnPairs) -> list[Texts]:
    """Return the values of pairs in a key column, but for those of which one is missing.

    They are in an order that does not depend on that of the pairs.
    """
    sides = pairs.left.values[pairs.at], pairs.right.values[pairs.at]
    left, right = (
        _written(values, codes) for values, codes in zip(sides, pairs.known_codes, strict=True)
    )
    return sorted(zip(left, right, strict=True))


def _written(values: Values, codes: IntVector) -> list[str]:
    listed: Sequence[object]
    listed = values.texts if isinstance(values, TextValues | ParsedValues) else values.listed
    return [str(listed[code]) for code in codes.tolist()]


def are_related(answers: Sequence[Texts]) -> bool:
    """Tell whether the values of answers are related far more often than those of other pairs.

    They are where one has all letters and digits of the other in a row, where it has all its
    numbers or they lie in its range, and where numbers are in one ratio, as in two units.

    Examples
    --------
    >>> answers = [(f"{n}", f"£{n:,} - £{n + 100:,}") for n in range(500, 9_500, 300)]
    >>> are_related(answers), are_related([(here, "£12") for here, _ in answers])
    (True, False)
    """
    if len(answers) < FEWEST:
        return False
    some = answers[:: -(-len(answers) // MOST)]
    answers = [(left[:LONGEST], right[:LONGEST]) for left, right in some]
    others = _drawn(answers)
    ratio = _usual_ratio(answers)
    tests: list[Callable[[Texts], bool]] = [_holds, _has_numbers, _is_in_range]
    if any(_occurs_more(test, answers, others) for test in tests):
        return True
    if ratio is None:
        return False

    def is_usual(pair: Texts) -> bool:
        found = _ratio(pair)
        return found is not None and abs(found / ratio - 1) <= NEAR

    share = sum(map(is_usual, answers)) / len(answers)
    return share >= MOST_NEAR and _occurs_more(is_usual, answers, others)


def _drawn(answers: Sequence[Texts]) -> list[Texts]:
    """Pairs of left and right values of different answers, at random."""
    rng, n = np.random.default_rng(0), len(answers)
    left = np.repeat(np.arange(n), DRAWN)
    right = (left + rng.integers(1, n, len(left))) % n
    places = zip(left.tolist(), right.tolist(), strict=True)
    return [(answers[here][0], answers[there][1]) for here, there in places]


def _occurs_more(
    test: Callable[[Texts], bool], answers: Sequence[Texts], others: Sequence[Texts]
) -> bool:
    """Tell whether a relation is far more frequent among answers than among other pairs."""
    among_answers, among_others = (
        sum(map(test, pairs)) / len(pairs) for pairs in (answers, others)
    )
    return among_answers >= max(LIFT * among_others, among_others + MORE)


def _holds(pair: Texts) -> bool:
    """Tell whether one value has the letters and digits of the other in a row."""
    shorter, longer = sorted((_SIGNS.sub("", text).casefold() for text in pair), key=len)
    return len(shorter) >= SHORTEST and shorter in longer


def _has_numbers(pair: Texts) -> bool:
    """Tell whether one value has all numbers of the other."""
    fewer, more = sorted((set(_numbers(text)) for text in pair), key=len)
    return bool(fewer) and fewer <= more


def _is_in_range(pair: Texts) -> bool:
    """Tell whether the one number of one value lies in the range of the two of the other."""
    fewer, more = sorted((list(_numbers(text)) for text in pair), key=len)
    return len(fewer) == 1 and len(more) == 2 and min(more) <= fewer[0] <= max(more)


def _usual_ratio(answers: Sequence[Texts]) -> float | None:
    """The median ratio of answers that are one number on either side; None where they are few."""
    ratios = [ratio for ratio in map(_ratio, answers) if ratio is not None]
    return median(ratios) if len(ratios) >= FEWEST else None


def _ratio(pair: Texts) -> float | None:
    left, right = (list(_numbers(text)) for text in pair)
    if len(left) != 1 or len(right) != 1 or not left[0] or not right[0]:
        return None
    return left[0] / right[0]


def _numbers(text: str) -> Iterator[float]:
    for found in _NUMBER.findall(text):
        yield float(found.replace(",", ""))
