"""Write a file, or several files of a folder, whole or not at all.

A process that is killed may leave a temporary file or folder, which nothing reads.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pearljoin._atomic.common import (
    HINT,
    as_path,
    explained,
    flush,
    flush_entries,
    make_parents,
    new_name,
    remove,
    remove_parents,
)

__all__ = ["atomic_file", "atomic_files", "write_text"]


@contextlib.contextmanager
def atomic_file(
    path: str | os.PathLike[str], *, what: str = "file", hint: str = HINT, parents: bool = False
) -> Iterator[Path]:
    """Give a temporary file to write to, which replaces `path` at the end.

    Whether `path` can be written is found out on entering. A new file has the mode of any new
    file, a replaced one keeps its own. A pipe or a terminal is not replaced: what was written goes
    through it at the end.

    Parameters
    ----------
    path
        Where the file goes. A symbolic link is followed.
    what
        Name of it for errors.
    hint
        What an error advises.
    parents
        Whether to make the folders above that are missing.

    Yields
    ------
    temporary
        An empty file in the same folder.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    target = as_path(path, what).resolve()
    with explained(path, what, hint):
        is_stream = _is_stream(target)
    if is_stream:
        with explained(path, what, hint), tempfile.TemporaryDirectory() as folder:
            temporary = Path(folder) / target.name
            temporary.touch(mode=0o600)
            yield temporary
            with temporary.open("rb") as written, target.open("wb") as stream:
                shutil.copyfileobj(written, stream)
        return
    temporary = target.parent / new_name()
    made: list[Path] = []
    with _cleaning(temporary, made):
        with explained(path, what, hint):
            _check_file(target)
            if parents:
                make_parents(target, made)
            temporary.touch(mode=0o600, exist_ok=False)
        with explained(path, what, hint, within=temporary):
            yield temporary
        with explained(path, what, hint):
            flush(temporary)
            _set_mode(temporary, target)
            os.replace(temporary, target)
        flush_entries(target.parent)


def write_text(
    path: str | os.PathLike[str], text: str, *, what: str = "file", hint: str = HINT
) -> None:
    """Write a text in UTF-8, whole or not at all; missing folders are made.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    with atomic_file(path, what=what, hint=hint, parents=True) as temporary:
        temporary.write_text(text, encoding="utf-8")


def atomic_files(
    folder: str | os.PathLike[str],
    contents: Mapping[str, bytes | None],
    *,
    what: str = "folder",
) -> None:
    """Write and remove several files of a folder: all of them, or none after a failure.

    A process that is killed between two moves leaves some files new and some old, and copies of
    all the old ones in a temporary folder beside them.

    Parameters
    ----------
    folder
        Made if need be, with the folders above it. Its other files stay.
    contents
        New content by file name; None removes the file. Files are moved into place in this
        order, so the one that lists the others comes last.
    what
        Name of the folder for errors.

    Raises
    ------
    InputError
        If a file cannot be written or removed. The folder is then as it was; where an old file
        cannot be put back, the message names the folder that holds its copy.
    """
    target = as_path(folder, what).resolve()
    temporary = target / new_name()
    made: list[Path] = []
    with _cleaning(temporary, made) as cleaning, explained(folder, what, HINT):
        make_parents(temporary, made)
        temporary.mkdir()
        changes = [_stage(target / name, new, temporary) for name, new in contents.items()]
        begun: list[_Change] = []
        try:
            for change in changes:
                begun.append(change)
                if change.new is not None:
                    os.replace(change.new, change.path)
                else:
                    change.path.unlink(missing_ok=True)
        except BaseException:
            # The copies stay until all old files are back.
            cleaning_later = cleaning.pop_all()
            _put_back(begun, temporary)
            cleaning_later.close()
            raise
    flush_entries(target)
    remove(temporary)


@contextlib.contextmanager
def _cleaning(temporary: Path, parents: list[Path]) -> Iterator[contextlib.ExitStack]:
    """Remove the temporary file or folder, and the folders made for it, after any failure."""
    with contextlib.ExitStack() as stack:
        stack.callback(remove_parents, parents)
        stack.callback(remove, temporary)
        yield stack
        stack.pop_all()


def _is_stream(target: Path) -> bool:
    """Whether a path is a pipe or a device such as a terminal, which must not be replaced."""
    return target.is_fifo() or target.is_char_device()


def _check_file(target: Path) -> None:
    if target.is_dir():
        raise IsADirectoryError("it is a folder")
    if target.exists() and not target.is_file():
        raise OSError("it is no file")
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError("it is read-only")


class _Change(NamedTuple):
    """A file to replace or remove, with the new content and a copy of the old, if any."""

    path: Path
    new: Path | None
    old: Path | None


def _stage(path: Path, content: bytes | None, folder: Path) -> _Change:
    """Write the new content of a file and a copy of the old one to `folder`."""
    _check_file(path)
    new = old = None
    if content is not None:
        new = folder / f"{path.name}.new"
        new.touch(mode=0o600)
        new.write_bytes(content)
        flush(new)
        _set_mode(new, path)
    if os.path.lexists(path):
        old = folder / f"{path.name}.old"
        shutil.copy2(path, old, follow_symlinks=False)
        if not old.is_symlink():
            flush(old)
    return _Change(path, new, old)


def _put_back(changes: Sequence[_Change], copies: Path) -> None:
    """Restore the old file of each change, or that there was none."""
    lost = []
    for path, _, old in changes:
        try:
            if old is not None:
                os.replace(old, path)
            else:
                path.unlink(missing_ok=True)
        except OSError:
            lost.append(path)
    if lost:
        names = ", ".join(repr(path.name) for path in lost)
        raise OSError(f"{names} could not be put back; copies of the old files: {str(copies)!r}")


def _set_mode(temporary: Path, target: Path) -> None:
    """Set the mode of the file that is replaced, else that of any new file."""
    if target.exists():
        shutil.copymode(target, temporary)
        return
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)
