"""Saved tables: as bytes of an Arrow IPC file, with the kind, types and index they had."""

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
from pearljoin._tables.cells import is_null
from pearljoin._tables.read_table import Table, from_frame

__all__ = ["read_table", "write_table"]

KINDS = {
    nw.Implementation.PANDAS: "pandas",
    nw.Implementation.POLARS: "polars",
    nw.Implementation.PYARROW: "pyarrow",
}

PLAIN, ARROW, OBJECT = "plain", "arrow", "object"
"""pandas columns: as pandas and pyarrow convert them; of an Arrow type; of Python objects."""

INDEX = "index"
"""The column of a pandas index of Python objects."""


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
        If the table's library is not installed.
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
    """Import a dataframe library."""
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
            raise _unsuited(f"column {name!r}", "Python objects")
    sink = io.BytesIO()
    frame.write_ipc(sink)
    return sink.getvalue()


# pandas -------------------------------------------------------------------------------------------


def _from_pandas(frame: Any, pyarrow: Any) -> tuple[dict[str, Any], Any]:
    """An Arrow table whose columns are called by position, and what else there is to know.

    Columns of Arrow types and of Python objects follow the others: pandas would not read them as
    they were.
    """
    pd: Any = _library("pandas")
    types = [_type_of(frame.iloc[:, at]) for at in range(frame.shape[1])]
    arrays = [
        _to_arrow(frame.iloc[:, at], f"column {label!r}", pyarrow)
        for at, label in enumerate(frame.columns)
    ]
    plain = frame.set_axis([str(at) for at in range(frame.shape[1])], axis=1)
    plain = plain[[str(at) for at, kind in enumerate(types) if kind == PLAIN]]
    plain.index.names = [None] * plain.index.nlevels
    index_type = PLAIN
    if plain.index.nlevels == 1 and _type_of(plain.index) == OBJECT:
        index_type = OBJECT
        index = _to_arrow(pd.Series(list(plain.index), dtype=object), "index", pyarrow)
        plain = plain.reset_index(drop=True)
    try:
        table = pyarrow.Table.from_pandas(plain)
    except Exception as error:
        raise _unsuited("index", str(error)) from error
    for at in plain.columns:
        _check_comes_back(plain[[at]], frame.columns[int(at)], pyarrow)
    for at, kind in enumerate(types):
        if kind != PLAIN:
            table = table.append_column(str(at), arrays[at])
    if index_type == OBJECT:
        table = table.append_column(INDEX, index)
    layout = {
        "labels": [_label_to_plain(label) for label in frame.columns],
        "labels_name": _label_to_plain(frame.columns.name),
        "index_names": [_label_to_plain(name) for name in frame.index.names],
        "types": types,
    }
    return layout, table


def _check_comes_back(column: Any, label: Any, pyarrow: Any) -> None:
    """Refuse a column that pandas cannot read again, such as categories of intervals."""
    try:
        pyarrow.Table.from_pandas(column.head(1), preserve_index=False).to_pandas()
    except Exception as error:
        raise _unsuited(f"column {label!r}", str(error)) from error


def _type_of(column: Any) -> str:
    dtype = column.dtype
    if type(dtype).__name__ == "ArrowDtype":
        return ARROW
    return OBJECT if isinstance(dtype, np.dtype) and dtype.kind == "O" else PLAIN


def _to_arrow(column: Any, what: str, pyarrow: Any) -> Any:
    try:
        array = pyarrow.Array.from_pandas(column)
    # pyarrow raises what it finds: its own errors, those of Python, those of pandas.
    except Exception as error:
        raise _unsuited(what, str(error)) from error
    if _type_of(column) == OBJECT:
        for cell, back in zip(column, array.to_pylist(), strict=True):
            if not _is_same(cell, back):
                raise _unsuited(what, f"{cell!r}, a {type(cell).__name__} among other types")
    return array


def _is_same(cell: Any, back: Any) -> bool:
    """Tell whether a cell of a column of objects comes back from Arrow as it was."""
    if back is None:
        return is_null(cell)
    if isinstance(cell, list | dict | np.ndarray):
        return isinstance(back, list | dict)
    return not isinstance(cell, set | frozenset | tuple) and str(cell) == str(back)


def _to_pandas(table: Any, described: Mapping[str, Any], pyarrow: Any) -> Any:
    pd: Any = _library("pandas")
    types = dict(enumerate(described["types"]))
    special = [str(at) for at, kind in types.items() if kind != PLAIN]
    index = table.column(INDEX).to_pylist() if INDEX in table.column_names else None
    frame = table.drop_columns([*special, *([] if index is None else [INDEX])]).to_pandas()
    if index is not None:
        frame.index = pd.Index(index, dtype=object, tupleize_cols=False)
    for at, kind in types.items():
        if kind != PLAIN:
            column = table.column(str(at))
            cells = (
                pd.arrays.ArrowExtensionArray(column)
                if kind == ARROW
                else pd.Series(column.to_pylist(), dtype=object).array
            )
            frame.insert(at, str(at), cells)
    labels = [_plain_to_label(label) for label in described["labels"]]
    name = _plain_to_label(described["labels_name"])
    frame.columns = pd.Index(labels, tupleize_cols=False, name=name)
    frame.index.names = [_plain_to_label(name) for name in described["index_names"]]
    return frame


def _label_to_plain(label: Any) -> Any:
    return {"tuple": list(map(_label_to_plain, label))} if isinstance(label, tuple) else label


def _plain_to_label(plain: Any) -> Any:
    return tuple(map(_plain_to_label, plain["tuple"])) if isinstance(plain, dict) else plain


def _unsuited(what: str, why: str) -> InputError:
    return InputError(
        f"The {what} of the reference cannot be saved. Got: {why}. "
        "Hint: turn it into text, numbers or dates, or leave it out."
    )
