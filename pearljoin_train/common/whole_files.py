"""Writing a file or a folder whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["whole_folder", "write_whole"]


def write_whole(path: Path, text: str) -> None:
    """Write a text in UTF-8 under another name and move it into place; makes the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = _partial(path)
    partial.write_text(text, encoding="utf-8")
    os.replace(partial, path)


@contextmanager
def whole_folder(folder: Path, *, replace: bool = False) -> Iterator[Path]:
    """Give another path, not there yet, to make a folder at; it is moved into place at the end.

    After an error nothing is left of it, unless it could not be moved: an OSError then says where
    it lies. What is at `folder` by then is no place for it, unless it is empty or to be replaced.
    """
    folder = folder.absolute()
    partial = _partial(folder)
    partial.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(partial, ignore_errors=True)
    try:
        yield partial
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    try:
        if replace and partial.is_dir() and folder.exists():
            shutil.rmtree(folder)
        os.replace(partial, folder)
    except OSError as error:
        raise OSError(
            f"{str(folder)!r} could not be put into place. Got {error}. Hint: move "
            f"{str(partial)!r}, which is whole, there yourself."
        ) from error


def _partial(path: Path) -> Path:
    return path.with_name(f".{path.name}.partial")
