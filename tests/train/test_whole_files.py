"""A file or a folder is there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from failing_files import fail_operation

from pearljoin import InputError
from pearljoin_train.common import whole_files
from pearljoin_train.common.whole_files import whole_folder, write_files, write_whole


def make(folder: Path, text: str = "new", **options: bool) -> None:
    with whole_folder(folder, **options) as partial:
        assert not partial.exists()
        partial.mkdir()
        (partial / "text").write_text(text)


def test_a_text_and_its_folder_are_made(tmp_path: Path) -> None:
    write_whole(tmp_path / "a" / "b.txt", "é")
    assert (tmp_path / "a" / "b.txt").read_text(encoding="utf-8") == "é"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.txt"]


def test_a_folder_and_its_parents_are_made(tmp_path: Path) -> None:
    make(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b" / "text").read_text() == "new"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b"]


def test_what_a_dead_process_left_is_gone(tmp_path: Path) -> None:
    (tmp_path / ".b.partial").mkdir()
    (tmp_path / ".b.partial" / "stale").touch()
    make(tmp_path / "b")
    assert [path.name for path in (tmp_path / "b").iterdir()] == ["text"]


@pytest.mark.parametrize("replace", [False, True])
def test_after_an_error_all_is_as_it_was(tmp_path: Path, replace: bool) -> None:
    make(tmp_path / "b", "old")

    def interrupted() -> None:
        with whole_folder(tmp_path / "b", replace=replace) as partial:
            partial.mkdir()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert [path.name for path in tmp_path.iterdir()] == ["b"]
    assert (tmp_path / "b" / "text").read_text() == "old"


def test_only_what_is_to_be_replaced_is(tmp_path: Path) -> None:
    make(tmp_path / "b", "old")
    make(tmp_path / "b", "new", replace=True)
    assert (tmp_path / "b" / "text").read_text() == "new"
    with pytest.raises(
        InputError, match=r"could not be put into place.*\.b\.partial', which is whole"
    ):
        make(tmp_path / "b", "newer")
    assert (tmp_path / "b" / "text").read_text() == "new"
    # Hours may have gone into it.
    assert (tmp_path / ".b.partial" / "text").read_text() == "newer"


def test_a_relative_path_means_the_same_folder_throughout(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").mkdir()
    with whole_folder(Path("b")) as partial:
        partial.mkdir()
        os.chdir("other")
    assert (tmp_path / "b").is_dir()
    assert not list((tmp_path / "other").iterdir())


def test_nothing_made_replaces_nothing(tmp_path: Path) -> None:
    make(tmp_path / "b", "old")
    found = pytest.raises(InputError, match="put into place")
    with found, whole_folder(tmp_path / "b", replace=True):
        pass
    assert (tmp_path / "b" / "text").read_text() == "old"


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


def test_files_are_written_and_removed_together(tmp_path: Path) -> None:
    write_files(tmp_path / "a", {"one": b"1", "two": b"2"})
    write_files(tmp_path / "a", {"one": b"new", "two": None, "none": None, "three": b"3"})
    assert contents(tmp_path / "a") == {"one": "new", "three": "3"}


def test_wherever_writing_fails_the_files_are_all_old_or_all_new(tmp_path, monkeypatch) -> None:
    old = {"config": "old", "gone": "old", "kept": "old"}
    change = {"added": b"new", "gone": None, "config": b"new"}
    # Two new contents, two copies of what was there, two moves and a removal.
    for at in range(7):
        folder = tmp_path / str(at)
        folder.mkdir()
        for name, text in old.items():
            (folder / name).write_text(text)
        with monkeypatch.context() as patch:
            fail_operation(patch, at)
            with pytest.raises(InputError, match=r"it is as it was. Got disk full. Hint: look for"):
                write_files(folder, change)
        assert contents(folder) == old
    # From here on what fails is the removal of the copies.
    with monkeypatch.context() as patch:
        fail_operation(patch, 7)
        write_files(folder, change)
    found = {name: text for name, text in contents(folder).items() if name[0] != "."}
    assert found == {"added": "new", "config": "new", "kept": "old"}


def test_a_folder_whose_last_move_fails_leaves_the_old_one(tmp_path: Path, monkeypatch) -> None:
    make(tmp_path / "b", "old")
    original = os.replace

    def replace(source: Path, target: Path) -> None:
        if source.name.endswith(".partial"):
            raise OSError("no permission")
        original(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(whole_files.os, "replace", replace)
        with pytest.raises(InputError, match=r"Got no permission\. Hint: move .*\.b\.partial"):
            make(tmp_path / "b", "new", replace=True)
    assert contents(tmp_path / "b") == {"text": "old"}
    assert contents(tmp_path / ".b.partial") == {"text": "new"}


def test_a_folder_lost_between_two_moves_comes_back(tmp_path: Path) -> None:
    make(tmp_path / ".b.previous", "old")
    with pytest.raises(KeyboardInterrupt), whole_folder(tmp_path / "b", replace=True):
        raise KeyboardInterrupt
    assert contents(tmp_path / "b") == {"text": "old"}
