"""Loss and development curves of a run, from its log."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pearljoin._optional import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["curves_figure", "read_log"]

SMOOTHED = 50
"""Points of a smoothed curve at least, where there are as many steps."""


def read_log(path: Path) -> dict[str, dict[str, tuple[np.ndarray, np.ndarray]]]:
    """Read a ``log.jsonl``.

    Returns
    -------
    curves
        Steps and values, by name, of each kind: ``"loss"`` and ``"development"``.
    """
    found: dict[str, dict[str, list[tuple[int, float]]]] = defaultdict(lambda: defaultdict(list))
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        step, kind = row.pop("step"), row.pop("kind")
        row.pop("time")
        for name, value in row.items():
            found[kind][name].append((step, value))
    return {
        kind: {
            name: (np.array([s for s, _ in points]), np.array([v for _, v in points]))
            for name, points in curves.items()
        }
        for kind, curves in found.items()
    }


def curves_figure(log: Path) -> Figure:
    """Draw a run's losses, smoothed, above its measures on the development split."""
    require("matplotlib", extra="train", purpose="A figure")
    from matplotlib.figure import Figure

    curves = read_log(log)
    kinds = [kind for kind in ("loss", "development") if curves.get(kind)]
    figure = Figure(figsize=(7.2, 3.2 * max(1, len(kinds))), layout="constrained")
    for number, kind in enumerate(kinds, 1):
        axes = figure.add_subplot(len(kinds), 1, number)
        for name, (steps, values) in curves[kind].items():
            width = max(1, len(values) // SMOOTHED) if kind == "loss" else 1
            kernel = np.ones(width) / width
            smooth = np.convolve(values, kernel, mode="valid")
            axes.plot(steps[width - 1 :], smooth, label=name, lw=1.5)
        axes.set_ylabel("loss" if kind == "loss" else "score, 0 to 1")
        axes.set_xlabel("step")
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure
