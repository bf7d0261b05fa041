"""recordlinkage's unsupervised ECM classifier, as its documentation's examples are written.

- Candidate pairs: all (`Index.full`) where they are at most `MOST_PAIRS`, else `Index` with a
  `block` on each of the blocking rules of ``benchmarks/records/generic.py``.
- Comparisons by kind of column: names, texts and e-mails `string` by Jaro-Winkler similarity of
  at least 0.85, as in the documentation's examples; numbers `numeric` with a Gaussian
  whose scale is 1 % of the column's mean absolute value, above 0.5; dates, codes and categories
  `exact`. A missing value counts as a disagreement, its default.
- `ECMClassifier` with its defaults, fitted to the candidate pairs; what it predicts is returned.
  Two tables that match one to one: then `OneToOneLinking`, pairs of higher probability first.
  One table: `ConnectedComponents` of the pairs.
- The best candidate of a row is its pair of highest `prob`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import recordlinkage as rl

PACKAGES = ("recordlinkage", "pandas", "scikit-learn")
Table = dict[str, list[str | None]]

MOST_PAIRS = 3_000_000
"""Pairs that are all compared, without blocking."""


def link(left: Table, right: Table, request: dict[str, Any]) -> dict[str, Any]:
    """Link two tables."""
    matches, probability = _classify([left, right], request)
    if request["constraint"] == "one_to_one" and len(matches):
        ordered = probability.loc[matches].sort_values(ascending=False, kind="stable").index
        matches = rl.OneToOneLinking().compute(ordered)
    pairs = [[int(one), int(two)] for one, two in matches]
    return {"": {"pairs": pairs, "best": _best(probability, both_sides=False)}}


def dedupe(table: Table, request: dict[str, Any]) -> dict[str, Any]:
    """Deduplicate one table."""
    matches, probability = _classify([table], request)
    clusters = list(range(len(next(iter(table.values())))))
    for part in rl.ConnectedComponents().compute(matches) if len(matches) else ():
        rows = sorted({int(row) for pair in part for row in pair})
        for row in rows:
            clusters[row] = rows[0]
    return {"": {"clusters": clusters, "best": _best(probability, both_sides=True)}}


def _classify(tables: list[Table], request: dict[str, Any]) -> tuple[pd.MultiIndex, pd.Series]:
    """Return the pairs that are predicted to match, and the probability of every candidate."""
    kinds = request["kinds"]
    frames = [_frame(table, kinds) for table in tables]
    candidates = _index(frames, request["blocking"]).index(*frames)
    compare = rl.Compare()
    for name, kind in kinds.items():
        if kind in ("name", "text", "email"):
            compare.string(name, name, method="jarowinkler", threshold=0.85, label=name)
        elif kind == "number":
            scale = 0.01 * float(np.nanmean(np.abs(frames[0][name])))
            compare.numeric(name, name, method="gauss", scale=scale, label=name)
        else:
            compare.exact(name, name, label=name)
    features = compare.compute(candidates, *frames)
    features = (features > 0.5).astype(int)
    classifier = rl.ECMClassifier()
    matches = classifier.fit_predict(features)
    return matches, pd.Series(classifier.prob(features), index=features.index)


def _index(frames: list[pd.DataFrame], rules: list[Any]) -> rl.Index:
    index = rl.Index()
    first, last = len(frames[0]), len(frames[-1])
    if (first * last if len(frames) > 1 else first * (first - 1) // 2) <= MOST_PAIRS:
        return index.full()
    for number, rule in enumerate(rules):
        for frame in frames:
            frame[f"block{number}"] = _block(frame, rule)
        index.block(f"block{number}")
    return index


def _frame(table: Table, kinds: dict[str, str]) -> pd.DataFrame:
    frame = pd.DataFrame(table, dtype=object)
    for name, kind in kinds.items():
        if kind == "number":
            frame[name] = pd.to_numeric(frame[name], errors="coerce")
    return frame


def _block(frame: pd.DataFrame, rule: list[tuple[str, int | None]]) -> pd.Series:
    """Return the key of a blocking rule, missing where one of its columns is."""
    parts = [
        frame[name] if length is None else frame[name].str.slice(0, length) for name, length in rule
    ]
    key = parts[0].astype("string")
    for part in parts[1:]:
        key = key.str.cat(part.astype("string"), sep="\x1f")
    return key.astype(object).where(key.notna(), None)


def _best(probability: pd.Series, both_sides: bool) -> list[list[float]]:
    pairs = probability.rename("p").reset_index()
    pairs.columns = ["one", "two", "p"]
    if both_sides:
        pairs = pd.concat([pairs, pairs.rename(columns={"one": "two", "two": "one"})])
    pairs = pairs.sort_values(["one", "p", "two"], ascending=[True, False, True])
    best = pairs.drop_duplicates("one")
    return [
        [int(one), int(two), float(p)]
        for one, two, p in zip(best["one"], best["two"], best["p"], strict=True)
    ]
