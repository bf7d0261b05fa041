"""What writing files and writing folders share: errors, missing parents, flushing to the disk."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from pearljoin._errors import InputError

__all__ = [
    "HINT",
    "as_path",
    "explained",
    "flush",
    "flush_entries",
    "flush_tree",
    "make_parents",
    "new_name",
    "remove",
    "remove_parents",
]

HINT = "choose a place that you may write to."

FULL = {None, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS}
"""Numbers of errors that name no file and come of writing; numpy's has none."""


def as_path(path: object, what: str) -> Path:
    """Return a path that a user gave.

    Parameters
    ----------
    path
        Text, or an object of `pathlib`.
    what
        Name for errors of what is there.

    Raises
    ------
    InputError
        If it is neither, or no file can have the name.
    """
    if isinstance(path, str | os.PathLike):
        with contextlib.suppress(TypeError, UnicodeEncodeError):
            found = Path(path)
            if b"\0" not in os.fsencode(found):
                return found
    raise InputError(
        f"The {what} has no usable path. Got {path!r}. Hint: give the path as text or as a "
        "pathlib.Path, without null characters."
    )


@contextlib.contextmanager
def explained(
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


def new_name(kind: str = "") -> str:
    """Return a name for what is being written, which no other process takes."""
    return f".pearljoin-{kind}{secrets.token_hex(8)}.part"


def make_parents(target: Path, made: list[Path]) -> None:
    """Make the missing folders above a path; those that are made are appended to `made`."""
    for parent in reversed([folder for folder in target.parents if not folder.exists()]):
        made.append(parent)
        parent.mkdir(exist_ok=True)


def remove_parents(made: list[Path]) -> None:
    """Remove the folders that `make_parents` made, where they are empty."""
    for parent in reversed(made):
        with contextlib.suppress(OSError):
            parent.rmdir()


def remove(path: Path) -> None:
    """Remove a file or a folder, as far as possible."""
    with contextlib.suppress(OSError):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()


def flush(path: Path) -> None:
    """Wait until what was written to a file is on the disk."""
    # Windows flushes only what is open for writing.
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def flush_tree(folder: Path) -> None:
    """Wait until a folder and all that is in it are on the disk."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            flush(path)
        elif path.is_dir():
            flush_entries(path)
    flush_entries(folder)


def flush_entries(folder: Path) -> None:
    """Wait until a folder's list of names is on the disk, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
