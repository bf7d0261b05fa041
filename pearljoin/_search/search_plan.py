"""How an inverted file is searched."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pearljoin._search.product_codes import AXES_A_CODE
from pearljoin._typing import FloatMatrix

__all__ = ["SearchPlan"]


@dataclass(frozen=True)
class SearchPlan:
    """How an inverted file is searched: learned once, and kept when rows come and go.

    Attributes
    ----------
    centroids
        float32 of shape (n_lists, dim), unit rows: the middles of the lists.
    axes
        float32 of shape (dim, n_axes): what vectors are turned to before they are coded; see
        `pearljoin._search.product_codes.principal_axes`.
    codebooks
        float32 of shape (n_codes, 16, `AXES_A_CODE`): what each code stands for.
    n_probes
        Lists that are looked into for a query; all of them means an exact search.
    width
        Rows that are compared by their own vectors, as a multiple of the neighbours wanted.
    recall
        Share of the exact neighbours of sampled rows that is found, in [0, 1].
    """

    centroids: FloatMatrix
    axes: FloatMatrix
    codebooks: NDArray[np.float32]
    n_probes: int
    width: int
    recall: float

    def check(self) -> None:
        """Raise ValueError where its parts do not fit each other, as of a damaged file."""
        arrays = self.centroids, self.axes, self.codebooks
        if any(array.dtype != np.float32 or not np.isfinite(array).all() for array in arrays):
            raise ValueError("its lists are not readable")
        dim, n_axes = self.centroids.shape[1:], len(self.codebooks) * AXES_A_CODE
        fit = len(dim) == 1 and self.axes.shape == (*dim, n_axes)
        if not fit or self.codebooks.shape[1:] != (16, AXES_A_CODE):
            raise ValueError(f"its lists are of shape {[array.shape for array in arrays]}")
        if not 1 <= self.n_probes <= len(self.centroids) or self.width < 1:
            raise ValueError(f"{self.n_probes} lists are searched, of {len(self.centroids)}")
