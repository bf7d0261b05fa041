"""Axes to draw on: those that are given, or new ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pearljoin._optional import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["AGAINST", "FOR", "TOTAL", "axes_of"]

FOR, AGAINST, TOTAL = "#0f7f77", "#c05a2b", "#7a8594"
"""Colours that can be told apart by people who see red and green alike."""


def axes_of(ax: Axes | None, size: tuple[float, float] = (7.0, 3.6)) -> Any:
    """Return the axes to draw on.

    Parameters
    ----------
    ax
        The axes that were given; None for those of a new figure.
    size
        Width and height of a new figure, in inches.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    if ax is not None:
        return ax
    pyplot = require("matplotlib.pyplot", extra="plot", purpose="A plot")
    _, ax = pyplot.subplots(figsize=size, layout="constrained")
    return ax
