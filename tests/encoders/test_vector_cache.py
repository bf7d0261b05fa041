"""Vectors on disk: the same vectors, two processes, a kill, damage, a full disk, a size limit."""

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from pearljoin import InputError, PearljoinWarning, load_encoder
from pearljoin._encoders.cached import CachedEncoder
from pearljoin._encoders.vector_store import VectorStore

NAMES = ["Oslo", "Le Monde", "", "東京", "The New York Times", "lone \ud800", "Oslo "]


@pytest.fixture(scope="module")
def plain():
    return load_encoder("pearl-mini")


def files_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sqlite"))


class TestEncoding:
    def test_gives_the_encoders_own_vectors_first_and_later(self, plain, tmp_path):
        expected = plain.encode(NAMES)
        for _ in range(2):
            encoder = load_encoder("pearl-mini", cache=tmp_path)
            assert np.array_equal(encoder.encode(NAMES), expected)
            assert np.array_equal(encoder.encode(NAMES[::-1]), expected[::-1])

    def test_encodes_only_what_is_not_kept(self, tmp_path, monkeypatch):
        encoder = load_encoder("pearl-mini", cache=tmp_path)
        encoder.encode(NAMES[:3])
        asked = []
        inner = encoder._encoder
        original = inner.encode
        monkeypatch.setattr(inner, "encode", lambda p: asked.append(list(p)) or original(p))
        encoder.encode(NAMES)
        encoder.encode(NAMES)
        assert asked == [NAMES[3:]]

    def test_repeated_phrases_are_kept_once(self, plain, tmp_path):
        encoder = load_encoder("pearl-mini", cache=tmp_path)
        assert np.array_equal(encoder.encode(["a", "b", "a"]), plain.encode(["a", "b", "a"]))

    def test_has_what_a_join_asks_of_an_encoder(self, plain, tmp_path):
        encoder = load_encoder("pearl-mini", cache=tmp_path)
        assert (encoder.dim, encoder.name, encoder.scorer) == (plain.dim, plain.name, plain.scorer)
        assert encoder.fallback_threshold == plain.fallback_threshold
        assert encoder.covers(NAMES).tolist() == plain.covers(NAMES).tolist()

    def test_models_do_not_share_a_file(self, plain, tmp_path):
        CachedEncoder(plain, tmp_path).encode(["a"])
        other = CachedEncoder(plain, tmp_path)
        other._store = VectorStore(tmp_path / "other.sqlite", dim=plain.dim, max_bytes=2**20)
        assert not len(other._store.get(["a"])[0])

    def test_refuses_an_encoder_without_a_checksum(self, tmp_path):
        with pytest.raises(InputError, match="bundled models and model folders"):
            load_encoder(lambda texts: [[1.0]] * len(texts), cache=tmp_path)


class TestWhatGoesWrong:
    @pytest.fixture
    def kept(self, tmp_path):
        encoder = load_encoder("pearl-mini", cache=tmp_path)
        encoder.encode(NAMES)
        return files_of(tmp_path)[0]

    def test_a_corrupt_file_costs_a_warning(self, plain, tmp_path, kept):
        kept.write_bytes(b"not a database" * 1000)
        encoder = load_encoder("pearl-mini", cache=tmp_path)
        with pytest.warns(PearljoinWarning, match=r"cannot be read.*Hint: free space"):
            assert np.array_equal(encoder.encode(NAMES), plain.encode(NAMES))

    def test_a_vector_of_another_length_is_not_taken(self, plain, tmp_path, kept):
        connection = sqlite3.connect(kept)
        with connection:
            connection.execute("UPDATE vectors SET vector = x'00'")
        connection.close()
        encoder = load_encoder("pearl-mini", cache=tmp_path)
        assert np.array_equal(encoder.encode(NAMES), plain.encode(NAMES))

    def test_a_folder_that_cannot_be_made_costs_a_warning(self, plain, tmp_path):
        (tmp_path / "file").write_text("")
        encoder = load_encoder("pearl-mini", cache=tmp_path / "file" / "below")
        with pytest.warns(PearljoinWarning, match="cannot be written"):
            assert np.array_equal(encoder.encode(["a"]), plain.encode(["a"]))

    def test_a_full_disk_costs_a_warning(self, tmp_path, monkeypatch):
        store = VectorStore(tmp_path / "v.sqlite", dim=2, max_bytes=2**20)
        store.put(["a"], np.ones((1, 2), np.float32))
        real = sqlite3.connect

        def full(*args, **kwargs):
            connection = real(*args, **kwargs)
            connection.execute("PRAGMA max_page_count = 1")
            return connection

        monkeypatch.setattr(sqlite3, "connect", full)
        with pytest.warns(PearljoinWarning, match="disk is full"):
            store.put([f"text {n}" for n in range(5_000)], np.ones((5_000, 2), np.float32))
        monkeypatch.undo()
        again = VectorStore(tmp_path / "v.sqlite", dim=2, max_bytes=2**20)
        assert again.get(["a", "text 1"])[0].tolist() == [0]

    def test_beyond_the_limit_the_oldest_go(self, tmp_path):
        store = VectorStore(tmp_path / "v.sqlite", dim=2, max_bytes=100 * (8 + 64))
        for n in range(150):
            store.put([str(n)], np.full((1, 2), n, np.float32))
        rows, vectors = store.get([str(n) for n in range(150)])
        assert 80 <= len(rows) <= 100
        assert rows.tolist() == list(range(150 - len(rows), 150))
        assert vectors[:, 0].tolist() == rows.tolist()


WRITER = """
import sys, numpy as np
from pathlib import Path
from pearljoin._encoders.vector_store import VectorStore
store = VectorStore(Path(sys.argv[1]), dim=64, max_bytes=2**30)
n = 0
while True:
    rows = np.arange(n, n + 1000)
    store.put([str(r) for r in rows], np.repeat(rows[:, None], 64, 1).astype(np.float32))
    n += 1000
    print(n, flush=True)
"""


class TestProcesses:
    def test_a_killed_writer_leaves_whole_batches(self, tmp_path):
        path = tmp_path / "v.sqlite"
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
        )
        for _ in range(5):
            writer.stdout.readline()
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        store = VectorStore(path, dim=64, max_bytes=2**30)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rows, vectors = store.get([str(n) for n in range(20_000)])
        assert len(rows) >= 5_000
        assert len(rows) % 1_000 == 0
        assert np.array_equal(vectors, np.repeat(rows[:, None], 64, 1).astype(np.float32))

    def test_two_processes_write_at_once(self, tmp_path):
        context = multiprocessing.get_context("spawn")
        workers = [
            context.Process(target=put_some, args=(str(tmp_path / "v.sqlite"), first))
            for first in (0, 500)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
            assert worker.exitcode == 0
        store = VectorStore(tmp_path / "v.sqlite", dim=2, max_bytes=2**30)
        rows, vectors = store.get([str(n) for n in range(1_500)])
        assert rows.tolist() == list(range(1_500))
        assert vectors[:, 1].tolist() == rows.tolist()


def put_some(path: str, first: int) -> None:
    """Write a thousand vectors, ten at a time; a warning is an error here."""
    warnings.simplefilter("error")
    store = VectorStore(Path(path), dim=2, max_bytes=2**30)
    for start in range(first, first + 1_000, 10):
        rows = np.arange(start, start + 10)
        store.put([str(r) for r in rows], np.repeat(rows[:, None], 2, 1).astype(np.float32))
