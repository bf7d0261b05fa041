"""Calibration of log odds to a table, from the table's own scores (Platt scaling)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pearljoin._scoring.network import CLIP
from pearljoin._typing import FloatVector

__all__ = ["LARGEST_SLOPE", "TableCalibration"]

LARGEST_SLOPE = 1.0
"""Log odds are multiplied by ``exp(slope)``, and the slope is cut to plus or minus this."""


@dataclass(frozen=True)
class TableCalibration:
    """Two numbers of Platt scaling, as a linear function of table features.

    Attributes
    ----------
    mean, scale
        float32 of shape (n_numbers,): the table features are standardised with these.
    slope, shift
        float32 of shape (1 + n_numbers,), a constant first: coefficients of the logarithm of what
        log odds are multiplied by, and of what is added to them.
    """

    mean: FloatVector
    scale: FloatVector
    slope: FloatVector
    shift: FloatVector

    def apply(self, logit: FloatVector, table: FloatVector) -> FloatVector:
        """Scale and shift the log odds of one table.

        Parameters
        ----------
        logit
            float32 of shape (n_pairs,).
        table
            float32 of shape (n_numbers,): the table features.
        """
        stretch, shift = self.numbers(table)
        return np.asarray(stretch * logit + shift, dtype=np.float32)

    def numbers(self, table: FloatVector) -> tuple[float, float]:
        """Return what the log odds of a table are multiplied by, and what is added then."""
        known = np.append(1, np.clip((table - self.mean) / self.scale, -CLIP, CLIP))
        stretch = np.exp(np.clip(known @ self.slope, -LARGEST_SLOPE, LARGEST_SLOPE))
        return float(stretch), float(known @ self.shift)
