"""Turning the kept results into ``docs/benchmarks_records.md``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.records.evaluate import Outcome
from benchmarks.records.methods import make_method, method_names, method_of_row, row_names
from benchmarks.records.results import RESULTS, Result, load_results, mean_f1
from pearljoin._atomic import write_text

__all__ = ["main", "render"]

PUBLISHED = Path(__file__).with_name("published.json")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks_records.md"

WITHOUT = ("census",)
"""Sets left out of the mean: what their truth asks for is in doubt."""

INTRODUCTION = """# Records: linkage and deduplication by several columns

<!-- written by `python -m benchmarks.records report`; edit benchmarks/records/report.py -->

Each method is called with its defaults on the columns that a user would name
(`records/columns.json` of the data folder). All values are text, as in the files; an empty one is
missing. No method sees a label, but for the rows marked *with labels*: there the truth chooses the
threshold, the linkage rule or the column, so they show what the data hold and not what a user
gets. Nothing is trained, tuned or chosen on these sets.

- **Pairs**: precision P, recall R and F1 of the returned pairs against all true pairs; of clusters,
  of all pairs of rows that share one.
- **B³**: B-cubed F1 of clusters. **Exact**: the share of true clusters that are found exactly.
- **Calibration error**: over each row's best candidate (each left row's in a linkage), 10 bins of
  equal count; only where scores are meant as probabilities. Rows without a candidate are left out.
- **Seconds, MiB**: of one process with two threads, peak memory of the process. Seconds leave out
  imports. The machine has 2 cores that other work shared: seconds are indicative only.
- A set that took longer than its time limit is reported as *timeout*, with the limit.
- A dash: not run. *n/o*: the library has no call for such a set.
"""


def main(arguments: Sequence[str]) -> int:
    """Run ``python -m benchmarks.records report``; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.records report")
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FOLDER")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="FILE")
    options = parser.parse_args(arguments)
    write_text(options.page, render(load_results(options.results)), what="page")
    print(options.page)
    return 0


def render(results: Mapping[str, Result]) -> str:
    """Return the page in Markdown.

    Parameters
    ----------
    results
        As `load_results` returns them. A row without a result is shown as not run.
    """
    links = _names(results, lambda outcome: "b_cubed" not in outcome)
    tables = _names(results, lambda outcome: "b_cubed" in outcome)
    parts = [INTRODUCTION]
    parts += ["## Linkage of two tables: pairwise F1\n", _f1_table(results, links)]
    parts += ["## Deduplication of one table: pairwise F1\n", _f1_table(results, tables)]
    parts += [_mean_sentence(tables)] if tables else []
    parts += ["## How each method is called\n", _calls()]
    parts += ["## Every set\n"]
    parts += [_detail(results, name, name in tables) for name in links + tables]
    parts += [_published(), _circumstances(results)]
    return "\n".join(parts)


def _names(results: Mapping[str, Result], chosen: Callable[[Outcome], bool]) -> list[str]:
    """Sets that some row has measured, and whose outcome is of one kind."""
    return sorted(
        {
            name
            for result in results.values()
            for name, outcome in result.sets.items()
            if outcome["status"] == "measured" and chosen(outcome)
        }
    )


def _f1_table(results: Mapping[str, Result], names: Sequence[str]) -> str:
    shown = [row for row in row_names() if _is_for(row, names)]
    averaged = [name for name in names if name not in WITHOUT]
    means = len(names) > 1
    heads = [f"`{name}`" for name in names] + (["mean"] if means else [])
    table = [["", *heads]]
    for row in shown:
        result = results.get(row)
        cells = [_f1(result.sets.get(name) if result else None) for name in names]
        if means:
            cells.append(_percent(mean_f1(result, averaged)) if result else "–")
        table.append([_label(row), *cells])
    if len(heads) > len(shown):
        # The longer side goes down the page, which would else be too wide.
        table = [list(column) for column in zip(*table, strict=True)]
    lines = [f"| {' | '.join(row)} |" for row in table]
    return "\n".join([lines[0], "|---|" + "---:|" * (len(table[0]) - 1), *lines[1:]]) + "\n"


def _mean_sentence(names: Sequence[str]) -> str:
    left_out = [name for name in WITHOUT if name in names]
    said = f" It leaves out {', '.join(left_out)}." if left_out else ""
    return f"The mean is given where every set is measured.{said}\n"


def _is_for(row: str, names: Sequence[str]) -> bool:
    only = method_of_row(row).sets
    return only is None or bool(set(only) & set(names))


def _label(row: str) -> str:
    return f"`{row}` *(labels)*" if method_of_row(row).with_labels else f"`{row}`"


def _f1(outcome: Outcome | None) -> str:
    if outcome is None:
        return "–"
    if outcome["status"] != "measured":
        return "n/o" if outcome["status"] == "not offered" else str(outcome["status"])
    return _percent(outcome["f1"])


def _calls() -> str:
    lines = ["| method | call |", "|---|---|"]
    for name in method_names():
        method = make_method(name)
        where = f"; `benchmarks/peers/{method.peer}/{method.adapter}`" if method.peer else ""
        lines.append(f"| `{name}` | {method.how}{where} |")
    return "\n".join(lines) + "\n"


def _detail(results: Mapping[str, Result], name: str, clusters: bool) -> str:
    heads = ["P", "R", "F1", *(["B³", "exact"] if clusters else []), "pairs", "calibration error"]
    if clusters:
        heads[heads.index("pairs")] = "clusters"
    heads += ["seconds", "MiB", "commit", "remark"]
    lines = [f"### {name}\n", f"| | {' | '.join(heads)} |"]
    lines.append("|---|" + "---:|" * (len(heads) - 2) + "---|---|")
    for row in row_names():
        result = results.get(row)
        outcome = result.sets.get(name) if result else None
        if outcome is not None:
            cells = _cells(outcome, clusters) if outcome["status"] == "measured" else []
            cells += [""] * (len(heads) - 2 - len(cells))
            cells += [outcome["commit"][:8] + outcome["commit"][40:], _remark(outcome)]
            lines.append(f"| {_label(row)} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cells(outcome: Outcome, clusters: bool) -> list[str]:
    cells = [_percent(outcome[name]) for name in ("precision", "recall", "f1")]
    if clusters:
        cells += [_percent(outcome["b_cubed"]["f1"]), _percent(outcome["exact_clusters"])]
    cells.append(f"{outcome['returned']:,}")
    error = outcome.get("calibration_error")
    cells.append("" if error is None else f"{error:.3f}")
    return [*cells, f"{outcome['seconds']:,.1f}", f"{outcome['peak_mib']:,.0f}"]


def _remark(outcome: Outcome) -> str:
    said = []
    if outcome["status"] == "timeout":
        said.append(f"timeout after {outcome['limit_s']:,.0f} s")
    elif outcome["status"] != "measured":
        said.append(f"{outcome['status']}: {outcome.get('why') or outcome.get('error')}")
    said += [f"{key}: {value}" for key, value in outcome.get("chosen", {}).items()]
    said += [outcome["note"]] if "note" in outcome else []
    return "; ".join(said).replace("|", "/").replace("\n", " ")


def _published() -> str:
    content: dict[str, Any] = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    lines = ["## As published, not run here\n", f"{content['protocol']}\n"]
    lines += ["| set | F1 | method |", "|---|---:|---|"]
    lines += [
        f"| {row['set']} | {_percent(row['f1'])} | {row['method']} |" for row in content["rows"]
    ]
    return "\n".join(lines) + "\n"


def _circumstances(results: Mapping[str, Result]) -> str:
    lines = ["## Made with\n", "| method | commit | machine | versions |", "|---|---|---|---|"]
    for row in row_names():
        if row in results:
            result = results[row]
            versions = ", ".join(f"{name} {number}" for name, number in result.versions.items())
            machine = f"{result.machine['cpu']}, {result.machine['cores']} cores"
            lines.append(f"| `{row}` | {result.commit} | {machine} | {versions} |")
    return "\n".join(lines) + "\n"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"
