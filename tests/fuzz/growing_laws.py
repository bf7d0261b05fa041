"""What must hold of a table that grows."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pearljoin as pj
from fuzz.dedupe_laws import DUPLICATES, check_constraints
from fuzz.promise import law, n_rows_of, part_of

Scores = dict[tuple[Any, Any], float]

MOST_APART = 1e-6
"""By how much the probability of a pair may depend on the rows beside it, being float32."""


def check_growing(left: Any, right: Any, options: dict[str, Any]) -> None:
    """Rows that are added or removed change no cluster, and their batches no pair."""
    options = {name: value for name, value in options.items() if name in DUPLICATES}
    options.pop("weights", None)
    if not isinstance(left, list):
        options["ids"] = "l"
    grown = pj.Deduplicator(**options).fit(left)
    n_left, n_right = n_rows_of(left), n_rows_of(right)
    check_constraints(left, grown.clusters(), options)
    half = n_right // 2
    added = 0
    for part in (part_of(right, 0, half), part_of(right, half, n_right)):
        before = grown.clusters().tolist()
        clusters = grown.add(part).tolist()
        law(len(clusters) == n_rows_of(part), "rows were lost")
        law(grown.clusters().tolist() == before + clusters, "a row that stood changed its cluster")
        added += len(clusters)
    law(grown.ids == list(range(n_left + added)), "other ids than those that were given")
    at_once = pj.Deduplicator(**options).fit(left)
    at_once.add(right)
    _law_same(_scores(grown), _scores(at_once), "batches change the pairs")
    law(n_rows_of(grown.table()) == n_left + n_right, "the table has other rows")
    _check_removing(grown)
    with tempfile.TemporaryDirectory() as folder:
        grown.save(Path(folder) / "kept")
        loaded = pj.Deduplicator.load(Path(folder) / "kept")
    law(loaded.clusters().tolist() == grown.clusters().tolist(), "it is loaded with other clusters")
    law(loaded.ids == grown.ids, "it is loaded with other ids")
    _law_same(_scores(loaded), _scores(grown), "it is loaded with other pairs")


def _check_removing(grown: pj.Deduplicator) -> None:
    """Rows that are removed are gone, and the others as they were."""
    before = dict(zip(grown.ids, grown.clusters().tolist(), strict=True))
    scores = _scores(grown)
    gone = grown.ids[::3]
    grown.remove(gone)
    law(grown.ids == [one for one in before if one not in gone], "other rows were removed")
    law(grown.clusters().tolist() == [before[one] for one in grown.ids], "removing moved a row")
    left = {pair: p for pair, p in scores.items() if not set(pair) & set(gone)}
    _law_same(_scores(grown), left, "removing changes the pairs of others")
    merges = grown.merges()
    law(all(merge.id not in gone for merge in merges), "a merge that a removed row speaks for")
    if grown.apply_merges().ids:
        grown.refit()
        law(len(grown.clusters()) == len(grown.ids), "fitting again lost rows")


def _scores(grown: pj.Deduplicator) -> Scores:
    grown.pairs(0.0)
    # Before they are rounded for the table.
    left, right, scores = grown._fitted().row_pairs(0.0)
    ids = grown.ids
    pairs = [(ids[one], ids[two]) for one, two in zip(left.tolist(), right.tolist(), strict=True)]
    return dict(zip(pairs, scores.tolist(), strict=True))


def _law_same(one: Scores, other: Scores, what: str) -> None:
    law(set(one) == set(other), what)
    law(all(abs(p - other[pair]) <= MOST_APART for pair, p in one.items()), what)
