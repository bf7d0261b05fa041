"""Read one column of texts: for the transformers of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError

from pearljoin._errors import InputError, TableTypeError
from pearljoin._records.records import factorize
from pearljoin._tables.cells import REFUSED, ColumnKind, as_text, is_null
from pearljoin._tables.columns import Cells, column_kind
from pearljoin._tables.distributed import refuse_distributed
from pearljoin._tables.read_table import PlainColumn, Table, as_table, from_frame
from pearljoin._typing import IntVector

__all__ = ["TextColumn", "read_text_column"]

HINT = "give one column: a list of strings, an array, a Series, or a frame of one column"


@dataclass(frozen=True, slots=True)
class TextColumn:
    """One column of texts.

    Attributes
    ----------
    cells
        The column.
    name
        Its name; None without one.
    framed
        Whether it came in a frame.
    """

    cells: Cells
    name: Any
    framed: bool

    @property
    def kind(self) -> ColumnKind | None:
        """What the column holds; None where it holds nothing but nulls."""
        if all(is_null(value) for value in self.cells.to_list()):
            return None
        return column_kind(self.cells)

    def texts(self) -> list[str]:
        """Return the text of each row; "" for null.

        Returns
        -------
        texts
            Numbers, dates and booleans as text: whole numbers without a decimal point.

        Raises
        ------
        InputError
            If a cell holds bytes, a list, a dict, a set or an array.
        """
        return [
            value if isinstance(value, str) else self._text(value) for value in self.cells.to_list()
        ]

    def distinct(self) -> tuple[list[str], IntVector]:
        """Return the distinct texts, and which of them each row has.

        Returns
        -------
        values
            In order of appearance; empty and blank texts are null.
        codes
            int64 of shape (n_rows,): a position in `values`, or `NULL`.

        Raises
        ------
        InputError
            As in `texts`.
        """
        texts = self.texts()
        values, codes = factorize([None if is_null(text) else text for text in texts])
        return [str(value) for value in values], codes

    def _text(self, value: Any) -> str:
        if is_null(value):
            return ""
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, (*REFUSED, Mapping, Sequence)):
            where = "" if self.name is None else f" in column {self.name!r}"
            raise InputError(
                f"Each text must be a string. Got {repr(value)[:60]} of type "
                f"{type(value).__name__}{where}. Hint: decode bytes, and give a list of strings "
                "rather than of lists."
            )
        return as_text(value)


def read_text_column(data: Any) -> TextColumn:
    """Read a column of texts.

    Parameters
    ----------
    data
        A pandas, polars or Arrow column, a frame of one column (a lazy one is collected), an
        array of one column, a list, or any other iterable of cells.

    Raises
    ------
    InputError
        If there are several columns, or none, or it is a set.
    TableTypeError
        If it is of a kind that is not read: a single string, a dict, a number.
    """
    if isinstance(data, list | tuple):
        return TextColumn(PlainColumn("text", list(data)), None, framed=False)
    if isinstance(data, str | bytes | Mapping):
        what = "a dict" if isinstance(data, Mapping) else "a single string"
        raise _unreadable(data, f", not {what}")
    if isinstance(data, set | frozenset):
        raise InputError(
            f"Texts must have an order, as the rows of the result do. Got a {type(data).__name__}. "
            "Hint: give a list, such as sorted(texts)."
        )
    if isinstance(data, np.ndarray):
        if data.ndim not in (1, 2) or (data.ndim == 2 and data.shape[1] != 1):
            raise _not_one(
                f"an array of shape {data.shape}", "give one of its columns, array[:, i]"
            )
        return TextColumn(PlainColumn("text", data.reshape(-1).tolist()), None, framed=False)
    refuse_distributed(data)
    table = _read_native(data)
    if table is None:
        if not isinstance(data, Iterable):
            raise _unreadable(data)
        return TextColumn(PlainColumn("text", list(data)), None, framed=False)
    if len(table.columns) != 1:
        names = ", ".join(repr(name) for name in list(table.columns)[:10])
        hint = "give one of them, or one encoder a column in a ColumnTransformer"
        raise _not_one(f"{len(table.columns)}: {names}", hint)
    name, cells = next(iter(table.columns.items()))
    if table.single:
        name = getattr(data, "name", None)
    return TextColumn(cells, None if name == "" else name, framed=not table.single)


def _read_native(data: Any) -> Table | None:
    """Read what a dataframe library holds; None for anything else."""
    if isinstance(data, nw.LazyFrame | nw.DataFrame | nw.Series):
        data = data.to_native()
    try:
        native = nw.from_native(data, pass_through=True, allow_series=True)
    except DuplicateError:
        return as_table(data, "text")  # which raises the error
    if isinstance(native, nw.LazyFrame):
        return from_frame(native.collect(), "text", lazy=True)
    if isinstance(native, nw.DataFrame | nw.Series):
        return as_table(data, "text")
    # Arrow arrays and pandas' own sequences have no meaning to narwhals.
    if hasattr(data, "to_pylist") or type(data).__module__.split(".")[0] == "pandas":
        return as_table(data, "text")
    return None


def _unreadable(data: Any, what: str = "") -> TableTypeError:
    kind = f"{type(data).__module__}.{type(data).__qualname__}"
    shown = f" {data!r:.80}" if isinstance(data, str | bytes) else ""
    return TableTypeError(f"Texts must be a column{what}. Got {kind}{shown}. Hint: {HINT}.")


def _not_one(got: str, hint: str) -> InputError:
    return InputError(f"The encoder takes one column of text. Got {got}. Hint: {hint}.")
