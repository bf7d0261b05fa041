"""Tables and plots of experiments: mean and deviation over the seeds, in percent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from pearljoin._atomic import write_text
from pearljoin._optional import require
from pearljoin_train.benchmark.plots import COLOURS, MARKERS, save
from pearljoin_train.common.environment import commit, machine
from pearljoin_train.experiments.grid import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Cell", "bar_figure", "line_figure", "markdown", "summarise", "write_table"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A score over seeds: mean, sample deviation (None of one run), runs."""

    mean: float
    deviation: float | None
    runs: int

    def __str__(self) -> str:
        """Write it in percent."""
        spread = "" if self.deviation is None else f" ± {100 * self.deviation:.1f}"
        return f"{100 * self.mean:.1f}{spread}"


Table = Mapping[str, Mapping[str, Cell]]
"""Cells by row, then by score. A row that could not be had is empty."""


def summarise(results: Sequence[Result]) -> dict[str, dict[str, Cell]]:
    """Take mean and deviation over the seeds.

    Examples
    --------
    >>> runs = [Result("full", 0, {"mean": 0.5}), Result("full", 1, {"mean": 0.7})]
    >>> str(summarise(runs)["full"]["mean"])
    '60.0 ± 14.1'
    """
    table: dict[str, dict[str, Cell]] = {}
    for name in dict.fromkeys(result.name for result in results):
        scores = [result.scores for result in results if result.name == name and result.scores]
        table[name] = {
            key: _cell([row[key] for row in scores]) for key in (scores[0] if scores else ())
        }
    return table


def markdown(table: Table, first: str, notes: Mapping[str, str] | None = None) -> str:
    """Write a table in Markdown, and a note under it for each row that has one."""
    columns = list(dict.fromkeys(key for cells in table.values() for key in cells))
    lines = [
        f"| {' | '.join([first, *columns])} |",
        f"|---|{'--:|' * len(columns)}",
        *(
            f"| {' | '.join([name, *(str(cells.get(key, 'none')) for key in columns)])} |"
            for name, cells in table.items()
        ),
    ]
    for name, note in (notes or {}).items():
        lines += ["", f"{name}: {note}"]
    return "\n".join(lines) + "\n"


def write_table(
    table: Table, stem: Path, first: str, notes: Mapping[str, str] | None = None
) -> str:
    """Write a table as Markdown and as JSON beside each other; returns the Markdown."""
    text = markdown(table, first, notes)
    rows: dict[str, Any] = {
        name: {
            key: {"mean": cell.mean, "deviation": cell.deviation, "runs": cell.runs}
            for key, cell in cells.items()
        }
        for name, cells in table.items()
    }
    measured = {"commit": commit(), "machine": machine(), "rows": rows, "notes": dict(notes or {})}
    write_text(stem.with_suffix(".md"), text)
    write_text(stem.with_suffix(".json"), json.dumps(measured, indent=1) + "\n")
    return text


def bar_figure(table: Table, title: str) -> Figure:
    """Draw a bar for each score of each row, with its deviation."""
    require("matplotlib", extra="train", purpose="A figure")
    from matplotlib.figure import Figure

    rows = {name: cells for name, cells in table.items() if cells}
    columns = list(dict.fromkeys(key for cells in rows.values() for key in cells))
    width = 0.84 / max(1, len(rows))
    figure = Figure(figsize=(max(6.0, 1.5 * len(columns) + 1.5), 4.6), layout="constrained")
    axes = figure.add_subplot()
    for number, (name, cells) in enumerate(rows.items()):
        offset = (number - (len(rows) - 1) / 2) * width
        shown = [(at, cells[key]) for at, key in enumerate(columns) if key in cells]
        axes.bar(
            [at + offset for at, _ in shown],
            [100 * cell.mean for _, cell in shown],
            width,
            yerr=[100 * (cell.deviation or 0) for _, cell in shown],
            color=COLOURS[number % len(COLOURS)],
            hatch=("", "//")[number // len(COLOURS) % 2],
            error_kw={"lw": 0.8},
            label=name,
        )
    axes.set_xticks(range(len(columns)), columns)
    axes.set_ylabel("score (%)")
    axes.set_title(title)
    axes.grid(axis="y", alpha=0.3)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    return figure


def line_figure(
    panels: Mapping[str, Mapping[float, Mapping[str, Cell]]], scores: Sequence[str], title: str
) -> Figure:
    """Draw a panel for each setting that was varied: its values against the scores."""
    require("matplotlib", extra="train", purpose="A figure")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(1.5 + 4.0 * len(panels), 4.2), layout="constrained")
    every: Any = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for axes, (setting, cells) in zip(every, panels.items(), strict=True):
        values = sorted(cells)
        for number, score in enumerate(scores):
            axes.errorbar(
                range(len(values)),
                [100 * cells[value][score].mean for value in values],
                yerr=[100 * (cells[value][score].deviation or 0) for value in values],
                color=COLOURS[number % len(COLOURS)],
                marker=MARKERS[number % len(MARKERS)],
                capsize=3,
                label=score if axes is every[0] else None,
            )
        # Evenly spaced: a grid of learning rates is no even one.
        axes.set_xticks(range(len(values)), [f"{value:g}" for value in values])
        axes.set_xlabel(setting)
        axes.grid(axis="y", alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    every[0].set_ylabel("score (%)")
    figure.suptitle(title)
    figure.legend(loc="outside lower center", ncols=4, frameon=False)
    return figure


def save_figure(figure: Figure, stem: Path) -> list[Path]:
    """Write a figure as PNG and SVG."""
    return save(figure, stem)


def _cell(values: Sequence[float]) -> Cell:
    return Cell(fmean(values), stdev(values) if len(values) > 1 else None, len(values))
