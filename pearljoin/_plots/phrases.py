"""A map of phrases: vectors in two dimensions by t-SNE."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pearljoin._plots.axes import axes_of
from pearljoin._typing import FloatMatrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_phrases"]

PERPLEXITY = 30.0
"""Neighbours that t-SNE keeps near, where there are enough phrases (van der Maaten 2008)."""

MOST_NAMED = 60
"""Phrases up to which each is written beside its point."""


def plot_phrases(
    vectors: FloatMatrix,
    phrases: Sequence[str],
    labels: Sequence[Hashable] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw phrases as points, near one another where their vectors are.

    Parameters
    ----------
    vectors
        float32 of shape (n_phrases, dim), unit rows; at least 3.
    phrases
        The phrases.
    labels
        A group of each phrase, which has a colour.
    ax
        Where to draw; None for a new figure.
    """
    from sklearn.manifold import TSNE

    ax = axes_of(ax, (7.0, 6.0))
    near = min(PERPLEXITY, (len(vectors) - 1) / 3)
    places = TSNE(2, metric="cosine", perplexity=near, init="random", random_state=0).fit_transform(
        np.asarray(vectors, dtype=np.float32)
    )
    groups = [""] * len(phrases) if labels is None else [str(label) for label in labels]
    for name in dict.fromkeys(groups):
        at = np.array([group == name for group in groups])
        ax.scatter(places[at, 0], places[at, 1], s=18, label=name)
    if len(phrases) <= MOST_NAMED:
        middle = (places[:, 0].min() + places[:, 0].max()) / 2
        for place, phrase in zip(places, phrases, strict=True):
            # Towards the middle, where there is room for it.
            shift, side = (3, "left") if place[0] <= middle else (-3, "right")
            # No mathematics: a phrase may hold dollar signs.
            ax.annotate(
                phrase,
                place,
                (shift, 3),
                textcoords="offset points",
                fontsize=7,
                ha=side,
                parse_math=False,
            )
    if labels is not None:
        ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    ax.set(xticks=[], yticks=[])
    return ax
