"""Write a folder whole or not at all.

The new folder is written into a scratch folder beside its place (`scratch`). Where the system can
exchange two folders, as Linux does, that is one step: a process may be killed at any time, and
there is the old or the new folder under the name. Elsewhere the old folder is put aside first;
between the two moves `find_folder` finds it there, and the next write moves it back.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from pearljoin._atomic.common import (
    HINT,
    as_path,
    explained,
    flush_entries,
    flush_tree,
    make_parents,
    remove,
    remove_parents,
)
from pearljoin._atomic.exchange import exchange
from pearljoin._atomic.scratch import Scratch, find_aside, holds_aside, sweep

__all__ = ["atomic_folder", "find_folder", "remove_unfinished"]

OCCUPIED = {errno.EEXIST, errno.ENOTEMPTY}
"""Error numbers of a move onto a folder that holds something (on Windows, onto any)."""


@contextlib.contextmanager
def atomic_folder(
    folder: str | os.PathLike[str],
    *,
    replace: bool = False,
    made: bool = True,
    keep: bool = False,
    what: str = "folder",
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

    Yields
    ------
    temporary
        A path beside `folder`.

    Raises
    ------
    InputError
        If it cannot be written, or there is something in its place.
    """
    target = as_path(folder, what).resolve()
    parents: list[Path] = []
    with contextlib.ExitStack() as cleaning:
        with explained(folder, what, HINT):
            sweep(target.parent)
            _check_place(target, replace)
            cleaning.callback(remove_parents, parents)
            make_parents(target, parents)
            scratch = Scratch(target.parent)
            cleaning.callback(scratch.remove)
            if made:
                scratch.new.mkdir()
        with explained(folder, what, HINT, within=scratch.new):
            yield scratch.new
        try:
            hint = HINT
            if keep:
                hint = f"move {str(scratch.new)!r}, which is whole, there yourself."
            with explained(folder, what, hint):
                flush_tree(scratch.new)
                _move_in(scratch, target, replace)
        except BaseException:
            if keep and scratch.new.is_dir():
                cleaning.pop_all()
                scratch.leave()
            raise
        flush_entries(target.parent)
        cleaning.pop_all()
        scratch.remove()


def find_folder(folder: str | os.PathLike[str]) -> Path:
    """Return where a folder is: at its path, or put aside while another takes its place."""
    path = as_path(folder, "folder")
    if os.path.lexists(path):
        return path
    return find_aside(path.resolve()) or path


def remove_unfinished(folder: str | os.PathLike[str]) -> None:
    """Remove what killed processes left unfinished in a folder.

    It must be a folder that nothing else writes to now: what is being written is removed too, and
    so are folders that `atomic_folder` kept because they could not be moved into place.
    """
    parent = Path(folder)
    sweep(parent)
    for path in parent.glob(".pearljoin-*.part"):
        if not holds_aside(path):
            remove(path)


def _check_place(target: Path, replace: bool) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise NotADirectoryError("there is a file of this name")
    if not replace and any(target.iterdir()):
        raise FileExistsError("there is a folder of this name, and it is not empty")


def _move_in(scratch: Scratch, target: Path, replace: bool) -> None:
    """Move the new folder into its place; the scratch folder takes what was there."""
    if not scratch.new.is_dir():
        raise NotADirectoryError("nothing was written")
    _check_place(target, replace)
    try:
        os.rename(scratch.new, target)
    except OSError as error:
        if error.errno not in OCCUPIED:
            raise
    else:
        return
    # It may have got content meanwhile.
    _check_place(target, replace)
    if exchange(scratch.new, target):
        return
    aside = scratch.put_aside(target)
    try:
        os.rename(scratch.new, target)
    except OSError:
        try:
            scratch.restore()
        except OSError as error:
            raise OSError(f"the old folder is at {str(aside)!r} now ({error.strerror})") from error
        raise
