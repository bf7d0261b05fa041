"""Reading the sets of the data folder's ``records/``."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pearljoin._errors import InputError
from pearljoin_train.data import find

__all__ = ["Columns", "Constraint", "RecordSet", "load_set", "set_names"]

Columns: TypeAlias = Mapping[str, Sequence[str | None]]
"""A table: the text of each row by column, None where it is empty."""

Constraint: TypeAlias = Literal["many_to_many", "many_to_one", "one_to_one"]

csv.field_size_limit(1 << 24)


@dataclass(frozen=True)
class RecordSet:
    """One table or two, the columns to compare, and the truth."""

    name: str
    columns: tuple[str, ...]
    """The columns that a user would name."""
    left: Columns
    right: Columns | None
    """None where one table is to be deduplicated."""
    constraint: Constraint
    """How often a row may stand in the true pairs: what a user knows of the two tables."""
    pairs: frozenset[tuple[int, int]]
    """True pairs of row positions; empty where one table is to be deduplicated."""
    clusters: tuple[str, ...]
    """The true cluster of each row; empty where two tables are to be linked."""

    @property
    def links(self) -> bool:
        """Whether two tables are to be linked."""
        return self.right is not None

    @property
    def size(self) -> str:
        """The number of rows, as it is shown."""
        counts = [len(table[self.columns[0]]) for table in (self.left, self.right) if table]
        return " × ".join(f"{count:,}" for count in counts)


def set_names() -> list[str]:
    """Return the names of the sets, those to be linked first, in the order of ``columns.json``.

    Raises
    ------
    DataMissingError
        If the data folder holds no records.
    """
    content = _declared()
    return sorted(content, key=lambda name: content[name]["kind"] != "link")


def load_set(name: str) -> RecordSet:
    """Read one set.

    Parameters
    ----------
    name
        One of `set_names`.

    Raises
    ------
    InputError
        If there is no such set, or its columns are not in its tables.
    DataMissingError
        If one of its files is absent.
    """
    declared = _declared()
    if name not in declared:
        raise InputError(
            f"There is no set of records of that name. Got {name!r}. "
            f"Hint: one of {', '.join(declared)}."
        )
    columns = tuple(declared[name]["on"])
    if declared[name]["kind"] == "link":
        return _read_linkage(name, columns)
    rows = _read_rows(name, "table")
    clusters = tuple(row["cluster"] for row in rows)
    table = _as_columns(name, rows, columns)
    return RecordSet(name, columns, table, None, "many_to_many", frozenset(), clusters)


def _read_linkage(name: str, columns: tuple[str, ...]) -> RecordSet:
    left, right = _read_rows(name, "left"), _read_rows(name, "right")
    left_row = {row["id"]: position for position, row in enumerate(left)}
    right_row = {row["id"]: position for position, row in enumerate(right)}
    pairs = frozenset(
        (left_row[row["left_id"]], right_row[row["right_id"]]) for row in _read_rows(name, "gold")
    )
    return RecordSet(
        name,
        columns,
        _as_columns(name, left, columns),
        _as_columns(name, right, columns),
        constraint_of(pairs),
        pairs,
        (),
    )


def constraint_of(pairs: frozenset[tuple[int, int]]) -> Constraint:
    """Return how often rows stand in pairs.

    Examples
    --------
    >>> constraint_of(frozenset({(0, 0), (1, 0)}))
    'many_to_one'
    """
    if max(Counter(left for left, _ in pairs).values(), default=1) > 1:
        return "many_to_many"
    if max(Counter(right for _, right in pairs).values(), default=1) > 1:
        return "many_to_one"
    return "one_to_one"


def _declared() -> dict[str, dict[str, list[str] | str]]:
    text = find("records/columns.json").read_text(encoding="utf-8")
    content: dict[str, dict[str, list[str] | str]] = json.loads(text)
    return content


def _read_rows(name: str, table: str) -> list[dict[str, str]]:
    path = find(f"records/{name}/{table}.csv.gz")
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _as_columns(name: str, rows: list[dict[str, str]], columns: tuple[str, ...]) -> Columns:
    absent = [column for column in columns if rows and column not in rows[0]]
    if absent:
        raise InputError(
            f"A table of the set {name!r} lacks columns that columns.json names. Got {absent}. "
            f"Hint: it has {', '.join(rows[0])}."
        )
    return {column: [row[column] or None for row in rows] for column in columns}
