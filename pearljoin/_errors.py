"""All errors and warnings of pearljoin, in one tree.

    PearljoinError
    ├── InputError(ValueError)          an argument or a table's content is wrong
    ├── TableTypeError(TypeError)       not a table (or column) of a kind we read
    ├── MissingExtraError(ImportError)  an optional dependency is not installed
    └── ModelError(ValueError)          a model folder is missing, damaged or hostile

    PearljoinWarning(UserWarning)
    ├── DifferingColumnWarning          most pairs of clusters differ in a key column
    ├── DuplicateReferenceWarning       rows of the reference have equal keys
    ├── NoMatchWarning                  no left row of two tables has a match
    └── UnreadColumnWarning             most values of a left column are not of the right's kind

Messages read: what is wrong. Got X. Hint: do Y. An argument stands in them as ``name=`` or
``name=value``, which the command line turns into its own options.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

__all__ = [
    "DifferingColumnWarning",
    "DuplicateReferenceWarning",
    "InputError",
    "MissingExtraError",
    "ModelError",
    "NoMatchWarning",
    "PearljoinError",
    "PearljoinWarning",
    "TableTypeError",
    "UnreadColumnWarning",
    "caller_stacklevel",
    "did_you_mean",
    "nearest",
    "partner_hint",
]

Name = TypeVar("Name")

LEAST_ALIKE = 0.5
"""Likeness to a wrong name from which another is suggested, in [0, 1]."""

ALL_WORDS = 0.7
"""Likeness of two names all words of one of which are in the other, at least."""

ABOUT_AS_ALIKE = 0.15
"""How far the likeness of a suggestion may fall short of the best one's."""

PASSED_OVER = ("pearljoin.", "sklearn.", "joblib.", "functools", "contextlib")
"""Beginnings of the names of modules that no warning points at: scikit-learn wraps the methods of
transformers, and calls them for its pipelines and searches; properties are kept by functools, and
functions run as a stage of the work by contextlib."""


class PearljoinError(Exception):
    """Base class of all errors of pearljoin."""


class InputError(PearljoinError, ValueError):
    """An argument, or the content of a table, cannot be used."""


class TableTypeError(PearljoinError, TypeError):
    """A table or column is of a type that pearljoin does not read."""


class MissingExtraError(PearljoinError, ImportError):
    """An optional dependency of this call is not installed."""


class ModelError(PearljoinError, ValueError):
    """A model folder is missing, damaged, or of a format that is not loaded."""


class PearljoinWarning(UserWarning):
    """Base class of all warnings of pearljoin."""


class DifferingColumnWarning(PearljoinWarning):
    """Most pairs that share a cluster differ in a key column, which may tell things apart."""


class DuplicateReferenceWarning(PearljoinWarning):
    """Rows of the reference have equal keys, so a match with one of them is arbitrary."""


class NoMatchWarning(PearljoinWarning):
    """No left row of two tables has a match, though both tables have rows with keys."""


class UnreadColumnWarning(PearljoinWarning):
    """Most values of a left key column cannot be read as the right column's kind."""


def nearest(name: object, known: Iterable[Name], *, least: float = LEAST_ALIKE) -> list[Name]:
    """Names that a wrong one may have been meant for, the likeliest first; three at most.

    Case counts for nothing, nor does whether words are parted by blanks, "_" or "-".

    Parameters
    ----------
    name
        The wrong name.
    known
        The names that there are.
    least
        The least likeness, in [0, 1].

    Examples
    --------
    >>> nearest("Country-", ["city", "country"])
    ['country']
    >>> nearest("name", ["city", "official_company_name"])
    ['official_company_name']
    """
    words = _words(name)
    alike = [(_likeness(words, _words(other)), other) for other in known]
    best = max((likeness for likeness, _ in alike), default=0.0)
    least = max(least, best - ABOUT_AS_ALIKE)
    alike.sort(key=lambda pair: -pair[0])
    return [other for likeness, other in alike if likeness >= least][:3]


def did_you_mean(name: object, known: Iterable[object]) -> str:
    """Ask whether a name near to a wrong one was meant; empty where none is near.

    Examples
    --------
    >>> did_you_mean("Names", ["city", "name"])
    "did you mean 'name'?"
    >>> did_you_mean("xyz", ["city", "name"])
    ''
    """
    found = nearest(name, known)
    return f"did you mean {' or '.join(map(repr, found))}?" if found else ""


def partner_hint(name: object, left: Sequence[object], right: Sequence[object]) -> str:
    """Ask for the left column where its right partner is named; empty for any other name.

    Examples
    --------
    >>> partner_hint("painter", ["title", "artist"], ["work", "painter"])
    "columns go by their left names: did you mean 'artist', the partner of 'painter'?"
    >>> partner_hint("year", ["title", "artist"], ["work", "painter"])
    ''
    """
    partners = [own for own, other in zip(left, right, strict=False) if other == name]
    if not partners:
        return ""
    meant = f"did you mean {partners[0]!r}, the partner of {name!r}?"
    return f"columns go by their left names: {meant}"


def _words(name: object) -> list[str]:
    return str(name).casefold().replace("_", " ").replace("-", " ").split()


def _likeness(left: list[str], right: list[str]) -> float:
    likeness = difflib.SequenceMatcher(None, " ".join(left), " ".join(right)).ratio()
    few, many = sorted((set(left), set(right)), key=len)
    return max(likeness, ALL_WORDS) if few and few <= many else likeness


def caller_stacklevel() -> int:
    """Count the calls up to the user's, for the ``stacklevel`` of a warning."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(PASSED_OVER):
        level, frame = level + 1, frame.f_back
    return level
