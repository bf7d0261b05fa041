"""Joined tables: from row positions to a table of the left table's kind."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import count
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from pearljoin._errors import InputError
from pearljoin._matches import Matches
from pearljoin._records.missing_keys import NULL
from pearljoin._tables.backends import Backend, backend_of, convert, native_from, uniform
from pearljoin._tables.keys import Keys
from pearljoin._tables.library_errors import library_errors
from pearljoin._tables.read_table import Table, plain_backend
from pearljoin._typing import How, IntVector

__all__ = [
    "NO_ROW",
    "SHOWN_DECIMALS",
    "as_kind_of",
    "assemble",
    "assemble_rows",
    "check_free",
    "check_result",
    "frame_of",
    "read_suffix",
    "result_errors",
    "result_names",
    "rounded",
    "take_key",
    "take_rows",
    "with_columns",
]

NO_ROW = -1
"""Position of a row that is not there."""

SHOWN_DECIMALS = 5
"""Of the scores in tables of results."""

Names = dict[Hashable, Hashable]
ResultRows = tuple[IntVector, IntVector, NDArray[np.float64]]


def assemble(
    left: Table,
    right: Table,
    keys: Keys,
    matches: Matches,
    *,
    how: How,
    suffix: str | Sequence[str],
    score: str | None,
) -> Any:
    """Build the joined table.

    Parameters
    ----------
    left, right
        The tables as they were given.
    keys
        What was compared; exact-match columns are merged into one.
    matches
        Row positions and scores, in the order of the result.
    how
        Kind of join.
    suffix
        For the right's clashing columns, or a pair for the left's and the right's.
    score
        Name of the score column; None leaves it out.

    Returns
    -------
    table
        Of the left table's kind; lazy where the left table was lazy.

    Raises
    ------
    InputError
        If two columns of the result would have one name.
    """
    if how in ("semi", "anti"):
        matched = np.isin(np.arange(left.n_rows), matches.left)
        return take_rows(left, np.flatnonzero(matched == (how == "semi")))
    rows = _result_rows(matches, left.n_rows, right.n_rows, how)
    keeps_index = how in ("left", "inner")
    return assemble_rows(left, right, keys, rows, suffix, score, keeps_index=keeps_index)


def check_result(
    left: Table, right: Table, keys: Keys, *, how: How, suffix: str | Sequence[str], score: Any
) -> None:
    """Refuse what `assemble` would refuse, before anything is matched.

    Parameters
    ----------
    left, right, keys, how, suffix, score
        As of `assemble`.

    Raises
    ------
    InputError
        If two columns of the result would have one name.
    TableTypeError
        If the left table's library cannot hold the right table, or take rows of a column.
    """
    if how in ("semi", "anti"):
        take_rows(left, np.arange(min(1, left.n_rows)))
        return
    # One row of each sort that the result may have.
    one = np.zeros(min(1, left.n_rows, right.n_rows), dtype=np.int64)
    matches = Matches(one, one, np.ones(len(one), dtype=np.float32))
    rows = _result_rows(matches, min(2, left.n_rows), min(2, right.n_rows), how)
    assemble_rows(left, right, keys, rows, suffix, score)


def assemble_rows(
    left: Table,
    right: Table,
    keys: Keys,
    rows: ResultRows,
    suffix: str | Sequence[str],
    score: str | None,
    *,
    keeps_index: bool = False,
) -> Any:
    """Build the joined table of some rows.

    Parameters
    ----------
    left, right, keys, suffix, score
        As of `assemble`.
    rows
        Left row, right row and score of each row of the result: int64, int64 and float64 of shape
        (n_rows,). `NO_ROW` and NaN where there is none; rows without a left row come last.
    keeps_index
        Whether rows keep the index of the left table, where it has one.
    """
    left_names, right_names = result_names(left, right, keys, suffix, score)
    left_rows, right_rows, scores = rows
    left_frame = frame_of(left)
    backend, left_native = backend_of(left_frame), left_frame.to_native()
    right_native, native_names = as_kind_of(right, left_frame)
    columns: dict[Hashable, Any] = {}
    for column, name in left_names.items():
        with result_errors(column, left):
            columns[name] = backend.take(left_native, column, left_rows)
    extra = left_rows == NO_ROW
    for left_name, right_name in zip(keys.left_by, keys.right_by, strict=True):
        with result_errors(left_name, left):
            columns[left_names[left_name]] = backend.join_ends(
                backend.take(left_native, left_name, left_rows[~extra]),
                backend.take(right_native, native_names[right_name], right_rows[extra]),
            )
    for column, name in right_names.items():
        with result_errors(column, right):
            columns[name] = backend.take(right_native, native_names[column], right_rows)
    if score is not None:
        columns[score] = backend.numbers(scores)
    # Right and full joins hold rows that have no left index, so theirs is numbered anew.
    table = backend.build(columns, left_native, left_rows if keeps_index else None)
    return _finish(table, left)


def result_errors(name: Hashable, table: Table) -> AbstractContextManager[None]:
    """Turn what a library raises where it cannot take rows of a column into a TableTypeError."""
    return library_errors(
        f"Rows of the column {name!r} of the {table.title} cannot be taken",
        "convert the column beforehand, or leave it out",
    )


def take_rows(table: Table, rows: IntVector) -> Any:
    """Take some rows of a table; the result is of its kind.

    Raises
    ------
    TableTypeError
        If its library cannot take rows of a column.
    """
    frame = frame_of(table)
    with library_errors(
        f"Rows of the {table.title} cannot be taken", "convert the column beforehand"
    ):
        return _finish(backend_of(frame).rows(frame.to_native(), rows), table)


def _finish(native: Any, like: Table) -> Any:
    return native.lazy() if like.lazy else native


def frame_of(table: Table) -> nw.DataFrame[Any]:
    """The table as a frame; a plain sequence becomes one of an installed library."""
    if table.frame is not None:
        return table.frame
    cells = {str(n): uniform(c.to_list()) for n, c in table.columns.items()}
    return nw.from_native(native_from(cells, plain_backend()), eager_only=True)


def as_kind_of(table: Table, like: nw.DataFrame[Any]) -> tuple[Any, Names]:
    """The table as a native frame of another's kind, and what its columns are called there.

    It is kept, for the next table that is made of it.
    """
    kind = like.implementation
    if kind not in table.converted:
        if table.frame is None:
            columns = {str(n): uniform(c.to_list()) for n, c in table.columns.items()}
            native, names = native_from(columns, kind), list(columns)
        else:
            frame = convert(table.frame, kind, table.side)
            native, names = frame.to_native(), frame.columns
        table.converted[kind] = native, dict(zip(table.columns, names, strict=True))
    return table.converted[kind]


def _result_rows(matches: Matches, n_left: int, n_right: int, how: How) -> ResultRows:
    """Left row, right row and score of each row of the result; `NO_ROW` and NaN where none is."""
    left, right = matches.left, matches.right
    scores = rounded(matches.score)
    if how in ("left", "full"):
        alone = np.setdiff1d(np.arange(n_left), left)
        order = np.argsort(np.concatenate([left, alone]), kind="stable")
        left = np.concatenate([left, alone])[order]
        right = np.concatenate([right, np.full(len(alone), NO_ROW)])[order]
        scores = np.concatenate([scores, np.full(len(alone), np.nan)])[order]
    if how in ("right", "full"):
        alone = np.setdiff1d(np.arange(n_right), matches.right)
        left = np.concatenate([left, np.full(len(alone), NO_ROW)])
        right = np.concatenate([right, alone])
        scores = np.concatenate([scores, np.full(len(alone), np.nan)])
    return left.astype(np.int64), right.astype(np.int64), scores


def rounded(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Round scores as tables of results show them."""
    return np.asarray(np.round(scores.astype(np.float64), SHOWN_DECIMALS), dtype=np.float64)


def result_names(
    left: Table, right: Table, keys: Keys, suffix: str | Sequence[str], score: str | None
) -> tuple[Names, Names]:
    """Name the columns of the result, left and right, by their names before."""
    left_suffix, right_suffix = read_suffix(suffix)
    if score is not None and not isinstance(score, str):
        raise InputError(f"score= must be a column name or None. Got {score!r}.")
    # A plain column of both sides is called by its side, so two sequences do not clash.
    kept = [name for name in right.columns if name not in keys.right_by]
    clashing = set(left.columns) & set(kept)
    left_names: Names = {n: _suffixed(n, left_suffix, clashing) for n in left.columns}
    right_names: Names = {n: _suffixed(n, right_suffix, clashing) for n in kept}
    names = [*left_names.values(), *right_names.values()]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    other_score = None
    if score is not None and score in names:
        other_score = f"score={_free(score, names)!r}, or score=None to leave the score out"
    if twice:
        also = f" The score column's name is taken, too: {other_score}." if other_score else ""
        raise InputError(
            f"Two columns of the result would have one name. Got {twice!r} twice with "
            f"suffix={suffix!r}. Hint: choose another suffix, such as "
            f"{_free_suffix(left, kept)!r}, or a pair, suffix=('_left', '_right').{also}"
        )
    if other_score:
        raise InputError(
            f"The score column's name is taken. Got score={score!r}, which is a column of the "
            f"result. Hint: a table that was joined before has one; {other_score}."
        )
    return left_names, right_names


def _free(name: str, taken: Iterable[Hashable]) -> str:
    """A name with the first number from 2 on that no column has."""
    held, stem = set(taken), re.sub(r"_\d+$", "", name)
    return next(each for n in count(2) if (each := f"{stem}_{n}") not in held)


def _free_suffix(left: Table, kept: Sequence[Hashable]) -> str:
    """A suffix for the right's columns that makes no name twice."""
    held = {*left.columns, *kept}
    clashing = [name for name in kept if name in left.columns]
    suffixes = (f"_right{n}" for n in count(2))
    return next(each for each in suffixes if held.isdisjoint(f"{n}{each}" for n in clashing))


def _suffixed(name: Hashable, suffix: str, clashing: set[Hashable]) -> Hashable:
    return f"{name}{suffix}" if suffix and name in clashing else name


def read_suffix(suffix: Any) -> tuple[str, str]:
    """Read `suffix`: the right's, or a pair for the left's and the right's.

    Raises
    ------
    InputError
        If it is neither a string nor a pair of strings.
    """
    if isinstance(suffix, str):
        return "", suffix
    if isinstance(suffix, list | tuple) and len(suffix) == 2:
        pair = tuple("" if part is None else part for part in suffix)
        if all(isinstance(part, str) for part in pair):
            return pair[0], pair[1]
    raise InputError(
        f"suffix= must be a string or a pair of strings. Got {suffix!r}. "
        "Hint: '_right', or ('_left', '_right')."
    )


def check_free(added: Iterable[Hashable], columns: Iterable[Hashable]) -> None:
    """Refuse names of new columns that a table has already.

    Raises
    ------
    InputError
        If there is one.
    """
    held = set(columns)
    taken = [name for name in added if name in held]
    if taken:
        raise InputError(
            f"The table has the columns {taken!r} already. "
            "Hint: choose other names with cluster= and canonical=, or rename the columns."
        )


def with_columns(table: Table, added: dict[str, Any]) -> Any:
    """The table with further columns: whole numbers by row, or (column, rows) to take from.

    Raises
    ------
    InputError
        If the table has a column of that name already.
    """
    check_free(added, table.columns)
    frame = frame_of(table)
    backend, native = backend_of(frame), frame.to_native()
    rows = np.arange(table.n_rows)
    columns: dict[Hashable, Any] = {}
    for name in frame.columns:
        with result_errors(name, table):
            columns[name] = backend.take(native, name, rows)
    for name, what in added.items():
        with result_errors(name, table):
            columns[name] = (
                take_key(backend, table, native, *what)
                if isinstance(what, tuple)
                else backend.integers(what)
            )
    return _finish(backend.build(columns, native, rows), table)


def take_key(
    backend: Backend,
    table: Table,
    native: Any,
    name: Hashable,
    rows: IntVector,
    called: Mapping[Hashable, Hashable] | None = None,
) -> Any:
    """Take a column by row position, or several that are read together as texts.

    Parameters
    ----------
    backend, native
        The table as one of a library.
    table, name
        The table as it was given, and the column.
    rows
        int64 of shape (n,): row positions; null where one is `NULL`.
    called
        What columns are called in `native`, where they are called otherwise.
    """
    if not table.columns.is_joined(name):
        return backend.take(native, name if called is None else called[name], rows)
    known = [row for row in rows.tolist() if row != NULL]
    cells = iter(table.columns[name].cells(known))
    return backend.texts([None if row == NULL else next(cells) for row in rows.tolist()])
