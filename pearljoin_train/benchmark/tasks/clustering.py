"""Entity clustering: CoNLL 03 and BC5CDR mentions by type (paper, appendix A.1.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pearljoin_train.benchmark.tasks.base import Encoder, Metrics, read_json_lines
from pearljoin_train.data import DataDamagedError

__all__ = ["TYPES", "Clustering", "load"]

TYPES = {"conll2003": ("PER", "LOC", "ORG"), "bc5cdr": ("Chemical", "Disease")}
"""The types that count, by set; mentions of others are left out."""

SEEDS = tuple(range(10))


@dataclass(frozen=True)
class Clustering:
    """Entity clustering: k-means with as many clusters as there are types."""

    mentions: Sequence[tuple[str, str]]
    """(mention, type), every occurrence counted."""
    seeds: Sequence[int] = SEEDS
    """One k-means run each; the first is the one that is reported."""

    def evaluate(self, encoder: Encoder) -> Metrics:
        """Return ``nmi``, the first seed's normalised mutual information in [0, 1].

        ``nmi_mean`` and ``nmi_std`` are over all seeds: they tell how far chance moves ``nmi``.

        Notes
        -----
        Mutual information over the arithmetic mean of the two entropies. ``n_init="auto"``
        makes one k-means++ start a seed. The published figures are of seed 0 alone, so ``nmi``
        is too.
        """
        from sklearn.cluster import KMeans
        from sklearn.metrics import normalized_mutual_info_score

        vectors = encoder.encode([mention for mention, _ in self.mentions])
        gold = [kind for _, kind in self.mentions]
        scores = []
        for seed in self.seeds:
            means = KMeans(n_clusters=len(set(gold)), n_init="auto", random_state=seed)
            scores.append(normalized_mutual_info_score(gold, means.fit_predict(vectors)))
        return {
            "nmi": float(scores[0]),
            "nmi_mean": float(np.mean(scores)),
            "nmi_std": float(np.std(scores)),
            "n": len(self.mentions),
        }


def load(name: str, folder: Path | None = None) -> Clustering:
    """Read ``"conll2003"`` or ``"bc5cdr"`` from the data folder.

    Notes
    -----
    A line is ``{"sentences": [[token, …]], "ner": [[[first, last, type], …]]}``, with spans that
    include their last token.
    """
    path, lines = read_json_lines(f"pearl_benchmark/{name}/test.json", folder)
    mentions = []
    try:
        for line in lines:
            for tokens, spans in zip(line["sentences"], line["ner"], strict=True):
                mentions += [
                    (" ".join(tokens[first : last + 1]), kind)
                    for first, last, kind in spans
                    if kind in TYPES[name]
                ]
    except (KeyError, TypeError, ValueError) as error:
        raise DataDamagedError(
            path, f"a line is not sentences with their spans ({type(error).__name__}: {error})"
        ) from error
    if {kind for _, kind in mentions} != set(TYPES[name]):
        raise DataDamagedError(path, f"it lacks mentions of some of the types {TYPES[name]}")
    return Clustering(mentions)
