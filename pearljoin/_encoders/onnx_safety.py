"""Refusing an ONNX file that reads other files, before ONNX Runtime sees it.

An ONNX tensor may say that its bytes lie in another file ("external data"), so a hostile model
could have ONNX Runtime open any path. Model folders never need this. The walk below reads the
protobuf wire format, stepping over the tensors' bytes, so that no `onnx` package is needed.
"""

from __future__ import annotations

from pearljoin._encoders.protobuf import fields
from pearljoin._errors import ModelError

# Field numbers from onnx.proto: which fields of a message hold which messages.
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
_EXTERNAL_DATA, _DATA_LOCATION = 13, 14
_DEEPEST = 64


def check_onnx(content: bytes, where: str) -> None:
    """Raise ModelError unless every tensor's bytes are inside `content`.

    Parameters
    ----------
    content
        A serialised ONNX model.
    where
        What to call it in the error.
    """
    try:
        _walk(memoryview(content), "model", 0)
    except _ExternalDataError as error:
        raise ModelError(
            f"{where} keeps tensors in other files, which a model folder may not. "
            "Hint: save the model with all its data inside (onnx.save without external data)."
        ) from error
    except (IndexError, ValueError) as error:
        raise ModelError(
            f"{where} is not an ONNX model. Got {error}. Hint: fetch or export the folder again."
        ) from error


class _ExternalDataError(Exception):
    """A tensor points outside the file."""


def _walk(message: memoryview, kind: str, depth: int) -> None:
    if depth > _DEEPEST:
        raise ValueError("messages nested too deeply")
    for number, value in fields(message):
        if kind == "tensor" and (
            number == _EXTERNAL_DATA or (number == _DATA_LOCATION and value != 0)
        ):
            raise _ExternalDataError
        child = _CHILDREN[kind].get(number)
        if child is not None and isinstance(value, memoryview):
            _walk(value, child, depth + 1)
