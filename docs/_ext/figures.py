"""How the figures of the gallery and of the pages look."""

from typing import Any

import matplotlib as mpl

STYLE = {
    "figure.figsize": (7.0, 3.6),
    "figure.dpi": 110,
    "figure.constrained_layout.use": True,
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "axes.axisbelow": True,
    "axes.prop_cycle": mpl.cycler(color=["#00796b", "#c77700", "#5b6bb5", "#b0413e", "#6b7280"]),
    "legend.frameon": False,
}


def style_figures(gallery: Any = None, name: Any = None) -> None:
    """Set matplotlib's parameters anew; sphinx-gallery calls it before each example."""
    mpl.rcdefaults()
    mpl.use("agg")
    mpl.rcParams.update(STYLE)
