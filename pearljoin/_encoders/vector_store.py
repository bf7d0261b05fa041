"""Vectors of texts on disk, shared by processes; whatever goes wrong costs a warning."""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Callable, Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

import numpy as np

from pearljoin._errors import PearljoinWarning, caller_stacklevel
from pearljoin._typing import FloatMatrix, IntVector

__all__ = ["VectorStore"]

SECONDS_TO_WAIT = 30.0
"""For another process that writes."""

ASKED_AT_ONCE = 500
"""Texts of one question; SQLite takes 999 at least."""

BYTES_BESIDE = 64
"""Of each vector in the file, beside its numbers."""

KEPT_SHARE = 0.8
"""Share of the vectors that stays when the store is full; the oldest go."""

TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB UNIQUE NOT NULL, vector BLOB NOT NULL)"


class VectorStore:
    """Vectors of texts in one SQLite file.

    SQLite writes a batch whole or not at all, also if the process is killed, and lets one process
    write at a time. A file that cannot be read or written, a full disk among the reasons, costs a
    warning: nothing more is read from it then, and nothing kept.

    Parameters
    ----------
    path
        The file; made when it is first written to.
    dim
        Columns of the vectors.
    max_bytes
        Size of the file, about, from which the oldest vectors are dropped.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> store = VectorStore(folder / "vectors.sqlite", dim=2, max_bytes=2**20)
    >>> store.put(["a"], np.array([[3.0, 4.0]], dtype=np.float32))
    >>> rows, vectors = store.get(["b", "a"])
    >>> rows.tolist(), vectors.tolist()
    ([1], [[3.0, 4.0]])
    """

    def __init__(self, path: Path, *, dim: int, max_bytes: int) -> None:
        self._path = path
        self._dim = dim
        self._max_bytes = max_bytes
        self._has_failed = False

    def get(self, texts: Sequence[str]) -> tuple[IntVector, FloatMatrix]:
        """Look texts up.

        Returns
        -------
        rows
            int64 of shape (n_found,), ascending: which of the texts were found.
        vectors
            float32 of shape (n_found, dim).
        """
        known: dict[bytes, bytes] = {}
        keys = [_key(text) for text in texts]

        def read(connection: sqlite3.Connection) -> None:
            for start in range(0, len(keys), ASKED_AT_ONCE):
                known.update(_select(connection, keys[start : start + ASKED_AT_ONCE]))

        if self._path.exists():
            self._run("read", read)
        length = 4 * self._dim
        found = [(row, known[key]) for row, key in enumerate(keys) if key in known]
        found = [(row, vector) for row, vector in found if len(vector) == length]
        joined = np.frombuffer(b"".join(vector for _, vector in found), dtype="<f4")
        vectors = joined.reshape(-1, self._dim).astype(np.float32)
        rows = np.array([row for row, _ in found], dtype=np.int64)
        is_finite = np.isfinite(vectors).all(axis=1)
        return rows[is_finite], vectors[is_finite]

    def put(self, texts: Sequence[str], vectors: FloatMatrix) -> None:
        """Keep the vectors of distinct texts, float32 of shape (n_texts, dim)."""
        rows = np.ascontiguousarray(vectors, dtype="<f4")
        listed = [(_key(text), row.tobytes()) for text, row in zip(texts, rows, strict=True)]

        def write(connection: sqlite3.Connection) -> None:
            with connection:
                connection.execute(TABLE)
                connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", listed)
                self._drop_oldest(connection)

        self._run("written", write)

    def _drop_oldest(self, connection: sqlite3.Connection) -> None:
        n_kept = connection.execute("SELECT count(*) FROM vectors").fetchone()[0]
        most = self._max_bytes // (4 * self._dim + BYTES_BESIDE)
        if n_kept > most:
            oldest = "SELECT rowid FROM vectors ORDER BY rowid LIMIT ?"
            dropped = n_kept - int(KEPT_SHARE * most)
            connection.execute(f"DELETE FROM vectors WHERE rowid IN ({oldest})", (dropped,))

    def _run(self, what: str, action: Callable[[sqlite3.Connection], None]) -> None:
        """Open the file for an action; what goes wrong is a warning, and the end of its use."""
        if self._has_failed:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=SECONDS_TO_WAIT)) as connection:
                action(connection)
        except (sqlite3.Error, OSError) as error:
            self._has_failed = True
            warnings.warn(
                f"The cache of vectors cannot be {what}: {error}. Got {str(self._path)!r}. "
                "Hint: free space on the disk, or delete the file; without it phrases are encoded "
                "again, with the same result.",
                PearljoinWarning,
                stacklevel=caller_stacklevel(),
            )


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _select(connection: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, bytes]:
    marks = ",".join("?" * len(keys))
    try:
        found = connection.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", keys)
        return dict(found)
    except sqlite3.OperationalError as error:
        # Another process has made the file, and not yet its table.
        if "no such table" in str(error):
            return {}
        raise
