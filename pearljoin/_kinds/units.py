"""Units of quantities as they are written in tables of things."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["UNITS", "Unit"]


class Unit(NamedTuple):
    """A unit: what it measures, and how many base units it is."""

    dimension: str
    factor: float


# Spelling in lower case, since tables write "GB", "Gb" and "gb" for one thing. Factors are those of
# NIST Special Publication 811 (2008), appendix B; volumes are US customary. Prefixes of bytes are
# decimal, as on packages.
_TABLE: dict[str, dict[float, str]] = {
    "length in m": {
        1e-6: "µm um micron microns",
        1e-3: "mm millimetre millimetres millimeter millimeters",
        1e-2: "cm centimetre centimetres centimeter centimeters",
        1.0: "m metre metres meter meters",
        1e3: "km kilometre kilometres kilometer kilometers",
        0.0254: "in inch inches \" ” ″ ''",
        0.3048: "ft foot feet ' ’ ′",
        0.9144: "yd yard yards",
        1609.344: "mi mile miles",
    },
    "area in m²": {
        1.0: "m2 m² sqm",
        0.09290304: "ft2 ft² sqft",
        1e4: "ha hectare hectares",
        4046.8564224: "acre acres",
        1e6: "km2 km²",
    },
    "mass in g": {
        1e-6: "µg ug mcg",
        1e-3: "mg milligram milligrams",
        1.0: "g gr gram grams gramme grammes",
        1e3: "kg kgs kilo kilos kilogram kilograms",
        1e6: "t tonne tonnes",
        28.349523125: "oz ounce ounces",
        453.59237: "lb lbs pound pounds",
    },
    "volume in l": {
        1e-6: "µl ul",
        1e-3: "ml cc cm3 cm³ millilitre millilitres milliliter milliliters",
        1e-2: "cl",
        1e-1: "dl",
        1.0: "l ltr litre litres liter liters",
        1e3: "m3 m³",
        0.0295735295625: "floz",
        0.473176473: "pt pint pints",
        0.946352946: "qt quart quarts",
        3.785411784: "gal gallon gallons",
    },
    "data in byte": {
        1.0: "byte bytes",
        1e3: "kb kilobyte kilobytes",
        1e6: "mb megabyte megabytes",
        1e9: "gb gigabyte gigabytes",
        1e12: "tb terabyte terabytes",
    },
    "time in s": {
        1e-3: "ms",
        1.0: "s sec secs second seconds",
        60.0: "min mins minute minutes",
        3600.0: "h hr hrs hour hours",
        86400.0: "d day days",
        604800.0: "wk week weeks",
        2629746.0: "mo month months",
        31556952.0: "y yr yrs year years",
    },
    "frequency in Hz": {1.0: "hz", 1e3: "khz", 1e6: "mhz", 1e9: "ghz"},
    "power in W": {1e-3: "mw", 1.0: "w watt watts", 1e3: "kw", 745.69987158: "hp", 735.49875: "ps"},
    "voltage in V": {1e-3: "mv", 1.0: "v volt volts", 1e3: "kv"},
    "current in A": {1e-3: "ma", 1.0: "a amp amps"},
    "charge in Ah": {1e-3: "mah", 1.0: "ah"},
    "energy in Wh": {1.0: "wh", 1e3: "kwh"},
    "resolution in pixels": {1.0: "px pixel pixels", 1e6: "mp megapixel megapixels"},
    "share": {0.01: "% percent pct"},
    "pieces": {1.0: "pc pcs piece pieces ct count pack pk"},
    "USD": {1.0: "$ us$ usd dollar dollars", 0.01: "¢ cent cents"},
    "EUR": {1.0: "€ eur euro euros"},
    "GBP": {1.0: "£ gbp", 0.01: "pence"},
    "JPY": {1.0: "¥ jpy yen"},
    "CNY": {1.0: "cny rmb yuan"},
    "INR": {1.0: "₹ inr rs rupees"},
    "CHF": {1.0: "chf"},
    "CAD": {1.0: "c$ cad"},
    "AUD": {1.0: "a$ aud"},
    "KRW": {1.0: "₩ krw"},
    "BRL": {1.0: "r$ brl"},
    "SEK": {1.0: "sek"},
    "PLN": {1.0: "zł pln"},
}


def _spellings() -> Iterator[tuple[str, Unit]]:
    for dimension, units in _TABLE.items():
        for factor, words in units.items():
            for word in words.split():
                yield word, Unit(dimension, factor)


UNITS: dict[str, Unit] = dict(_spellings())
"""Units by their spellings in lower case."""
