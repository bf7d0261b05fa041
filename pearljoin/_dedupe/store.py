"""A Deduplicator as a folder of plain files, and back."""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pearljoin._decision.thresholds import FixedThreshold
from pearljoin._dedupe.growing import Growing
from pearljoin._dedupe.merges import ClusterPair, Merge
from pearljoin._dedupe.options import ConstraintOptions
from pearljoin._errors import InputError
from pearljoin._fitted.checked_folder import refuse_damaged
from pearljoin._fitted.learned import Learned
from pearljoin._fitted.save_matcher import SavedMatcher, load_matcher, save_matcher
from pearljoin._fitted.saved_arrays import (
    real_number,
    take_flags,
    take_reals,
    take_whole,
    whole_number,
)
from pearljoin._fitted.saved_table import check_learned, read_fitted, saved_comparers, saved_table
from pearljoin._options import EncoderLike, MatchOptions
from pearljoin._records.missing_keys import NULL
from pearljoin._search.known_indexes import KnownIndexes
from pearljoin._tables.cells import is_hashable
from pearljoin._tables.keys import KeyOptions
from pearljoin._tables.read_table import as_table

__all__ = ["load_deduplicator", "save_deduplicator"]

Loaded = tuple[Growing, KeyOptions, MatchOptions, ConstraintOptions, Hashable | None, bool]


def save_deduplicator(
    folder: str | os.PathLike[str],
    growing: Growing,
    keys: KeyOptions,
    options: MatchOptions,
    constraints: ConstraintOptions,
    ids: Hashable | None,
    *,
    is_auto: bool,
) -> None:
    """Write a deduplicator to a folder; raises as `Deduplicator.save` does."""
    _check_ids(growing.ids)
    first, second, log_odds = growing.pairs
    growth = {
        "n_fitted": growing.base.right.n_rows,
        "threshold": growing.threshold,
        "is_auto": is_auto,
        "ids": growing.ids,
        "ids_column": ids,
        "next_cluster": growing.next_cluster,
        "merges": [list(merge) for merge in growing.merges],
        "rejected": [list(pair) for pair in growing.rejected],
        "one_per": constraints.one_per,
        "max_size": constraints.max_size,
    }
    arrays = {
        "cluster": growing.cluster,
        "is_live": growing.is_live,
        "first": first,
        "second": second,
        "log_odds": log_odds,
        "cannot_link": growing.cannot_link,
        "must_link": growing.must_link,
    }
    saved = saved_table(keys, growing.fitted, indexed=False)
    save_matcher(folder, saved._replace(options=options, growth=growth, growth_arrays=arrays))


def _check_ids(ids: Sequence[Any]) -> None:
    """Refuse ids that would not be read as they are; the store refuses other types."""
    for one in ids:
        if isinstance(one, tuple):
            raise InputError(
                f"An id of type {type(one).__name__} cannot be saved. Got {one!r}. "
                "Hint: make the ids text or numbers."
            )


def load_deduplicator(folder: str | os.PathLike[str], encoder: EncoderLike | None) -> Loaded:
    """Read what `save_deduplicator` wrote; raises as `Deduplicator.load` does."""
    saved = load_matcher(folder, encoder, grows=True)
    with refuse_damaged(folder):
        return _restore(saved)


def _restore(saved: SavedMatcher) -> Loaded:
    growth, arrays, state = saved.growth, saved.growth_arrays, saved.state
    if growth is None or state is None or state.match_weights is None:
        raise ValueError("its clusters are not described")
    n_fitted = whole_number(growth["n_fitted"], "n_fitted", most=saved.right.n_rows)
    head = as_table(saved.right.head(n_fitted), saved.right.side)
    if saved.right.frame is None:
        head = head.renamed(next(iter(saved.right.columns)))
    base = read_fitted(saved, head, one_table=True)
    known, statistics, indexes = saved.vectors, saved.statistics, KnownIndexes(saved.indexes.plan)
    reference = base.encode(
        saved.kinds,
        known=known,
        statistics=statistics,
        indexes=indexes,
        readers=saved_comparers(saved),
    )
    base = base.with_learned(saved.kinds, Learned(reference, state))
    fitted = base
    if saved.right.n_rows > head.n_rows:
        longer = replace(base, right=saved.right, _learned={})
        whole = longer.encode(
            saved.kinds,
            known=known,
            statistics=statistics,
            indexes=indexes,
            readers=reference.records.comparers,
        )
        fitted = longer.with_learned(saved.kinds, Learned(whole, state))
    check_learned(saved, reference)
    n_rows, n_records = saved.right.n_rows, fitted.learned().reference.records.n_records
    next_cluster = whole_number(growth["next_cluster"], "next_cluster")
    ids, threshold = growth["ids"], growth["threshold"]
    if not isinstance(ids, list) or len(ids) != n_rows or not all(map(is_hashable, ids)):
        raise ValueError("its rows are not all described")
    if growth["ids_column"] is None:
        for one in ids:
            whole_number(one, "an id")
    first = take_whole(arrays, "first", (None,), most=n_records - 1)
    growing = Growing(
        base=base,
        fitted=fitted,
        weights=state.match_weights,
        threshold=FixedThreshold(threshold).value,
        ids=ids,
        cluster=take_whole(arrays, "cluster", (n_rows,), least=NULL, most=next_cluster - 1),
        is_live=take_flags(arrays, "is_live", (n_rows,)),
        next_cluster=next_cluster,
        pairs=(
            first,
            take_whole(arrays, "second", first.shape, most=n_records - 1),
            # Infinite for keys that are equal once normalised, and for lone dates that differ.
            take_reals(arrays, "log_odds", first.shape, least=-np.inf, most=np.inf),
        ),
        cannot_link=take_whole(arrays, "cannot_link", (None, 2), most=n_rows - 1),
        must_link=take_whole(arrays, "must_link", (None, 2), most=n_rows - 1),
        merges=tuple(_read_merge(merge, ids, next_cluster) for merge in growth["merges"]),
        # Folders from before rejected merges were kept lack them.
        rejected=tuple(_read_rejected(pair, next_cluster) for pair in growth.get("rejected", ())),
    )
    cannot_link, must_link = (
        # Pairs name rows by their ids, where there is a column of these.
        part if growth["ids_column"] is None else [(ids[a], ids[b]) for a, b in part.tolist()]
        for part in (growing.cannot_link, growing.must_link)
    )
    constraints = ConstraintOptions(cannot_link, must_link, growth["one_per"], growth["max_size"])
    is_auto = bool(growth["is_auto"])
    return growing, saved.keys, saved.options, constraints, growth["ids_column"], is_auto


def _read_merge(merge: Any, ids: Sequence[Any], next_cluster: int) -> Merge:
    """Read a merge that was saved; raises ValueError or TypeError if it is damaged."""
    cluster, other, one, log_odds = merge
    if one not in ids:
        raise ValueError(f"a merge is {merge!r}")
    for end in (cluster, other):
        whole_number(end, "a cluster", most=next_cluster - 1)
    odds = real_number(log_odds, "the log odds of a merge", least=-np.inf, most=np.inf)
    return Merge(cluster, other, one, odds)


def _read_rejected(pair: Any, next_cluster: int) -> ClusterPair:
    """Read clusters that are not the same; raises ValueError or TypeError if damaged."""
    one, two = (whole_number(end, "a rejected cluster", most=next_cluster - 1) for end in pair)
    return one, two
