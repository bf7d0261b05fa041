"""The methods: which adapter each runs, in which environment, and which rows it fills."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers.client import PEERS, Peer
from benchmarks.records.generic import blocking_rules, column_kinds, tidy_codes
from benchmarks.records.process import CHECKOUT, Command
from benchmarks.records.sets import RecordSet
from pearljoin._errors import InputError

__all__ = ["Method", "make_method", "method_names", "requests", "row_names"]

ADAPTERS = Path(__file__).with_name("adapters")


@dataclass(frozen=True)
class Method:
    """A method, whose run fills one row of the table or several."""

    name: str
    rows: Mapping[str, str]
    """Name of the row by variant of the answer; see ``worker.py``."""
    how: str
    """How it is called, for the page."""
    peer: str | None = None
    """The peer's folder; None where it runs in this environment."""
    adapter: str = "records.py"
    """File in the peer's folder, or in ``adapters/``."""
    each_column: bool = False
    """Whether it is run once with each column alone, and the labels choose the best."""
    generic: bool = False
    """Whether it is given column kinds and blocking rules."""
    sets: tuple[str, ...] | None = None
    """The only sets it is for; None for all."""
    with_labels: bool = False
    """Whether the truth chooses something for it."""

    @property
    def installed(self) -> bool:
        """Whether its environment is there."""
        return self.peer is None or Peer(self.peer).installed

    @property
    def command(self) -> Command:
        """How it is run."""
        if self.peer is not None:
            folder = PEERS / self.peer
            pins = (folder / "requirements.txt",)
            return Command(Peer(self.peer).python, folder / self.adapter, True, pins)
        library = (CHECKOUT / "pearljoin",) if self.adapter == "ours.py" else ()
        return Command(Path(sys.executable), ADAPTERS / self.adapter, False, library)


def _splink(name: str) -> dict[str, str]:
    return {"0.5": f"{name}-0.5", "0.95": f"{name}-0.95"}


_METHODS = (
    Method(
        "pearljoin",
        {"": "pearljoin"},
        "`pj.match(left, right, on=columns, constraint=…)` and `pj.deduplicate(table, on=columns)`",
        adapter="ours.py",
    ),
    Method(
        "pearljoin-best-column",
        {"": "pearljoin-best-column"},
        "the same with one column; the labels choose which",
        adapter="ours.py",
        each_column=True,
        with_labels=True,
    ),
    Method(
        "splink",
        _splink("splink"),
        "generic comparisons by kind of column, EM, cut at match probability .5 or .95",
        peer="splink",
        generic=True,
    ),
    Method(
        "splink-transactions",
        _splink("splink-transactions"),
        "the settings that Splink's documentation publishes for `transactions`, without the "
        "blocking rule that uses the ids",
        peer="splink",
        adapter="records_transactions.py",
        sets=("transactions",),
    ),
    Method(
        "goldenmatch",
        {"": "goldenmatch"},
        "`match_df` and `dedupe_df`, zero-config",
        peer="goldenmatch",
    ),
    Method(
        "recordlinkage",
        {"": "recordlinkage"},
        "`ECMClassifier` over generic comparisons by kind of column",
        peer="recordlinkage",
        generic=True,
    ),
    Method(
        "string_grouper",
        {"": "string_grouper"},
        "`match_strings` and `group_similar_strings` of all columns as one text, defaults",
        peer="string_grouper",
    ),
    Method(
        "skrub",
        {"": "skrub"},
        "`fuzzy_join(on=columns)`, which accepts every match; `deduplicate` for one column",
        peer="skrub",
    ),
    Method(
        "tfidf-with-labels",
        {"": "tfidf-with-labels"},
        "cosine of tf-idf vectors (characters 2 to 4) of all columns as one text; the labels "
        "choose the threshold, and the linkage rule of clusters",
        adapter="tfidf.py",
        with_labels=True,
    ),
)


def method_names() -> list[str]:
    """Return the names of the methods that a run without ``--method`` tries."""
    return [method.name for method in _METHODS]


def row_names() -> list[str]:
    """Return the names of the rows of all methods, in the order they are shown."""
    return [row for method in _METHODS for row in method.rows.values()]


def make_method(name: str) -> Method:
    """Return a method by name.

    Raises
    ------
    InputError
        If there is no such method.
    """
    for method in _METHODS:
        if method.name == name:
            return method
    raise InputError(
        f"There is no method of that name. Got {name!r}. Hint: one of {', '.join(method_names())}."
    )


def method_of_row(row: str) -> Method:
    """Return the method that fills a row."""
    return next(method for method in _METHODS if row in method.rows.values())


def requests(method: Method, records: RecordSet) -> dict[str, dict[str, Any]]:
    """Return the requests of a method for a set, by what the labels may choose among.

    Parameters
    ----------
    method
        The method.
    records
        The set.

    Returns
    -------
    requests
        One, under ``""``; or one for each column, under its name.
    """
    if method.each_column:
        return {name: _request(method, records, (name,)) for name in records.columns}
    return {"": _request(method, records, records.columns)}


def _request(method: Method, records: RecordSet, columns: tuple[str, ...]) -> dict[str, Any]:
    left = {name: list(records.left[name]) for name in columns}
    right = records.right and {name: list(records.right[name]) for name in columns}
    asked: dict[str, Any] = {"left": left, "right": right, "constraint": records.constraint}
    if method.generic:
        kinds = column_kinds(left, right)
        asked["kinds"] = kinds
        asked["left"] = tidy_codes(left, kinds)
        asked["right"] = right and tidy_codes(right, kinds)
        asked["blocking"] = blocking_rules(asked["left"], asked["right"], kinds)
    return asked
