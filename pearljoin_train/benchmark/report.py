"""The benchmark's tables, made from the results' JSON files: `python -m pearljoin_train report`.

Rows that were measured here and rows that others published stand apart and are labelled so. What
is missing is a dash; what was measured on other data than the paper's has a mark.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from pearljoin import InputError
from pearljoin._atomic import write_text
from pearljoin_train.benchmark.baselines import BASELINES
from pearljoin_train.benchmark.tasks import COMPARABLE7, PAPER9, SETS

__all__ = ["load_runs", "main", "published_rows", "read_run", "table", "tables"]

PACKAGE = Path(__file__).resolve().parents[1]
RESULTS = PACKAGE / "results" / "pearl_benchmark"
PUBLISHED = "published.json"
PAGE = PACKAGE.parent / "docs" / "pearl_benchmark.md"
BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
SHORT = tuple(name for name in SETS if name not in PAPER9)
NONE, SUBSTITUTE = "–", " ‡"
TITLES = {
    "default": "pearljoin's default: pearl-mini, 8-bit, 29M",
    "all-MiniLM-L6-v2": "all-MiniLM-L6-v2, its base, 8-bit, 23M",
}


def read_run(path: Path) -> dict[str, Any]:
    """Read one result file.

    Parameters
    ----------
    path
        What ``evaluate --json`` wrote.

    Returns
    -------
    run
        The object in it.

    Raises
    ------
    InputError
        If it is not such a file.
    """
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"The result file cannot be read. Got {str(path)!r}: {error}. "
            "Hint: write it with `python -m pearljoin_train evaluate --json FILE`."
        ) from error
    if not isinstance(run, dict) or not {"model", "tasks"} <= run.keys():
        raise InputError(
            f"This is no result of the benchmark. Got {str(path)!r}, without a model and tasks. "
            "Hint: write it with `python -m pearljoin_train evaluate --json FILE`."
        )
    return run


def load_runs(folder: Path = RESULTS) -> list[dict[str, Any]]:
    """Read every result of a folder, best average first, those without an average last."""
    runs = [read_run(path) for path in sorted(folder.glob("*.json")) if path.name != PUBLISHED]
    return sorted(runs, key=lambda run: -(run.get("average7") or 0.0))


def published_rows(folder: Path = RESULTS) -> list[dict[str, Any]]:
    """Read the rows that others published, in percent."""
    rows: list[dict[str, Any]] = json.loads((folder / PUBLISHED).read_text("utf-8"))["rows"]
    return rows


def tables(runs: Sequence[Mapping[str, Any]], published: Sequence[Mapping[str, Any]]) -> str:
    """Return both tables, the paper's Table 1 and Table 2, as Markdown."""
    first = table(runs, published, PAPER9, averages=True)
    second = table(runs, published, SHORT, averages=False)
    return (
        f"### Phrase tasks\n\n{first}\n### Short text\n\n{second}\n"
        f"{NONE} not measured: the set is absent, or the method has no embeddings. "
        f"{SUBSTITUTE.strip()} measured on substitute data: not comparable with published "
        "figures.\n"
    )


def table(
    runs: Sequence[Mapping[str, Any]],
    published: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    *,
    averages: bool,
) -> str:
    """Return one table as Markdown: measured rows, then published ones.

    Parameters
    ----------
    runs
        Result objects.
    published
        Rows with ``name``, ``source`` and ``percent``.
    names
        The sets that make the columns.
    averages
        Whether to add the averages over nine and seven sets.
    """
    titles = [SETS[name].title for name in names] + ["of 9", "of 7"] * averages
    lines = ["| model | source | " + " | ".join(titles) + " |"]
    lines.append("|---|---|" + "---:|" * len(titles))
    for run in runs:
        cells = [_measured(run["tasks"].get(name), SETS[name].metric) for name in names]
        if averages:
            cells += [_percent(run.get("average9")), _percent(run.get("average7"))]
        if set(cells) != {NONE}:
            lines.append(_row(_title(run["model"]), "measured here", cells))
    for row in published:
        values = [row["percent"].get(name) for name in names]
        if averages:
            values += [row["average9"], _mean([row["percent"].get(name) for name in COMPARABLE7])]
        if any(value is not None for value in values):
            cells = [NONE if value is None else f"{value:.1f}" for value in values]
            lines.append(_row(row["name"], f"published: {row['source']}", cells))
    return "\n".join(lines) + "\n"


def _title(model: str) -> str:
    return BASELINES[model].title if model in BASELINES else TITLES.get(model, f"`{model}`")


def _row(name: str, source: str, cells: Sequence[str]) -> str:
    return f"| {name} | {source} | " + " | ".join(cells) + " |"


def _measured(metrics: Mapping[str, Any] | None, metric: str) -> str:
    """Show a set's metric in percent, with the compressed index's beside it where there is one."""
    if metrics is None:
        return NONE
    shown = _percent(metrics.get(metric))
    if metrics.get("top1_ivfpq") is not None:
        shown += f" ({_percent(metrics['top1_ivfpq'])})"
    return shown + (SUBSTITUTE if metrics.get("substitute") else "")


def _percent(rate: float | None) -> str:
    return NONE if rate is None else f"{100 * rate:.1f}"


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if len(known) == len(values) else None


def main(arguments: list[str]) -> int:
    """Put the tables into the documentation's page; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m pearljoin_train report", description="Write the benchmark's tables."
    )
    parser.add_argument("--page", type=Path, default=PAGE, help="the Markdown page to update")
    parser.add_argument("--print", action="store_true", help="print the tables instead")
    options = parser.parse_args(arguments)
    content = tables(load_runs(), published_rows())
    if options.print:
        sys.stdout.write(content)
        return 0
    hint = "--page FILE, or --print."
    try:
        page = options.page.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"The page cannot be read. Got {str(options.page)!r}: {error}. Hint: {hint}"
        ) from error
    write_text(options.page, _between_marks(page, content), what="page", hint=hint)
    return 0


def _between_marks(page: str, content: str) -> str:
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        raise InputError(
            f"The page has no place for the tables. Got neither or several of {BEGIN} and {END}. "
            "Hint: put each on a line of its own, once."
        )
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{content}{END}{rest.split(END)[1]}"
