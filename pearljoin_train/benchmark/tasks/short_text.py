"""Short text: sentiment of tweets, intents of queries (paper, section 4.1 and appendix A.1.2)."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Literal, TypeAlias

import numpy as np

from pearljoin_train.benchmark.tasks.base import Encoder, Metrics, read_lines, read_rows
from pearljoin_train.benchmark.tasks.probe import ProbeConfig, probe_accuracies
from pearljoin_train.data import DataDamagedError

__all__ = ["Part", "ShortText", "cut_at_median", "load_atis", "load_twitter"]

Part: TypeAlias = Literal["short", "long"]

SEEDS = tuple(range(10))
CONFIG = ProbeConfig(learning_rate=1e-3, patience=10)
"""The paper does not say how it trains here. As for paraphrases, training would stop at the
largest intent, which three queries of four have, before anything else is learned."""
N_INTENTS = 8
TWEETEVAL = "short_text/twitter/tweeteval_sentiment"
SENTIMENT140 = "short_text/twitter/testdata.manual.2009.06.14.csv"


class ShortText:
    """Short-text classification, by a probe on the embedding.

    Parameters
    ----------
    texts
        (text, label).
    substitute
        Whether the texts stand in for the paper's own.
    seeds
        One training run each.
    config
        How the classifier is trained.
    """

    def __init__(
        self,
        texts: Sequence[tuple[str, str]],
        *,
        substitute: bool = False,
        seeds: Sequence[int] = SEEDS,
        config: ProbeConfig | None = None,
    ) -> None:
        self.texts = list(texts)
        self.substitute = substitute
        self.seeds = seeds
        self.config = config or CONFIG

    def evaluate(self, encoder: Encoder, *, verbose: bool | None = False) -> Metrics:
        """Return ``accuracy``, its ``std`` over the runs, ``n`` texts and their ``mean_length``.

        The length is in words, cut at white space.
        """
        classes = sorted({label for _, label in self.texts})
        labels = np.array([classes.index(label) for _, label in self.texts], dtype=np.int64)
        vectors = encoder.encode([text for text, _ in self.texts])
        accuracies = probe_accuracies(
            vectors, labels, seeds=self.seeds, config=self.config, verbose=verbose
        )
        metrics: Metrics = {
            "accuracy": float(accuracies.mean()),
            "std": float(accuracies.std()),
            "n": len(self.texts),
            "mean_length": fmean(len(text.split()) for text, _ in self.texts),
        }
        return metrics | ({"substitute": True} if self.substitute else {})


def cut_at_median(texts: Sequence[tuple[str, str]], part: Part) -> list[tuple[str, str]]:
    """Keep the texts of at most the median number of words, or those of more.

    Examples
    --------
    >>> texts = [("a", "x"), ("a b", "y"), ("a b c", "x")]
    >>> cut_at_median(texts, "short"), cut_at_median(texts, "long")
    ([('a', 'x'), ('a b', 'y')], [('a b c', 'x')])
    """
    middle = median(len(text.split()) for text, _ in texts)
    return [pair for pair in texts if (len(pair[0].split()) <= middle) == (part == "short")]


def load_atis(part: Part, folder: Path | None = None) -> ShortText:
    """Read ATIS, training and test part together: the queries of its eight largest intents."""
    rows: list[list[str]] = []
    for name in ("atis_train", "atis_test"):
        rows += read_rows(f"short_text/atis/{name}.tsv", folder, separator="\t", width=2)
    counts = Counter(intent for _, intent in rows)
    largest = {intent for intent, _ in counts.most_common(N_INTENTS)}
    return ShortText(cut_at_median([(t, i) for t, i in rows if i in largest], part))


def load_twitter(part: Part, folder: Path | None = None) -> ShortText:
    """Read the tweets that are positive or negative.

    Notes
    -----
    TweetEval's validation and test parts and Sentiment140's manual test: a substitute, since
    the paper's own selection was not published.
    """
    texts = [*_tweeteval("val", folder), *_tweeteval("test", folder), *_sentiment140(folder)]
    return ShortText(cut_at_median(texts, part), substitute=True)


def _tweeteval(name: str, folder: Path | None) -> list[tuple[str, str]]:
    _, texts = read_lines(f"{TWEETEVAL}/{name}_text.txt", folder)
    path, labels = read_lines(f"{TWEETEVAL}/{name}_labels.txt", folder)
    if len(texts) != len(labels):
        raise DataDamagedError(path, f"it has {len(labels)} lines for {len(texts)} texts")
    names = {"0": "negative", "2": "positive"}
    pairs = zip(texts, labels, strict=True)
    return [(text, names[label]) for text, label in pairs if label in names]


def _sentiment140(folder: Path | None) -> list[tuple[str, str]]:
    path, lines = read_lines(SENTIMENT140, folder)
    rows = list(csv.reader(lines))
    if any(len(row) != 2 for row in rows):
        raise DataDamagedError(path, "a line is not label and text")
    names = {"0": "negative", "4": "positive"}
    return [(text, names[label]) for label, text in rows if label in names]
