"""Scratch folders: where a new folder is written, and where the old one is put aside.

A scratch folder stands beside the folder that it is for, so that moves stay in one file system:

    .pearljoin-folder-<random>.part/
        pearljoin.lock   locked while its process lives
        new/             what is being written; after an exchange, what was there before
        old/<name>       the folder `<name>` put aside, where the system cannot exchange folders
        kept             where `new` is left to the user

A process that is killed leaves its scratch folder behind, unlocked; the next one that writes beside
it removes it. No other folder is taken for one: its name is random, and it holds the lock's file.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from pathlib import Path
from typing import IO

from pearljoin._atomic.common import new_name

__all__ = ["Scratch", "find_aside", "holds_aside", "sweep"]

KIND = "folder-"
NAMES = f".pearljoin-{KIND}*.part"
LOCK, NEW, OLD, KEPT = "pearljoin.lock", "new", "old", "kept"

MOST_TRIES = 100
"""Of making a scratch folder, which another process may sweep before it is locked."""


class Scratch:
    """A scratch folder that this process has made and locked.

    Parameters
    ----------
    parent
        Where it is made.

    Raises
    ------
    OSError
        If it cannot be made.
    """

    def __init__(self, parent: Path) -> None:
        self.path, self._lock = _claim(parent)
        self.new = self.path / NEW

    def put_aside(self, folder: Path) -> Path:
        """Move a folder into the scratch folder; returns where it is then."""
        place = self.path / OLD / folder.name
        place.parent.mkdir()
        os.rename(folder, place)
        return place

    def restore(self) -> None:
        """Move what was put aside back, where there is nothing in its place."""
        _restore(self.path)

    def remove(self) -> None:
        """Remove the scratch folder; a folder that cannot be moved back stays there."""
        with self._lock, contextlib.suppress(OSError):
            _remove(self.path, self._lock)

    def leave(self) -> None:
        """Leave the new folder to the user: no process sweeps it."""
        with self._lock, contextlib.suppress(OSError):
            (self.path / KEPT).touch()


def find_aside(folder: Path) -> Path | None:
    """Return where a folder was last put aside, by any process; None where it was not."""
    found = []
    for path in folder.parent.glob(NAMES):
        place = path / OLD / folder.name
        with contextlib.suppress(OSError):
            if (path / LOCK).is_file() and place.is_dir():
                found.append((place.stat().st_ctime_ns, place))
    return max(found)[1] if found else None


def holds_aside(path: Path) -> bool:
    """Whether a folder is a scratch folder in which a folder is put aside."""
    place = path / OLD
    return path.match(NAMES) and place.is_dir() and any(place.iterdir())


def sweep(parent: Path) -> None:
    """Remove the scratch folders of dead processes; what they put aside is moved back."""
    for path in parent.glob(NAMES):
        with contextlib.suppress(OSError):
            if path.is_symlink():
                continue
            if not (path / LOCK).is_file():
                # Its process was killed before the first step or the last; not ours if not empty.
                path.rmdir()
                continue
            with (path / LOCK).open("r+b") as lock:
                if _is_locked_by(lock, path / LOCK, surely=True):
                    _remove(path, lock)


def _claim(parent: Path) -> tuple[Path, IO[bytes]]:
    """Make a scratch folder and lock it."""
    tries = 0
    while True:
        tries += 1
        path = parent / new_name(KIND)
        path.mkdir()
        try:
            lock = (path / LOCK).open("xb")
        except OSError as error:
            if isinstance(error, FileNotFoundError) and tries < MOST_TRIES:
                continue
            with contextlib.suppress(OSError):
                path.rmdir()
            raise
        if _is_locked_by(lock, path / LOCK, surely=False):
            return path, lock
        lock.close()


def _is_locked_by(lock: IO[bytes], path: Path, *, surely: bool) -> bool:
    """Lock a file, unless another process has, and tell whether it still is at its path.

    Where files cannot be locked, `surely` says what holds: no scratch folder is swept there.
    """
    try:
        _lock(lock)
    except BlockingIOError:
        return False
    except OSError:
        return not surely
    try:
        return os.path.samestat(os.fstat(lock.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _lock(file: IO[bytes]) -> None:
    """Lock a file until it is closed; raises BlockingIOError where another process has."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError from error
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _restore(path: Path) -> None:
    olds = list((path / OLD).iterdir()) if (path / OLD).is_dir() else []
    for old in olds:
        target = path.parent / old.name
        if not os.path.lexists(target):
            os.rename(old, target)


def _remove(path: Path, lock: IO[bytes]) -> None:
    """Remove a locked scratch folder, its lock last: what is left of it can be swept."""
    _restore(path)
    if (path / KEPT).exists() and (path / NEW).exists():
        return
    for name in (NEW, OLD):
        if (path / name).exists():
            shutil.rmtree(path / name)
    # Windows removes no open file.
    lock.close()
    (path / KEPT).unlink(missing_ok=True)
    (path / LOCK).unlink()
    path.rmdir()
