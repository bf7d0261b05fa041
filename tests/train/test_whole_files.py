"""A file or a folder is there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pearljoin_train.common.whole_files import whole_folder, write_whole


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
        OSError, match=r"could not be put into place.*\.b\.partial', which is whole"
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
    with pytest.raises(OSError, match="put into place"), whole_folder(tmp_path / "b", replace=True):
        pass
    assert (tmp_path / "b" / "text").read_text() == "old"
