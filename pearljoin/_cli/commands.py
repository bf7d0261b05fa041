"""The commands. All they do goes through pearljoin's public functions."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

import pearljoin as pj
from pearljoin._atomic import atomic_file
from pearljoin._cli.files import check_suffix, read_table, write_table
from pearljoin._cli.info import show
from pearljoin._cli.near import hint
from pearljoin._cli.options import (
    BatchSize,
    By,
    Device,
    Encoder,
    Encoding,
    How,
    NullsEqual,
    On,
    OneOn,
    Out,
    Quiet,
    Table,
    Threshold,
    Verbose,
    Veto,
    Weight,
)
from pearljoin._cli.signals import check
from pearljoin._match_log import keys_text
from pearljoin._options import MatchOptions, names_of
from pearljoin._tables.keys import KeyOptions, resolve_reference
from pearljoin._tables.read_table import as_table

if TYPE_CHECKING:
    import polars as pl

__all__ = ["app"]

app = typer.Typer(
    name="pearljoin",
    help="Fuzzy joins and duplicates in tables, on phrase embeddings that run on a laptop. Tables "
    "are CSV, TSV, Parquet, JSON Lines or Arrow IPC files, told apart by their suffix.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

TEXT = {"String", "Categorical", "Enum"}
"""polars' names for the types of a text column."""

PIPE_CLOSED = 128 + 13  # SIGPIPE, which Windows does not name


@app.command()
def join(
    left: Annotated[Path, typer.Argument(help="The table that is looked up.")],
    right: Annotated[Path, typer.Argument(help="The reference it is looked up in.")],
    on: On = None,
    left_on: Annotated[list[str] | None, typer.Option(help="Left's key column.")] = None,
    right_on: Annotated[list[str] | None, typer.Option(help="Right's key column.")] = None,
    by: By = None,
    left_by: Annotated[list[str] | None, typer.Option(help="Left's --by column.")] = None,
    right_by: Annotated[list[str] | None, typer.Option(help="Right's --by column.")] = None,
    veto: Veto = None,
    how: Annotated[How, typer.Option(help="Kind of join.")] = How.left,
    out: Out = None,
    threshold: Threshold = "auto",
    precision: Annotated[
        float, typer.Option(help="Share of matches that should be right, for --threshold auto.")
    ] = 0.9,
    constraint: Annotated[
        str, typer.Option(help="many_to_one, one_to_one or many_to_many; or m:1, 1:1, m:m.")
    ] = "many_to_one",
    k: Annotated[
        int | None, typer.Option("--k", "-k", help="Most matches of a left row, under m:m.")
    ] = None,
    weight: Weight = None,
    encoder: Encoder = "default",
    suffix: Annotated[
        list[str] | None,
        typer.Option(help="For right's clashing columns (_right); twice: left's, then right's."),
    ] = None,
    score: Annotated[str, typer.Option(help="Name of the score column.")] = "match_score",
    no_score: Annotated[bool, typer.Option("--no-score", help="No score column.")] = False,
    nulls_equal: NullsEqual = False,
    device: Device = "auto",
    batch_size: BatchSize = None,
    encoding: Encoding = "utf-8",
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Join two tables whose keys name the same things differently."""
    arguments = _arguments(locals())
    with _writing(out) as write:
        left_table = read_table(left, text=_single(on or left_on), encoding=encoding)
        right_table = read_table(right, text=_single(on or right_on), encoding=encoding)
        result = pj.match(left_table, right_table, **arguments)
        table = result.join(how.value, suffix=_suffix(suffix), score=None if no_score else score)
        write(table)
    matched = len(np.unique(result.matches().left))
    _summary(
        quiet,
        f"{_guessed(result)}matched {matched} of {len(left_table)} left rows at threshold "
        f"{result.threshold:.4g}",
        table,
        out,
    )


@app.command()
def dedupe(
    table: Table,
    on: On = None,
    by: By = None,
    out: Out = None,
    threshold: Threshold = "auto",
    weight: Weight = None,
    encoder: Encoder = "default",
    cluster: Annotated[str, typer.Option(help="Name of the column of numbers.")] = "cluster",
    canonical: Annotated[str, typer.Option(help="Name of the column of values.")] = "canonical",
    nulls_equal: NullsEqual = False,
    device: Device = "auto",
    batch_size: BatchSize = None,
    encoding: Encoding = "utf-8",
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Number the rows that name one thing alike, and give each the commonest of its names."""
    arguments = _arguments(locals())
    with _writing(out) as write:
        rows = read_table(table, text=_single(on), encoding=encoding)
        guess = None if on else _guess(rows, arguments["by"])
        arguments["on"] = guess or arguments["on"]
        result: pl.DataFrame = pj.deduplicate(
            rows, **arguments, cluster=cluster, canonical=canonical
        )
        write(result)
    _summary(
        quiet,
        f"{'' if guess is None else f'compared {guess}, guessed; '}{len(result)} rows name "
        f"{result[cluster].n_unique()} things",
        result,
        out,
    )


@app.command()
def encode(
    table: Table,
    on: OneOn = None,
    out: Out = None,
    n_components: Annotated[
        int | None, typer.Option(help="Fewer columns: that many principal axes.")
    ] = None,
    encoder: Encoder = "default",
    device: Device = "auto",
    batch_size: BatchSize = None,
    encoding: Encoding = "utf-8",
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Add a text column's vectors to a table, as columns <column>_0, <column>_1, ..."""
    with _writing(out) as write:
        read = read_table(table, text=_single([on] if on else None), encoding=encoding)
        name = _text_column(read, on)
        transformer = pj.PhraseEncoder(
            encoder,
            n_components=n_components,
            batch_size=batch_size,
            device=device,
            verbose=_progress(quiet, verbose),
        ).set_output(transform="polars")
        vectors: pl.DataFrame = transformer.fit_transform(read[name])
        taken = [column for column in vectors.columns if column in read.columns]
        if taken:
            raise pj.InputError(
                f"The table already has columns of the vectors' names. Got {taken[0]!r}. "
                "Hint: rename them."
            )
        result = read.hstack(vectors)
        write(result)
    _summary(quiet, f"encoded {name!r} in {vectors.width} columns", result, out)


@app.command()
def info() -> None:
    """Show the version, the bundled models and whether they are whole, extras and devices."""
    if not show():
        raise typer.Exit(1)


@contextlib.contextmanager
def _writing(out: Path | None) -> Iterator[Any]:
    """Give the function that writes the result; find out first whether it can be written."""
    if out is None:
        yield _print
        check()
        return
    kind = check_suffix(out)
    hint = "give --out a file in a folder that exists and that you may write to."
    with atomic_file(out, what="output", hint=hint) as temporary:
        yield lambda table: write_table(table, temporary, kind)
        # An interrupted command writes nothing, wherever the exception of the signal was dropped.
        check()


def _print(table: pl.DataFrame) -> None:
    check()
    try:
        write_table(table, None)
    except BrokenPipeError:
        # Whoever read it has left. Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(PIPE_CLOSED) from None


def _arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of pearljoin's functions among a command's parameters."""
    columns = {name: _names(given[name]) for name in names_of(KeyOptions) if name in given}
    options = {name: given[name] for name in names_of(MatchOptions) if name in given}
    return {
        **columns,
        **options,
        "threshold": _threshold(given["threshold"]),
        "weights": given["weight"] or None,
        "verbose": _progress(given["quiet"], given["verbose"]),
    }


def _guess(table: pl.DataFrame, by: Any) -> str:
    """The key column of a table where none is named; an error lists the choices."""
    names, _ = resolve_reference(as_table(table, "left"), KeyOptions(by=by))
    return str(names.keys[0])


def _guessed(result: pj.MatchResult) -> str:
    """Name guessed keys, for the summary."""
    keys = keys_text(result.keys, result.comparison)
    return f"joined on {keys}; " if result.keys.guessed else ""


def _names(given: Sequence[str] | None) -> str | list[str] | None:
    if not given:
        return None
    return given[0] if len(given) == 1 else list(given)


def _single(given: Sequence[str] | None) -> Sequence[str]:
    """A key that stands alone; beside others, numbers and dates compare by closeness."""
    return given if given and len(given) == 1 else ()


def _suffix(given: Sequence[str] | None) -> str | tuple[str, ...]:
    if not given:
        return "_right"
    return given[0] if len(given) == 1 else tuple(given)


def _threshold(given: str) -> float | str:
    try:
        return float(given)
    except ValueError:
        return given


def _text_column(table: pl.DataFrame, wanted: str | None) -> str:
    """The column that was named, or the only text column; else an error that lists the choices."""
    if wanted in table.columns:
        return str(wanted)
    listed = f"Got columns {', '.join(map(repr, table.columns))}."
    if wanted is not None:
        advice = hint(wanted, table.columns, "name one of them with --on.")
        raise pj.InputError(f"There is no column {wanted!r}. {listed} {advice}")
    texts = [name for name, dtype in table.schema.items() if str(dtype.base_type()) in TEXT]
    if len(texts) != 1:
        raise pj.InputError(
            f"There is not one text column but {len(texts)}. {listed} Hint: name one with --on."
        )
    return texts[0]


def _progress(quiet: bool, verbose: bool) -> bool | None:
    """Whether to show progress bars; a pipe never gets one."""
    if verbose:
        logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    if quiet:
        return False
    return True if verbose and sys.stderr.isatty() else None


def _summary(quiet: bool, what: str, table: pl.DataFrame, out: Path | None) -> None:
    if not quiet:
        where = "standard output" if out is None else str(out)
        typer.echo(f"pearljoin: {what}; {len(table)} rows to {where}", err=True)
