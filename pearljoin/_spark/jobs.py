"""What Spark's interface shows of the jobs that run at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pearljoin._errors import InputError

__all__ = ["check_open", "described", "is_remote"]

DESCRIPTION = "spark.job.description"


def is_remote(session: Any) -> bool:
    """Tell whether a session is one of Spark Connect."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def check_open(session: Any) -> None:
    """Check that a session runs; raises InputError if it was stopped."""
    is_stopped = session.is_stopped if is_remote(session) else session.sparkContext._jsc is None
    if is_stopped:
        raise InputError(
            "The Spark session of this frame was stopped, and its rows are gone. Got "
            f"{session!r}. Hint: use frames and results while their session runs, or collect them "
            "before it ends."
        )


@contextmanager
def described(session: Any, what: str) -> Iterator[None]:
    """Describe the jobs that start inside, as ``"pearljoin: ..."``.

    Parameters
    ----------
    session
        The session. One of Spark Connect has no descriptions; its operations are tagged.
    what
        What they do, without a comma.
    """
    text = f"pearljoin: {what}"
    if is_remote(session):
        session.addTag(text)
        try:
            yield
        finally:
            session.removeTag(text)
        return
    context = session.sparkContext
    before = context.getLocalProperty(DESCRIPTION)
    context.setJobDescription(text)
    try:
        yield
    finally:
        context.setLocalProperty(DESCRIPTION, before)
