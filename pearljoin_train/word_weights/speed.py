"""Speed of `WeightedWordEncoder`, in names a second."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from pearljoin import WeightedWordEncoder
from pearljoin_train.data.alias_pairs import read_alias_pairs
from pearljoin_train.data.autofj import load_table, table_names

__all__ = ["NAMES", "alias_names", "autofj_titles", "speed"]

RUNS = 3
MOST_NAMES = 200_000


def alias_names() -> list[str]:
    """Return the distinct names of the alias pairs, in many languages, in order of alphabet."""
    names: set[str] = set()
    for pair in read_alias_pairs():
        names.update((pair.name, pair.alias))
    return sorted(names)


def autofj_titles() -> list[str]:
    """Return the distinct titles of the AutoFJ tables, in order of alphabet."""
    tables = map(load_table, table_names())
    return sorted({title for table in tables for title in (*table.reference, *table.queries)})


NAMES: dict[str, Callable[[], list[str]]] = {"aliases": alias_names, "autofj": autofj_titles}


def speed(names: Sequence[str], runs: int = RUNS) -> dict[str, float]:
    """Time a new encoder on names, in an order drawn at random.

    Parameters
    ----------
    names
        Distinct names; 200,000 of them, drawn at random, where there are more.
    runs
        How often; the best time of each step counts, for others may use the machine.

    Returns
    -------
    speeds
        Names a second, each by wall time and by ``<step>, one core``, the processor time of all
        threads together: ``fit`` counts document frequencies; ``encode, new words`` looks every
        word up; ``encode, known words`` finds all in the cache; ``fit and encode`` is what a join
        does.
    """
    order = np.random.default_rng(0).permutation(len(names))[:MOST_NAMES]
    shuffled = [names[place] for place in order]
    steps = ("fit", "encode, new words", "encode, known words")
    best = dict.fromkeys(steps, (np.inf, np.inf))
    for _ in range(runs):
        encoder = WeightedWordEncoder(verbose=False)
        for step in steps:
            wall, processor = time.perf_counter(), time.process_time()
            if step == "fit":
                encoder.fit(shuffled)
            else:
                encoder.encode(shuffled)
            found = (time.perf_counter() - wall, time.process_time() - processor)
            best[step] = (min(best[step][0], found[0]), min(best[step][1], found[1]))
    both = [best["fit"][kind] + best["encode, new words"][kind] for kind in (0, 1)]
    best["fit and encode"] = (both[0], both[1])
    speeds = {step: len(shuffled) / seconds for step, (seconds, _) in best.items()}
    return speeds | {f"{step}, one core": len(shuffled) / s for step, (_, s) in best.items()}
