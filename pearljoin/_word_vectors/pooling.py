"""Pool the vectors of a text's words into the text's vector (De Boom et al. 2016).

The words of a text are sorted by idf, and each one's vector is multiplied by its rank's weight.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix

from pearljoin._errors import InputError
from pearljoin._ragged import bounds_of
from pearljoin._typing import FloatMatrix, FloatVector, IntVector
from pearljoin._word_vectors.split import SplitTexts
from pearljoin._word_vectors.store import WordRows

__all__ = [
    "Pooling",
    "RankWeights",
    "SortedWords",
    "keep_top",
    "pool",
    "rank_parts",
    "sort_by_idf",
    "tf_idf",
]

LEARNED_FILE = Path(__file__).with_name("learned_weights.json")
"""The shipped rank weights, by name."""

Pooling: TypeAlias = Literal[
    "weighted", "mean", "max", "min", "min-max", "idf-mean", "tf-idf"
]  # fmt: skip


@dataclass(frozen=True)
class SortedWords:
    """The words of many texts end to end, each text's from high to low idf.

    Attributes
    ----------
    ids
        int64 of shape (n_words,): row of each word in a matrix of vectors.
    idf
        float32 of shape (n_words,).
    lengths
        int64 of shape (n_texts,): number of words of each text.
    """

    ids: IntVector
    idf: FloatVector
    lengths: IntVector

    @property
    def starts(self) -> IntVector:
        """Where each text's words begin: int64 of shape (n_texts,)."""
        return np.cumsum(self.lengths) - self.lengths

    @property
    def ranks(self) -> IntVector:
        """Rank of each word in its text, from 0: int64 of shape (n_words,)."""
        return np.arange(len(self.ids)) - np.repeat(self.starts, self.lengths)


def sort_by_idf(split: SplitTexts, rows: WordRows) -> SortedWords:
    """Sort each text's words from high to low idf, those without a row left out.

    Parameters
    ----------
    split
        The texts' words.
    rows
        The distinct words' rows. Words of equal idf are ordered by checksum, whatever their
        order in the text.
    """
    known = np.flatnonzero(rows.ids >= 0)
    ids = rows.ids[known]
    order = np.lexsort((rows.ties[ids], -rows.idf[ids]))
    ids = ids[order]
    place = np.full(len(rows.ids), -1, dtype=np.int64)
    place[known[order]] = np.arange(len(known))
    places = place[split.codes]
    kept = places >= 0
    texts = split.texts[kept]
    # One number that sorts by text and then by place is sorted faster than the two by turns.
    ids = ids[np.sort(texts * len(ids) + places[kept]) % max(len(ids), 1)]
    return SortedWords(ids, rows.idf[ids], np.bincount(texts, minlength=len(split.lengths)))


def keep_top(words: SortedWords, share: float) -> SortedWords:
    """Keep the given share of each text's words, those of highest idf, rounded up."""
    if share >= 1.0:
        return words
    # Rounded first: 0.3 * 10 is a little above 3 in binary and would keep a fourth word.
    limits = np.ceil(np.round(words.lengths * share, 9)).astype(np.int64)
    kept = words.ranks < np.repeat(limits, words.lengths)
    return SortedWords(words.ids[kept], words.idf[kept], limits)


def pool(
    words: SortedWords, matrix: FloatMatrix, how: Pooling, weights: RankWeights | None
) -> FloatMatrix:
    """Combine word vectors into one vector per text.

    Parameters
    ----------
    words
        The words, sorted.
    matrix
        float32 of shape (n_rows, dim): word vectors, rows named by ``words.ids``.
    how
        Any pooling but ``"tf-idf"``, which needs no vectors.
    weights
        Needed by ``"weighted"`` only.

    Returns
    -------
    vectors
        float32 of shape (n_texts, dim), twice as wide for ``"min-max"``; zeros where a text has
        no words.
    """
    if how == "max":
        return _extremes(words, matrix, np.maximum)
    if how == "min":
        return _extremes(words, matrix, np.minimum)
    if how == "min-max":
        both = (_extremes(words, matrix, np.maximum), _extremes(words, matrix, np.minimum))
        return np.hstack(both)
    factors = np.ones(len(words.ids), dtype=np.float32)
    lengths = np.repeat(words.lengths, words.lengths)
    if how == "idf-mean":
        factors = words.idf
    elif how == "weighted" and weights is not None:
        factors = weights.at(words.ranks, lengths)
    bounds = bounds_of(words.lengths)
    shape = (len(words.lengths), len(matrix))
    mixing = csr_matrix((factors / lengths.astype(np.float32), words.ids, bounds), shape=shape)
    return np.asarray(mixing @ matrix, dtype=np.float32)


def rank_parts(words: SortedWords, matrix: FloatMatrix, n_ranks: int) -> FloatMatrix:
    """Split the weighted average into the factors of each rank's weight.

    Returns
    -------
    parts
        float32 of shape (n_texts, n_ranks, dim): ``weights @ parts`` is what `pool` gives.
    """
    lengths = np.repeat(words.lengths, words.lengths)
    text = np.repeat(np.arange(len(words.lengths)), words.lengths)
    place = words.ranks * ((n_ranks - 1) / np.maximum(lengths - 1, 1))
    lower = np.minimum(place.astype(np.int64), n_ranks - 1)
    upper = np.minimum(lower + 1, n_ranks - 1)
    beyond = place - lower
    shares = np.concatenate([(1.0 - beyond) / lengths, beyond / lengths]).astype(np.float32)
    rows = np.concatenate([text * n_ranks + lower, text * n_ranks + upper])
    shape = (len(words.lengths) * n_ranks, len(matrix))
    mixing = csr_matrix((shares, (rows, np.tile(words.ids, 2))), shape=shape)
    found = np.asarray(mixing @ matrix, dtype=np.float32)
    return found.reshape(len(words.lengths), n_ranks, matrix.shape[1])


def tf_idf(words: SortedWords, n_columns: int) -> csr_matrix:
    """Return counts times idf: sparse float32 of shape (n_texts, n_columns)."""
    bounds = bounds_of(words.lengths)
    shape = (len(words.lengths), n_columns)
    found = csr_matrix((words.idf, words.ids, bounds), shape=shape, copy=True)
    found.sum_duplicates()
    return found


def _extremes(words: SortedWords, matrix: FloatMatrix, function: np.ufunc) -> FloatMatrix:
    found = np.zeros((len(words.lengths), matrix.shape[1]), dtype=np.float32)
    filled = words.lengths > 0
    if filled.any():
        found[filled] = function.reduceat(matrix[words.ids], words.starts[filled], axis=0)
    return found


@dataclass(frozen=True)
class RankWeights:
    """A weight for each rank of a text's words, the word of highest idf first.

    Attributes
    ----------
    values
        float64 of shape (n_max,): the weights learned, for texts of `n_max` words.
    """

    values: NDArray[np.float64]

    @classmethod
    def load(cls, source: str | Path | ArrayLike) -> RankWeights:
        """Take weights from an array, a name, or a JSON file.

        Parameters
        ----------
        source
            Numbers; the name of a shipped set (``"names"``, ``"text"``); or the path of a
            file that ``python -m pearljoin_train word-weights`` wrote.

        Raises
        ------
        InputError
            If there is no such set or file, or what it holds is not one row of finite numbers.
        """
        values = np.asarray(_read(source) if isinstance(source, str | Path) else source)
        if values.ndim != 1 or not len(values) or values.dtype.kind not in "iuf":
            raise InputError(
                f"Rank weights must be one row of numbers. Got shape {values.shape} of "
                f"{values.dtype}. Hint: pass a list with one weight a rank, the highest idf first."
            )
        # Beyond float32, in which vectors are, is as good as infinite.
        if not (np.abs(values) <= np.finfo(np.float32).max).all() or not values.any():
            raise InputError(
                f"Rank weights must be finite and not all zero. Got {values.tolist()}. "
                "Hint: leave `weights` out to use those that ship with the package."
            )
        return cls(values.astype(np.float64))

    def at(self, rank: IntVector, length: IntVector) -> FloatVector:
        """Interpolate the weight of words in texts of any length (equations 12 to 14).

        Parameters
        ----------
        rank
            int64 of shape (n,): rank of each word in its text by idf, from 0.
        length
            int64 of shape (n,): number of words of that text, above `rank`.

        Returns
        -------
        weights
            float32 of shape (n,).

        Notes
        -----
        Rank j of m words is at ``1 + (j - 1)(n_max - 1) / (m - 1)`` among the learned
        weights, and takes the value on the straight line between the two next to it. (Equation
        13 as printed adds the slope to the *upper* weight, which would leave the interval; the
        lower one is meant.) The first and last word take the first and last weight, the only
        word of a text the first. Texts longer than `n_max` are interpolated just so.

        Examples
        --------
        >>> weights = RankWeights.load([1.0, 0.5, 0.0])
        >>> weights.at(np.array([0, 1, 2, 3, 4]), np.full(5, 5)).tolist()
        [1.0, 0.75, 0.5, 0.25, 0.0]
        """
        place = rank * ((len(self.values) - 1) / np.maximum(length - 1, 1))
        found = np.interp(place, np.arange(len(self.values)), self.values)
        return found.astype(np.float32)


def _read(source: str | Path) -> ArrayLike:
    shipped = json.loads(LEARNED_FILE.read_text(encoding="utf-8"))
    if isinstance(source, str) and source in shipped:
        return np.array(shipped[source]["weights"], dtype=np.float64)
    try:
        found = json.loads(Path(source).read_text(encoding="utf-8"))
        return np.array(found["weights"], dtype=np.float64)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"No rank weights could be read. Got {str(source)!r} ({error!r}). Hint: use one of "
            f"{sorted(shipped)}, a list of numbers, or a JSON file with a list named 'weights'."
        ) from error
