"""Written tables with further rows that were copied carelessly.

Who writes a table by hand writes few slips, and few rows. Here the things of a written table, which
have siblings, have further rows with slips of all sorts and with values left out, as in a register
that many people have kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pandas as pd

from pearljoin_train.records.multiplicity import Multiplicity
from pearljoin_train.records.side import CARELESS, MOST_WRONG
from pearljoin_train.records.values import slips
from pearljoin_train.records.values.style import Style
from pearljoin_train.records.written_tables import WrittenTable, as_texts

__all__ = ["copy_carelessly"]

COMPLETE_SHARE, MOST_MISSING = 0.6, 0.4
"""Share of columns from which no value is left out, and the largest share of those from which some
are."""


def copy_carelessly(written: WrittenTable, rng: Random, *, at_least: int = 0) -> WrittenTable:
    """Add rows to a written table that are copies of its own with slips.

    A copy that slips have made a row of another thing is left out.

    Parameters
    ----------
    written
        The table.
    rng
        Draws how many copies there are, how careless they are, and what happens to each.
    at_least
        Copies of each row, but for those that are left out.
    """
    rows = written.rows()
    owner = dict(zip(map(as_texts, rows), written.clusters, strict=True))
    copies = Multiplicity(True, len(rows), rng)
    severity = rng.choice(CARELESS)
    columns = [_Copyist(severity, rng) for _ in written.texts.columns]
    owners, found = list(written.clusters), [*rows]
    for thing, row in zip(written.clusters, rows, strict=True):
        for _ in range(max(at_least, copies.draw() - 1)):
            copied = _copied(row, columns, rng)
            if owner.setdefault(as_texts(copied), thing) == thing:
                owners.append(thing)
                found.append(copied)
    order = rng.sample(range(len(found)), len(found))
    texts = pd.DataFrame([found[at] for at in order], columns=written.texts.columns)
    return replace(written, texts=texts, clusters=[owners[at] for at in order])


def _copied(row: Sequence[object], columns: Sequence[_Copyist], rng: Random) -> Sequence[object]:
    """Copy a row, not without any value."""
    carelessness = rng.expovariate(1.0)
    pairs = zip(columns, row, strict=True)
    found = [column.copy(value, carelessness, rng) for column, value in pairs]
    return row if all(value is None for value in found) else found


class _Copyist(Style[str]):
    """Copies the values of one column, with slips of all sorts."""

    text_slips = (
        slips.abbreviate,
        slips.change_case,
        slips.change_digit,
        slips.cut_off,
        slips.drop_word,
        slips.join_words,
        slips.lose_accents,
        slips.mishear,
        slips.misread,
        slips.misspell,
        slips.punctuate,
        slips.split_word,
        slips.swap_digits,
        slips.swap_words,
    )

    def __init__(self, severity: float, rng: Random) -> None:
        self._wrong = min(MOST_WRONG, severity * rng.uniform(0, 2))
        is_complete = rng.random() < COMPLETE_SHARE
        self._missing = 0.0 if is_complete else rng.uniform(0.0, MOST_MISSING)
        super().__init__(rng)

    def write(self, value: str, rng: Random) -> str:
        """Return the value as it is."""
        return value

    def copy(self, value: object, carelessness: float, rng: Random) -> str | None:
        """Copy a value, or leave it out."""
        if value is None or rng.random() < self._missing:
            return None
        is_wrong = rng.random() < self._wrong * carelessness
        return self.write_wrongly(str(value), rng) if is_wrong else str(value)
