"""Siblings: how near the right record of a pair lies to the other candidates of the left record.

A left record that is no nearer to a reference record than that one is to its siblings is probably a
sibling itself. (AutoFJ reads the density of the reference likewise: Li et al. 2021, section 3.)
"""

from __future__ import annotations

from collections import deque

import numpy as np

from pearljoin._parallel import processors, side_by_side
from pearljoin._ragged import run_starts
from pearljoin._search.rounded_vectors import DenseVectors, KeptVectors
from pearljoin._search.vectors import is_dense
from pearljoin._typing import FloatVector, IntVector

__all__ = ["USUAL_SIBLING", "nearest_siblings"]

USUAL_SIBLING = 0.4
"""Cosine of a sibling that stands in where a pair has none."""

MOST_SIBLINGS = 8
"""Nearest candidates of a left record that count as siblings of the others."""

DECIMALS = 5
"""What cosines are rounded to before they are compared."""

MOST_CELLS = 8_000_000
"""Numbers of vectors that are held at a time, in all threads."""


def nearest_siblings(
    vectors: KeptVectors,
    right_at: IntVector,
    things: IntVector,
    left: IntVector,
    cosine: FloatVector,
) -> FloatVector:
    """Compute the highest cosine of each pair's right text with another candidate's.

    Parameters
    ----------
    vectors
        Of the right texts, of shape (n_texts, dim).
    right_at
        int64 of shape (n_pairs,): the right text of each pair.
    things
        int64 of shape (n_pairs,), equal for right texts that are the same thing, such as those that
        write one name: these are no siblings.
    left
        int64 of shape (n_pairs,), ascending: left records.
    cosine
        float32 of shape (n_pairs,): of the pairs themselves.

    Returns
    -------
    nearest
        float32 of shape (n_pairs,), in [-1, 1]; `USUAL_SIBLING` where there is no sibling.
    """
    nearest = np.full(len(left), USUAL_SIBLING, dtype=np.float32)
    if not is_dense(vectors) or not len(left):
        return nearest
    starts = run_starts(left)
    sizes = np.diff(np.append(starts, len(left)))
    # Left records of about equally many candidates are computed together. How wide their products
    # are must hang on each alone: the last bit does on that.
    order = np.argsort(sizes, kind="stable")
    ends = np.searchsorted(sizes[order], widths := _widths(int(sizes.max())), side="right")
    parts, at = [], 0
    for width, end in zip(widths, ends.tolist(), strict=True):
        most = max(1, MOST_CELLS // (processors() * width * vectors.shape[1]))
        parts += [(width, order[start : min(end, start + most)]) for start in range(at, end, most)]
        at = end

    def fill(part: tuple[int, IntVector]) -> None:
        width, rows = part
        _fill(nearest, vectors, right_at, things, cosine, starts[rows], sizes[rows], width)

    deque(side_by_side(fill, parts, processors()), maxlen=0)
    return nearest


def _widths(largest: int) -> list[int]:
    """Widths of products, each for all lists that fit it and not the one before."""
    widths = [3]
    while widths[-1] < largest:
        least = widths[-1] + 1
        widths.append(least + max(2, least // 4))
    return widths


def _fill(
    nearest: FloatVector,
    vectors: DenseVectors,
    right_at: IntVector,
    things: IntVector,
    cosine: FloatVector,
    starts: IntVector,
    sizes: IntVector,
    width: int,
) -> None:
    """Fill in the candidates of some left records, side by side up to a width that fits all."""
    within = np.arange(width)
    is_pair = within < sizes[:, None]
    pair = starts[:, None] + np.where(is_pair, within, 0)
    text = right_at[pair]
    candidates = vectors[text]
    # Rounded, and earlier candidates first: the choice among equal ones must not depend on the
    # other rows.
    near = np.where(is_pair, np.round(cosine[pair], DECIMALS), -np.inf)
    if width > MOST_SIBLINGS:
        chosen = np.argsort(-near, axis=1, kind="stable")[:, :MOST_SIBLINGS]
    else:
        chosen = np.broadcast_to(within, near.shape)
    rows = np.arange(len(starts))[:, None]
    products = candidates @ candidates[rows, chosen].transpose(0, 2, 1)
    thing = things[pair]
    apart = thing[:, :, None] != thing[rows, chosen][:, None, :]
    apart &= is_pair[rows, chosen][:, None, :]
    best = np.where(apart, products, -np.inf).max(axis=2)
    found = is_pair & np.isfinite(best)
    nearest[pair[found]] = best[found]
