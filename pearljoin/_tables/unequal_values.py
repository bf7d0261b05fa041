"""Warnings of values of `by` and veto columns that equal nothing where a match may be meant."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from pearljoin._errors import PearljoinWarning, caller_stacklevel
from pearljoin._records.records import Records
from pearljoin._tables.cells import ColumnKind, Unreadable
from pearljoin._tables.exact_kinds import PLURALS
from pearljoin._tables.keys import Keys
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._typing import IntVector

__all__ = ["unequal_values", "warn_of_case_within", "warn_of_unequal"]


def warn_of_unequal(left: Records, right: Records, keys: Keys, kinds: ColumnKinds) -> None:
    """Warn of values that are not of the reference's kind, or match but for case or blanks.

    Parameters
    ----------
    left, right
        Records of both tables.
    keys, kinds
        The columns that are compared, and how.
    """
    for at, (name, kind) in enumerate(zip(keys.left_by, kinds.by, strict=True)):
        assert left.groups is not None
        cells = [value[at] for value in left.groups.values]  # type: ignore[index]
        _warn_of_unreadable(cells, left.groups.codes, f"by={name!r}", kind, "match nothing")
    vetoes = left.columns_read[len(left.fields) :]
    for name, kind, field in zip(keys.left_veto, kinds.veto, vetoes, strict=True):
        what = f"veto={name!r}"
        _warn_of_unreadable(field.values, field.codes, what, kind, "conflict with every value")
    _warn_of_case(left, right, keys)


def _warn_of_unreadable(
    values: Sequence[Hashable], codes: IntVector, what: str, kind: ColumnKind, outcome: str
) -> None:
    """Warn of rows whose value cannot be read as the reference's kind."""
    odd = {code: v.value for code, v in enumerate(values) if isinstance(v, Unreadable)}
    n_rows = int(np.isin(codes, list(odd)).sum())
    if n_rows:
        warnings.warn(
            f"{n_rows:,} of the left table's rows hold values in {what} that cannot be read as "
            f"{PLURALS[kind]}, which the reference holds, and {outcome}. Got "
            f"{next(iter(odd.values()))!r}. Hint: convert the column beforehand; text is read as "
            "numbers where it is whole numbers without leading zeros.",
            PearljoinWarning,
            stacklevel=caller_stacklevel(),
        )


def _warn_of_case(left: Records, right: Records, keys: Keys) -> None:
    """Warn of values of the `by` columns that would match but for their case or outer blanks."""
    if left.groups is None or right.groups is None:
        return
    known = set(right.groups.values)
    unmatched = [value for value in left.groups.values if value not in known]
    if not unmatched:
        return
    folded = _by_fold(right.groups.values)
    near = [(value, folded[_fold(value)]) for value in unmatched if _fold(value) in folded]
    if near:
        example, match = (_shown(value) for value in near[0])
        warnings.warn(
            f"{len(near):,} of the left table's values in by={list(keys.left_by)!r} would match "
            f"but for their case or outer blanks, and match nothing. Got {example!r} on the left "
            f"and {match!r} on the right. Hint: bring the columns of both tables to one case, and "
            "strip them, beforehand.",
            PearljoinWarning,
            stacklevel=caller_stacklevel(),
        )


def warn_of_case_within(records: Records, by: tuple[Any, ...]) -> None:
    """Warn of values of one table's `by` columns that are equal but for case or blanks."""
    if records.groups is None:
        return
    alike: dict[object, list[object]] = {}
    for value in records.groups.values:
        alike.setdefault(_fold(value), []).append(value)
    several = [values for values in alike.values() if len(values) > 1]
    if several:
        first, second, *_ = map(_shown, several[0])
        warnings.warn(
            f"{sum(map(len, several)):,} of the values in by={list(by)!r} would be equal but for "
            "their case or outer blanks, and their rows share no cluster. Got "
            f"{first!r} and {second!r}. Hint: bring the column to one case, and strip it, "
            "beforehand.",
            PearljoinWarning,
            stacklevel=caller_stacklevel(),
        )


def unequal_values(left: Records, right: Records, rows: IntVector) -> list[str]:
    """Write left rows' `by` values, with right ones that differ in case or outer blanks.

    Parameters
    ----------
    left, right
        Records of both tables; no right row has the values.
    rows
        int64 of shape (n_rows,): positions of the left rows.
    """
    if not len(rows):
        return []
    assert left.groups is not None
    assert right.groups is not None
    folded = _by_fold(right.groups.values)
    values = [left.groups.values[code] for code in left.groups.codes[rows].tolist()]
    return [_beside(value, folded.get(_fold(value))) for value in values]


def _beside(value: object, near: object | None) -> str:
    """A value of the `by` columns, and one that differs in case or outer blanks, if there is."""
    shown = repr(_plain(value))
    if near is None:
        return shown
    return f"{shown}; a right row has {_plain(near)!r}, which differs in case or blanks"


def _by_fold(values: Sequence[Hashable]) -> dict[object, Hashable]:
    """The first value of each form without case and outer blanks."""
    return {_fold(value): value for value in reversed(values)}


def _plain(value: object) -> object:
    """A value as `_shown`, of cells as they stand in the table."""
    cells = value if isinstance(value, tuple) else (value,)
    return _shown(tuple(cell.value if isinstance(cell, Unreadable) else cell for cell in cells))


def _shown(value: object) -> object:
    """A value of the `by` columns: of a single one the cell, else the tuple."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def _fold(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(_fold, value))
    return value.strip().casefold() if isinstance(value, str) else value
