"""Measuring the benchmark's sets that fit into the time that is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pearljoin import Encoder
from pearljoin_train.benchmark.suite import average, run_task
from pearljoin_train.benchmark.tasks import COMPARABLE7, SETS
from pearljoin_train.common.cached_encoder import CachedEncoder

__all__ = ["CHEAP_FIRST", "measure_in_time"]

CHEAP_FIRST = (
    "turney", "bird", "conll2003", "bc5cdr", "ppdb_filtered", "ppdb", "autofj", "yago",
    "atis_s", "atis_l", "twitter_s", "twitter_l", "umls",
)  # fmt: skip
"""Sets in the order in which they are measured: those of few texts first."""
GROWS = 2.0
"""A set is begun where the last one's time, times this, is left."""


def measure_in_time(
    encoder: Encoder,
    tasks: Sequence[str],
    left: Callable[[], float],
    *,
    folder: Path | None = None,
    told: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Measure an encoder on sets, one after the other, while there is time.

    Parameters
    ----------
    encoder
        The model.
    tasks
        Keys of `pearljoin_train.benchmark.tasks.SETS`.
    left
        Returns the seconds that are left.
    folder
        The data folder; by default the one in force.
    told
        Gets a line about each set.

    Returns
    -------
    scores
        ``tasks``: metrics by set, ``absent``: the reason by set that has none, ``seconds`` by set,
        and ``average7``, None where a set of it is absent.
    """
    cached = CachedEncoder(encoder)
    metrics: dict[str, Any] = {}
    absent: dict[str, str] = {}
    seconds: dict[str, float] = {}
    last = 0.0
    for task in sorted(tasks, key=CHEAP_FIRST.index):
        reason = SETS[task].absence(folder)
        if reason is None and left() < GROWS * last:
            reason = f"no time: {left():.0f} s were left, and the set before took {last:.0f}"
        if reason is not None:
            absent[task] = reason.partition(". ")[0]
            told(f"{SETS[task].title}: not measured: {absent[task]}")
            continue
        began = time.monotonic()
        metrics[task] = run_task(SETS[task], cached, folder)
        last = seconds[task] = round(time.monotonic() - began, 1)
        value = metrics[task][SETS[task].metric]
        told(f"{SETS[task].title}: {value if value is None else round(100 * value, 1)}")
    return {
        "tasks": metrics,
        "absent": absent,
        "seconds": seconds,
        "average7": average(metrics, COMPARABLE7),
    }
