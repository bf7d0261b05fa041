"""Golden records: one row for each cluster, by a rule for each column."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from pearljoin._clusters.canonical import first_best, most_frequent, rows_of_clusters
from pearljoin._dedupe.golden_dates import time_keys
from pearljoin._errors import InputError, did_you_mean, nearest
from pearljoin._records.missing_keys import NULL
from pearljoin._tables.backends import backend_of, native_from, uniform
from pearljoin._tables.cells import is_hashable, is_null
from pearljoin._tables.output import frame_of, result_errors
from pearljoin._tables.read_table import Table
from pearljoin._tables.stacking import SOURCE
from pearljoin._typing import IntVector

__all__ = ["Rules", "golden_cells", "golden_table"]

Rule: TypeAlias = str | Mapping[str, Any] | Callable[[list[Any]], Any]
Rules: TypeAlias = Rule | Mapping[Any, Rule]

NAMES = (
    "most_frequent",
    "most_complete",
    "longest",
    "first",
    "min",
    "max",
    "mean",
    "median",
    "sum",
)
COLUMNS_OF = {
    "newest": "{'newest': date_column}",
    "source": "{'source': (source_column, [preferred, ...])}",
}
"""Rules that name columns, as they are written."""

FORMS = tuple(COLUMNS_OF)

ALIKE = 0.75
"""Likeness from which a word is taken for the name of a rule."""

# A mean that is no number, as that of durations, has no column of numbers to go to.
MEANS: Mapping[str, Callable[[Any], Any]] = {
    "mean": lambda known: float(np.mean(known)),
    "median": lambda known: float(np.median(known)),
}
OF_NUMBERS: Mapping[str, Callable[[Any], Any]] = {**MEANS, "sum": sum}
"""Rules that make a number of several; a mean is a float, and a sum of the column's type."""


def golden_table(
    table: Table,
    labels: IntVector,
    rules: Rules | None,
    *,
    provenance: bool,
    ids: IntVector | None = None,
) -> Any:
    """Make one row of each cluster.

    Parameters
    ----------
    table
        The table.
    labels
        int64 of shape (n_rows,): the cluster of each row, numbered from 0.
    rules, provenance
        As in `DedupeResult.golden`.
    ids
        int64 of shape (n_clusters,): what the clusters are called. Default: their numbers.

    Returns
    -------
    table
        Of the table's kind.

    Raises
    ------
    InputError
        If a rule is not understood, or is for a column that is not there.
    """
    by_column = _read_rules(table, rules)
    _check_taken(table, provenance=provenance)
    frame = frame_of(table)
    backend, native = backend_of(frame), frame.to_native()
    cells = _Cells(table)
    n_clusters = int(labels.max(initial=-1)) + 1
    built: dict[Hashable, Any] = {
        "cluster": backend.integers(np.arange(n_clusters) if ids is None else ids),
        "n_rows": backend.integers(np.bincount(labels, minlength=n_clusters).astype(np.int64)),
    }
    rows_of: dict[Hashable, Any] = {}
    for name, column in zip(table.columns, frame.columns, strict=True):
        rule = by_column[name]
        rows = np.full(n_clusters, NULL, dtype=np.int64)
        if _is_combining(rule):
            values = _combined(cells, name, labels, rule)
            if callable(rule) or rule not in MEANS:
                made = native_from({"value": uniform(values)}, frame.implementation)
                built[column] = backend.take(made, "value", np.arange(n_clusters))
            else:
                numbers = [np.nan if value is None else value for value in values]
                built[column] = backend.numbers(np.array(numbers, dtype=np.float64))
        else:
            rows = _chosen_rows(cells, name, labels, rule)
            with result_errors(column, table):
                built[column] = backend.take(native, column, rows)
        rows_of[f"{column}_row"] = backend.integers(rows)
    if provenance:
        built |= rows_of
    made = backend.build(built, native, None)
    return made.lazy() if table.lazy else made


def golden_cells(
    table: Table, labels: IntVector, rules: Rules | None, rows: IntVector
) -> dict[Hashable, dict[int, tuple[Any, int]]]:
    """Work out the golden records of some clusters.

    Parameters
    ----------
    table, labels, rules
        As of `golden_table`.
    rows
        int64 of shape (n,), ascending: all rows of these clusters.

    Returns
    -------
    cells
        By column and by cluster: the value, or None; and the row that it comes from, or `NULL`
        where it comes from none or several.

    Raises
    ------
    InputError
        If a rule is not understood, or is for a column that is not there.
    """
    by_column = _read_rules(table, rules)
    cells = _Cells(table, rows)
    clusters, own = np.unique(labels[rows], return_inverse=True)
    found: dict[Hashable, dict[int, tuple[Any, int]]] = {}
    for name, rule in by_column.items():
        if _is_combining(rule):
            values = _combined(cells, name, own, rule)
            pairs = [(value, NULL) for value in values]
        else:
            chosen = _chosen_rows(cells, name, own, rule).tolist()
            pairs = [
                (None, NULL) if at == NULL else (cells[name][at], int(rows[at])) for at in chosen
            ]
        found[name] = dict(zip(clusters.tolist(), pairs, strict=True))
    return found


def _is_combining(rule: Any) -> bool:
    """Whether a rule makes a new value, instead of choosing that of a row."""
    return callable(rule) or (isinstance(rule, str) and rule in OF_NUMBERS)


class _Cells:
    """The cells of a table's columns, None for null; each column is read once.

    Parameters
    ----------
    table
        The table.
    rows
        Rows to read. Default: all.
    """

    def __init__(self, table: Table, rows: IntVector | None = None) -> None:
        self._table = table
        self._rows = None if rows is None else rows.tolist()
        self._known: dict[Hashable, list[Any]] = {}

    def __getitem__(self, name: Hashable) -> list[Any]:
        if name not in self._known:
            column = self._table.columns[name]
            listed = column.to_list() if self._rows is None else column.cells(self._rows)
            self._known[name] = [None if is_null(cell) else cell for cell in listed]
        return self._known[name]

    def whole(self, name: Hashable) -> list[Any]:
        """All cells of a column, whichever rows are read."""
        return self[name] if self._rows is None else self._table.columns[name].to_list()

    def n_known(self) -> list[int]:
        """Number of values of each row that are not null."""
        columns = [self[name] for name in self._table.columns]
        return [sum(cell is not None for cell in row) for row in zip(*columns, strict=True)]


def _check_taken(table: Table, *, provenance: bool) -> None:
    """Refuse a table whose columns have the names of those that are added."""
    rows = [f"{name}_row" for name in table.columns] if provenance else []
    names = ["cluster", "n_rows", *rows]
    taken = [name for name in names if name in table.columns or names.count(name) > 1]
    if taken:
        raise InputError(
            "The table has columns that are called as those of golden records. "
            f"Got {taken!r}. Hint: rename them."
        )


def _read_rules(table: Table, rules: Rules | None) -> dict[Hashable, Any]:
    """The rule of each column."""
    is_one = rules is None or isinstance(rules, str) or callable(rules)
    if is_one or (isinstance(rules, Mapping) and _is_form(table, rules)):
        rule = "most_frequent" if rules is None else rules
        return {name: _checked(table, name, rule) for name in table.columns}
    if not isinstance(rules, Mapping):
        raise InputError(
            f"rules= gives a rule for each column. Got a {type(rules).__name__}. "
            "Hint: {'phone': 'longest', 'city': 'most_frequent'}."
        )
    for name in rules:
        if name not in table.columns:
            raise table.lacks(name, "which is the column of a rule")
    given: dict[Any, Any] = dict(rules)
    return {name: _checked(table, name, given.get(name, "most_frequent")) for name in table.columns}


def _is_form(table: Table, rules: Mapping[Any, Any]) -> bool:
    """Whether a mapping is one rule for all columns, rather than a rule for each."""
    # Preferred sources are no rule for a column, even for one that is called "source".
    return _is_list(rules.get("source")) or bool(set(rules) & set(FORMS) - set(table.columns))


def _checked(table: Table, name: Hashable, rule: Any) -> Any:
    """Refuse a rule that is not understood."""
    if callable(rule) or (isinstance(rule, str) and rule in NAMES):
        return rule
    if isinstance(rule, Mapping) and len(set(rule) & set(FORMS)) == 1:
        form = next(form for form in FORMS if form in rule)
        if set(rule) <= ({"newest"} if form == "newest" else {"source", "column"}):
            column, preferred = _read_form(rule)
            if _is_list(preferred) and all(map(is_hashable, [column, *preferred])):
                if column not in table.columns:
                    raise table.lacks(column, f"which is named by the rule for {name!r}")
                return {form: column, "preferred": preferred}
    raise InputError(f"The rule for {name!r} is not understood. Got {rule!r}. Hint: {_hint(rule)}")


def _read_form(rule: Mapping[str, Any]) -> tuple[Any, Any]:
    """The column that a rule names, and the preferred sources."""
    if "newest" in rule:
        return rule["newest"], ()
    given = rule["source"]
    if isinstance(given, tuple) and len(given) == 2 and _is_list(given[1]):
        return given[0], given[1]
    return rule.get("column", SOURCE), given


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _hint(rule: Any) -> str:
    """What errors say in place of a rule that is not understood."""
    found = nearest(rule, [*NAMES, *FORMS], least=ALIKE) if isinstance(rule, str) else []
    if found and found[0] in NAMES:
        return did_you_mean(rule, found)
    if found:
        return f"{found[0]!r} goes with columns: {COLUMNS_OF[found[0]]}."
    return (
        f"one of {', '.join(map(repr, NAMES))}, {', '.join(COLUMNS_OF.values())}, or a function "
        "of a list of values, such as len."
    )


def _chosen_rows(cells: _Cells, name: Hashable, labels: IntVector, rule: Any) -> IntVector:
    """The row that gives the value of each cluster: int64 of shape (n_clusters,)."""
    values = cells[name]
    if rule == "most_frequent":
        return most_frequent(labels, values)
    if rule == "most_complete":
        n_known = cells.n_known()
        return first_best(labels, values, lambda row: n_known[row])
    if rule == "longest":
        return first_best(labels, values, lambda row: len(str(values[row])))
    if rule == "first":
        return first_best(labels, values, lambda row: 0)
    if rule in ("min", "max"):
        return _extremes(name, labels, values, least=rule == "min")
    if "newest" in rule:
        name = rule["newest"]
        dates = time_keys(cells[name], cells.whole(name), name)
        return first_best(labels, values, lambda row: dates[row])
    place = {source: -at for at, source in enumerate(rule["preferred"])}
    sources = _sources(cells[rule["source"]], rule["source"])
    last = -len(place)
    return first_best(labels, values, lambda row: place.get(sources[row], last))


def _extremes(
    name: Hashable, labels: IntVector, values: Sequence[Any], *, least: bool
) -> IntVector:
    """The row of the least or the greatest value of each cluster, as of `first_best`."""
    try:
        return first_best(labels, values, lambda row: values[row], least=least)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise InputError(
            f"The rule for {name!r} cannot be applied. Got values that cannot be ordered: {error}. "
            "Hint: 'min' and 'max' are for columns of numbers, dates or text alone."
        ) from error


def _sources(cells: list[Any], name: Hashable) -> list[Any]:
    """Return cells as sources, which must be hashable."""
    for cell in cells:
        if not is_hashable(cell):
            raise InputError(
                f"The column {name!r} cannot say where rows are from. Got {cell!r}. "
                "Hint: name a column of text or numbers."
            )
    return cells


def _combined(cells: _Cells, name: Hashable, labels: IntVector, rule: Any) -> list[Any]:
    """Apply a function to the values of each cluster; None where all are null."""
    values = cells[name]
    function = OF_NUMBERS[rule] if isinstance(rule, str) else rule
    found = []
    for rows in rows_of_clusters(labels):
        known = [values[row] for row in rows if values[row] is not None]
        try:
            found.append(function(known) if known else None)
        except Exception as error:  # a function of the user may raise any
            got = f"{error!r}, for {known[:3]!r}"
            hint = "the function takes a list of one value or more, none of them null."
            if isinstance(rule, str):
                # What NumPy says of text is no help.
                are = "'sum' is" if rule == "sum" else "'mean' and 'median' are"
                got, hint = f"{known[:3]!r}", f"{are} for numbers."
            raise InputError(
                f"The rule for {name!r} cannot be applied. Got {got}. Hint: {hint}"
            ) from error
    return found
