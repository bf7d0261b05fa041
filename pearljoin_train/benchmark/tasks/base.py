"""The protocol of a task, and readers of its files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

from pearljoin import Encoder
from pearljoin._typing import IntVector
from pearljoin_train.data import DataDamagedError, find

__all__ = ["Encoder", "Metrics", "Ranker", "Task", "read_json_lines", "read_lines", "read_rows"]

Metrics: TypeAlias = dict[str, float | int | bool | None]
"""Metric values by name: rates in [0, 1], counts, marks; None where there is no value."""


@runtime_checkable
class Ranker(Protocol):
    """A string similarity, which takes part in the name-matching tasks."""

    def nearest(self, queries: Sequence[str], reference: Sequence[str]) -> IntVector:
        """Return, for each query, the position of its nearest reference string.

        Returns
        -------
        positions
            int64 of shape (n_queries,). Among equals the one that stands first.
        """
        ...


class Task(Protocol):
    """A benchmark set, loaded, with the protocol that turns an encoder into numbers."""

    def evaluate(self, encoder: Encoder) -> Metrics:
        """Return the metrics of an encoder."""
        ...


def read_lines(relative: str, folder: Path | None = None) -> tuple[Path, list[str]]:
    """Read a text file of the data folder.

    Parameters
    ----------
    relative
        Path inside the data folder.
    folder
        The data folder; by default the one in force.

    Returns
    -------
    path, lines
        Where it was found, and its lines, cut at line feeds alone: some of the texts hold other
        characters that Python takes for ends of lines.

    Raises
    ------
    DataMissingError
        If the file is not there.
    DataDamagedError
        If it is not UTF-8, or empty.
    """
    path = find(relative, folder)
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = file.read().split("\n")
    except UnicodeDecodeError as error:
        raise DataDamagedError(path, f"it is not text in UTF-8 ({error})") from error
    if lines[-1] == "":
        lines.pop()
    if not lines:
        raise DataDamagedError(path, "it is empty")
    return path, [line.removesuffix("\r") for line in lines]


def read_rows(
    relative: str, folder: Path | None, *, separator: str, width: int, skip: int = 0
) -> list[list[str]]:
    """Read a file of separated fields.

    Parameters
    ----------
    relative, folder
        As for `read_lines`.
    separator
        What stands between two fields.
    width
        The number of fields that every line must have.
    skip
        Lines of header.

    Returns
    -------
    rows
        The fields of each line after the header.
    """
    path, lines = read_lines(relative, folder)
    rows = [line.split(separator) for line in lines[skip:]]
    for number, row in enumerate(rows, start=skip + 1):
        if len(row) != width:
            raise DataDamagedError(path, f"line {number} has {len(row)} fields, not {width}")
    return rows


def read_json_lines(relative: str, folder: Path | None) -> tuple[Path, list[Any]]:
    """Read a file with one JSON value a line; return where it was found, and the values."""
    path, lines = read_lines(relative, folder)
    values = []
    for number, line in enumerate(lines, start=1):
        try:
            values.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise DataDamagedError(path, f"line {number} is not JSON ({error})") from error
    return path, values
