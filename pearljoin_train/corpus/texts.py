"""Reading the texts: plain or gzipped files of paragraphs, and bracketed parses, zipped or not."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from pearljoin._errors import InputError
from pearljoin_train.corpus.trees import bracketed

__all__ = ["LAYOUTS", "paragraphs", "trees"]

LAYOUTS = ("lines", "wrapped")
"""A paragraph, or a sentence, is a line; or lines up to a blank one."""

PARSES = (".mrg", ".txt", ".parse", ".tree", ".trees", ".parsed", ".ptb")


def paragraphs(paths: Iterable[Path], layout: str = "lines") -> Iterator[str]:
    """Read paragraphs, file after file.

    Parameters
    ----------
    paths
        Text files in UTF-8; a name in .gz is unpacked, a .zip read member by member.
    layout
        One of `LAYOUTS`.

    Yields
    ------
    paragraph
        Without line ends; blank ones are skipped.

    Raises
    ------
    InputError
        If a file is not there or not UTF-8, or the layout is unknown.
    """
    if layout not in LAYOUTS:
        raise InputError(f"Unknown layout. Got: {layout!r}. Hint: use one of {LAYOUTS}.")
    for lines in _files(paths):
        if layout == "lines":
            yield from (line.strip() for line in lines if line.strip())
        else:
            yield from _unwrapped(lines)


def _unwrapped(lines: Iterable[str]) -> Iterator[str]:
    held: list[str] = []
    for line in lines:
        if line.strip():
            held.append(line.strip())
        elif held:
            yield " ".join(held)
            held = []
    if held:
        yield " ".join(held)


def trees(paths: Iterable[Path]) -> Iterator[str]:
    """Read bracketed parses, file after file; see `paragraphs` and `bracketed`."""
    for lines in _files(paths, PARSES):
        yield from bracketed(lines)


def _files(paths: Iterable[Path], endings: tuple[str, ...] = ()) -> Iterator[TextIO]:
    for path in paths:
        if not path.is_file():
            raise InputError(f"There is no such text. Got: {str(path)!r}. Hint: give files.")
        try:
            if path.suffix == ".zip":
                yield from _members(path, endings)
            elif path.suffix == ".gz":
                with gzip.open(path, "rt", encoding="utf-8") as file:
                    yield file
            else:
                with path.open(encoding="utf-8") as file:
                    yield file
        except (UnicodeDecodeError, EOFError, gzip.BadGzipFile, zipfile.BadZipFile) as error:
            raise InputError(
                f"The text {path} cannot be read: {error}. Hint: give UTF-8, plain, .gz or .zip."
            ) from error


def _members(path: Path, endings: tuple[str, ...]) -> Iterator[TextIO]:
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            wanted = not endings or name.endswith(endings)
            if wanted and not name.endswith("/"):
                with archive.open(name) as member:
                    yield io.TextIOWrapper(member, encoding="utf-8")
