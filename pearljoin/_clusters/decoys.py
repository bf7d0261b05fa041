"""How high pairs of different things score in the table at hand: counted by decoys.

A decoy is a record that nobody wrote: each of its values is drawn from another record of the table.
It is no thing of the table, so whatever it looks like, it does by chance; and chance depends on the
table: among ten thousand people many share a name and nearly a birth date, among a hundred none do.
So decoys tell how many wrong pairs reach a score, as decoy sequences do in the search of mass
spectra (Elias and Gygi 2007). They are drawn column by column, and real things that resemble each
other in several columns at once, as siblings do, are not among them: their number is a lower bound.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, eye_array

from pearljoin._candidates.blocking import Pairs
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.whole_record import column_shares, whole_records
from pearljoin._typing import BoolVector, IntVector

__all__ = ["draw_decoys", "meets_donor"]


def draw_decoys(
    side: EncodedRecords, order: IntVector, n_decoys: int, dim: int
) -> tuple[EncodedRecords, NDArray[np.int64]]:
    """Draw records whose values come from different records of one group.

    Parameters
    ----------
    side
        The records of the table, with their whole records.
    order
        int64 of shape (n,): the records to draw from, in an order that their content decides.
    n_decoys
        How many to draw.
    dim
        Columns of the vectors of whole records.

    Returns
    -------
    decoys
        The drawn records.
    donors
        int64 of shape (n_fields, n_decoys): the record that each value comes from.
    """
    rng = np.random.default_rng(0)
    groups = np.zeros(len(side), dtype=np.int64) if side.groups is None else side.groups
    order = order[np.argsort(groups[order], kind="stable")]
    at = rng.integers(0, len(order), n_decoys)
    starts = np.searchsorted(groups[order], groups[order][at], side="left")
    ends = np.searchsorted(groups[order], groups[order][at], side="right")
    donors = np.stack([order[rng.integers(starts, ends)] for _ in side.codes])
    assert side.whole is not None
    bare = EncodedRecords(
        side.values,
        side.statistics,
        side.spelling,
        tuple(codes[of] for codes, of in zip(side.codes, donors, strict=True)),
        None if side.groups is None else side.groups[donors[0]],
        side.weights,
        side.nulls_equal,
    )
    whole = whole_records(bare, column_shares(side), dim, side.whole.statistics[0])
    return replace(bare, whole=whole), donors


def meets_donor(n_records: int, near: Pairs, donors: NDArray[np.int64], pairs: Pairs) -> BoolVector:
    """Tell which pairs of a decoy and a record share a value because one was drawn from the other.

    Parameters
    ----------
    n_records
        Number of records of the table.
    near
        Two aligned int64 arrays: pairs of records that may be one thing, so that a value of one is
        as good as a value of the other.
    donors
        As of `draw_decoys`.
    pairs
        Two aligned int64 arrays: a decoy and a record each.

    Returns
    -------
    meets
        bool of shape (n_pairs,).
    """
    first, second = near
    ones = np.ones(len(first), dtype=np.int8)
    shape = n_records, n_records
    graph = csr_matrix((ones, (first, second)), shape=shape)
    alike = csr_matrix(graph + graph.T + eye_array(n_records, dtype=np.int8))
    decoy, record = pairs
    found = np.zeros(len(decoy), dtype=bool)
    for of in donors:
        found |= np.asarray(alike[of[decoy], record]).reshape(-1) > 0
    return found
