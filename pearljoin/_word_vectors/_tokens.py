"""The token table of a model folder as word vectors: no network is run.

A transformer's first step is to look each token up in a table. A word's vector here is the mean
of its tokens' rows, so every word that the tokenizer can spell has one. The rows are read out of
`model.onnx` as they are stored, in 8 bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin._errors import ModelError
from pearljoin._protobuf import fields, varint
from pearljoin._typing import BoolVector, FloatMatrix, IntVector

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
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_str(tokenizer.decode("utf-8"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._unknown = _unknown_token(self._tokenizer)
        size = self._tokenizer.get_vocab_size(with_added_tokens=True)
        self._rows, self._scales = _read_table(onnx, size, where)

    @property
    def dim(self) -> int:
        """Numbers in a word's vector."""
        return int(self._rows.shape[1])

    def lookup(self, words: Sequence[str]) -> tuple[FloatMatrix, BoolVector]:
        """Return the mean of each word's token rows; see `WordTable`."""
        ids, lengths = self._spell(words)
        shares = self._scales[ids, 0] / np.repeat(lengths, lengths)
        bounds = np.concatenate([[0], np.cumsum(lengths)])
        shape = (len(words), len(ids))
        mixing = csr_matrix((shares.astype(np.float32), np.arange(len(ids)), bounds), shape=shape)
        vectors = mixing @ self._rows[ids].astype(np.float32)
        return np.asarray(vectors, dtype=np.float32), lengths > 0

    def sample(self, limit: int) -> tuple[list[str], FloatMatrix]:
        """Return the first tokens that are whole words, and their vectors."""
        by_id = sorted(self._tokenizer.get_vocab().items(), key=lambda item: item[1])
        words = [token for token, _ in by_id if len(token) > 1 and token.isalpha()][:limit]
        return words, self.lookup(words)[0]

    def _spell(self, words: Sequence[str]) -> tuple[IntVector, IntVector]:
        """Return the words' token ids end to end, unknown ones left out, and their counts."""
        clean = [w if w.isascii() else w.encode("utf-8", "replace").decode() for w in words]
        encoded = self._tokenizer.encode_batch(clean, add_special_tokens=False)
        each = [encoding.ids for encoding in encoded]
        lengths = np.fromiter(map(len, each), dtype=np.int64, count=len(each))
        ids = np.fromiter(chain.from_iterable(each), dtype=np.int64, count=int(lengths.sum()))
        known = ids != self._unknown
        word = np.repeat(np.arange(len(each)), lengths)[known]
        return ids[known], np.bincount(word, minlength=len(each))


def _unknown_token(tokenizer: Any) -> int:
    token = getattr(tokenizer.model, "unk_token", None)
    found = tokenizer.token_to_id(token) if isinstance(token, str) else None
    return -1 if found is None else int(found)


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
