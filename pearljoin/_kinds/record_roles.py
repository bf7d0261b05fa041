"""What the names of columns say of whom, or of what, a record is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from string import digits
from typing import Literal, TypeAlias

from pearljoin._kinds.column_names import hints, is_bare_name, person_part
from pearljoin._kinds.column_words import meanings, name_words, word_meanings
from pearljoin._kinds.person_names import Part
from pearljoin._text.lexicon import SMALL_WORDS

__all__ = ["Role", "person_or_thing", "roles_together"]

Role: TypeAlias = (
    Part | Literal["person", "thing", "object", "sex", "generation", "unsaid", "other"]
)
"""Part of the name of the person that a record is of; that the user says that it holds people; that
a record may be of a thing of that name; that a column names a thing that a person may have, as one
who buys a product; the person's sex; that the column's name says nothing of it, so that its values
have to; or that it names somebody who may be another person each time."""

_OF_NAMES = frozenset(
    ["names", "people", "beside-name", "given", "middle", "family", "full", "first", "last"]
)
"""What the words say that the name of a column of people's names may have."""

_ALONE: Mapping[Part, frozenset[str]] = {
    "full": frozenset(["full"]),
    "given": frozenset(["given", "first"]),
    "middle": frozenset(["middle", "middle-word"]),
    "family": frozenset(["family", "last"]),
}
"""What columns hold of a person's name whose whole name, but for digits, says one of these."""

_BOTH = (
    (frozenset(["first", "given"]), frozenset(["last", "family"])),
    (frozenset(["names"]), frozenset(["given", "family"])),
)
"""What two words say that together name a column of whole names: *Nombre y apellidos*."""


def person_or_thing(name: object) -> Role | None:
    """Tell what a column says of whom or what a record is of, by the column's name.

    Returns
    -------
    role
        Which part of the name of the person that a record is of; "thing" where it may be of
        something else; "object" where it names a thing that people have, too; "sex" of the sex of
        people, and "generation" of *Jr.* and *Sr.*; "unsaid" where the name does not tell; "other"
        where it is of somebody who may change, as an owner; None for another column, as of where
        something is.

    Examples
    --------
    >>> person_or_thing("first_name"), person_or_thing("Name"), person_or_thing("customer name")
    ('given', 'full', 'full')
    >>> person_or_thing("recorded_by"), person_or_thing("company name"), person_or_thing("contact")
    (None, 'thing', 'other')
    >>> person_or_thing("taxpayer"), person_or_thing("ship"), person_or_thing("birth_date")
    ('unsaid', 'object', None)
    """
    # Numbers behind a name, as in "name_1" and "fname_c1", say nothing.
    words = [word for word in (each.rstrip(digits) for each in name_words(name)) if len(word) > 1]
    said, of_words = meanings(words), [word_meanings(word) for word in words]
    joined = word_meanings("".join(words))
    if "thing" in said:
        return "thing"
    if words and ("sex" in joined or all("sex" in each for each in of_words)):
        return "sex"
    if any(_say_both(of_words, *both) for both in _BOTH):
        return "full"
    if "generation" in said:
        return "generation"
    alone = next((part for part, any_of in _ALONE.items() if not any_of.isdisjoint(joined)), None)
    if alone is not None:
        return alone
    # Of a customer there is more than the name, and not each first name is that of a customer.
    part = person_part(name)
    inner = range(1, len(words) - 1)
    telling = [
        each for at, each in enumerate(of_words) if at not in inner or words[at] not in SMALL_WORDS
    ]
    if not telling or any(map(_OF_NAMES.isdisjoint, telling)):
        is_said = part is not None or "birth" in said or not hints(name) <= {"person", "text"}
        if is_said or "place" in said:
            return None
        if "other" in said:
            return "other"
        return "object" if "object" in said else "unsaid"
    if part is not None:
        return part
    return "full" if {"names", "people"} & said else None


def roles_together(names: Sequence[object], roles: Sequence[Role | None]) -> list[Role | None]:
    """Tell roles of the columns of one table, of which each by itself has the role that is given.

    What is called a name and no more holds given names beside a column of family names: *nome*
    beside *cognome*. Where it is the family name is for those who read names, see `name_parts`.

    Examples
    --------
    >>> roles_together(["ad", "soyad", "telefon"], ["unsaid", "family", None])
    ['given', 'family', None]
    """
    is_whole = "given" in roles or "family" not in map(person_part, names)
    return [
        "given"
        if not is_whole and role in ("full", "unsaid") and is_bare_name(name, beside="given")
        else role
        for name, role in zip(names, roles, strict=True)
    ]


def _say_both(
    of_words: Sequence[frozenset[str]], one: frozenset[str], other: frozenset[str]
) -> bool:
    """Tell whether of two words each says one of what is asked of it."""
    return any(
        not one.isdisjoint(each) and not other.isdisjoint(beside)
        for each, beside in permutations(of_words, 2)
    )
