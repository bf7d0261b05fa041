"""Given names that tell people apart who agree in all else.

Members of a household share a family name, a street and a telephone. In the sum of match weights
this outweighs two names that differ in a word. But people hardly ever take another given name: two
of which neither is a form of the other are of two people, unless both have something that hardly
anybody shares, as the number of an insurance.

So it is where a column's name says that a record is of the person whose name it has. Who recorded
something, or directs a company, may be another person in each of its records. Where the names of
the columns do not tell, a column of people's names beside no names of things decides, and one of
owners or authors beside dates of birth; then two people are told apart who share a family name, as
others hardly pass for one. Of a single column its values decide, of each pair where it names other
things, too, unless its name says that it holds something else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._kinds.people_columns import Words, are_names_of_people, name_share
from pearljoin._kinds.person import ParsedPeople
from pearljoin._kinds.person_names import Part
from pearljoin._kinds.person_sex import are_other_sexes
from pearljoin._kinds.person_words import (
    are_kin,
    is_written_otherwise,
    read_words,
    tell_apart,
    tell_people_apart,
)
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.column_pairs import PairedRecords
from pearljoin._text.normalise import normalise
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = [
    "NOBODY",
    "NO_PEOPLE",
    "SAMPLE",
    "UNLIKELY",
    "NamedPairs",
    "People",
    "are_people",
    "learn_people",
]

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

GIVEN = "given", "full", "person"
"""Roles of the columns that have given names."""

UNSAID = "unsaid", "object", "other"
"""Roles of columns that may have them by their values."""

NO_PEOPLE = None, "thing", "object", "sex"
"""Roles of a single column that has none whatever its values are: things are named after people."""


@dataclass(frozen=True)
class People:
    """How people are known in a table.

    Attributes
    ----------
    are_named
        Whether each record is of a person whose name it has; some records, if `beside_others`.
    own
        Places of the key columns whose values hardly any two people share.
    by_values
        Place of the key column that has the names, where its values tell that; None where the names
        of the columns do.
    beside_others
        Whether the column names other things, too.
    """

    are_named: bool = False
    own: tuple[int, ...] = ()
    by_values: int | None = None
    beside_others: bool = False

    def of(self, named: NamedPairs) -> NamedPairs:
        """Return pairs as they are named here."""
        return replace(named, by_values=self.by_values, beside_others=self.beside_others)

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
        if self.own:
            # A brother and a sister share even the day of birth, if they are twins.
            is_spared = np.any([are_equal[at] for at in self.own], axis=0)
            asked[is_spared] &= named.have_other_sexes(asked & is_spared)[is_spared]
        shift = -RIVALLED if is_rivalled else -APART
        return np.where(self.of(named).differ(asked), np.float32(shift), np.float32(0))


NOBODY = People()


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
        are_said = all(self.left.roles[at] not in UNSAID for at in self.names)
        if self.beside_others:
            return self._mark(asked, tell_people_apart)
        if self.by_values is not None or not are_said:
            return self._mark(asked, _tell_kin_apart)
        are_given = any(self.right.roles[at] == "given" for at in self.names)
        return self._mark(asked, partial(tell_apart, are_given=are_given))

    def have_other_sexes(self, asked: BoolVector) -> BoolVector:
        """Mark pairs of a man and a woman, by columns of their sex; as `differ`."""
        marked = np.zeros(len(asked), dtype=bool)
        for at in {*_places(self.left, ("sex",))}.intersection(_places(self.right, ("sex",))):
            column = self.take(asked).column(at)
            texts = [_normal_texts(side.values[at]) for side in (self.left, self.right)]
            codes = zip(*(each.tolist() for each in column.known_codes), strict=True)
            told = [are_other_sexes(texts[0][one], texts[1][other]) for one, other in codes]
            marked[np.flatnonzero(asked)[column.known]] |= np.array(told, dtype=bool)
        return marked

    def are_written_otherwise(self, asked: BoolVector) -> BoolVector:
        """Mark pairs with two forms of one given name, or with its initial; as `differ`."""
        return self._mark(asked, is_written_otherwise)

    @property
    def names(self) -> list[int]:
        """Places of the key columns that have given names on both sides."""
        if self.by_values is None:
            known = {*_places(self.left, (*GIVEN, "unsaid", "object"))}
            return sorted(known.intersection(_places(self.right, GIVEN)))
        role = self.left.roles[self.by_values]
        is_alone = len(self.right.values) == 1
        is_named = role not in NO_PEOPLE if is_alone else role in (*GIVEN, *UNSAID)
        return [self.by_values] if is_named else []

    def _mark(self, asked: BoolVector, compare: Callable[[Words, Words], bool]) -> BoolVector:
        marked, some = np.zeros(len(asked), dtype=bool), self.take(asked)
        if not self.names:
            return marked
        sides = (self.left, some.left_at), (self.right, some.right_at)
        roles = _read_as(self.right, self.by_values)
        names, which = zip(*(_names(*side, roles) for side in sides), strict=True)
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
    found = _who_is_named(side)
    if not found.are_named:
        return NOBODY
    kinds = {
        at: SHARED[values.prior_kind]
        for at, values in enumerate(side.values)
        if isinstance(values, ParsedValues) and values.prior_kind in SHARED
    }
    if named is not None and kinds:
        differ = found.of(named).differ(np.any([are_equal[at] for at in kinds], axis=0))
    own = []
    for at, (share, pairs, most) in kinds.items():
        shared = share * pairs
        if named is not None:
            shared += float((are_equal[at] & differ).sum())
            pairs += float(are_equal[at].sum())
        if shared <= most * pairs:
            own.append(at)
    return replace(found, own=tuple(own))


def _who_is_named(side: EncodedRecords) -> People:
    """Whether records are of people, by what the names of columns say, else by their values."""
    if len(side.values) == 1 and isinstance(side.values[0], TextValues):
        sample = np.linspace(0, max(0, len(side) - 1), min(len(side), SAMPLE)).astype(np.int64)
        are_only = are_people(side, sample)
        return People(side.roles[0] not in NO_PEOPLE, by_values=0, beside_others=not are_only)
    said, given = _places(side, GIVEN), _places(side, ("person",))
    if said:
        things = _n_values(side, _places(side, ("thing",)))
        has_things = _are_things(_n_names(side, given or tuple(_read_as(side))), things)
        if given and (has_things or len(said) > 1):
            return People(True, by_values=given[0])
        return People(_are_people(side) and not has_things)
    return _named_by_values(side)


def _named_by_values(side: EncodedRecords) -> People:
    """Who records are of where no name of a column tells."""
    kinds = {each.prior_kind for each in side.values if isinstance(each, ParsedValues)}
    # A date of birth is that of the person, whatever else they are.
    roles = UNSAID if "birth_date" in kinds else UNSAID[:2]
    unsaid = [at for at in _places(side, roles) if isinstance(side.values[at], TextValues)]
    people = [at for at in unsaid if are_names_of_people(_sampled(side, {at: "full"}))]
    things = [*_places(side, ("thing",)), *(at for at in unsaid if at not in people)]
    if len(people) != 1 or _are_things(_n_values(side, people), _n_values(side, things)):
        return NOBODY
    return People(True, by_values=people[0])


def are_people(side: EncodedRecords, records: IntVector) -> bool:
    """Tell whether the texts of a single column are names of people, by some records."""
    if side.roles[0] in NO_PEOPLE:
        return False
    names, which = _names(side, records, {0: "full"})
    return are_names_of_people([names[at] for at in which.tolist()])


def _normal_texts(values: object) -> Mapping[int, str]:
    """The distinct texts of a key column, normalised, by code; "" where it has none."""
    texts = values.texts if isinstance(values, TextValues | ParsedValues) else ()
    return defaultdict(str, enumerate(map(normalise, texts)))


def _places(side: EncodedRecords, roles: Sequence[str]) -> tuple[int, ...]:
    return tuple(at for at, role in enumerate(side.roles) if role in roles)


def _are_people(side: EncodedRecords) -> bool:
    """Whether names that may be of anything are of people; given names are, and what is read so."""
    parsed = [values.parsed for values in side.values if isinstance(values, ParsedValues)]
    if _places(side, ("given",)) or any(isinstance(each, ParsedPeople) for each in parsed):
        return True
    return name_share(_sampled(side, _read_as(side))) >= LEAST_SHARE


def _sampled(side: EncodedRecords, parts: Mapping[int, Part]) -> list[Words]:
    """Read the names of some records."""
    sample = np.linspace(0, max(0, len(side) - 1), min(len(side), SAMPLE)).astype(np.int64)
    names, which = _names(side, sample, parts)
    return [names[at] for at in which.tolist()]


def _n_values(side: EncodedRecords, places: Sequence[int]) -> int:
    """How many values the column has that has most."""
    return max((len(np.unique(side.codes[at])) for at in places), default=0)


def _n_names(side: EncodedRecords, places: Sequence[int]) -> int:
    """How many names the columns have, some of which have parts of names."""
    codes = np.stack([side.codes[at] for at in places], axis=1)
    return len(np.unique(codes, axis=0))


def _are_things(n_people: int, n_things: int) -> bool:
    """Whether a column names things, such as companies, of which each has a person or two."""
    return n_things >= THINGS_A_PERSON * n_people


def _tell_kin_apart(one: Words, other: Words) -> bool:
    return tell_apart(one, other) and are_kin(one, other)


def _read_as(side: EncodedRecords, by_values: int | None = None) -> dict[int, Part]:
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
    parts |= dict.fromkeys(_places(side, ("person",)), "full")
    if "given" in parts.values():
        # Beside given names, as of "prénom", a name is that of the family.
        return {at: "family" if part == "full" else part for at, part in parts.items()}
    return parts


def _names(
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
