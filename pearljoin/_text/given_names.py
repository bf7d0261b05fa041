"""Given names: which words are known for such, and which are of different people.

The list is made by ``python -m pearljoin_train given-names``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pearljoin._text.background import bundled_background
from pearljoin._text.token_similarity import jaro_winkler, may_be_spellings

__all__ = ["are_other_names", "has_given_name", "is_given_name"]

SHORTEST, ALIKE = 2, 0.75
"""Letters of a name that is no initial, at least; and Jaro-Winkler similarity from which two may be
one name in two languages, as *Kathryn* and *Catherine*. One pair of names in seventy has more."""


def is_given_name(word: str) -> bool:
    """Tell whether a word is known for a given name.

    Examples
    --------
    >>> is_given_name("alice"), is_given_name("hall")
    (True, False)
    """
    return word in _listed()


@cache
def _listed() -> frozenset[str]:
    """The given names that ship with the package, normalised."""
    file = Path(__file__).with_name("given_names.txt")
    return frozenset(file.read_text(encoding="utf-8").split())


def has_given_name(text: str) -> bool:
    """Tell whether a normalised text begins or ends with a given name.

    Examples
    --------
    >>> has_given_name("alice hall"), has_given_name("hall alice"), has_given_name("a hall")
    (True, True, False)
    """
    words = text.split()
    return bool(words) and (is_given_name(words[0]) or is_given_name(words[-1]))


def are_other_names(one: str, other: str) -> bool:
    """Tell whether two given names are of different people, as a rule.

    Spellings of a name, short forms and initials are not.

    Examples
    --------
    >>> are_other_names("alice", "peter"), are_other_names("bob", "robert")
    (True, False)
    >>> are_other_names("sofia", "sophia"), are_other_names("tony", "anthony")
    (False, False)
    >>> are_other_names("j", "john"), are_other_names("", "john")
    (False, False)
    """
    short, long = sorted((one, other), key=len)
    if (
        len(short) < SHORTEST
        or short in long
        or other in bundled_background().equivalents.get(one, ())
    ):
        return False
    return jaro_winkler(one, other) < ALIKE and not may_be_spellings(one, other)
