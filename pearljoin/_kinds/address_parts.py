"""The parts of a street address, and how the words of its street are split."""

from __future__ import annotations

from typing import NamedTuple

from pearljoin._kinds.leading_words import LEADING
from pearljoin._kinds.street_words import (
    COMPOUND_ENDS,
    DIRECTIONS,
    EXPANSIONS,
    ORDINALS,
    STREET_TYPES,
)
from pearljoin._text.lexicon import SMALL_WORDS

__all__ = ["Address", "split_compound", "split_kind", "split_street"]

SHORTEST_NAME = 3
"""Letters of a name before the end of a compound: "Hauptstr." is a street, "Str." is a word."""

_ENDS = tuple(COMPOUND_ENDS)


class Address(NamedTuple):
    """A street address in parts, normalised; empty where there is none.

    Attributes
    ----------
    number
        House number, with its letter; "34-12" for two.
    street
        Words of the street's name, abbreviations written out.
    kind
        Kind of the street: "street", "avenue".
    directions
        "north" and so on, sorted.
    unit
        Number of the flat, suite or floor; several words where stairs are named, too.
    locality
        What is left: city, postal code.
    """

    number: str
    street: tuple[str, ...]
    kind: str
    directions: tuple[str, ...]
    unit: str
    locality: tuple[str, ...]


def split_kind(address: Address) -> tuple[str, tuple[str, ...]]:
    """Give the kind of the street and the words of its name, wherever the kind stands.

    Examples
    --------
    >>> split_kind(Address("8", ("calle", "mayor"), "", (), "", ()))
    ('calle', ('mayor',))
    """
    first, *others = address.street or ("",)
    # The one letter of "Avenue A" is no name without it.
    is_kind = not address.kind and first in LEADING and others and len("".join(others)) > 1
    return (LEADING[first], tuple(others)) if is_kind else (address.kind, address.street)


def split_street(
    words: list[str],
) -> tuple[tuple[str, ...], str, tuple[str, ...], list[str]]:
    """Split the words of a line: the street's name, kind and directions, and what follows."""
    name: list[str] = []
    directions: list[str] = []
    kind, end = "", len(words)
    for at, word in enumerate(words):
        is_kind, compound = word in STREET_TYPES, split_compound(word)
        if word in DIRECTIONS and (name or not _is_name(words, at)):
            directions.append(DIRECTIONS[word])
        elif kind and not (is_kind and words[at - 1] in STREET_TYPES):
            end = at
            break
        elif is_kind and name:
            # "Sunset Park Way": what looked like the kind is part of the name.
            name += [kind] if kind else []
            kind = STREET_TYPES[word]
        elif compound:
            name.append(compound[0])
            kind = compound[1]
        elif word not in SMALL_WORDS or len(word) == 1:
            # Before a name "St" is a saint, and any other kind part of the name: "Park Avenue".
            spelled = "saint" if word == "st" else EXPANSIONS.get(word, word)
            name.append(ORDINALS.get(spelled, spelled))
    return tuple(name), kind, tuple(sorted(directions)), words[end:]


def _is_name(words: list[str], at: int) -> bool:
    """Tell whether a direction that stands first is the street's name, as in "North Avenue"."""
    kinds = [word in STREET_TYPES for word in words[at + 1 : at + 3]]
    return not kinds or (kinds[0] and kinds[1:] != [True])


def split_compound(word: str) -> tuple[str, str] | None:
    """Split a word such as "hauptstr" into name and kind of the street."""
    if not word.endswith(_ENDS):
        return None
    for end, kind in COMPOUND_ENDS.items():
        if word.endswith(end) and len(word) >= len(end) + SHORTEST_NAME:
            return word.removesuffix(end), kind
    return None
