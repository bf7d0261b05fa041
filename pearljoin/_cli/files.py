"""Read and write tables in files, in the format that the suffix names."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pearljoin._cli.near import hint
from pearljoin._errors import InputError
from pearljoin._optional import require

if TYPE_CHECKING:
    import polars as pl

__all__ = ["check_suffix", "read_table", "write_table"]

FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "json lines",
    ".ndjson": "json lines",
    ".arrow": "arrow",
    ".ipc": "arrow",
    ".feather": "arrow",
}
SEPARATORS = {"csv": ",", "tsv": "\t"}

INTEGER = r"^(0|-?[1-9][0-9]{0,17})$"


def check_suffix(path: Path) -> str:
    """Tell a file's format.

    Raises
    ------
    InputError
        If the suffix is none that is known.
    """
    try:
        return FORMATS[path.suffix.lower()]
    except KeyError:
        raise InputError(
            f"The suffix of {str(path)!r} names no format. Got {path.suffix!r}. "
            f"Hint: one of {', '.join(FORMATS)}."
        ) from None


def read_table(path: Path, *, text: Collection[str] = (), encoding: str = "utf-8") -> pl.DataFrame:
    """Read a table.

    Parameters
    ----------
    path
        The file.
    text
        Columns that a CSV or TSV file gives as text whatever they look like. Its other columns
        become numbers, booleans or dates only where writing them gives the same text again: a
        column with "007" or "1.50" stays text.
    encoding
        Of CSV and TSV files.

    Raises
    ------
    InputError
        If there is no such file, or it cannot be read as its suffix says.
    """
    kind = check_suffix(path)
    if not path.is_file():
        raise InputError(_not_a_file(path))
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror}.") from error
    if not data:
        raise InputError(f"{str(path)!r} is empty. Hint: a table has at least its column names.")
    with _as_input_errors(f"{str(path)!r} cannot be read as {kind}"):
        if kind in SEPARATORS:
            return _read_csv(path, data, SEPARATORS[kind], text, encoding)
        return _read_binary(data, kind)


def write_table(table: pl.DataFrame, path: Path | None, kind: str = "csv") -> None:
    """Write a table to a file, or as CSV to standard output.

    Raises
    ------
    InputError
        If the format cannot hold one of the columns.
    """
    target: Any = io.BytesIO() if path is None else path
    with _as_input_errors(f"The result cannot be written as {kind}"):
        if kind in SEPARATORS:
            table.write_csv(target, separator=SEPARATORS[kind])
        elif kind == "parquet":
            table.write_parquet(target)
        elif kind == "json lines":
            table.write_ndjson(target)
        else:
            table.write_ipc(target)
    if path is None:
        sys.stdout.buffer.write(target.getvalue())
        sys.stdout.buffer.flush()


def _polars() -> Any:
    return require("polars", extra="cli", purpose="Reading a table from a file")


def _read_binary(data: bytes, kind: str) -> pl.DataFrame:
    polars = _polars()
    source = io.BytesIO(data)
    table: pl.DataFrame
    with _silent_panics():
        if kind == "parquet":
            table = polars.read_parquet(source)
        elif kind == "json lines":
            table = polars.read_ndjson(source, infer_schema_length=None)
        elif data.startswith(b"ARROW1"):
            table = polars.read_ipc(source)
        else:
            table = polars.read_ipc_stream(source)
    return table


@contextmanager
def _silent_panics() -> Iterator[None]:
    """Keep what Rust prints when it panics on a damaged file from standard error.

    It goes past Python, so the file descriptor itself is turned away for the moment.
    """
    sys.stderr.flush()
    kept, away = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(away, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(away)


def _not_a_file(path: Path) -> str:
    if path.is_dir():
        return f"A table is a file. Got the folder {str(path)!r}. Hint: give a file in it."
    beside = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
    return f"There is no file {str(path)!r}. {hint(path.name, beside, 'check the path.')}"


def _read_csv(
    path: Path, data: bytes, separator: str, text: Collection[str], encoding: str
) -> pl.DataFrame:
    polars = _polars()
    data = _as_utf8(path, data, encoding)
    options = {"separator": separator, "infer_schema": False}
    first = polars.read_csv(data, has_header=False, n_rows=1, **options).row(0)
    names = ["" if name is None else name for name in first]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(
            f"{str(path)!r} has several columns of one name. Got {', '.join(map(repr, twice))} "
            "more than once. Hint: rename them so that every column has a name of its own."
        )
    table: pl.DataFrame = polars.read_csv(data, **options)
    return table.with_columns(_typed(table[name]) for name in table.columns if name not in text)


def _as_utf8(path: Path, data: bytes, encoding: str) -> bytes:
    try:
        decoded = data.decode(encoding)
    except LookupError:
        raise InputError(
            f"There is no text encoding {encoding!r}. Hint: utf-8, cp1252, latin-1 or utf-16."
        ) from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{str(path)!r} is not {encoding} text. Got byte 0x{data[error.start]:02x} in line "
            f"{line}. Hint: name the file's encoding, such as --encoding cp1252."
        ) from None
    utf8 = encoding.lower().replace("_", "-") in {"utf-8", "utf8"}
    return data if utf8 else decoded.encode()


def _typed(column: pl.Series) -> pl.Series:
    """A text column as numbers, booleans or dates, where these are written as it has them."""
    polars = _polars()
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
    return bool((values.cast(_polars().String) == text).all(ignore_nulls=False))


@contextmanager
def _as_input_errors(what: str) -> Iterator[None]:
    """Turn polars' errors into one line; its panics (on damaged files) too."""
    polars = _polars()
    try:
        yield
    except InputError:
        raise
    except (polars.exceptions.PolarsError, ValueError, OSError) as error:
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise InputError(f"{what}: {reason[0].rstrip('.')}.") from error
    except BaseException as error:
        # Not an Exception, so that it is not caught by accident.
        if type(error).__name__ != "PanicException":
            raise
        raise InputError(f"{what}: it is damaged.") from error
