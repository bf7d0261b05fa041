"""Every writer, with every file operation failing in turn: old or new, and nothing beside it."""

import functools
import json
import re
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from failing_files import FOLDER_OPERATIONS, SQL_OPERATIONS, FailingAt, KilledAt, KilledError
from frames import TrigramEncoder
from repetitions import few

import pearljoin as pj
from pearljoin._atomic import remove_unfinished
from pearljoin._cli import main
from pearljoin_train.common.cached_encoder import CachedEncoder
from pearljoin_train.training.checkpoint import (
    latest_checkpoint,
    load_checkpoint,
    save_checkpoint,
)

MOST_OPERATIONS = 400


def write_matcher(place: Path, content: str) -> None:
    fitted_matcher(content).save(place / "m")


@functools.cache
def fitted_matcher(content: str) -> pj.Matcher:
    return pj.Matcher(encoder=TrigramEncoder(), threshold=0.5).fit([content, "other"])


def read_matcher(place: Path) -> str:
    matcher = pj.Matcher.load(place / "m", encoder=TrigramEncoder())
    return matcher.match(["old", "new"]).pairs()["right"].dropna().tolist()[0]


def write_checkpoint(place: Path, content: str) -> None:
    import torch

    # As a run does: a checkpoint that could not be moved into its place is kept until then.
    (place / "run").mkdir(exist_ok=True)
    remove_unfinished(place / "run")
    module = torch.nn.Linear(1, 1)
    step = {"old": 1, "new": 2}[content]
    optimiser = torch.optim.SGD(module.parameters(), lr=0.1)
    save_checkpoint(place / "run", step, {"m": module}, optimiser, {}, {"content": content})


def read_checkpoint(place: Path) -> str:
    import torch

    module, newest = torch.nn.Linear(1, 1), latest_checkpoint(place / "run")
    assert newest is not None
    optimiser = torch.optim.SGD(module.parameters(), lr=0.1)
    return load_checkpoint(newest, {"m": module}, optimiser)[0]["content"]


def write_cache(place: Path, content: str) -> None:
    CachedEncoder(TrigramEncoder(), folder=place / "cache").encode([content])


def read_cache(place: Path) -> str:
    cached = CachedEncoder(TrigramEncoder(), folder=place / "cache")
    n_kept = cached.n_kept
    phrases = ["old", "new"][:n_kept]
    np.testing.assert_array_equal(cached.encode(phrases), TrigramEncoder().encode(phrases))
    return phrases[-1]


def write_output(place: Path, content: str) -> None:
    (place / "l.csv").write_bytes(b"name\n" + content.encode() + b"\n")
    words = ["join", place / "l.csv", place / "l.csv", "--on", "name", "--out", place / "out.csv"]
    code = main([str(word) for word in words])
    if code:
        raise pj.InputError(f"exit code {code}")


def read_output(place: Path) -> str:
    header, row = (place / "out.csv").read_text().splitlines()
    assert header.startswith("name,")
    return row.split(",")[0]


def write_deduplicator(place: Path, content: str) -> None:
    fitted_deduplicator(content).save(place / "d")


@functools.cache
def fitted_deduplicator(content: str) -> pj.Deduplicator:
    return pj.Deduplicator(encoder=bundled()).fit([content, "other", "another one"])


def read_deduplicator(place: Path) -> str:
    # Loading the model each time would take most of the time.
    return pj.Deduplicator.load(place / "d", encoder=bundled()).table().iloc[0, 0]


@functools.cache
def reported(kind: str) -> pj.MatchResult | pj.DedupeResult:
    names = ["Acme Corp", "Acme Corp.", "Globex"]
    if kind == "join":
        return pj.match(names, names[1:], encoder=TrigramEncoder())
    return pj.find_duplicates(names, encoder=TrigramEncoder())


def write_report(kind: str, place: Path, content: str) -> None:
    reported(kind).report(place / "report.html", title=content)


def read_report(place: Path) -> str:
    html = (place / "report.html").read_text(encoding="utf-8")
    assert html.endswith("</html>")
    found = re.search("<h1>(.*)</h1>", html)
    assert found is not None
    return found[1]


def write_export(place: Path, content: str) -> None:
    from pearljoin_train.export import export_int8

    # Many names to calibrate on would take most of the time, and are written nowhere.
    with patch.object(export_int8, "calibration_names", lambda: ["an", "er"]):
        export_int8.export(tiny_base(content), place / "model", max_length=40)


@functools.cache
def tiny_base(content: str):
    """A random BERT of that name."""
    import tempfile

    from train.tiny_models import save_tiny_bert

    from pearljoin_train.models.base import find_base

    folder = save_tiny_bert(Path(tempfile.mkdtemp()) / content, seed=["old", "new"].index(content))
    return find_base(str(folder), name=content)


def read_export(place: Path) -> str:
    # Its checksums tell a file of one export beside those of another.
    pj.load_encoder(place / "model").encode(["an"])
    return json.loads((place / "model" / "config.json").read_text())["name"]


WRITERS: dict[str, tuple[Callable[[Path, str], None], Callable[[Path], str]]] = {
    "matcher": (write_matcher, read_matcher),
    "checkpoint": (write_checkpoint, read_checkpoint),
    "cache": (write_cache, read_cache),
    "output of the command line": (write_output, read_output),
    "report": (functools.partial(write_report, "join"), read_report),
    "report of duplicates": (functools.partial(write_report, "dedupe"), read_report),
    # Saved as a matcher is.
    "deduplicator": (write_deduplicator, read_deduplicator),
    "export": (write_export, read_export),
}


def with_old(write: Callable[[Path, str], None], folder: Path, n: int) -> Path:
    """A place where the old one is written: once, and copied from there."""
    if not (folder / "old").is_dir():
        (folder / "old").mkdir()
        write(folder / "old", "old")
    return Path(shutil.copytree(folder / "old", folder / str(n)))


@pytest.mark.parametrize("name", few(WRITERS, 2))
def test_whichever_operation_fails_the_old_or_the_new_is_there(
    monkeypatch, tmp_path: Path, name: str
) -> None:
    write, read = WRITERS[name]
    failed: list[str] = []
    for n in range(1, MOST_OPERATIONS):
        place = with_old(write, tmp_path, n)
        refused = False
        with monkeypatch.context() as patched:
            failing = FailingAt(patched, n, FOLDER_OPERATIONS)
            try:
                write(place, "new")
            except (pj.PearljoinError, OSError):
                refused = True
            finally:
                failing.on = False
        assert read(place) == ("old" if refused else "new")
        # What is left beside it is swept by the next write at the latest.
        write(place, "new")
        assert read(place) == "new"
        assert [path.name for path in place.rglob(".*")] == []
        assert list(place.rglob("*.part")) == []
        if not failing.failed:
            break
        failed.append(failing.failed)
    assert n < MOST_OPERATIONS - 1
    assert {"open", "fsync"} <= set(failed), json.dumps(failed)


KILLED = ("report", "report of duplicates", "export")


@pytest.mark.parametrize("name", few(KILLED, 2))
def test_wherever_a_writer_is_killed_what_is_read_is_old_or_new(
    monkeypatch, tmp_path: Path, name: str
) -> None:
    write, read = WRITERS[name]
    found = set()
    for n in range(1, MOST_OPERATIONS):
        place = with_old(write, tmp_path, n)
        with monkeypatch.context() as patched:
            kill = KilledAt(patched, n)
            try:
                write(place, "new")
            except KilledError:
                assert kill.killed
        if name == "export" and is_mixed(place, read):
            # Nothing reads files of two exports as one, and the old ones stand beside them.
            (aside,) = place.glob("model/.pearljoin-*.part")
            assert {path.name for path in aside.glob("*.old")} >= {"model.onnx.old"}
        else:
            found.add(read(place))
        if not kill.killed:
            break
    assert n < MOST_OPERATIONS - 1
    assert found == {"old", "new"}


def is_mixed(place: Path, read: Callable[[Path], str]) -> bool:
    """Whether a folder is refused because its files are not of one export."""
    try:
        read(place)
    except pj.ModelError as error:
        return "sha256" in str(error)
    return False


# The cache of vectors: SQLite writes it, and whatever goes wrong costs a warning alone ---------


def encode_cached(folder: Path, names: list[str]) -> bool:
    """Encode with a cache, whose vectors are right whatever happens; whether it warned."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        vectors = pj.load_encoder("pearl-nano", cache=folder).encode(names)
    np.testing.assert_array_equal(vectors, bundled().encode(names))
    assert all("The cache of vectors cannot be" in str(one.message) for one in caught)
    return bool(caught)


@functools.cache
def bundled():
    return pj.load_encoder("pearl-nano")


def kept_in(folder: Path, names: list[str]) -> list[str]:
    """Which names the cache holds, by a look that must not fail."""
    encoder = pj.load_encoder("pearl-nano", cache=folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows, vectors = encoder._store.get(names)
    np.testing.assert_array_equal(vectors, bundled().encode([names[row] for row in rows]))
    return [names[row] for row in rows]


OLD = [f"old {n}" for n in range(20)]
NEW = [f"new {n}" for n in range(20)]


def test_whichever_step_of_sqlite_fails_the_vectors_are_right(monkeypatch, tmp_path: Path) -> None:
    failed: list[str] = []
    for n in range(1, MOST_OPERATIONS):
        folder = tmp_path / str(n)
        encode_cached(folder, OLD)
        with monkeypatch.context() as patched:
            failing = FailingAt(patched, n, SQL_OPERATIONS)
            warned = encode_cached(folder, [*OLD, *NEW])
            # A folder that is there already need not be made.
            assert warned == (failing.failed not in ("", "mkdir"))
            failing.on = False
        kept = kept_in(folder, [*OLD, *NEW])
        assert kept[: len(OLD)] == OLD
        assert kept[len(OLD) :] in ([], NEW)  # a batch is kept whole or not at all
        assert not encode_cached(folder, NEW)
        assert kept_in(folder, [*OLD, *NEW]) == [*OLD, *NEW]
        if not failing.failed:
            break
        failed.append(failing.failed)
    assert n < MOST_OPERATIONS - 1
    assert set(failed) == {"mkdir", "connect", "execute", "executemany", "commit", "close"}


def test_a_disk_that_is_full_after_any_block_loses_no_vector(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    warned = []
    for size in range(0, 400_000, 8_192):
        folder = tmp_path / str(size)
        encode_cached(folder, OLD)
        # Python ignores the signal, and SQLite sees a write that fails.
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        try:
            warned.append(encode_cached(folder, [*OLD, *NEW]))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        kept = kept_in(folder, [*OLD, *NEW])
        assert kept in ([*OLD, *NEW], OLD)
        assert (len(kept) == len(OLD)) == warned[-1]
        assert not encode_cached(folder, NEW)
        if not warned[-1]:
            break
    assert warned[0]
    assert not warned[-1]
