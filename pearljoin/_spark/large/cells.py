"""Cells: parts of a reference in which left phrases are looked up.

A group of few phrases is one cell. A larger one has cells around centroids, learned by k-means from
sampled phrases; a left phrase is looked up in the `n_probe` nearest ones. A cell of too many
phrases is split by their numbers, and one that is asked too often is copied, so that no task holds
or does too much (a salt).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as sf

from pearljoin._search.approximate import centroids_of, nearest_lists
from pearljoin._typing import FloatMatrix, IntVector

__all__ = [
    "LEFT_A_TASK",
    "SAMPLE_A_CELL",
    "WHOLE",
    "Cell",
    "Cells",
    "Shares",
    "cell_of",
    "copied",
    "group_of",
    "is_whole",
    "key_of",
    "probed",
    "train_cells",
]

SAMPLE_A_CELL = 64
"""Phrases that a centroid is learned from."""

LEFT_A_TASK = 50_000
"""Left phrases that are looked up in one copy of a cell, about."""

WHOLE = -1
"""The cell of a group that has but one."""

Cell = tuple[str, int]
"""A group and a cell of it."""


@dataclass(frozen=True)
class Shares:
    """In how many parts and copies cells come; one where nothing is said.

    Attributes
    ----------
    parts
        Parts that phrases of the reference are split into.
    copies
        Copies, each for some of the left phrases.
    own_copies
        Copies, each for some of the left phrases whose own cell it is: these are scored there.
    """

    parts: Mapping[Cell, int] = field(default_factory=dict)
    copies: Mapping[Cell, int] = field(default_factory=dict)
    own_copies: Mapping[Cell, int] = field(default_factory=dict)

    def own_keys(self, key: str, left: IntVector) -> pa.Array:
        """Name the copies of a cell in which left phrases are scored, by their numbers."""
        cell = cell_of(group_of(key), key)
        names = [key_of(*cell, 0, copy) for copy in range(self.own_copies.get(cell, 1))]
        return pa.array(names).take(pa.array(left % len(names)))


@dataclass(frozen=True)
class Cells:
    """The cells of the groups of a reference.

    Attributes
    ----------
    centroids
        By group, float32 of shape (n_cells, dim); only for groups of several cells.
    n_probe
        Cells that a left phrase is looked up in, at most; None: in all.
    shares
        Their parts and copies.
    """

    centroids: Mapping[str, FloatMatrix] = field(default_factory=dict)
    n_probe: int | None = None
    shares: Shares = Shares()

    def nearest(self, vectors: FloatMatrix, groups: Sequence[str]) -> IntVector:
        """Return the cell of each phrase: int64 of shape (n_phrases,)."""
        cells = np.full(len(vectors), WHOLE, dtype=np.int64)
        for group, rows in _rows_by_group(groups):
            if group in self.centroids:
                cells[rows] = nearest_lists(vectors[rows], self.centroids[group], 1)[:, 0]
        return cells

    def keys_of(
        self, vectors: FloatMatrix, groups: Sequence[str], ids: IntVector
    ) -> list[list[str]]:
        """List the keys of the cells that left phrases are looked up in, each one's own first.

        Parameters
        ----------
        vectors, groups, ids
            Of the phrases.
        """
        own = self.nearest(vectors, groups)
        found: list[list[str]] = [[] for _ in groups]
        for group, rows in _rows_by_group(groups):
            probed = np.full((len(rows), 1), WHOLE, dtype=np.int64)
            if group in self.centroids:
                n_cells = len(self.centroids[group])
                n_probe = n_cells if self.n_probe is None else min(self.n_probe, n_cells)
                probed = nearest_lists(vectors[rows], self.centroids[group], n_probe)
            for row, cells in zip(rows.tolist(), probed.tolist(), strict=True):
                first = int(own[row])
                rest = [cell for cell in cells if cell != first]
                found[row] = self._keys(group, [first, *rest], int(ids[row]))
        return found

    def _keys(self, group: str, cells: list[int], left: int) -> list[str]:
        parts, copies = self.shares.parts, self.shares.copies
        return [
            key_of(group, cell, part, left % copies.get((group, cell), 1))
            for cell in cells
            for part in range(parts.get((group, cell), 1))
        ]


def key_of(group: str, cell: int, part: int, copy: int) -> str:
    """Name a copy of a part of a cell; as of `copied`."""
    return f"{cell}/{part}/{copy}/{group}"


def cell_of(group: str, key: str) -> Cell:
    """The cell that a key names a copy of."""
    return group, int(key.partition("/")[0])


def group_of(key: str) -> str:
    """The group whose cell a key names."""
    return key.split("/", 3)[3]


def is_whole(key: str) -> bool:
    """Tell whether a key names a whole group."""
    return key.startswith(f"{WHOLE}/0/")


def _rows_by_group(groups: Sequence[str]) -> Iterator[tuple[str, IntVector]]:
    names, of_row = np.unique(np.array(groups, dtype=object).astype(str), return_inverse=True)
    for at, name in enumerate(names.tolist()):
        yield name, np.flatnonzero(of_row.reshape(-1) == at)


def copied(frame: Any, shares: Shares) -> Any:
    """Put phrases of a reference into the parts and copies of their cells.

    Parameters
    ----------
    frame
        With ``group``, ``cell`` and ``id``.
    shares
        Parts and copies of the cells.

    Returns
    -------
    frame
        With ``key``, a row for each copy.
    """
    known = _with_shares(frame, shares)
    return _keyed(known, sf.pmod("id", "n_parts"), sf.explode(_range("n_copies")))


def probed(frame: Any, shares: Shares) -> Any:
    """Send left phrases to all parts of their cells, and to one copy of each; as of `copied`."""
    known = _with_shares(frame, shares)
    return _keyed(known, sf.explode(_range("n_parts")), sf.pmod("id", "n_copies"))


def _with_shares(frame: Any, shares: Shares) -> Any:
    # A frame without a row has no schema by Spark Connect.
    listed = sorted({*shares.parts, *shares.copies}) or [("", -1)]
    table = pa.table(
        {
            "group": pa.array([group for group, _ in listed], pa.string()),
            "cell": pa.array([cell for _, cell in listed], pa.int64()),
            "n_parts": pa.array([shares.parts.get(cell, 1) for cell in listed], pa.int64()),
            "n_copies": pa.array([shares.copies.get(cell, 1) for cell in listed], pa.int64()),
        }
    )
    known = sf.broadcast(frame.sparkSession.createDataFrame(table))
    shared = frame.join(known, ["group", "cell"], "left")
    one = sf.lit(1).cast("long")
    for name in ("n_parts", "n_copies"):
        shared = shared.withColumn(name, sf.coalesce(name, one))
    return shared


def _range(n: str) -> Any:
    return sf.sequence(sf.lit(0).cast("long"), sf.col(n) - 1)


def _keyed(frame: Any, part: Any, copy: Any) -> Any:
    key = sf.concat_ws("/", "cell", "part", "copy", "group")
    each = frame.withColumn("part", part).withColumn("copy", copy).withColumn("key", key)
    return each.drop("n_parts", "n_copies", "part", "copy")


def train_cells(sampled: Mapping[str, FloatMatrix], n_cells: Mapping[str, int]) -> Cells:
    """Learn the cells of large groups; deterministic.

    Parameters
    ----------
    sampled
        By group, vectors of sampled phrases.
    n_cells
        How many cells each of these groups gets.
    """
    return Cells({group: centroids_of(sampled[group], n) for group, n in n_cells.items()})
