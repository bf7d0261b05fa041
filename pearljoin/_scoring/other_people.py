"""Given names that tell people apart who agree in all else.

Members of a household share a family name, a street and a telephone. In the sum of match weights
this outweighs two names that differ in a word. But people hardly ever take another given name: two
of which neither is written for the other are of two people, unless both have the same number, as of
an insurance, that nobody shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pearljoin._kinds.person import ParsedPeople
from pearljoin._kinds.protocol import Texts, text_array
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.equality import Values
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.column_pairs import ColumnPairs
from pearljoin._text.given_names import are_other_names, has_given_name, is_given_name
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["NOBODY", "People", "are_other_people", "learn_people"]

APART = 7.0
"""By how much two given names lower the log odds that two records are one entity."""

LEAST_SHARE = 0.5
"""Share of a column's distinct texts in which a given name is known, at least, for people."""

OFTEN, PRIOR_SHARED, PRIOR_PAIRS = 0.25, 0.05, 4.0
"""Share of the pairs with one number that have two given names from which the number is shared, as
that of a family's account is; what is usual, and how many pairs this counts for."""


@dataclass(frozen=True)
class People:
    """Key columns by which people are known.

    Attributes
    ----------
    names
        Places of those with names of people.
    own
        Places of those with numbers that no two people share.
    """

    names: tuple[int, ...] = ()
    own: tuple[int, ...] = ()

    def shift(
        self, marks: Sequence[BoolVector | None], are_equal: Sequence[BoolVector]
    ) -> FloatVector:
        """Return what two given names take from log odds.

        Parameters
        ----------
        marks
            By key column, what `are_other_people` says of each pair; None: not asked.
        are_equal
            By key column, bool of shape (n_pairs,): whether both values are equal.

        Returns
        -------
        shift
            float32 of shape (n_pairs,), at most 0.
        """
        differ = _any([mark for at in self.names if (mark := marks[at]) is not None], are_equal[0])
        same = _any([are_equal[at] for at in self.own], are_equal[0])
        return np.where(differ & ~same, np.float32(-APART), np.float32(0))


NOBODY = People()


def learn_people(
    side: EncodedRecords,
    named: Sequence[int],
    marks: Sequence[BoolVector | None],
    are_equal: Sequence[BoolVector],
) -> People:
    """Learn by which key columns people are known.

    Parameters
    ----------
    side
        The reference, or the table to deduplicate.
    named
        Places of the key columns whose names say that a record is of a person. Other people, such
        as who wrote a record, may change.
    marks, are_equal
        As of `People.shift`, of candidate pairs; empty where none are known.
    """
    names = tuple(at for at in named if _holds_people(side, at))
    codes = [at for at, values in enumerate(side.values) if _holds_codes(values)]
    if not names or not len(are_equal):
        return People(names, tuple(codes) if names else ())
    differ = _any([mark for at in names if (mark := marks[at]) is not None], are_equal[0])
    return People(names, tuple(at for at in codes if not _is_shared(are_equal[at], differ)))


def _is_shared(is_equal: BoolVector, differ: BoolVector) -> bool:
    """Whether many pairs with one number have two given names."""
    n_shared = PRIOR_SHARED * PRIOR_PAIRS + (is_equal & differ).sum()
    return bool(n_shared / (PRIOR_PAIRS + is_equal.sum()) > OFTEN)


def _any(marks: Sequence[BoolVector], like: BoolVector) -> BoolVector:
    """Mark the pairs that some marks mark."""
    found = np.zeros(len(like), dtype=bool)
    for mark in marks:
        found |= mark
    return found


def _holds_codes(values: Values) -> bool:
    return isinstance(values, ParsedValues) and values.kind == "code"


def _holds_people(side: EncodedRecords, at: int) -> bool:
    """Tell whether a key column has names of people with a given name, or given names."""
    values = side.values[at]
    if isinstance(values, ParsedValues):
        return isinstance(values.parsed, ParsedPeople)
    if not isinstance(values, TextValues) or not len(values):
        return False
    return float(np.mean(list(map(has_given_name, values.normal)))) >= LEAST_SHARE


def are_other_people(pairs: ColumnPairs) -> BoolVector:
    """Mark pairs with two given names neither of which is written for the other.

    Where one stands elsewhere in the other record, as where given and family name are exchanged,
    they say nothing.

    Parameters
    ----------
    pairs
        The pairs, and the column.

    Returns
    -------
    marked
        bool of shape (n_pairs,).
    """
    one, other = (
        _given_names(side, pairs.at, codes)
        for side, codes in zip((pairs.left, pairs.right), pairs.known_codes, strict=True)
    )
    begin = one.first_known | other.first_known
    names = np.where(begin, one.first, one.last), np.where(begin, other.first, other.last)
    asked = np.flatnonzero((begin | (one.last_known & other.last_known)) & (names[0] != names[1]))
    marked = np.zeros(len(pairs), dtype=bool)
    known: dict[tuple[str, str], bool] = {}
    for at in asked.tolist():
        both = names[0][at], names[1][at]
        if both not in known:
            known[both] = are_other_names(*both)
        if known[both]:
            row = pairs.known[at]
            left = _text(pairs.left, pairs.left_at[row])
            right = _text(pairs.right, pairs.right_at[row])
            marked[row] = f" {both[0]} " not in right and f" {both[1]} " not in left
    return marked


class _GivenNames(NamedTuple):
    """First and last words of names, and which of these are known for given names."""

    first: Texts
    first_known: BoolVector
    last: Texts
    last_known: BoolVector


def _given_names(side: EncodedRecords, at: int, codes: IntVector) -> _GivenNames:
    """Return what may be the given names of some values; "" for those of no names."""
    values = side.values[at]
    asked, which = np.unique(codes, return_inverse=True)
    which = which.reshape(-1)
    if isinstance(values, ParsedValues) and isinstance(values.parsed, ParsedPeople):
        names = values.parsed.given[asked]
        ends = [names, names != "", names, names != ""]
    elif isinstance(values, TextValues):
        words = [values.normal[code].split() or [""] for code in asked.tolist()]
        ends = []
        for end in (0, -1):
            names = text_array(each[end] for each in words)
            ends += [names, np.array([is_given_name(name) for name in names], dtype=bool)]
    else:
        nothing = np.zeros(len(asked), dtype=bool)
        names = text_array("" for _ in asked)
        ends = [names, nothing, names, nothing]
    return _GivenNames(*(end[which] for end in ends))


def _text(side: EncodedRecords, record: int) -> str:
    """A whole record as one text, with a blank before and behind."""
    assert side.whole is not None
    values, codes = side.whole.values[0], side.whole.codes[0]
    assert isinstance(values, TextValues)
    return f" {values.normal[codes[record]]} "
