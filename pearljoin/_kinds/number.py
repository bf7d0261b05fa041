"""Comparison of numbers, quantities with units, and prices, by their ratio."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._kinds.cells import cell_texts
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
from pearljoin._kinds.units import UNITS
from pearljoin._typing import IntVector

__all__ = ["NumberComparer", "ParsedNumbers", "Quantity", "read_quantity"]

RATIOS = (0.5, 0.8, 0.9, 0.99)
"""Ratios of the smaller to the larger number at which a level begins."""

DIGITS = 12
"""Significant digits to which equal numbers agree: arithmetic leaves its traces beyond them."""

_NUMBER = re.compile(
    r"([+\-−]?)"
    r"(\d{1,3}([\s'’_.,])(?:\d{2,3}\3)*\d{3}|\d*)"  # in groups, by one sign; or not
    r"(?:([.,])(\d*))?"
    r"(e[+-]?\d{1,3})?"
)
_QUANTITY = re.compile(
    r"([\-−]\s*(?=[^\d\s.,]))?"  # a sign before the currency
    r"([^\d\s.,+\-−]+\.?)?\s*"
    r"([+\-−]?(?:[.,]?\d)(?:[\d.,'’_\s]*[\d.,])?(?:e[+-]?\d{1,3})?)\s*"
    r"([^\d\s]\S*(?:\soz\.?)?)?",
    re.IGNORECASE,
)


class Quantity(NamedTuple):
    """A number as written, and its unit in lower case; "" without one."""

    number: float
    unit: str


def read_quantity(text: str) -> Quantity | None:
    """Read a number with or without a unit; None for other text.

    Thousands may be separated by blanks, apostrophes, commas or points, and a comma may be the
    decimal sign: a number such as "1,500" is read as one of thousands, and "1.500" is not.

    Examples
    --------
    >>> read_quantity("$1,299.00"), read_quantity("16GB")
    (Quantity(number=1299.0, unit='$'), Quantity(number=16.0, unit='gb'))
    >>> read_quantity("1.299,5 €"), read_quantity("iPhone 4")
    (Quantity(number=1299.5, unit='€'), None)
    """
    found = _QUANTITY.fullmatch(text)
    if found is None:
        return None
    sign, before, digits, after = found.groups()
    number = _number(digits)
    words = [word for word in (before, after) if word]
    if number is None or len(words) > 1:
        return None
    if sign:
        number = -number
    if not words:
        return Quantity(number, "")
    unit = words[0].casefold().replace(" ", "").replace(".", "")
    return Quantity(number, unit) if unit in UNITS else None


def _number(digits: str) -> float | None:
    """Read the digits of a number, with any signs of thousands and decimals."""
    found = _NUMBER.fullmatch(digits.lower())
    if found is None:
        return None
    sign, whole, group, decimal, fraction, exponent = found.groups()
    if group and group == decimal:
        return None
    if group == "." and decimal is None and whole.count(".") == 1:
        plain = whole
    else:
        plain = whole.replace(group or " ", "") + "." + (fraction or "")
    try:
        number = float(plain + (exponent or ""))
    except ValueError:
        return None
    return (-number if sign and sign != "+" else number) if math.isfinite(number) else None


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
    """

    written: NDArray[np.float64]
    base: NDArray[np.float64]
    dimension: Texts


class NumberComparer(Comparer[ParsedNumbers]):
    """Compares numbers by the ratio of the smaller to the larger, which needs no spread.

    The levels are those of Splink's PercentageDifferenceAtThresholds. Units of one dimension are
    converted; numbers of different dimensions are different. A number without a unit compares with
    the other as written, and is not equal to it.
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

    def read(self, values: Values) -> ParsedNumbers:
        """Read numbers, quantities and prices; text with anything else in it is unparsable.

        Examples
        --------
        >>> NumberComparer().read(["1.5 kg", "1500 g", 5, "a few"]).canonical
        array(['1500 mass in g', '1500 mass in g', '5', None], dtype=object)
        """
        if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
            if values.dtype.itemsize < 8 and values.dtype.kind == "f":
                values = values.astype(str)  # 0.1 of 32 bits is 0.1, not 0.10000000149
            numbers = values.astype(np.float64)
            n_unparsable = int(np.isinf(numbers).sum())
            numbers[np.isinf(numbers)] = np.nan
            units = [""] * len(numbers)
        else:
            found, n_unparsable = read_each(cell_texts(values), read_quantity)
            read = [quantity or Quantity(math.nan, "") for quantity in found]
            numbers = np.array([quantity.number for quantity in read], dtype=np.float64)
            units = [quantity.unit for quantity in read]
        factors = np.array([UNITS[unit].factor if unit else 1.0 for unit in units])
        dimensions = [UNITS[unit].dimension if unit else "" for unit in units]
        base = numbers * factors
        written = [
            None if math.isnan(number) else f"{number + 0.0:.{DIGITS}g}" for number in base.tolist()
        ]
        canonical = [
            f"{number} {dimension}" if number and dimension else number
            for number, dimension in zip(written, dimensions, strict=True)
        ]
        return ParsedNumbers(
            text_array(canonical), n_unparsable, numbers, base, text_array(dimensions)
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
        level = np.searchsorted(RATIOS, ratio, side="right")
        level[(ratio >= 1 - 10.0**-DIGITS) & ~same] = len(RATIOS) + 1
        ends = np.array([0.0, *RATIOS, 1.0, 2.0])
        within = (ratio - ends[level]) / (ends[level + 1] - ends[level])
        return level.astype(np.int8), within


def _ratio(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide the smaller number by the larger, in [0, 1]; 0 where their signs differ."""
    one, other = np.abs(left), np.abs(right)
    largest = np.maximum(one, other)
    found = np.divide(np.minimum(one, other), largest, out=np.ones_like(one), where=largest > 0)
    return np.where(np.sign(left) * np.sign(right) < 0, 0.0, found)
