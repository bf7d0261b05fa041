"""Comparison of numbers, quantities with units, and prices, by their ratio."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._kinds.cells import cell_texts, text_hash
from pearljoin._kinds.column_units import NO_COLUMN_UNITS, ColumnUnits, learn_column_units
from pearljoin._kinds.day_times import NO_DAY_TIMES, DayTimes, are_clocks, learn_day_times
from pearljoin._kinds.decimal_sign import decimal_sign, sign_by_size
from pearljoin._kinds.durations import NO_DURATIONS, Durations, learn_durations
from pearljoin._kinds.million_sign import means_millions
from pearljoin._kinds.opposite_sign import are_opposite, negative_share
from pearljoin._kinds.protocol import (
    Comparer,
    Kind,
    Levels,
    Parsed,
    Texts,
    Values,
    Within,
    read_each,
    text_array,
)
from pearljoin._kinds.quantity_words import NumberWords, learn_number_words, read_among_words
from pearljoin._kinds.read_quantity import LONGEST, NO_UNIT, Quantity, read_quantity
from pearljoin._kinds.units import UNITS, NamedUnit, Unit
from pearljoin._typing import BoolVector, IntVector

__all__ = ["NumberComparer", "ParsedNumbers"]

RATIOS = (0.5, 0.8, 0.9, 0.99)
"""Ratios of the smaller to the larger number at which a level begins."""

SAMPLE = 1_000
"""Distinct values of a side, about, from which it is learned how numbers are written there."""

SHARE = UNITS["%"].dimension

DIGITS = 12
"""Significant digits to which equal numbers agree: arithmetic leaves its traces beyond them."""


@dataclass(frozen=True, eq=False)
class ParsedNumbers(Parsed):
    """Numbers, as written and in base units.

    Attributes
    ----------
    written, base
        float64 of shape (n_values,): the number without its unit, and in the base unit of its
        dimension; NaN for null.
    dimension
        str of shape (n_values,): what the unit measures, such as ``"mass in g"`` or ``"USD"``; ""
        without a unit.
    is_clock
        bool of shape (n_values,): which are numbers without a unit that were read from a clock.
    """

    written: NDArray[np.float64]
    base: NDArray[np.float64]
    dimension: Texts
    is_clock: BoolVector


class _Written(NamedTuple):
    """Numbers as they are written, their units and texts, and how many cannot be read."""

    numbers: NDArray[np.float64]
    units: list[Unit]
    texts: list[str | None]
    n_unparsable: int


class NumberComparer(Comparer[ParsedNumbers]):
    """Compares numbers by the ratio of the smaller to the larger, which needs no spread.

    The levels are those of Splink's PercentageDifferenceAtThresholds. Units of one dimension are
    converted; numbers of different dimensions are different. A number without a unit compares with
    the other as written, and is not equal to it; a share without "%" may also be a part of one.

    Parameters
    ----------
    decimal
        The sign before decimals (`pearljoin._kinds.decimal_sign`); None where it is not known. It
        and what follows serve `read` alone, so the two sides may be written differently.
    durations
        What numbers without a unit stand for beside durations (`pearljoin._kinds.durations`).
    millions
        Whether "M" stands for millions (`pearljoin._kinds.million_sign`).
    negative
        Share of the reference's numbers that are negative; None where that is not known.
    is_opposite
        Whether numbers are read with the opposite sign (`pearljoin._kinds.opposite_sign`).
    size
        Median of the reference's numbers, regardless of their signs; None where they have units.
    day_times
        How times of day are written (`pearljoin._kinds.day_times`).
    words
        What stands around numbers, often the same (`pearljoin._kinds.quantity_words`).
    units
        In which unit numbers without one are (`pearljoin._kinds.column_units`).
    """

    kind: ClassVar[Kind] = "number"
    levels: ClassVar[tuple[str, ...]] = (
        "different",
        "within 50 %",
        "within 20 %",
        "within 10 %",
        "within 1 %",
        "equal without unit",
        "equal",
    )

    def __init__(
        self,
        decimal: str | None = None,
        durations: Durations = NO_DURATIONS,
        millions: bool = False,
        negative: float | None = None,
        is_opposite: bool = False,
        size: float | None = None,
        day_times: DayTimes = NO_DAY_TIMES,
        words: Sequence[NumberWords] = (),
        units: ColumnUnits = NO_COLUMN_UNITS,
    ) -> None:
        self.decimal = decimal
        self.durations = durations
        self.millions = millions
        self.negative = negative
        self.is_opposite = is_opposite
        self.size = size
        self.day_times = day_times
        self.words = frozenset(words)
        self.units = units

    def learned(
        self, values: Values, *, named: NamedUnit | None = None, is_reference: bool = False
    ) -> NumberComparer:
        """Make the comparer that reads a side as it writes numbers, by a sample of its values.

        What it reads compares with what this one does, unless it is the reference's.

        Parameters
        ----------
        values
            Distinct values of the side.
        named
            The unit in the name of its column.
        is_reference
            Whether the side is the reference.
        """
        texts = [text for text in cell_texts(values) if text and len(text) <= LONGEST]
        every = max(len(texts) // SAMPLE, 1)
        sample = [text for text in texts if not text_hash(text) % every]
        decimal = decimal_sign(sample, self.decimal)
        if self.size is not None and decimal_sign(sample) is None:
            decimal = sign_by_size(sample, self.size) or decimal
        millions = means_millions(sample, self.millions)
        times = learn_day_times(sample, None if is_reference else self.day_times)
        words = learn_number_words(sample, decimal)
        plain = NumberComparer(decimal, millions=millions, day_times=times, words=words)
        written = plain._written(sample)
        read = plain._parsed(written)
        known = ~read.is_null
        durations = learn_durations(
            read.base[known],
            read.dimension[known],
            read.is_clock[known],
            None if is_reference else self.durations,
        )
        units = NO_COLUMN_UNITS if is_reference else self.units
        if durations.is_plain and not read.is_clock.any():
            units = learn_column_units(
                read.written[known],
                [unit for unit, is_known in zip(written.units, known, strict=True) if is_known],
                named,
                None if is_reference else units,
            )
        share = negative_share(read.base)
        return NumberComparer(
            decimal,
            durations,
            millions,
            share if is_reference else self.negative,
            not is_reference and are_opposite(share, self.negative),
            _usual_size(read) if is_reference else self.size,
            times,
            words,
            units,
        )

    def read(self, values: Values) -> ParsedNumbers:
        """Read numbers, quantities and prices; text with anything else in it is unparsable.

        Examples
        --------
        >>> NumberComparer().read(["1.5 kg", "1500 g", 5, "a few"]).canonical
        array(['1500 mass in g', '1500 mass in g', '5', None], dtype=object)
        """
        return self._parsed(self._written(values))

    def _written(self, values: Values) -> _Written:
        """Read numbers as they are written."""
        if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
            if values.dtype.itemsize < 8 and values.dtype.kind == "f":
                values = values.astype(str)  # 0.1 of 32 bits is 0.1, not 0.10000000149
            numbers = values.astype(np.float64)
            n_unparsable = int(np.isinf(numbers).sum())
            numbers[np.isinf(numbers)] = np.nan
            return _Written(numbers, [NO_UNIT] * len(numbers), [""] * len(numbers), n_unparsable)
        texts = cell_texts(values)
        found, n_unparsable = read_each(texts, self._quantity)
        read = [quantity or Quantity(math.nan) for quantity in found]
        numbers = np.array([quantity.number for quantity in read], dtype=np.float64)
        return _Written(numbers, [quantity.unit for quantity in read], texts, n_unparsable)

    def _quantity(self, text: str) -> Quantity | None:
        found = read_quantity(text, self.decimal, millions=self.millions)
        return found or read_among_words(text, self.words, self.decimal)

    def _parsed(self, written: _Written) -> ParsedNumbers:
        """Convert numbers to what the reference's are."""
        numbers = -written.numbers if self.is_opposite else written.numbers.copy()
        dimension = text_array(unit.dimension for unit in written.units)
        is_clock = are_clocks(written.texts) & (dimension == "").astype(bool)
        plain = np.flatnonzero(dimension == "")
        numbers[plain], is_clock[plain] = self.day_times.convert(
            numbers[plain], [written.texts[at] for at in plain.tolist()], is_clock[plain]
        )
        base = numbers * np.array([unit.factor for unit in written.units])
        if not self.durations.is_plain:
            base, converted = self.durations.convert(base, dimension, is_clock)
            dimension[converted] = self.durations.dimension
            numbers = np.where(converted & (dimension == ""), base, numbers)
        base, dimension = self.units.convert(base, dimension)
        numbers = np.where((dimension == "").astype(bool), base, numbers)
        digits = [
            None if math.isnan(number) else f"{number + 0.0:.{DIGITS}g}" for number in base.tolist()
        ]
        canonical = [
            f"{number} {measured}" if number and measured else number
            for number, measured in zip(digits, dimension.tolist(), strict=True)
        ]
        return ParsedNumbers(
            text_array(canonical), written.n_unparsable, numbers, base, dimension, is_clock
        )

    def _compare_unequal(
        self, left: ParsedNumbers, right: ParsedNumbers, left_at: IntVector, right_at: IntVector
    ) -> tuple[Levels, Within]:
        dimensions = left.dimension[left_at], right.dimension[right_at]
        same = (dimensions[0] == dimensions[1]).astype(bool)
        unitless = ((dimensions[0] == "") | (dimensions[1] == "")).astype(bool)
        ratio = np.where(
            same,
            _ratio(left.base[left_at], right.base[right_at]),
            _ratio(left.written[left_at], right.written[right_at]),
        )
        ratio[~(same | unitless)] = 0
        shares = unitless & ((dimensions[0] == SHARE) | (dimensions[1] == SHARE)).astype(bool)
        parts = _ratio(left.base[left_at[shares]], right.base[right_at[shares]])
        ratio[shares] = np.maximum(ratio[shares], parts)
        level = np.searchsorted(RATIOS, ratio, side="right")
        level[(ratio >= 1 - 10.0**-DIGITS) & ~same] = len(RATIOS) + 1
        ends = np.array([0.0, *RATIOS, 1.0, 2.0])
        within = (ratio - ends[level]) / (ends[level + 1] - ends[level])
        return level.astype(np.int8), within


def _usual_size(read: ParsedNumbers) -> float | None:
    """Median of numbers regardless of their signs; None where most have units, or none is read."""
    known = ~read.is_null
    if not known.any() or 2 * np.count_nonzero(read.dimension[known] != "") > known.sum():
        return None
    return float(np.median(np.abs(read.written[known])))


def _ratio(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide the smaller number by the larger, in [0, 1]; 0 where their signs differ."""
    one, other = np.abs(left), np.abs(right)
    largest = np.maximum(one, other)
    found = np.divide(np.minimum(one, other), largest, out=np.ones_like(one), where=largest > 0)
    return np.where(np.sign(left) * np.sign(right) < 0, 0.0, found)
