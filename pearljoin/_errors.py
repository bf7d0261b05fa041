"""All errors and warnings of pearljoin, in one tree.

    PearljoinError
    ├── InputError(ValueError)          an argument or a table's content is wrong
    ├── TableTypeError(TypeError)       not a table (or column) of a kind we read
    ├── MissingExtraError(ImportError)  an optional dependency is not installed
    └── ModelError(ValueError)          a model folder is missing, damaged or hostile

    PearljoinWarning(UserWarning)
    └── DuplicateReferenceWarning       rows of the reference have equal keys

Messages read: what is wrong. Got X. Hint: do Y.
"""

from __future__ import annotations

__all__ = [
    "DuplicateReferenceWarning",
    "InputError",
    "MissingExtraError",
    "ModelError",
    "PearljoinError",
    "PearljoinWarning",
    "TableTypeError",
]


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


class DuplicateReferenceWarning(PearljoinWarning):
    """Rows of the reference have equal keys, so a match with one of them is arbitrary."""
