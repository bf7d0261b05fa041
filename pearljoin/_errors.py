"""Every error pearljoin raises on purpose, in one tree.

    PearljoinError
    ├── InputError(ValueError)          an argument or a table's content is wrong
    ├── TableTypeError(TypeError)       not a table (or column) of a kind we read
    ├── MissingExtraError(ImportError)  an optional dependency is not installed
    └── ModelError(ValueError)          a model folder is missing, damaged or hostile

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
    """Base of every error that pearljoin raises on purpose."""


class InputError(PearljoinError, ValueError):
    """An argument, or what a table holds, cannot be used as given."""


class TableTypeError(PearljoinError, TypeError):
    """A table or column is of a kind that pearljoin does not read."""


class MissingExtraError(PearljoinError, ImportError):
    """An optional dependency is needed for this call and is not installed."""


class ModelError(PearljoinError, ValueError):
    """A model folder is missing, incomplete, damaged, or of a format we refuse to load."""


class PearljoinWarning(UserWarning):
    """Something worth knowing that does not stop the call."""


class DuplicateReferenceWarning(PearljoinWarning):
    """Rows of the reference have equal keys, so that which of them a match means is arbitrary."""
