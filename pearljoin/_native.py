"""What narwhals has no word for: taking rows where some are missing, by each dataframe library.

A row position of -1 is a missing row: its cells are null. Everything works on native objects.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Protocol

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from pearljoin._errors import MissingExtraError, TableTypeError
from pearljoin._typing import IntVector

__all__ = ["Backend", "backend_of", "convert"]


class Backend(Protocol):
    """The few operations that assembling a table needs from a dataframe library."""

    def take(self, frame: Any, name: Hashable, rows: IntVector) -> Any:
        """Cells of a column by row, null where the row is -1."""
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

    def build(self, columns: Mapping[Hashable, Any], frame: Any, rows: IntVector | None) -> Any:
        """A table of columns; `rows` are the rows of `frame` whose index it keeps, if any."""
        ...


class PandasBackend:
    """Takes as ``pandas.merge`` does: integers with nulls become floats, booleans objects."""

    def take(self, frame: Any, name: Hashable, rows: IntVector) -> Any:
        column = frame[name].reset_index(drop=True)
        taken = column.reindex(rows) if (rows < 0).any() else column.take(rows)
        return taken.reset_index(drop=True)

    def join_ends(self, first: Any, second: Any) -> Any:
        import pandas as pd

        if not len(first) or not len(second):
            return first if not len(second) else second.astype(first.dtype, errors="ignore")
        joined = pd.concat([first, second], ignore_index=True)
        if isinstance(first.dtype, pd.CategoricalDtype) and joined.dtype != first.dtype:
            # Merging keys of two vocabularies gives plain values, as pandas.merge has it.
            joined = pd.concat([first.astype(object), second.astype(object)], ignore_index=True)
            return joined.infer_objects()
        return joined

    def numbers(self, values: NDArray[np.float64]) -> Any:
        import pandas as pd

        return pd.Series(values)

    def integers(self, values: IntVector) -> Any:
        import pandas as pd

        return pd.Series(values)

    def build(self, columns: Mapping[Hashable, Any], frame: Any, rows: IntVector | None) -> Any:
        import pandas as pd

        n_rows = len(next(iter(columns.values())))
        table = pd.concat(list(columns.values()), axis=1) if columns else pd.DataFrame()
        table.columns = pd.Index(list(columns), dtype=object if _mixed(columns) else None)
        table.index = pd.RangeIndex(n_rows) if rows is None else frame.index.take(rows)
        return table


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

    def join_ends(self, first: Any, second: Any) -> Any:
        import polars as pl

        pair = [column.alias("key").to_frame() for column in (first, second)]
        return pl.concat(pair, how="vertical_relaxed")["key"]

    def numbers(self, values: NDArray[np.float64]) -> Any:
        import polars as pl

        return pl.Series(values).fill_nan(None)

    def integers(self, values: IntVector) -> Any:
        import polars as pl

        return pl.Series(values)

    def build(self, columns: Mapping[Hashable, Any], frame: Any, rows: IntVector | None) -> Any:
        import polars as pl

        return pl.DataFrame([column.alias(name) for name, column in columns.items()])


class ArrowBackend:
    """Takes with null positions."""

    def take(self, frame: Any, name: Hashable, rows: IntVector) -> Any:
        import pyarrow as pa

        column = frame.column(name)
        if len(column) == 0:
            return pa.chunked_array([pa.nulls(len(rows), column.type)])
        return column.take(pa.array(rows, mask=rows < 0))

    def join_ends(self, first: Any, second: Any) -> Any:
        import pyarrow as pa

        if second.type != first.type:
            second = second.cast(first.type)
        return pa.chunked_array([*first.chunks, *second.chunks], type=first.type)

    def numbers(self, values: NDArray[np.float64]) -> Any:
        import pyarrow as pa

        return pa.array(values, mask=np.isnan(values))

    def integers(self, values: IntVector) -> Any:
        import pyarrow as pa

        return pa.array(values)

    def build(self, columns: Mapping[Hashable, Any], frame: Any, rows: IntVector | None) -> Any:
        import pyarrow as pa

        return pa.table(list(columns.values()), names=list(columns))


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
    try:
        if kind is nw.Implementation.PANDAS:
            return nw.from_native(frame.to_pandas(), eager_only=True)
        if kind is nw.Implementation.POLARS:
            return nw.from_native(frame.to_polars(), eager_only=True)
        return nw.from_native(frame.to_arrow(), eager_only=True)
    except ImportError as error:
        raise MissingExtraError(
            f"Turning the {side} table from {frame.implementation} to {kind} needs a package that "
            f"is not installed ({error}). Hint: pip install pyarrow"
        ) from error
    except (TypeError, ValueError) as error:  # pyarrow's and polars' errors are of these
        raise TableTypeError(
            f"The {side} table cannot be turned from {frame.implementation} to {kind}, the left "
            f"table's kind. Got: {error}. Hint: convert the column, or the table, beforehand."
        ) from error


def _mixed(columns: Mapping[Hashable, Any]) -> bool:
    """Tell whether the names are not all text, which pandas then keeps as objects."""
    return not all(isinstance(name, str) for name in columns)
