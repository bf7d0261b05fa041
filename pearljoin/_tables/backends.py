"""Operations of pandas, polars and pyarrow that narwhals lacks, such as taking rows with gaps.

A row position of -1 is a missing row: its cells are null. Everything works on native objects.
"""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Mapping
from typing import Any, Protocol

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from pearljoin._errors import TableTypeError
from pearljoin._tables.cells import is_null
from pearljoin._tables.large_integers import (
    LARGEST_EXACT,
    cast_exactly,
    concatenated,
    convert_nullable,
    list_column,
    with_room_for_nulls,
    with_types_of_both,
)
from pearljoin._tables.library_errors import library_errors
from pearljoin._typing import IntVector

__all__ = ["Backend", "backend_of", "convert", "native_from", "uniform"]

VIEWS = "string_view[pyarrow]", "binary_view[pyarrow]"
"""Types of which pandas cannot take rows."""


class Backend(Protocol):
    """The few operations that assembling a table needs from a dataframe library."""

    def take(self, frame: Any, name: Hashable, rows: IntVector) -> Any:
        """Cells of a column by row, null where the row is -1."""
        ...

    def rows(self, frame: Any, rows: IntVector) -> Any:
        """Some rows of a table, all of them there."""
        ...

    def stack(self, first: Any, second: Any) -> Any:
        """Two tables one below the other: nulls where one lacks a column."""
        ...

    def join_ends(self, first: Any, second: Any) -> Any:
        """Two columns one below the other, as one column of the first's type where it can."""
        ...

    def numbers(self, values: NDArray[np.float64]) -> Any:
        """A column of numbers, null where NaN."""
        ...

    def integers(self, values: IntVector) -> Any:
        """A column of whole numbers."""
        ...

    def texts(self, values: list[str | None]) -> Any:
        """A column of text, null where None."""
        ...

    def build(self, columns: Mapping[Hashable, Any], frame: Any, rows: IntVector | None) -> Any:
        """A table of columns; `rows` are the rows of `frame` whose index it keeps, if any."""
        ...


class PandasBackend:
    """Takes as ``pandas.merge`` does: integers with nulls become floats, booleans objects.

    Integers that a float may not hold become nullable ones.
    """

    def take(self, frame: Any, name: Hashable, rows: IntVector) -> Any:
        column = frame[name].reset_index(drop=True)
        if str(column.dtype) in VIEWS:
            return _taken_by_arrow(column, rows)
        if (rows < 0).any():
            return with_room_for_nulls(column).reindex(rows).reset_index(drop=True)
        return column.take(rows).reset_index(drop=True)

    def rows(self, frame: Any, rows: IntVector) -> Any:
        if not any(str(dtype) in VIEWS for dtype in frame.dtypes):
            return frame.iloc[rows]
        return self.build({name: self.take(frame, name, rows) for name in frame}, frame, rows)

    def stack(self, first: Any, second: Any) -> Any:
        import pandas as pd

        for name in second.columns.intersection(first.columns):
            # The reference's own type where it holds the new cells as they are, else a wider one.
            dtype, added = first[name].dtype, second[name]
            if (
                isinstance(dtype, pd.CategoricalDtype)
                and not added.dropna().isin(dtype.categories).all()
            ):
                continue  # pandas is to refuse values that are no categories
            if (cast := cast_exactly(added, dtype)) is not None:
                second[name] = cast
        first, second = with_types_of_both(first, second)
        return pd.concat([first, second], ignore_index=True)

    def join_ends(self, first: Any, second: Any) -> Any:
        import pandas as pd

        if not len(second):
            return first
        joined = concatenated([first, second])
        if isinstance(first.dtype, pd.CategoricalDtype) and joined.dtype != first.dtype:
            # Merging keys of two vocabularies gives plain values, as pandas.merge has it.
            plain = pd.concat([first.astype(object), second.astype(object)], ignore_index=True)
            return plain.infer_objects()
        return joined

    def numbers(self, values: NDArray[np.float64]) -> Any:
        import pandas as pd

        return pd.Series(values)

    def texts(self, values: list[str | None]) -> Any:
        import pandas as pd

        objects = pd.Series(values, dtype=object)
        with contextlib.suppress(UnicodeEncodeError):  # objects hold lone surrogates
            return objects.infer_objects()
        return objects

    def integers(self, values: IntVector) -> Any:
        import pandas as pd

        return pd.Series(values)

    def build(self, columns: Mapping[Hashable, Any], frame: Any, rows: IntVector | None) -> Any:
        import pandas as pd

        n_rows = len(next(iter(columns.values())))
        table = pd.concat(list(columns.values()), axis=1) if columns else pd.DataFrame()
        # A label may be a number or a tuple, and stays what it is.
        table.columns = pd.Index(list(columns), tupleize_cols=False, name=frame.columns.name)
        table.index = pd.RangeIndex(n_rows) if rows is None else frame.index.take(rows)
        return table


def _taken_by_arrow(column: Any, rows: IntVector) -> Any:
    """Take rows of a pandas column of an Arrow type as pyarrow does."""
    import pandas as pd
    import pyarrow as pa

    table = pa.table({"cells": column.array.__arrow_array__()})
    taken = ArrowBackend().take(table, "cells", rows)
    return pd.Series(pd.arrays.ArrowExtensionArray(taken))


def _as_texts(cells: list[Any]) -> list[str | None]:
    return [None if cell is None else str(cell) for cell in cells]


def _valid(texts: list[str | None]) -> list[str | None]:
    """Texts that typed columns can hold: a lone surrogate becomes a question mark."""
    return [
        None if text is None else text.encode("utf-8", "replace").decode("utf-8") for text in texts
    ]


class PolarsBackend:
    """Gathers with null positions."""

    def take(self, frame: Any, name: Hashable, rows: IntVector) -> Any:
        import polars as pl

        column = frame[name]
        if len(column) == 0:
            return pl.Series(values=[None] * len(rows), dtype=column.dtype)
        return (
            column.gather(pl.Series(values=np.maximum(rows, 0))).zip_with(
                pl.Series(values=rows >= 0), pl.Series([None], dtype=column.dtype)
            )
            if (rows < 0).any()
            else column.gather(rows)
        )

    def rows(self, frame: Any, rows: IntVector) -> Any:
        return frame[rows]

    def stack(self, first: Any, second: Any) -> Any:
        import polars as pl

        return pl.concat([first, second], how="diagonal_relaxed")

    def join_ends(self, first: Any, second: Any) -> Any:
        import polars as pl

        if not len(second):
            return first
        pair = [column.alias("key") for column in (first, second)]
        try:
            return pl.concat([part.to_frame() for part in pair], how="vertical_relaxed")["key"]
        except pl.exceptions.PolarsError:
            # Types without a common one (an Enum and another): their values as text.
            return self.texts([text for part in pair for text in _as_texts(part.to_list())])

    def numbers(self, values: NDArray[np.float64]) -> Any:
        import polars as pl

        return pl.Series(values).fill_nan(None)

    def integers(self, values: IntVector) -> Any:
        import polars as pl

        return pl.Series(values)

    def texts(self, values: list[str | None]) -> Any:
        import polars as pl

        return pl.Series(values=_valid(values), dtype=pl.String)

    def build(self, columns: Mapping[Hashable, Any], frame: Any, rows: IntVector | None) -> Any:
        import polars as pl

        return pl.DataFrame([column.alias(str(name)) for name, column in columns.items()])


class ArrowBackend:
    """Takes with null positions."""

    def take(self, frame: Any, name: Hashable, rows: IntVector) -> Any:
        import pyarrow as pa

        column = frame.column(name)
        for is_view, plain in (
            (pa.types.is_string_view, pa.large_string()),
            (pa.types.is_binary_view, pa.large_binary()),
        ):
            if is_view(column.type):  # taking from views is not implemented there
                texts = pa.table({name: column.cast(plain)})
                return self.take(texts, name, rows).cast(column.type)
        if pa.types.is_run_end_encoded(column.type):  # nor from runs
            import pyarrow.compute as pc

            cells = pa.table({name: pc.run_end_decode(column)})
            taken, ends = self.take(cells, name, rows), column.type.run_end_type
            most = np.iinfo(ends.to_pandas_dtype()).max  # rows of a chunk whose runs it can count
            starts = range(0, len(taken), most)
            parts = [pc.run_end_encode(taken.slice(start, most), ends) for start in starts]
            chunks = [chunk for part in parts for chunk in part.chunks]
            return pa.chunked_array(chunks, column.type)
        if len(column) == 0:
            return pa.chunked_array([pa.nulls(len(rows), column.type)])
        return column.take(pa.array(rows, mask=rows < 0))

    def rows(self, frame: Any, rows: IntVector) -> Any:
        import pyarrow as pa

        columns = [self.take(frame, name, rows) for name in frame.column_names]
        return pa.Table.from_arrays(columns, schema=frame.schema)

    def stack(self, first: Any, second: Any) -> Any:
        import pyarrow as pa

        return pa.concat_tables([first, second], promote_options="permissive")

    def join_ends(self, first: Any, second: Any) -> Any:
        import pyarrow as pa

        if not len(second):
            return first
        parts = [pa.table({"key": column}) for column in (first, second)]
        try:
            return pa.concat_tables(parts, promote_options="permissive")["key"]
        except pa.ArrowException:
            # Types without a common one: their values as text.
            cells = [part["key"].to_pylist() for part in parts]
            return self.texts([text for part in cells for text in _as_texts(part)])

    def numbers(self, values: NDArray[np.float64]) -> Any:
        import pyarrow as pa

        return pa.array(values, mask=np.isnan(values))

    def integers(self, values: IntVector) -> Any:
        import pyarrow as pa

        return pa.array(values)

    def texts(self, values: list[str | None]) -> Any:
        import pyarrow as pa

        return pa.array(_valid(values), pa.string())

    def build(self, columns: Mapping[Hashable, Any], frame: Any, rows: IntVector | None) -> Any:
        import pyarrow as pa

        return pa.table(list(columns.values()), names=[str(name) for name in columns])


BACKENDS: dict[nw.Implementation, Backend] = {
    nw.Implementation.PANDAS: PandasBackend(),
    nw.Implementation.POLARS: PolarsBackend(),
    nw.Implementation.PYARROW: ArrowBackend(),
}


def backend_of(frame: nw.DataFrame[Any]) -> Backend:
    """Find the operations of a frame's library."""
    return BACKENDS[frame.implementation]


def convert(frame: nw.DataFrame[Any], kind: nw.Implementation, side: str) -> nw.DataFrame[Any]:
    """Turn a frame into another library's.

    Raises
    ------
    TableTypeError
        If a column has no counterpart there.
    MissingExtraError
        If a package that the conversion needs (pyarrow) is not installed.
    """
    if frame.implementation is kind:
        return frame
    with library_errors(
        f"The {side} table cannot be turned from {frame.implementation} to {kind}, the left "
        "table's kind",
        "convert the column, or the table, beforehand",
    ):
        if frame.implementation is nw.Implementation.PANDAS:
            frame = nw.from_native(_plain_pandas(frame.to_native()), eager_only=True)
        if kind is nw.Implementation.PANDAS:
            return nw.from_native(convert_nullable(frame), eager_only=True)
        if kind is nw.Implementation.POLARS:
            return nw.from_native(frame.to_polars(), eager_only=True)
        return nw.from_native(frame.to_arrow(), eager_only=True)


def _plain_pandas(frame: Any) -> Any:
    """A pandas table that other libraries can hold: no index, names and mixed cells as text."""
    frame = frame.reset_index(drop=True).rename(columns=str)
    for name, dtype in frame.dtypes.items():
        if isinstance(dtype, np.dtype) and dtype.kind == "O":
            frame[name] = uniform(frame[name].tolist())
    return frame


def uniform(cells: list[Any]) -> list[Any]:
    """Cells of several kinds as text, since typed columns cannot hold them side by side."""
    missing = [is_null(cell) and not isinstance(cell, str) for cell in cells]
    kinds = {type(cell) for cell, gone in zip(cells, missing, strict=True) if not gone}
    if len(kinds) <= 1:
        return cells
    pairs = list(zip(cells, missing, strict=True))
    if kinds == {int, float} and all(gone or _is_exact(cell) for cell, gone in pairs):
        return [None if gone else float(cell) for cell, gone in pairs]
    return [None if gone else str(cell) for cell, gone in zip(cells, missing, strict=True)]


def _is_exact(number: Any) -> bool:
    """Whether a number is a float64, or a whole one that is the same as one."""
    return isinstance(number, float) or abs(number) <= LARGEST_EXACT


def native_from(columns: dict[str, Any], backend: Any) -> Any:
    """Make a table of a dataframe library from lists of cells.

    Raises
    ------
    TableTypeError
        If the library has no type for the cells of a column.
    """
    try:
        with library_errors(
            f"The columns {list(columns)!r} cannot be turned into columns of {backend}",
            "turn their values into text, numbers or dates beforehand",
        ):
            if backend is nw.Implementation.PANDAS:
                columns = {name: list_column(cells) for name, cells in columns.items()}
            return nw.from_dict(columns, backend=backend).to_native()
    except TableTypeError:
        if backend is not nw.Implementation.PANDAS:
            raise
        import pandas as pd

        # Objects hold what typed columns cannot, such as lone surrogates.
        return pd.DataFrame({name: pd.Series(c, dtype=object) for name, c in columns.items()})
