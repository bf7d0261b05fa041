"""Rows that come to a reference, or go: what was learned stays, and only what is new is encoded."""

from __future__ import annotations

from dataclasses import replace

from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._fitted.learned import Learned
from pearljoin._tables.adding import add_rows
from pearljoin._tables.idle_columns import idle_still, without_idle
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._tables.read_table import Table
from pearljoin._tables.removing import remove_rows

__all__ = ["with_rows", "without_rows"]


def with_rows(fitted: FittedTable, more: Table) -> FittedTable:
    """Return a reference with further rows, and what was learned unchanged."""
    names, given, frozen = fitted.names, fitted.given, fitted.frozen_kinds
    longer, kinds = add_rows(fitted.right, more, names, fitted.kinds, given, fitted.arguments)
    if kinds.keys == fitted.kinds.keys and idle_still(longer, names, frozen):
        # A column without a value so far takes the kind of its first ones.
        return _with_table(fitted, longer, kinds, frozen._replace(by=kinds.by, veto=kinds.veto))
    # A key column that said nothing so far has values, so nothing was learned of it.
    if fitted.drops_columns:
        kinds = without_idle(longer, names, kinds, given)
    return replace(fitted, right=longer, kinds=kinds, frozen_kinds=kinds, _learned={}).frozen()


def without_rows(fitted: FittedTable, less: Table) -> FittedTable:
    """Return a reference without some rows, and what was learned unchanged."""
    kept = remove_rows(fitted.right, less, fitted.names, fitted.arguments)
    return _with_table(fitted, kept, fitted.kinds, fitted.frozen_kinds)


def _with_table(
    fitted: FittedTable, right: Table, kinds: ColumnKinds, frozen: ColumnKinds
) -> FittedTable:
    """Return another reference, of which only what is new is encoded."""
    learned = fitted.learned()
    before, state = learned.reference, learned.state
    if state.neighbours is None and not before.calibrated:
        state = replace(state, neighbours=before.neighbour_scores)
    changed = replace(fitted, right=right, kinds=kinds, _learned={})
    reference = changed.encode(
        frozen,
        known=before.values,
        statistics=before.learned_statistics,
        readers=before.records.comparers,
        indexes=before.indexes_after(adding=right.n_rows > fitted.right.n_rows),
    )
    return changed.with_learned(frozen, Learned(reference, state, learned.readers))
