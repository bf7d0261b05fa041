"""A folder of plain files, written whole or not at all, and read with suspicion. No pickles."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._atomic import atomic_folder
from pearljoin._errors import InputError, ModelError

__all__ = ["read_store", "write_store"]

MANIFEST = "manifest.json"
KIND = "pearljoin-matcher"
VERSION = 1


def write_store(
    folder: str | os.PathLike[str], content: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
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

    Raises
    ------
    InputError
        If the folder holds something else, cannot be written, or a value cannot be saved.
    """
    target = Path(folder)
    _check_target(target)
    text = json.dumps({"content": _to_json(content)}, allow_nan=False)
    with atomic_folder(target, replace=True, what="folder of the matcher") as made:
        (made / "content.json").write_text(text, encoding="utf-8")
        for name, array in arrays.items():
            np.save(made / f"{name}.npy", array, allow_pickle=False)
        sums = {path.name: _sha256(path) for path in sorted(made.iterdir())}
        manifest = {"kind": KIND, "version": VERSION, "files": sums}
        (made / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def read_store(
    folder: str | os.PathLike[str],
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read what `write_store` wrote.

    Returns
    -------
    content, arrays
        As they were given.

    Raises
    ------
    ModelError
        If the folder is missing, incomplete, changed, or of another kind.
    """
    source = Path(folder)
    manifest = _load_json(source / MANIFEST, source)
    if manifest.get("kind") != KIND or manifest.get("version") != VERSION:
        raise ModelError(
            f"The folder {str(source)!r} is not a saved matcher of this version. "
            f"Got kind {manifest.get('kind')!r}, version {manifest.get('version')!r}. "
            "Hint: give a folder that Matcher.save wrote, or save it again."
        )
    files = manifest.get("files")
    if not isinstance(files, dict) or "content.json" not in files:
        raise _damaged(source, "its list of files is not readable")
    arrays: dict[str, NDArray[Any]] = {}
    for name, expected in files.items():
        path = source / str(name)
        if Path(name).name != name or not path.is_file() or path.is_symlink():
            raise _damaged(source, f"{name!r} is missing")
        if _sha256(path) != expected:
            raise _damaged(source, f"{name!r} has changed since it was saved")
        if name.endswith(".npy"):
            arrays[name.removesuffix(".npy")] = _load_array(path, source)
    try:
        content = _from_json(_load_json(source / "content.json", source).get("content"))
    except (KeyError, TypeError, ValueError, StopIteration, RecursionError) as error:
        if isinstance(error, ModelError):
            raise
        raise _damaged(source, f"its content is not readable ({error!r})") from error
    if not isinstance(content, dict):
        raise _damaged(source, "its content is not readable")
    return content, arrays


def _check_target(target: Path) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise InputError(f"{str(target)!r} is a file. Hint: give the name of a folder.")
    if any(target.iterdir()) and not (target / MANIFEST).is_file():
        raise InputError(
            f"The folder {str(target)!r} holds other files, which would be lost. "
            "Hint: give a new or an empty folder."
        )


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


_READERS: dict[str, Callable[[Any], Any]] = {
    "$float": float,
    "$datetime": dt.datetime.fromisoformat,
    "$date": dt.date.fromisoformat,
    "$time": dt.time.fromisoformat,
    "$dict": lambda items: {_from_json(key): _from_json(item) for key, item in items},
}


def _from_json(value: Any) -> Any:
    if isinstance(value, list):
        return [_from_json(item) for item in value]
    if isinstance(value, dict):
        tag, inner = next(iter(value.items()))
        return _READERS[tag](inner)
    return value


def _load_json(path: Path, folder: Path) -> dict[str, Any]:
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelError(
            f"There is no saved matcher at {str(folder)!r}: {path.name} is missing. "
            "Hint: give a folder that Matcher.save wrote."
        ) from None
    except (OSError, ValueError) as error:
        raise _damaged(folder, f"{path.name} cannot be read ({error})") from error
    if not isinstance(loaded, dict):
        raise _damaged(folder, f"{path.name} is not what it should be")
    return loaded


def _load_array(path: Path, folder: Path) -> NDArray[Any]:
    try:
        loaded: NDArray[Any] = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise _damaged(folder, f"{path.name} cannot be read ({error})") from error
    return loaded


def _damaged(folder: Path, what: str) -> ModelError:
    return ModelError(
        f"The saved matcher at {str(folder)!r} is damaged: {what}. Hint: save it again."
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
