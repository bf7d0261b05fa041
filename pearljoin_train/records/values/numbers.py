"""Quantities, prices, lengths of time and coordinates."""

from __future__ import annotations

from random import Random

from pearljoin_train.records.values.slips import change_digit, swap_digits
from pearljoin_train.records.values.style import Style

__all__ = ["CoordinateStyle", "LengthStyle", "PriceStyle", "QuantityStyle", "WeightStyle"]


def shift_point(value: float, rng: Random) -> float:
    """Move the decimal point."""
    return value * rng.choice((10.0, 0.1, 100.0, 0.01))


def change_sign(value: float, rng: Random) -> float:
    """Change the sign."""
    return -value


class QuantityStyle(Style[float]):
    """Plain numbers, rounded as one table does."""

    slips = (shift_point,)
    text_slips = (change_digit, swap_digits)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._decimals = rng.choice((0, 0, 1, 2))
        self._has_thousands = rng.random() < 0.15

    def write(self, value: float, rng: Random) -> str:
        """Write the number."""
        return (
            f"{value:,.{self._decimals}f}" if self._has_thousands else f"{value:.{self._decimals}f}"
        )


class WeightStyle(Style[float]):
    """Weights given in kilograms, in the unit of one table, which it may or may not name."""

    slips = (shift_point,)
    text_slips = (change_digit, swap_digits)
    WAYS = (
        ("{0:.1f}", 1.0),
        ("{0:.2f}", 1.0),
        ("{0:.1f} kg", 1.0),
        ("{0:.2f}kg", 1.0),
        ("{0:.0f} g", 1000.0),
        ("{0:.1f} lbs", 2.2046),
        ("{0:.2f} pounds", 2.2046),
    )
    """Formats, and how much of the unit a kilogram is."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._way, self._factor = rng.choice(self.WAYS)

    def write(self, value: float, rng: Random) -> str:
        """Write the weight."""
        return self._way.format(value * self._factor)


class PriceStyle(Style[float]):
    """Prices in one currency, with a sign of it or without."""

    slips = (shift_point,)
    text_slips = (change_digit, swap_digits)
    WAYS = ("{0:.2f}",) * 5 + (
        "${0:.2f}",
        "${0:,.2f}",
        "{0:.2f} USD",
        "€{0:.2f}",
        "{0:,.2f}",
        "{0:.0f}",
        "german",
    )

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._way = rng.choice(self.WAYS)

    def write(self, value: float, rng: Random) -> str:
        """Write the price."""
        if self._way == "german":
            return f"{value:,.2f} €".translate(str.maketrans(",.", ".,"))
        return self._way.format(value)


class LengthStyle(Style[int]):
    """Lengths of recordings, given in seconds: as minutes, seconds or thousandths."""

    text_slips = (change_digit, swap_digits)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._way = rng.choice(("m:ss", "m:ss", "mm:ss", "h:mm:ss", "s", "ms", "XmYs"))

    def write(self, value: int, rng: Random) -> str:
        """Write the length."""
        minutes, seconds = divmod(value, 60)
        return {
            "m:ss": f"{minutes}:{seconds:02d}",
            "mm:ss": f"{minutes:02d}:{seconds:02d}",
            "h:mm:ss": f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}",
            "s": f"{value}",
            "ms": f"{value * 1000 + rng.randrange(1000)}",
            "XmYs": f"{minutes}m{seconds}s",
        }[self._way]


class CoordinateStyle(Style[float]):
    """Degrees of latitude or longitude, with two to six decimals."""

    slips = (change_sign, shift_point)
    text_slips = (change_digit, swap_digits)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._decimals = rng.choice((2, 3, 4, 5, 6, 6))
        self._has_comma = rng.random() < 0.05

    def write(self, value: float, rng: Random) -> str:
        """Write the degrees."""
        text = f"{value:.{self._decimals}f}"
        return text.replace(".", ",") if self._has_comma else text
