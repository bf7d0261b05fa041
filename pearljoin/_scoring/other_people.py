"""Given names that tell people apart who agree in all else.

Members of a household share a family name, a street and a telephone. In the sum of match weights
this outweighs two names that differ in a word. But people hardly ever take another given name: two
of which neither is a form of the other are of two people, unless both have something that hardly
anybody shares, as the number of an insurance.

So it is where a column's name says that a record is of the person whose name it has. Who recorded
something, or directs a company, may be another person in each of its records.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._kinds.person import ParsedPeople
from pearljoin._kinds.person_names import Part, read_person
from pearljoin._kinds.record_roles import Role
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.column_pairs import PairedRecords
from pearljoin._text.given_names import (
    are_forms,
    are_other_names,
    is_given_name,
    may_be_initial,
)
from pearljoin._text.lexicon import FAMILY_FIRST
from pearljoin._text.token_similarity import are_one_edit_apart
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["NOBODY", "UNLIKELY", "NamedPairs", "People", "learn_people"]

APART, RIVALLED = 6.0, 10.0
"""By how much two given names lower the log odds that two records are one entity; and that one is
the answer to the other, which a lack of rivals raises."""

UNLIKELY = -5.0
"""Log odds of pairs of which it makes no difference whether they name two people. Nearly all
candidate pairs are such, and reading names takes as long as comparing all else."""

LEAST_SHARE, SAMPLE = 0.4, 2_000
"""Share of whole names that have several words and begin, or end, with a given name, at least,
for those of people; and how many are read to learn it."""

THINGS_A_PERSON = 0.5
"""Names of things for each person's name from which records are of the things."""

LONGEST, MOST_WORDS = 80, 6
"""Characters and words of a name: what is longer names no person."""


class Shared(NamedTuple):
    """How often two people with two given names have one value of a column of some kind.

    Attributes
    ----------
    share
        Usual share of such pairs among those that agree in the column.
    pairs
        How many pairs it counts for.
    most
        Share up to which hardly any two people have one value: what is left are people who are
        known under another name.
    """

    share: float
    pairs: float
    most: float


SHARED = {
    "code": Shared(0.02, 20, 0.4),
    "email": Shared(0.03, 10, 0.25),
    "birth_date": Shared(0.03, 10, 0.25),
    "phone": Shared(0.3, 10, 0.15),
}
"""By kind of column; of other kinds many people have one value."""

_SEVERAL = re.compile(
    r"&|\+|/|\b(?i:and|und|et|family|familie|famille|familia|household)\b|(?<=\w) [ye] (?=\w)"
)
"""What stands in the names of couples and families."""

_NOBODYS = (
    "unknown unnamed anonymous baby newborn infant boy girl child twin test none na null male "
    "female"
)
NOBODYS = frozenset(_NOBODYS.split())
"""Words in the place of a given name that is not known."""

GIVEN = "given", "full"
"""Roles of the columns that have given names."""

Words = tuple[str, ...]
"""Words of a person's name, given names first if that is known; none where nobody is named."""


@dataclass(frozen=True)
class People:
    """How people are known in a table.

    Attributes
    ----------
    are_named
        Whether each record is of a person whose name it has.
    own
        Places of the key columns whose values hardly any two people share.
    """

    are_named: bool = False
    own: tuple[int, ...] = ()

    def shift(
        self,
        named: NamedPairs,
        are_equal: Sequence[BoolVector],
        log_odds: NDArray[Any],
        *,
        is_rivalled: bool,
    ) -> FloatVector:
        """Return what two given names take from log odds.

        Parameters
        ----------
        named
            The pairs.
        are_equal
            By key column, bool of shape (n_pairs,): whether both values are equal.
        log_odds
            Of shape (n_pairs,): before; of pairs below `UNLIKELY` no names are read.
        is_rivalled
            Whether the log odds are those of answers, among the candidates of a left record.

        Returns
        -------
        shift
            float32 of shape (n_pairs,), at most 0.
        """
        asked = log_odds > UNLIKELY
        for at in self.own:
            asked &= ~are_equal[at]
        shift = -RIVALLED if is_rivalled else -APART
        return np.where(named.differ(asked), np.float32(shift), np.float32(0))


NOBODY = People()


@dataclass(frozen=True)
class NamedPairs(PairedRecords):
    """Pairs of records that may name people; the names are read when they are asked for."""

    def differ(self, asked: BoolVector) -> BoolVector:
        """Mark pairs with two given names neither of which is a form of the other.

        Parameters
        ----------
        asked
            bool of shape (n_pairs,): others are not marked, and cost nothing.

        Returns
        -------
        marked
            bool of shape (n_pairs,).
        """
        return self._mark(asked, _tell_apart)

    def are_written_otherwise(self, asked: BoolVector) -> BoolVector:
        """Mark pairs with two forms of one given name, or with its initial; as `differ`."""
        return self._mark(asked, _is_written_otherwise)

    @property
    def names(self) -> list[int]:
        """Places of the key columns that have given names on both sides."""
        return sorted({*_places(self.left, GIVEN)}.intersection(_places(self.right, GIVEN)))

    def _mark(self, asked: BoolVector, compare: Callable[[Words, Words], bool]) -> BoolVector:
        marked, some = np.zeros(len(asked), dtype=bool), self.take(asked)
        if not self.names:
            return marked
        sides = (self.left, some.left_at), (self.right, some.right_at)
        names, which = zip(*(_names(*side, self.right.roles) for side in sides), strict=True)
        size = max(1, len(names[1]))
        distinct, of_pairs = np.unique(which[0] * size + which[1], return_inverse=True)
        told = [compare(names[0][at // size], names[1][at % size]) for at in distinct.tolist()]
        marked[asked] = np.array(told, dtype=bool)[of_pairs.reshape(-1)]
        return marked


def learn_people(
    side: EncodedRecords, named: NamedPairs | None, are_equal: Sequence[BoolVector]
) -> People:
    """Learn how people are known.

    Parameters
    ----------
    side
        The reference, or the table to deduplicate, in an order that hangs on the content alone.
    named, are_equal
        As of `People.shift`, of candidate pairs; None where none are known.
    """
    if not _places(side, GIVEN) or not _are_people(side) or _are_things(side):
        return NOBODY
    kinds = {
        at: SHARED[values.prior_kind]
        for at, values in enumerate(side.values)
        if isinstance(values, ParsedValues) and values.prior_kind in SHARED
    }
    if named is not None and kinds:
        differ = named.differ(np.any([are_equal[at] for at in kinds], axis=0))
    own = []
    for at, (share, pairs, most) in kinds.items():
        shared = share * pairs
        if named is not None:
            shared += float((are_equal[at] & differ).sum())
            pairs += float(are_equal[at].sum())
        if shared <= most * pairs:
            own.append(at)
    return People(True, tuple(own))


def _places(side: EncodedRecords, roles: Sequence[str]) -> tuple[int, ...]:
    return tuple(at for at, role in enumerate(side.roles) if role in roles)


def _are_people(side: EncodedRecords) -> bool:
    """Whether names that may be of anything are of people; given names are."""
    if _places(side, ("given",)):
        return True
    sample = np.linspace(0, max(0, len(side) - 1), min(len(side), SAMPLE)).astype(np.int64)
    records, which = _names(side, sample, side.roles)
    several = [words if len(words) > 1 else ("", "") for words in map(records.__getitem__, which)]
    begin = [is_given_name(words[0]) or words[0] in FAMILY_FIRST for words in several]
    end = [is_given_name(words[-1]) for words in several]
    return bool(several) and max(float(np.mean(begin)), float(np.mean(end))) >= LEAST_SHARE


def _are_things(side: EncodedRecords) -> bool:
    """Whether a column names things, such as companies, of which each has a person or two."""
    n_people = max(len(np.unique(side.codes[at])) for at in _places(side, GIVEN))
    n_things = [len(np.unique(side.codes[at])) for at in _places(side, ("thing",))]
    return max(n_things, default=0) >= THINGS_A_PERSON * n_people


def _names(
    side: EncodedRecords, records: IntVector, roles: Sequence[Role | None]
) -> tuple[list[Words], IntVector]:
    """Read the distinct names of some records; also return which name each has.

    `roles` are those of the reference's columns, by which a left table's are read, too.
    """
    of_columns: dict[int, Part] = {
        at: role for at, role in enumerate(roles) if role is not None and role != "thing"
    }
    if "given" in of_columns.values():
        # Beside given names, as of "prénom", a name is that of the family.
        of_columns = {at: "family" if role == "full" else role for at, role in of_columns.items()}
    at, parts = list(of_columns), list(of_columns.values())
    asked, of_records = np.unique(records, return_inverse=True)
    codes: NDArray[np.int64] = np.stack([side.codes[place][asked] for place in at], axis=1)
    distinct, which = np.unique(codes, axis=0, return_inverse=True)
    read = [_read(side, at, row, parts) for row in distinct.tolist()]
    return read, which.reshape(-1)[of_records.reshape(-1)]


def _read(
    side: EncodedRecords, places: Sequence[int], codes: Sequence[int], parts: Sequence[Part]
) -> Words:
    """Read a name; no words where it has no given name, or is of a couple or a family."""
    cells: list[str | None] = []
    for at, code in zip(places, codes, strict=True):
        values = side.values[at]
        if isinstance(values, ParsedValues) and isinstance(values.parsed, ParsedPeople):
            known = code != NULL and values.parsed.given[code] != ""
            return tuple(str(values.parsed.canonical[code]).split()) if known else ()
        texts = values.texts if isinstance(values, TextValues) else []
        cells.append(texts[code] if texts and code != NULL else None)
    is_given = any(part != "family" and cell for part, cell in zip(parts, cells, strict=True))
    known = [cell for cell in cells if cell]
    if not is_given or max(map(len, known)) > LONGEST or any(map(_SEVERAL.search, known)):
        return ()
    name = read_person(cells, parts)
    words = () if name is None else (*name.given, *name.particles, *name.family)
    return words if 0 < len(words) <= MOST_WORDS and words[0] not in NOBODYS else ()


def _begins_with_family(words: Words) -> bool:
    """Whether a name has the family name first."""
    if is_given_name(words[0]):
        return False
    return words[0] in FAMILY_FIRST or is_given_name(words[-1])


def _tell_apart(one: Words, other: Words) -> bool:
    """Tell whether two names are of different people by their given names."""
    if not one or not other:
        return False
    if _has_other_initials(one, other) or _has_other_initials(other, one):
        return True
    left = [word for word in one if word not in other and len(word) > 1]
    right = [word for word in other if word not in one and len(word) > 1]
    if not left or not right or _are_joined(one, other):
        return False
    first, second = one[0], other[0]
    if first == second:
        if not (_begins_with_family(one) and _begins_with_family(other)):
            return False  # the family names differ
        first, second = left[0], right[0]
    elif first in other or second in one:
        # One has the family name first.
        first, second = left[0], right[0]
    # A second given name may be the one that somebody goes by.
    return all(are_other_names(first, word) for word in right) and all(
        are_other_names(word, second) for word in left
    )


def _has_other_initials(one: Words, other: Words) -> bool:
    """Tell whether one has initials in the place of a given name that fit no name of the other."""
    initials = [word for word in one if _is_initial(word)]
    if not initials:
        return False
    # All that is written out has to be the family name: a middle initial may be wrong.
    family = {word for word in one if len(word) > 1}
    if one[0] == other[0] and is_given_name(one[0]) and len(family) > 1:
        return False
    names = [word for word in other if word not in family]
    are_comparable = names and family and family.issubset(other)
    return bool(are_comparable) and not any(
        may_be_initial(initial, name) for initial in initials for name in names
    )


def _is_initial(word: str) -> bool:
    """Whether a word is a single letter of a script that has capitals: others write names so."""
    return len(word) == 1 and word.upper() != word.lower()


def _is_written_otherwise(one: Words, other: Words) -> bool:
    """Tell whether two names of one family have two forms of a given name, or its initial."""
    left = [word for word in one if word not in other]
    right = [word for word in other if word not in one]
    if left and right and are_one_edit_apart(left[-1], right[-1]):
        del left[-1], right[-1]  # the family name, with a slip
    shares = len(left) < len(one) and len(right) < len(other)
    return bool(shares and left and right) and are_forms(left[0], right[0])


def _are_joined(one: Words, other: Words) -> bool:
    """Whether two given names of one stand together in the other, as in *Annemarie*."""
    return "".join(one[:2]) == other[0] or "".join(other[:2]) == one[0]
