"""The benchmark's tasks, one file each, and the list of its sets.

Nothing is read until a set is loaded: `SETS` says where each set lies and how to load it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pearljoin_train.benchmark.tasks import (
    bird,
    clustering,
    fuzzy_join,
    paraphrase,
    retrieval,
    short_text,
    turney,
    word_weights,
)
from pearljoin_train.benchmark.tasks.base import Metrics, Ranker, Task
from pearljoin_train.data import DataMissingError, find

__all__ = ["APART", "COMPARABLE7", "PAPER9", "SETS", "BenchmarkSet", "Metrics", "Ranker", "Task"]


@dataclass(frozen=True)
class BenchmarkSet:
    """One set of the benchmark."""

    title: str
    """As the paper's tables name it."""
    metric: str
    """The metric that stands for it in tables and averages."""
    place: str
    """The file or folder of the data folder without which it is absent."""
    load: Callable[[Path | None], Task]
    """Reads it: (data folder or None) -> task."""
    for_rankers: bool = False
    """Whether a method without embeddings can take part."""

    def absence(self, folder: Path | None = None) -> str | None:
        """Return why the set is absent (what was sought, where, how to get it), else None."""
        try:
            find(self.place, folder)
        except DataMissingError as error:
            return str(error)
        return None


_PPDB = "pearl_benchmark/ppdb"
_TWITTER = short_text.TWEETEVAL

SETS: dict[str, BenchmarkSet] = {
    "ppdb": BenchmarkSet(
        "PPDB", "accuracy", f"{_PPDB}/ppdb.json", lambda at: paraphrase.load("ppdb", at)
    ),
    "ppdb_filtered": BenchmarkSet(
        "PPDB filtered",
        "accuracy",
        f"{_PPDB}/ppdb_filtered.json",
        lambda at: paraphrase.load("ppdb_filtered", at),
    ),
    "turney": BenchmarkSet("Turney", "accuracy", "pearl_benchmark/turney", turney.load),
    "bird": BenchmarkSet("BIRD", "pearson", "pearl_benchmark/bird", bird.load),
    "yago": BenchmarkSet(
        "YAGO", "top1", "pearl_benchmark/yago", retrieval.load_yago, for_rankers=True
    ),
    "umls": BenchmarkSet(
        "UMLS", "top1", "pearl_benchmark/umls", retrieval.load_umls, for_rankers=True
    ),
    "conll2003": BenchmarkSet(
        "CoNLL 03",
        "nmi",
        "pearl_benchmark/conll2003",
        lambda at: clustering.load("conll2003", at),
    ),
    "bc5cdr": BenchmarkSet(
        "BC5CDR", "nmi", "pearl_benchmark/bc5cdr", lambda at: clustering.load("bc5cdr", at)
    ),
    "autofj": BenchmarkSet("AutoFJ", "top1", "autofj", fuzzy_join.load, for_rankers=True),
    "twitter_s": BenchmarkSet(
        "Twitter-S", "accuracy", _TWITTER, lambda at: short_text.load_twitter("short", at)
    ),
    "twitter_l": BenchmarkSet(
        "Twitter-L", "accuracy", _TWITTER, lambda at: short_text.load_twitter("long", at)
    ),
    "atis_s": BenchmarkSet(
        "ATIS-S", "accuracy", "short_text/atis", lambda at: short_text.load_atis("short", at)
    ),
    "atis_l": BenchmarkSet(
        "ATIS-L", "accuracy", "short_text/atis", lambda at: short_text.load_atis("long", at)
    ),
}
"""Every set, by the name it has on the command line and in results, in the paper's order."""

PAPER9 = tuple(SETS)[:9]
"""The sets of the paper's Table 1."""

COMPARABLE7 = tuple(name for name in PAPER9 if name not in ("yago", "umls"))
"""Those of them whose data here is the paper's."""

APART: dict[str, BenchmarkSet] = {
    "word-weights": BenchmarkSet("Word weights", "split_error", "text", word_weights.load),
}
"""Sets that measure something other than the encoder under test, and are run only by name."""
