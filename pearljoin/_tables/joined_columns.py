"""Columns of a table by name, and several of them that are read together as one text.

One table has a name in one column, another has it in two. So the name of a column may be the names
of several with `JOIN` between them: ``"first_name + last_name"``.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from pearljoin._tables.cells import compared_value
from pearljoin._tables.columns import Cells

__all__ = ["Columns", "JoinedColumn", "column_parts", "joined_name"]

JOIN = " + "
"""Stands between the names of columns that are read together."""


def joined_name(names: Sequence[Hashable]) -> Hashable:
    """Name columns that are read together; a single one by its own name.

    Examples
    --------
    >>> joined_name(["first_name", "last_name"]), joined_name([1])
    ('first_name + last_name', 1)
    """
    return JOIN.join(map(str, names)) if len(names) > 1 else names[0]


def column_parts(name: Hashable) -> tuple[Hashable, ...]:
    """List the columns that a name stands for where no column is called so.

    Examples
    --------
    >>> column_parts("first_name + last_name"), column_parts("city"), column_parts(1)
    (('first_name', 'last_name'), ('city',), (1,))
    """
    return tuple(name.split(JOIN)) if isinstance(name, str) else (name,)


class JoinedColumn:
    """Several columns as one of text: the cells of a row with a blank between, nulls left out.

    Parameters
    ----------
    name
        What it is called.
    parts
        The columns.
    """

    dtype: Any = nw.String()

    def __init__(self, name: str, parts: Sequence[Cells]) -> None:
        self.name = name
        self._parts = parts

    def to_list(self) -> list[Any]:
        """Return the cells: text, or None where all are null."""
        return self._joined([part.to_list() for part in self._parts])

    def cell(self, row: int) -> Any:
        """Return one cell."""
        return self._joined([[part.cell(row)] for part in self._parts])[0]

    def cells(self, rows: Sequence[int]) -> list[Any]:
        """Return the cells of some rows."""
        return self._joined([part.cells(rows) for part in self._parts])

    def _joined(self, columns: Sequence[Sequence[Any]]) -> list[Any]:
        """Join cells; raises `InputError` as `compared_value` does."""
        named = [(str(part.name), cells) for part, cells in zip(self._parts, columns, strict=True)]
        written = [[compared_value(cell, "whole", name) for cell in cells] for name, cells in named]
        return [" ".join(filter(None, row)) or None for row in zip(*written, strict=True)]


class Columns(dict[Hashable, Cells]):
    """The columns of a table by name, in order.

    Names with `JOIN` in them stand for several columns where no column is called so; they are
    found, and not listed.
    """

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or bool(self._parts_of(name))

    def __missing__(self, name: Hashable) -> Cells:
        parts = self._parts_of(name)
        if not parts:
            raise KeyError(name)
        return JoinedColumn(str(name), parts)

    def is_joined(self, name: object) -> bool:
        """Tell whether a name stands for several columns."""
        return not super().__contains__(name) and bool(self._parts_of(name))

    def _parts_of(self, name: object) -> list[Cells]:
        """The columns that a name stands for; none where one of them is not there."""
        names = column_parts(name) if isinstance(name, str) else ()
        if len(names) < 2 or not all(map(super().__contains__, names)):
            return []
        return [self[each] for each in names]
