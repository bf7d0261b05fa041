"""A file, several files or a folder appear whole or not at all."""

import errno
import os
import shutil
import stat
from pathlib import Path

import pytest
from failing_files import write_failing_at

import pearljoin as pj
from pearljoin._atomic import (
    atomic_file,
    atomic_files,
    atomic_folder,
    remove_unfinished,
    write_text,
)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_file_appears_when_all_went_well(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    with atomic_file(target) as temporary:
        assert temporary.parent == tmp_path
        temporary.write_text("new")
        assert not target.exists()
    assert names(tmp_path) == ["out.csv"]
    assert target.read_text() == "new"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_whatever_fails_leaves_the_old_file(error: type[BaseException], tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("old")

    def work() -> None:
        with atomic_file(target) as temporary:
            temporary.write_text("half")
            raise error("stop")

    with pytest.raises(error, match="stop"):
        work()
    assert names(tmp_path) == ["out.csv"]
    assert target.read_text() == "old"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_mode_is_that_of_the_old_file_or_of_any_new_one(tmp_path: Path) -> None:
    old, new, plain = tmp_path / "old.csv", tmp_path / "new.csv", tmp_path / "plain"
    old.touch()
    old.chmod(0o640)
    plain.touch()
    for target in (old, new):
        with atomic_file(target) as temporary:
            temporary.write_text("x")
    assert mode(old) == 0o640
    assert mode(new) == mode(plain)


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    link = tmp_path / "link.csv"
    link.symlink_to("real.csv")
    with atomic_file(link) as temporary:
        temporary.write_text("new")
    assert link.is_symlink()
    assert (tmp_path / "real.csv").read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="no /proc")
@pytest.mark.parametrize(
    ("path", "reason"),
    [("missing/out.csv", "No such file"), ("", "it is a folder"), ("/proc/out.csv", "")],
)
def test_what_cannot_be_written_is_an_error_before_the_work(
    path: str, reason: str, tmp_path: Path
) -> None:
    worked = False
    with (
        pytest.raises(pj.InputError, match=f"The output cannot be written. Got '.*': {reason}"),
        atomic_file(tmp_path / path, what="output"),
    ):
        worked = True
    assert not worked


# Failing at every operation in turn --------------------------------------------------------------


def write_file(target: Path, text: str) -> None:
    with atomic_file(target, parents=True) as temporary:
        temporary.write_text(text)


def write_folder(target: Path, text: str) -> None:
    with atomic_folder(target, replace=True) as temporary:
        (temporary / "inner").mkdir()
        (temporary / "inner" / "text").write_text(text)


OLD = {"gone": "old", "inner": "old", "kept": ""}
NEW = {"added": "new", "inner": "new", "kept": ""}


def write_files(target: Path, text: str) -> None:
    if text == "old":
        atomic_files(target, {name: content.encode() for name, content in OLD.items()})
    else:
        atomic_files(target, {"added": b"new", "gone": None, "inner": b"new", "kept": b""})


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


def read(target: Path) -> str:
    if (target / "inner").is_file():
        return {str(OLD): "old", str(NEW): "new"}.get(str(contents(target)), "mixed")
    return (target / "inner" / "text" if target.is_dir() else target).read_text()


@pytest.mark.parametrize("write", [write_file, write_files])
@pytest.mark.parametrize("depth", ["there", "new", "new parents"])
def test_whichever_operation_fails_nothing_is_lost_or_left(
    monkeypatch, tmp_path: Path, write, depth: str
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    target = place / "a" / "b" / "out" if depth == "new parents" else place / "out"
    failed = set()
    for n in range(1, 100):
        shutil.rmtree(place)
        place.mkdir()
        if depth == "there":
            write(target, "old")
        before = sorted(place.rglob("*"))
        message, operation = write_failing_at(monkeypatch, n, lambda: write(target, "new"))
        if message:
            assert sorted(place.rglob("*")) == before
            assert depth != "there" or read(target) == "old"
        else:
            assert read(target) == "new"
            assert list(place.rglob(".*")) == []
        if not operation:
            break
        failed.add(operation)
    assert n < 99
    assert {"open", "fsync"} < failed


def test_a_relative_path_means_the_same_place_throughout(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").mkdir()
    with atomic_folder(Path("out")), atomic_file("text"):
        os.chdir("other")
    assert names(tmp_path) == ["other", "out", "text"]
    assert names(tmp_path / "other") == []


def test_what_a_dead_process_left_is_not_read_and_can_be_removed(tmp_path: Path) -> None:
    (tmp_path / ".pearljoin-1.part").mkdir()
    (tmp_path / ".pearljoin-1.part" / "stale").touch()
    (tmp_path / ".pearljoin-2.part").touch()
    write_folder(tmp_path / "out", "new")
    atomic_files(tmp_path, {"file": b""})
    assert names(tmp_path / "out") == ["inner"]
    remove_unfinished(tmp_path)
    assert names(tmp_path) == ["file", "out"]
    remove_unfinished(tmp_path / "none")


def test_errors_of_other_files_are_not_taken_for_this_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing"), atomic_file(tmp_path / "out"):
        (tmp_path / "missing").read_text()
    with (
        pytest.raises(pj.InputError, match=r"Got '.*out': No such file"),
        atomic_folder(tmp_path / "out") as temporary,
    ):
        (temporary / "inner" / "text").write_text("x")

    def full(*, named: bool) -> None:
        with atomic_file(tmp_path / "out"):
            raise OSError(errno.ENOSPC if not named else errno.ENOTCONN, "no space or no network")

    with pytest.raises(pj.InputError, match="no space"):
        full(named=False)
    with pytest.raises(OSError, match="no network"):
        full(named=True)
    assert names(tmp_path) == []


def test_texts_are_written_whole(tmp_path: Path) -> None:
    write_text(tmp_path / "a" / "b.txt", "é")
    assert (tmp_path / "a" / "b.txt").read_text(encoding="utf-8") == "é"
    with pytest.raises(pj.InputError, match=r"The card cannot be written\. Got .*: it is a folder"):
        write_text(tmp_path / "a", "x", what="card")
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        write_text(tmp_path / "c.txt", "\ud800")
    assert names(tmp_path) == ["a"]


@pytest.mark.parametrize("write", [write_file, write_files, write_folder])
def test_content_is_on_the_disk_before_it_is_moved(monkeypatch, tmp_path: Path, write) -> None:
    done: list[str] = []
    fsync = os.fsync

    def flush(descriptor: int) -> None:
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        done.append("file flushed" if is_file else "folder flushed")
        fsync(descriptor)

    def recorded(move):
        def moved(*arguments, **keywords):
            done.append("moved")
            return move(*arguments, **keywords)

        return moved

    monkeypatch.setattr(os, "fsync", flush)
    for name in ("replace", "rename"):
        monkeypatch.setattr(os, name, recorded(getattr(os, name)))
    write(tmp_path / "out", "new")
    assert "file flushed" in done[: done.index("moved")]
