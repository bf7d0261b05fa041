"""A table as bytes of an Arrow IPC file, and back in its own kind, with its types and index."""

from __future__ import annotations

import importlib
import io
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from pearljoin._errors import InputError, MissingExtraError
from pearljoin._tables.input import Table, from_frame

__all__ = ["read_table", "write_table"]

KINDS = {
    nw.Implementation.PANDAS: "pandas",
    nw.Implementation.POLARS: "polars",
    nw.Implementation.PYARROW: "pyarrow",
}


def write_table(table: Table) -> tuple[dict[str, Any], bytes]:
    """Turn a table into bytes.

    Parameters
    ----------
    table
        A pandas or Arrow table, which needs pyarrow, or a polars table; no plain sequence.

    Returns
    -------
    description
        Plain values that `read_table` needs beside the bytes.
    data
        An Arrow IPC file.

    Raises
    ------
    InputError
        If a column holds what Arrow cannot.
    MissingExtraError
        If pyarrow is needed and not installed.
    """
    assert table.frame is not None
    native, kind = table.frame.to_native(), KINDS[table.frame.implementation]
    described: dict[str, Any] = {"kind": kind, "lazy": table.lazy, "single": table.single}
    if kind == "polars":
        return described, _from_polars(native)
    pyarrow = _pyarrow()
    if kind == "pandas":
        layout, native = _from_pandas(native, pyarrow)
        described.update(layout)
    sink = io.BytesIO()
    with pyarrow.ipc.new_file(sink, native.schema) as writer:
        writer.write_table(native)
    return described, sink.getvalue()


def read_table(described: Mapping[str, Any], data: bytes, side: str) -> Table:
    """Read what `write_table` wrote.

    Raises
    ------
    ValueError, TypeError, KeyError
        If the description or the bytes are not as they were written.
    MissingExtraError
        If the table's own library is not installed.
    """
    kind, single, lazy = described["kind"], bool(described["single"]), bool(described["lazy"])
    if kind not in KINDS.values():
        raise ValueError(f"the reference is of the kind {kind!r}")
    native = _read_native(kind, described, data)
    table = from_frame(nw.from_native(native, eager_only=True), side, lazy=lazy)
    return replace(table, single=single)


def _read_native(kind: str, described: Mapping[str, Any], data: bytes) -> Any:
    if kind == "polars":
        return _without_panic(_library("polars").read_ipc, io.BytesIO(data))
    pyarrow = _pyarrow()
    try:
        table = pyarrow.ipc.open_file(pyarrow.BufferReader(data)).read_all()
        table.validate(full=True)
    except (pyarrow.ArrowException, OSError) as error:
        raise ValueError(f"the reference's table cannot be read ({error})") from error
    return table if kind == "pyarrow" else _to_pandas(table, described, pyarrow)


def _library(name: str) -> ModuleType:
    """Import a dataframe library, or say how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingExtraError(
            f"The saved table is one of {name}, which is not installed. Hint: pip install {name}"
        ) from error


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
        import pyarrow.ipc
    except ImportError as error:
        raise MissingExtraError(
            f"Saving and loading a pandas or Arrow table needs pyarrow, which cannot be imported "
            f"({error}). Hint: pip install pyarrow"
        ) from error
    return pa


def _without_panic(read: Callable[..., Any], *arguments: Any) -> Any:
    """Call polars; its errors and panics (on damaged data) become ValueErrors."""
    try:
        return read(*arguments)
    except BaseException as error:
        # A panic is not an Exception, so that it is not caught by accident.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise ValueError(f"the reference's table cannot be read ({error})") from error


# polars -------------------------------------------------------------------------------------------


def _from_polars(frame: Any) -> bytes:
    for name, dtype in frame.schema.items():
        if str(dtype) == "Object":
            raise _unsuited(name, "Python objects")
    sink = io.BytesIO()
    frame.write_ipc(sink)
    return sink.getvalue()


# pandas -------------------------------------------------------------------------------------------


def _from_pandas(frame: Any, pyarrow: Any) -> tuple[dict[str, Any], Any]:
    """An Arrow table whose columns are called by position, and what else there is to know."""
    import pandas as pd

    positions = [str(position) for position in range(frame.shape[1])]
    plain = frame.set_axis(positions, axis=1)
    types = []
    for label, position in zip(frame.columns, positions, strict=True):
        column = plain[position]
        try:
            pyarrow.Array.from_pandas(column)
        # pyarrow raises what it finds: its own errors, those of Python, those of pandas.
        except Exception as error:
            raise _unsuited(label, str(error)) from error
        if isinstance(column.dtype, pd.ArrowDtype):
            types.append("arrow")
        else:
            is_object = isinstance(column.dtype, np.dtype) and column.dtype.kind == "O"
            types.append("object" if is_object else "plain")
    plain.columns.name = None
    plain.index.names = [None] * plain.index.nlevels
    try:
        table = pyarrow.Table.from_pandas(plain)
    except Exception as error:
        raise InputError(
            f"The reference's index cannot be saved. Got: {error}. "
            "Hint: leave it out, matcher.fit(table.reset_index(drop=True))."
        ) from error
    layout = {
        "labels": [_label_to_plain(label) for label in frame.columns],
        "labels_name": _label_to_plain(frame.columns.name),
        "index_names": [_label_to_plain(name) for name in frame.index.names],
        "types": types,
    }
    return layout, table


def _to_pandas(table: Any, described: Mapping[str, Any], pyarrow: Any) -> Any:
    pd: Any = _library("pandas")
    names = [name for name in table.column_names if not name.startswith("__index_level_")]
    special = {
        name: (kind, table.column(name))
        for name, kind in zip(names, described["types"], strict=True)
        if kind != "plain"
    }
    frame = table.drop_columns(list(special)).to_pandas()
    for position, name in enumerate(names):
        if name in special:
            kind, column = special[name]
            cells = (
                pd.arrays.ArrowExtensionArray(column)
                if kind == "arrow"
                else pd.Series(column.to_pylist(), dtype=object).array
            )
            frame.insert(position, name, cells)
    labels = [_plain_to_label(label) for label in described["labels"]]
    frame.columns = pd.Index(
        labels, tupleize_cols=False, name=_plain_to_label(described["labels_name"])
    )
    frame.index.names = [_plain_to_label(name) for name in described["index_names"]]
    return frame


def _label_to_plain(label: Any) -> Any:
    return {"tuple": list(map(_label_to_plain, label))} if isinstance(label, tuple) else label


def _plain_to_label(plain: Any) -> Any:
    return tuple(map(_plain_to_label, plain["tuple"])) if isinstance(plain, dict) else plain


def _unsuited(name: Any, why: str) -> InputError:
    return InputError(
        f"The column {name!r} of the reference cannot be saved. Got: {why}. "
        "Hint: turn it into text, numbers or dates, or leave it out."
    )
