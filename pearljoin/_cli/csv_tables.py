"""CSV and TSV: text to a table and back."""

from __future__ import annotations

import codecs
import csv
import io
import re
import warnings
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from pearljoin._errors import InputError, PearljoinWarning
from pearljoin._optional import require

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TEXT", "escape_formulas", "polars_module", "read_delimited", "warn_of_separator"]

TEXT = {"String", "Categorical", "Enum"}
"""polars' names for the types of a text column."""

INTEGER = r"^(0|-?[1-9][0-9]{0,17})$"

FORMULA = "^[=+\\-@\t\r\n＝＋－＠]"
"""Starts of a cell that a spreadsheet may run as a formula.

As OWASP's page "CSV Injection" lists them; spreadsheets of some countries read the wide forms.
"""

_SEPARATOR_LINE = re.compile(rb"(?:\xef\xbb\xbf)?sep=([;,|\t])\r?\n")
"""What Excel takes from a first line, and other programs write there for it."""

_UTF_16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE

LOOKED_AT = 65_536
"""Bytes of a file in which the separator is looked for."""


def polars_module() -> Any:
    """Import polars, or say which extra brings it."""
    return require("polars", extra="cli", purpose="Reading a table from a file")


def read_delimited(
    name: str,
    data: bytes,
    separator: str | None,
    text: Collection[str],
    encoding: str,
    encoding_option: str,
) -> pl.DataFrame:
    """Read a table from text.

    Parameters
    ----------
    name
        The file's, for errors.
    data
        Its content.
    separator
        What parts the cells; None: what a first line such as "sep=;" says, which is no row; else a
        comma, or what the first lines have in its place.
    text
        Columns that stay text; the others become numbers, booleans or dates where writing them
        gives the same text again.
    encoding
        Of the text.
    encoding_option
        What says another encoding, for which {} stands, in messages.

    Raises
    ------
    InputError
        If it is not text of that encoding, or two columns have one name.
    """
    polars = polars_module()
    data = _as_utf8(name, data, encoding, encoding_option)
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")  # lines end so in files of Mac OS 9, and some of Excel
    told = _SEPARATOR_LINE.match(data)
    if told is not None:
        data = data[told.end() :]
        separator = separator or told[1].decode()
    separator = separator or _find_separator(name, data)
    options = {"separator": separator, "infer_schema": False}
    alone = {"has_header": False, "n_rows": 1, "truncate_ragged_lines": True}
    first = polars.read_csv(data, **alone, **options).row(0)
    names = ["" if name is None else name for name in first]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(
            f"{name} has several columns of one name. Got {', '.join(map(repr, twice))} "
            "more than once. Hint: rename them so that every column has a name of its own."
        )
    try:
        table: pl.DataFrame = polars.read_csv(data, **options)
    except polars.exceptions.ComputeError as error:
        if "more fields" not in str(error):
            raise
        parts = _delimiter_of(names)
        hint = parts or f"quote cells that hold {separator!r}."
        where = _too_long(data.decode(), separator, len(names))
        raise InputError(
            f"{name} has a line with more cells than the first line, which has {len(names)}. Got "
            f"{where}. Hint: {hint}"
        ) from None
    return table.with_columns(_typed(table[name]) for name in table.columns if name not in text)


def escape_formulas(table: pl.DataFrame) -> pl.DataFrame:
    """Put an apostrophe before text that a spreadsheet may take for a formula.

    Column names are cells too. Numbers stay as they are.
    """
    polars = polars_module()
    of_text = [name for name, dtype in table.schema.items() if str(dtype.base_type()) in TEXT]
    cells = [polars.col(name).cast(polars.String) for name in of_text]
    table = table.with_columns(
        polars.when(cell.str.contains(FORMULA)).then("'" + cell).otherwise(cell).alias(name)
        for name, cell in zip(of_text, cells, strict=True)
    )
    names = polars.Series(table.columns, dtype=polars.String)
    are_formulas = names.str.contains(FORMULA)
    return table.rename({name: f"'{name}" for name in names.filter(are_formulas)})


def warn_of_separator(name: str, columns: Sequence[str]) -> None:
    """Warn of a single column whose name holds what may part the cells."""
    hint = _delimiter_of(columns)
    if hint:
        warnings.warn(
            f"{name} has one column. Got {columns[0]!r}. Hint: {hint}",
            PearljoinWarning,
            stacklevel=2,
        )


def _find_separator(name: str, data: bytes) -> str:
    """Find what parts the cells, and warn where it is no comma.

    Another separator is taken where the first line has no comma, and each of the first lines the
    same number of cells.
    """
    text = data[:LOOKED_AT].decode(errors="replace").removeprefix("\ufeff")
    is_whole = len(data) <= LOOKED_AT
    if _cell_counts(text, ",", is_whole=True)[:1] != [1]:
        return ","
    for separator in ";\t|":
        counts = _cell_counts(text, separator, is_whole=is_whole)
        if len(counts) > 1 and counts[0] > 1 and len(set(counts)) == 1:
            shown = "tab" if separator == "\t" else repr(separator)
            warnings.warn(
                f"{name} is read with another delimiter than ','. Got {shown} in each line. "
                f"Hint: --delimiter {shown} says so, and is for the output, too.",
                PearljoinWarning,
                stacklevel=3,
            )
            return separator
    return ","


def _cell_counts(text: str, separator: str, *, is_whole: bool) -> list[int]:
    """Number of cells of each line; without the last one where the text is cut off."""
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    except csv.Error:
        return []
    return [len(cells) for cells in lines[: None if is_whole else -1] if cells]


def _delimiter_of(columns: Sequence[str]) -> str | None:
    """Say which delimiter may part the cells of a table of one column; None for another."""
    found = [separator for separator in ";\t|," if separator in columns[0]]
    if len(columns) != 1 or not found:
        return None
    option = "tab" if found[0] == "\t" else repr(found[0])
    return f"--delimiter {option}, if that parts its cells."


def _too_long(text: str, separator: str, n_cells: int) -> str:
    """Tell the first line with more cells than the first, and its first cell."""
    # Quoted cells may be longer than the 128 KiB that the module allows, and span several lines.
    limit = csv.field_size_limit(max(len(text), 1))
    try:
        before = 0
        lines = csv.reader(
            io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator
        )
        for cells in lines:
            if len(cells) > n_cells:
                return f"line {before + 1}, whose first cell is {cells[0]!r}"
            before = lines.line_num
    finally:
        csv.field_size_limit(limit)
    return f"a line of more than {n_cells} cells"  # where polars reads quotes otherwise


def _as_utf8(name: str, data: bytes, encoding: str, option: str) -> bytes:
    try:
        decoded = data.decode(encoding)
    except LookupError:
        raise InputError(
            f"There is no text encoding {encoding!r}. Hint: utf-8, cp1252, latin-1 or utf-16."
        ) from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        other = "utf-16" if data.startswith(_UTF_16) else "cp1252"
        raise InputError(
            f"{name} is not {encoding} text. Got byte 0x{data[error.start]:02x} in line "
            f"{line}. Hint: name the file's encoding, such as {option.format(other)}."
        ) from None
    utf8 = encoding.lower().replace("_", "-") in {"utf-8", "utf8"}
    if utf8:
        return data
    _warn_of_utf8(name, data, decoded, encoding, option)
    return decoded.encode()


def _warn_of_utf8(name: str, data: bytes, decoded: str, encoding: str, option: str) -> None:
    """Warn of UTF-8 that is read by an encoding of one byte a letter, which takes any bytes."""
    if data.isascii() or len(decoded) != len(data):
        return
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return
    word = next(word for word in re.findall(r"\w+|\W", text) if not word.isascii())
    warnings.warn(
        f"{name} is read as {encoding}, and its bytes are UTF-8 text. Got "
        f"{word.encode().decode(encoding)[:40]!r} for {word[:20]!r}. Hint: name "
        f"the file's encoding, {option.format('utf-8')}.",
        PearljoinWarning,
        stacklevel=2,
    )


def _typed(column: pl.Series) -> pl.Series:
    """A text column as numbers, booleans or dates, where these are written as it has them."""
    polars = polars_module()
    there = column.drop_nulls()
    if there.is_empty():
        return column
    if there.str.contains(INTEGER).all():
        return column.cast(polars.Int64)
    if there.is_in(["true", "false"]).all():
        return column == "true"
    numbers = there.cast(polars.Float64, strict=False)
    if numbers.is_finite().all(ignore_nulls=False) and _written_as(numbers, there):
        return column.cast(polars.Float64)
    if _written_as(there.str.to_date("%Y-%m-%d", strict=False), there):
        return column.str.to_date("%Y-%m-%d")
    return column


def _written_as(values: pl.Series, text: pl.Series) -> bool:
    return bool((values.cast(polars_module().String) == text).all(ignore_nulls=False))
