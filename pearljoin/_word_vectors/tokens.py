"""The token table of a model folder as word vectors: no network is run.

A transformer's first step is to look each token up in a table. A word's vector here is the mean
of its tokens' rows, so every word that the tokenizer can spell has one. The rows are read out of
`model.onnx` as they are stored, in 8 bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin._encoders.protobuf import fields, varint
from pearljoin._errors import ModelError
from pearljoin._typing import BoolVector, FloatMatrix
from pearljoin._word_vectors.spelling import Speller

__all__ = ["TokenTable"]

# Field numbers of onnx.proto.
GRAPH, INITIALIZER = 7, 5
DIMS, DATA_TYPE, RAW_DATA = 1, 2, 9
NUMPY_TYPES = {1: "<f4", 3: "i1", 10: "<f2"}


@dataclass(frozen=True)
class Tensor:
    """An array as an ONNX file stores it."""

    shape: tuple[int, ...]
    kind: int
    data: memoryview

    def read(self) -> NDArray[Any]:
        """Copy the numbers out of the file's bytes."""
        return np.frombuffer(self.data, dtype=NUMPY_TYPES[self.kind]).reshape(self.shape).copy()


class TokenTable:
    """The token rows of a model, and the tokenizer that spells words.

    Parameters
    ----------
    tokenizer
        Content of a `tokenizer.json`.
    onnx
        Content of a `model.onnx` that holds its token table as float32, float16, or int8 with a
        scale for each row.
    where
        What to call the folder in errors.

    Raises
    ------
    ModelError
        If no such table is in it.
    """

    def __init__(self, tokenizer: bytes, onnx: bytes, where: str) -> None:
        self._speller = Speller(tokenizer)
        size = len(self._speller.vocabulary)
        self._rows, self._scales = _read_table(onnx, size, where)

    @property
    def dim(self) -> int:
        """Numbers in a word's vector."""
        return int(self._rows.shape[1])

    def lookup(self, words: Sequence[str]) -> tuple[FloatMatrix, BoolVector]:
        """Return the mean of each word's token rows; see `WordTable`."""
        ids, lengths = self._speller.spell(words)
        shares = self._scales[ids, 0] / np.repeat(lengths, lengths)
        bounds = np.concatenate([[0], np.cumsum(lengths)])
        # Only the rows that are used are turned into float32.
        used, place = np.unique(ids, return_inverse=True)
        shape = (len(words), len(used))
        mixing = csr_matrix((shares.astype(np.float32), place, bounds), shape=shape)
        vectors = mixing @ self._rows[used].astype(np.float32)
        return np.asarray(vectors, dtype=np.float32), lengths > 0

    def sample(self, limit: int) -> tuple[list[str], FloatMatrix]:
        """Return the first tokens that are whole words, and their vectors."""
        by_id = sorted(self._speller.vocabulary.items(), key=lambda item: item[1])
        words = [token for token, _ in by_id if len(token) > 1 and token.isalpha()][:limit]
        return words, self.lookup(words)[0]


def _read_table(onnx: bytes, size: int, where: str) -> tuple[NDArray[Any], NDArray[np.float32]]:
    """Find the array with a row for each token, and the rows' scales if it is of whole numbers."""
    tensors = [t for t in _tensors(memoryview(onnx)) if t.shape[:1] == (size,)]
    tables = [t for t in tensors if len(t.shape) == 2 and t.shape[1] > 1 and t.kind in NUMPY_TYPES]
    scales = [t for t in tensors if int(np.prod(t.shape)) == size and t.kind == 1]
    whole = bool(tables) and np.issubdtype(NUMPY_TYPES[tables[0].kind], np.integer)
    if len(tables) != 1 or (whole and len(scales) != 1):
        raise ModelError(
            f"No token table was found in {where}. Got {len(tables)} tables and {len(scales)} "
            f"scales for {size} tokens. Hint: pass word vectors of your own as `vectors`."
        )
    rows = tables[0].read()
    scale = scales[0].read() if whole else np.ones(size, dtype=np.float32)
    return rows, scale.reshape(size, 1)


def _tensors(model: memoryview) -> Iterator[Tensor]:
    for number, graph in fields(model):
        if number == GRAPH and isinstance(graph, memoryview):
            for inner, content in fields(graph):
                if inner == INITIALIZER and isinstance(content, memoryview):
                    yield _tensor(content)


def _tensor(content: memoryview) -> Tensor:
    shape: list[int] = []
    kind, data = 0, memoryview(b"")
    for number, value in fields(content):
        if number == DIMS:
            shape += [value] if isinstance(value, int) else list(_packed(value))
        elif number == DATA_TYPE and isinstance(value, int):
            kind = value
        elif number == RAW_DATA and isinstance(value, memoryview):
            data = value
    return Tensor(tuple(shape), kind, data)


def _packed(message: memoryview) -> Iterator[int]:
    position = 0
    while position < len(message):
        value, position = varint(message, position)
        yield value
