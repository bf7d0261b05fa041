"""Saved tables: as bytes of an Arrow IPC file, with the kind, types and index they had."""

from __future__ import annotations

import importlib
import io
import warnings
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from pearljoin._errors import InputError, MissingExtraError, PearljoinWarning, caller_stacklevel
from pearljoin._tables.library_errors import library_errors
from pearljoin._tables.object_column import ObjectArrays, objects_from_arrow, objects_to_arrow
from pearljoin._tables.read_table import Table, from_frame

__all__ = ["read_table", "write_table"]

KINDS = {
    nw.Implementation.PANDAS: "pandas",
    nw.Implementation.POLARS: "polars",
    nw.Implementation.PYARROW: "pyarrow",
}

PLAIN, ARROW, OBJECT, ARRAYS = "plain", "arrow", "object", "arrays"
"""pandas columns: as pandas and pyarrow convert them; of an Arrow type; of Python objects; of numpy
arrays."""

INDEX = "index"
"""The column of a pandas index of Python objects."""

NULLS = "nulls_"
"""Prefix of the columns that say which null a null cell of Python objects is."""


def write_table(table: Table, needed: Collection[Hashable] = ()) -> tuple[dict[str, Any], bytes]:
    """Turn a table into bytes; columns that Arrow cannot hold are left out with a warning.

    Parameters
    ----------
    table
        A pandas or Arrow table, which needs pyarrow, or a polars table; no plain sequence.
    needed
        Columns that are not left out.

    Returns
    -------
    description
        Plain values that `read_table` needs beside the bytes.
    data
        An Arrow IPC file.

    Raises
    ------
    InputError
        If a needed column or the index holds what Arrow cannot.
    MissingExtraError
        If pyarrow is needed and not installed.
    """
    assert table.frame is not None
    native, kind = table.frame.to_native(), KINDS[table.frame.implementation]
    described: dict[str, Any] = {"kind": kind, "lazy": table.lazy, "single": table.single}
    if kind == "polars":
        return described, _from_polars(native, needed)
    pyarrow = _pyarrow()
    if kind == "pandas":
        layout, native = _from_pandas(native, needed, pyarrow)
        described.update(layout)
    sink = io.BytesIO()
    with (
        library_errors("The reference cannot be saved", "convert its columns, and fit again"),
        pyarrow.ipc.new_file(sink, native.schema) as writer,
    ):
        writer.write_table(native.unify_dictionaries())
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


def _from_polars(frame: Any, needed: Collection[Hashable]) -> bytes:
    odd = {name: "Python objects" for name, kind in frame.schema.items() if str(kind) == "Object"}
    _leave_out(odd, needed)
    sink = io.BytesIO()
    frame.drop(list(odd)).write_ipc(sink)
    return sink.getvalue()


# pandas -------------------------------------------------------------------------------------------


def _from_pandas(
    frame: Any, needed: Collection[Hashable], pyarrow: Any
) -> tuple[dict[str, Any], Any]:
    """An Arrow table whose columns are called by position, and what else there is to know.

    Columns of Arrow types and of Python objects follow the others: pandas would not read them as
    they were.
    """
    kept: list[_Column] = []
    odd: dict[Hashable, str] = {}
    for at, label in enumerate(frame.columns):
        try:
            kept.append(_Column(at, *_to_arrow(frame.iloc[:, at], pyarrow)))
        except ValueError as error:
            odd[label] = str(error)
    _leave_out(odd, needed)
    frame = frame.iloc[:, [column.at for column in kept]]
    plain = frame.set_axis([str(at) for at in range(len(kept))], axis=1)
    plain = plain[[str(at) for at, column in enumerate(kept) if column.kind == PLAIN]]
    plain.index.names = [None] * plain.index.nlevels
    try:
        plain, index = _without_index(plain, pyarrow)
        table = pyarrow.Table.from_pandas(plain)
        back = pyarrow.Table.from_pandas(plain.iloc[:1, :0]).to_pandas().index
        if not back.equals(plain.index[:1]):
            raise ValueError(f"{plain.index[:1]} would come back as {back}")
    except Exception as error:
        raise _unsuited("index", str(error)) from error
    for at, column in enumerate(kept):
        table = _append(table, str(at), column.arrays)
    table = _append(table, INDEX, index)
    layout = {
        "labels": [_label_to_plain(label) for label in frame.columns],
        "labels_name": _label_to_plain(frame.columns.name),
        "index_names": [_label_to_plain(name) for name in frame.index.names],
        "types": [column.kind for column in kept],
        "categories": [column.categories for column in kept],
    }
    return layout, table


class _Column(NamedTuple):
    """A pandas column to be saved: its position, and what `_to_arrow` makes of it."""

    at: int
    kind: str
    arrays: ObjectArrays | None
    categories: str | None


def _to_arrow(column: Any, pyarrow: Any) -> tuple[str, ObjectArrays | None, str | None]:
    """The kind of a column, its arrays where it is not plain, and the type of its categories.

    Raises
    ------
    ValueError
        If the column would not come back as it is.
    """
    if _is_objects(column):
        arrays = objects_to_arrow(list(column), pyarrow)
        return ARRAYS if arrays.of_arrays else OBJECT, arrays, None
    if type(column.dtype).__name__ == "ArrowDtype":
        return ARROW, ObjectArrays(pyarrow.Array.from_pandas(column), None, False), None
    categories = getattr(column.dtype, "categories", None)
    named: str | None = None if categories is None else str(categories.dtype)
    try:
        table = pyarrow.Table.from_pandas(column.to_frame("0"), preserve_index=False)
        found = table.slice(0, 1).to_pandas()["0"]
        if categories is not None and list(found.dtype.categories) != list(categories):
            raise ValueError("its categories would come back as others")
        back = _with_categories(found, named).dtype
    # pandas and pyarrow raise what they find: their own errors, and those of Python.
    except Exception as error:
        raise ValueError(f"{column.dtype}, {error}") from error
    if not _is_same_type(column.dtype, back):
        raise ValueError(f"{column.dtype}, which would come back as another type")
    return PLAIN, None, named


def _is_objects(column: Any) -> bool:
    return isinstance(column.dtype, np.dtype) and column.dtype.kind == "O"


def _is_same_type(one: Any, two: Any) -> bool:
    """Tell whether two pandas types are one, however their text is stored."""
    if str(one) != str(two) or not hasattr(one, "categories"):
        return str(one) == str(two)
    kinds = str(one.categories.dtype), str(two.categories.dtype)
    return kinds[0] == kinds[1] and bool(one.categories.equals(two.categories))


def _with_categories(column: Any, kind: str | None) -> Any:
    """The column with categories of the type that they had: Arrow knows fewer than pandas."""
    if kind is None or str(column.dtype.categories.dtype) == kind:
        return column
    return column.cat.rename_categories(column.dtype.categories.astype(kind))


def _without_index(frame: Any, pyarrow: Any) -> tuple[Any, ObjectArrays | None]:
    """The frame without an index of Python objects, and that index."""
    if frame.index.nlevels > 1 or not _is_objects(frame.index):
        return frame, None
    return frame.reset_index(drop=True), objects_to_arrow(list(frame.index), pyarrow)


def _append(table: Any, name: str, arrays: ObjectArrays | None) -> Any:
    if arrays is None:
        return table
    table = table.append_column(name, arrays.cells)
    return table if arrays.nulls is None else table.append_column(NULLS + name, arrays.nulls)


def _to_pandas(table: Any, described: Mapping[str, Any], pyarrow: Any) -> Any:
    pd: Any = _library("pandas")
    types = dict(enumerate(described["types"]))
    plain = [str(at) for at, kind in types.items() if kind == PLAIN]
    special = {*(str(at) for at in types), INDEX}.difference(plain)
    special |= {NULLS + name for name in special}
    frame = table.drop_columns([n for n in table.column_names if n in special]).to_pandas()
    if INDEX in table.column_names:
        frame.index = pd.Index(
            _objects(table, INDEX, OBJECT, pd), dtype=object, tupleize_cols=False
        )
    for at, kind in types.items():
        name = str(at)
        if kind == ARROW:
            frame.insert(at, name, pd.arrays.ArrowExtensionArray(table.column(name)))
        elif kind != PLAIN:
            # pandas guesses the type of anything but a Series.
            cells = pd.Series(_objects(table, name, kind, pd), dtype=object, index=frame.index)
            frame.insert(at, name, cells)
    for at, kind in enumerate(described.get("categories", ())):
        if kind is not None:
            frame[str(at)] = _with_categories(frame[str(at)], kind)
    labels = [_plain_to_label(label) for label in described["labels"]]
    name = _plain_to_label(described["labels_name"])
    frame.columns = pd.Index(labels, tupleize_cols=False, name=name)
    frame.index.names = [_plain_to_label(name) for name in described["index_names"]]
    return frame


def _objects(table: Any, name: str, kind: str, pandas: Any) -> list[Any]:
    nulls = NULLS + name
    codes = table.column(nulls) if nulls in table.column_names else None
    return objects_from_arrow(ObjectArrays(table.column(name), codes, kind == ARRAYS), pandas)


def _label_to_plain(label: Any) -> Any:
    return {"tuple": list(map(_label_to_plain, label))} if isinstance(label, tuple) else label


def _plain_to_label(plain: Any) -> Any:
    return tuple(map(_plain_to_label, plain["tuple"])) if isinstance(plain, dict) else plain


def _leave_out(odd: Mapping[Hashable, str], needed: Collection[Hashable]) -> None:
    """Warn of columns that cannot be saved; refuse to do without those that are needed."""
    for label, why in odd.items():
        if label in needed:
            raise _unsuited(f"column {label!r}", why)
    if odd:
        label, why = next(iter(odd.items()))
        warnings.warn(
            f"Columns of the reference that cannot be saved are left out. Got {list(odd)!r} "
            f"({label!r}: {why}). Hint: turn them into text, numbers or dates.",
            PearljoinWarning,
            stacklevel=caller_stacklevel(),
        )


def _unsuited(what: str, why: str) -> InputError:
    return InputError(
        f"The {what} of the reference cannot be saved. Got: {why}. "
        "Hint: turn it into text, numbers or dates, or leave it out."
    )
