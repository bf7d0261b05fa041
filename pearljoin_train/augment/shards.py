"""Restartable jobs over phrases, in shards and processes.

Shards lie in a folder beside the result, whole or not at all. A fingerprint of everything that the
result depends on is kept with them, so that a restart never mixes the shards of two jobs.
"""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pearljoin import InputError
from pearljoin._atomic import atomic_file, write_text
from pearljoin._optional import require
from pearljoin._progress import progress

__all__ = ["read_phrases", "run_shards", "write_table"]

KEY = b"pearljoin"


def read_phrases(path: Path) -> list[str]:
    """Read distinct phrases in the order of the file.

    Parameters
    ----------
    path
        Parquet with a column ``phrase``, or text in UTF-8 (``.gz`` too), one phrase a line;
        blank ones are skipped.

    Raises
    ------
    InputError
        If the file is absent, is not UTF-8, or has no such column.
    """
    if not path.is_file():
        raise InputError(f"There is no file of phrases. Got: {path}. Hint: one phrase a line.")
    try:
        if path.suffix == ".parquet":
            parquet = require("pyarrow.parquet", extra="train", purpose="Reading Parquet")
            names = parquet.read_schema(path).names
            if "phrase" not in names:
                raise InputError(
                    f"{path} has no column of phrases. Got: {', '.join(names)}. "
                    "Hint: name the column phrase."
                )
            lines = parquet.read_table(path, columns=["phrase"])["phrase"].to_pylist()
        else:
            with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
                lines = file.read().decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8. Got: {error}. Hint: convert it.") from error
    stripped = (line.strip() for line in lines if line)
    return list(dict.fromkeys(line for line in stripped if line))


def write_table(
    path: Path, columns: Mapping[str, Sequence[Any]], about: Mapping[str, Any] | None = None
) -> None:
    """Write columns as Parquet, whole or not at all; `about` goes into the file's metadata."""
    arrow = require("pyarrow", extra="train", purpose="Writing Parquet")
    parquet = require("pyarrow.parquet", extra="train", purpose="Writing Parquet")
    table = arrow.table(dict(columns))
    if about is not None:
        table = table.replace_schema_metadata({KEY: json.dumps(about)})
    with atomic_file(path, parents=True) as temporary:
        parquet.write_table(table, temporary)


def run_shards(
    out: Path,
    fingerprint: str,
    n_shards: int,
    make: Callable[[int], Mapping[str, Sequence[Any]]],
    *,
    processes: int = 1,
) -> bool:
    """Make the shards that are missing, and join them into one Parquet file.

    Parameters
    ----------
    out
        The file to write. Shards are kept in the folder of this name and ``.parts`` until then.
    fingerprint
        Of all that the result depends on.
    n_shards
        How many there are; shard numbers go from 0.
    make
        Returns a shard's columns by name. With several processes it must be importable.
    processes
        How many work at once. The result does not depend on it.

    Returns
    -------
    worked
        False where the file with this fingerprint was there already.

    Raises
    ------
    InputError
        If the folder has shards of another job.
    """
    if _fingerprint_of(out) == fingerprint:
        return False
    folder = out.with_name(out.name + ".parts")
    _claim(folder, fingerprint)
    missing = [shard for shard in range(n_shards) if not _part(folder, shard).exists()]
    work = partial(_make_part, folder, make)
    if processes == 1 or len(missing) < 2:
        for _ in progress(
            map(work, missing), total=len(missing), label=out.name, unit="shard", verbose=None
        ):
            pass
    else:
        # Not by fork: a forked process must not use torch, which the parent may have loaded.
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            done = pool.map(work, missing)
            for _ in progress(done, total=len(missing), label=out.name, unit="shard", verbose=None):
                pass
    _join([_part(folder, shard) for shard in range(n_shards)], out, fingerprint)
    shutil.rmtree(folder)
    return True


def _part(folder: Path, shard: int) -> Path:
    return folder / f"{shard:05d}.parquet"


def _make_part(folder: Path, make: Callable[[int], Mapping[str, Sequence[Any]]], at: int) -> None:
    write_table(_part(folder, at), make(at))


def _claim(folder: Path, fingerprint: str) -> None:
    """Make the folder this job's, or refuse to."""
    name = folder / "job.txt"
    taken = name.exists() and any(p.suffix in (".parquet", ".npy") for p in folder.iterdir())
    if taken and name.read_text() != fingerprint:
        raise InputError(
            "The shards of another job are in the way: its options or its phrases differ. "
            f"Got: {folder}. Hint: delete the folder, or write to another file."
        )
    write_text(name, fingerprint)


def _fingerprint_of(path: Path) -> str | None:
    if not path.is_file():
        return None
    parquet = require("pyarrow.parquet", extra="train", purpose="Reading Parquet")
    metadata = parquet.read_schema(path).metadata or {}
    found = json.loads(metadata.get(KEY, b"{}")).get("fingerprint")
    return None if found is None else str(found)


def _join(parts: Sequence[Path], out: Path, fingerprint: str) -> None:
    parquet = require("pyarrow.parquet", extra="train", purpose="Writing Parquet")
    about = {KEY: json.dumps({"fingerprint": fingerprint})}
    schema = parquet.read_schema(parts[0]).with_metadata(about)
    with atomic_file(out) as temporary, parquet.ParquetWriter(temporary, schema) as writer:
        for part in parts:
            writer.write_table(parquet.read_table(part).replace_schema_metadata(about))
