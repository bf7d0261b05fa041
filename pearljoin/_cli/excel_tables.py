"""Excel workbooks: the first sheet to a table, and a table to a workbook of one sheet."""

from __future__ import annotations

import io
from collections.abc import Collection
from typing import IO, TYPE_CHECKING, Any

from pearljoin._cli.csv_tables import polars_module
from pearljoin._optional import require

if TYPE_CHECKING:
    import polars as pl

__all__ = ["read_workbook", "write_workbook"]


def read_workbook(data: bytes, text: Collection[str]) -> pl.DataFrame:
    """Read the first sheet of a workbook, whose first row names the columns.

    Parameters
    ----------
    data
        The file's content.
    text
        Columns that are read as text whatever they look like.

    Raises
    ------
    ValueError
        If it is no workbook.
    MissingExtraError
        If the package that reads workbooks is not installed.
    """
    fastexcel = require("fastexcel", extra="excel", purpose="Reading a workbook")
    polars = polars_module()
    try:
        table: pl.DataFrame = polars.read_excel(io.BytesIO(data), engine="calamine")
    except fastexcel.FastExcelError as error:
        raise ValueError(str(error)) from error
    named = [name for name in table.columns if name in text]
    return table.with_columns(polars.col(name).cast(polars.String) for name in named)


def write_workbook(table: pl.DataFrame, target: Any | IO[bytes]) -> None:
    """Write a table; text that looks like a formula stays text.

    Raises
    ------
    MissingExtraError
        If the package that writes workbooks is not installed.
    """
    module = require("xlsxwriter", extra="excel", purpose="Writing a workbook")
    options = {"strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}
    with module.Workbook(target, options) as workbook:
        table.write_excel(workbook)
