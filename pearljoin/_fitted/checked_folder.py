"""A folder of plain files with check sums, written whole or not at all. No pickles."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from pearljoin._atomic import as_path, atomic_folder, find_folder
from pearljoin._errors import InputError, ModelError
from pearljoin._parallel import processors, side_by_side

__all__ = ["UNREADABLE", "damaged_matcher", "read_store", "refuse_damaged", "write_store"]

MANIFEST = "manifest.json"
KIND = "pearljoin-matcher"
VERSION = 5
"""1 kept the key columns alone, as JSON, 2 nothing of what is learned, 3 coded the vectors of a
large reference as they are, and 4 did not round them; all are still read."""

CONTENT = "content.json"

LARGEST_MANIFEST = 2**24
"""Bytes; it names some dozen files."""

UNREADABLE = KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError
"""What reading content of another form raises."""

CLUTTER = {".DS_Store", "Thumbs.db", "desktop.ini"}
"""What file managers write into any folder."""

MAPPED_BYTES = 2**25
"""Arrays from this size on are mapped, not read. Windows would not let the folder be replaced."""

MOST_READINGS = 50
"""How often a folder is read anew because another process replaced it meanwhile."""


def write_store(
    folder: str | os.PathLike[str],
    content: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    files: Mapping[str, bytes] = MappingProxyType({}),
) -> None:
    """Write JSON-like content and arrays to a folder, which appears complete or not at all.

    Parameters
    ----------
    folder
        A new folder, an empty one, or one that this function wrote, which is replaced.
    content
        Text, numbers, booleans, None, dates, and lists and dicts of these.
    arrays
        Numeric arrays by name.
    files
        Bytes by file name.

    Raises
    ------
    InputError
        If the folder holds something else, cannot be written, or a value cannot be saved.
    """
    target = as_path(folder, "folder of the matcher")
    _check_target(target)
    text = json.dumps({"content": _to_json(content)}, allow_nan=False)
    with atomic_folder(target, replace=True, what="folder of the matcher") as made:
        (made / CONTENT).write_text(text, encoding="utf-8")
        for name, array in arrays.items():
            np.save(made / f"{name}.npy", array, allow_pickle=False)
        for name, data in files.items():
            (made / name).write_bytes(data)
        sums = {path.name: _sha256(path) for path in sorted(made.iterdir())}
        manifest = {"kind": KIND, "version": VERSION, "files": sums}
        (made / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def read_store(
    folder: str | os.PathLike[str],
) -> tuple[dict[str, Any], dict[str, NDArray[Any]], dict[str, bytes]]:
    """Read what `write_store` wrote.

    Returns
    -------
    content, arrays, files
        As they were given; all of one call, should another process write meanwhile.

    Raises
    ------
    ModelError
        If the folder is missing, incomplete, changed, or of another kind.
    """
    for _ in range(MOST_READINGS):
        found = _state(folder)
        try:
            return _read_once(Path(folder), found[0])
        except ModelError as error:
            if _state(folder) == found:
                raise
            replaced = error
    raise replaced


def _state(folder: str | os.PathLike[str]) -> tuple[Path, int, int]:
    """Where the folder is, and what tells it from one that takes its place."""
    source = find_folder(folder)
    try:
        found = source.stat()
    except OSError:
        return source, 0, 0
    return source, found.st_ino, found.st_ctime_ns


def _read_once(
    folder: Path, source: Path
) -> tuple[dict[str, Any], dict[str, NDArray[Any]], dict[str, bytes]]:
    """Read the files of `source`, where the folder is now; errors name the folder.

    Each file is opened once, and its check sum is that of what is read: no file of another save
    can be taken for one of this.
    """
    manifest = _read_manifest(folder, source)
    if manifest.get("kind") != KIND or manifest.get("version") not in range(1, VERSION + 1):
        raise ModelError(
            f"The folder {str(folder)!r} is not a saved matcher of this version. "
            f"Got kind {manifest.get('kind')!r}, version {manifest.get('version')!r}. "
            "Hint: give a folder that Matcher.save wrote, or fit the matcher and save it again."
        )
    files = manifest.get("files")
    if not isinstance(files, dict) or CONTENT not in files:
        raise damaged_matcher(folder, "its list of files is not readable")
    found: dict[str, NDArray[Any] | bytes] = {}

    def read(name: str) -> None:
        found[name] = _read_file(folder, source, name, files[name])

    # To sum up the bytes of a large matcher takes one processor a good part of a second.
    is_large = _n_bytes(source) > MAPPED_BYTES
    deque(side_by_side(read, list(files), processors() if is_large else 1), maxlen=0)
    arrays = {
        name.removesuffix(".npy"): array
        for name, array in ((name, found[name]) for name in files)
        if isinstance(array, np.ndarray)
    }
    others = {name: data for name, data in found.items() if isinstance(data, bytes)}
    try:
        content = _from_json(_parse_json(others.pop(CONTENT), CONTENT, folder).get("content"))
    except (KeyError, TypeError, ValueError, StopIteration, RecursionError) as error:
        if isinstance(error, ModelError):
            raise
        raise damaged_matcher(folder, f"its content is not readable ({error!r})") from error
    if not isinstance(content, dict):
        raise damaged_matcher(folder, "its content is not readable")
    return content, arrays, others


def _n_bytes(folder: Path) -> int:
    """Bytes of the files of a folder; 0 where another process replaces it meanwhile."""
    try:
        return sum(path.stat().st_size for path in folder.iterdir())
    except OSError:
        return 0


def _check_target(target: Path) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise InputError(f"{str(target)!r} is a file. Hint: give the name of a folder.")
    try:
        foreign = _foreign_files(target)
    except OSError as error:
        raise InputError(
            f"The folder {str(target)!r} cannot be read. Got: {error}. "
            "Hint: choose a place that you may write to."
        ) from error
    if foreign:
        raise InputError(
            f"The folder {str(target)!r} holds other files, which would be lost. "
            f"Got {', '.join(map(repr, foreign[:5]))}. Hint: give a new or an empty folder."
        )


def _foreign_files(folder: Path) -> list[str]:
    """Names of the entries of a folder that `write_store` did not write."""
    names = {path.name for path in folder.iterdir()} - CLUTTER
    if MANIFEST not in names:
        return sorted(names)
    try:
        manifest = _read_manifest(folder, folder)
    except ModelError:
        # A damaged one may be written anew.
        return sorted(name for name in names if not name.endswith((".json", ".npy", ".arrow")))
    files = manifest.get("files")
    if manifest.get("kind") != KIND or not isinstance(files, dict):
        return sorted(names)
    return sorted(names - {MANIFEST, *files})


def _to_json(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None if np.isnan(value) else {"$float": repr(value)}
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if type(value).__name__ in {"NAType", "NaTType"}:
        return None
    if isinstance(value, dt.datetime | dt.date | dt.time):
        kind = next(k for k in (dt.datetime, dt.date, dt.time) if isinstance(value, k))
        return {f"${kind.__name__}": value.isoformat()}
    if isinstance(value, Mapping):
        return {"$dict": [[_to_json(key), _to_json(item)] for key, item in value.items()]}
    if isinstance(value, list | tuple):
        return [_to_json(item) for item in value]
    raise InputError(
        f"A key of type {type(value).__name__} cannot be saved. Got {value!r}. "
        "Hint: turn the column into text, numbers or dates."
    )


PLAIN = {str, int, float, bool, type(None)}
"""Types of JSON that are what they stand for."""

_READERS: dict[str, Callable[[Any], Any]] = {
    "$float": float,
    "$datetime": dt.datetime.fromisoformat,
    "$date": dt.date.fromisoformat,
    "$time": dt.time.fromisoformat,
    "$dict": lambda items: {_from_json(key): _from_json(item) for key, item in items},
}


def _from_json(value: Any) -> Any:
    if isinstance(value, list):
        are_plain = PLAIN.issuperset(map(type, value))
        return value if are_plain else [_from_json(item) for item in value]
    if isinstance(value, dict):
        tag, inner = next(iter(value.items()))
        return _READERS[tag](inner)
    return value


def _read_manifest(folder: Path, source: Path) -> dict[str, Any]:
    path = source / MANIFEST
    try:
        size = path.stat().st_size
        # A device or a pipe could be read for ever.
        if not path.is_file() or size > LARGEST_MANIFEST:
            raise damaged_matcher(folder, f"{MANIFEST} is no small file ({size:,} bytes)")
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ModelError(
            f"There is no saved matcher or deduplicator at {str(folder)!r}: {MANIFEST} is missing. "
            "Hint: give a folder that save() wrote."
        ) from None
    except (OSError, ValueError) as error:
        raise damaged_matcher(folder, f"{MANIFEST} cannot be read ({error})") from error
    return _parse_json(text, MANIFEST, folder)


def _parse_json(data: str | bytes, name: str, folder: Path) -> dict[str, Any]:
    try:
        parsed = json.loads(data.decode("utf-8") if isinstance(data, bytes) else data)
    except (ValueError, RecursionError) as error:
        raise damaged_matcher(folder, f"{name} cannot be read ({error})") from error
    if not isinstance(parsed, dict):
        raise damaged_matcher(folder, f"{name} is not what it should be")
    return parsed


def _read_file(folder: Path, source: Path, name: str, expected: object) -> NDArray[Any] | bytes:
    """Read a file of `source`: an array, or its bytes."""
    path = source / str(name)
    if Path(name).name != name or not path.is_file() or path.is_symlink():
        raise damaged_matcher(folder, f"{name!r} is missing")
    try:
        if name.endswith(".npy"):
            return _read_array(path, expected, folder)
        data = path.read_bytes()
    except OSError as error:
        raise damaged_matcher(folder, f"{name!r} cannot be read ({error})") from error
    _check_sum(hashlib.sha256(data), expected, name, folder)
    return data


def _read_array(path: Path, expected: object, folder: Path) -> NDArray[Any]:
    with path.open("rb") as file:
        _check_sum(hashlib.file_digest(file, "sha256"), expected, path.name, folder)
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        try:
            _check_size(file, size)
            file.seek(0)
            if size >= MAPPED_BYTES and os.name == "posix":
                return _mapped_array(file)
            loaded: NDArray[Any] = np.load(file, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise damaged_matcher(folder, f"{path.name} cannot be read ({error})") from error
    return loaded


def _mapped_array(file: BinaryIO) -> NDArray[Any]:
    """Map an array of an open file into memory: what is not read takes none."""
    np.lib.format.read_magic(file)
    shape, by_columns, dtype = np.lib.format.read_array_header_1_0(file)
    order: Literal["C", "F"] = "F" if by_columns else "C"
    offset = file.tell()
    # Not "r": the sparse products refuse an array that cannot be written. Nothing that is written
    # to one of "c" goes to the file.
    return np.asarray(np.memmap(file, dtype, "c", offset, shape, order))


def _check_size(file: BinaryIO, size: int) -> None:
    """Raise ValueError unless a file holds as many bytes as its header says, which are reserved."""
    version = np.lib.format.read_magic(file)
    if version != (1, 0):
        raise ValueError(f"it is of version {version} of numpy's files")
    shape, _, dtype = np.lib.format.read_array_header_1_0(file)
    if dtype.hasobject:
        raise ValueError("an array of objects cannot be loaded")
    if math.prod(shape) * dtype.itemsize != size - file.tell():
        raise ValueError(f"it says that it holds {shape} numbers, and does not")


def _check_sum(found: hashlib._Hash, expected: object, name: str, folder: Path) -> None:
    if found.hexdigest() != expected:
        raise damaged_matcher(folder, f"{name!r} has changed since it was saved")


def damaged_matcher(folder: str | os.PathLike[str], what: str) -> ModelError:
    """Return the error for a folder that is not as it was written."""
    return ModelError(
        f"The saved matcher at {os.fspath(folder)!r} is damaged: {what}. Hint: save it again."
    )


@contextmanager
def refuse_damaged(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Raise ModelError where content that was saved is of another form than is read."""
    try:
        yield
    except ModelError:
        raise
    except UNREADABLE as error:
        raise damaged_matcher(folder, repr(error)) from error


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
