"""A Deduplicator as a folder of plain files, and back."""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pearljoin._dedupe.growing import Growing, Merge
from pearljoin._dedupe.options import ConstraintOptions
from pearljoin._errors import InputError, ModelError
from pearljoin._fitted.checked_folder import damaged_matcher
from pearljoin._fitted.fitted_table import Learned
from pearljoin._fitted.save_matcher import SavedMatcher, load_matcher, save_matcher
from pearljoin._fitted.saved_table import read_fitted, saved_table
from pearljoin._options import EncoderLike, MatchOptions
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
    saved = saved_table(keys, growing.fitted)
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
    try:
        return _restore(saved)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        if isinstance(error, ModelError):
            raise
        raise damaged_matcher(folder, repr(error)) from error


def _restore(saved: SavedMatcher) -> Loaded:
    growth, arrays, state = saved.growth, saved.growth_arrays, saved.state
    if growth is None or state is None or state.match_weights is None:
        raise ValueError("its clusters are not described")
    head = as_table(saved.right.head(int(growth["n_fitted"])), saved.right.side)
    if saved.right.frame is None:
        head = head.renamed(next(iter(saved.right.columns)))
    base = read_fitted(saved, head, one_table=True)
    known, statistics = saved.vectors, saved.statistics
    reference = base.encode(saved.kinds, known=known, statistics=statistics, plan=saved.plan)
    base = base.with_learned(saved.kinds, Learned(reference, state))
    fitted = base
    if saved.right.n_rows > head.n_rows:
        longer = replace(base, right=saved.right, _learned={})
        whole = longer.encode(
            saved.kinds,
            known=known,
            statistics=statistics,
            plan=saved.plan,
            before=reference.records,
        )
        fitted = longer.with_learned(saved.kinds, Learned(whole, state))
    growing = Growing(
        base=base,
        fitted=fitted,
        weights=state.match_weights,
        threshold=float(growth["threshold"]),
        ids=list(growth["ids"]),
        cluster=arrays["cluster"],
        is_live=arrays["is_live"],
        next_cluster=int(growth["next_cluster"]),
        pairs=(arrays["first"], arrays["second"], arrays["log_odds"]),
        cannot_link=arrays["cannot_link"],
        must_link=arrays["must_link"],
        merges=tuple(Merge(*merge) for merge in growth["merges"]),
    )
    n_rows = saved.right.n_rows
    if not len(growing.ids) == len(growing.cluster) == len(growing.is_live) == n_rows:
        raise ValueError("its rows are not all described")
    if any(len(part) != len(growing.pairs[0]) for part in growing.pairs):
        raise ValueError("its pairs do not fit together")
    records = fitted.learned().reference.records.n_records
    if any(np.any((part < 0) | (part >= records)) for part in growing.pairs[:2]):
        raise ValueError("its pairs are not of its rows")
    for linked in (growing.cannot_link, growing.must_link):
        if linked.ndim != 2 or linked.shape[1] != 2 or np.any((linked < 0) | (linked >= n_rows)):
            raise ValueError("its constraints are not of its rows")
    constraints = ConstraintOptions(
        growing.cannot_link, growing.must_link, growth["one_per"], growth["max_size"]
    )
    is_auto = bool(growth["is_auto"])
    return growing, saved.keys, saved.options, constraints, growth["ids_column"], is_auto
