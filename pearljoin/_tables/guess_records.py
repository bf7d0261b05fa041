"""Guessing the columns of records: those that two tables share, as in `pandas.merge`, or one has.

What numbers the rows of a table, and what tells how a row came to be, is left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from pearljoin._kinds.column_names import hints, name_words
from pearljoin._kinds.protocol import Kind
from pearljoin._kinds.recognise import recognise
from pearljoin._tables.cells import REFUSED
from pearljoin._tables.column_roles import (
    FEWEST_CELLS,
    LIKELY,
    MOSTLY_DISTINCT,
    role_of,
    share_values,
)
from pearljoin._tables.columns import Cells, column_kind, is_text, present_cells
from pearljoin._tables.joint_kind import may_be_compared
from pearljoin._tables.read_table import Table

__all__ = ["guess_own", "guess_shared", "is_bookkeeping"]

NO_CODES: frozenset[Kind] = frozenset({"date", "email", "phone", "postcode"})
"""Kinds of values that are written as codes are, and say something of what a row is about."""

_ROW_WORDS = frozenset(
    {"guid", "id", "index", "pk", "rid", "row", "rowid", "uid", "unnamed", "uuid"}
)
"""Words of which, and of *no*, *key* and digits, names consist of columns that number rows:
*row_id*, *Unnamed: 0*."""

_BESIDE_ROW_WORDS = frozenset({"key", "no", "number"})

_CHANGES = frozenset(
    {"changed", "created", "exported", "imported", "inserted", "loaded", "modified", "updated"}
)
"""Words in names of columns that tell what happened to a row: *created_at*; but *created* may be of
what the row is about, and *created_by* says who made that."""

_BY = frozenset({"by"})

_ASIDE = frozenset({"comment", "comments", "memo", "note", "notes", "remark", "remarks", "source"})
"""Names of columns of remarks, and of where rows are from."""


def guess_shared(
    left: Table, right: Table, left_without: Sequence[Hashable], right_without: Sequence[Hashable]
) -> tuple[Hashable, ...]:
    """List the columns by which two tables describe the same things, if they share several.

    All that both have by one name count, but those without values in either, of which the values
    cannot be compared, that are bookkeeping by their name, or that number rows: codes and whole
    numbers that are all distinct in a table, and mostly unknown to the other one or consecutive.

    Parameters
    ----------
    left, right
        The tables.
    left_without, right_without
        Columns that are used otherwise.

    Returns
    -------
    names
        In the order of the left table. Empty where one column or none is shared, where none of them
        is text, or where they do not name the rows: none has names, and the rows are not mostly
        distinct by them, or both tables have names in columns of other names.
    """
    tables = {name: column for name, column in left.columns.items() if name not in left_without}
    others = {name: column for name, column in right.columns.items() if name not in right_without}
    pairs = {name: (column, others[name]) for name, column in tables.items() if name in others}
    shared = tuple(name for name, pair in pairs.items() if _may_tell(name, *pair))
    texts = [name for name in shared if all(map(is_text, pairs[name]))]
    if len(shared) < 2 or not texts:
        return ()
    if any("names" in (role_of(column, name) for column in pairs[name]) for name in texts):
        return shared
    if _has_names(tables, shared) and _has_names(others, shared):
        return ()
    return shared if any(_tell_rows_apart(table, shared) for table in (left, right)) else ()


def guess_own(table: Table, without: Sequence[Hashable]) -> tuple[Hashable, ...]:
    """List the columns that tell which rows of one table are the same thing, if it has several.

    Parameters
    ----------
    table
        The table.
    without
        Columns that are used otherwise.

    Returns
    -------
    names
        Without those of no values, of bookkeeping, and, where the others tell most rows apart, of
        codes and whole numbers that are all distinct. Empty for one column, or without text.
    """
    every = {
        name: column
        for name, column in table.columns.items()
        if name not in without and not is_bookkeeping(name) and _has_values(column)
    }
    own = {name: column for name, column in every.items() if not _are_codes(column, name)}
    if not _tell_rows_apart(table, tuple(own)):
        own = every
    return tuple(own) if len(own) > 1 and any(map(is_text, own.values())) else ()


def is_bookkeeping(name: Hashable) -> bool:
    """Tell whether a column numbers the rows of a table, or tells of changes, by its name.

    Examples
    --------
    >>> [is_bookkeeping(name) for name in ("row_id", "createdAt", "notes", "item id", "level")]
    [True, True, True, False, False]
    """
    words = tuple(name_words(name))
    rest = {word for word in words if not word.isdecimal()} - _BESIDE_ROW_WORDS
    if rest and rest <= _ROW_WORDS:
        return True
    is_change = not _CHANGES.isdisjoint(words) and _BY.isdisjoint(words)
    return (is_change and words != ("created",)) or (len(words) == 1 and words[0] in _ASIDE)


def _may_tell(name: Hashable, left: Cells, right: Cells) -> bool:
    """Tell whether columns of one name may tell which rows of two tables match."""
    if is_bookkeeping(name) or not (_has_values(left) and _has_values(right)):
        return False
    return may_be_compared(left, right) and not _number_rows(left, right, name)


def _has_values(column: Cells) -> bool:
    """Tell whether a column has values of a type that can be compared, as lists cannot.

    That of a table without rows may have.
    """
    is_typed = is_text(column) or column_kind(column) != "text"
    cells = list(present_cells(column)) if is_typed else []
    if not is_typed or any(isinstance(cell, REFUSED) for cell in cells):
        return False
    return bool(cells) or not column.to_list()


def _has_names(columns: Mapping[Hashable, Cells], without: Sequence[Hashable]) -> bool:
    """Tell whether a text column, other than some, may name the rows of its table."""
    return any(
        name not in without and is_text(column) and role_of(column, name) in LIKELY
        for name, column in columns.items()
    )


def _tell_rows_apart(table: Table, names: Sequence[Hashable]) -> bool:
    """Tell whether most rows of a table differ in some columns (at least four in five)."""
    rows = list(zip(*(map(str, table.columns[name].to_list()) for name in names), strict=True))
    return len(set(rows)) >= MOSTLY_DISTINCT * len(rows)


def _number_rows(left: Cells, right: Cells, name: Hashable) -> bool:
    """Tell whether columns number the rows of two tables, each by itself.

    Codes do of which the tables have no others in common, whole numbers that are consecutive.
    """
    if not any(_are_codes(column, name) for column in (left, right)):
        return False
    if is_text(left) and is_text(right):
        return not share_values(left, right)
    return any(map(_is_run, (left, right)))


def _are_codes(column: Cells, name: Hashable) -> bool:
    """Tell whether the values of a column are all distinct, and codes or whole numbers.

    Few values do not tell, and years are no codes.
    """
    cells, kind = list(present_cells(column)), column_kind(column)
    if len(cells) < FEWEST_CELLS or "date" in hints(name):
        return False
    if kind == "text":
        is_coded = role_of(column, name) == "identifiers"
        return is_coded and recognise(list(map(str, cells)), name) not in NO_CODES
    return kind == "number" and all(map(_is_whole, cells)) and len(set(cells)) == len(cells)


def _is_run(column: Cells) -> bool:
    """Tell whether the values of a column are consecutive whole numbers, each once."""
    cells = set(present_cells(column)) if column_kind(column) == "number" else set()
    if len(cells) < FEWEST_CELLS or not all(map(_is_whole, cells)):
        return False
    return bool(max(cells) - min(cells) + 1 == len(cells))


def _is_whole(number: float) -> bool:
    return number == number // 1
