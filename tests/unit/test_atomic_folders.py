"""A folder appears whole or not at all, whatever fails and whenever its process is killed."""

import errno
import os
import shutil
import threading
from pathlib import Path

import pytest
from failing_files import FOLDER_OPERATIONS, KilledAt, KilledError, write_failing_at

import pearljoin as pj
from pearljoin._atomic import atomic_folder, find_folder, folders, remove_unfinished, scratch
from pearljoin._atomic.exchange import exchange


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def write(target: Path, text: str) -> None:
    with atomic_folder(target, replace=True) as temporary:
        (temporary / "inner").mkdir()
        (temporary / "inner" / "text").write_text(text)
        (temporary / "other").write_text(text)


def read(target: Path) -> str:
    texts = {(target / name).read_text() for name in ("inner/text", "other")}
    assert names(target) == ["inner", "other"]
    assert len(texts) == 1
    return texts.pop()


def rename_failing_to(target: Path):
    """os.rename, but for a move to one place."""
    rename = os.rename

    def run(source, destination):
        if destination == target:
            raise PermissionError(errno.EACCES, "Permission denied")
        rename(source, destination)

    return run


@pytest.fixture(params=["exchanged", "put aside"])
def is_exchanged(request, monkeypatch) -> bool:
    """On a system that can exchange folders, and on one that cannot."""
    if request.param == "put aside":
        monkeypatch.setattr(folders, "exchange", lambda *_: False)
    return request.param == "exchanged"


@pytest.fixture
def cannot_exchange(monkeypatch) -> None:
    monkeypatch.setattr(folders, "exchange", lambda *_: False)


def test_folders_are_exchanged(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"of {name}").touch()
    if exchange(tmp_path / "a", tmp_path / "b"):
        assert (names(tmp_path / "a"), names(tmp_path / "b")) == (["of b"], ["of a"])
        with pytest.raises(FileNotFoundError, match=r"No such file .* -> .*none'"):
            exchange(tmp_path / "a", tmp_path / "none")
    else:
        assert (names(tmp_path / "a"), names(tmp_path / "b")) == (["of a"], ["of b"])


# Failing, and killed, at every operation in turn --------------------------------------------------


@pytest.mark.parametrize("depth", ["there", "empty", "new", "new parents"])
def test_whichever_operation_fails_nothing_is_lost(
    monkeypatch, tmp_path: Path, is_exchanged: bool, depth: str
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
        elif depth == "empty":
            target.mkdir()
        before = sorted(place.rglob("*"))
        message, operation = write_failing_at(
            monkeypatch, n, lambda: write(target, "new"), FOLDER_OPERATIONS
        )
        if message:
            assert depth != "there" or read(target) == "old"
        else:
            assert read(target) == "new"
        # Where what failed was cleaning up, the next write does it.
        if not message and operation in ("unlink", "rmdir", "close"):
            write(target, "new")
        assert list(place.rglob(".*")) == []
        assert not message or sorted(place.rglob("*")) == before
        if not operation:
            break
        failed.add(operation)
    assert n < 99
    assert {"open", "fsync", "mkdir", "rename", "unlink", "rmdir"} < failed
    assert ("exchange" in failed) == (depth == "there")


@pytest.mark.parametrize("there", [True, False])
def test_whenever_its_process_is_killed_the_folder_is_whole(
    monkeypatch, tmp_path: Path, is_exchanged: bool, there: bool
) -> None:
    place, target = tmp_path / "place", tmp_path / "place" / "out"
    place.mkdir()
    seen, between = set(), 0
    for n in range(1, 200):
        shutil.rmtree(place)
        (place / ".out.previous").mkdir(parents=True)
        (place / ".pearljoin-mine.part").mkdir()
        (place / ".pearljoin-folder-mine.part").mkdir()
        for folder in place.iterdir():
            (folder / "mine").touch()
        ours = sorted(place.rglob("*"))
        if there:
            write(target, "old")
        with monkeypatch.context() as patched:
            kill = KilledAt(patched, n)
            try:
                write(target, "new")
            except KilledError:
                assert kill.killed
        if there or target.exists():
            between += not target.exists()
            seen.add(read(find_folder(target)))
        else:
            assert find_folder(target) == target
        write(target, "newer")
        assert read(target) == "newer"
        shutil.rmtree(target)
        assert sorted(place.rglob("*")) == ours
        if not kill.killed:
            break
    assert n < 199
    assert seen == ({"old", "new"} if there else {"new"})
    # The name is missing between the two moves alone.
    assert between == (0 if is_exchanged or not there else 1)


def test_a_process_killed_between_two_moves_is_made_good_by_a_write_that_fails(
    monkeypatch, tmp_path: Path, cannot_exchange: None
) -> None:
    target = tmp_path / "out"
    leave_between_moves(monkeypatch, target)
    assert not target.exists()
    assert read(find_folder(target)) == "old"
    with pytest.raises(KeyboardInterrupt), atomic_folder(target, replace=True):
        raise KeyboardInterrupt
    assert names(tmp_path) == ["out"]
    assert read(target) == "old"


def leave_between_moves(monkeypatch, target: Path) -> None:
    """Write "old", and leave what a process leaves that is killed between two moves to "new"."""
    for n in range(1, 100):
        write(target, "old")
        with monkeypatch.context() as patched:
            KilledAt(patched, n)
            with pytest.raises(KilledError):
                write(target, "new")
        if not target.exists():
            return
    raise AssertionError


def test_what_killed_processes_left_can_be_removed(
    monkeypatch, tmp_path: Path, cannot_exchange: None
) -> None:
    target = tmp_path / "out"
    leave_between_moves(monkeypatch, target)
    (tmp_path / ".pearljoin-1.part").mkdir()
    remove_unfinished(tmp_path)
    assert names(tmp_path) == ["out"]
    assert read(target) == "old"


def test_the_strays_of_other_names_are_swept_too(monkeypatch, tmp_path: Path) -> None:
    with monkeypatch.context() as patched:
        KilledAt(patched, 6)
        with pytest.raises(KilledError):
            write(tmp_path / "one", "new")
    assert len(names(tmp_path)) == 1
    write(tmp_path / "two", "new")
    assert names(tmp_path) == ["two"]


def test_what_a_living_process_writes_is_not_swept(tmp_path: Path, is_exchanged: bool) -> None:
    target = tmp_path / "out"
    with atomic_folder(target, replace=True) as first:
        (first / "text").write_text("first")
        write(target, "second")
        assert (first / "text").read_text() == "first"
        assert read(target) == "second"
    assert names(tmp_path) == ["out"]
    assert (target / "text").read_text() == "first"


def test_a_scratch_folder_that_is_swept_before_it_is_locked_is_made_again(
    monkeypatch, tmp_path: Path
) -> None:
    claims = []

    def sweep_first(path, *arguments, **named):
        if path.name == scratch.LOCK and len(claims) < 3:
            claims.append(path)
            scratch.sweep(tmp_path)
        return opened(path, *arguments, **named)

    opened = Path.open
    monkeypatch.setattr(Path, "open", sweep_first)
    write(tmp_path / "out", "new")
    assert len({path.parent for path in claims}) == 3
    assert names(tmp_path) == ["out"]


def test_where_files_cannot_be_locked_nothing_is_swept(monkeypatch, tmp_path: Path) -> None:
    def cannot(_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    with monkeypatch.context() as patched:
        KilledAt(patched, 6)
        with pytest.raises(KilledError):
            write(tmp_path / "out", "new")
    (stray,) = names(tmp_path)
    monkeypatch.setattr(scratch, "_lock", cannot)
    write(tmp_path / "out", "new")
    assert names(tmp_path) == [stray, "out"]
    assert read(tmp_path / "out") == "new"


def test_a_link_is_no_scratch_folder(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    (mine / "new").mkdir(parents=True)
    (mine / scratch.LOCK).touch()
    (tmp_path / ".pearljoin-folder-0.part").symlink_to("mine")
    write(tmp_path / "out", "new")
    assert names(mine) == ["new", scratch.LOCK]


@pytest.mark.parametrize("n_writers", [1, 2])
def test_a_reader_finds_the_folder_whole_while_others_write(
    tmp_path: Path, is_exchanged: bool, n_writers: int
) -> None:
    target, done, missing = tmp_path / "out", threading.Event(), []
    write(target, "0")

    def write_often() -> None:
        for n in range(40):
            try:
                write(target, str(n))
            except pj.InputError:
                # Two that put the folder aside at a time: one of them has written.
                assert n_writers == 2 and not is_exchanged  # noqa: PT018

    def look() -> None:
        while not done.is_set():
            if not find_folder(target).exists():
                missing.append(1)

    writers = [threading.Thread(target=write_often) for _ in range(n_writers)]
    reader = threading.Thread(target=look)
    for thread in (*writers, reader):
        thread.start()
    for writer in writers:
        writer.join()
    done.set()
    reader.join()
    if is_exchanged:
        assert missing == []
    assert int(read(target)) in range(40)
    assert names(tmp_path) == ["out"]


# Where the folder goes, and what stays ------------------------------------------------------------


def test_an_old_folder_that_cannot_be_moved_back_is_named_and_found(
    monkeypatch, tmp_path: Path, cannot_exchange: None
) -> None:
    target = tmp_path / "out"
    write(target, "old")
    message = r"the old folder is at '(.*part.old.out)' now"
    with monkeypatch.context() as patched:
        # Occupied at first, so that the old folder is put aside.
        patched.setattr(os, "rename", rename_failing_to(target))
        patched.setattr(folders, "OCCUPIED", {errno.EACCES})
        with pytest.raises(pj.InputError, match=message) as raised:
            write(target, "new")
    (scratch_folder,) = names(tmp_path)
    old = tmp_path / scratch_folder / "old" / "out"
    assert str(old) in str(raised.value)
    assert find_folder(target) == old
    assert read(old) == "old"
    write(target, "newer")
    assert names(tmp_path) == ["out"]
    assert read(target) == "newer"


@pytest.mark.parametrize("error", [ValueError("stop"), KeyboardInterrupt("stop")])
def test_a_folder_whose_making_fails_is_as_before(tmp_path: Path, error) -> None:
    target = tmp_path / "out"
    write(target, "old")

    def work() -> None:
        with atomic_folder(target, replace=True) as temporary:
            (temporary / "half").write_text("half")
            raise error

    with pytest.raises(type(error), match="stop"):
        work()
    assert names(tmp_path) == ["out"]
    assert read(target) == "old"


def test_a_folder_with_content_is_replaced_only_where_asked(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write(target, "old")
    with pytest.raises(pj.InputError, match=r"Got '.*out': there is a folder .* not empty"):
        atomic_folder(target).__enter__()
    (tmp_path / "file").touch()
    with pytest.raises(pj.InputError, match=r"Got '.*file': there is a file of this name"):
        atomic_folder(tmp_path / "file", replace=True).__enter__()
    (tmp_path / "empty").mkdir()
    with atomic_folder(tmp_path / "empty") as temporary:
        (temporary / "a").touch()
    assert names(tmp_path) == ["empty", "file", "out"]
    assert names(tmp_path / "empty") == ["a"]


def test_a_folder_that_comes_into_being_meanwhile_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "out"

    def work(**options) -> None:
        with atomic_folder(target, **options) as temporary:
            (temporary / "mine").touch()
            target.mkdir()
            (target / "theirs").touch()

    with pytest.raises(pj.InputError, match=r"it is not empty\. Hint: choose"):
        work()
    assert names(tmp_path) == ["out"]
    assert names(target) == ["theirs"]
    shutil.rmtree(target)
    with pytest.raises(pj.InputError, match=r"Hint: move '(.*part.new)', which is whole") as raised:
        work(keep=True)
    (part,) = set(names(tmp_path)) - {"out"}
    assert f"{part}{os.sep}new" in str(raised.value)
    # Other writes leave it.
    write(tmp_path / "out", "new")
    assert names(tmp_path / part / "new") == ["mine"]
    # Once it is moved away nothing is left of it.
    (tmp_path / part / "new").rename(tmp_path / "moved")
    write(tmp_path / "out", "new")
    assert names(tmp_path) == ["moved", "out"]


def test_a_folder_that_the_caller_makes(tmp_path: Path) -> None:
    with atomic_folder(tmp_path / "out", made=False) as temporary:
        assert not temporary.exists()
        temporary.mkdir()
    assert names(tmp_path) == ["out"]
    with (
        pytest.raises(pj.InputError, match="nothing was written"),
        atomic_folder(tmp_path / "none", made=False),
    ):
        pass
    assert names(tmp_path) == ["out"]


def test_a_folder_stays_that_long_work_did_not_move_into_place(tmp_path: Path, monkeypatch) -> None:
    target = tmp_path / "out"
    write(target, "old")

    def work() -> None:
        with atomic_folder(target, replace=True, made=False, keep=True) as temporary:
            temporary.mkdir()
            (temporary / "text").write_text("new")

    monkeypatch.setattr(os, "rename", rename_failing_to(target))
    message = r"Permission denied\. Hint: move '.*part.new', which is whole"
    with pytest.raises(pj.InputError, match=message):
        work()
    (part,) = set(names(tmp_path)) - {"out"}
    assert read(target) == "old"
    assert (tmp_path / part / "new" / "text").read_text() == "new"


def test_nothing_made_replaces_nothing(tmp_path: Path) -> None:
    write(tmp_path / "out", "old")
    with (
        pytest.raises(pj.InputError, match="nothing was written"),
        atomic_folder(tmp_path / "out", replace=True, made=False, keep=True),
    ):
        pass
    assert names(tmp_path) == ["out"]
    assert read(tmp_path / "out") == "old"
