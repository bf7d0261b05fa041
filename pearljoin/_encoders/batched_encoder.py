"""What the encoders by a transformer share: tokens to batches to unit vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from pearljoin._encoders.ngrams import NgramPart
from pearljoin._encoders.tokenizer import CHUNK, PhraseTokenizer
from pearljoin._encoders.unit_vectors import unit_rows
from pearljoin._progress import progress
from pearljoin._typing import BoolVector, FloatMatrix, IntVector

__all__ = ["BatchedEncoder", "TokenModel"]

_PHRASES_AT_ONCE = 16 * CHUNK
"""Phrases tokenised before they are batched: bounds the memory of a large table's tokens."""


class TokenModel(Protocol):
    """A model from token ids to vectors."""

    @property
    def tokenizer(self) -> PhraseTokenizer:
        """Phrases to token ids."""
        ...

    @property
    def dim(self) -> int:
        """Number of columns that `run` gives."""
        ...

    @property
    def ngrams(self) -> NgramPart | None:
        """The character encoder, whose columns come last; None without one."""
        ...

    def run(self, ids: np.ndarray[Any, np.dtype[np.int64]], /) -> FloatMatrix:
        """Run one batch: int64 (n, length) to float32 (n, dim), not normalised."""
        ...


class BatchedEncoder:
    """Base of encoders that run a transformer on batches of phrases.

    Phrases are batched with phrases of exactly as many tokens, so nothing is padded, and a
    phrase's vector does not depend on the lengths of its neighbours.

    Parameters
    ----------
    batch_size
        Phrases a batch; None picks it by the number of tokens.
    verbose
        Progress bar: None on a terminal only, True always, False never.
    """

    def __init__(self, batch_size: int | None, verbose: bool | None) -> None:
        self._batch_size = batch_size
        self._verbose = verbose

    def _model(self) -> TokenModel:
        raise NotImplementedError

    def _tokens_per_batch(self) -> int:
        raise NotImplementedError

    def _each(
        self, run: Callable[[IntVector], None], batches: Sequence[IntVector]
    ) -> Iterable[None]:
        """Run every batch; one after the other unless a subclass does otherwise."""
        return map(run, batches)

    @property
    def dim(self) -> int:
        """Number of columns that `encode` returns."""
        model = self._model()
        return model.dim + (0 if model.ngrams is None else model.ngrams.dim)

    def encode(self, phrases: Sequence[str]) -> FloatMatrix:
        """Encode phrases.

        Parameters
        ----------
        phrases
            Any strings, the empty one included.

        Returns
        -------
        vectors
            float32 of shape (n_phrases, dim), rows of unit length, in the order given.

        Raises
        ------
        ModelError
            If the model does not give finite vectors of the shape that is expected of it.
        """
        return self.encode_and_cover(phrases)[0]

    def encode_and_cover(self, phrases: Sequence[str]) -> tuple[FloatMatrix, BoolVector]:
        """Return what `encode` and `covers` return; phrases are tokenised once."""
        vectors = np.zeros((len(phrases), self.dim), dtype=np.float32)
        covered = np.zeros(len(phrases), dtype=np.bool_)
        for start in range(0, len(phrases), _PHRASES_AT_ONCE):
            part = slice(start, start + _PHRASES_AT_ONCE)
            covered[part] = self._encode_into(phrases[part], vectors[part])
        return vectors, covered

    def _encode_into(self, phrases: Sequence[str], vectors: FloatMatrix) -> BoolVector:
        """Fill in the vectors; return where they represent the whole text."""
        model = self._model()
        tokens = model.tokenizer(phrases)
        batches = list(tokens.batches(tokens=self._tokens_per_batch(), phrases=self._batch_size))
        from_tokens = vectors[:, : model.dim]

        def run(rows: IntVector) -> None:
            from_tokens[rows] = unit_rows(model.run(tokens.rectangle(rows)))

        done = self._each(run, batches)
        for _ in progress(
            done, total=len(batches), label="encoding", unit="batch", verbose=self._verbose
        ):
            pass
        if model.ngrams is not None:
            model.ngrams.extend(vectors, phrases)
        return tokens.covered

    def covers(self, phrases: Sequence[str]) -> BoolVector:
        """Return where the vector represents the whole text.

        Returns
        -------
        covered
            bool of shape (n_phrases,). False where a token is unknown to the model, where the
            text was cut at the maximum length, and where it has no content at all.
        """
        return self._model().tokenizer(phrases).covered
