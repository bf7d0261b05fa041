"""Counting in shards: many processes, and a run that was killed goes on where it stopped.

The input is cut into shards of a fixed number of paragraphs. What a shard counts to depends on
nothing else, and its file appears whole or not at all, so a second run makes only the missing ones.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import connection, get_context, parent_process
from pathlib import Path
from typing import Any

from pearljoin._atomic import remove_unfinished, write_text
from pearljoin._errors import InputError
from pearljoin_train.corpus.merge import sorted_rows, write_rows
from pearljoin_train.corpus.phrases import Extractor

__all__ = ["count_shards", "pieces", "settle"]

SETTINGS_FILE = "settings.json"
# Shards read ahead of the processes.
AHEAD = 2

# The extractor of a worker process, set once when it starts.
_extractor: Extractor | None = None


def pieces(texts: Iterable[str], size: int) -> Iterator[tuple[int, list[str]]]:
    """Cut texts into numbered shards of `size`."""
    remaining, number = iter(texts), 0
    while piece := list(islice(remaining, size)):
        yield number, piece
        number += 1


def settle(folder: Path, settings: Mapping[str, Any]) -> None:
    """Make the folder of the shards, or check that those in it were made with the same settings.

    What a killed run left half written is removed.

    Raises
    ------
    InputError
        If they were not: their counts would not fit together.
    """
    path = folder / SETTINGS_FILE
    wanted = json.dumps(settings, indent=1, sort_keys=True) + "\n"
    if path.is_file():
        held = path.read_text(encoding="utf-8")
        if held != wanted:
            known = json.loads(held)
            keys = sorted(k for k in {*known, *settings} if known.get(k) != settings.get(k))
            raise InputError(
                f"The shards in {folder} were made from other settings. Got: different "
                f"{', '.join(keys)}. Hint: delete that folder, or write to another --out."
            )
        remove_unfinished(folder)
        return
    write_text(path, wanted)


def count_shards(
    texts: Iterable[str],
    extractor: Extractor,
    folder: Path,
    *,
    size: int = 2_000,
    processes: int = 1,
    on_done: Callable[[int], None] = lambda number: None,
) -> list[Path]:
    """Count the phrases of a text, shard by shard, and return the shards' files in order.

    Parameters
    ----------
    texts
        Paragraphs or bracketed trees; read once, a few shards ahead of the counting.
    extractor
        What counts them. With several processes each gets a copy.
    folder
        Where the files go. Those that are there already are not made again.
    size
        Texts in a shard.
    processes
        1 counts in this process.
    on_done
        Called with the number of each shard that is finished, found ones included.
    """
    paths: list[Path] = []

    def missing() -> Iterator[tuple[Path, list[str]]]:
        for number, piece in pieces(texts, size):
            paths.append(folder / f"{number:06d}.parquet")
            if paths[-1].is_file():
                on_done(number)
            else:
                yield paths[-1], piece

    if processes == 1:
        for path, piece in missing():
            _count(extractor, path, piece)
            on_done(int(path.stem))
    else:
        _count_in_processes(missing(), extractor, processes, on_done)
    return paths


def _count(extractor: Extractor, path: Path, texts: Sequence[str]) -> None:
    write_rows(sorted_rows(extractor(texts)), path)


def _count_in_processes(
    work: Iterator[tuple[Path, list[str]]],
    extractor: Extractor,
    processes: int,
    on_done: Callable[[int], None],
) -> None:
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _start, (extractor,))
    running: dict[Future[None], Path] = {}
    try:
        while True:
            for path, piece in islice(work, processes * AHEAD - len(running)):
                running[pool.submit(_count_here, path, piece)] = path
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                future.result()
                on_done(int(running.pop(future).stem))
    finally:
        pool.shutdown(cancel_futures=True)


def _start(extractor: Extractor) -> None:
    global _extractor
    _extractor = extractor
    # A parent that is killed cannot stop its workers, which would wait for work for ever.
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _count_here(path: Path, texts: list[str]) -> None:
    assert _extractor is not None
    _count(_extractor, path, texts)


def fingerprint(path: Path) -> str:
    """Return a short digest of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]
