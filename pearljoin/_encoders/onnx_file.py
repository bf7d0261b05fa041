"""Read an ONNX file's structure without trusting it, and without the `onnx` package.

An ONNX tensor may say that its bytes lie in another file ("external data"), so a hostile model
could have ONNX Runtime open any path. Model folders never need this, and such a file is refused
before ONNX Runtime sees it; so is one with operators that repeat or branch. The reader below walks
the protobuf wire format and steps over the tensors' bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._encoders.onnx_operators import OPERATORS
from pearljoin._errors import ModelError

__all__ = ["FLOAT32", "Tensor", "check_onnx", "read_initializers"]

FLOAT32 = "<f4"

# Numbers below are those of onnx.proto: which fields of a message hold which messages.
_CHILDREN: dict[str, dict[int, str]] = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "function": {7: "node", 11: "attribute"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {},
}
_GRAPH, _INITIALIZER = 7, 5
_DIMS, _DATA_TYPE, _RAW_DATA, _EXTERNAL_DATA, _DATA_LOCATION = 1, 2, 9, 13, 14
_OP_TYPE, _DOMAIN = 4, 7
_DTYPES = {1: FLOAT32, 3: "i1", 10: "<f2"}
_DEEPEST = 64
"""Levels of messages within messages."""


@dataclass(frozen=True)
class Tensor:
    """An array as an ONNX file stores it.

    Attributes
    ----------
    shape
        As the file has it.
    dtype
        numpy's name of the type: float32, float16 or int8; None for any other.
    data
        The numbers' bytes.
    """

    shape: tuple[int, ...]
    dtype: str | None
    data: memoryview

    def read(self) -> NDArray[Any]:
        """Copy the numbers out of the file's bytes."""
        return np.frombuffer(self.data, dtype=self.dtype).reshape(self.shape).copy()


def check_onnx(content: bytes, where: str) -> None:
    """Refuse a model that reads other files, or uses operators that could run for ever.

    Parameters
    ----------
    content
        A serialised ONNX model.
    where
        Name of the file for errors.

    Raises
    ------
    ModelError
        If a tensor's bytes are not inside `content`, an operator is not one of `OPERATORS`, or the
        bytes are no ONNX model.
    """
    odd: set[str] = set()
    try:
        with _reading(where):
            _walk(memoryview(content), "model", 0, odd)
    except _ExternalDataError as error:
        raise ModelError(
            f"{where} keeps tensors in other files, which a model folder may not. "
            "Hint: save the model with all its data inside (onnx.save without external data)."
        ) from error
    if odd:
        raise ModelError(
            f"{where} uses operators that a model folder may not: only those of transformers, none "
            f"that repeats or branches. Got {', '.join(sorted(odd))[:200]}. Hint: export the model "
            "without them, or give an encoder of your own that runs it."
        )


def read_initializers(content: bytes, where: str) -> list[Tensor]:
    """List the constant tensors of the main graph; their numbers are not copied.

    Parameters
    ----------
    content
        A serialised ONNX model.
    where
        Name of the file for errors.

    Raises
    ------
    ModelError
        If the bytes are no ONNX model.
    """
    with _reading(where):
        return [
            _tensor(tensor)
            for graph in _messages(memoryview(content), _GRAPH)
            for tensor in _messages(graph, _INITIALIZER)
        ]


@contextmanager
def _reading(where: str) -> Iterator[None]:
    try:
        yield
    except (IndexError, ValueError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(
            f"{where} is not an ONNX model. Got {error}. Hint: fetch or export the folder again."
        ) from error


class _ExternalDataError(Exception):
    """Raised for a tensor whose bytes are in another file."""


def _walk(message: memoryview, kind: str, depth: int, odd: set[str]) -> None:
    """Look at every message; names of operators that are not allowed are put into `odd`."""
    if depth > _DEEPEST:
        raise ValueError("messages nested too deeply")
    operator = {_OP_TYPE: "", _DOMAIN: ""}
    for number, value in _fields(message):
        if kind == "tensor" and (
            number == _EXTERNAL_DATA or (number == _DATA_LOCATION and value != 0)
        ):
            raise _ExternalDataError
        child = _CHILDREN[kind].get(number)
        if child is not None and isinstance(value, memoryview):
            _walk(value, child, depth + 1, odd)
        elif kind == "node" and number in operator and isinstance(value, memoryview):
            operator[number] = bytes(value).decode("utf-8")
    name, domain = operator[_OP_TYPE], operator[_DOMAIN]
    if kind == "node" and name not in OPERATORS.get(domain, ()):
        odd.add(f"{domain}.{name}" if domain else name)


def _tensor(message: memoryview) -> Tensor:
    shape: list[int] = []
    dtype, data = None, memoryview(b"")
    for number, value in _fields(message):
        if number == _DIMS:
            shape += [value] if isinstance(value, int) else list(_packed(value))
        elif number == _DATA_TYPE and isinstance(value, int):
            dtype = _DTYPES.get(value)
        elif number == _RAW_DATA and isinstance(value, memoryview):
            data = value
    return Tensor(tuple(shape), dtype, data)


def _messages(message: memoryview, wanted: int) -> Iterator[memoryview]:
    """Yield the messages in a field."""
    for number, value in _fields(message):
        if number == wanted and isinstance(value, memoryview):
            yield value


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview | int]]:
    """Yield each field's number and value: bytes where it has a length, else an int.

    Fields of fixed size hold no structure of an ONNX model and are stepped over.
    """
    position = 0
    while position < len(message):
        tag, position = _varint(message, position)
        number, wire = tag >> 3, tag & 7
        if wire == 0:
            value, position = _varint(message, position)
            yield number, value
        elif wire == 2:
            length, position = _varint(message, position)
            if position + length > len(message):
                raise ValueError("it ends in the middle of a field")
            yield number, message[position : position + length]
            position += length
        elif wire in (1, 5):
            position += 8 if wire == 1 else 4
        else:
            raise ValueError(f"unknown wire type {wire}")


def _packed(message: memoryview) -> Iterator[int]:
    """Yield numbers that stand end to end."""
    position = 0
    while position < len(message):
        value, position = _varint(message, position)
        yield value


def _varint(message: memoryview, position: int) -> tuple[int, int]:
    """Read a number of variable length; return it and the position behind it."""
    value = shift = 0
    while True:
        byte = message[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
        if shift > 63:
            raise ValueError("a number is too long")
