"""A result that appears whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from pearljoin._errors import InputError

__all__ = ["replacing"]


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary file to write to, which takes the place of `path` when all went well.

    It stands in the same folder, so that the last step is a rename; whatever interrupts the work,
    `path` is as it was before or whole. That it can be written is found out on entering.

    Parameters
    ----------
    path
        Where the result goes. A symbolic link is followed.

    Yields
    ------
    temporary
        An empty file.

    Raises
    ------
    InputError
        If `path` cannot be written.
    """
    target = path.resolve()
    # Named before it is there, so that an interruption at any moment finds what to remove.
    temporary = target.parent / f".pearljoin-{secrets.token_hex(8)}.part"
    try:
        _make(temporary, target, path)
        yield temporary
        _set_mode(temporary, target)
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _make(temporary: Path, target: Path, path: Path) -> None:
    """Make the empty file; raises InputError where there can be none."""
    try:
        if target.is_dir():
            raise IsADirectoryError("it is a folder")
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError("it is read-only")
        temporary.touch(mode=0o600, exist_ok=False)
    except OSError as error:
        raise InputError(
            f"The output cannot be written. Got {str(path)!r}: {error.strerror or error}. "
            "Hint: give --out a file in a folder that exists and that you may write to."
        ) from error


def _set_mode(temporary: Path, target: Path) -> None:
    """Give it the mode of the file it replaces, else that of any new file; its own is private."""
    if target.exists():
        shutil.copymode(target, temporary)
        return
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)
