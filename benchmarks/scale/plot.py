"""Log-log plots of seconds and memory by rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.scale.process import Run

__all__ = ["draw"]


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
        axes[0].plot(list(done), [run.seconds for run in done.values()], marker="o", label=name)
        axes[1].plot(list(done), [run.peak_mib for run in done.values()], marker="o", label=name)
    for axis, unit in zip(axes, ("seconds", "peak memory, MiB"), strict=True):
        axis.set(xscale="log", yscale="log", xlabel="left rows", ylabel=unit)
        axis.grid(visible=True, which="major", alpha=0.3)
    axes[0].legend()
    figure.savefig(path)
