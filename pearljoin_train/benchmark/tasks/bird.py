"""BIRD: relatedness of two-word terms (Asaadi et al. 2019; paper, appendix A.1.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pearljoin_train.benchmark.tasks.base import Encoder, Metrics, read_rows
from pearljoin_train.data import DataDamagedError, find

__all__ = ["Bird", "load"]

FILE = "pearl_benchmark/bird/bird.txt"


@dataclass(frozen=True)
class Bird:
    """Does cosine similarity grow with the relatedness that people see?"""

    pairs: Sequence[tuple[str, str, float]]
    """(term, term, mean relatedness given by the annotators, in [0, 1])."""

    def evaluate(self, encoder: Encoder) -> Metrics:
        """Return ``pearson``, the correlation in [-1, 1]; None where no vector differs."""
        first = encoder.encode([pair[0] for pair in self.pairs])
        second = encoder.encode([pair[1] for pair in self.pairs])
        cosines = np.einsum("nd,nd->n", first, second).astype(np.float64)
        gold = np.array([pair[2] for pair in self.pairs], dtype=np.float64)
        return {"pearson": _pearson(cosines, gold), "n": len(self.pairs)}


def _pearson(a: np.ndarray, b: np.ndarray) -> float | None:
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / scale if scale > 0 else None


def load(folder: Path | None = None) -> Bird:
    """Read the set from the data folder."""
    rows = read_rows(FILE, folder, separator="\t", width=8, skip=1)
    try:
        return Bird([(row[1], row[2], float(row[6])) for row in rows])
    except ValueError as error:
        raise DataDamagedError(find(FILE, folder), f"a score is no number ({error})") from error
