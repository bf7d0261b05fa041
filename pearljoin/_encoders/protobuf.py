"""Reading the fields of a protobuf message, such as an ONNX file, without trusting it."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["fields", "varint"]


def fields(message: memoryview) -> Iterator[tuple[int, memoryview | int]]:
    """Yield each field's number with its value: bytes where it has a length, else an int."""
    position = 0
    while position < len(message):
        tag, position = varint(message, position)
        number, wire = tag >> 3, tag & 7
        if wire == 0:
            value, position = varint(message, position)
            yield number, value
        elif wire == 2:
            length, position = varint(message, position)
            if position + length > len(message):
                raise ValueError("it ends in the middle of a field")
            yield number, message[position : position + length]
            position += length
        elif wire in (1, 5):
            position += 8 if wire == 1 else 4
        else:
            raise ValueError(f"unknown wire type {wire}")


def varint(message: memoryview, position: int) -> tuple[int, int]:
    """Read a number of variable length; returns it and the position behind it."""
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
