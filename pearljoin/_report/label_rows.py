"""Whether a file of labels is of these tables."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from os import PathLike

import numpy as np

from pearljoin._errors import InputError
from pearljoin._report.pair_rows import row_texts
from pearljoin._tables.label_file import read_label_file
from pearljoin._tables.read_table import Table
from pearljoin._typing import IntVector

__all__ = ["check_label_rows"]

MOST_OTHERS = 0.5
"""Share of the labelled pairs whose texts may be others: a spreadsheet may rewrite some cells."""

NO_ROW = None
"""What stands for the text of a row that a table does not have."""

Side = tuple[Table, Sequence[Hashable]]


def check_label_rows(path: str | PathLike[str], left: Side, right: Side) -> None:
    """Refuse a file of labels whose pairs of rows are none of these tables.

    Parameters
    ----------
    path
        The file, as `read_label_file` reads it; texts that it lacks are not compared.
    left, right
        A table and its key columns.

    Raises
    ------
    InputError
        If a row is not there, or most pairs have other texts.
    """
    pairs = read_label_file(path)
    told = zip(pairs.left_text, pairs.right_text, strict=True)
    here = zip(_texts(left, pairs.left_row), _texts(right, pairs.right_row), strict=True)
    others = [
        (at, there, found)
        for at, (there, found) in enumerate(zip(told, here, strict=True))
        if NO_ROW in found or not all(map(_is_same, there, found))
    ]
    missing = [other for other in others if NO_ROW in other[2]]
    if missing or len(others) > MOST_OTHERS * len(pairs.label):
        at, there, found = (missing or others)[0]
        rows = f"rows {pairs.left_row[at]} and {pairs.right_row[at]}"
        raise InputError(
            f"The labels are of other tables or key columns. Got {str(path)!r}, where {rows} are "
            f"{list(there)!r}, and here {list(found)!r}; so are {len(others)} of "
            f"{len(pairs.label)} labelled pairs. Hint: give the labels that a report of these "
            "tables downloaded."
        )


def _texts(side: Side, rows: IntVector) -> list[str | None]:
    table, names = side
    is_there = rows < table.n_rows
    texts = np.full(len(rows), NO_ROW, dtype=object)
    texts[is_there] = row_texts(table, names, rows[is_there])
    return list(texts)


def _is_same(there: str, here: str | None) -> bool:
    # An apostrophe keeps a spreadsheet from taking a cell for a formula.
    return there in ("", here) or there.removeprefix("'") == here
