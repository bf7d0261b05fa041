"""Write a file, several files or a folder whole or not at all.

What is new is written beside its place under a temporary name, flushed to the disk, and moved.
After any failure the old content is there unchanged, and nothing of the new. A process that is
killed may leave a temporary file or folder, which nothing reads.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pearljoin._errors import InputError

__all__ = ["atomic_file", "atomic_files", "atomic_folder", "remove_unfinished", "write_text"]

HINT = "choose a place that you may write to."

FULL = {None, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS}
"""Numbers of errors that name no file and come of writing; numpy's has none."""


@contextlib.contextmanager
def atomic_file(
    path: str | os.PathLike[str], *, what: str = "file", hint: str = HINT, parents: bool = False
) -> Iterator[Path]:
    """Give a temporary file to write to, which replaces `path` at the end.

    Whether `path` can be written is found out on entering. A new file has the mode of any new
    file, a replaced one keeps its own.

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
    target = Path(path).resolve()
    temporary = _beside(target)
    made: list[Path] = []
    with _cleaning(temporary, made):
        with _explained(path, what, hint):
            _check_file(target)
            if parents:
                _make_parents(target, made)
            temporary.touch(mode=0o600, exist_ok=False)
        with _explained(path, what, hint, within=temporary):
            yield temporary
        with _explained(path, what, hint):
            _flush(temporary)
            _set_mode(temporary, target)
            os.replace(temporary, target)
        _flush_entries(target.parent)


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
    hint: str = HINT,
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
    hint
        What an error advises.

    Raises
    ------
    InputError
        If a file cannot be written or removed. The folder is then as it was; where an old file
        cannot be put back, the message names the folder that holds its copy.
    """
    target = Path(folder).resolve()
    temporary = _beside(target / "file")
    made: list[Path] = []
    with _cleaning(temporary, made) as cleaning, _explained(folder, what, hint):
        _make_parents(temporary, made)
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
    _flush_entries(target)
    _remove(temporary, [])


def remove_unfinished(folder: str | os.PathLike[str]) -> None:
    """Remove what killed processes left unfinished in a folder.

    It must be a folder that nothing else writes to now: what is being written is removed too, and
    so are folders that `atomic_folder` kept because they could not be moved into place.
    """
    for path in Path(folder).glob(".pearljoin-*.part"):
        _remove(path, [])


@contextlib.contextmanager
def atomic_folder(
    folder: str | os.PathLike[str],
    *,
    replace: bool = False,
    made: bool = True,
    keep: bool = False,
    what: str = "folder",
    hint: str = HINT,
) -> Iterator[Path]:
    """Give a temporary folder to fill, which takes the place of `folder` at the end.

    Parameters
    ----------
    folder
        Where it goes: nothing, or an empty folder, or with `replace` any folder, which is removed
        once the new one is in its place. Missing folders above it are made.
    replace
        Whether a folder with content is replaced.
    made
        Whether the temporary folder exists already; else its path is for the caller to make.
    keep
        Whether a finished folder that cannot be moved into place is left where it is, as the error
        then says. For results of long work.
    what
        Name of it for errors.
    hint
        What an error advises.

    Yields
    ------
    temporary
        A path beside `folder`.

    Raises
    ------
    InputError
        If it cannot be written, or there is something in its place.
    """
    target = Path(folder).resolve()
    temporary = _beside(target)
    parents: list[Path] = []
    with _cleaning(temporary, parents) as cleaning:
        with _explained(folder, what, hint):
            if _previous(target).is_dir() and not target.exists():
                # A process was killed between the two moves of `_swap`.
                os.rename(_previous(target), target)
            _check_place(target, replace)
            _make_parents(target, parents)
            if made:
                temporary.mkdir()
        with _explained(folder, what, hint, within=temporary):
            yield temporary
        if keep:
            hint = f"move {str(temporary)!r}, which is whole, there yourself."
            cleaning.pop_all()
        with _explained(folder, what, hint):
            _check_place(target, replace)
            _flush_tree(temporary)
            _swap(temporary, target)
        _flush_entries(target.parent)


@contextlib.contextmanager
def _cleaning(temporary: Path, parents: list[Path]) -> Iterator[contextlib.ExitStack]:
    """Remove the temporary file or folder, and the folders made for it, after any failure."""
    with contextlib.ExitStack() as stack:
        stack.callback(_remove, temporary, parents)
        yield stack
        stack.pop_all()


def _remove(temporary: Path, parents: list[Path]) -> None:
    with contextlib.suppress(OSError):
        if temporary.is_dir():
            shutil.rmtree(temporary, ignore_errors=True)
        else:
            temporary.unlink()
    for parent in reversed(parents):
        with contextlib.suppress(OSError):
            parent.rmdir()


@contextlib.contextmanager
def _explained(
    path: str | os.PathLike[str], what: str, hint: str, *, within: Path | None = None
) -> Iterator[None]:
    """Turn an OSError into an InputError; `within` a path, those that concern it alone."""
    try:
        yield
    except OSError as error:
        if within is not None and not _concerns(error, within):
            raise
        raise InputError(
            f"The {what} cannot be written. Got {os.fspath(path)!r}: {error.strerror or error}. "
            f"Hint: {hint}"
        ) from error


def _concerns(error: OSError, place: Path) -> bool:
    if error.filename is None:
        return error.errno in FULL
    names = [os.fsdecode(name) for name in (error.filename, error.filename2) if name is not None]
    return any(Path(name).is_relative_to(place) for name in names)


def _beside(target: Path) -> Path:
    return target.parent / f".pearljoin-{secrets.token_hex(8)}.part"


def _make_parents(target: Path, made: list[Path]) -> None:
    for parent in reversed([folder for folder in target.parents if not folder.exists()]):
        made.append(parent)
        parent.mkdir(exist_ok=True)


def _check_file(target: Path) -> None:
    if target.is_dir():
        raise IsADirectoryError("it is a folder")
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
        _flush(new)
        _set_mode(new, path)
    if os.path.lexists(path):
        old = folder / f"{path.name}.old"
        shutil.copy2(path, old, follow_symlinks=False)
        if not old.is_symlink():
            _flush(old)
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


def _previous(target: Path) -> Path:
    """Where the old folder is while the new one takes its place."""
    return target.with_name(f".{target.name}.previous")


def _check_place(target: Path, replace: bool) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise NotADirectoryError("there is a file of this name")
    if not replace and any(target.iterdir()):
        raise FileExistsError("there is a folder of this name, and it is not empty")


def _swap(temporary: Path, target: Path) -> None:
    """Move a folder into place; the old one is moved back if that fails, else removed."""
    if not temporary.is_dir():
        raise NotADirectoryError("nothing was written")
    if not target.exists():
        os.rename(temporary, target)
        return
    old = _previous(target)
    try:
        shutil.rmtree(old, ignore_errors=True)
        os.rename(target, old)
        os.rename(temporary, target)
    finally:
        if target.exists():
            shutil.rmtree(old, ignore_errors=True)
        elif old.exists():
            _move_back(old, target)


def _move_back(old: Path, target: Path) -> None:
    try:
        os.rename(old, target)
    except OSError as error:
        raise OSError(f"the old folder is at {str(old)!r} now ({error.strerror})") from error


def _set_mode(temporary: Path, target: Path) -> None:
    """Set the mode of the file that is replaced, else that of any new file."""
    if target.exists():
        shutil.copymode(target, temporary)
        return
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)


def _flush(path: Path) -> None:
    """Wait until what was written is on the disk."""
    # Windows flushes only what is open for writing.
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _flush_tree(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            _flush(path)
        elif path.is_dir():
            _flush_entries(path)
    _flush_entries(folder)


def _flush_entries(folder: Path) -> None:
    """The same of a folder's list of names, where the system can: the move itself is done."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
