"""Errors of dataframe libraries as errors of this one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pearljoin._errors import MissingExtraError, PearljoinError, TableTypeError

__all__ = ["library_errors"]

LONGEST = 200
"""Characters of a library's message that are passed on."""


@contextmanager
def library_errors(what: str, hint: str) -> Iterator[None]:
    """Turn whatever a dataframe library raises inside into an error that says what to do.

    Parameters
    ----------
    what
        What could not be done, as a sentence without its full stop.
    hint
        What to do about it, likewise.

    Raises
    ------
    TableTypeError
        If the library cannot do what is asked of it. A panic of polars is caught, too.
    MissingExtraError
        If a package that the library needs (pyarrow) is not installed.
    """
    try:
        yield
    except (PearljoinError, MemoryError):
        raise
    except ImportError as error:
        raise MissingExtraError(
            f"{what}: a package that it needs is not installed ({error}). Hint: pip install pyarrow"
        ) from error
    except BaseException as error:
        # A panic is not an Exception, so that it is not caught by accident.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        got = " ".join(str(error).split())[:LONGEST] or type(error).__name__
        raise TableTypeError(f"{what}. Got: {got}. Hint: {hint}.") from error
