"""Tables written by hand, as they lie in offices, shops, laboratories and clubs.

Made tables follow rules, so what their rows share is what somebody thought of. In these, most rows
have siblings that differ in one word, code, date or size, as flavours, editions, namesakes and
months do; and things that are written twice differ as people and systems of that trade write them.
A third of them have no thing twice, a third few, a third many. All entries are invented, or are
what is known of works, places and products; they were written for this project, and no benchmark's
rows are among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path

import pandas as pd

from pearljoin import InputError

__all__ = ["AREAS", "WrittenTable", "as_texts", "read_written"]

FOLDER = Path(__file__).with_name("written")

THING = "thing"
"""The column that numbers the things, which is none of the table's own."""

AREAS = tuple(sorted(folder.name for folder in FOLDER.glob("*/")))
"""What the tables are about: a folder each. None where the package is installed from a wheel."""


@dataclass(frozen=True)
class WrittenTable:
    """A table some of whose rows may be one thing.

    Attributes
    ----------
    domain
        One of `AREAS`.
    name
        What the table is called, without ``.csv``.
    texts
        Its columns as the file has them: *0123* and *1886* are no numbers.
    clusters
        The number of the thing that each row is of.
    """

    domain: str
    name: str
    texts: pd.DataFrame
    clusters: list[int]

    @cached_property
    def table(self) -> pd.DataFrame:
        """Its columns, of the types that `pandas.read_csv` gives them."""
        return pd.read_csv(StringIO(self.texts.to_csv(index=False)))

    def rows(self) -> list[Sequence[object]]:
        """The rows as they stand in the file; None for a missing value."""
        known = self.texts.astype(object).where(self.texts.notna(), None)
        return list(known.itertuples(index=False, name=None))


def as_texts(row: Sequence[object]) -> tuple[str, ...]:
    """The values of a row as texts; empty for a missing one."""
    return tuple("" if value is None else str(value) for value in row)


def read_written(
    fewest_columns: int = 1, most_columns: int | None = None
) -> Iterator[WrittenTable]:
    """Read the tables, in the order of their areas and names.

    Parameters
    ----------
    fewest_columns, most_columns
        Columns that a table has at least, and at most. Default: any number.

    Raises
    ------
    InputError
        If they are not there, as in what is installed from a wheel.
    """
    if not AREAS:
        raise InputError(
            f"The written tables are not installed. Got no folder {str(FOLDER)!r}. "
            "Hint: train in a clone of the repository."
        )
    for area in AREAS:
        for path in sorted((FOLDER / area).glob("*.csv")):
            texts = pd.read_csv(path, dtype=str)
            clusters = [int(number) for number in texts.pop(THING)]
            if fewest_columns <= texts.shape[1] <= (most_columns or texts.shape[1]):
                yield WrittenTable(area, path.stem, texts, clusters)
