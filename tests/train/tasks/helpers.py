"""Encoders made of tables, so that every expected value can be worked out by hand."""

from collections.abc import Mapping, Sequence

import numpy as np


class TableEncoder:
    """Looks phrases up in a table of vectors and makes them unit; counts what it is asked."""

    def __init__(self, table: Mapping[str, Sequence[float]]) -> None:
        self.table = table
        self.dim = len(next(iter(table.values())))
        self.asked: list[str] = []

    def encode(self, phrases):
        self.asked += phrases
        rows = np.array([self.table[p] for p in phrases], dtype=np.float32).reshape(-1, self.dim)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)


def degrees(*angles: float) -> list[list[float]]:
    """Points on the unit circle."""
    return [[float(np.cos(np.radians(a))), float(np.sin(np.radians(a)))] for a in angles]
