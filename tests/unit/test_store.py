"""The folder of plain files behind Matcher.save: what survives it, and what is refused."""

import datetime as dt
import hashlib
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from frames import TrigramEncoder

import pearljoin as pj
from pearljoin._fitted.store import read_store, write_store


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
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(pj.ModelError, match=r"'table.arrow' cannot be read .*Permission denied"):
        read_store(tmp_path / "s")


def test_parents_are_made_and_an_empty_folder_is_used(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for target in (tmp_path / "a" / "b" / "c", tmp_path / "empty"):
        write_store(target, {"it": 1}, {})
        assert read_store(target)[0] == {"it": 1}


# Folders from a stranger: checksums fit, what they hold does not ---------------------------------


def sign(folder: Path) -> None:
    """Write the checksums anew, as somebody who means harm would."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for name in manifest["files"]:
        manifest["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))


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
