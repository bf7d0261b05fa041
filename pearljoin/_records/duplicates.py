"""Rows of the reference with equal keys, and the warning about them."""

from __future__ import annotations

import warnings

import numpy as np

from pearljoin._errors import DuplicateReferenceWarning, caller_stacklevel
from pearljoin._records.encoded import Values
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records

__all__ = ["repeated_rows", "warn_of_repeated"]


def repeated_rows(records: Records, values: tuple[Values, ...]) -> tuple[tuple[int, ...], ...]:
    """Group rows with equal normalised keys and equal `by` and veto columns.

    Parameters
    ----------
    records, values
        Records of one table, and the distinct values of their key columns.

    Returns
    -------
    groups
        Row positions, ascending; at least two in a group.
    """
    if not records.n_records:
        return ()
    columns = [value.numbers[records.codes(at)] for at, value in enumerate(values)]
    others = [*records.vetoes, *([] if records.groups is None else [records.groups])]
    columns += [field.codes[records.first_row] for field in others]
    same = columns[0]
    if len(columns) > 1:
        same = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)[1].reshape(-1)
    rows = np.flatnonzero(records.of_row != NULL)
    keys = same[records.of_row[rows]]
    repeated = np.bincount(keys - keys.min())[keys - keys.min()] > 1
    if not repeated.any():
        return ()
    rows, keys = rows[repeated], keys[repeated]
    order = np.argsort(keys, kind="stable")
    groups = np.split(rows[order], np.flatnonzero(np.diff(keys[order])) + 1)
    return tuple(sorted(tuple(group.tolist()) for group in groups))


def warn_of_repeated(groups: tuple[tuple[int, ...], ...], n_rows: int) -> None:
    """Warn that the reference has duplicates, at the caller's line."""
    if not groups:
        return
    n_more = sum(len(group) for group in groups) - len(groups)
    warnings.warn(
        f"The reference has duplicates: {n_more:,} of {n_rows:,} rows repeat the key of an earlier "
        f"one, such as row {groups[0][1]} that of row {groups[0][0]}. A match means the first. "
        "Hint: result.duplicates lists them; tell them apart by a by= or key column, or ask for "
        "constraint='many_to_many'.",
        DuplicateReferenceWarning,
        stacklevel=caller_stacklevel(),
    )
