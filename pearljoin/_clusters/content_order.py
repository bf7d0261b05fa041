"""Records sorted by their content, so that no tie of a search depends on the order of rows."""

from __future__ import annotations

import numpy as np

from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.records import Records
from pearljoin._records.sampling import content_hashes, hash_rows
from pearljoin._search.approximate import EXACT_ROWS
from pearljoin._typing import IntVector

__all__ = ["content_keys", "in_content_order"]


def in_content_order(side: EncodedRecords, keys: IntVector) -> tuple[EncodedRecords, IntVector]:
    """Sort records by their content, unless they are searched approximately.

    A search lists a fixed number of neighbours, and of equally near ones at the end of the list
    the first. Among sorted records the order of rows plays no part in that.

    Parameters
    ----------
    side
        The records of one table.
    keys
        int64 of shape (n_records,): as of `content_keys`.

    Returns
    -------
    records, order
        The sorted records, and int64 of shape (n_records,): the number of each in `side`. More than
        `EXACT_ROWS` records stay as they are, since a sorted copy would cost another index.
    """
    searched = side if side.whole is None else side.whole
    if len(side) > EXACT_ROWS or searched.known_indexes.plan is not None:
        return side, np.arange(len(side))
    order = np.argsort(keys, kind="stable").astype(np.int64)
    return side.take(order), order


def content_keys(side: EncodedRecords, records: Records) -> IntVector:
    """Hash the values of each record, those of veto and exact-match columns among them.

    Returns
    -------
    keys
        int64 of shape (n_records,), 0 or more.
    """
    keys = content_hashes(side)
    groups = () if records.groups is None else (records.groups,)
    beside = *records.vetoes, *groups
    if not beside:
        return keys
    values = [field.values for field in beside]
    more = hash_rows(values, [field.codes[records.first_row] for field in beside], len(keys))
    # One call for all columns would give other keys to tables with two of these columns. Ties go by
    # keys and decoys are drawn in their order, so the scores of such tables would change.
    return (keys * 31 + more) % (1 << 40)
