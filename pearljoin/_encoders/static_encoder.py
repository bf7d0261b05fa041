"""StaticEncoder: a model folder without a transformer, some forty times as fast."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from pearljoin._encoders.bags import counts_matrix, sums_of_rows
from pearljoin._encoders.folder_config import TOKENS
from pearljoin._encoders.folder_encoder import FolderEncoder, folder_tokenizer
from pearljoin._encoders.model_folder import ModelFolder
from pearljoin._encoders.ngrams import NgramPart, shortened
from pearljoin._encoders.piece_table import PieceTable
from pearljoin._encoders.tokenizer import distinct_words
from pearljoin._encoders.unit_vectors import unit_rows
from pearljoin._encoders.word_grams import LONGEST_TEXT
from pearljoin._errors import ModelError
from pearljoin._parallel import processors, side_by_side
from pearljoin._progress import progress
from pearljoin._ragged import bounds_of, row_of_each, sizes_of
from pearljoin._typing import BoolVector, FloatMatrix

__all__ = ["StaticEncoder"]

SMALLEST_PART, LARGEST_PART = 8_192, 65_536
"""Phrases that a thread encodes at once."""

_MODELS_KEPT = 4


class StaticEncoder(FolderEncoder):
    """Encode phrases by adding up learned vectors of word pieces and of character n-grams.

    A phrase's vector is the same alone and in any batch; the order of its words is not in it. Safe
    to call from several threads. Pickles and copies as a path.

    Parameters
    ----------
    folder
        A model folder with ``tokens.npz``.
    batch_size
        Phrases encoded at once in each thread; None picks it.
    threads
        Batches to run side by side; None: one per processor that this process may use.
    verbose
        Progress bar: None on a terminal only, True always, False never.

    Raises
    ------
    ModelError
        If the folder is missing, damaged or hostile.
    InputError
        If `batch_size` or `threads` is below 1.

    Examples
    --------
    >>> from pearljoin._encoders import load_encoder
    >>> encoder = load_encoder("pearl-nano")
    >>> vectors = encoder.encode(["New York", "New York City", "Oslo"])
    >>> bool(vectors[0] @ vectors[1] > vectors[0] @ vectors[2])
    True
    """

    def encode(self, phrases: Sequence[str]) -> FloatMatrix:
        """Encode phrases.

        Parameters
        ----------
        phrases
            Any strings, the empty one included.

        Returns
        -------
        vectors
            float32 of shape (n_phrases, dim), in the order given. Rows have unit length; a phrase
            without a word has a row of zeros.
        """
        return self.encode_and_cover(phrases)[0]

    def encode_and_cover(self, phrases: Sequence[str]) -> tuple[FloatMatrix, BoolVector]:
        """Return what `encode` and `covers` return; phrases are tokenised once."""
        vectors = np.zeros((len(phrases), self.dim), dtype=np.float32)
        covered = np.zeros(len(phrases), dtype=np.bool_)
        tables = _tables(self._folder)

        def run(part: slice) -> None:
            covered[part] = tables.encode_into(phrases[part], vectors[part])

        parts = self._parts(len(phrases))
        done = side_by_side(run, parts, self._threads or processors())
        for _ in progress(
            done, total=len(parts), label="encoding", unit="batch", verbose=self._verbose
        ):
            pass
        return vectors, covered

    def covers(self, phrases: Sequence[str]) -> BoolVector:
        """Return where the vector represents the whole text.

        Returns
        -------
        covered
            bool of shape (n_phrases,). False where a token is unknown to the model, where the
            text was cut at the maximum length, and where it has no content at all.
        """
        tokenizer = _tables(self._folder).tokenizer
        covered = np.zeros(len(phrases), dtype=np.bool_)

        def run(part: slice) -> None:
            covered[part] = tokenizer.pieces(phrases[part]).covered

        for _ in side_by_side(run, self._parts(len(phrases)), self._threads or processors()):
            pass
        return covered

    def _parts(self, n: int) -> list[slice]:
        """Split phrases for the threads; the larger the parts, the fewer words are repeated."""
        threads = self._threads or processors()
        size = min(LARGEST_PART, max(SMALLEST_PART, -(-n // (2 * threads))))
        bounds = [*range(0, n, self._batch_size or size), n]
        return [slice(start, stop) for start, stop in pairwise(bounds)]


class _Tables:
    """A static model's tokenizer and tables, shared by all its encoders."""

    def __init__(self, folder: ModelFolder) -> None:
        self.tokenizer = folder_tokenizer(folder)
        where = repr(str(folder.path / TOKENS))
        self._tokens = PieceTable.from_bytes(folder.read(TOKENS), where)
        self._ngrams: NgramPart | None = folder.ngrams()
        dim = self._tokens.dim + (0 if self._ngrams is None else self._ngrams.dim)
        n_tokens = len(self._tokens.table)
        if dim != folder.dim or n_tokens < self.tokenizer.vocabulary_size:
            raise ModelError(
                f"{where} does not fit the model. Got {n_tokens:,} word pieces and {dim} columns, "
                f"of {self.tokenizer.vocabulary_size:,} and {folder.dim}. Hint: export the folder "
                "again."
            )

    def encode_into(self, phrases: Sequence[str], vectors: FloatMatrix) -> BoolVector:
        """Fill in the vectors; return where they represent the whole text."""
        plain = [self._is_plain(phrase) for phrase in phrases]
        words = [phrase.split() if one else [] for phrase, one in zip(phrases, plain, strict=True)]
        covered, is_done = self._add_words(words, vectors)
        for row in np.flatnonzero(~is_done).tolist():
            covered[row] = self._encode_whole(phrases[row], vectors[row : row + 1])
        return covered

    def _is_plain(self, phrase: str) -> bool:
        """Whether a phrase is the sum of its words: not cut, and no letter of it replaced."""
        text, whole = self.tokenizer.clean(phrase)
        return whole and text is phrase and len(text) <= LONGEST_TEXT

    def _add_words(
        self, listed: Sequence[Sequence[str]], vectors: FloatMatrix
    ) -> tuple[BoolVector, BoolVector]:
        """Encode each distinct word once, and add the words of each phrase up.

        Returns where the words represent the whole text, and which phrases are done: those with a
        letter or digit.
        """
        words, uses = distinct_words(listed)
        bounds = bounds_of(np.fromiter(map(len, listed), np.int64, len(listed)))
        counts = counts_matrix(uses, bounds, len(words))
        ids, starts = self.tokenizer.word_pieces(words)
        n_pieces = sizes_of(starts)
        n_unknown = np.bincount(
            row_of_each(starts), weights=ids == self.tokenizer.unknown, minlength=len(words)
        )
        covered = (counts @ n_pieces > 0) & (counts @ n_unknown == 0)
        dim = self._tokens.dim
        vectors[:, :dim] = unit_rows(counts @ sums_of_rows(self._tokens.table, ids, starts))
        if self._ngrams is None:
            return covered, bounds[1:] > bounds[:-1]
        sums = self._ngrams.sums(words)
        self._ngrams.append(vectors, shortened(counts @ sums))
        return covered, counts @ sums.any(axis=1) > 0

    def _encode_whole(self, phrase: str, vector: FloatMatrix) -> bool:
        """Do as `encode_into` with a phrase that is not the sum of its words."""
        pieces = self.tokenizer.pieces([phrase])
        starts = np.append(pieces.starts, len(pieces.ids))
        vector[:, : self._tokens.dim] = self._tokens.encode(pieces.ids, starts)
        if self._ngrams is not None:
            self._ngrams.extend(vector, [phrase])
        return bool(pieces.covered[0])


@lru_cache(maxsize=_MODELS_KEPT)
def _read_tables(path: Path, digest: str) -> _Tables:
    from pearljoin._encoders.model_folder import read_folder

    return _Tables(read_folder(path))


def _tables(folder: ModelFolder) -> _Tables:
    return _read_tables(folder.path.resolve(), folder.digest)
