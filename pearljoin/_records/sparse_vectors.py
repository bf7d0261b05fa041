"""Key columns of every kind as sparse vectors, for nearest-neighbour search."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix, hstack

from pearljoin._ragged import sizes_of
from pearljoin._records.encoded import EncodedRecords, sparse_rows
from pearljoin._records.similarity import FADE, ExactValues, NumberValues, positions_in
from pearljoin._search.weighing import TfidfRows, as_matrix

__all__ = ["exact_vectors", "number_vectors", "sparse_matrices"]

GRID_COLUMNS = 1 << 16
"""Columns that the cells of one grid are hashed into."""

TIE_BREAK = 1e-7
"""How much greater the products of the first reference row are than those of the last one."""

GRIDS = 8
"""Random grids per number column: more grids give better products and cost more."""


def exact_vectors(values: ExactValues, reference: ExactValues) -> csr_matrix:
    """Turn exact values into sparse vectors, with a column for each reference value."""
    columns = positions_in(reference, values)
    known = np.flatnonzero(columns >= 0)
    ones = np.ones(len(known), dtype=np.float32)
    shape = (len(columns), max(1, len(reference.listed)))
    return csr_matrix((ones, (known, columns[known])), shape=shape)


def number_vectors(values: NumberValues, scale: float, seed: int) -> csr_matrix:
    """Turn numbers into sparse vectors whose products approximate their similarity.

    A number falls into one cell of each of several grids of random pitch and offset; two numbers
    share a cell with probability ``exp(-|a - b| / scale)`` (random binning features: Rahimi and
    Recht 2007, section 4).

    Parameters
    ----------
    values
        The numbers.
    scale
        Distance over which the similarity falls to 1/e.
    seed
        Seed of the grids: the same for both columns.

    Returns
    -------
    vectors
        Sparse float32 of shape (n_values, n_columns), rows of unit length.
    """
    rng = np.random.default_rng(seed)
    rows = np.arange(len(values.values))
    blocks = []
    for _ in range(GRIDS):
        pitch = rng.gamma(2, scale)
        with np.errstate(over="ignore"):
            steps = np.clip(values.values / pitch, -1e15, 1e15)
        cells = np.floor(steps + rng.random())
        blocks.append((cells % GRID_COLUMNS).astype(np.int64))
    ones = np.full(len(rows) * GRIDS, GRIDS**-0.5, dtype=np.float32)
    columns = np.concatenate([block + at * GRID_COLUMNS for at, block in enumerate(blocks)])
    return csr_matrix(
        (ones, (np.tile(rows, GRIDS), columns)), shape=(len(rows), GRIDS * GRID_COLUMNS)
    )


def sparse_matrices(
    left: EncodedRecords, right: EncodedRecords, *, prune: bool = False
) -> tuple[csr_matrix, csr_matrix]:
    """Key columns of both tables as sparse vectors, scaled by the root of their weight.

    The product of two rows approximates the weighted sum of the columns' similarities: of spelling
    for text, see `exact_vectors` and `number_vectors` for the other kinds. Of equal products that
    of the earlier right record is greater, by less than `TIE_BREAK`.

    Parameters
    ----------
    left, right
        Both tables.
    prune
        Whether the search leaves out common columns, as of `pearljoin._search.tfidf.nearest`.

    Returns
    -------
    left_vectors, right_vectors
        Sparse float64 of shape (n_records, n_columns) each.
    """
    blocks: tuple[list[csr_matrix], list[csr_matrix]] = ([], [])
    for at, (left_values, right_values) in enumerate(zip(left.values, right.values, strict=True)):
        if left.weights[at] == 0:
            continue
        if isinstance(left_values, NumberValues) and isinstance(right_values, NumberValues):
            scale = FADE * right.statistics[at].spread
            vectors = (
                number_vectors(left_values, scale, at),
                number_vectors(right_values, scale, at),
            )
        elif isinstance(left_values, ExactValues) and isinstance(right_values, ExactValues):
            vectors = (
                exact_vectors(left_values, right_values),
                exact_vectors(right_values, right_values),
            )
        else:
            vectors = _matrix(left.spelling[at]), _matrix(right.spelling[at])
        root = float(np.sqrt(left.weights[at]))
        for part, records, block in zip(vectors, (left, right), blocks, strict=True):
            block.append(sparse_rows(part, records.codes[at], root))
    # Ties are broken in float64, so that no other order of products of float32 changes.
    earlier = TIE_BREAK * np.linspace(1, 0, len(right))
    if prune:  # as a column that all rows have would be
        found = csr_matrix(hstack(blocks[1]), dtype=np.float64)
        found.data *= 1 + np.repeat(earlier, sizes_of(found.indptr))
        return csr_matrix(hstack(blocks[0]), dtype=np.float64), found
    blocks[0].append(csr_matrix(np.ones((len(left), 1))))
    blocks[1].append(csr_matrix(earlier[:, None]))
    return csr_matrix(hstack(blocks[0])), csr_matrix(hstack(blocks[1]))


def _matrix(spelling: TfidfRows | None) -> csr_matrix:
    assert spelling is not None
    return as_matrix(spelling)
