"""Which references stay on the cluster, and which of them can be matched."""

from __future__ import annotations

from typing import Any

from pearljoin._encoders import bundled_names
from pearljoin._errors import InputError
from pearljoin._fitted.encoder_source import AUTO
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._spark.frames import content_hash, empty_table
from pearljoin._spark.jobs import described
from pearljoin._tables.keys import Keys
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._tables.read_table import Table, as_table

__all__ = ["check_large", "is_beyond", "sampled_rows"]

SAMPLED_ROWS = 10_000
"""Rows of a reference from which it is told how its columns are read."""


def is_beyond(frame: Any, most: int) -> bool:
    """Tell whether a reference has more rows than are collected."""
    with described(frame.sparkSession, "count the reference"):
        return bool(frame.limit(most + 1).count() > most)


def sampled_rows(frame: Any) -> Table:
    """Collect the rows of a reference with the lowest content hashes."""
    empty_table(frame, "right")
    with described(frame.sparkSession, "sample the reference"):
        return as_table(frame.orderBy(content_hash(frame)).limit(SAMPLED_ROWS).toArrow(), "right")


def check_large(fitted: FittedTable, kinds: ColumnKinds, keys: Keys) -> None:
    """Check that a reference can be matched where it is.

    Parameters
    ----------
    fitted
        Some rows of it.
    kinds, keys
        The columns that are compared, and how.

    Raises
    ------
    InputError
        If it is not compared by one column of text, or not encoded by a bundled model.
    """
    fields = [field.kind for field in fitted.records_as(kinds).fields]
    name = fitted.options.encoder
    got = ""
    if fields != ["text"]:
        got = f"key columns of the kinds {fields!r}"
    elif keys.left_veto:
        got = f"veto={keys.left_veto!r}"
    elif fitted.options.weights is not None:
        got = "weights="
    elif not isinstance(name, str) or name not in (*bundled_names(), AUTO):
        got = f"encoder={name!r}"
    if got:
        raise InputError(
            "A reference that stays on the cluster is compared by one key column of text, with a "
            f"bundled model, and by= columns. Got {got}. Hint: raise "
            "spark.pearljoin.largestReference, so that the reference is collected."
        )
