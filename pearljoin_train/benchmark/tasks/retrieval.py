"""Entity retrieval: a mention's canonical name among all names (paper, appendix A.1.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pearljoin._typing import IntVector
from pearljoin_train.benchmark.tasks.base import Encoder, Metrics, Ranker, read_lines, read_rows
from pearljoin_train.benchmark.tasks.nearest import faiss_is_installed, nearest_exact, nearest_ivfpq
from pearljoin_train.data import DataMissingError, find

__all__ = ["Retrieval", "load_umls", "load_yago"]


@dataclass(frozen=True)
class Retrieval:
    """Find the canonical name of each mention."""

    names: Sequence[str]
    """The reference names, without duplicates."""
    mentions: Sequence[tuple[str, str]]
    """(mention, its canonical name)."""
    substitute: bool = False
    """Whether `names` stand in for the paper's own list."""
    lists: int = 100
    """Inverted lists of the compressed index."""

    def evaluate(self, encoder: Encoder | Ranker) -> Metrics:
        """Return ``top1`` and ``top1_ivfpq``, the shares of mentions whose nearest name is right.

        ``top1`` searches all names. ``top1_ivfpq`` searches with the paper's compressed index;
        it is None without faiss, and for a ranker, which has no vectors.
        """
        queries = [mention for mention, _ in self.mentions]
        compressed: float | None = None
        if isinstance(encoder, Ranker):
            exact = self._accuracy(encoder.nearest(queries, self.names))
        else:
            vectors, reference = encoder.encode(queries), encoder.encode(self.names)
            exact = self._accuracy(nearest_exact(vectors, reference))
            if faiss_is_installed():
                compressed = self._accuracy(nearest_ivfpq(vectors, reference, lists=self.lists))
        metrics: Metrics = {
            "top1": exact,
            "top1_ivfpq": compressed,
            "n": len(self.mentions),
            "n_names": len(self.names),
        }
        return metrics | ({"substitute": True} if self.substitute else {})

    def _accuracy(self, positions: IntVector) -> float:
        right = [
            position >= 0 and self.names[position] == name
            for position, (_, name) in zip(positions, self.mentions, strict=True)
        ]
        return float(np.mean(right))


def load_yago(folder: Path | None = None) -> Retrieval:
    """Read YAGO: the paper's names where they are (``yago_kb.txt``), else the substitute list."""
    try:
        find("pearl_benchmark/yago/yago_kb.txt", folder)
        names = "yago_kb.txt"
    except DataMissingError:
        names = "yago_kb_substitute.txt"
    return _load("yago", names, folder, substitute="substitute" in names)


def load_umls(folder: Path | None = None) -> Retrieval:
    """Read UMLS, whose licence keeps it out of the data folder, where a user has put it there."""
    return _load("umls", "umls_kb.txt", folder, substitute=False)


def _load(name: str, names: str, folder: Path | None, *, substitute: bool) -> Retrieval:
    base = f"pearl_benchmark/{name}"
    rows = read_rows(f"{base}/{name}_test_samples.txt", folder, separator="\t", width=2)
    _, reference = read_lines(f"{base}/{names}", folder)
    mentions = [(mention.strip(), answer.strip()) for mention, answer in rows]
    return Retrieval([line.strip() for line in reference], mentions, substitute=substitute)
