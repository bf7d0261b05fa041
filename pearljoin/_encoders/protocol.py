"""Protocols of an encoder: phrases to unit vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from pearljoin._typing import BoolVector, FloatMatrix

__all__ = ["CoverageEncoder", "Encoder"]


@runtime_checkable
class Encoder(Protocol):
    """Encoder of phrases as unit vectors.

    A phrase's vector depends on the phrase alone: not on the phrases beside it, on their order,
    on the batch size or on the number of threads.
    """

    @property
    def dim(self) -> int:
        """Number of columns that `encode` returns."""
        ...

    def encode(self, phrases: Sequence[str]) -> FloatMatrix:
        """Encode phrases.

        Parameters
        ----------
        phrases
            Any strings, the empty one included.

        Returns
        -------
        vectors
            float32 of shape (n_phrases, dim). Rows have unit length; a phrase that has no
            vector, as where all its words are unknown, has a row of zeros.
        """
        ...


@runtime_checkable
class CoverageEncoder(Encoder, Protocol):
    """Encoder that also knows for which phrases its vector represents the whole text."""

    def covers(self, phrases: Sequence[str]) -> BoolVector:
        """Return where the vector represents the whole text.

        Returns
        -------
        covered
            bool of shape (n_phrases,). False where a token is unknown to the model or where the
            text was cut at the maximum length: two such texts may have equal vectors and still
            differ.
        """
        ...
