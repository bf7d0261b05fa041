"""An encoder that keeps its vectors: phrases that tasks and joins share are encoded once."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from pearljoin import Encoder
from pearljoin._atomic import atomic_file, write_text
from pearljoin._progress import progress
from pearljoin._typing import BoolVector, FloatMatrix, IntVector

__all__ = ["CachedEncoder"]


@runtime_checkable
class CoverageEncoder(Encoder, Protocol):
    """An encoder that reports which texts it read whole."""

    def covers(self, phrases: Sequence[str]) -> BoolVector:
        """Return bool of shape (n_phrases,)."""
        ...


PHRASES_A_CALL = 8192
DEFAULT_BYTES = 4 * 1024**3


class CachedEncoder:
    """An encoder around another one that encodes each distinct phrase once.

    Parameters
    ----------
    encoder
        The encoder to ask for phrases not met before.
    folder
        Where to keep the vectors between runs; None keeps them in memory for this run alone.
        One folder serves one encoder: name it after what identifies its weights.
    max_bytes
        Memory to spend on vectors, in bytes. Once it is spent, further phrases are encoded
        each time they are asked for. Vectors in a folder do not count: they are mapped from disk.
    verbose
        As in `pearljoin._progress.progress`.

    Examples
    --------
    >>> class Length:
    ...     dim = 1
    ...     def encode(self, phrases):
    ...         print(len(phrases), "encoded")
    ...         return np.array([[len(phrase)] for phrase in phrases], dtype=np.float32)
    >>> encoder = CachedEncoder(Length())
    >>> encoder.encode(["a", "bb", "a"])[:, 0].tolist()
    2 encoded
    [1.0, 2.0, 1.0]
    >>> encoder.encode(["bb"])[:, 0].tolist()
    [2.0]
    """

    def __init__(
        self,
        encoder: Encoder,
        *,
        folder: Path | None = None,
        max_bytes: int = DEFAULT_BYTES,
        verbose: bool | None = False,
    ) -> None:
        self.encoder = encoder
        self.folder = folder
        self.max_bytes = max_bytes
        self.verbose = verbose
        self._blocks: list[FloatMatrix] = []
        self._starts: list[int] = []
        self._position: dict[str, int] = {}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            for vectors in sorted(folder.glob("*.npy")):
                phrases = json.loads(vectors.with_suffix(".json").read_text(encoding="utf-8"))
                self._append(phrases, np.load(vectors, mmap_mode="r"))

    @property
    def dim(self) -> int:
        """Number of columns that `encode` returns."""
        return self.encoder.dim

    @property
    def n_kept(self) -> int:
        """Number of distinct phrases whose vectors are kept."""
        return len(self._position)

    def encode(self, phrases: Sequence[str]) -> FloatMatrix:
        """Encode phrases, each distinct one at most once.

        Parameters
        ----------
        phrases
            Any strings.

        Returns
        -------
        vectors
            float32 of shape (n_phrases, dim): what the wrapped encoder returns for each.
        """
        unknown = list(dict.fromkeys(p for p in phrases if p not in self._position))
        spare: dict[str, int] = {}
        vectors = self._encode_new(unknown)
        if unknown and self._has_room(vectors):
            self._keep(unknown, vectors)
        elif unknown:
            spare = {phrase: row for row, phrase in enumerate(unknown)}
        result = np.empty((len(phrases), self.dim), dtype=np.float32)
        fresh = np.array([spare.get(phrase, -1) for phrase in phrases], dtype=np.int64)
        result[fresh >= 0] = vectors[fresh[fresh >= 0]]
        kept = np.array([self._position.get(phrase, -1) for phrase in phrases], dtype=np.int64)
        self._gather(kept, result)
        return result

    def covers(self, phrases: Sequence[str]) -> BoolVector:
        """Tell for which phrases the vector stands for the whole text.

        Returns
        -------
        covered
            bool of shape (n_phrases,), as the wrapped encoder says; all True where it has no
            `covers`.
        """
        if isinstance(self.encoder, CoverageEncoder):
            return self.encoder.covers(phrases)
        return np.ones(len(phrases), dtype=bool)

    def _gather(self, positions: IntVector, result: FloatMatrix) -> None:
        for start, block in zip(self._starts, self._blocks, strict=True):
            here = np.flatnonzero((positions >= start) & (positions < start + len(block)))
            result[here] = block[positions[here] - start]

    def _encode_new(self, phrases: list[str]) -> FloatMatrix:
        """Encode distinct phrases in calls of like length, which wastes the least padding."""
        vectors = np.empty((len(phrases), self.dim), dtype=np.float32)
        order = sorted(range(len(phrases)), key=lambda row: len(phrases[row]))
        starts = range(0, len(order), PHRASES_A_CALL)
        steps = progress(
            starts, total=len(starts), label="encoding", unit="block", verbose=self.verbose
        )
        for start in steps:
            rows = order[start : start + PHRASES_A_CALL]
            vectors[rows] = self.encoder.encode([phrases[row] for row in rows])
        return vectors

    def _has_room(self, vectors: FloatMatrix) -> bool:
        held = sum(block.nbytes for block in self._blocks)
        return self.folder is not None or held + vectors.nbytes <= self.max_bytes

    def _keep(self, phrases: list[str], vectors: FloatMatrix) -> None:
        if self.folder is not None:
            stem = self.folder / f"{len(self._position):09d}-{os.getpid()}"
            # The phrases go first: a vector file without them would stop the next run.
            write_text(stem.with_suffix(".json"), json.dumps(phrases), what="cache")
            with atomic_file(stem.with_suffix(".npy")) as temporary, temporary.open("wb") as file:
                np.save(file, vectors)
            vectors = np.load(stem.with_suffix(".npy"), mmap_mode="r")
        self._append(phrases, vectors)

    def _append(self, phrases: list[str], vectors: FloatMatrix) -> None:
        start = sum(len(block) for block in self._blocks)
        self._starts.append(start)
        self._blocks.append(vectors)
        for row, phrase in enumerate(phrases):
            self._position.setdefault(phrase, start + row)
