"""Tf-idf over character n-grams and words as sparse vectors, and their nearest neighbours.

The counting is vectorised over code points and hashed, many times faster than an analyser called
once per text. Inverse document frequencies come from the tables that are joined: a word that is
common in them ("university", "season") weighs little.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack

from pearljoin._parallel import processors, side_by_side
from pearljoin._ragged import bounds_of, places_of, row_of_each, sizes_of
from pearljoin._search.sparse_products import MANY_QUERIES, largest_products, products_above
from pearljoin._search.weighing import (
    MANY_ROWS,
    TfidfRows,
    WeighedRows,
    only_columns,
    weigh,
)
from pearljoin._typing import FloatVector, IntVector

__all__ = [
    "N_COLUMNS",
    "Frequencies",
    "Index",
    "Postings",
    "above",
    "count",
    "nearest",
    "present_columns",
    "weigh",
    "word_columns",
]

BUCKET_BITS = 20
"""Character n-grams and words are hashed into 2**20 columns each."""

N_COLUMNS = 2 << BUCKET_BITS
"""Columns of both together."""

NGRAM_SIZES = (2, 3, 4)
CHUNK = 250_000
"""Characters counted at once in each thread: bounds the memory of the intermediate arrays."""

ENTRIES_AT_ONCE = 16_777_216
"""Entries of a matrix that are worked on at once: bounds the memory likewise."""

COMMON_ROWS, COMMON_SHARE = 200, 0.02

MOST_LISTED, LISTED_IN_LARGE = 20_000, 10_000
"""Rows that a query's columns list at most, a row of several columns counting for each: bounds the
time of a query. The rarest columns, which distinguish most, come first. The second is for more than
`MANY_ROWS` rows."""

MOST_OF_8_BITS = 255

SPACE, END = 32, 10
LONGEST = 100_000
"""Characters of a text that are counted: longer texts are compared by their start."""


def count(texts: Sequence[str]) -> csr_matrix:
    """Count character n-grams (2 to 4, within words) and words.

    Parameters
    ----------
    texts
        Normalised texts: words with single spaces between them.

    Returns
    -------
    counts
        Of shape (n_texts, 2 * 2**20): n-grams in the first half, words in the second. uint8 where
        none is greater than that holds, else float32; columns ascend within a row.
    """
    chunks = list(_chunks(texts))
    if not chunks:
        return csr_matrix(np.zeros((0, N_COLUMNS), dtype=np.uint8))
    counted: dict[int, csr_matrix] = {}

    def run(at: int) -> None:
        counted[at] = _count_chunk(chunks[at])

    deque(side_by_side(run, range(len(chunks)), processors()), maxlen=0)
    parts = [counted[at] for at in range(len(chunks))]
    return parts[0] if len(parts) == 1 else csr_matrix(vstack(parts))


def present_columns(matrix: csr_matrix) -> tuple[IntVector, IntVector]:
    """List the columns that some row of a matrix has, and how many entries each has.

    Returns
    -------
    columns, frequency
        int64 of shape (n_present,), columns ascending.
    """
    n_columns = matrix.shape[1]
    if matrix.nnz < n_columns:
        present, frequency = np.unique(matrix.indices, return_counts=True)
        return present.astype(np.int64), frequency.astype(np.int64)
    # Many entries are counted, not sorted; in parts, since a whole count takes a copy of them.
    counts = np.zeros(n_columns, dtype=np.int64)
    for start in range(0, matrix.nnz, ENTRIES_AT_ONCE):
        part = matrix.indices[start : start + ENTRIES_AT_ONCE]
        counts += np.bincount(part, minlength=n_columns)
    columns = places_of(counts)
    return columns, counts[columns]


def word_columns(words: Sequence[str]) -> IntVector:
    """Return the column of each word, as `count` numbers them: int64 of shape (n_words,).

    Parameters
    ----------
    words
        Not empty, and without spaces.
    """
    points = np.frombuffer("\n".join(words).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return _word_columns(points, (points == END).cumsum())[1] + (1 << BUCKET_BITS)


def nearest(
    queries: csr_matrix, reference: csr_matrix, k: int, *, prune: bool = True
) -> tuple[IntVector, IntVector, FloatVector]:
    """Find each query's `k` reference rows of greatest inner product.

    Parameters
    ----------
    queries, reference
        Sparse float32 of shape (n_queries, n_columns) and (n_rows, n_columns).
    k
        Neighbours a query.
    prune
        Whether columns that more than 2 % of a large reference's rows share are left out of the
        search, and of each query's others all but the rarest, where they list many rows: common
        ones cost most of the time and distinguish least. The products are then over the other
        columns.

    Returns
    -------
    query, row, product
        Aligned arrays of shape (n_found,), by query and then best first, ties by the smaller row;
        rows whose product is 0 are not listed, so a query may have fewer than `k`.
    """
    return Index(reference, prune=prune).nearest(queries, k)


class Frequencies(NamedTuple):
    """How many rows of a reference have each column.

    Attributes
    ----------
    columns, rows
        int64 of shape (n_present,): columns, ascending, and how many rows have each.
    n_rows
        Rows of the reference.
    """

    columns: IntVector
    rows: IntVector
    n_rows: int


class Postings(NamedTuple):
    """A reference by column, as it is searched: which rows have each, and how much of it.

    Attributes
    ----------
    columns, frequency
        int64 of shape (n_kept,): the columns that are searched, ascending, and how many rows of the
        whole reference have each.
    vectors
        Sparse float32 of shape (n_kept, n_rows): the rows' entries in them.
    """

    columns: IntVector
    frequency: IntVector
    vectors: csr_matrix


class Index:
    """A reference of sparse vectors, ready for a search of nearest rows.

    Parameters
    ----------
    reference, prune
        As of `nearest`.
    whole
        Of a reference of which these rows are a part, so that all parts leave out the same columns;
        None: these are all.
    postings
        What an earlier index of the same reference, pruned, kept of it.
    """

    def __init__(
        self,
        reference: TfidfRows,
        *,
        prune: bool = True,
        whole: Frequencies | None = None,
        postings: Postings | None = None,
    ) -> None:
        n_rows = reference.shape[0] if whole is None else whole.n_rows
        self._most = MOST_LISTED if n_rows <= MANY_ROWS else LISTED_IN_LARGE
        self._prune = prune
        if postings is not None:
            self._columns, self._frequency, self._turned = postings
            return
        if whole is None:
            stored = reference.counts if isinstance(reference, WeighedRows) else reference
            whole = Frequencies(*present_columns(stored), n_rows)
        most = max(COMMON_ROWS, COMMON_SHARE * n_rows) if prune else n_rows
        kept = whole.rows <= most
        self._columns, self._frequency = whole.columns[kept], whole.rows[kept]
        self._turned = csr_matrix(_only(reference, self._columns).T)

    @property
    def postings(self) -> Postings:
        """What is kept of the reference."""
        return Postings(self._columns, self._frequency, self._turned)

    def nearest(self, queries: csr_matrix, k: int) -> tuple[IntVector, IntVector, FloatVector]:
        """Find each query's `k` rows of greatest inner product; returns as `nearest`."""
        known = _only(queries, self._columns)
        if self._prune:
            known = _rarest_first(known, self._frequency, self._most)
        query, row, product = largest_products(known, self._turned, k)
        return query, row, product.astype(np.float32)


def above(
    queries: csr_matrix, reference: csr_matrix, threshold: float, most: int | None = None
) -> tuple[IntVector, IntVector, FloatVector]:
    """Find every pair whose inner product is at least `threshold` (> 0); returns as `nearest`.

    With `most`, it stops once more pairs than that are found.
    """
    columns = present_columns(reference)[0]
    known, turned = _only(queries, columns), csr_matrix(_only(reference, columns).T)
    n_queries, n_rows = queries.shape[0], reference.shape[0]
    # The library keeps what is strictly above its threshold.
    floor = float(np.nextafter(np.float32(threshold), np.float32(0)))
    block = n_queries if most is None else max(MANY_QUERIES, most // max(1, n_rows))
    found, n_found = [], 0
    for start in range(0, n_queries, max(1, block)):
        near = products_above(known[start : start + block], turned, floor, n_rows)
        found.append((near[0] + start, *near[1:]))
        n_found += len(near[0])
        if most is not None and n_found > most:
            break
    if not found:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32)
    query, row, product = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return query, row, product.astype(np.float32)


def _only(vectors: TfidfRows, columns: IntVector) -> csr_matrix:
    """Keep some columns, as of `only_columns`."""
    if isinstance(vectors, WeighedRows):
        return vectors.only_columns(columns)
    return only_columns(vectors, columns)


def _rarest_first(
    queries: csr_matrix, frequency: NDArray[np.integer[Any]], most: int
) -> csr_matrix:
    """Keep each query's rarest columns, until those list so many rows.

    Parameters
    ----------
    queries
        Sparse, of shape (n_queries, n_columns).
    frequency
        int of shape (n_columns,): rows of the reference that each column lists.
    most
        How many, at most.
    """
    listed = frequency[queries.indices].astype(np.int64)
    if listed.sum() <= most:
        return queries
    row = row_of_each(queries.indptr)
    order = np.lexsort((queries.indices, listed, row))
    before = np.cumsum(listed[order]) - listed[order]
    # What the query's rarer columns list; the first column of each query is kept whatever it lists.
    first = np.minimum(queries.indptr[:-1], max(0, len(before) - 1))
    before -= np.repeat(before[first], sizes_of(queries.indptr)) if len(before) else 0
    kept = np.zeros(len(listed), dtype=bool)
    kept[order] = before + listed[order] <= most
    kept[order[before == 0]] = True
    bounds = bounds_of(kept)[queries.indptr]
    return csr_matrix((queries.data[kept], queries.indices[kept], bounds), shape=queries.shape)


def _chunks(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Runs of texts of about `CHUNK` characters."""
    start = n_characters = 0
    for at, text in enumerate(texts):
        n_characters += min(len(text), LONGEST)
        if n_characters >= CHUNK:
            yield texts[start : at + 1]
            start, n_characters = at + 1, 0
    if start < len(texts):
        yield texts[start:]


def _count_chunk(texts: Sequence[str]) -> csr_matrix:
    joined = "\n".join(f" {text[:LONGEST]} " for text in texts)
    points = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    row = (points == END).cumsum()
    grams = [_ngram_columns(points, row, size) for size in NGRAM_SIZES]
    gram_rows = np.concatenate([rows for rows, _ in grams])
    gram_columns = np.concatenate([columns for _, columns in grams])
    word_rows, word_columns = _word_columns(points, row)
    rows = np.concatenate([gram_rows, word_rows])
    columns = np.concatenate([gram_columns, word_columns + (1 << BUCKET_BITS)])
    ones = np.ones(len(rows), dtype=np.float32)
    counts = csr_matrix((ones, (rows, columns)), shape=(len(texts), N_COLUMNS))
    counts.sum_duplicates()
    if counts.data.max(initial=0) <= MOST_OF_8_BITS:
        counts.data = counts.data.astype(np.uint8)
    return counts


def _ngram_columns(
    points: NDArray[np.uint32], row: IntVector, size: int
) -> tuple[IntVector, IntVector]:
    """Rows and hashed columns of the n-grams of one size that lie within a padded word."""
    n_windows = max(0, len(points) - size + 1)
    inside = np.ones(n_windows, dtype=bool)
    hashed = np.full(n_windows, size, dtype=np.uint64)
    for offset in range(size):
        at = points[offset : offset + n_windows]
        inside &= at != END
        if 0 < offset < size - 1:
            inside &= at != SPACE
        hashed = (hashed ^ at) * np.uint64(0x9E3779B97F4A7C15)
        hashed ^= hashed >> np.uint64(29)
    if size == 2:
        inside &= (points[:n_windows] != SPACE) | (points[1 : n_windows + 1] != SPACE)
    return row[:n_windows][inside], _bucket(hashed[inside])


def _word_columns(points: NDArray[np.uint32], row: IntVector) -> tuple[IntVector, IntVector]:
    """Rows and hashed columns of the words."""
    is_letter = (points != SPACE) & (points != END)
    starts = places_of(is_letter & ~np.concatenate([[False], is_letter[:-1]]))
    if not len(starts):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    which = np.cumsum(np.isin(np.arange(len(points)), starts, assume_unique=True)) - 1
    which = np.maximum(which, 0)
    place = (np.arange(len(points)) - starts[which]).astype(np.uint64)
    letters = np.where(is_letter, points, 0).astype(np.uint64)
    mixed = (letters * np.uint64(0x9E3779B97F4A7C15)) ^ (letters << np.uint64(7))
    mixed *= 2 * place * place + 2 * place + 1
    mixed[~is_letter] = 0
    hashed = np.add.reduceat(mixed, starts)
    hashed ^= hashed >> np.uint64(31)
    return row[starts], _bucket(hashed * np.uint64(0xBF58476D1CE4E5B9))


def _bucket(hashed: NDArray[np.uint64]) -> IntVector:
    """Keep the top bits, which a multiplicative hash mixes best."""
    return (hashed >> np.uint64(64 - BUCKET_BITS)).astype(np.int64)
