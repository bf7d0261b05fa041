"""Reading of the trial tables: CSV files whose column ``thing`` says which rows are one thing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from pearljoin._errors import InputError

__all__ = ["FOLDER", "JOINS", "TrialJoin", "TrialTable", "read_duplicates", "read_joins"]

FOLDER = Path(__file__).with_name("tables")

JOINS = ("joins", "columns")
"""Folders of pairs of tables: of several columns, and of one."""

THING = "thing"


@dataclass(frozen=True)
class TrialTable:
    """A table as a user reads it, and the number of the thing that each row is of."""

    table: pd.DataFrame
    things: list[int]

    @classmethod
    def read(cls, path: Path) -> TrialTable:
        """Read a CSV file; its column of things is no longer in the table."""
        table = pd.read_csv(path)
        return cls(table, [int(number) for number in table.pop(THING)])


@dataclass(frozen=True)
class TrialJoin:
    """Two tables to link; both count the same things."""

    left: TrialTable
    right: TrialTable

    @property
    def n_answerable(self) -> int:
        """Left rows of whose things the right table has a row."""
        known = set(self.right.things)
        return sum(thing in known for thing in self.left.things)


def read_joins(kind: str, folder: Path = FOLDER) -> Iterator[tuple[str, TrialJoin]]:
    """Read the pairs of tables of one of `JOINS`, with their names, in their order."""
    for each in _existing(folder / kind, "*/left.csv"):
        sides = (TrialTable.read(each.with_stem(side)) for side in ("left", "right"))
        yield each.parent.name, TrialJoin(*sides)


def read_duplicates(folder: Path = FOLDER) -> Iterator[tuple[str, TrialTable]]:
    """Read the tables to deduplicate, with their names, in their order."""
    for path in _existing(folder / "duplicates", "*.csv"):
        yield path.stem, TrialTable.read(path)


def _existing(folder: Path, pattern: str) -> list[Path]:
    found = sorted(folder.glob(pattern))
    if not found:
        raise InputError(
            f"There are no trial tables. Got no file {str(folder / pattern)!r}. Hint: a folder of "
            "them has folders joins, columns and duplicates, as benchmarks/trials/tables has."
        )
    return found
