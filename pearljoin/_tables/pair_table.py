"""Tables of pairs: key values, scores and row positions of pairs of rows."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from pearljoin._records.missing_keys import NULL
from pearljoin._tables.backends import Backend, backend_of
from pearljoin._tables.cells import is_null
from pearljoin._tables.keys import Keys
from pearljoin._tables.library_errors import library_errors
from pearljoin._tables.output import as_kind_of, frame_of, rounded, take_key
from pearljoin._tables.read_table import Table
from pearljoin._typing import IntVector

__all__ = ["pair_table"]


def pair_table(left: Table, right: Table, keys: Keys, columns: Mapping[str, Any]) -> Any:
    """Build a table of the left table's kind.

    Parameters
    ----------
    left, right
        The tables as they were given.
    keys
        The columns whose values are shown; several are put together with " | ".
    columns
        By name: ``("left", rows)`` or ``("right", rows)`` for key values by row position, null
        where it is `NULL`, with the name of a column as third for values of that column; texts;
        whole numbers; or other numbers, null where NaN.
    """
    frame = frame_of(left)
    backend, left_native = backend_of(frame), frame.to_native()
    right_native, native_names = as_kind_of(right, frame)
    left_names = {name: str(name) if left.frame is None else name for name in left.columns}
    sides = {
        "left": (left, left_native, left_names, keys.left),
        "right": (right, right_native, native_names, keys.right),
    }
    built: dict[Hashable, Any] = {}
    for name, what in columns.items():
        if isinstance(what, tuple):
            side = "table" if right is left else f"{what[0]} table"
            with library_errors(
                f"The keys of the {side} cannot be listed",
                "convert the key columns beforehand",
            ):
                table, native, names, shown = sides[what[0]]
                taken = [
                    take_key(backend, table, native, key, what[1], names)
                    for key in what[2:] or shown
                ]
                built[name] = _together(backend, taken, what[1])
        elif isinstance(what, list):
            built[name] = backend.texts(what)
        elif np.issubdtype(what.dtype, np.integer):
            built[name] = backend.integers(what)
        else:
            built[name] = backend.numbers(rounded(what))
    return backend.build(built, left_native, None)


def _together(backend: Backend, columns: Sequence[Any], rows: IntVector) -> Any:
    """Key values by row, null where the row is -1; several key columns put together as text."""
    if len(columns) == 1:
        return columns[0]
    listed = [
        column.to_list() if hasattr(column, "to_list") else column.to_pylist() for column in columns
    ]
    texts = [
        None if row == NULL else " | ".join("" if is_null(cell) else str(cell) for cell in cells)
        for row, cells in zip(rows.tolist(), zip(*listed, strict=True), strict=True)
    ]
    return backend.texts(texts)
