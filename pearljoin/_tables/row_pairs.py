"""Reading pairs of rows: arrays, lists of tuples, tables of any kind."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from pearljoin._errors import InputError, PearljoinError
from pearljoin._matches import Matches
from pearljoin._tables.cells import is_hashable, is_null
from pearljoin._tables.read_table import Table, as_table
from pearljoin._typing import FloatVector, IntVector

__all__ = ["pair_cells", "read_id_pairs", "read_row_pairs", "read_scores"]

LARGEST_ROW = np.iinfo(np.int64).max

ROW_COLUMNS = ("left_row", "right_row")
ID_COLUMNS = ("left_id", "right_id")


def read_scores(pairs: Any) -> FloatVector:
    """Scores of pairs that carry them: a `Matches`, or a table with a column ``score``.

    Returns
    -------
    scores
        float32 of shape (n_pairs,), in [0, 1].

    Raises
    ------
    InputError
        If the pairs carry no score, or one that is no number in [0, 1].
    """
    if isinstance(pairs, Matches):
        return pairs.score
    table = _table_of(pairs)
    if table is None or "score" not in table.columns:
        raise InputError(
            "The pairs carry no score. Got "
            + (f"columns {list(table.columns)!r}" if table else f"a {type(pairs).__name__}")
            + ". Hint: give what result.suggest_labels() returned; or pairs of row positions, and "
            "result= to look their scores up."
        )
    cells = table.columns["score"].to_list()
    for cell in cells:
        if is_null(cell) or not isinstance(cell, float | int | np.number) or not 0 <= cell <= 1:
            raise InputError(f"The score of a pair must be a number from 0 to 1. Got {cell!r}.")
    return np.array(cells, dtype=np.float32)


def read_row_pairs(pairs: Any) -> tuple[IntVector, IntVector]:
    """Row positions of pairs.

    Parameters
    ----------
    pairs
        Whole numbers: an array of shape (n_pairs, 2), a sequence or set of tuples, or a table with
        the columns ``left_row`` and ``right_row`` or with two columns.

    Returns
    -------
    left, right
        int64 of shape (n_pairs,) each.

    Raises
    ------
    InputError
        If they are not pairs of whole numbers.
    """
    return _as_rows(*pair_cells(pairs))


def read_id_pairs(pairs: Any, ids: Sequence[Any], argument: str) -> tuple[IntVector, IntVector]:
    """Row positions of pairs that name rows by their ids.

    Parameters
    ----------
    pairs
        Ids: as of `read_row_pairs`, or a table with the columns ``left_id`` and ``right_id``.
    ids
        The id of each row.
    argument
        The argument that the pairs were given as, for errors.

    Returns
    -------
    left, right
        int64 of shape (n_pairs,) each.

    Raises
    ------
    InputError
        If they are no pairs, are those of row positions, or name an id that is not there.
    """
    table = _table_of(pairs)
    names = () if table is None else tuple(table.columns)
    is_by_row = set(ROW_COLUMNS) <= set(names) and not set(ID_COLUMNS) <= set(names)
    if isinstance(pairs, Matches) or is_by_row:
        raise InputError(
            f"With ids=, {argument}= names rows by their ids. Got "
            f"{f'columns {list(names)!r}' if is_by_row else 'matches'}, which are row positions. "
            f"Hint: a list of tuples of ids, or a table with the columns {list(ID_COLUMNS)!r}."
        )
    position = {one: row for row, one in enumerate(ids)}
    sides = []
    for cells in pair_cells(pairs, ID_COLUMNS):
        odd = [cell for cell in cells if not is_hashable(cell) or cell not in position]
        if odd:
            raise InputError(
                f"{argument}= names an id that is not there. Got {odd[0]!r}. Hint: with ids=, "
                "pairs name rows by the values of that column, not by their positions."
            )
        sides.append(np.array([position[cell] for cell in cells], dtype=np.int64))
    return sides[0], sides[1]


def pair_cells(pairs: Any, columns: tuple[str, str] = ROW_COLUMNS) -> tuple[list[Any], list[Any]]:
    """Split pairs into their left and right cells: in a table of several columns, those named."""
    if isinstance(pairs, Matches):
        return pairs.left.tolist(), pairs.right.tolist()
    table = _table_of(pairs)
    if table is not None:
        names: list[Hashable] = list(table.columns)
        if set(columns) <= set(names):
            names = list(columns)
        if len(names) != 2:
            raise InputError(
                f"A table of pairs has two columns. Got {names!r}. Hint: choose the two, the left "
                "one first."
            )
        left, right = (table.columns[name].to_list() for name in names)
        return left, right
    try:
        listed = [(left, right) for left, right in _listed(pairs)]
    except (TypeError, ValueError) as error:
        raise InputError(
            f"The pairs cannot be read. Got a {type(pairs).__name__}. Hint: give an array of shape "
            "(n_pairs, 2), a list of (left, right) tuples, or a table with two columns."
        ) from error
    return [left for left, _ in listed], [right for _, right in listed]


def _listed(pairs: Any) -> list[Any]:
    # Sets have no order of their own; sorted, the same set gives the same result.
    listed = sorted(pairs) if isinstance(pairs, set | frozenset) else pairs
    return listed.tolist() if hasattr(listed, "tolist") else list(listed)


def _table_of(pairs: Any) -> Table | None:
    """The pairs as a table, where they are one."""
    if isinstance(pairs, list | tuple | set | frozenset | np.ndarray):
        return None
    try:
        table = as_table(pairs, "left")
    except PearljoinError:
        return None
    return None if table.single else table


def _as_rows(left: list[Any], right: list[Any]) -> tuple[IntVector, IntVector]:
    sides = []
    for cells in (left, right):
        odd = [cell for cell in cells if not _is_row(cell)]
        if odd:
            raise InputError(
                f"Pairs are row positions, whole numbers from 0. Got {odd[0]!r}. Hint: count rows "
                "from 0; evaluate() also takes ids=(left_column, right_column)."
            )
        sides.append(np.array([int(cell) for cell in cells], dtype=np.int64))
    return sides[0], sides[1]


def _is_row(cell: Any) -> bool:
    if isinstance(cell, bool | np.bool_) or is_null(cell):
        return False
    if isinstance(cell, float | np.floating) and not float(cell).is_integer():
        return False
    is_number = isinstance(cell, int | np.integer | float | np.floating)
    return is_number and 0 <= int(cell) <= LARGEST_ROW
