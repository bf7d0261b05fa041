"""Names of people as words: which two are of different people, by their given names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from pearljoin._kinds.person_names import PARTICLES, Part, read_person
from pearljoin._text.given_names import (
    are_forms,
    are_other_names,
    is_given_name,
    may_be_initial,
)
from pearljoin._text.lexicon import FAMILY_FIRST
from pearljoin._text.token_similarity import are_one_edit_apart

__all__ = [
    "Words",
    "are_kin",
    "are_names_of_people",
    "is_written_otherwise",
    "name_share",
    "read_words",
    "tell_apart",
]

LONGEST, MOST_WORDS = 80, 6
"""Characters and words of a name: what is longer names no person."""

N_WORDS, MOST_OF_PEOPLE = range(2, 5), 0.6
"""Words of a name that looks like one of a person, and share of such names in a column of people.
Lists of people have .8 and more, those of artists .4, of companies, places and titles up to .1."""

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

Words: TypeAlias = tuple[str, ...]
"""Words of a person's name, given names first if that is known; none where nobody is named."""


def read_words(cells: Sequence[str | None], parts: Sequence[Part]) -> Words:
    """Read a name; no words where it has no given name, or is of a couple or a family.

    Examples
    --------
    >>> read_words(["Quinn, Rosa"], ["full"]), read_words(["Rosa and Leo Quinn"], ["full"])
    (('rosa', 'quinn'), ())
    """
    is_given = any(part != "family" and cell for part, cell in zip(parts, cells, strict=True))
    known = [cell for cell in cells if cell]
    if not is_given or max(map(len, known)) > LONGEST or any(map(_SEVERAL.search, known)):
        return ()
    name = read_person(cells, parts)
    words = () if name is None else (*name.given, *name.particles, *name.family)
    return words if 0 < len(words) <= MOST_WORDS and words[0] not in NOBODYS else ()


def name_share(names: Sequence[Words]) -> float:
    """Share of names that have several words and begin, or end, with a given name.

    Examples
    --------
    >>> name_share([("rosa", "quinn"), ("leo", "hall"), ("acme", "ltd"), ()])
    0.5
    """
    several = [words if len(words) > 1 else ("", "") for words in names]
    begin = sum(is_given_name(words[0]) or words[0] in FAMILY_FIRST for words in several)
    end = sum(is_given_name(words[-1]) for words in several)
    return max(begin, end) / max(1, len(several))


def are_names_of_people(names: Sequence[Words]) -> bool:
    """Tell whether names are of people: of two to four words, the first or last a given name.

    Examples
    --------
    >>> are_names_of_people([("rosa", "quinn"), ("leo", "hall"), ("e", "hall")])
    True
    >>> are_names_of_people([("rosa", "quinn"), ("acme", "ltd"), ("nova", "pumps")])
    False
    """
    # With initials alone they say neither.
    whole = [name if len(name) in N_WORDS else () for name in names if not _is_short(name)]
    named = [() if any(map(str.isdigit, "".join(name))) else name for name in whole]
    # Of a few names one more that is none is thought, for chance.
    return name_share([*named, ()]) >= MOST_OF_PEOPLE


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


def tell_apart(one: Words, other: Words) -> bool:
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


def _is_short(name: Words) -> bool:
    """Whether a name has an initial in the place of the given name."""
    return len(name) > 1 and _is_initial(name[0])


def _is_initial(word: str) -> bool:
    """Whether a word is a single letter of a script that has capitals: others write names so."""
    return len(word) == 1 and word.upper() != word.lower()


def is_written_otherwise(one: Words, other: Words) -> bool:
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
