"""The folder of plain files behind Matcher.save: what survives it, and what is refused."""

import contextlib
import datetime as dt
import json
import os
import shutil
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from failing_files import KilledAt, KilledError
from frames import TrigramEncoder
from saved_folders import sign

import pearljoin as pj
from pearljoin._atomic import folders
from pearljoin._fitted import checked_folder as store
from pearljoin._fitted.checked_folder import read_store, write_store


def round_trip(folder: Path, content: dict) -> dict:
    write_store(folder / "s", content, {})
    return read_store(folder / "s")[0]


VALUES = [
    None,
    True,
    0,
    -(2**70),
    1.5,
    float("inf"),
    float("-inf"),
    "",
    "naïve \ud800 🎉 \x00",
    dt.datetime(2024, 2, 29, 12, 30, 1, 5),
    dt.datetime(2024, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=2))),
    dt.date(1999, 12, 31),
    dt.time(23, 59, 1),
    [1, ["two", [None]]],
    {"a": {"b": [1]}, 3: "int key"},
    {},
    [],
    {"$date": "not one"},
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_survive(tmp_path: Path, value) -> None:
    found = round_trip(tmp_path, {"it": value})["it"]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (float("nan"), None),
        (pd.NA, None),
        (pd.NaT, None),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        (np.bool_(True), True),
        ((1, 2), [1, 2]),
        (pd.Timestamp("2024-01-02"), dt.datetime(2024, 1, 2)),
    ],
    ids=repr,
)
def test_what_is_not_plain_becomes_so(tmp_path: Path, value, wanted) -> None:
    assert round_trip(tmp_path, {"it": value})["it"] == wanted


@pytest.mark.parametrize("value", [b"bytes", {1, 2}, object(), 1j, dt.timedelta(1)], ids=type)
def test_what_has_no_plain_form_is_refused(tmp_path: Path, value) -> None:
    with pytest.raises(pj.InputError, match=r"A key of type \w+ cannot be saved. Got"):
        write_store(tmp_path / "s", {"it": [value]}, {})
    assert list(tmp_path.iterdir()) == []


def test_arrays_survive(tmp_path: Path) -> None:
    arrays = {
        "floats": np.arange(6, dtype=np.float32).reshape(2, 3),
        "flags": np.array([True, False]),
        "none": np.zeros((0, 4), dtype=np.float32),
    }
    write_store(tmp_path / "s", {}, arrays)
    _, found, _ = read_store(tmp_path / "s")
    assert set(found) == set(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype


def test_files_survive(tmp_path: Path) -> None:
    write_store(tmp_path / "s", {}, {}, {"table.arrow": b"\x00bytes"})
    assert read_store(tmp_path / "s") == ({}, {}, {"table.arrow": b"\x00bytes"})


def test_arrays_of_objects_are_neither_written_nor_read(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"Object arrays cannot be saved"):
        write_store(tmp_path / "s", {}, {"x": np.array([{}], dtype=object)})
    write_store(tmp_path / "s", {}, {"x": np.zeros(1)})
    np.save(tmp_path / "s" / "x.npy", np.array([{}], dtype=object), allow_pickle=True)
    sign(tmp_path / "s")
    with pytest.raises(pj.ModelError, match=r"x.npy cannot be read .*cannot be loaded"):
        read_store(tmp_path / "s")


def test_a_write_that_fails_leaves_the_old_folder(tmp_path: Path) -> None:
    write_store(tmp_path / "s", {"it": 1}, {})
    with pytest.raises(pj.InputError, match=r"cannot be saved"):
        write_store(tmp_path / "s", {"it": object()}, {})
    assert read_store(tmp_path / "s")[0] == {"it": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["s"]


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch) -> None:
    write_store(tmp_path / "s", {}, {}, {"table.arrow": b"x"})

    def refuse(path: Path) -> bytes:
        if path.name == "table.arrow":
            raise PermissionError(13, "Permission denied", str(path))
        return read_bytes(path)

    read_bytes = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(pj.ModelError, match=r"'table.arrow' cannot be read .*Permission denied"):
        read_store(tmp_path / "s")


def test_parents_are_made_and_an_empty_folder_is_used(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for target in (tmp_path / "a" / "b" / "c", tmp_path / "empty"):
        write_store(target, {"it": 1}, {})
        assert read_store(target)[0] == {"it": 1}


# Killed at any operation, and read while another process writes -----------------------------------


@pytest.fixture(params=["exchanged", "put aside"])
def is_exchanged(request, monkeypatch) -> bool:
    """On a system that can exchange folders, and on one that cannot."""
    if request.param == "put aside":
        monkeypatch.setattr(folders, "exchange", lambda *_: False)
    return request.param == "exchanged"


def write_number(folder: Path, number: int) -> None:
    arrays = {name: np.full(1 + number, number) for name in ("a", "b")}
    write_store(folder, {"it": number}, arrays, {"table": b"%d" % number})


def read_number(folder: Path) -> int:
    content, arrays, files = read_store(folder)
    number = content["it"]
    assert files == {"table": b"%d" % number}
    assert {name: array.tolist() for name, array in arrays.items()} == {
        name: [number] * (1 + number) for name in ("a", "b")
    }
    return number


def test_whenever_its_process_is_killed_a_store_is_read_whole(
    monkeypatch, tmp_path: Path, is_exchanged: bool
) -> None:
    folder, seen = tmp_path / "s", []
    for n in range(1, 200):
        write_number(folder, 1)
        assert [path.name for path in tmp_path.iterdir()] == ["s"]
        with monkeypatch.context() as patched:
            kill = KilledAt(patched, n)
            with contextlib.suppress(KilledError):
                write_number(folder, 2)
        seen.append(read_number(folder))
        if not kill.killed:
            break
    assert sorted(seen) == seen
    assert seen.count(1) > 20
    assert seen.count(2) > 5


def test_a_store_is_read_whole_while_another_process_writes(
    tmp_path: Path, is_exchanged: bool
) -> None:
    folder, done = tmp_path / "s", threading.Event()
    write_number(folder, 0)

    def write_often() -> None:
        for number in range(60):
            write_number(folder, number)
        done.set()

    writer = threading.Thread(target=write_often)
    writer.start()
    found = []
    while not done.is_set():
        found.append(read_number(folder))
    writer.join()
    assert sorted(found) == found
    assert len(found) > 5
    assert read_number(folder) == 59


def test_files_of_two_saves_are_never_mixed(tmp_path: Path, monkeypatch) -> None:
    """Another process saves just before each file in turn is opened."""
    opened = Path.open
    for at in range(1, 10):
        write_number(tmp_path / "s", 1)
        left = at

        def save_first(path: Path, *arguments, **named):
            nonlocal left
            left -= path.parent.name == "s"
            if left == 0 and path.parent.name == "s":
                left = -1
                write_number(tmp_path / "s", 2)
            return opened(path, *arguments, **named)

        with monkeypatch.context() as patched:
            patched.setattr(Path, "open", save_first)
            found = read_number(tmp_path / "s")
        assert found == (2 if left < 0 else 1)
    assert left > 0


def test_a_folder_that_is_replaced_all_the_time_is_an_error_in_the_end(
    tmp_path: Path, monkeypatch
) -> None:
    write_number(tmp_path / "s", 1)
    (tmp_path / "s" / "content.json").unlink()
    states = iter(range(10_000))
    monkeypatch.setattr(store, "_state", lambda folder: (folder, next(states), 0))
    with pytest.raises(pj.ModelError, match=r"'content.json' is missing"):
        read_store(tmp_path / "s")


def test_files_that_are_not_of_the_store_stop_a_save(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    for name in ("notes.txt", "mine.npy", "folder"):
        write_number(folder, 1)
        (folder / name).mkdir() if name == "folder" else (folder / name).touch()
        with pytest.raises(pj.InputError, match=rf"other files, .* Got '{name}'\. Hint"):
            write_number(folder, 2)
        assert (folder / name).exists()
        assert read_number(folder) == 1
        shutil.rmtree(folder)
    folder.mkdir()
    (folder / "manifest.json").write_text('{"name": "of a web page"}')
    with pytest.raises(pj.InputError, match=r"other files, .*Got 'manifest\.json'"):
        write_number(folder, 2)


def test_a_damaged_store_and_what_file_managers_leave_are_written_over(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    for damage in ("{", '{"kind": "pearljoin-matcher", "version": 2, "files": '):
        write_number(folder, 1)
        (folder / ".DS_Store").touch()
        (folder / "table").unlink()
        (folder / "manifest.json").write_text(damage)
        write_number(folder, 2)
        assert read_number(folder) == 2
        assert not (folder / ".DS_Store").exists()


# Folders from a stranger: checksums fit, what they hold does not ---------------------------------


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    folder = tmp_path / "saved"
    pj.Matcher(encoder=TrigramEncoder(), threshold=0.5).fit(["alpha", "beta"]).save(folder)
    return folder


def load(folder: Path) -> pj.Matcher:
    return pj.Matcher.load(folder, encoder=TrigramEncoder())


REPLACED = {
    "columns": [[1], {"$dict": []}, {"$dict": [["right", None]]}, None, 3],
    "names": [["foo"], [], None, [["right"]], [{"$date": "x"}]],
    "kinds": [["foo"], [], None, [1]],
    "by": [["foo"], None],
    "given": [{"$dict": [["foo", 1]]}, [1], None],
    "options": ["abc", [1], None, {"$dict": [["foo", 1]]}],
    "texts": [None, [], [[1, 2]], 3],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in REPLACED.items() for value in values]
)
def test_content_of_the_wrong_shape_is_refused(saved: Path, name: str, value) -> None:
    path = saved / "content.json"
    content = json.loads(path.read_text())
    entries = content["content"]["$dict"]
    next(entry for entry in entries if entry[0] == name)[1] = value
    path.write_text(json.dumps(content))
    sign(saved)
    with pytest.raises(pj.ModelError, match=r"saved matcher at .* is damaged"):
        load(saved)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "null",
        "{}",
        '{"content": {}}',
        '{"content": []}',
        '{"content": {"$eval": "1"}}',
        '{"content": {"$dict": [[[1], 2]]}}',
        '{"content": {"$dict": [[1]]}}',
        '{"content": {"$dict": 3}}',
        '{"content": {"$date": "x"}}',
        '{"content": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"content": ',
    ],
    ids=lambda text: text[:40],
)
def test_content_that_is_not_ours_is_refused(saved: Path, text: str) -> None:
    (saved / "content.json").write_text(text)
    sign(saved)
    with pytest.raises(pj.ModelError, match=r"saved matcher at .* is damaged"):
        load(saved)


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((2, 5), dtype=np.float32),
        np.zeros(2, dtype=np.float32),
        np.zeros((0, 48), dtype=np.float32),
        np.full((2, 48), np.nan, dtype=np.float32),
        np.array([["a", "b"]]),
    ],
    ids=["dimension", "one axis", "no rows", "not numbers", "text"],
)
def test_vectors_of_the_wrong_shape_are_refused(saved: Path, array: np.ndarray) -> None:
    np.save(saved / "vectors_0.npy", array)
    sign(saved)
    with pytest.raises(pj.ModelError, match=r"is damaged|encoder is not the one"):
        load(saved)


@pytest.mark.parametrize("name", ["../outside.npy", "/etc/hostname", "a/b.npy", ".."])
def test_files_outside_the_folder_are_not_read(saved: Path, name: str) -> None:
    manifest = json.loads((saved / "manifest.json").read_text())
    manifest["files"][name] = "0" * 64
    (saved / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(pj.ModelError, match=r"is missing"):
        load(saved)


def test_links_are_not_followed(saved: Path, tmp_path: Path) -> None:
    inside = saved / "vectors_0.npy"
    inside.rename(tmp_path / "elsewhere.npy")
    inside.symlink_to(tmp_path / "elsewhere.npy")
    with pytest.raises(pj.ModelError, match=r"'vectors_0.npy' is missing"):
        load(saved)


@pytest.mark.parametrize("files", [None, [], {}, {"vectors_0.npy": "0"}, 3])
def test_a_manifest_without_files_is_refused(saved: Path, files) -> None:
    manifest = json.loads((saved / "manifest.json").read_text())
    manifest["files"] = files
    (saved / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(pj.ModelError, match=r"list of files is not readable"):
        load(saved)


def test_a_header_of_more_numbers_than_there_are_is_refused(saved: Path) -> None:
    """6 TB would be reserved for them."""
    path = saved / "vectors_0.npy"
    with path.open("wb") as file:
        header = {"descr": "<f4", "fortran_order": False, "shape": (10**12, 48 // 32)}
        np.lib.format.write_array_header_1_0(file, header)
        file.write(b"\0" * 1000)
    sign(saved)
    with pytest.raises(pj.ModelError, match=r"vectors_0.npy cannot be read .it says that it holds"):
        load(saved)


def test_a_pipe_instead_of_the_manifest_is_not_waited_for(saved: Path) -> None:
    (saved / "manifest.json").unlink()
    os.mkfifo(saved / "manifest.json")
    with pytest.raises(pj.ModelError, match=r"manifest.json is no small file"):
        load(saved)


@pytest.mark.parametrize("text", ["[" * 100_000, " " * (2**24 + 1)], ids=["deep", "large"])
def test_a_manifest_that_is_deep_or_large_is_refused(saved: Path, text: str) -> None:
    (saved / "manifest.json").write_text(text)
    with pytest.raises(pj.ModelError, match=r"is damaged: manifest.json (cannot|is no small)"):
        load(saved)
