"""Reading tables: pandas, polars and Arrow tables, single columns, sequences of strings."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError

from pearljoin._errors import (
    InputError,
    MissingExtraError,
    did_you_mean,
    nearest,
)
from pearljoin._tables.columns import Cells
from pearljoin._tables.distributed import engine_of, refuse_distributed
from pearljoin._tables.joined_columns import Columns
from pearljoin._tables.library_errors import library_errors
from pearljoin._tables.no_table import ONLY, are_several, several_tables, unreadable

__all__ = ["ONLY", "Table", "as_table", "from_frame", "names_of", "plain_backend"]

BACKENDS = (nw.Implementation.PANDAS, nw.Implementation.POLARS, nw.Implementation.PYARROW)


@dataclass(frozen=True)
class Table:
    """A table of a join, as the user gave it.

    Attributes
    ----------
    columns
        Each column by name, in order; also several of them together, see `Columns`.
    frame
        The eager frame; None for a plain sequence, which needs no dataframe library.
    lazy
        Whether a polars LazyFrame was given.
    single
        Whether a single column or a sequence was given rather than a table.
    side
        ``"left"``, ``"right"`` or `ONLY`, for errors.
    converted
        The table as a native one of other libraries, and what its columns are called there; filled
        when first needed.
    """

    columns: Columns
    frame: nw.DataFrame[Any] | None
    lazy: bool
    single: bool
    side: str
    converted: dict[nw.Implementation, tuple[Any, dict[Hashable, Hashable]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @property
    def title(self) -> str:
        """What errors call the table, such as "left table"."""
        return _title(self.side)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        if self.frame is not None:
            return len(self.frame)
        return len(next(iter(self.columns.values())).to_list())

    def column(self, name: Hashable, argument: str, other: Table | None = None) -> Cells:
        """Find a column.

        Parameters
        ----------
        name
            Its name.
        argument
            The argument that names it, for errors.
        other
            The table of the other side, in which an error looks for it too.

        Raises
        ------
        InputError
            If the table has no such column.
        """
        try:
            return self.columns[name]
        except (KeyError, TypeError):
            hint = self._hint(name, argument, other)
            raise self.lacks(name, f"named in {argument}=", hint) from None

    def lacks(self, name: Hashable, which: str, hint: str | None = None) -> InputError:
        """Make the error for a column that is not there.

        Parameters
        ----------
        name
            Its name.
        which
            Where it was named.
        hint
            What to do. Default: the columns of near names, if any.
        """
        hint = did_you_mean(name, self.columns) if hint is None else hint
        return InputError(
            f"The {self.title} has no column {name!r}, {which}. "
            f"Got columns {_listed(list(self.columns))}.{f' Hint: {hint}' if hint else ''}"
        )

    def renamed(self, name: Hashable) -> Table:
        """A single column under another name."""
        cells = next(iter(self.columns.values())).to_list()
        return Table(Columns({name: PlainColumn(str(name), cells)}), None, False, True, self.side)

    def select(self, names: Sequence[Hashable]) -> Table:
        """Take columns, in the order of their names."""
        order = {name: at for at, name in enumerate(self.columns)}
        # By position: labels of pandas need not be text, and narwhals calls columns by text.
        frame = None if self.frame is None else self.frame[:, [order[name] for name in names]]
        columns = Columns({name: self.columns[name] for name in names})
        return Table(columns, frame, self.lazy, self.single, self.side)

    def head(self, n_rows: int) -> Any:
        """Take the first rows; of a sequence, a list."""
        if self.frame is None:
            return next(iter(self.columns.values())).to_list()[:n_rows]
        return self.frame.head(n_rows).to_native()

    def _hint(self, name: Hashable, argument: str, other: Table | None) -> str:
        if self.frame is not None and name in index_names(self.frame.to_native()):
            return f"{name!r} is the index; .reset_index() makes it a column."
        if isinstance(name, tuple) and argument == "on":
            return "left_on= and right_on= list the names of each table, in one order."
        listed = [part.strip() for part in name.split(",")] if isinstance(name, str) else []
        if len(listed) > 1 and all(part in self.columns for part in listed):
            return f"name each by itself, {argument}={listed!r}."
        near = did_you_mean(name, self.columns)
        if other is None or not any(column == name for column in other.columns):
            return near
        has_it = f"the {other.side} table has it: "
        side, _, rest = argument.partition("_")
        if side == self.side:
            return f"{has_it}did you mean {other.side}_{rest}={name!r}?"
        found = nearest(name, self.columns)
        here = f"{self.side}_{argument}={found[0]!r}" if found else f"{self.side}_{argument}="
        return f"{has_it}name each table's own column, {other.side}_{argument}={name!r} and {here}."


class PlainColumn:
    """A sequence of cells with the few methods of a narwhals column that reading needs."""

    dtype: Any = nw.Object()

    def __init__(self, name: str, values: list[Any]) -> None:
        self.name = name
        self._values = values

    def to_list(self) -> list[Any]:
        """Return the cells."""
        return self._values

    def cell(self, row: int) -> Any:
        """Return one cell."""
        return self._values[row]

    def cells(self, rows: Sequence[int]) -> list[Any]:
        """Return the cells of some rows."""
        return [self._values[row] for row in rows]


class FrameColumn:
    """A column of a frame; what its library cannot turn into Python values is refused.

    Attributes
    ----------
    name, dtype
        As narwhals has them.
    """

    def __init__(self, series: Any, side: str) -> None:
        self._series = series
        self._side = side
        self.name = series.name
        with self._errors():
            self.dtype: Any = series.dtype

    def to_list(self) -> list[Any]:
        """Return the cells."""
        with self._errors():
            cells: list[Any] = self._series.to_list()
        return cells

    def cell(self, row: int) -> Any:
        """Return one cell."""
        with self._errors():
            return self._series[row]

    def cells(self, rows: Sequence[int]) -> list[Any]:
        """Return the cells of some rows."""
        with self._errors():
            found: list[Any] = self._series[list(rows)].to_list() if len(rows) else []
        return found

    def _errors(self) -> AbstractContextManager[None]:
        return library_errors(
            f"The column {self.name!r} of the {_title(self._side)} holds values that Python cannot",
            "turn the column into text, numbers or dates from year 1 to 9999",
        )


def names_of(data: Any) -> list[Hashable]:
    """List the columns of what may be a table, without collecting it; none of anything else."""
    try:
        native = nw.from_native(data, pass_through=True)
    except DuplicateError:
        return []  # as_table tells what is wrong
    is_frame = isinstance(native, nw.DataFrame | nw.LazyFrame)
    return list(native.collect_schema().names()) if is_frame else []


def as_table(data: Any, side: str) -> Table:
    """Read a table, a column or a sequence that a user gave.

    Raises
    ------
    TableTypeError
        If it is of a kind that is not read.
    InputError
        If column names repeat or form a MultiIndex, or there are no columns.
    """
    if isinstance(data, str | bytes | dict):
        raise unreadable(data, side)
    engine = engine_of(data)
    if engine is not None and side == "right":
        # A reference is held in memory; other tables of a cluster stay there.
        data = engine.collect(data)
    refuse_distributed(data)
    try:
        native = nw.from_native(data, pass_through=True, allow_series=True)
    except DuplicateError as error:
        names = [str(name) for name in getattr(data, "column_names", getattr(data, "columns", []))]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise InputError(
            f"The {_title(side)} has several columns of one name. Got {_listed(twice)} more than "
            "once. Hint: rename them so that every column has a name of its own."
        ) from error
    if isinstance(native, nw.LazyFrame):
        if native.implementation is not nw.Implementation.POLARS:
            raise unreadable(data, side)
        return from_frame(native.collect(), side, lazy=True)
    if isinstance(native, nw.DataFrame):
        return from_frame(native, side, lazy=False)
    if isinstance(native, nw.Series):
        if native.implementation not in BACKENDS:
            raise unreadable(data, side)
        return _from_series(native, side)
    if are_several(data):
        raise several_tables(data, side)
    return _from_sequence(data, side)


def from_frame(frame: nw.DataFrame[Any], side: str, *, lazy: bool) -> Table:
    """Read an eager frame; raises as `as_table` does."""
    native = frame.to_native()
    if frame.implementation not in BACKENDS:
        raise unreadable(native, side)
    names = list(frame.columns)
    if getattr(getattr(native, "columns", None), "nlevels", 1) > 1:
        raise InputError(
            f"The {_title(side)}'s columns form a MultiIndex. Got {_listed(names)}. "
            "Hint: flatten the names first, e.g. df.columns = ['_'.join(c) for c in df.columns]."
        )
    if not names:
        has_index = any(label is not None for label in index_names(native))
        hint = ".reset_index() makes its index one" if has_index else "give at least a key column"
        raise InputError(f"The {_title(side)} has no columns. Hint: {hint}.")
    columns = Columns(
        (name, FrameColumn(series, side))
        for name, series in zip(names, frame.iter_columns(), strict=True)
    )
    return Table(columns, frame, lazy, single=False, side=side)


def _from_series(series: nw.Series[Any], side: str) -> Table:
    name = series.name if series.name is not None and series.name != "" else _column_name(side)
    frame = series.alias(str(name)).to_frame()
    column = FrameColumn(frame[str(name)], side)
    return Table(Columns({str(name): column}), frame, lazy=False, single=True, side=side)


def _from_sequence(data: Any, side: str) -> Table:
    kind = type(data).__module__.split(".")[0]
    is_column = kind == "pyarrow" and hasattr(data, "to_pylist") and not hasattr(data, "schema")
    if is_column:
        with library_errors(
            f"The {side} side holds values that Python cannot", "turn it into text or numbers"
        ):
            values = data.to_pylist()
    elif isinstance(data, np.ndarray) and data.ndim == 1 and data.dtype.names is None:
        values = data.tolist()
    elif isinstance(data, Sequence) or (kind == "pandas" and hasattr(data, "dtype")):
        values = list(data)
    else:
        raise unreadable(data, side)
    if values and isinstance(values[0], Mapping):
        raise unreadable(data, side)
    name = _column_name(side)
    return Table(
        Columns({name: PlainColumn(name, values)}), None, lazy=False, single=True, side=side
    )


def index_names(native: Any) -> list[Hashable]:
    """The names of the index of a table of pandas; none of another library's."""
    return list(getattr(getattr(native, "index", None), "names", []))


def plain_backend() -> nw.Implementation:
    """Choose the dataframe library for results on plain sequences: one in use, else installed."""
    names: tuple[Any, ...] = ("pandas", "polars", "pyarrow")
    loaded = [name for name in names if name in sys.modules]
    for name in [*loaded, *names]:
        if importlib.util.find_spec(name) is not None:
            return nw.Implementation.from_backend(name)
    raise MissingExtraError(
        "A table of the result needs a dataframe library, and none is installed. "
        "Hint: pip install pandas (or polars), or use .matches() for arrays."
    )


def _title(side: str) -> str:
    return "table" if side == ONLY else f"{side} table"


def _column_name(side: str) -> str:
    """The name of a column that has none."""
    return "left" if side == ONLY else side


def _listed(names: list[Any]) -> str:
    shown = ", ".join(repr(name) for name in names[:20])
    return f"{shown}, ... ({len(names)} in all)" if len(names) > 20 else shown
