"""The 50 AutoFJ tables (Li et al. 2021): reference titles, queries, and the true pairs.

AutoFJ calls its reference table "left". Here, as in `pearljoin.fuzzy_join`, the reference is the
right one, so the two are swapped, in this file and nowhere else: a `query` is a row of
``right.csv`` and a `reference` is a row of ``left.csv``.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pearljoin_train.data.folder import DataDamagedError, find

__all__ = ["AutoFJTable", "load_table", "table_names"]

FOLDER = "autofj"


@dataclass(frozen=True)
class AutoFJTable:
    """One of the tables. Every tuple keeps the order of the file.

    Examples
    --------
    >>> table = AutoFJTable("Toy", ("London", "Paris"), ("0", "1"), ("Paris (city)",), ("7",),
    ...                     (("1", "7"),))
    >>> table.gold_titles
    (('Paris', 'Paris (city)'),)
    >>> table.answers
    {'Paris (city)': frozenset({'Paris'})}
    """

    name: str
    reference: tuple[str, ...]
    """Titles of the reference table, AutoFJ's left, as published (mojibake and all)."""
    reference_ids: tuple[str, ...]
    queries: tuple[str, ...]
    """Titles to be matched, AutoFJ's right."""
    query_ids: tuple[str, ...]
    gold: tuple[tuple[str, str], ...]
    """True pairs of ids, (reference id, query id)."""

    @property
    def gold_titles(self) -> tuple[tuple[str, str], ...]:
        """True pairs of titles, (reference title, query title)."""
        reference = dict(zip(self.reference_ids, self.reference, strict=True))
        queries = dict(zip(self.query_ids, self.queries, strict=True))
        return tuple((reference[left], queries[right]) for left, right in self.gold)

    @property
    def answers(self) -> dict[str, frozenset[str]]:
        """Right reference titles by query title; a query without a match is not a key."""
        gathered: dict[str, set[str]] = {}
        for reference, query in self.gold_titles:
            gathered.setdefault(query, set()).add(reference)
        return {query: frozenset(titles) for query, titles in gathered.items()}


def table_names(folder: Path | None = None) -> list[str]:
    """Return the names of the tables that are there, in alphabetical order.

    Parameters
    ----------
    folder
        The data folder, which holds ``autofj/``; by default the one in force.

    Returns
    -------
    names
        The 50 published ones where the folder is whole.

    Raises
    ------
    DataMissingError
        If there is no such folder.
    """
    return sorted(path.name for path in find(FOLDER, folder).iterdir() if path.is_dir())


def load_table(name: str, folder: Path | None = None) -> AutoFJTable:
    """Read one table.

    Parameters
    ----------
    name
        One of `table_names`, e.g. ``"Case"``.
    folder
        The data folder, which holds ``autofj/``; by default the one in force.

    Returns
    -------
    table
        The reference, the queries and the true pairs.

    Raises
    ------
    DataMissingError
        If one of its three files is not there.
    DataDamagedError
        If a file is not the CSV it should be, repeats an id, or if a true pair names a row that
        the other two files do not hold.
    """
    place = Path(FOLDER) / name
    reference_ids, reference = _titles(find(place / "left.csv", folder))
    query_ids, queries = _titles(find(place / "right.csv", folder))
    gold_file = find(place / "gt.csv", folder)
    gold = _rows(gold_file, ("id_l", "title_l", "id_r", "title_r"))
    table = AutoFJTable(
        name=name,
        reference=reference,
        reference_ids=reference_ids,
        queries=queries,
        query_ids=query_ids,
        gold=tuple((row[0], row[2]) for row in gold),
    )
    _check_gold(gold_file, gold, table)
    return table


def _titles(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    rows = _rows(path, ("id", "title"))
    ids = tuple(row[0] for row in rows)
    if len(set(ids)) != len(ids):
        raise DataDamagedError(path, "an id occurs twice")
    return ids, tuple(row[1] for row in rows)


def _rows(path: Path, header: Sequence[str]) -> list[list[str]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file, strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataDamagedError(path, f"it is not CSV in UTF-8 ({error})") from error
    if not rows or rows[0] != list(header):
        got = rows[0] if rows else "an empty file"
        raise DataDamagedError(path, f"its header should be {list(header)}, got {got}")
    for number, row in enumerate(rows[1:], start=1):
        if len(row) != len(header):
            raise DataDamagedError(path, f"row {number} has {len(row)} fields, not {len(header)}")
    return rows[1:]


def _check_gold(path: Path, gold: list[list[str]], table: AutoFJTable) -> None:
    reference = dict(zip(table.reference_ids, table.reference, strict=True))
    queries = dict(zip(table.query_ids, table.queries, strict=True))
    for left_id, left_title, right_id, right_title in gold:
        if reference.get(left_id) != left_title or queries.get(right_id) != right_title:
            raise DataDamagedError(
                path,
                f"the pair ({left_id} {left_title!r}, {right_id} {right_title!r}) names a row "
                "that left.csv or right.csv does not hold",
            )
