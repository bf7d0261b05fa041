"""Guessing the columns of records: those that two tables share, as in `pandas.merge`, or one has.

What numbers the rows of a table, and what tells how a row came to be, is left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from pearljoin._kinds.column_words import meanings, name_words, word_meanings
from pearljoin._progress import LOG
from pearljoin._tables.column_facts import LIKELY, MOSTLY_DISTINCT, ColumnFacts, Facts

__all__ = [
    "guess_own",
    "guess_shared",
    "is_bookkeeping",
    "log_left_out",
    "number_rows",
    "tell_rows_apart",
    "why_left_out",
    "why_not_compared",
]

_SCORE = "match", "score"
"""Words with which names of columns of scores begin: *match_score*, *match_score_right*."""

BOOKKEEPING = "bookkeeping by its name"
SCORES = "scores of an earlier join"
NO_VALUES = "no values to compare"
NO_PAIR = "values that cannot be compared"
ROW_NUMBERS = "numbers the rows of each table"
NO_COMMON = "no values in common"
DISTINCT_CODES = "codes or whole numbers, all distinct"
"""Why a column is left out."""


def guess_shared(left: Facts, right: Facts) -> tuple[Hashable, ...]:
    """List the columns by which two tables describe the same things, if they share several.

    All that both have by one name count, but those without values in either, of which the values
    cannot be compared, that are bookkeeping by their name, or that number rows of each table: codes
    that are mostly distinct in one and unknown to the other, and whole numbers that are all
    distinct in one, and consecutive in both or in one that knows few of the other's.

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
    reasons = {name: why_not_compared(*pair) for name, pair in pairs.items()}
    shared = tuple(name for name, reason in reasons.items() if reason is None)
    return shared if _name_rows(left, right, shared) else ()


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
        codes and whole numbers that are all distinct. Empty for one column, or without text. What
        is left out, and why, is logged.
    """
    reasons = {name: why_left_out(column) for name, column in table.items()}
    every = [name for name, reason in reasons.items() if reason is None]
    own = [name for name in every if not (table[name].are_codes and table[name].are_distinct)]
    if own and tell_rows_apart(table, own):
        reasons |= {name: DISTINCT_CODES for name in every if name not in own}
    else:
        own = every
    if not any(table[name].is_text for name in own):
        return ()
    log_left_out(reasons)
    return tuple(own) if len(own) > 1 else ()


def is_bookkeeping(name: Hashable) -> bool:
    """Tell whether a column numbers the rows of a table, or tells of changes, by its name.

    Examples
    --------
    >>> [is_bookkeeping(name) for name in ("row_id", "createdAt", "notes", "item id", "level")]
    [True, True, True, False, False]
    """
    words = name_words(name)
    said = [word_meanings(word) for word in words if not word.isdecimal()]
    rest = [each for each in said if "beside-row" not in each]
    whole = meanings(words)
    if rest and ("row-number" in whole or all("row" in each for each in rest)):
        return True
    # *Created* may be of what the row is about, and *created by* says who made that.
    is_change = any("change" in each or ("creation" in each and len(words) > 1) for each in said)
    is_maker = any("maker" in each for each in said)
    return (is_change and not is_maker) or (len(words) == 1 and "aside" in whole)


def why_not_compared(left: ColumnFacts, right: ColumnFacts) -> str | None:
    """Say why columns of one name cannot tell which rows of two tables match; None if they may."""
    reason = why_left_out(left) or why_left_out(right)
    if reason is not None:
        return reason
    if not left.may_be_compared(right):
        return NO_PAIR
    if not number_rows(left, right):
        return None
    return NO_COMMON if left.is_text and right.is_text else ROW_NUMBERS


def why_left_out(column: ColumnFacts) -> str | None:
    """Say why a column tells nothing of what its rows are; None if it may."""
    if is_bookkeeping(column.name):
        return BOOKKEEPING
    if not column.has_values:
        return NO_VALUES
    return SCORES if _are_scores(column) else None


def _are_scores(column: ColumnFacts) -> bool:
    """Tell whether a column holds the scores of matches; a match may have another score, 2:1."""
    if tuple(name_words(column.name))[:2] != _SCORE or column.kind != "number":
        return False
    return all(0 <= score <= 1 for score in column.filled)


def log_left_out(reasons: Mapping[Hashable, str | None]) -> None:
    """Log at INFO which columns are left out, and why; None where one is not."""
    listed = [f"{name} ({reason})" for name, reason in reasons.items() if reason is not None]
    if listed:
        LOG.info("left out of the guessed key columns: %s", ", ".join(listed))


def _name_rows(left: Facts, right: Facts, shared: Sequence[Hashable]) -> bool:
    """Tell whether several columns that two tables share say which rows are meant."""
    pairs = [(left[name], right[name]) for name in shared]
    texts = [pair for pair in pairs if all(column.is_text for column in pair)]
    if len(shared) < 2 or not texts:
        return False
    if any(column.role == "names" for pair in texts for column in pair):
        return True
    if _has_names(left, shared) and _has_names(right, shared):
        return False
    return any(tell_rows_apart(table, shared) for table in (left, right))


def _has_names(columns: Facts, without: Sequence[Hashable]) -> bool:
    """Tell whether a text column, other than some, may name the rows of its table."""
    return any(
        name not in without and column.is_text and column.role in LIKELY
        for name, column in columns.items()
    )


def tell_rows_apart(table: Facts, names: Sequence[Hashable]) -> bool:
    """Tell whether most rows of a table differ in some columns (at least four in five)."""
    columns = [table[name] for name in names]
    # One that does by itself is the rule, and rows need not be looked at.
    if any(len(column.counts) >= MOSTLY_DISTINCT * column.n_rows for column in columns):
        return True
    rows = list(zip(*(map(str, column.column.to_list()) for column in columns), strict=True))
    return len(set(rows)) >= MOSTLY_DISTINCT * len(rows)


def number_rows(left: ColumnFacts, right: ColumnFacts) -> bool:
    """Tell whether columns number the rows of two tables, each by itself.

    Codes do of which the tables have no others in common, and whole numbers that are consecutive in
    both; or in one, if the other has mostly others: it may have some of the rows of the one.
    """
    if not (left.are_codes or right.are_codes):
        return False
    if left.is_text and right.is_text:
        return not left.shares_values(right)
    n_runs = left.is_run_beside(right) + right.is_run_beside(left)
    return n_runs == 2 or (n_runs == 1 and not left.shares_most_numbers(right))
