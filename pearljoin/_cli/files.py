"""Read and write tables: in files, in the format that the suffix names, and through pipes."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from pearljoin._cli.csv_tables import (
    escape_formulas,
    polars_module,
    read_delimited,
    warn_of_separator,
)
from pearljoin._cli.excel_tables import read_workbook, write_workbook
from pearljoin._cli.messages import UsageError
from pearljoin._errors import InputError, MissingExtraError, did_you_mean

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "CSV",
    "PIPE",
    "Format",
    "check_out",
    "format_of",
    "is_pipe",
    "is_same",
    "read_table",
    "write_table",
]

PIPE = Path("-")
"""Standard input, or standard output."""

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
    ".xlsx": "excel",
}
SEPARATORS = {"csv": ",", "tsv": "\t"}
COMPRESSIONS: dict[str, Any] = {".gz": gzip, ".bz2": bz2, ".xz": lzma}
"""Suffixes after that of the format, and who reads and writes them."""


@dataclass(frozen=True, slots=True)
class Format:
    """How a table stands in a file.

    Attributes
    ----------
    kind
        One of the values of `FORMATS`.
    compression
        One of the keys of `COMPRESSIONS`, or none.
    separator
        What parts the cells of CSV and TSV.
    """

    kind: str
    compression: str = ""
    separator: str = ","


CSV = Format("csv")


def format_of(path: Path, delimiter: str | None = None) -> Format:
    """Tell a file's format.

    Parameters
    ----------
    path
        The file; `PIPE` is CSV.
    delimiter
        What parts the cells of CSV, other than a comma.

    Raises
    ------
    InputError
        If the suffix is none that is known.
    """
    suffix, compression = path.suffix.lower(), ""
    if suffix in COMPRESSIONS:
        suffix, compression = Path(path.stem).suffix.lower(), suffix
    kind = "csv" if is_pipe(path) else FORMATS.get(suffix)
    if kind is None:
        raise InputError(
            f"The suffix of {str(path)!r} names no format. Got {path.suffix!r}. "
            f"Hint: one of {', '.join(FORMATS)}; {', '.join(COMPRESSIONS)} may follow it."
        )
    separator = delimiter if delimiter and kind == "csv" else SEPARATORS.get(kind, ",")
    return Format(kind, compression, separator)


def is_pipe(path: Path | None) -> bool:
    """Tell whether a path stands for standard input or output."""
    return path is None or path == PIPE


def check_out(out: Path | None, inputs: Iterable[Path], option: str = "--out") -> None:
    """Refuse an output that would take the place of an input, and two inputs from one pipe.

    Parameters
    ----------
    out, option
        The output, and the option that names it.
    inputs
        What is read.

    Raises
    ------
    UsageError
        If so; a file is the same by another path, a symbolic or a hard link, too.
    """
    inputs = list(inputs)
    if sum(map(is_pipe, inputs)) > 1:
        raise UsageError(
            "Standard input holds one table. Got - twice. Hint: give one of them as a file."
        )
    for path in inputs:
        if out is not None and not is_pipe(out) and not is_pipe(path) and is_same(out, path):
            raise UsageError(
                f"The output would overwrite an input. Got {option} {str(out)!r}, which is the "
                f"file {str(path)!r}. Hint: give {option} another name; the input can be replaced "
                "once the result has been looked at."
            )


def read_table(
    path: Path,
    *,
    text: Collection[str] = (),
    encoding: str = "utf-8",
    delimiter: str | None = None,
    encoding_option: str = "--encoding {}",
) -> pl.DataFrame:
    """Read a table.

    Parameters
    ----------
    path
        The file; `PIPE`: CSV from standard input.
    text
        Columns that a CSV, TSV or Excel file gives as text whatever they look like. Other columns
        of CSV and TSV become numbers, booleans or dates only where writing them gives the same text
        again: a column with "007" or "1.50" stays text.
    encoding
        Of CSV and TSV files.
    delimiter
        As in `format_of`; None: as the first lines of CSV have it.
    encoding_option
        What says this file's encoding, for which {} stands, in messages.

    Raises
    ------
    InputError
        If there is no such file, or it cannot be read as its suffix says.
    """
    how = format_of(path, delimiter)
    name = "Standard input" if is_pipe(path) else repr(str(path))
    data = _read_bytes(path, name, how.compression)
    if not data:
        raise InputError(f"{name} is empty. Hint: a table has at least its column names.")
    with _as_input_errors(f"{name} cannot be read as {how.kind}"):
        if how.kind in SEPARATORS:
            separator = delimiter if how.kind == "csv" else how.separator
            table = read_delimited(name, data, separator, text, encoding, encoding_option)
            if how.kind == "csv":  # the only one whose delimiter can be given
                warn_of_separator(name, table.columns)
            return table
        if how.kind == "excel":
            return read_workbook(data, text)
        return _read_binary(data, how.kind)


def write_table(
    table: pl.DataFrame, path: Path | None, how: Format = CSV, escape: bool = False
) -> None:
    """Write a table to a file, or to standard output.

    Parameters
    ----------
    table
        The table.
    path
        The file, whatever its suffix; None: standard output.
    how
        The format.
    escape
        Whether to escape what a spreadsheet may take for a formula, in CSV and TSV.

    Raises
    ------
    InputError
        If the format cannot hold one of the columns.
    """
    with _as_input_errors(f"The result cannot be written as {how.kind}"):
        if path is None:
            target = io.BytesIO()
            _write(table, target, how, escape)
        else:
            with _opened(path, how.compression) as file:
                _write(table, file, how, escape)
    if path is None:
        sys.stdout.buffer.write(target.getvalue())
        sys.stdout.buffer.flush()


def _write(table: pl.DataFrame, target: Path | IO[bytes], how: Format, escape: bool) -> None:
    where: Any = target
    if how.kind in SEPARATORS:
        table = escape_formulas(table) if escape else table
        table.write_csv(where, separator=how.separator)
    elif how.kind == "parquet":
        table.write_parquet(where)
    elif how.kind == "json lines":
        table.write_ndjson(where)
    elif how.kind == "excel":
        write_workbook(table, where)
    else:
        table.write_ipc(where)


@contextlib.contextmanager
def _opened(path: Path, compression: str) -> Iterator[Path | IO[bytes]]:
    """Give what to write to: the path itself, or a file that compresses."""
    if not compression:
        yield path
    elif compression == ".gz":
        # Without name and time, so that equal tables give equal files.
        with path.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file:
            yield file  # type: ignore[misc]
    else:
        with COMPRESSIONS[compression].open(path, "wb") as file:
            yield file


def is_same(left: Path, right: Path) -> bool:
    """Whether two paths are one file, be it by a link or not there yet."""
    try:
        return left.samefile(right)
    except OSError:  # one of them is not there
        return os.path.realpath(left) == os.path.realpath(right)


def _read_bytes(path: Path, name: str, compression: str) -> bytes:
    if is_pipe(path):
        # A program that was started without one has no standard input.
        return b"" if sys.stdin is None else sys.stdin.buffer.read()
    if not path.is_file():
        raise InputError(_not_a_file(path))
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}.") from error
    if not compression:
        return data
    try:
        return bytes(COMPRESSIONS[compression].decompress(data))
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
        reason = str(error).rstrip(".")
        raise InputError(f"{name} cannot be decompressed as {compression}: {reason}.") from error


def _read_binary(data: bytes, kind: str) -> pl.DataFrame:
    polars = polars_module()
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


@contextlib.contextmanager
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
    advice = did_you_mean(path.name, beside) or "check the path."
    return f"There is no file {str(path)!r}. Hint: {advice}"


@contextlib.contextmanager
def _as_input_errors(what: str) -> Iterator[None]:
    """Turn polars' errors into one line; its panics (on damaged files) too."""
    polars = polars_module()
    try:
        yield
    except (InputError, MissingExtraError):
        raise
    except (polars.exceptions.PolarsError, ValueError, OSError) as error:
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise InputError(f"{what}: {reason[0].rstrip('.')}.") from error
    except BaseException as error:
        # Not an Exception, so that it is not caught by accident.
        if type(error).__name__ != "PanicException":
            raise
        raise InputError(f"{what}: it is damaged.") from error
