"""Candidate pairs of records and a reference, without those that a veto forbids."""

from __future__ import annotations

from functools import partial

from pearljoin._candidates.combination_blocking import block_pairs
from pearljoin._candidates.exclusions import block_permitted, conflicts
from pearljoin._comparison.reference import Reference
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.records import Records
from pearljoin._typing import Pairs

__all__ = ["blocked_pairs"]


def blocked_pairs(
    left: Records, side: EncodedRecords, reference: Reference, *, is_crossed: bool | None
) -> Pairs:
    """List all pairs that blocking finds.

    Parameters
    ----------
    left, side
        The left records, and the same encoded.
    reference
        The right side.
    is_crossed
        As of `block_pairs`.

    Returns
    -------
    left_at, right_at
        As of `block_pairs`.
    """
    search = partial(block_pairs, device=reference.device, is_crossed=is_crossed)
    if not left.vetoes:
        return search(side, reference.encoded)
    forbidden = partial(conflicts, left, reference.records)
    return block_permitted(side, reference.encoded, search, forbidden)
