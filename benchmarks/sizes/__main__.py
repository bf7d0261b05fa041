"""Measure precision and recall at default settings by the number of left rows.

``python -m benchmarks.sizes --json FILE`` looks aliases up in lists of names that are held out from
training: 1, 3, 8, 40 and 400 at a time, and all at once, where every alias has an answer and where
half of them have none.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tqdm.auto import tqdm

import pearljoin as pj
from pearljoin._atomic import write_text
from pearljoin_train.common.commands import exit_code
from pearljoin_train.common.environment import commit
from pearljoin_train.scorer.joins import alias_names

__all__ = ["main", "measure"]

KINDS = {
    "brands": "osm_name_suggestion_index",
    "organisations": "universities_by_domain",
    "places": "geonames_cities15000",
    "people": "openstates_people",
    "diseases": "pyobo_exports",
    "clubs": "openfootball_clubs",
    "parties": "partyfacts",
}
"""Sources that are held out from training, by the kind of their names."""

SIZES = (1, 3, 8, 40, 400)
MOST_NAMES, FEWEST_ROWS = 1_000, 400


class Query(NamedTuple):
    """An alias that is looked up, and the names that it stands for."""

    alias: str
    names: set[str]


def measure(
    names: Mapping[str, Sequence[str]], sizes: Sequence[int], *, rows: int, seed: int = 0
) -> Iterator[dict[str, Any]]:
    """Look the aliases of names up, so many at a time.

    Parameters
    ----------
    names
        The aliases of each name.
    sizes
        Left rows that are looked up at once.
    rows
        Left rows that are looked up in all, for each size, at least.
    seed
        Draws the aliases.

    Yields
    ------
    figures
        For each size, and for all rows at once: ``n_left``, ``answered`` (whether every row has an
        answer, or half of them), ``precision`` and ``recall``.
    """
    rng = np.random.default_rng(seed)
    listed = sorted(names)
    chosen = [listed[at] for at in rng.permutation(len(listed))[:MOST_NAMES]]
    meanings: dict[str, set[str]] = {}
    for name in listed:
        for alias in (name, *names[name]):
            meanings.setdefault(alias, set()).add(name)
    aliases = [str(rng.choice(list(names[name]))) for name in chosen]
    queries = [Query(alias, meanings[alias]) for alias in aliases]
    for answered in (True, False):
        absent = set() if answered else set(chosen[1::2])
        reference = [name for name in chosen if name not in absent]
        matcher = pj.Matcher().fit(reference)
        for n_left in (*sizes, len(queries)):
            n_calls = max(1, -(-rows // n_left))
            order = rng.permutation(len(queries))[: n_calls * n_left]
            some = [queries[at] for at in order]
            precision, recall = _rates(matcher, reference, some, n_left)
            yield {
                "n_left": n_left,
                "answered": answered,
                "precision": precision,
                "recall": recall,
            }


def _rates(
    matcher: pj.Matcher, reference: list[str], queries: list[Query], n_left: int
) -> tuple[float, float]:
    """Precision and recall of queries that are calibrated on and looked up, so many at a time."""
    present = set(reference)
    n_matched = n_right = 0
    for start in range(0, len(queries), n_left):
        some = queries[start : start + n_left]
        aliases = [query.alias for query in some]
        pairs = matcher.calibrate(aliases).match(aliases).matches()
        found = zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
        n_right += sum(reference[right] in some[left].names for left, right in found)
        n_matched += len(pairs)
    n_answers = sum(not present.isdisjoint(query.names) for query in queries)
    return n_right / max(1, n_matched), n_right / max(1, n_answers)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``python -m benchmarks.sizes``; returns the exit code, 2 where the data are wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sizes", description=__doc__)
    parser.add_argument("--json", type=Path, help="write the results here")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    return exit_code(lambda: _run(parser.parse_args(arguments)), wrong=2)


def _run(options: argparse.Namespace) -> int:
    every = alias_names()
    results = {
        kind: list(measure(every[KINDS[kind]], SIZES, rows=FEWEST_ROWS))
        for kind in tqdm(options.kinds, "kinds", unit="kind", disable=None)
    }
    for kind, figures in results.items():
        for one in figures:
            sys.stdout.write(
                f"{kind:<14} {'all' if one['answered'] else 'half':<5} {one['n_left']:>5} "
                f"P {one['precision']:.3f} R {one['recall']:.3f}\n"
            )
    if options.json:
        text = json.dumps({"commit": commit(), "results": results}, indent=1)
        write_text(options.json, text + "\n", what="result")
    return 0


if __name__ == "__main__":
    sys.exit(main())
