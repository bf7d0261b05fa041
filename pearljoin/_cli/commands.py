"""The commands. All they do goes through pearljoin's public functions."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

import pearljoin as pj
from pearljoin._atomic import atomic_file
from pearljoin._cli import options as o
from pearljoin._cli.arguments import (
    Source,
    Target,
    check_labels,
    check_report,
    encoder_arguments,
    join_kind,
    match_arguments,
    read_rules,
    sources,
    suffixes,
    target,
)
from pearljoin._cli.csv_tables import TEXT
from pearljoin._cli.files import read_table, write_table
from pearljoin._cli.messages import UsageError
from pearljoin._cli.repeated import with_labels
from pearljoin._cli.signals import check
from pearljoin._cli.verbosity import logging_to_stderr
from pearljoin._progress import stage, work
from pearljoin._tables.joined_columns import column_parts
from pearljoin._tables.keys import KeyOptions, resolve_reference
from pearljoin._tables.read_table import ONLY, as_table

if TYPE_CHECKING:
    import polars as pl

__all__ = ["app"]

HELP = (
    "Fuzzy joins and duplicates in tables, on phrase embeddings that run on a laptop. Tables are "
    "CSV, TSV, Parquet, JSON Lines, Arrow IPC or Excel files, told apart by their suffix, which "
    ".gz, .bz2 or .xz may follow; - is standard input or output, as CSV."
)
EXIT_CODES = (
    "Exit codes: 0, done. 1, a file, a table or a model that cannot be used, found while reading, "
    "matching or writing. 2, a command line that cannot be used, found before anything is read. "
    "130, interrupted. 141, the reader of the output left. 143, terminated."
)
PIPE_CLOSED = 128 + 13  # SIGPIPE, which Windows does not name

app = typer.Typer(
    name="pearljoin", add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
)


@app.callback(help=HELP, epilog=EXIT_CODES)
def pearljoin(version: o.Version = False) -> None:
    """Read the options that stand before a command."""


@app.command(epilog=EXIT_CODES)
def join(
    context: typer.Context,
    left: Annotated[Path, typer.Argument(help="The table that is looked up; - is a pipe.")],
    right: Annotated[Path, typer.Argument(help="The reference it is looked up in; - is a pipe.")],
    on: o.On = None,
    left_on: o.LeftOn = None,
    right_on: o.RightOn = None,
    by: o.By = None,
    left_by: o.LeftBy = None,
    right_by: o.RightBy = None,
    veto: o.Veto = None,
    kind: o.Kind = None,
    geo: o.Geo = None,
    phone_region: o.PhoneRegion = None,
    how: o.How = "left",
    out: o.Out = None,
    threshold: o.Threshold = "auto",
    precision: o.Precision = 0.9,
    constraint: o.Constraint = "many_to_one",
    k: o.K = None,
    weight: o.Weight = None,
    encoder: o.Encoder = "auto",
    suffix: o.Suffix = None,
    score: o.Score = "match_score",
    no_score: o.NoScore = False,
    nulls_equal: o.NullsEqual = False,
    device: o.Device = "auto",
    batch_size: o.BatchSize = None,
    encoding: o.Encodings = None,
    delimiter: o.Delimiters = None,
    escape_formulas: o.EscapeFormulas = False,
    report: o.Report = None,
    labels: o.Labels = None,
    quiet: o.Quiet = False,
    verbose: o.Verbose = False,
) -> None:
    """Join two tables whose keys name the same things differently."""
    arguments, joins, pair = match_arguments(locals()), join_kind(how), suffixes(suffix)
    inputs = sources([left, right], encoding, delimiter)
    to = target(out, inputs, escape=escape_formulas, others=[labels])
    check_report(report, [out], inputs, [labels])
    check_labels(labels, threshold)
    if labels is not None:
        arguments["threshold"] = pj.LabelledThreshold.from_file(labels, precision=precision)
    with logging_to_stderr(verbose), work(arguments["verbose"]), _writing(to) as write:
        left_table = _read(inputs[0], on or left_on)
        right_table = _read(inputs[1], on or right_on)
        result = pj.match(left_table, right_table, **arguments)
        if labels is not None:
            result._check_labels(labels)
        table = result.join(joins, suffix=pair, score=None if no_score else score)
        if report is not None:
            title = f"{left.name} joined with {right.name}"
            result._write_report(report, title, with_labels(context))
        quality = "" if quiet else _learned(result) or _estimated(result, "these")
        write(table)
    # Imported here, as below: help and wrong usage do not wait for what a join needs.
    from pearljoin._match_log import keys_text

    matched = len(np.unique(result.matches().left))
    _summary(
        quiet,
        f"joined on {keys_text(result.keys, result.comparison)}; matched {matched} of "
        f"{len(left_table)} left rows at threshold {result.threshold:.4g}" + quality,
        table,
        to,
    )
    _tell_report(quiet, report)


@app.command(epilog=EXIT_CODES)
def dedupe(
    context: typer.Context,
    table: o.Table,
    on: o.On = None,
    by: o.By = None,
    kind: o.Kind = None,
    geo: o.Geo = None,
    phone_region: o.PhoneRegion = None,
    veto: o.Veto = None,
    out: o.Out = None,
    golden: o.Golden = None,
    pairs: o.Pairs = None,
    threshold: o.Threshold = "auto",
    precision: o.Precision = 0.9,
    one_per: o.OnePer = None,
    max_size: o.MaxSize = None,
    weight: o.Weight = None,
    encoder: o.Encoder = "auto",
    cluster: Annotated[str, typer.Option(help="Name of the column of numbers.")] = "cluster",
    canonical: Annotated[str, typer.Option(help="Name of the column of values.")] = "canonical",
    nulls_equal: o.NullsEqual = False,
    device: o.Device = "auto",
    batch_size: o.BatchSize = None,
    encoding: o.Encoding = "utf-8",
    delimiter: o.Delimiter = None,
    escape_formulas: o.EscapeFormulas = False,
    report: o.Report = None,
    labels: o.Labels = None,
    quiet: o.Quiet = False,
    verbose: o.Verbose = False,
) -> None:
    """Number the rows that name one thing alike, and give each the commonest of its names."""
    arguments = match_arguments(locals())
    if cluster == canonical:
        raise UsageError(f"--cluster and --canonical must differ. Got {cluster!r} for both.")
    inputs = sources([table], encoding, delimiter)
    read = [labels, golden]
    to = target(out, inputs, escape=escape_formulas, others=read)
    beside = None
    if pairs is not None:
        beside = target(pairs, inputs, escape=escape_formulas, others=read, option="--pairs")
    if beside is not None and beside.path in (None, to.path):
        raise UsageError(f"--pairs needs a file of its own. Got {str(pairs)!r}.")
    check_report(report, [out, pairs], inputs, read)
    check_labels(labels, threshold)
    if labels is not None:
        arguments["threshold"] = pj.LabelledThreshold.from_file(labels, precision=precision)
    rules = None if golden is None else read_rules(golden)
    with (
        logging_to_stderr(verbose),
        work(arguments["verbose"]),
        _writing(to) as write,
        _beside(beside) as write_pairs,
    ):
        rows = _read(inputs[0], on)
        guess = None if on else _guess(rows, arguments["by"], arguments["veto"])
        arguments["on"] = guess or arguments["on"]
        found = pj.find_duplicates(rows, **arguments, one_per=one_per, max_size=max_size)
        if labels is not None:
            found._check_labels(labels)
        result: pl.DataFrame = (
            found.table(cluster, canonical) if rules is None else found.golden(rules)
        )
        if report is not None:
            title = f"Duplicates in {table.name}"
            found._write_report(report, title, with_labels(context), rules)
        learned = "" if labels is None else f", learned from {labels}"
        quality = "" if quiet else learned or _estimated(found, "the pairs")
        write_pairs(found.pairs)
        write(result)
    n_things = len(np.unique(found.clusters()))
    things = "thing" if n_things == 1 else "things"
    compared = "" if guess is None else f"compared {', '.join(guess)}, guessed; "
    _summary(
        quiet,
        f"{compared}{len(rows)} rows name "
        f"{n_things} {things} at threshold {found.threshold:.4g}" + quality,
        result,
        to,
    )
    _tell_report(quiet, report)


@app.command(epilog=EXIT_CODES)
def encode(
    table: o.Table,
    on: o.OneOn = None,
    out: o.Out = None,
    n_components: o.NComponents = None,
    encoder: o.Encoder = "default",
    device: o.Device = "auto",
    batch_size: o.BatchSize = None,
    encoding: o.Encoding = "utf-8",
    delimiter: o.Delimiter = None,
    escape_formulas: o.EscapeFormulas = False,
    quiet: o.Quiet = False,
    verbose: o.Verbose = False,
) -> None:
    """Add a text column's vectors to a table, as columns <column>_0, <column>_1, ..."""
    arguments = encoder_arguments(locals())
    inputs = sources([table], encoding, delimiter)
    to = target(out, inputs, escape=escape_formulas)
    with logging_to_stderr(verbose), _writing(to) as write:
        read = _read(inputs[0], [on] if on else None)
        name = _text_column(read, on)
        transformer = pj.PhraseEncoder(encoder, n_components=n_components, **arguments)
        vectors: pl.DataFrame = transformer.set_output(transform="polars").fit_transform(read[name])
        taken = [column for column in vectors.columns if column in read.columns]
        if taken:
            raise pj.InputError(
                f"The table already has columns of the vectors' names. Got {taken[0]!r}. "
                "Hint: rename them."
            )
        result = read.hstack(vectors)
        write(result)
    _summary(quiet, f"encoded {name!r} in {vectors.width} columns", result, to)


@app.command(epilog=EXIT_CODES)
def info() -> None:
    """Show the version, the bundled models and whether they are whole, extras and devices."""
    from pearljoin._cli.info import show

    if not show():
        raise typer.Exit(1)


@contextlib.contextmanager
def _writing(to: Target) -> Iterator[Any]:
    """Give the function that writes the result; find out first whether it can be written."""
    if to.path is None:
        yield lambda table: _print(table, to)
        check()
        return
    hint = "give --out a file in a folder that exists and that you may write to."
    with atomic_file(to.path, what="output", hint=hint) as temporary:
        yield lambda table: write_table(table, temporary, to.how, to.escape)
        # An interrupted command writes nothing, wherever the exception of the signal was dropped.
        check()


@contextlib.contextmanager
def _beside(to: Target | None) -> Iterator[Any]:
    """Give the function that writes a second result, if one is asked for."""
    if to is None:
        yield lambda make: None
        return
    with _writing(to) as write:
        yield lambda make: write(make())


def _print(table: pl.DataFrame, to: Target) -> None:
    check()
    try:
        write_table(table, None, to.how, to.escape)
    except BrokenPipeError:
        # Whoever read it has left. Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(PIPE_CLOSED) from None


def _guess(table: pl.DataFrame, by: Any, veto: Any) -> list[str]:
    """The key columns of a table where none is named; an error lists the choices."""
    names, _ = resolve_reference(as_table(table, ONLY), KeyOptions(by=by, veto=veto))
    return list(map(str, names.keys))


def _read(source: Source, keys: Sequence[str] | None) -> pl.DataFrame:
    # A key that stands alone is text; beside others, numbers and dates compare by closeness.
    text = (keys[0], *map(str, column_parts(keys[0]))) if keys and len(keys) == 1 else ()
    with stage("read"):
        return read_table(
            source.path,
            text=text,
            encoding=source.encoding,
            delimiter=source.delimiter,
            encoding_option=source.encoding_option,
        )


def _text_column(table: pl.DataFrame, wanted: str | None) -> str:
    """The column that was named, or the only text column; else an error that lists the choices."""
    if wanted is not None:
        as_table(table, ONLY).column(wanted, "on")
        return wanted
    texts = [name for name, dtype in table.schema.items() if str(dtype.base_type()) in TEXT]
    if len(texts) == 1:
        return texts[0]
    raise pj.InputError(
        f"There is not one text column but {len(texts)}. "
        f"Got columns {', '.join(map(repr, table.columns))}. Hint: name one with --on."
    )


def _learned(result: pj.MatchResult[Any]) -> str:
    """What labels say of the matches, where there are labels."""
    rule = result._options.threshold
    if not isinstance(rule, pj.LabelledThreshold):
        return ""
    low, high = result.precision_interval()
    return f", learned from {rule.n_labels} labels; {100 * low:.0f} to {100 * high:.0f} % are right"


def _estimated(result: pj.MatchResult[Any] | pj.DedupeResult[Any], what: str) -> str:
    """Say how precise a result is by its own scores; nothing where these are similarities."""
    if not result.calibrated:
        return ""
    precision = 100 * result.expected_precision()
    return "" if np.isnan(precision) else f"; an estimated {precision:.0f} % of {what} are right"


def _tell_report(quiet: bool, report: Path | None) -> None:
    if report is not None and not quiet:
        typer.echo(f"pearljoin: report to {report}", err=True)


def _summary(quiet: bool, what: str, table: pl.DataFrame, to: Target) -> None:
    if not quiet:
        typer.echo(f"pearljoin: {what}; {len(table)} rows to {to}", err=True)
