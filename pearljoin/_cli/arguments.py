"""The words of a command line, read and checked before any table is.

What is found wrong here is a `UsageError` (exit code 2); what is found later is another error (1).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pearljoin._cli.files import SEPARATORS, Format, check_out, format_of, is_pipe, is_same
from pearljoin._cli.messages import UsageError, from_arguments
from pearljoin._cli.verbosity import progress
from pearljoin._kinds.checks import geo_names
from pearljoin._options import MatchOptions, names_of, read_how, read_weights
from pearljoin._tables.given_kinds import given_kinds
from pearljoin._tables.keys import KeyOptions, check_names
from pearljoin._typing import How

__all__ = [
    "Source",
    "Target",
    "check_labels",
    "check_report",
    "encoder_arguments",
    "join_kind",
    "match_arguments",
    "read_rules",
    "sources",
    "suffixes",
    "target",
]


COLUMNS = ("on", "left_on", "right_on", "by", "left_by", "right_by", "veto")
"""Options that name columns of a table, once or more often."""


@dataclass(frozen=True, slots=True)
class Source:
    """An input: the file, or standard input, how its text is read, and what says its encoding."""

    path: Path
    encoding: str
    delimiter: str | None
    encoding_option: str


@dataclass(frozen=True, slots=True)
class Target:
    """Where the result goes and how it is written; no path: to standard output."""

    path: Path | None
    how: Format
    escape: bool

    def __str__(self) -> str:
        return "standard output" if self.path is None else str(self.path)


def sources(
    paths: Sequence[Path],
    encodings: Sequence[str] | str | None,
    delimiters: Sequence[str] | str | None,
) -> list[Source]:
    """Check the inputs, each with its own encoding and delimiter, or with those of all."""
    encoding = _of_each(encodings, len(paths), "--encoding") or ["utf-8"] * len(paths)
    delimiter = _of_each(delimiters, len(paths), "--delimiter") or [None] * len(paths)
    for name in encoding:
        _check_encoding(name)
    options = [_encoding_option(encoding, at) for at in range(len(paths))]
    found = [Source(*of_file) for of_file in zip(paths, encoding, delimiter, options, strict=True)]
    with from_arguments():
        for source in found:
            format_of(source.path, source.delimiter)
    return found


def target(
    out: Path | None,
    inputs: Sequence[Source],
    *,
    escape: bool,
    others: Iterable[Path | None] = (),
    option: str = "--out",
) -> Target:
    """Check an output, whose delimiter is that of the (left) input; `others` are read, too."""
    check_out(out, _read_paths(inputs, others), option)
    with from_arguments():
        how = format_of(out or Path("-"), inputs[0].delimiter)
    if escape and how.kind not in SEPARATORS:
        raise UsageError(
            f"--escape-formulas is for CSV and TSV. Got {option} {str(out)!r}. Hint: leave it out, "
            "or choose one of these."
        )
    return Target(None if is_pipe(out) else out, how, escape)


def check_report(
    report: Path | None,
    results: Iterable[Path | None],
    inputs: Sequence[Source],
    others: Iterable[Path | None] = (),
) -> None:
    """Check where a report goes: to no file that is read or written beside it, and to no pipe."""
    if report is None:
        return
    check_out(report, _read_paths(inputs, others), "--report")
    if is_pipe(report) or any(is_same(report, path) for path in results if path is not None):
        raise UsageError(
            f"A report is a file of its own. Got --report {str(report)!r}. Hint: --report "
            "report.html."
        )


def check_labels(labels: Path | None, threshold: str) -> None:
    """Refuse a threshold beside the labels that it is to be learned from."""
    if labels is not None and threshold != "auto":
        raise UsageError(
            f"Labels choose the threshold. Got --labels and --threshold {threshold}. Hint: leave "
            "one of them out; --precision says what share of matches should be right."
        )


def match_arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    """Check the arguments of `match` or `deduplicate` among a command's parameters."""
    columns: dict[str, Any] = {name: _names(given[name]) for name in COLUMNS if name in given}
    columns |= {
        "kinds": _kinds(given["kind"]),
        "geo": tuple(given["geo"] or ()) or None,
        "phone_region": given["phone_region"],
    }
    options = {name: given[name] for name in names_of(MatchOptions) if name in given}
    options |= {
        "threshold": _threshold(given["threshold"]),
        "weights": given["weight"] or None,
        "verbose": progress(given["quiet"], given["verbose"]),
    }
    with from_arguments():
        keys = KeyOptions(**columns)
        check_names(keys, both_sides=("on", "by"))
        MatchOptions(**options)
        if named := given["on"] or given.get("left_on"):
            partners = given.get("right_on") or ()
            read_weights(options["weights"], named, partners)
            geo = geo_names(keys.geo)
            given_kinds(keys, [*named, *(name for name in geo if name not in named)], partners)
    return columns | options


def encoder_arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    """Check the arguments of `PhraseEncoder` that a command's parameters share with a join's."""
    options = {name: given[name] for name in ("device", "batch_size")}
    options["verbose"] = progress(given["quiet"], given["verbose"])
    with from_arguments():
        MatchOptions(**options)
    return options


def read_rules(path: Path) -> dict[str, Any]:
    """Read the rules of golden records from a TOML file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(
            f"--golden is not readable. Got {str(path)!r}: {error}. "
            "Hint: it takes a TOML file with a rule for each column: in rules.toml, the two lines "
            "name = 'longest' and year = 'median', and then --golden rules.toml."
        ) from error


def join_kind(given: str) -> How:
    """Check the kind of a join."""
    with from_arguments():
        return read_how(given)


def suffixes(given: Sequence[str] | None) -> str | tuple[str, ...]:
    """Check what is appended to columns of one name: the right's, or a pair."""
    if not given:
        return "_right"
    if len(given) > 2:
        raise UsageError(
            f"--suffix is given at most twice. Got it {len(given)} times. Hint: once for right's "
            "columns, or twice, for left's and then right's."
        )
    return given[0] if len(given) == 1 else tuple(given)


def _read_paths(inputs: Iterable[Source], others: Iterable[Path | None]) -> list[Path]:
    return [*(source.path for source in inputs), *(path for path in others if path is not None)]


def _of_each(given: Sequence[str] | str | None, n_files: int, option: str) -> list[Any] | None:
    """What an option says of each input: given once, the same of all."""
    if not given:
        return None
    values = [given] if isinstance(given, str) else list(given)
    if len(values) > n_files:
        raise UsageError(f"{option} is given at most once a table. Got it {len(values)} times.")
    return values * n_files if len(values) == 1 else values


def _encoding_option(encodings: Sequence[str], at: int) -> str:
    """What gives one input another encoding, for which {} stands, and leaves that of the other."""
    names = ["{}" if place == at else name for place, name in enumerate(encodings)]
    told = " ".join(f"--encoding {name}" for name in names)
    return f"{told} (left's, right's)" if len(names) == 2 else told


def _check_encoding(name: str) -> None:
    try:
        # Of nothing, any encoding is taken.
        b"a".decode(name)
    except LookupError:
        raise UsageError(
            f"There is no text encoding {name!r}. Hint: --encoding utf-8, cp1252, latin-1 or "
            "utf-16."
        ) from None
    except UnicodeError:
        return


def _kinds(given: Iterable[str] | None) -> dict[str, str] | None:
    """Read kinds of columns, each as COLUMN=KIND."""
    found = {}
    for text in given or ():
        column, sign, kind = text.rpartition("=")
        if not sign or not column:
            raise UsageError(
                f"--kind takes a column and its kind. Got {text!r}. Hint: --kind zip=postcode."
            )
        found[column] = kind.strip()
    return found or None


def _names(given: Iterable[str] | None) -> str | list[str] | None:
    names = list(given or ())
    if not names:
        return None
    return names[0] if len(names) == 1 else names


def _threshold(given: str) -> float | str:
    if given == "auto":
        return given
    try:
        return float(given)
    except ValueError:
        raise UsageError(
            f"--threshold is not understood. Got {given!r}. Hint: a number from 0 to 1, or auto."
        ) from None
