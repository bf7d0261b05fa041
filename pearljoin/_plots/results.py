"""Plots of a match result: histogram of scores, precision and recall, one pair's waterfall."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pearljoin._plots.axes import AGAINST, FOR, TOTAL, axes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_precision_recall", "plot_scores", "plot_waterfall"]

TITLE_WIDTH = 72
"""Characters of a line of a title, so that two records fit above their plot."""


def plot_scores(
    counts: NDArray[np.int64], threshold: float, unit: str, ax: Axes | None = None
) -> Axes:
    """Draw a histogram of scores with the threshold on it.

    Parameters
    ----------
    counts
        int64 of shape (n_bins,): counts over bins of equal width from 0 to 1.
    threshold
        In [0, 1].
    unit
        What is counted.
    ax
        Where to draw; None for a new figure.
    """
    ax = axes_of(ax)
    edges = np.linspace(0, 1, len(counts) + 1)
    is_above = (edges[:-1] + edges[1:]) / 2 >= threshold
    colours = [FOR if above else TOTAL for above in is_above]
    ax.bar(edges[:-1], counts, np.diff(edges), align="edge", color=colours, edgecolor="none")
    ax.axvline(threshold, color=AGAINST, linestyle="--", label=f"threshold {threshold:.3f}")
    ax.set(xlabel="score", ylabel=unit, xlim=(0, 1))
    ax.legend(frameon=False)
    return ax


def plot_precision_recall(
    curve: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
    threshold: float,
    ax: Axes | None = None,
) -> Axes:
    """Draw expected precision and recall by threshold.

    Parameters
    ----------
    curve
        Thresholds, precision and recall, each float64 of shape (n_points,), in [0, 1].
    threshold
        The one in force, in [0, 1].
    ax
        Where to draw; None for a new figure.
    """
    ax = axes_of(ax)
    thresholds, precision, recall = curve
    ax.plot(thresholds, precision, color=FOR, label="expected precision")
    ax.plot(thresholds, recall, color=AGAINST, linestyle="--", label="expected recall")
    ax.axvline(threshold, color=TOTAL, linestyle=":", label=f"threshold {threshold:.3f}")
    ax.set(xlabel="threshold", xlim=(0, 1), ylim=(0, 1.02))
    ax.legend(frameon=False)
    return ax


def plot_waterfall(
    steps: Sequence[tuple[str, float]], unit: str, title: str, ax: Axes | None = None
) -> Axes:
    """Draw what spoke for and against a pair; each bar begins where the one above ended.

    Parameters
    ----------
    steps
        Name and effect of each step, in the order in which they are added up.
    unit
        Of the effects.
    title
        Above the plot.
    ax
        Where to draw; None for a new figure.
    """
    ax = axes_of(ax, (7.0, 0.9 + 0.3 * (len(steps) + 1)))
    ends = np.cumsum([effect for _, effect in steps]) if steps else np.zeros(0)
    total = float(ends[-1]) if len(ends) else 0.0
    names = [*(name for name, _ in steps), f"all: {unit}"]
    widths = [*(effect for _, effect in steps), total]
    starts = [0.0, *ends[:-1].tolist(), 0.0] if steps else [0.0]
    colours = [*(FOR if effect >= 0 else AGAINST for _, effect in steps), TOTAL]
    places = np.arange(len(names))
    bars = ax.barh(places, widths, left=starts, color=colours, height=0.65)
    # Plus zero, as a slight effect against would be -0.0.
    ax.bar_label(bars, labels=[f"{round(width, 1) + 0.0:+.1f}" for width in widths], padding=3)
    ax.axvline(0, color=TOTAL, linewidth=0.8)
    ax.set_yticks(places, names)
    ax.invert_yaxis()
    # Room for the numbers at both ends, which a bar's end would otherwise leave none of.
    ax.use_sticky_edges = False
    ax.margins(x=0.12)
    ax.set_xlabel(unit)
    lines = textwrap.wrap(title, TITLE_WIDTH, max_lines=3, placeholder=" …")
    ax.set_title("\n".join(lines), fontsize="medium")
    return ax
