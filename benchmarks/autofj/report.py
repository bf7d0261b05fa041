"""Turning the kept results into the AutoFJ part of ``docs/benchmarks.md``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.autofj.methods import method_names
from benchmarks.autofj.protocols import Rates, macro_average
from benchmarks.autofj.results import RESULTS, Result, load_results
from pearljoin._atomic import write_text

__all__ = ["main", "render", "write"]

PUBLISHED = Path(__file__).with_name("published.json")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"
BEGIN, END = (
    "<!-- autofj: begin, written by `python -m benchmarks.autofj report` -->",
    ("<!-- autofj: end -->"),
)
N_TABLES = 50

INTRODUCTION = """## Fuzzy joins: the 50 AutoFJ tables

Names from DBpedia at two times ([Li et al. 2021](https://doi.org/10.1145/3448016.3452824)):
164,729 reference titles and 17,879 queries, of which 17,554 have a match. No method sees
a label of these tables.
Every rate is the macro average over tables, in per cent.

- **Top-1**: for each query that has a match, is the best reference title the right one? This is
  the protocol of the PEARL paper.
- **Join**: the call as a user makes it, with a precision target of 0.9 where one can be set.
  Precision P, recall R and F1 of the returned pairs, compared by title; a match for a query that
  has none counts against precision. *At target* counts the tables with a precision of 0.9 or more.
- **Open world**: the same after half of the matched titles are taken out of the reference (those
  where the first byte of the sha256 of the title is even), so that about half of the queries have
  no answer. AP is the area under the precision-recall curve of each query's best title by score,
  whatever the join returned.

*Rule* says how a join decides: by a *precision target*, by a *fixed threshold* (the library's
default), or it *accepts all*: the method has no rule, or its defaults reject nothing, and every
query's best title is returned. Such a row has the highest recall that its ranking allows, and in
the open world about half of what it returns is wrong. A dash says that a method has no such
value: AutoFJ gives its pairs neither a rank nor a score. A table where nothing is returned has
precision 0. Seconds are those of both forms of the tables together; compare them only where the
machine is the same, and only roughly: other work may have run beside.
"""

HEADER = (
    "| method | rule | top-1 | join P | R | F1 | at target | open P | R | F1 | AP "
    "| at target | seconds |\n|---|---|" + "---:|" * 11
)


def main(arguments: Sequence[str]) -> int:
    """Run ``python -m benchmarks.autofj report``; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.autofj report")
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FOLDER")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="FILE")
    options = parser.parse_args(arguments)
    write(options.page, render(load_results(options.results)))
    print(options.page)
    return 0


def write(page: Path, section: str) -> None:
    """Put the section into a page between its marks, and leave the rest of the page alone."""
    old = page.read_text(encoding="utf-8") if page.exists() else f"# Benchmarks\n\n{BEGIN}{END}\n"
    before, found, rest = old.partition(BEGIN)
    after = rest.partition(END)[2] if found else "\n"
    if not found:
        before = before.rstrip("\n") + "\n\n"
    write_text(page, f"{before}{BEGIN}\n{section}{END}{after}", what="page")


def render(results: Sequence[Result]) -> str:
    """Return the section in Markdown.

    Parameters
    ----------
    results
        Runs, one a method. Rows stand in the order of the registry of methods, other encoders
        after them; a method without a run is marked absent.
    """
    order = method_names()
    by_name = {result.method: result for result in results}
    others = sorted(name for name in by_name if name not in order)
    reasons: dict[str, str] = _published()["absent"]
    rows = [
        _row(by_name[name], _mark(by_name[name]))
        if name in by_name
        else _absent(name, reasons.get(name, "not run"))
        for name in order + others
    ]
    parts = [INTRODUCTION, "\n".join([HEADER, *rows]) + "\n", *_notes(results)]
    return "\n".join([*parts, _elsewhere(), _by_id(by_name), _circumstances(results)])


def _row(result: Result, mark: str = "") -> str:
    join, opened = _part(result.macro, "join"), _part(result.macro, "open")
    cells = [f"`{result.method}`{mark}", result.rule, _percent(result.macro["top1"])]
    cells += [_percent(join[name]) for name in ("precision", "recall", "f1")]
    cells.append(str(join["tables_at_target"]))
    cells += [_percent(opened[name]) for name in ("precision", "recall", "f1", "average_precision")]
    cells += [str(opened["tables_at_target"]), f"{result.seconds:,.0f}"]
    return f"| {' | '.join(cells)} |"


def _absent(name: str, reason: str) -> str:
    return f"| `{name}` | absent: {reason} |" + " |" * 11


def _mark(result: Result) -> str:
    return "" if len(result.tables) == N_TABLES else f" (only {len(result.tables)} tables)"


def _notes(results: Sequence[Result]) -> list[str]:
    notes = [f"`{result.method}`: {note}\n" for result in results for note in result.notes]
    partial = [result for result in results if len(result.tables) < N_TABLES]
    return notes + [_partial(result, results) for result in partial]


def _partial(result: Result, results: Sequence[Result]) -> str:
    """Return a note on a partial run, with all methods on its tables."""
    lines = [
        f"`{result.method}` was run on {len(result.tables)} of the {N_TABLES} tables "
        f"({', '.join(result.tables)}), so its row above does not compare with the others. "
        "On these same tables:\n",
        HEADER,
    ]
    for other in results:
        if set(result.tables) <= set(other.tables):
            chosen = {name: other.tables[name] for name in result.tables}
            macro = macro_average(list(chosen.values()), other.precision_target)
            lines.append(_row(replace(other, tables=chosen, macro=macro, seconds=_seconds(chosen))))
    return "\n".join(lines) + "\n"


def _seconds(tables: Mapping[str, Rates]) -> float:
    values = [rates["seconds"] for rates in tables.values()]
    return sum(value for value in values if isinstance(value, int | float))


def _published() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    return content


def _elsewhere() -> str:
    content = _published()
    lines = [
        "### As published or measured elsewhere, not run here\n",
        "| model | top-1 | from |\n|---|---:|---|",
        *(f"| {row['name']} | {row['top1']:.1f} | {row['source']} |" for row in content["rows"]),
        "",
        "| method | join P | R | open P | R | open, at target | seconds | from |",
        "|---|---:|---:|---:|---:|---:|---:|---|",
        *(_earlier(row) for row in content["earlier"]),
    ]
    return "\n".join(lines) + "\n"


def _earlier(row: dict[str, Any]) -> str:
    names = ("join_precision", "join_recall", "open_precision", "open_recall")
    rates = " | ".join(_percent(row[name]) for name in names)
    return (
        f"| {row['name']} | {rates} | {row['open_tables_at_target']} | {row['seconds']:,} "
        f"| {row['source']} |"
    )


def _by_id(results: dict[str, Result]) -> str:
    if "autofj" not in results:
        return ""
    by_id = _part(results["autofj"].macro, "join_by_id")
    precision, recall = _percent(by_id["precision"]), _percent(by_id["recall"])
    return (
        f"Compared by id instead of by title, autofj's join has precision {precision} and recall "
        f"{recall} over {len(results['autofj'].tables)} tables.\n"
    )


def _circumstances(results: Sequence[Result]) -> str:
    lines = [
        "### Made with\n",
        "| method | commit | machine | versions |\n|---|---|---|---|",
    ]
    for result in results:
        versions = ", ".join(f"{name} {number}" for name, number in result.versions.items())
        machine = f"{result.machine['cpu']}, {result.machine['cores']} cores"
        lines.append(f"| `{result.method}` | {result.commit} | {machine} | {versions} |")
    return "\n".join(lines) + "\n"


def _part(rates: Rates, name: str) -> Rates:
    part = rates[name]
    return part if isinstance(part, dict) else {}


def _percent(value: object) -> str:
    return f"{100 * value:.1f}" if isinstance(value, int | float) else "–"
