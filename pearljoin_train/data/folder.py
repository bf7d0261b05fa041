"""Finding the data folder and the files in it, and checking them against the manifest.

The project ships no data. It is sought in the folder named by the environment variable
`PEARLJOIN_DATA` and nowhere else where that is set; otherwise in `../shared/data` beside the
checkout, then in the user's cache, which `python -m pearljoin_train data fetch` fills.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from pearljoin._errors import InputError

__all__ = [
    "DATA_VARIABLE",
    "DataDamagedError",
    "DataMissingError",
    "FileState",
    "cache_folder",
    "data_folder",
    "find",
    "manifest",
    "sha256_of",
    "verify",
]

DATA_VARIABLE = "PEARLJOIN_DATA"
MANIFEST_FILE = Path(__file__).with_name("manifest.json")
HOW_TO_GET = (
    f"set {DATA_VARIABLE} to a folder that holds it, or run "
    "`python -m pearljoin_train data fetch` for the sets that have a public home"
)


class DataMissingError(InputError):
    """A data file or the whole data folder was not found."""


class DataDamagedError(InputError):
    """A data file does not have the expected content."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(
            f"The data file {path} is damaged: {problem}. Hint: compare the folder with the "
            "manifest by `python -m pearljoin_train data verify`, delete the file, and "
            f"{HOW_TO_GET}."
        )


@dataclass(frozen=True)
class FileState:
    """The state of one file of the manifest."""

    path: str
    """Path relative to the data folder, with forward slashes."""
    state: Literal["ok", "changed", "absent"]


def cache_folder() -> Path:
    """Return the folder that `data fetch` fills, whether it exists or not.

    Returns
    -------
    folder
        ``$XDG_CACHE_HOME/pearljoin/data``, by default ``~/.cache/pearljoin/data``.

    Examples
    --------
    >>> cache_folder().parts[-2:]
    ('pearljoin', 'data')
    """
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "pearljoin" / "data"


def _places() -> list[Path]:
    named = os.environ.get(DATA_VARIABLE)
    if named:
        return [Path(named).expanduser()]
    checkout = Path(__file__).resolve().parents[2]
    return [checkout.parent / "shared" / "data", cache_folder()]


def data_folder() -> Path:
    """Return the data folder in force.

    Returns
    -------
    folder
        The first of the places named at the top of this file that is a folder.

    Raises
    ------
    DataMissingError
        If none of them is.
    """
    for folder in _places():
        if folder.is_dir():
            return folder
    sought = ", ".join(str(folder) for folder in _places())
    raise DataMissingError(f"No data folder was found. Sought: {sought}. Hint: {HOW_TO_GET}.")


def find(relative: str | Path, folder: Path | None = None) -> Path:
    """Return the path of one data file or subfolder.

    Parameters
    ----------
    relative
        Its path inside the data folder, e.g. ``"autofj/Case/left.csv"``.
    folder
        The data folder to look in; by default every place named at the top of this file, the
        first that holds it.

    Returns
    -------
    path
        A path that exists. Its content is not looked at: see `verify`.

    Raises
    ------
    DataMissingError
        If no place holds it.
    """
    places = [folder] if folder is not None else _places()
    for place in places:
        if (place / relative).exists():
            return place / relative
    sought = ", ".join(str(place / relative) for place in places)
    raise DataMissingError(
        f"The data file {str(relative)!r} was not found. Sought: {sought}. Hint: {HOW_TO_GET}."
    )


@cache
def manifest() -> Mapping[str, str]:
    """Return the committed sha256 sums.

    Returns
    -------
    sums
        Hexadecimal sha256 by path relative to the data folder, in path order.

    Examples
    --------
    >>> len(manifest()["autofj/Case/left.csv"])
    64
    """
    content: dict[str, str] = json.loads(MANIFEST_FILE.read_text(encoding="utf-8"))["sha256"]
    return content


def sha256_of(path: Path) -> str:
    """Return a file's sha256 in hexadecimal, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def verify(folder: Path, under: str = "") -> Iterator[FileState]:
    """Compare a data folder with the manifest, file by file.

    Parameters
    ----------
    folder
        The data folder.
    under
        Only the files whose relative path starts with this, e.g. ``"autofj/"``.

    Yields
    ------
    state
        In the manifest's order: ``"ok"``, ``"changed"`` where the sum differs, ``"absent"``.
    """
    for relative, expected in manifest().items():
        if not relative.startswith(under):
            continue
        path = folder / relative
        if not path.is_file():
            yield FileState(relative, "absent")
        else:
            yield FileState(relative, "ok" if sha256_of(path) == expected else "changed")
