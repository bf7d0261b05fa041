"""Settings of joins on Spark, which are entries of the session's configuration."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from pearljoin._errors import InputError
from pearljoin._spark.jobs import check_open

__all__ = ["Settings", "read_settings"]

PREFIX = "spark.pearljoin."

LARGEST_REFERENCE = 5_000_000
"""Rows of a reference that is collected, unless a setting says otherwise."""

CELL_PHRASES = 20_000
"""Phrases in a cell of a reference that stays on the cluster, likewise."""

CELL_RECALL = 0.99
"""Share of the nearest by meaning that the cells hold which are looked into, likewise."""


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
        ``spark.pearljoin.largestReference``: most rows of a reference that is collected; a larger
        frame of Spark stays on the cluster.
    cell_phrases
        ``spark.pearljoin.cellPhrases``: phrases in a cell of such a reference, about.
    cell_recall
        ``spark.pearljoin.cellRecall``: share of the nearest by meaning, in (0, 1], that the cells
        hold which are looked into, as sampled phrases tell.
    """

    shared_path: str | None = None
    order_by: str | None = None
    largest_reference: int = LARGEST_REFERENCE
    cell_phrases: int = CELL_PHRASES
    cell_recall: float = CELL_RECALL


def read_settings(session: Any) -> Settings:
    """Read the settings of a session.

    Parameters
    ----------
    session
        A ``SparkSession``, classic or of Spark Connect.

    Raises
    ------
    InputError
        If one cannot be used, or the session was stopped.
    """
    check_open(session)
    shared = session.conf.get(f"{PREFIX}sharedPath", "") or None
    if shared is not None and not os.path.isdir(shared):
        raise InputError(
            f"There is no folder of the name that {PREFIX}sharedPath gives. Got {shared!r}. "
            "Hint: name a folder that the driver and every executor see at the same path, or "
            "unset it: references are then sent as artifacts of the session."
        )
    return Settings(
        shared,
        session.conf.get(f"{PREFIX}orderBy", "") or None,
        _whole(session, "largestReference", LARGEST_REFERENCE),
        _whole(session, "cellPhrases", CELL_PHRASES),
        _share(session, "cellRecall", CELL_RECALL),
    )


def _whole(session: Any, name: str, default: int) -> int:
    given = str(session.conf.get(PREFIX + name, str(default)))
    if not given.isdecimal() or not int(given):
        raise InputError(
            f"{PREFIX}{name} must be a whole number above 0. Got {given!r}. "
            f"Hint: its default is {default}."
        )
    return int(given)


def _share(session: Any, name: str, default: float) -> float:
    given = str(session.conf.get(PREFIX + name, str(default)))
    try:
        share = float(given)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise InputError(
            f"{PREFIX}{name} must be a number above 0, and at most 1. Got {given!r}. "
            f"Hint: its default is {default}."
        )
    return share
