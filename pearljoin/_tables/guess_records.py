"""Guessing the columns of records: those that two tables share, as in `pandas.merge`, or one has.

What numbers the rows of a table, and what tells how a row came to be, is left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from pearljoin._kinds.column_names import name_words
from pearljoin._tables.column_facts import LIKELY, MOSTLY_DISTINCT, ColumnFacts, Facts

__all__ = ["guess_own", "guess_shared", "is_bookkeeping"]

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


def guess_shared(left: Facts, right: Facts) -> tuple[Hashable, ...]:
    """List the columns by which two tables describe the same things, if they share several.

    All that both have by one name count, but those without values in either, of which the values
    cannot be compared, that are bookkeeping by their name, or that number rows: codes and whole
    numbers that are all distinct in a table, and mostly unknown to the other one or consecutive.

    Parameters
    ----------
    left, right
        The columns of the tables, but for those that are used otherwise.

    Returns
    -------
    names
        In the order of the left table. Empty where one column or none is shared, where none of them
        is text, or where they do not name the rows: none has names, and the rows are not mostly
        distinct by them, or both tables have names in columns of other names.
    """
    pairs = {name: (column, right[name]) for name, column in left.items() if name in right}
    shared = tuple(name for name, pair in pairs.items() if _may_tell(*pair))
    texts = [pairs[name] for name in shared if all(column.is_text for column in pairs[name])]
    if len(shared) < 2 or not texts:
        return ()
    if any(column.role == "names" for pair in texts for column in pair):
        return shared
    if _has_names(left, shared) and _has_names(right, shared):
        return ()
    return shared if any(_tell_rows_apart(table, shared) for table in (left, right)) else ()


def guess_own(table: Facts) -> tuple[Hashable, ...]:
    """List the columns that tell which rows of one table are the same thing, if it has several.

    Parameters
    ----------
    table
        The columns of the table, but for those that are used otherwise.

    Returns
    -------
    names
        Without those of no values, of bookkeeping, and, where the others tell most rows apart, of
        codes and whole numbers that are all distinct. Empty for one column, or without text.
    """
    every = {
        name: column
        for name, column in table.items()
        if not is_bookkeeping(name) and column.has_values
    }
    own = {name: column for name, column in every.items() if not column.are_codes}
    if not _tell_rows_apart(table, tuple(own)):
        own = every
    is_guessed = len(own) > 1 and any(column.is_text for column in own.values())
    return tuple(own) if is_guessed else ()


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


def _may_tell(left: ColumnFacts, right: ColumnFacts) -> bool:
    """Tell whether columns of one name may tell which rows of two tables match."""
    if is_bookkeeping(left.name) or not (left.has_values and right.has_values):
        return False
    return left.may_be_compared(right) and not _number_rows(left, right)


def _has_names(columns: Facts, without: Sequence[Hashable]) -> bool:
    """Tell whether a text column, other than some, may name the rows of its table."""
    return any(
        name not in without and column.is_text and column.role in LIKELY
        for name, column in columns.items()
    )


def _tell_rows_apart(table: Facts, names: Sequence[Hashable]) -> bool:
    """Tell whether most rows of a table differ in some columns (at least four in five)."""
    columns = [table[name] for name in names]
    # One that does by itself is the rule, and rows need not be looked at.
    if any(len(column.counts) >= MOSTLY_DISTINCT * column.n_rows for column in columns):
        return True
    rows = list(zip(*(map(str, column.column.to_list()) for column in columns), strict=True))
    return len(set(rows)) >= MOSTLY_DISTINCT * len(rows)


def _number_rows(left: ColumnFacts, right: ColumnFacts) -> bool:
    """Tell whether columns number the rows of two tables, each by itself.

    Codes do of which the tables have no others in common, whole numbers that are consecutive.
    """
    if not (left.are_codes or right.are_codes):
        return False
    if left.is_text and right.is_text:
        return not left.shares_values(right)
    return left.is_run or right.is_run
