"""The options that several commands share, and how numbers among them are read.

typer's own messages differ by its version, so what is no number is told here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from pearljoin._cli.messages import UsageError

__all__ = [
    "BatchSize",
    "By",
    "Constraint",
    "Delimiter",
    "Delimiters",
    "Device",
    "Encoder",
    "Encoding",
    "Encodings",
    "EscapeFormulas",
    "Geo",
    "Golden",
    "How",
    "K",
    "Kind",
    "Labels",
    "LeftBy",
    "LeftOn",
    "MaxSize",
    "NComponents",
    "NoScore",
    "NullsEqual",
    "On",
    "OneOn",
    "OnePer",
    "Out",
    "Pairs",
    "PhoneRegion",
    "Precision",
    "Quiet",
    "Report",
    "RightBy",
    "RightOn",
    "Score",
    "Suffix",
    "Table",
    "Threshold",
    "Verbose",
    "Version",
    "Veto",
    "Weight",
]


def number(option: str) -> Callable[[Any], float]:
    """Make what reads the number that an option was given."""

    def read(given: Any) -> float:
        try:
            return float(given)
        except ValueError:
            raise UsageError(f"{option} takes a number. Got {given!r}.") from None

    read.__name__ = "float"  # which typer may show in the help
    return read


def count(option: str) -> Callable[[Any], int]:
    """Make what reads the whole number above 0 that an option was given."""

    def read(given: Any) -> int:
        if not str(given).isdecimal() or int(given) < 1:
            raise UsageError(f"{option} takes a whole number above 0. Got {given!r}.")
        return int(given)

    read.__name__ = "integer"
    return read


def text(given: str) -> str:
    """Read what parts the cells of CSV."""
    read = {"tab": "\t", "\\t": "\t"}.get(given, given)
    if len(read) != 1 or not read.isascii() or read in '"\r\n\0':
        raise UsageError(
            f"--delimiter takes one character, such as ';' or '|', or tab. Got {given!r}."
        )
    return read


def show_version(asked: bool) -> None:
    """Print the version and end, where it was asked for."""
    if asked:
        from pearljoin import __version__

        typer.echo(f"pearljoin {__version__}")
        raise typer.Exit


Table = Annotated[Path, typer.Argument(help="A file, or - for standard input.", show_default=False)]
On = Annotated[
    list[str] | None,
    typer.Option(
        "--on",
        help="Key column; again for another. 'first + last' are two that are read together. A "
        "single key is read from CSV as text, whatever it looks like. Default: a guess.",
    ),
]
OneOn = Annotated[str | None, typer.Option("--on", help="Key column. Default: the one text column")]
LeftOn = Annotated[list[str] | None, typer.Option(help="Left's key column.")]
RightOn = Annotated[list[str] | None, typer.Option(help="Right's key column.")]
By = Annotated[
    list[str] | None, typer.Option(help="Column that must be equal to match; again for another.")
]
LeftBy = Annotated[list[str] | None, typer.Option(help="Left's --by column.")]
RightBy = Annotated[list[str] | None, typer.Option(help="Right's --by column.")]
Veto = Annotated[
    list[str] | None,
    typer.Option(
        help="Column in which two different values forbid a match, and an empty cell forbids "
        "nothing; again for another."
    ),
]
Kind = Annotated[
    list[str] | None,
    typer.Option(
        help="Kind of a key column, as COLUMN=KIND, where it is not to be recognised: name, text, "
        "person, address, date, email, phone, postcode, code, number, category or list; again for "
        "another.",
    ),
]
Geo = Annotated[
    list[str] | None,
    typer.Option(help="Columns of coordinates, in degrees: latitude, then again for longitude."),
]
PhoneRegion = Annotated[
    str | None,
    typer.Option(help="Country of phone numbers without a country code, such as GB."),
]
How = Annotated[
    str, typer.Option(help="Kind of join: left, inner, right, full (or outer), semi or anti.")
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", help="Where the result goes. Default: - for standard output, as CSV."
    ),
]
Threshold = Annotated[str, typer.Option(help="Lowest score of a match, 0 to 1, or auto.")]
Precision = Annotated[
    float,
    typer.Option(
        parser=number("--precision"),
        help="Share of matches that should be right, for --threshold auto.",
    ),
]
Constraint = Annotated[
    str, typer.Option(help="many_to_one, one_to_one or many_to_many; or m:1, 1:1, m:m.")
]
K = Annotated[
    int | None,
    typer.Option(
        "--k",
        "-k",
        parser=count("-k"),
        help="Most matches of a left row, under m:m.",
    ),
]
OnePer = Annotated[
    str | None,
    typer.Option("--one-per", help="Column of sources, of each of which a cluster has one row."),
]
MaxSize = Annotated[
    int | None, typer.Option(parser=count("--max-size"), help="Most rows of a cluster.")
]
Golden = Annotated[
    Path | None,
    typer.Option(
        help="TOML file with a rule for each column, such as name = 'longest': the result is one "
        "row for each cluster.",
    ),
]
Pairs = Annotated[
    Path | None, typer.Option(help="Where the pairs of rows in a cluster go, with their scores.")
]
Weight = Annotated[
    list[float] | None,
    typer.Option(
        parser=number("--weight"),
        help="What each key column counts for, in their order.",
    ),
]
Encoder = Annotated[str, typer.Option(help="A bundled name, a model folder, or a hub id.")]
Suffix = Annotated[
    list[str] | None,
    typer.Option(help="For right's clashing columns (_right); twice: left's, then right's."),
]
Score = Annotated[str, typer.Option(help="Name of the score column.")]
NoScore = Annotated[bool, typer.Option("--no-score", help="No score column.")]
NullsEqual = Annotated[bool, typer.Option("--nulls-equal", help="Null keys match each other.")]
Device = Annotated[str, typer.Option(help="Where to encode and search: auto, cpu or cuda.")]
BatchSize = Annotated[
    int | None,
    typer.Option(parser=count("--batch-size"), help="Phrases encoded at once."),
]
NComponents = Annotated[
    int | None,
    typer.Option(
        parser=count("--n-components"),
        help="Fewer columns: that many principal axes.",
    ),
]
Encoding = Annotated[
    str, typer.Option(help="Text encoding of CSV and TSV input; output is in UTF-8.")
]
Encodings = Annotated[
    list[str] | None,
    typer.Option(
        "--encoding",
        help="Text encoding of CSV and TSV input (utf-8); twice: left's, then right's. Output is "
        "in UTF-8.",
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        parser=text,
        help="What parts the cells of CSV, in and out, instead of a comma; or tab. Left out, ';', "
        "tab and '|' are recognised in the input.",
    ),
]
Delimiters = Annotated[
    list[str] | None,
    typer.Option(
        "--delimiter",
        parser=text,
        help="What parts the cells of CSV, in and out, instead of a comma; or tab. Twice: left's "
        "and the output's, then right's. Left out, ';', tab and '|' are recognised in the input.",
    ),
]
EscapeFormulas = Annotated[
    bool,
    typer.Option(
        "--escape-formulas",
        help="Write an apostrophe before text that a spreadsheet may take for a formula: what "
        "starts with = + - @, a tab or a line break. CSV and TSV.",
    ),
]
Report = Annotated[
    Path | None,
    typer.Option(help="Where an HTML report goes: scores, doubtful pairs, and a review of them."),
]
Labels = Annotated[
    Path | None,
    typer.Option(
        help="CSV of labels that a report's review downloaded: --threshold auto is learned from "
        "them."
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar, no summary.")]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Log what is done, with a progress bar.")
]
Version = Annotated[
    bool,
    typer.Option("--version", callback=show_version, is_eager=True, help="Show the version."),
]
