"""What Spark's interface shows of the jobs that run at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["described", "is_remote"]

DESCRIPTION = "spark.job.description"


def is_remote(session: Any) -> bool:
    """Tell whether a session is one of Spark Connect."""
    return type(session).__module__.startswith("pyspark.sql.connect")


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
