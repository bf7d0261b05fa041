"""Several files of a folder are replaced and removed together or not at all."""

import errno
import os
import stat
from pathlib import Path

import pytest

import pearljoin as pj
from pearljoin._atomic import atomic_files

OLD = {"gone": "old", "inner": "old", "kept": ""}
NEW = {"added": "new", "inner": "new", "kept": ""}


def write(folder: Path, contents: dict[str, str]) -> None:
    atomic_files(folder, {name: text.encode() for name, text in contents.items()})


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(folder.iterdir()) if path.is_file()}


def test_files_are_written_and_removed_together(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    atomic_files(folder, {"one": b"1", "two": b"2"})
    (folder / "one").chmod(0o640)
    (folder / "plain").touch()
    atomic_files(folder, {"one": b"new", "two": None, "none": None, "three": b"3"})
    assert contents(folder) == {"one": "new", "plain": "", "three": "3"}
    assert mode(folder / "one") == 0o640
    assert mode(folder / "three") == mode(folder / "plain")


def test_a_folder_in_the_place_of_a_file_stops_them_all(tmp_path: Path) -> None:
    (tmp_path / "two" / "inner").mkdir(parents=True)
    for new in (b"2", None):
        with pytest.raises(pj.InputError, match=r"The model cannot be written\. .*it is a folder"):
            atomic_files(tmp_path, {"one": b"1", "two": new}, what="model")
    assert [path.name for path in tmp_path.iterdir()] == ["two"]


@pytest.mark.parametrize("at", [1, 2, 3])
def test_interrupted_files_are_all_old(tmp_path: Path, monkeypatch, at: int) -> None:
    write(tmp_path, OLD)
    link = tmp_path / "link"
    link.symlink_to("inner")
    replace, calls = os.replace, []

    def interrupt(source, destination):
        calls.append(source)
        replace(source, destination)
        if len(calls) == at:
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        atomic_files(tmp_path, {"link": b"new", "added": b"new", "gone": None, "inner": b"new"})
    assert contents(tmp_path) == OLD | {"link": "old"}
    assert link.readlink() == Path("inner")


def test_old_files_that_cannot_be_put_back_are_named(tmp_path: Path, monkeypatch) -> None:
    write(tmp_path, OLD)
    replace, calls = os.replace, []

    def fail_from_the_second(source, destination):
        calls.append(source)
        if len(calls) == 2 or (len(calls) > 2 and Path(destination).name == "inner"):
            raise PermissionError(errno.EACCES, "Permission denied")
        replace(source, destination)

    monkeypatch.setattr(os, "replace", fail_from_the_second)
    with pytest.raises(
        pj.InputError, match=r"Got .*: 'inner' could not be put back; copies .*: '.*\.part'\. Hint"
    ):
        atomic_files(tmp_path, {"inner": b"new", "gone": None, "kept": b"new"})
    (part,) = tmp_path.glob(".pearljoin-*.part")
    assert (part / "inner.old").read_text() == "old"
    # What could be put back was.
    assert (tmp_path / "gone").read_text() == "old"
    assert (tmp_path / "kept").read_text() == ""


def test_new_files_stay_where_the_copies_cannot_be_removed(tmp_path: Path, monkeypatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("disk full")

    write(tmp_path, OLD)
    with monkeypatch.context() as patch:
        patch.setattr(os, "rmdir", full)
        atomic_files(tmp_path, {"added": b"new", "gone": None, "inner": b"new"})
    assert contents(tmp_path) == NEW
