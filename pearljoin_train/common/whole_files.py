"""Writing a file, several files or a folder whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from pearljoin._errors import InputError

__all__ = ["whole_folder", "write_files", "write_whole"]


def write_whole(path: Path, text: str) -> None:
    """Write a text in UTF-8 under another name and move it into place; makes the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = _partial(path)
    partial.write_text(text, encoding="utf-8")
    os.replace(partial, path)


def write_files(folder: Path, contents: Mapping[str, bytes | None]) -> None:
    """Write and remove several files of a folder: all of them, or none after an error.

    Parameters
    ----------
    folder
        Made if need be. Its other files stay.
    contents
        The new content by file name; None removes the file. Files are moved into place in this
        order, so the one that lists the others comes last.

    Raises
    ------
    InputError
        If a file cannot be written. The folder is then as it was.
    """
    paths = {folder / name: content for name, content in contents.items()}
    placed: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, content in paths.items():
            if content is not None:
                _partial(path).write_bytes(content)
            if path.exists():
                shutil.copy2(path, _previous(path))
        for path, content in paths.items():
            placed.append(path)
            if content is not None:
                os.replace(_partial(path), path)
            else:
                path.unlink(missing_ok=True)
    except BaseException as error:
        for path in placed:
            if _previous(path).exists():
                os.replace(_previous(path), path)
            else:
                path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(
                f"The files of {str(folder)!r} could not be written, and it is as it was. "
                f"Got {error}. Hint: look for free space and permissions there."
            ) from error
        raise
    finally:
        for path in paths:
            with suppress(OSError):
                _partial(path).unlink(missing_ok=True)
                _previous(path).unlink(missing_ok=True)


@contextmanager
def whole_folder(folder: Path, *, replace: bool = False) -> Iterator[Path]:
    """Give a path, not there yet, to make a folder at; it is moved to `folder` at the end.

    After an error nothing is left of it, and what was at `folder` stays as it was.

    Parameters
    ----------
    folder
        Where it goes. Parents are made.
    replace
        Take the place of a folder that is there; without it only an empty one is replaced.

    Raises
    ------
    InputError
        If the finished folder cannot be moved into place. The message says where it lies.
    """
    folder = folder.absolute()
    partial, previous = _partial(folder), _previous(folder)
    partial.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(partial, ignore_errors=True)
    if replace and previous.exists() and not folder.exists():
        # A process was killed between the two moves below.
        os.replace(previous, folder)
    try:
        yield partial
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    try:
        if replace and partial.is_dir() and folder.exists():
            _exchange(folder, partial, previous)
        else:
            os.replace(partial, folder)
    except OSError as error:
        raise InputError(
            f"{str(folder)!r} could not be put into place. Got {error}. Hint: move "
            f"{str(partial)!r}, which is whole, there yourself."
        ) from error


def _exchange(folder: Path, partial: Path, previous: Path) -> None:
    """Move `partial` to where `folder` is, which comes back if that fails."""
    shutil.rmtree(previous, ignore_errors=True)
    os.replace(folder, previous)
    try:
        os.replace(partial, folder)
    except OSError:
        os.replace(previous, folder)
        raise
    shutil.rmtree(previous, ignore_errors=True)


def _partial(path: Path) -> Path:
    return path.with_name(f".{path.name}.partial")


def _previous(path: Path) -> Path:
    return path.with_name(f".{path.name}.previous")
