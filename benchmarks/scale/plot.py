"""Log-log plots of seconds and memory by rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from benchmarks.scale.process import Run

__all__ = ["draw", "slope"]


def draw(results: Mapping[str, Mapping[int, Run]], path: Path) -> None:
    """Draw each method's line, of the sizes that it finished.

    Parameters
    ----------
    results
        By method and number of left rows.
    path
        The file to write; its suffix says of what kind.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4), layout="constrained")
    axes = figure.subplots(1, 2)
    for name, runs in results.items():
        done = {rows: run for rows, run in sorted(runs.items()) if run.error is None}
        seconds = {rows: run.seconds for rows, run in done.items()}
        grown = slope(seconds)
        label = name if grown is None else f"{name}, slope {grown:.2f}"
        axes[0].plot(list(done), list(seconds.values()), marker="o", label=label)
        axes[1].plot(list(done), [run.peak_mib for run in done.values()], marker="o", label=name)
    for axis, unit in zip(axes, ("seconds", "peak memory, MiB"), strict=True):
        axis.set(xscale="log", yscale="log", xlabel="left rows", ylabel=unit)
        axis.grid(visible=True, which="major", alpha=0.3)
    axes[0].legend()
    figure.savefig(path)


def slope(seconds: dict[int, float]) -> float | None:
    """Return the slope of log seconds by log rows, by least squares; None below two sizes.

    Examples
    --------
    >>> round(slope({10: 1.0, 100: 10.0, 1_000: 100.0}), 3)
    1.0
    """
    if len(seconds) < 2:
        return None
    points = [(math.log(rows), math.log(value)) for rows, value in seconds.items()]
    mean_x, mean_y = (sum(axis) / len(points) for axis in zip(*points, strict=True))
    spread = sum((x - mean_x) * (x - mean_x) for x, _ in points)
    grown: float = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    return grown
