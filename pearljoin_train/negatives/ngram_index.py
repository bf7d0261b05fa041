"""N-gram index: phrases of similar spelling without comparing all pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix

from pearljoin._parallel import openmp_threads
from pearljoin._typing import FloatVector, IntVector

__all__ = ["NgramIndex"]

COLUMNS = 1 << 20
"""Columns that n-grams are hashed into. Two n-grams in one cost time, no correctness."""


class NgramIndex:
    """An n-gram index: finds phrases of similar spelling without comparing all pairs.

    Parameters
    ----------
    phrases
        What to index. Case does not count.
    least_similarity
        Least similarity of spelling, of (0, 1]: one less the edit distance over the longer one's
        length.
    most
        Phrases a phrase whose edit distance is measured: those of most n-grams in common,
        weighted by tf-idf.
    ngram
        Characters of an n-gram; n-grams do not cross words.
    budget
        Occurrences looked up a phrase: its rarest n-grams are, as many as occur so often together.
        This bounds the time whatever the phrases.
    threads
        Used by the search and by the edit distances; None: all that this process may use.

    Examples
    --------
    >>> blocks = NgramIndex(["New York Times", "Boston Globe", "New York Post"])
    >>> query, row, similarity = blocks.candidates(0, 3)
    >>> query.tolist(), row.tolist(), similarity.round(2).tolist()
    ([0, 2], [2, 0], [0.6399999856948853, 0.6399999856948853])
    """

    def __init__(
        self,
        phrases: Sequence[str],
        *,
        least_similarity: float = 0.5,
        most: int = 50,
        ngram: int = 4,
        budget: int = 10_000,
        threads: int | None = None,
    ) -> None:
        from sklearn.feature_extraction.text import HashingVectorizer

        self._least_similarity, self._most = least_similarity, most
        self._threads = threads or openmp_threads()
        folded = [" ".join(phrase.casefold().split()) for phrase in phrases]
        self._texts = np.array(folded, dtype=object)
        size = (ngram, ngram)
        counts = HashingVectorizer(
            analyzer="char_wb", ngram_range=size, n_features=COLUMNS, norm=None, binary=True,
            alternate_sign=False, lowercase=False, dtype=np.float32,
        ).transform([*folded, ""])[: len(folded)]  # fmt: skip
        frequency = np.bincount(counts.indices, minlength=COLUMNS)
        vectors = _weighted(counts, frequency)
        self._reference = vectors.T.tocsr()
        self._queries = _rarest(vectors, frequency, budget)

    def candidates(self, start: int, stop: int) -> tuple[IntVector, IntVector, FloatVector]:
        """Find the phrases spelt like those of some rows.

        Parameters
        ----------
        start, stop
            The rows.

        Returns
        -------
        query, row, similarity
            Aligned arrays of shape (n_found,): int64 rows, and float32 similarities of spelling,
            `least_similarity` to 1. By query; no row is its own candidate.
        """
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cpdist
        from sparse_dot_topn import sp_matmul_topn

        # One more than asked for, because a phrase finds itself.
        found = sp_matmul_topn(
            self._queries[start:stop], self._reference, top_n=self._most + 1,
            threshold=0.0, sort=True, n_threads=self._threads,
        )  # fmt: skip
        query = start + np.repeat(np.arange(stop - start), np.diff(found.indptr))
        row = found.indices.astype(np.int64)
        query, row = query[query != row], row[query != row]
        # A little less than asked for: 12 edits of 20 letters are 0.4, however that is rounded.
        least = self._least_similarity - 1e-6
        similarity = cpdist(
            self._texts[query], self._texts[row], dtype=np.float32, workers=self._threads,
            scorer=Levenshtein.normalized_similarity, score_cutoff=least,
        )  # fmt: skip
        near = similarity >= least
        return query[near], row[near], similarity[near]


def _weighted(counts: csr_matrix, frequency: IntVector) -> csr_matrix:
    """Return tf-idf vectors of unit length."""
    idf = np.log((1 + counts.shape[0]) / (1 + frequency)) + 1
    weights = idf[counts.indices].astype(np.float32)
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    lengths = np.sqrt(np.bincount(rows, weights=weights**2, minlength=counts.shape[0]))
    data = (weights / lengths[rows]).astype(np.float32)
    return csr_matrix((data, counts.indices, counts.indptr), shape=counts.shape)


def _rarest(vectors: csr_matrix, frequency: IntVector, budget: int) -> csr_matrix:
    """Keep each row's rarest columns, as many as occur `budget` times together."""
    rows = np.repeat(np.arange(vectors.shape[0]), np.diff(vectors.indptr))
    cost = frequency[vectors.indices]
    order = np.lexsort((cost, rows))
    spent = np.cumsum(cost[order])
    before = np.concatenate([[0], spent])[vectors.indptr[:-1]]
    kept = order[spent - before[rows] <= budget]
    shape = vectors.shape
    return csr_matrix((vectors.data[kept], (rows[kept], vectors.indices[kept])), shape=shape)
