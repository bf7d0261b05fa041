"""Settings of joins on Spark, which are entries of the session's configuration."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from pearljoin._errors import InputError

__all__ = ["Settings", "read_settings"]

PREFIX = "spark.pearljoin."

LARGEST_REFERENCE = 5_000_000
"""Rows of a reference that is collected, unless a setting says otherwise."""


class Settings(NamedTuple):
    """What the configuration of a session says.

    Attributes
    ----------
    shared_path
        ``spark.pearljoin.sharedPath``: a folder that driver and executors see by one name, where
        fitted references are written. None: they are sent as artifacts of the session.
    order_by
        ``spark.pearljoin.orderBy``: a column of the reference; of equally good reference rows the
        one with the lowest value is the match. None: the one with the lowest hash of its content.
    largest_reference
        ``spark.pearljoin.largestReference``: most rows of a reference.
    """

    shared_path: str | None = None
    order_by: str | None = None
    largest_reference: int = LARGEST_REFERENCE


def read_settings(session: Any) -> Settings:
    """Read the settings of a session.

    Parameters
    ----------
    session
        A ``SparkSession``, classic or of Spark Connect.

    Raises
    ------
    InputError
        If one cannot be used.
    """
    most = session.conf.get(f"{PREFIX}largestReference", str(LARGEST_REFERENCE))
    if not str(most).isdecimal() or not int(most):
        raise InputError(
            f"{PREFIX}largestReference must be a whole number above 0. Got {most!r}. "
            f"Hint: its default is {LARGEST_REFERENCE}."
        )
    shared = session.conf.get(f"{PREFIX}sharedPath", "") or None
    if shared is not None and not os.path.isdir(shared):
        raise InputError(
            f"There is no folder of the name that {PREFIX}sharedPath gives. Got {shared!r}. "
            "Hint: name a folder that the driver and every executor see at the same path, or "
            "unset it: references are then sent as artifacts of the session."
        )
    return Settings(shared, session.conf.get(f"{PREFIX}orderBy", "") or None, int(most))
