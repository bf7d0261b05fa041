"""Saved matchers: a folder of plain files, written whole or not at all. No pickles.

`save_matcher` and `load_matcher` know what a matcher is made of; `write_store` and `read_store`
know files and check sums.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from pearljoin._atomic import atomic_folder
from pearljoin._errors import InputError, ModelError
from pearljoin._options import MatchOptions
from pearljoin._records.similarity import PhraseVectors
from pearljoin._search.vectors import from_arrays, to_arrays
from pearljoin._tables.cells import ColumnKind
from pearljoin._tables.keys import ColumnNames, KeyOptions
from pearljoin._tables.kinds import ColumnKinds, column_kinds
from pearljoin._tables.read_table import PlainColumn, Table
from pearljoin._tables.table_file import read_table, write_table

__all__ = ["SavedMatcher", "load_matcher", "read_store", "save_matcher", "write_store"]

MANIFEST = "manifest.json"
KIND = "pearljoin-matcher"
VERSION = 2
"""1 kept the key columns alone, as JSON; it is still read."""

TABLE = "reference.arrow"


class SavedMatcher(NamedTuple):
    """What a fitted matcher is made of.

    Attributes
    ----------
    keys, options
        The arguments it was made with.
    right
        The reference.
    names, guessed
        Its columns that are compared, and whether the key was guessed.
    kinds
        How these columns compare.
    vectors
        For each key column of text, its distinct texts and their vectors.
    """

    keys: KeyOptions
    options: MatchOptions
    right: Table
    names: ColumnNames
    guessed: bool
    kinds: ColumnKinds
    vectors: Sequence[PhraseVectors | None]


def save_matcher(folder: str | os.PathLike[str], matcher: SavedMatcher) -> None:
    """Write a matcher to a folder; raises as `Matcher.save` does."""
    names = dict.fromkeys(name for part in matcher.names for name in part)
    odd = [name for name in names if not isinstance(name, str | int)]
    if odd:
        raise InputError(
            f"A saved matcher's key columns are called by text or whole numbers. Got {odd!r}. "
            "Hint: rename these columns."
        )
    right = matcher.right
    content: dict[str, Any] = {"single": right.single}
    files = {}
    if right.frame is None:
        content["columns"] = {name: cells.to_list() for name, cells in right.columns.items()}
    else:
        content["table"], files[TABLE] = write_table(right, names)
    content |= {
        "names": matcher.names.keys,
        "by": matcher.names.by,
        "veto": matcher.names.veto,
        "guessed": matcher.guessed,
        "kinds": matcher.kinds.keys,
        "exact_kinds": [matcher.kinds.by, matcher.kinds.veto],
        "given": asdict(matcher.keys),
        "options": matcher.options.to_dict(),
        "texts": [None if known is None else known.texts for known in matcher.vectors],
    }
    arrays: dict[str, NDArray[Any]] = {}
    for at, known in enumerate(matcher.vectors):
        if known is not None:
            arrays |= to_arrays(known.vectors, f"vectors_{at}")
            arrays[f"covered_{at}"] = known.covered
    write_store(folder, content, arrays, files)


def load_matcher(folder: str | os.PathLike[str], encoder: Any) -> SavedMatcher:
    """Read what `save_matcher` wrote; raises as `Matcher.load` does.

    Parameters
    ----------
    folder
        Where it was saved.
    encoder
        Takes the place of the saved encoder's name; None leaves that.
    """
    content, arrays, files = read_store(folder)
    options, kinds = content.get("options"), content.get("kinds")
    if not isinstance(options, dict) or "encoder" not in options or not isinstance(kinds, list):
        raise damaged_matcher(folder, "its options are not readable")
    options["encoder"] = options["encoder"] if encoder is None else encoder
    if options["encoder"] is None and "text" in kinds:
        raise InputError(
            "The matcher was made with an encoder that has no name. "
            "Hint: give the same one, Matcher.load(folder, encoder=...)."
        )
    try:
        return _restore(content, arrays, files)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise damaged_matcher(folder, repr(error)) from error


def _restore(
    content: dict[str, Any], arrays: dict[str, NDArray[Any]], files: Mapping[str, bytes]
) -> SavedMatcher:
    names = ColumnNames(*(tuple(content.get(part, ())) for part in ("names", "by", "veto")))
    given = KeyOptions(**content["given"])
    vectors = [
        None
        if texts is None
        else PhraseVectors(texts, from_arrays(arrays, f"vectors_{at}"), arrays[f"covered_{at}"])
        for at, texts in enumerate(content["texts"])
    ]
    unnamed = given.on is None and given.right_on is None
    if "table" in content:
        right = read_table(content["table"], files[TABLE], "right")
    else:
        columns = {
            name: PlainColumn(str(name), list(cells)) for name, cells in content["columns"].items()
        }
        # Version 1 kept only key columns, and did not say whether they were a table's.
        single = bool(content.get("single", len(columns) == 1 and unnamed))
        right = Table(dict(columns), None, False, single, "right")
    for name in (*names.keys, *names.by, *names.veto):
        right.column(name, "on")
    if not len(vectors) == len(content["kinds"]) == len(names.keys):
        raise ValueError("its key columns are not all described")
    guessed = bool(content.get("guessed", unnamed))
    options = MatchOptions(**content["options"])
    kinds = _read_kinds(content, right, names)
    return SavedMatcher(given, options, right, names, guessed, kinds, vectors)


def _read_kinds(content: dict[str, Any], right: Table, names: ColumnNames) -> ColumnKinds:
    """The kinds of the columns as they were fitted."""
    keys = tuple(content["kinds"])
    if "exact_kinds" in content:
        by, veto = map(tuple, content["exact_kinds"])
        kinds = ColumnKinds(keys, by, veto)
    else:
        # Earlier versions told the kinds of by and veto columns from the table.
        kinds = column_kinds(right, names)._replace(keys=keys)
    known = get_args(ColumnKind)
    if [len(part) for part in kinds] != [len(part) for part in names]:
        raise ValueError("its columns are not all described")
    if any(kind not in known for part in kinds for kind in part):
        raise ValueError(f"the kinds of its columns are {list(map(list, kinds))!r}")
    return kinds


def damaged_matcher(folder: str | os.PathLike[str], why: str) -> ModelError:
    """The error for a folder that is not as it was written."""
    return _damaged(Path(folder), why)


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
    target = Path(folder)
    _check_target(target)
    text = json.dumps({"content": _to_json(content)}, allow_nan=False)
    with atomic_folder(target, replace=True, what="folder of the matcher") as made:
        (made / "content.json").write_text(text, encoding="utf-8")
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
        As they were given.

    Raises
    ------
    ModelError
        If the folder is missing, incomplete, changed, or of another kind.
    """
    source = Path(folder)
    manifest = _load_json(source / MANIFEST, source)
    if manifest.get("kind") != KIND or manifest.get("version") not in (1, VERSION):
        raise ModelError(
            f"The folder {str(source)!r} is not a saved matcher of this version. "
            f"Got kind {manifest.get('kind')!r}, version {manifest.get('version')!r}. "
            "Hint: give a folder that Matcher.save wrote, or fit the matcher and save it again."
        )
    files = manifest.get("files")
    if not isinstance(files, dict) or "content.json" not in files:
        raise _damaged(source, "its list of files is not readable")
    arrays: dict[str, NDArray[Any]] = {}
    others: dict[str, bytes] = {}
    for name, expected in files.items():
        path = source / str(name)
        if Path(name).name != name or not path.is_file() or path.is_symlink():
            raise _damaged(source, f"{name!r} is missing")
        try:
            if _sha256(path) != expected:
                raise _damaged(source, f"{name!r} has changed since it was saved")
            if name.endswith(".npy"):
                arrays[name.removesuffix(".npy")] = _load_array(path, source)
            elif name != "content.json":
                others[name] = path.read_bytes()
        except OSError as error:
            raise _damaged(source, f"{name!r} cannot be read ({error})") from error
    try:
        content = _from_json(_load_json(source / "content.json", source).get("content"))
    except (KeyError, TypeError, ValueError, StopIteration, RecursionError) as error:
        if isinstance(error, ModelError):
            raise
        raise _damaged(source, f"its content is not readable ({error!r})") from error
    if not isinstance(content, dict):
        raise _damaged(source, "its content is not readable")
    return content, arrays, others


def _check_target(target: Path) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise InputError(f"{str(target)!r} is a file. Hint: give the name of a folder.")
    try:
        is_foreign = any(target.iterdir()) and not (target / MANIFEST).is_file()
    except OSError as error:
        raise InputError(
            f"The folder {str(target)!r} cannot be read. Got: {error}. "
            "Hint: choose a place that you may write to."
        ) from error
    if is_foreign:
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
