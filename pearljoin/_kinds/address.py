"""Comparison of street addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pearljoin._kinds.address_units import PARTS, Part, Unit, by_part, write_unit
from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.protocol import (
    Compared,
    Comparer,
    Kind,
    Levels,
    Parsed,
    Texts,
    Values,
    Within,
    read_each,
    text_array,
)
from pearljoin._kinds.read_address import Address, read_with_units
from pearljoin._kinds.spelling import ALIKE, conflict, edits, jaro_winkler, lengths, same
from pearljoin._kinds.word_table import Words, hash_words, one_within_other
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["AddressComparer", "ParsedAddresses"]

MOST_WORDS = 6
"""Words of a street's name, and of a locality, that are compared."""

MOST_DIGITS = 9
"""Digits of a house number at most; a longer one has no neighbours."""

BESIDE = 20
"""House numbers that lie no further apart are neighbours, and no slips of each other."""

UNNUMBERED = -1

OTHER_UNIT = 2.0
"""Where two units of one building lie on the scale of levels."""

_HOUSE = re.compile(rf"(\d{{1,{MOST_DIGITS}}})[^\W\d_]?")

NOWHERE = Address("", (), "", (), "", ())


@dataclass(frozen=True, eq=False)
class ParsedAddresses(Parsed):
    """Street addresses in parts.

    Attributes
    ----------
    number, street, sorted_street, street_digits, street_kind, directions
        str of shape (n_values,): the parts of `Address`, each as one word; "" where there is none.
        `sorted_street` has the words of the street in alphabetical order, `street_digits` those
        with digits.
    units
        By part of a building, as `number`: the flat, the floor and so on.
    street_words, locality
        uint64 of shape (n_values, `MOST_WORDS`): hashes of the words.
    house
        int64 of shape (n_values,): the number without its letter; `UNNUMBERED` where there is none,
        or one of several parts ("34-12").
    """

    number: Texts
    street: Texts
    sorted_street: Texts
    street_digits: Texts
    street_kind: Texts
    directions: Texts
    units: dict[Part, Texts]
    street_words: Words
    locality: Words
    house: IntVector


class AddressComparer(Comparer[ParsedAddresses]):
    """Compares street addresses by number, street and unit.

    Abbreviations are written out and the order of the parts does not count, so that equal addresses
    may be written differently. "Part" is an address of which the other lacks something: the unit,
    the city, the kind of the street. "Near" is the same number in a street that is spelled alike
    (Jaro-Winkler similarity of 0.88), or a number in the same street that is missing, lacks its
    letter, or is one character off and no neighbour (more than 20 away). Streets of other numbers
    ("5th"), kinds or directions are not the same, however alike.

    Splink has no comparison of addresses; its users split them and compare the parts.
    """

    kind: ClassVar[Kind] = "address"
    levels: ClassVar[tuple[str, ...]] = (
        "different",
        "street alike",
        "same street",
        "near",
        "same building",
        "part",
        "equal",
    )

    def read(self, values: Values) -> ParsedAddresses:
        """Read addresses; text without a letter or digit is unparsable.

        Examples
        --------
        >>> AddressComparer().read(["Apt 4, 123 N. Main St", "123 North Main Street #4"]).canonical
        array(['123 main street north unit 4', '123 main street north unit 4'], dtype=object)
        """
        found, n_unparsable = read_each(cell_texts(values), read_with_units)
        places = [NOWHERE if each is None else each[0] for each in found]
        units = [by_part(() if each is None else each[1]) for each in found]
        digits = [
            [word for word in place.street if any(map(str.isdigit, word))] for place in places
        ]
        return ParsedAddresses(
            text_array(each and _write(*each) for each in found),
            n_unparsable,
            text_array(place.number for place in places),
            text_array("".join(place.street) for place in places),
            text_array(" ".join(sorted(place.street)) for place in places),
            text_array(" ".join(sorted(words)) for words in digits),
            text_array(place.kind for place in places),
            text_array(" ".join(place.directions) for place in places),
            {part: text_array(unit.get(part, "") for unit in units) for part in PARTS},
            hash_words([place.street for place in places], MOST_WORDS),
            hash_words([place.locality for place in places], MOST_WORDS),
            np.array([_house(place.number) for place in places], dtype=np.int64),
        )

    def place(self, compared: Compared) -> FloatVector:
        """Place pairs: another unit of one building lies where another house of the street does.

        The two differ in what tells them apart, however much is written alike.
        """
        is_other = compared.level == self.levels.index("same building")
        top = len(self.levels) - 1
        placed = np.where(is_other, OTHER_UNIT / top, compared.similarity)
        return placed.astype(np.float32)

    def _compare_unequal(
        self,
        left: ParsedAddresses,
        right: ParsedAddresses,
        left_at: IntVector,
        right_at: IntVector,
    ) -> tuple[Levels, Within]:
        def pairs(part: str) -> tuple[Texts, Texts]:
            return getattr(left, part)[left_at], getattr(right, part)[right_at]

        streets = pairs("street")
        likeness = jaro_winkler(*streets)
        joined = same(*streets) | same(*pairs("sorted_street"))
        part = one_within_other(left.street_words, right.street_words, left_at, right_at)
        # Two empty names are as alike as can be.
        alike = (joined | part | (likeness >= ALIKE)) & ~_is_empty(streets[0])
        alike &= _equal(*pairs("street_digits"))
        in_street = (
            (joined | part) & ~conflict(*pairs("street_kind")) & ~conflict(*pairs("directions"))
        )
        numbers = pairs("number")
        numbered = _equal(*numbers)
        number_missing = _is_empty(numbers[0]) | _is_empty(numbers[1])
        houses = left.house[left_at], right.house[right_at]
        is_beside = (np.minimum(*houses) > UNNUMBERED) & (np.abs(houses[0] - houses[1]) <= BESIDE)
        # "97" may be "97a" without its letter; "97b" is its neighbour.
        shorter, longer = lengths(*numbers)
        lacks_letter = (houses[0] == houses[1]) & (shorter < longer)
        number_near = number_missing | ((edits(*numbers) == 1) & (lacks_letter | ~is_beside))
        apart = _places_apart(left.locality, right.locality, left_at, right_at)
        is_other = np.any(
            [conflict(left.units[part][left_at], right.units[part][right_at]) for part in PARTS],
            axis=0,
        )
        whole = in_street & numbered & ~apart
        level = np.select(
            [
                whole & ~is_other,
                alike & numbered & is_other & ~apart,
                ((alike & numbered) | (in_street & number_near & ~apart)) & ~is_other,
                in_street,
                alike,
            ],
            [5, 4, 3, 2, 1],
            0,
        )
        number_likeness = np.where(number_missing, 0.5, jaro_winkler(*numbers))
        return level.astype(np.int8), 0.7 * likeness + 0.3 * number_likeness


def _house(number: str) -> int:
    found = _HOUSE.fullmatch(number)
    return int(found[1]) if found else UNNUMBERED


def _equal(one: Texts, other: Texts) -> BoolVector:
    """Mark pairs of equal texts, also empty ones."""
    equal: BoolVector = np.asarray(one == other, dtype=bool)
    return equal


def _is_empty(texts: Texts) -> BoolVector:
    empty: BoolVector = np.asarray(texts == "", dtype=bool)
    return empty


def _places_apart(left: Words, right: Words, left_at: IntVector, right_at: IntVector) -> BoolVector:
    """Mark pairs of localities of which each has words that the other lacks."""
    both: BoolVector = (left[left_at, 0] > 0) & (right[right_at, 0] > 0)
    found = both.copy()
    at = np.flatnonzero(both)
    found[at] = ~one_within_other(left, right, left_at[at], right_at[at])
    return found


def _write(address: Address, units: tuple[Unit, ...]) -> str:
    parts = [
        address.number,
        *sorted(address.street),
        address.kind,
        *address.directions,
        f"unit {write_unit(units)}" if units else "",
        *sorted(address.locality),
    ]
    return " ".join(filter(None, parts))
