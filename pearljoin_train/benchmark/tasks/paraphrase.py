"""Paraphrase classification: PPDB and PPDB-filtered (paper, appendix A.1.1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pearljoin_train.benchmark.tasks.base import Encoder, Metrics
from pearljoin_train.benchmark.tasks.probe import ProbeConfig, probe_accuracies
from pearljoin_train.data import DataDamagedError, find

__all__ = ["Paraphrase", "load"]

SEEDS = (0, 1, 2)


class Paraphrase:
    """Paraphrase classification, by a probe on the two embeddings side by side.

    Parameters
    ----------
    pairs
        (phrase, phrase, whether they are paraphrases).
    seeds
        One training run each.
    config
        How the classifier is trained.
    """

    def __init__(
        self,
        pairs: Sequence[tuple[str, str, bool]],
        *,
        seeds: Sequence[int] = SEEDS,
        config: ProbeConfig | None = None,
    ) -> None:
        self.pairs = list(pairs)
        self.seeds = seeds
        self.config = config

    def evaluate(self, encoder: Encoder, *, verbose: bool | None = False) -> Metrics:
        """Return ``accuracy`` on the test part, its ``std`` over the seeds, and ``n`` pairs."""
        first = encoder.encode([pair[0] for pair in self.pairs])
        second = encoder.encode([pair[1] for pair in self.pairs])
        labels = np.array([pair[2] for pair in self.pairs], dtype=np.int64)
        accuracies = probe_accuracies(
            np.hstack([first, second]),
            labels,
            seeds=self.seeds,
            config=self.config,
            verbose=verbose,
        )
        return {
            "accuracy": float(accuracies.mean()),
            "std": float(accuracies.std()),
            "n": len(self.pairs),
        }


def load(name: str, folder: Path | None = None) -> Paraphrase:
    """Read ``"ppdb"`` or ``"ppdb_filtered"`` from the data folder.

    Raises
    ------
    DataMissingError, DataDamagedError
        If the file is not there, or is not a JSON list of [phrase, phrase, "pos" or "neg", …].
    """
    path = find(f"pearl_benchmark/ppdb/{name}.json", folder)
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        pairs = [(str(row[0]), str(row[1]), {"pos": True, "neg": False}[row[2]]) for row in rows]
    except (ValueError, KeyError, IndexError, TypeError) as error:
        expected = 'not a JSON list of [phrase, phrase, "pos" or "neg"]'
        raise DataDamagedError(path, f"{expected} ({type(error).__name__}: {error})") from error
    if not pairs:
        raise DataDamagedError(path, "it holds no pair")
    return Paraphrase(pairs)
