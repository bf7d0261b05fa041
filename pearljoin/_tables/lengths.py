"""Columns of texts with lengths: *15 cm* is read as *150 mm* beside a reference in millimetres.

One of the two units has to be that of nearly all lengths of the reference, and most of its texts
have to have one. Elsewhere lengths stay as they are: sizes are written without a unit, too, and
*90 x 200* names a board as *90 x 200 cm* does. So does a text that has a length in that unit
already, as of a board of *19 mm, 60 x 120 cm*. Metres are not read: *3m* may be months, or a make.
"""

from __future__ import annotations

import re
from decimal import Decimal

from pearljoin._tables.columns import Cells, column_kind, present_cells
from pearljoin._tables.rewritten import rewritten_column

__all__ = ["UNITS", "in_unit", "unit_of_lengths"]

UNITS = {"mm": 1, "cm": 10}
"""Units, in millimetres."""

FEWEST_TEXTS, MOST_OTHERS = 0.6, 0.2
"""Share of the texts of a reference that have a length in its unit, at least; and of texts with the
other unit among these, at most."""

_NUMBER = r"\d{1,6}(?:[.,]\d{1,2})?"
_LENGTH = re.compile(
    rf"(?<![\w.,/-])({_NUMBER}(?: ?[xX\u00d7*] ?{_NUMBER}){{0,3}}+)[ \u00a0]?([mc]m|[MC]M|Cm)"
    r"(?![\w/\u00b2\u00b3]| ?[\u2013-] ?\d)"
)
"""A length or a size, and no range. Sizes of more numbers are none, and to look for these at each
number would take quadratic time."""

_EACH = re.compile(_NUMBER)
_BEFORE = re.compile(r"\d[ \u00a0\u2013-]{0,3}\Z")
"""What stands before the end of a range, or behind thousands: *10 \u2013 15 cm*, *1 500 mm*."""


def unit_of_lengths(column: Cells) -> str | None:
    """Return the unit that lengths beside a reference are read in, by the reference alone.

    Parameters
    ----------
    column
        A key column of the reference.
    """
    if column_kind(column) != "text":
        return None
    texts = {cell for cell in present_cells(column) if isinstance(cell, str)}
    # Patterns are sought where their letters are: most of a million names have none.
    some = [text for text in texts if "mm" in (lower := text.lower()) or "cm" in lower]
    units = [_units_of(text) for text in some]
    counts = {unit: sum(unit in found for found in units) for unit in UNITS}
    few, unit = sorted(UNITS, key=counts.__getitem__)
    is_usual = counts[unit] and counts[unit] >= FEWEST_TEXTS * len(texts)
    return unit if is_usual and counts[few] <= MOST_OTHERS * counts[unit] else None


def in_unit(column: Cells, unit: str) -> Cells:
    """Write the lengths of texts that have none in a unit in this; the column itself without any.

    Parameters
    ----------
    column
        The column.
    unit
        One of `UNITS`.

    Examples
    --------
    >>> from pearljoin._tables.read_table import PlainColumn
    >>> in_unit(PlainColumn("tool", ["Scissors 14.5cm", "Tray 30 x 20 cm"]), "mm").to_list()
    ['Scissors 145 mm', 'Tray 300 x 200 mm']
    """
    texts = {cell for cell in column.to_list() if isinstance(cell, str)}
    read = {text: _in_unit(text, unit) for text in texts}
    return rewritten_column(column, {text: new for text, new in read.items() if new != text})


def _units_of(text: str) -> set[str]:
    return {found[2].lower() for found in _LENGTH.finditer(text)}


def _in_unit(text: str, unit: str) -> str:
    if unit in _units_of(text):
        return text

    def write(found: re.Match[str]) -> str:
        numbers, written = found.groups()
        start = found.start()
        if _BEFORE.search(text[max(0, start - 4) : start]):
            return found[0]
        factor = Decimal(UNITS[written.lower()]) / UNITS[unit]
        scaled = _EACH.sub(
            lambda each: f"{(Decimal(each[0].replace(',', '.')) * factor).normalize():f}", numbers
        )
        return f"{scaled} {unit}"

    return _LENGTH.sub(write, text)
