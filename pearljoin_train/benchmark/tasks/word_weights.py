"""The experiments of De Boom et al. (2016) as a benchmark task: `--tasks word-weights`."""

from __future__ import annotations

from pathlib import Path

from pearljoin import Encoder
from pearljoin_train.benchmark.tasks.base import Metrics
from pearljoin_train.word_weights.experiments import MEDIAN, run_experiments
from pearljoin_train.word_weights.vectors import SKIPGRAM

__all__ = ["WordWeights", "load"]

MAIN = "WikiText, 20 words"
"""The experiment that stands for all."""


def load(folder: Path | None = None) -> WordWeights:
    """Return the task; the text is read when it is evaluated."""
    return WordWeights()


class WordWeights:
    """The experiments as a benchmark task. They have word vectors of their own."""

    def evaluate(self, encoder: Encoder | None = None, verbose: bool | None = None) -> Metrics:
        """Run everything; the encoder under test takes no part.

        Returns
        -------
        metrics
            ``split_error`` and ``js_divergence`` of the median-based weights on WikiText at 20
            words, and ``<experiment>: <table>: <method>`` for every split error, in [0, 1].
        """
        found = run_experiments(verbose=verbose)
        metrics: Metrics = {}
        for experiment, result in found.items():
            for table, rows in result["tables"].items():
                for method, row in rows.items():
                    metrics[f"{experiment}: {table}: {method}"] = row["split_error"]
        main = found[MAIN]["tables"][SKIPGRAM.name][MEDIAN]
        return {**{name: main[name] for name in ("split_error", "js_divergence")}, **metrics}
