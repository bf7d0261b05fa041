"""StaticEncoder: a model folder without a transformer, some forty times as fast."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from pearljoin._encoders.folder_config import TOKENS
from pearljoin._encoders.folder_encoder import FolderEncoder, folder_tokenizer
from pearljoin._encoders.model_folder import ModelFolder
from pearljoin._encoders.ngrams import NgramPart
from pearljoin._encoders.piece_table import PieceTable
from pearljoin._errors import ModelError
from pearljoin._parallel import processors, side_by_side
from pearljoin._progress import progress
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
        pieces = self.tokenizer.pieces(phrases)
        starts = np.append(pieces.starts, len(pieces.ids))
        vectors[:, : self._tokens.dim] = self._tokens.encode(pieces.ids, starts)
        if self._ngrams is not None:
            self._ngrams.extend(vectors, phrases)
        return pieces.covered


@lru_cache(maxsize=_MODELS_KEPT)
def _read_tables(path: Path, digest: str) -> _Tables:
    from pearljoin._encoders.model_folder import read_folder

    return _Tables(read_folder(path))


def _tables(folder: ModelFolder) -> _Tables:
    return _read_tables(folder.path.resolve(), folder.digest)
