"""Names of people as words: which two are of different people, by their given names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from pearljoin._kinds.people_columns import RANKS, Words, is_initial
from pearljoin._kinds.person_names import PARTICLES, Part, read_person
from pearljoin._kinds.spelling import edits
from pearljoin._text.given_names import (
    are_forms,
    are_other_names,
    is_given_name,
    is_pinyin,
    may_be_given_name,
    may_be_initial,
    sound_alike,
)
from pearljoin._text.lexicon import FAMILY_FIRST
from pearljoin._text.token_similarity import are_one_edit_apart

__all__ = [
    "are_kin",
    "is_written_otherwise",
    "may_be_one",
    "read_words",
    "tell_apart",
    "tell_people_apart",
]

KEPT = 10_000
"""Names whose words are kept: one record is compared with many, several times over."""

LONGEST, MOST_WORDS = 80, 6
"""Characters and words of a name: what is longer names no person."""

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


def read_words(cells: Sequence[str | None], parts: Sequence[Part]) -> Words:
    """Read a name; no words where it has no given name, or is of a couple or a family.

    Examples
    --------
    >>> read_words(["Quinn, Rosa"], ["full"]), read_words(["Rosa and Leo Quinn"], ["full"])
    (('rosa', 'quinn'), ())
    """
    if any(cell and len(cell) > LONGEST for cell in cells):  # and no long text is kept
        return ()
    return _read(tuple(cells), tuple(parts))


@lru_cache(maxsize=KEPT)
def _read(cells: tuple[str | None, ...], parts: tuple[Part, ...]) -> Words:
    is_given = any(part != "family" and cell for part, cell in zip(parts, cells, strict=True))
    known = [cell for cell in cells if cell]
    if not is_given or any(map(_SEVERAL.search, known)):
        return ()
    name = read_person(cells, parts)
    words = () if name is None else (*name.given, *name.particles, *name.family)
    return words if 0 < len(words) <= MOST_WORDS and words[0] not in NOBODYS else ()


def are_kin(one: Words, other: Words) -> bool:
    """Tell whether two names share a family name, which may have a slip in one of them.

    Examples
    --------
    >>> are_kin(("rosa", "quinn"), ("leo", "quin")), are_kin(("ana", "de", "sa"), ("jo", "de", "x"))
    (True, False)
    >>> are_kin(("ben", "easstwood"), ("y", "eastwood"))
    True
    """
    words, others = (
        [word for word in name if len(word) > 1 and word not in PARTICLES] for name in (one, other)
    )
    if not set(words).isdisjoint(others):
        return True
    # Given names that are one edit apart, as *Mario* and *Maria*, are of no family.
    families, other_families = (
        [word for word in name if not is_given_name(word)] for name in (words, others)
    )
    return any(are_one_edit_apart(word, another) for word in families for another in other_families)


def _begins_with_family(words: Words) -> bool:
    """Whether a name has the family name first."""
    if is_given_name(words[0]):
        return False
    return words[0] in FAMILY_FIRST or is_given_name(words[-1])


def tell_apart(one: Words, other: Words, *, are_given: bool = False) -> bool:
    """Tell whether two names are of different people by their given names.

    Parameters
    ----------
    one, other
        The names.
    are_given
        Whether a column holds given names alone, so that no word before them is a title.

    Examples
    --------
    >>> tell_apart(("rosa", "quinn"), ("leo", "quinn"))
    True
    >>> tell_apart(("obst", "j", "quinn"), ("john", "quinn"))
    False
    """
    if not are_given:
        one, other = _without_rank(one), _without_rank(other)
    if not one or not other:
        return False
    if _has_other_initials(one, other) or _has_other_initials(other, one):
        return True
    left, right = _unshared(one, other), _unshared(other, one)
    if not left or not right or _are_joined(left, right) or _fit_initials(one, other):
        return False
    first, second = one[0], other[0]
    if first == second:
        if not (_begins_with_family(one) and _begins_with_family(other)):
            return False  # the family names differ
        first, second = left[0], right[0]
    elif first in other or second in one:
        # One has the family name first.
        first, second = left[0], right[0]
    if not are_given and _has_given(left, right) != _has_given(right, left):
        return False  # perhaps a title that no list has
    # A second given name may be the one that somebody goes by.
    return all(are_other_names(first, word) for word in right) and all(
        are_other_names(word, second) for word in left
    )


def tell_people_apart(one: Words, other: Words) -> bool:
    """Tell whether two names that may be of anything are of different people of one family.

    Both are a given name and the same family name. What is spelled alike may be a slip, as in
    *Maxx Mara*, since a given name is no sign of a person there.

    Examples
    --------
    >>> tell_people_apart(("jane", "smith"), ("john", "smith"))
    True
    >>> tell_people_apart(("max", "mara"), ("maxx", "mara"))
    False
    """
    if len(one) != 2 or len(other) != 2 or one[1] != other[1]:
        return False
    first, second = one[0], other[0]
    are_people = all(is_given_name(word) and word not in RANKS for word in (first, second))
    return are_people and are_other_names(first, second) and not _are_spelled_alike(first, second)


def _are_spelled_alike(one: str, other: str) -> bool:
    begins = one.startswith(other) or other.startswith(one)
    return begins or bool(edits(*(np.array([word], dtype=object) for word in (one, other))) <= 2)


def _unshared(one: Words, other: Words) -> list[str]:
    """Words of a name, but for initials, that the other one lacks."""
    return [word for word in one if word not in other and len(word) > 1]


def _without_rank(name: Words) -> Words:
    """Leave out words before a name that are no part of it, as of *Queen Anne*.

    Before a family name alone, such as of *Santo Jones*, what is a given name, too, stays.
    """
    while len(name) > 1 and name[0] in RANKS:
        if len(name) == 2 and is_given_name(name[0]) and not is_given_name(name[1]):
            break
        name = name[1:]
    return name


def _has_given(words: Sequence[str], others: Sequence[str]) -> bool:
    """Tell whether some words of a name are given names, as far as lists and syllables tell.

    A family name with a slip in one of two names may look like one.
    """
    return any(
        (may_be_given_name(word) or is_pinyin(word))
        and not any(are_one_edit_apart(word, other) for other in others)
        for word in words
    )


def _are_joined(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two words of one stand together in the other, as in *Annemarie* and *Xiaoming*."""
    return any(
        sound_alike("".join(pair), word)
        for several, single in ((words, others), (others, words))
        for pair in pairwise(several)
        for word in single
    )


def _fit_initials(one: Words, other: Words) -> bool:
    """Tell whether there are initials, and all fit a given name that the other has written out.

    No further given names may be written out on both sides: *Barbara M. Stokes* is not *Madison
    Stephanie Stokes*.
    """
    sides = (one, _unshared(other, one)), (other, _unshared(one, other))
    fits, further = [], []
    for name, names in sides:
        initials = [
            word for word in name if is_initial(word) and not (word in one and word in other)
        ]
        fits += [any(may_be_initial(initial, full) for full in names) for initial in initials]
        further.append(
            [full for full in names if not any(may_be_initial(each, full) for each in initials)]
        )
    are_others = all(further) and not any(
        are_one_edit_apart(word, another) for word in further[0] for another in further[1]
    )
    return bool(fits) and all(fits) and not are_others


def _has_other_initials(one: Words, other: Words) -> bool:
    """Tell whether one has initials in the place of a given name that fit no name of the other."""
    initials = [word for word in one if is_initial(word)]
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


def may_be_one(one: Words, other: Words) -> bool:
    """Tell whether two names are one name, in another order, with initials, or shorter.

    Examples
    --------
    >>> anna = ("anna", "weiss")
    >>> may_be_one(anna, ("weiss", "anna")), may_be_one(anna, ("a", "weiss"))
    (True, True)
    >>> may_be_one(anna, ("jo", "weiss"))
    False
    """
    if min(len(one), len(other)) < 2 or not are_kin(one, other) or tell_apart(one, other):
        return False
    words, others = set(one), set(other)
    is_shorter = words <= others or others <= words
    return is_shorter or is_written_otherwise(one, other) or _fit_initials(one, other)


def is_written_otherwise(one: Words, other: Words) -> bool:
    """Tell whether two names of one family have two forms of a given name, or its initial."""
    left = [word for word in one if word not in other]
    right = [word for word in other if word not in one]
    if left and right and are_one_edit_apart(left[-1], right[-1]):
        del left[-1], right[-1]  # the family name, with a slip
    shares = len(left) < len(one) and len(right) < len(other)
    return bool(shares and left and right) and are_forms(left[0], right[0])
