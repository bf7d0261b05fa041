"""In which unit a column's numbers are that bear none, by its name and by the other side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pearljoin._kinds.units import UNITS, NamedUnit, Unit, is_money

__all__ = ["NO_COLUMN_UNITS", "ColumnUnits", "column_units_of", "learn_column_units"]

ALL = 0.95
"""Share of a column's numbers that have a unit, or have none, or the same one: all but slips."""

FEWEST = 3
"""Numbers of a column, at least, whose units are taken for a habit of it."""

SEVERAL = 10
"""Numbers of a side from which their size may speak against the unit in its column's name."""

SHARE = UNITS["%"].dimension

LETTERS = frozenset(unit for word, unit in UNITS.items() if len(word) == 1 and word.isalpha())
"""Units that one letter may be, which may as well stand for millions or thousands."""

Measured: TypeAlias = tuple[str, float]
"""A unit: what it measures, and how many base units it is."""


@dataclass(frozen=True)
class ColumnUnits:
    """In which unit numbers without one are, beside the reference.

    Attributes
    ----------
    unit
        Of the reference's numbers: that in its column's name, or the one that all of them have.
    is_bare
        Whether the reference's numbers have no units.
    is_unclear
        Whether the reference's unit is one in the name of its column that may be something else.
    size
        Median of the reference's numbers in their units, regardless of their signs; 0 for unknown.
    given
        The unit that this side's numbers get that have none.
    dropped
        The unit in which this side's quantities are numbers such as the reference has, without it.
    """

    unit: Measured | None = None
    is_bare: bool = False
    size: float = 0.0
    given: Measured | None = None
    dropped: Measured | None = None
    is_unclear: bool = False

    def convert(
        self, base: NDArray[np.float64], dimension: NDArray[np.object_]
    ) -> tuple[NDArray[np.float64], NDArray[np.object_]]:
        """Convert numbers in base units to those of the reference.

        Parameters
        ----------
        base, dimension
            float64 and str of shape (n_values,): the numbers, and what they measure.
        """
        base, dimension = base.copy(), dimension.copy()
        if self.given is not None:
            bare = (dimension == "").astype(bool)
            base[bare] *= self.given[1]
            dimension[bare] = self.given[0]
        if self.dropped is not None:
            these = (dimension == self.dropped[0]).astype(bool)
            base[these] /= self.dropped[1]
            dimension[these] = ""
        return base, dimension


NO_COLUMN_UNITS = ColumnUnits()


def column_units_of(settings: Mapping[str, Any]) -> ColumnUnits:
    """Make them of plain values, as `dataclasses.asdict` and a file give them.

    Examples
    --------
    >>> column_units_of({"unit": ["m", 0.01], "is_bare": True}).unit
    ('m', 0.01)
    """
    read = dict(settings)
    for name in ("unit", "given", "dropped"):
        if read.get(name) is not None:
            dimension, factor = read[name]
            read[name] = str(dimension), float(factor)
    return ColumnUnits(**read)


def learn_column_units(
    numbers: NDArray[np.float64],
    units: Sequence[Unit],
    named: NamedUnit | None = None,
    reference: ColumnUnits | None = None,
) -> ColumnUnits:
    """Learn in which units a side's numbers are.

    Parameters
    ----------
    numbers, units
        float64 of shape (n_numbers,), without their units, and these.
    named
        The unit in the column's name. One that is not clear counts where the other side's is, and
        none does beside numbers that are money.
    reference
        What was learned of the reference; None where this is the reference.

    Examples
    --------
    >>> centimetres = NamedUnit(Unit("m", 0.01))
    >>> height = learn_column_units(np.array([17.5, 21.0]), [Unit("", 1.0)] * 2, centimetres)
    >>> height.unit, height.is_bare
    (('m', 0.01), True)
    >>> learn_column_units(np.array([175.0]), [Unit("m", 0.001)], reference=height).dropped
    ('m', 0.01)
    """
    counts = Counter(units)
    n_bare = counts.pop(Unit("", 1.0), 0)
    if reference is None:
        return _of_reference(numbers, counts, n_bare, named)
    side = replace(reference, given=None, dropped=None)
    unit = reference.unit
    if unit is not None and unit[0] not in (each.dimension for each in counts):
        # Of what is money, the name says no length.
        unit = None if reference.is_bare and any(map(is_money, counts)) else unit
    own = _own_unit(named, reference, unit)
    if not reference.is_bare:
        if unit is None or counts.total() > (1 - ALL) * max(len(numbers), 1):
            return side
        if own is not None:
            return replace(side, given=_measured(own))
        if (named is not None and named.unit.dimension != unit[0]) or len(numbers) < FEWEST:
            return side
        factors = [unit[1], 1.0] if unit[0] == SHARE else [unit[1]]
        sizes = [_size(numbers) * factor / unit[1] for factor in factors]
        return replace(side, given=(unit[0], factors[_nearest(sizes, reference.size)]))
    if unit is not None:
        if own is not None:
            turned = numbers * own.factor / unit[1]
            is_off = _nearest([_size(turned), _size(numbers)], reference.size) == 1
            if len(numbers) < SEVERAL or not is_off:
                return replace(side, given=_measured(own), dropped=unit)
        written = [each for each in counts if each.dimension == unit[0]]
        if written and not (
            reference.is_unclear and LETTERS.issuperset({*written} - {Unit(*unit)})
        ):
            return replace(side, dropped=unit)
    if counts.total() < FEWEST:
        return side
    return replace(side, dropped=_dropped(numbers, units, counts, reference.size))


def _own_unit(
    named: NamedUnit | None, reference: ColumnUnits, unit: Measured | None
) -> Unit | None:
    """The unit in the name of a side's column, if it is one beside the reference's."""
    if named is None or unit is None or named.unit.dimension != unit[0]:
        return None
    is_clear = not reference.is_unclear and Unit(*unit) not in LETTERS
    both = named.is_clear or is_clear or _measured(named.unit) == unit
    return named.unit if both else None


def _of_reference(
    numbers: NDArray[np.float64], counts: Counter[Unit], n_bare: int, named: NamedUnit | None
) -> ColumnUnits:
    if not len(numbers):
        return NO_COLUMN_UNITS
    is_bare = n_bare >= ALL * len(numbers)
    size = _size(numbers)
    if is_bare:
        if named is None:
            return ColumnUnits(None, is_bare, size)
        return ColumnUnits(_measured(named.unit), is_bare, size, is_unclear=not named.is_clear)
    (unit, many) = counts.most_common(1)[0]
    is_one = many >= max(FEWEST, ALL * len(numbers))
    return ColumnUnits(_measured(unit), size=size) if is_one else NO_COLUMN_UNITS


def _dropped(
    numbers: NDArray[np.float64], units: Sequence[Unit], counts: Counter[Unit], size: float
) -> Measured | None:
    """The unit in which quantities of one dimension are as large as the reference's numbers."""
    measured = {unit.dimension for unit in counts}
    if len(measured) != 1:
        return None
    [dimension] = measured
    factors = sorted({unit.factor for unit in counts}, key=lambda factor: factor != 1)
    if dimension == SHARE and 1.0 not in factors:
        factors.append(1.0)
    if len(factors) == 1:
        return dimension, factors[0]
    base = np.array([unit.factor for unit in units]) * numbers
    of_dimension = np.array([unit.dimension == dimension for unit in units], dtype=bool)
    sizes = [_size(base[of_dimension]) / factor for factor in factors]
    return (dimension, factors[_nearest(sizes, size)]) if size else None


def _measured(unit: Unit) -> Measured:
    return unit.dimension, unit.factor


def _size(numbers: NDArray[np.float64]) -> float:
    return float(np.median(np.abs(numbers))) if len(numbers) else 0.0


def _nearest(sizes: Sequence[float], size: float) -> int:
    """Which of some sizes is nearest to another, as a ratio; the first where one is unknown."""
    if size <= 0 or min(sizes) <= 0:
        return 0
    return int(np.argmin(np.abs(np.log(np.array(sizes) / size))))
