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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._kinds.people_columns import Words, are_names_of_people, name_share
from pearljoin._kinds.person import ParsedPeople
from pearljoin._kinds.person_names import Part
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.named_pairs import (
    GIVEN,
    NO_PEOPLE,
    UNSAID,
    NamedPairs,
    name_parts,
    places_of_roles,
    read_names,
)
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = [
    "IDENTIFIED",
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

IDENTIFIED = 3.0
"""Log odds, at least, of two records that agree in the name and in what hardly two people share."""

TELLING = frozenset({"code", "date", "birth_date"})
"""Kinds of columns in which these must not differ: a father and a son have one e-mail address, and
a customer has many orders."""

IDENTIFYING = frozenset({"code", "email", "phone"})
"""Kinds of columns of which that is so: twins share a day of birth, and namesakes may."""

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
            spared = asked & is_spared
            others = named.have_other_sexes(spared) | named.have_other_generations(spared)
            asked[is_spared] &= others[is_spared]
        shift = -RIVALLED if is_rivalled else -APART
        return np.where(self.of(named).differ(asked), np.float32(shift), np.float32(0))

    def identified(self, named: NamedPairs, are_equal: Sequence[BoolVector]) -> BoolVector:
        """Mark pairs with one name and one value of a column that hardly any two people share.

        Parameters
        ----------
        named, are_equal
            As of `shift`.

        Returns
        -------
        marked
            bool of shape (n_pairs,).
        """
        marked, differ = np.zeros((2, len(named.left_at)), dtype=bool)
        for at, values in enumerate(named.right.values):
            kind = values.prior_kind if isinstance(values, ParsedValues) else ""
            if at in self.own and kind in IDENTIFYING:
                marked |= are_equal[at]
            if kind in TELLING:
                left, right = named.column(at).codes
                differ |= (left != NULL) & (right != NULL) & ~are_equal[at]
        marked &= ~differ
        marked &= ~(named.have_other_generations(marked) | named.have_other_sexes(marked))
        return self.of(named).have_one_name(marked)


NOBODY = People()


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
    said, given = places_of_roles(side, GIVEN), places_of_roles(side, ("person",))
    if said:
        things = _n_values(side, places_of_roles(side, ("thing",)))
        has_things = _are_things(_n_names(side, given or tuple(name_parts(side))), things)
        if given and (has_things or len(said) > 1):
            return People(True, by_values=given[0])
        return People(_are_people(side) and not has_things)
    return _named_by_values(side)


def _named_by_values(side: EncodedRecords) -> People:
    """Who records are of where no name of a column tells."""
    kinds = {each.prior_kind for each in side.values if isinstance(each, ParsedValues)}
    # A date of birth is that of the person, whatever else they are.
    roles = UNSAID if "birth_date" in kinds else UNSAID[:2]
    unsaid = [at for at in places_of_roles(side, roles) if isinstance(side.values[at], TextValues)]
    people = [at for at in unsaid if are_names_of_people(_sampled(side, {at: "full"}))]
    things = [*places_of_roles(side, ("thing",)), *(at for at in unsaid if at not in people)]
    if len(people) != 1 or _are_things(_n_values(side, people), _n_values(side, things)):
        return NOBODY
    return People(True, by_values=people[0])


def are_people(side: EncodedRecords, records: IntVector) -> bool:
    """Tell whether the texts of a single column are names of people, by some records."""
    if side.roles[0] in NO_PEOPLE:
        return False
    names, which = read_names(side, records, {0: "full"})
    return are_names_of_people([names[at] for at in which.tolist()])


def _are_people(side: EncodedRecords) -> bool:
    """Whether names that may be of anything are of people; given names are, and what is read so."""
    parsed = [values.parsed for values in side.values if isinstance(values, ParsedValues)]
    if places_of_roles(side, ("given",)) or any(isinstance(each, ParsedPeople) for each in parsed):
        return True
    return name_share(_sampled(side, name_parts(side))) >= LEAST_SHARE


def _sampled(side: EncodedRecords, parts: Mapping[int, Part]) -> list[Words]:
    """Read the names of some records."""
    sample = np.linspace(0, max(0, len(side) - 1), min(len(side), SAMPLE)).astype(np.int64)
    names, which = read_names(side, sample, parts)
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
