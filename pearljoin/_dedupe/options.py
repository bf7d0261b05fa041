"""Options of a deduplication beside those of a match: constraints on clusters."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

import numpy as np

from pearljoin._clusters.limits import NO_PAIRS, Limits
from pearljoin._errors import InputError
from pearljoin._kinds.protocol import Kind
from pearljoin._options import EncoderLike, ThresholdLike
from pearljoin._records.records import factorize
from pearljoin._tables.cells import is_null
from pearljoin._tables.read_table import Table
from pearljoin._tables.row_pairs import read_id_pairs, read_row_pairs
from pearljoin._typing import Columns, Device, IntVector, Weights

__all__ = ["ConstraintOptions", "FindArguments"]


class FindArguments(TypedDict, total=False):
    """What `find_duplicates` takes beside the table, for type checkers."""

    on: Columns | None
    by: Columns | None
    veto: Columns | None
    kinds: Mapping[Any, Kind] | None
    geo: tuple[Any, Any] | None
    phone_region: str | None
    threshold: ThresholdLike
    precision: float
    cannot_link: Any
    must_link: Any
    one_per: Hashable | None
    max_size: int | None
    sources: Sequence[str] | None
    weights: Weights | None
    encoder: EncoderLike
    nulls_equal: bool
    device: Device
    batch_size: int | None
    verbose: bool | None


@dataclass(frozen=True, slots=True)
class ConstraintOptions:
    """Constraints on clusters, as the user gave them."""

    cannot_link: Any = ()
    must_link: Any = ()
    one_per: Hashable | None = None
    max_size: int | None = None

    def without_pairs(self) -> ConstraintOptions:
        """Return the constraints without those on pairs of rows."""
        return replace(self, cannot_link=(), must_link=())

    def read(self, table: Table, ids: Sequence[Any] | None = None) -> Limits:
        """Read the constraints on the rows of a table.

        Parameters
        ----------
        table
            The table.
        ids
            The id of each row, by which pairs name rows. Default: their positions.

        Raises
        ------
        InputError
            If one of them is not understood, or names a row or a column that is not there.
        """
        cannot_link = _read_pairs(self.cannot_link, table.n_rows, "cannot_link", ids)
        itself = np.flatnonzero(cannot_link[:, 0] == cannot_link[:, 1])
        if len(itself):
            row = int(cannot_link[itself[0], 0])
            raise InputError(
                "A row cannot be apart from itself. Got "
                f"{f'row {row}' if ids is None else f'id {ids[row]!r}'} twice in a pair of "
                "cannot_link=. Hint: take the pair out."
            )
        return Limits(
            cannot_link,
            _read_pairs(self.must_link, table.n_rows, "must_link", ids),
            None if self.one_per is None else _read_sources(table, self.one_per),
            _read_size(self.max_size),
            ids,
        )


def _read_pairs(pairs: Any, n_rows: int, argument: str, ids: Sequence[Any] | None) -> IntVector:
    """Read pairs of rows: int64 of shape (n_pairs, 2)."""
    if pairs is None or (hasattr(pairs, "__len__") and not len(pairs)):
        return NO_PAIRS.copy()
    if ids is not None:
        return np.stack(read_id_pairs(pairs, ids, argument), axis=1)
    found = np.stack(read_row_pairs(pairs), axis=1)
    if len(found) and found.max() >= n_rows:
        raise InputError(
            f"{argument}= names a row that is not there. Got row {found.max()} of {n_rows}. "
            "Hint: rows are counted from 0, whatever the index says."
        )
    return found


def _read_sources(table: Table, name: Hashable) -> IntVector:
    """Number the values of a column, `NULL` for null: int64 of shape (n_rows,)."""
    cells = table.column(name, "one_per").to_list()
    try:
        return factorize([None if is_null(cell) else cell for cell in cells])[1]
    except (TypeError, ValueError) as error:
        raise InputError(
            f"one_per= needs a column of plain values. Got {name!r}, which holds unhashable ones. "
            "Hint: name a column of text or numbers."
        ) from error


def _read_size(size: Any) -> int | None:
    if size is None:
        return None
    if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
        raise InputError(f"max_size must be a whole number above 0, or None. Got {size!r}.")
    return min(int(size), int(np.iinfo(np.int64).max))  # no table has as many rows
