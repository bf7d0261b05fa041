"""Units of quantities as they are written in tables of things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["BY_CASE", "UNITS", "NamedUnit", "Unit", "is_money", "read_unit"]


class Unit(NamedTuple):
    """A unit: what it measures, and how many base units it is."""

    dimension: str
    factor: float


class NamedUnit(NamedTuple):
    """A unit in the name of a column; one that is not clear may stand for something else there."""

    unit: Unit
    is_clear: bool = True


# Spelling in lower case, since tables write "GB", "Gb" and "gb" for one thing. Factors are those of
# NIST Special Publication 811 (2008), appendix B; volumes are US customary. Prefixes of bytes are
# decimal, as on packages.
_TABLE: dict[str, dict[float, str]] = {
    "length in m": {
        1e-9: "nm nanometre nanometres nanometer nanometers",
        1e-6: "µm um micron microns",
        1e-3: "mm millimetre millimetres millimeter millimeters",
        1e-2: "cm centimetre centimetres centimeter centimeters",
        1.0: "m metre metres meter meters",
        1e3: "km kilometre kilometres kilometer kilometers",
        0.0254: "in inch inches zoll \" ” ″ ''",
        0.3048: "ft foot feet ' ’ ′",
        0.9144: "yd yard yards",
        1609.344: "mi mile miles",
    },
    "area in m²": {
        6.4516e-4: "sqin",
        1.0: "m2 m² sqm qm squaremetre squaremetres squaremeter squaremeters",
        0.09290304: "ft2 ft² sqft squarefoot squarefeet",
        1e4: "ha hectare hectares",
        4046.8564224: "acre acres",
        1e6: "km2 km²",
    },
    "mass in g": {
        1e-6: "µg ug mcg",
        1e-3: "mg milligram milligrams",
        1.0: "g gr gram grams gramm gramme grammes gramos",
        1e3: "kg kgs kilo kilos kilogram kilograms kilogramm kilogrammes",
        1e6: "t tonne tonnes",
        28.349523125: "oz ounce ounces",
        453.59237: "lb lbs pound pounds",
        6350.29318: "st stone",
    },
    "volume in l": {
        1e-6: "µl ul",
        1e-3: "ml cc ccm cm3 cm³ millilitre millilitres milliliter milliliters",
        1e-2: "cl",
        1e-1: "dl",
        1.0: "l ltr litre litres liter liters litro litros",
        1e3: "m3 m³ cum",
        28.316846592: "ft3 ft³ cuft",
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
        1.0: "s sec secs second seconds sek sekunden secondes segundos",
        60.0: "min mins minute minutes minuten minutos minuti",
        3600.0: "h hr hrs hour hours std stunden heures horas",
        86400.0: "d day days tage jours días",  # codespell:ignore tage
        604800.0: "wk week weeks",
        2629746.0: "mo month months",
        31556952.0: "y yr yrs year years jahre ans años",  # codespell:ignore ans
    },
    "length in m / time in s": {
        1 / 3.6: "km/h kmh kph",
        0.44704: "mph",
        0.514444444: "kn knot knots",
    },
    "data rate in bit/s": {1e3: "kbps kbit/s", 1e6: "mbps mbit/s", 1e9: "gbps gbit/s"},
    "light in lm": {1.0: "lm lumen lumens"},
    "pressure in Pa": {
        1.0: "pa",
        1e2: "hpa mbar",
        1e3: "kpa",
        101325 / 760: "mmhg torr",
        3386.388: "inhg",
        6894.757: "psi",
        1e5: "bar bars",
        101325.0: "atm",
        1e6: "mpa",
    },
    "resolution in dots per inch": {1.0: "dpi ppi"},
    "revolutions per minute": {1.0: "rpm r/min rev/min u/min tr/min"},
    "torque in N m": {
        0.1129848290276: "in-lb in-lbs inlb inlbs lb-in lbf-in lb·in in·lb",
        1.0: "newtonmetre newtonmetres newtonmeter newtonmeters n·m n-m",
        1.3558179483314: "lb-ft lbs-ft lbft lbsft lb·ft lbf-ft lbf·ft lbfft ft-lb ft-lbs ftlb "
        "ftlbs ft·lb ft-lbf ft·lbf ftlbf",
    },
    "international units": {1.0: "iu"},
    "frequency in Hz": {1.0: "hz", 1e3: "khz", 1e6: "mhz", 1e9: "ghz"},
    "power in W": {
        1e-3: "mw milliwatt milliwatts",
        1.0: "w watt watts",
        1e3: "kw kilowatt kilowatts",
        1e6: "megawatt megawatts",
        1e9: "gw gigawatt gigawatts",
        745.69987158: "hp",
        735.49875: "ps",
    },
    "voltage in V": {1e-3: "mv", 1.0: "v volt volts", 1e3: "kv"},
    "current in A": {1e-3: "ma", 1.0: "a amp amps"},
    "charge in Ah": {1e-3: "mah", 1.0: "ah"},
    "energy in Wh": {
        1e-3: "milliwatthour milliwatthours",
        0.2930710702: "btu btus",
        1 / 3.6: "kj kilojoule kilojoules",
        1.0: "wh watthour watthours",
        1.163: "kcal kilocalorie kilocalories",
        1e3: "kwh kilowatthour kilowatthours",
        1e6: "mwh megawatthour megawatthours",
        1e9: "gwh gigawatthour gigawatthours",
        1e12: "twh terawatthour terawatthours",
    },
    "resolution in pixels": {1.0: "px pixel pixels", 1e6: "mp megapixel megapixels"},
    "temperature in °C": {1.0: "°c ºc ℃ celsius degc degreesc degreescelsius"},
    "temperature in °F": {1.0: "°f ºf ℉ fahrenheit degf degreesf degreesfahrenheit"},
    "share": {0.01: "% percent pct %vol vol% %abv"},
    "pieces": {1.0: "pc pcs piece pieces ct count pack pk unit units stk stück"},
    "USD": {1.0: "$ us$ u$s usd$ usd dollar dollars", 0.01: "¢ cent cents"},
    "EUR": {1.0: "€ eur euro euros"},
    "GBP": {1.0: "£ gbp", 0.01: "pence"},
    "JPY": {1.0: "¥ ￥ 円 jpy yen"},
    "CNY": {1.0: "元 cny rmb yuan"},
    "INR": {1.0: "₹ inr rs rupees"},
    "CHF": {1.0: "chf fr sfr frs"},
    "CAD": {1.0: "c$ ca$ cad$ cad"},
    "AUD": {1.0: "a$ au$ aud$ aud"},
    "NZD": {1.0: "nz$ nzd"},
    "HKD": {1.0: "hk$ hkd"},
    "SGD": {1.0: "s$ sgd"},
    "TWD": {1.0: "nt$ twd"},
    "MXN": {1.0: "mx$ mxn"},
    "ZAR": {1.0: "zar"},
    "RUB": {1.0: "₽ rub"},
    "UAH": {1.0: "₴ uah"},
    "TRY": {1.0: "₺ try tl"},
    "ILS": {1.0: "₪ ils nis"},
    "AED": {1.0: "aed dhs"},
    "SAR": {1.0: "sar"},
    "THB": {1.0: "฿ thb"},
    "VND": {1.0: "₫ đ vnd"},
    "PHP": {1.0: "₱ php"},
    "IDR": {1.0: "idr rp"},
    "MYR": {1.0: "myr rm"},
    "NGN": {1.0: "₦ ngn"},
    "CZK": {1.0: "kč czk"},
    "HUF": {1.0: "huf"},
    "RON": {1.0: "ron lei"},
    "DKK": {1.0: "dkk"},
    "NOK": {1.0: "nok"},
    "KR": {1.0: "kr"},
    "KRW": {1.0: "₩ 원 krw"},
    "BRL": {1.0: "r$ brl"},
    "SEK": {1.0: "sek"},
    "PLN": {1.0: "zł pln"},
    "PEN": {1.0: "s/ pen"},
    "COP": {1.0: "cop"},
    "CLP": {1.0: "clp"},
    "ARS": {1.0: "ars"},
    "CRC": {1.0: "₡ crc"},
    "PYG": {1.0: "₲ pyg"},
    "KES": {1.0: "ksh kes"},
    "EGP": {1.0: "egp"},
    "KZT": {1.0: "₸ kzt"},
    "GEL": {1.0: "₾ gel"},
    "BDT": {1.0: "৳ bdt"},
    "ISK": {1.0: "isk"},
    "BGN": {1.0: "лв bgn"},
}


def _spellings() -> Iterator[tuple[str, Unit]]:
    for dimension, units in _TABLE.items():
        for factor, words in units.items():
            for word in words.split():
                yield word, Unit(dimension, factor)


UNITS: dict[str, Unit] = dict(_spellings())
"""Units by their spellings in lower case."""

BY_CASE = {"MW": "megawatt", "mWh": "milliwatthour", "Nm": "newtonmetre"}
"""Units that small letters make another one of: 5 mW is no power station, nor is 5 Nm a length."""

_MONEY = re.compile(r"[A-Z]{2,3}")
_RATE = re.compile(r"([^/\d]+)/(\d*\.?\d*)([^/\d]+)")


def is_money(unit: Unit) -> bool:
    """Tell whether a unit is a currency.

    Examples
    --------
    >>> is_money(UNITS["€"]), is_money(UNITS["kg"])
    (True, False)
    """
    return _MONEY.fullmatch(unit.dimension) is not None


def read_unit(text: str) -> Unit | None:
    """Read a unit in lower case and without blanks; None for any other text.

    That may be a unit for each of another, or of so many of another ("mg/ml", "mg/5ml", "€/kg"), or
    of some thing ("mcg/dose").

    Examples
    --------
    >>> read_unit("gb"), read_unit("apples")
    (Unit(dimension='data in byte', factor=1000000000.0), None)
    >>> read_unit("mg/5ml")
    Unit(dimension='mass in g / volume in l', factor=0.2)
    """
    found = UNITS.get(text)
    rate = None if found is not None else _RATE.fullmatch(text)
    if rate is None:
        return found
    above, below = UNITS.get(rate[1]), UNITS.get(rate[3])
    many = float(rate[2]) if rate[2] not in ("", ".") else 1.0
    is_thing = len(rate[3]) > 1 and rate[3].isalpha() and not rate[2]
    if above is None or not many or not (below or is_thing):
        return None  # "12a/12b" is no current for each of twelve things
    dimension, factor = below or (rate[3], 1.0)
    if rate[2] and dimension == above.dimension:
        return None  # two quantities, such as "500mg/125mg" of two ingredients
    return Unit(f"{above.dimension} / {dimension}", above.factor / (many * factor))
