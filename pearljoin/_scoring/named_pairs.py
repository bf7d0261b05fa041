"""Pairs of records and the people that they name; names are read when they are asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pearljoin._kinds.generations import are_other_generations
from pearljoin._kinds.people_columns import Words
from pearljoin._kinds.person import ParsedPeople
from pearljoin._kinds.person_names import Part
from pearljoin._kinds.person_sex import are_other_sexes
from pearljoin._kinds.person_words import (
    are_kin,
    is_written_otherwise,
    may_be_one,
    read_words,
    tell_apart,
    tell_people_apart,
)
from pearljoin._kinds.record_roles import Role
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.column_pairs import PairedRecords
from pearljoin._text.normalise import normalise
from pearljoin._typing import BoolVector, IntVector

__all__ = [
    "GIVEN",
    "NO_PEOPLE",
    "UNSAID",
    "NamedPairs",
    "name_parts",
    "places_of_roles",
    "read_names",
]

GIVEN = "given", "full", "person"
"""Roles of the columns that have given names."""

UNSAID = "unsaid", "object", "other"
"""Roles of columns that may have them by their values."""

NO_PEOPLE = None, "thing", "object", "sex", "generation"
"""Roles of a single column that has none whatever its values are: things are named after people."""


@dataclass(frozen=True)
class NamedPairs(PairedRecords):
    """Pairs of records that may name people; the names are read when they are asked for.

    Attributes
    ----------
    by_values, beside_others
        As of `People`.
    """

    by_values: int | None = None
    beside_others: bool = False

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
        return self._have_other_names(asked) | self.have_other_generations(asked)

    def _have_other_names(self, asked: BoolVector) -> BoolVector:
        are_said = all(self.left.roles[at] not in UNSAID for at in self.names)
        if self.beside_others:
            return self._mark(asked, tell_people_apart)
        if self.by_values is not None or not are_said:
            return self._mark(asked, _tell_kin_apart)
        are_given = any(self.right.roles[at] == "given" for at in self.names)
        return self._mark(asked, partial(tell_apart, are_given=are_given))

    def have_other_sexes(self, asked: BoolVector) -> BoolVector:
        """Mark pairs of a man and a woman, by columns of their sex; as `differ`."""
        return self._mark_by("sex", asked, are_other_sexes)

    def have_other_generations(self, asked: BoolVector) -> BoolVector:
        """Mark pairs of a father and a son, by columns of suffixes; as `differ`."""
        return self._mark_by("generation", asked, are_other_generations)

    def _mark_by(
        self, role: Role, asked: BoolVector, compare: Callable[[str, str], bool]
    ) -> BoolVector:
        """Mark pairs by the normalised values of columns that have a role on both sides."""
        marked = np.zeros(len(asked), dtype=bool)
        for at in {*places_of_roles(self.left, (role,))}.intersection(
            places_of_roles(self.right, (role,))
        ):
            column = self.take(asked).column(at)
            texts = [_normal_texts(side.values[at]) for side in (self.left, self.right)]
            codes = zip(*(each.tolist() for each in column.known_codes), strict=True)
            told = [compare(texts[0][one], texts[1][other]) for one, other in codes]
            marked[np.flatnonzero(asked)[column.known]] |= np.array(told, dtype=bool)
        return marked

    def have_one_name(self, asked: BoolVector) -> BoolVector:
        """Mark pairs whose names may be written for each other; as `differ`."""
        return self._mark(asked, may_be_one)

    def are_written_otherwise(self, asked: BoolVector) -> BoolVector:
        """Mark pairs with two forms of one given name, or with its initial; as `differ`."""
        return self._mark(asked, is_written_otherwise)

    @property
    def names(self) -> list[int]:
        """Places of the key columns that have given names on both sides."""
        if self.by_values is None:
            known = {*places_of_roles(self.left, (*GIVEN, "unsaid", "object"))}
            return sorted(known.intersection(places_of_roles(self.right, GIVEN)))
        role = self.left.roles[self.by_values]
        is_alone = len(self.right.values) == 1
        is_named = role not in NO_PEOPLE if is_alone else role in (*GIVEN, *UNSAID)
        return [self.by_values] if is_named else []

    def _mark(self, asked: BoolVector, compare: Callable[[Words, Words], bool]) -> BoolVector:
        marked, some = np.zeros(len(asked), dtype=bool), self.take(asked)
        if not self.names:
            return marked
        sides = (self.left, some.left_at), (self.right, some.right_at)
        roles = name_parts(self.right, self.by_values)
        names, which = zip(*(read_names(*side, roles) for side in sides), strict=True)
        size = max(1, len(names[1]))
        distinct, of_pairs = np.unique(which[0] * size + which[1], return_inverse=True)
        told = [compare(names[0][at // size], names[1][at % size]) for at in distinct.tolist()]
        marked[asked] = np.array(told, dtype=bool)[of_pairs.reshape(-1)]
        return marked


def _tell_kin_apart(one: Words, other: Words) -> bool:
    return tell_apart(one, other) and are_kin(one, other)


def _normal_texts(values: object) -> Mapping[int, str]:
    """The distinct texts of a key column, normalised, by code; "" where it has none."""
    texts = values.texts if isinstance(values, TextValues | ParsedValues) else ()
    return defaultdict(str, enumerate(map(normalise, texts)))


def places_of_roles(side: EncodedRecords, roles: Sequence[str]) -> tuple[int, ...]:
    return tuple(at for at, role in enumerate(side.roles) if role in roles)


def name_parts(side: EncodedRecords, by_values: int | None = None) -> dict[int, Part]:
    """Return what key columns hold of people's names.

    `side` is the reference, by whose columns a left table's are read, too.
    """
    if by_values is not None:
        return {by_values: "full"}
    parts: dict[int, Part] = {
        at: role
        for at, role in enumerate(side.roles)
        if role in ("given", "middle", "family", "full")
    }
    parts |= dict.fromkeys(places_of_roles(side, ("person",)), "full")
    if "given" in parts.values():
        # Beside given names, as of "prénom", a name is that of the family.
        return {at: "family" if part == "full" else part for at, part in parts.items()}
    return parts


def read_names(
    side: EncodedRecords, records: IntVector, parts: Mapping[int, Part]
) -> tuple[list[Words], IntVector]:
    """Read the distinct names of some records; also return which name each has."""
    at = list(parts)
    asked, of_records = np.unique(records, return_inverse=True)
    codes: NDArray[np.int64] = np.stack([side.codes[place][asked] for place in at], axis=1)
    distinct, which = np.unique(codes, axis=0, return_inverse=True)
    read = [_read(side, at, row, list(parts.values())) for row in distinct.tolist()]
    return read, which.reshape(-1)[of_records.reshape(-1)]


def _read(
    side: EncodedRecords, places: Sequence[int], codes: Sequence[int], parts: Sequence[Part]
) -> Words:
    """Read a name, as of `read_words`."""
    cells: list[str | None] = []
    for at, code in zip(places, codes, strict=True):
        values = side.values[at]
        if isinstance(values, ParsedValues) and isinstance(values.parsed, ParsedPeople):
            known = code != NULL and values.parsed.given[code] != ""
            return tuple(str(values.parsed.canonical[code]).split()) if known else ()
        texts = values.texts if isinstance(values, TextValues) else []
        cells.append(texts[code] if texts and code != NULL else None)
    return read_words(cells, parts)
