"""The options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "BatchSize",
    "By",
    "Device",
    "Encoder",
    "Encoding",
    "How",
    "NullsEqual",
    "On",
    "OneOn",
    "Out",
    "Quiet",
    "Table",
    "Threshold",
    "Verbose",
    "Veto",
    "Weight",
]


class How(StrEnum):
    """Kinds of join."""

    left = "left"
    inner = "inner"
    right = "right"
    full = "full"
    outer = "outer"
    semi = "semi"
    anti = "anti"


Table = Annotated[Path, typer.Argument(help="A file.", show_default=False)]
On = Annotated[
    list[str] | None,
    typer.Option(
        "--on",
        help="Key column; again for another. A single key is read from CSV as text, whatever it "
        "looks like. Default: the one text column.",
    ),
]
OneOn = Annotated[str | None, typer.Option("--on", help="Key column. Default: the one text column")]
By = Annotated[
    list[str] | None, typer.Option(help="Column that must be equal to match; again for another.")
]
Veto = Annotated[
    list[str] | None,
    typer.Option(
        help="Column in which two different values forbid a match, and an empty cell forbids "
        "nothing; again for another."
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Where the result goes. Default: standard output, as CSV."),
]
Threshold = Annotated[str, typer.Option(help="Lowest score of a match, 0 to 1, or auto.")]
Weight = Annotated[
    list[float] | None, typer.Option(help="What each key column counts for, in their order.")
]
Encoder = Annotated[str, typer.Option(help="A bundled name, a model folder, or a hub id.")]
NullsEqual = Annotated[bool, typer.Option("--nulls-equal", help="Null keys match each other.")]
Device = Annotated[str, typer.Option(help="Where to encode and search: auto, cpu or cuda.")]
BatchSize = Annotated[int | None, typer.Option(help="Phrases encoded at once.")]
Encoding = Annotated[str, typer.Option(help="Text encoding of CSV and TSV input.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar, no summary.")]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Log what is done, with a progress bar.")
]
