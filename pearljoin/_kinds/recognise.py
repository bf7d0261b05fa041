"""Recognise the kind of a column from its values, and weakly from its name.

The values decide. A name only lets in what the values allow and do not show by themselves: that
digits are postal codes, that words are people. What is not clearly of another kind is a name, which
the match scorer compares with all its evidence.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import combinations
from numbers import Real
from statistics import median
from typing import Any

import numpy as np

from pearljoin._kinds.cells import cell_texts, text_hash
from pearljoin._kinds.code_labels import cut_label, is_standard_code
from pearljoin._kinds.column_names import coordinate_part, hints
from pearljoin._kinds.coordinate import LIMITS
from pearljoin._kinds.email import read_email
from pearljoin._kinds.fillers import is_filler
from pearljoin._kinds.marked_date import (
    EARLIEST,
    LATEST,
    is_marked_year,
    read_date_or_year,
    read_marked_date,
)
from pearljoin._kinds.person_names import read_person
from pearljoin._kinds.phone import is_clear_phone, is_phone
from pearljoin._kinds.postcode import is_lettered_postcode, read_postcode
from pearljoin._kinds.protocol import Kind, Values, text_array
from pearljoin._kinds.read_address import read_address
from pearljoin._kinds.read_date import read_date
from pearljoin._kinds.read_list import STRONG, split_list
from pearljoin._kinds.read_quantity import read_out_of, read_quantity
from pearljoin._kinds.spelling import ALIKE, jaro_winkler
from pearljoin._kinds.years import CLEAR, FEWEST, YEARS
from pearljoin._text.normalise import mend

__all__ = ["recognise", "recognise_coordinates"]

SAMPLE = 500
"""Distinct values that are looked at."""

MOST, SOME = 0.7, 0.3
"""Shares of the values of a kind, beside `CLEAR`: most, where the name hints at it; enough."""

MANY_WORDS, HINTED_WORDS = 12, 6
"""Words of the median value of a long text; and where the name hints at it."""

FEW_VALUES, CELLS_A_VALUE = 20, 50
"""Distinct values of a category at most, and cells for each of them at least."""

LONGEST_SHORT_CODE = 5
"""Capitals of an abbreviation such as "FR" or "USD"."""

_DIGITS = re.compile(r"\d+")
_PADDED = re.compile(r"0\d")
_LETTERED = re.compile(r"[^\W\d_]+[\s-]?\d+|\d+[^\W\d_]")
"""A number with letters before it, or one behind it."""

_CODE = re.compile(r"(?=.*\d)#?[A-Z\d][A-Z\d./_#-]*")
_NO_AMOUNT = re.compile(
    r"[A-Z]{2}\s?\d+|(?:Fr|Euro)\.?\s?(?:[12]?\d|3[01])|\d+\s?[KM]|\d{3}(?:\s\d{3}){2}",
    re.ASCII,
)
"""What is something else as well as an amount: "RM 101" a room, "TL84" a model, "Fr 12" a Friday,
"4K" a size of pictures, "552 100 554" a company."""

_NUMBERED = re.compile(r"\d+\s?[^\W\d_]?")
"""A number with a letter, such as that of a house: 12a is no current there."""

_DECIMALS = re.compile(r"\d\.\d{4}|\d{4}\.\d")
_LATE_MONTH = re.compile(r"1[0-2]\.\d{4}|\d{4}\.1[0-2]")
_SENTENCE = re.compile(
    r"(?<!\S)(?:near|outside|opposite|behind|beside|next\sto|in\sfront|at|by|from|not|been)(?!\S)",
    re.IGNORECASE,
)
"""What stands in a remark about a place (*pothole outside 12 Main Street*), not in its address."""

_ONE_WORD = re.compile(r"\S+")
_SPACED_CODE = re.compile(r"[A-Z]{0,3}\s?\d+(?:\s\d+)*")
_TRUTH = frozenset(
    [
        *("yes", "no", "true", "false", "y", "n", "t", "f", "0", "1"),
        *("ja", "nein", "oui", "non", "si", "sí", "não"),
    ]
)


def recognise(values: Values, name: object = "", *, n_cells: int = 0) -> Kind:
    """Recognise the kind of a column.

    Parameters
    ----------
    values
        Its distinct values, all or a sample; None and NaN are left out.
    name
        Its name.
    n_cells
        How many cells the values stand in; 0 for unknown.

    Returns
    -------
    kind
        ``"name"`` for what is not clearly of another kind, and for a column without values.
        ``"coordinate"`` is for pairs of columns (`recognise_coordinates`) and never returned.

    Examples
    --------
    >>> recognise(["ann@example.org", "bo@example.org"])
    'email'
    >>> recognise(["02138", "90210"], "zip"), recognise(["Acme Corp", "Smith & Sons"], "company")
    ('postcode', 'name')
    """
    hinted = hints(name)
    typed = _typed_kind(values, hinted)
    if typed is not None:
        return typed
    listed = list(values)
    if any(isinstance(value, tuple | list) for value in listed):
        return "list"
    texts = [text for text in cell_texts(listed) if text is not None]
    sample = sorted(set(texts), key=lambda text: (text_hash(text), text))
    n_distinct = len(sample)
    sample = sample[:SAMPLE]
    if not sample:
        return "name"
    if {text.casefold() for text in sample} <= _TRUTH and n_distinct > 1:
        return "category"
    filled = [text for text in sample if not is_filler(text)]
    form = _of_form(filled, hinted) if filled else None
    return form or _of_words(sample, hinted, n_distinct, n_cells)


def recognise_coordinates(
    columns: Mapping[Hashable, Values],
) -> list[tuple[Hashable, Hashable]]:
    """Find pairs of columns that hold latitude and longitude, by their names and ranges.

    Parameters
    ----------
    columns
        Values by name.

    Returns
    -------
    pairs
        Names of latitude and longitude.

    Examples
    --------
    >>> recognise_coordinates({"lat": [48.9], "lon": [2.4], "long": ["a long text"]})
    [('lat', 'lon')]
    """
    found: dict[tuple[str, tuple[str, ...]], Hashable] = {}
    for name, values in columns.items():
        part = coordinate_part(name)
        limit = LIMITS[part is not None and part[0] == "longitude"]
        if part is not None and part not in found and _are_within(values, limit):
            found[part] = name
    return [
        (latitude, found["longitude", rest])
        for (part, rest), latitude in found.items()
        if part == "latitude" and ("longitude", rest) in found
    ]


def _typed_kind(values: Values, hinted: set[Kind]) -> Kind | None:
    """The kind of values that are no text, by their type."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "Mbiuf":
        if values.dtype.kind == "M":
            return "date"
        if values.dtype.kind == "b":
            return "category"
        listed = values.tolist()
    else:
        listed = list(values)
    present = [value for value in listed if value is not None and value == value]
    if not present or not all(
        isinstance(value, Real | dt.date | np.datetime64) for value in present
    ):
        return None
    if all(isinstance(value, dt.date | np.datetime64) for value in present):
        return "date"
    if all(isinstance(value, bool) for value in present):
        return "category"
    if any(isinstance(value, dt.date | np.datetime64) for value in present):
        return None
    return _kind_of_numbers([text for text in cell_texts(present) if text], hinted)


def _kind_of_numbers(texts: list[str], hinted: set[Kind]) -> Kind:
    """The kind of a column of numbers, by its name where they are whole."""
    if "number" in hinted or not _are(texts, _DIGITS.fullmatch, CLEAR):
        return "number"
    if "date" in hinted and _are(texts, read_date, CLEAR):
        return "date"
    if "phone" in hinted and _are(texts, is_phone, MOST):
        return "phone"
    if "postcode" in hinted and _are(texts, read_postcode, CLEAR):
        return "postcode"
    return "code" if "code" in hinted else "number"


def _of_form(sample: list[str], hinted: set[Kind]) -> Kind | None:
    """The kind of texts that have a form: addresses of e-mail, dates, numbers."""
    if _are(sample, read_email, CLEAR):
        return "email"
    bare = _are(sample, _DIGITS.fullmatch, CLEAR)
    if "date" in hinted:
        is_date = _are(sample, read_date, CLEAR)
    else:
        is_date = not bare and _are_clear_dates(sample)
    if is_date or _are_marked_years(sample, hinted):
        return "date"
    if _are(sample, is_clear_phone, MOST) and _are(sample, is_phone, CLEAR):
        return "phone"
    if "phone" in hinted and _are(sample, is_phone, MOST):
        return "phone"
    if _are(sample, is_lettered_postcode, CLEAR):
        return "postcode"
    if "postcode" in hinted and _are(sample, read_postcode, CLEAR):
        return "postcode"
    if bare:
        padded = any(_PADDED.match(text) for text in sample)
        # A few codes with letters, such as "IMO9811000", do not hide what the others are.
        bare_ones = [text for text in sample if _LETTERED.fullmatch(text) is None]
        alike = len(bare_ones) > 1 and len({len(text) for text in bare_ones}) == 1
        if "number" not in hinted and (
            padded or (alike and len(bare_ones[0]) > LONGEST_SHORT_CODE)
        ):
            return "code"
        return _kind_of_numbers(sample, hinted)
    is_other = "number" not in hinted and (
        _are(sample, _NO_AMOUNT.fullmatch, CLEAR)
        or ("code" in hinted and _are(sample, _NUMBERED.fullmatch, CLEAR))
    )
    if not is_other and _are_quantities(sample, hinted) and not _are_bounds(sample):
        return "number"
    unlabelled = [cut_label(text) for text in sample]
    if _are(unlabelled, lambda text: _CODE.fullmatch(text) or is_standard_code(text), CLEAR):
        return "code"
    if "code" in hinted and _are(unlabelled, _is_code, CLEAR):
        return "code"
    return None


def _are_clear_dates(sample: list[str]) -> bool:
    """Tell whether texts are dates and not, like "1.1850" or "1000-01", another thing as well.

    Months from October on tell that others of one digit, such as "3.2018", are months as well.
    """
    may_be_short = any(map(_LATE_MONTH.fullmatch, sample))

    def is_clear(text: str) -> bool:
        date = read_date(text)
        if date is None or date.day or date.short:
            return date is not None
        is_near = EARLIEST <= date.year <= LATEST
        return is_near and (may_be_short or _DECIMALS.fullmatch(text) is None)

    return _are(sample, is_clear, CLEAR)


def _are_quantities(sample: list[str], hinted: set[Kind]) -> bool:
    """Tell whether texts are numbers; "4/5" is one where it is a rating, and may be a code."""
    ratings = [quantity for text in sample if (quantity := read_out_of(text)) is not None]
    are_rated = len({rating.unit for rating in ratings}) == 1 and (
        "number" in hinted or any(rating.number % 1 for rating in ratings)
    )
    return _are(
        sample,
        lambda text: read_quantity(text) and (are_rated or read_out_of(text) is None),
        CLEAR,
    )


def _are_bounds(sample: list[str]) -> bool:
    """Tell whether some texts lie below a number and others above it: "<18" is not "18+"."""
    below = {read_quantity(text) for text in sample if text[0] in "<≤"}
    above = {read_quantity(text) for text in sample if text[0] in ">≥" or text[-1] == "+"}
    return bool(below & above - {None})


def _are_marked_years(sample: list[str], hinted: set[Kind]) -> bool:
    """Tell whether texts are years with marks around them, some of which say so or their name."""
    if "date" in hinted:
        return _are(sample, read_marked_date, MOST) and _are(
            sample, _holds_no_words_but_dates, CLEAR
        )
    if hinted & {"code", "number"} or not _are(sample, is_marked_year, SOME):
        return False
    found = set()

    def is_year(text: str) -> bool:
        date = read_marked_date(text)
        if date is None or date.year not in YEARS:
            return False
        found.add(date.year)
        return True

    return _are(sample, is_year, CLEAR) and len(found) >= FEWEST[YEARS]


def _holds_no_words_but_dates(text: str) -> bool:
    """Tell whether a text is a date, a year among words, or a slip of one: 9178, "-199?"."""
    if not any(map(str.isalpha, text)):
        return True
    return read_date_or_year(text) is not None


def _of_words(sample: list[str], hinted: set[Kind], n_distinct: int, n_cells: int) -> Kind:
    """The kind of texts of words."""
    n_words = median(len(text.split()) for text in sample)
    if "list" in hinted and _are(sample, lambda text: len(split_list(text)[0]) > 1, SOME):
        return "list"
    if "email" not in hinted and _are(sample, _is_address, SOME if "address" in hinted else MOST):
        return "address"
    if n_words < MANY_WORDS and _are(sample, _has_strong_sign, SOME):
        return "list"
    if n_words >= MANY_WORDS or ("text" in hinted and n_words >= HINTED_WORDS):
        return "text"
    if "person" in hinted and _are(sample, _is_person, CLEAR):
        return "person"
    if all(
        len(text) <= LONGEST_SHORT_CODE and text.isalpha() and text.isupper() for text in sample
    ):
        return "category"
    few = n_distinct <= FEW_VALUES and n_words <= 2
    repeated = n_cells >= CELLS_A_VALUE * n_distinct
    if few and (repeated or ("category" in hinted and n_cells > 2 * n_distinct)):
        # Two spellings of one value are for the match scorer.
        pairs = list(combinations([text.casefold() for text in sample], 2))
        one, other = (
            text_array(side) for side in (zip(*pairs, strict=True) if pairs else ((), ()))
        )
        if not (jaro_winkler(one, other) >= ALIKE).any():
            return "category"
    return "name"


def _are(sample: list[str], is_of_kind: Callable[[str], object], share: float) -> bool:
    """Tell whether at least a share of the values is of a kind; few are read of another."""
    n_others = 0
    for text in sample:
        n_others += not is_of_kind(text)
        if (len(sample) - n_others) / len(sample) < share:
            return False
    return True


def _is_code(text: str) -> bool:
    is_one = _ONE_WORD.fullmatch(text) or _SPACED_CODE.fullmatch(text)
    return bool(is_one) and any(map(str.isdigit, text))


def _is_address(text: str) -> bool:
    """Tell whether a text has a house number, and the kind of a street beside a name."""
    if "@" in text or "://" in text or not any(map(str.isdigit, text)) or _SENTENCE.search(text):
        return False
    address = read_address(text)
    return bool(address and address.number and address.street and (address.kind or address.unit))


def _is_person(text: str) -> bool:
    return not any(map(str.isdigit, text)) and read_person([text], ["full"]) is not None


def _has_strong_sign(text: str) -> bool:
    return any(sign in mend(text) for sign in STRONG)


def _are_within(values: Values, limit: float) -> bool:
    """Tell whether values are numbers, or numbers as text, of no more than `limit`."""
    numbers = [_as_float(text) for text in cell_texts(_listed(values)) if text is not None]
    return bool(numbers) and all(number is not None and abs(number) <= limit for number in numbers)


def _listed(values: Values) -> Iterable[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else values


def _as_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
