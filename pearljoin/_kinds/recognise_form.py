"""Recognise the kind of a column whose values have a form: e-mail, dates, numbers, codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from pearljoin._kinds.code_blocks import are_padded_blocks
from pearljoin._kinds.code_labels import cut_label, is_standard_code
from pearljoin._kinds.day_times import are_padded_times
from pearljoin._kinds.email import read_email
from pearljoin._kinds.marked_date import (
    EARLIEST,
    LATEST,
    is_marked_year,
    read_date_or_year,
    read_marked_date,
)
from pearljoin._kinds.periods import read_period
from pearljoin._kinds.phone import is_clear_phone, is_phone
from pearljoin._kinds.postcode import is_lettered_postcode, read_postcode
from pearljoin._kinds.protocol import Kind
from pearljoin._kinds.quantity_words import are_measures
from pearljoin._kinds.read_date import read_date
from pearljoin._kinds.read_quantity import read_out_of, read_quantity
from pearljoin._kinds.recognise_periods import are_seasons, may_be_periods
from pearljoin._kinds.time_names import says_day_time, says_season
from pearljoin._kinds.years import CLEAR, FEWEST, YEARS

__all__ = [
    "LONGEST_SHORT_CODE",
    "MOST",
    "SOME",
    "are_mostly",
    "kind_of_form",
    "kind_of_numbers",
]

MOST, SOME = 0.7, 0.3
"""Shares of the values of a kind, beside `CLEAR`: most, where the name hints at it; enough."""

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
_SHORT_QUARTER = re.compile(r"(?!.*\d{4})(?:[qQ]\d|\d[qQ])")
"""A quarter of a year with two digits, which may be a question: "Q3-16"."""

SHORTEST_HEXADECIMAL = 7
"""Hexadecimal digits of a code, at least: those of a short hash."""

LETTERED_SHARE = 0.2
"""Share of hexadecimal numbers with a letter, at least: some of those that count up have none."""

_HEXADECIMAL = re.compile(r"(?=.*\d)[\da-f]+", re.IGNORECASE)
_BETWEEN_DIGITS = re.compile(r"[-:.\s]")
_ONE_WORD = re.compile(r"\S+")
_SPACED_CODE = re.compile(r"[A-Z]{0,3}\s?\d+(?:\s\d+)*")


def kind_of_numbers(texts: list[str], hinted: set[Kind]) -> Kind:
    """The kind of a column of numbers, by its name where they are whole."""
    if "number" in hinted or not are_mostly(texts, _DIGITS.fullmatch, CLEAR):
        return "number"
    if "date" in hinted and are_mostly(texts, read_date, CLEAR):
        return "date"
    if "phone" in hinted and are_mostly(texts, is_phone, MOST):
        return "phone"
    if "postcode" in hinted and are_mostly(texts, read_postcode, CLEAR):
        return "postcode"
    return "code" if "code" in hinted else "number"


def kind_of_form(sample: list[str], hinted: set[Kind], name: object = "") -> Kind | None:
    """The kind of texts that have a form: addresses of e-mail, dates, numbers."""
    if are_mostly(sample, read_email, CLEAR):
        return "email"
    bare = are_mostly(sample, _DIGITS.fullmatch, CLEAR)
    dated = sample
    if not bare and not may_be_periods(sample, hinted, name):
        dated = ["" if read_period(text) else text for text in sample]
    if "date" in hinted:
        is_date = are_mostly(dated, read_date, CLEAR)
    else:
        is_date = not bare and _are_clear_dates(dated)
    if is_date or _are_marked_years(dated, hinted, name):
        return "date"
    is_clear = are_mostly(sample, is_clear_phone, MOST) and are_mostly(sample, is_phone, CLEAR)
    if is_clear and "phone" not in hinted and are_padded_blocks(sample):
        return "code"
    if is_clear:
        return "phone"
    if "phone" in hinted and are_mostly(sample, is_phone, MOST):
        return "phone"
    if are_mostly(sample, is_lettered_postcode, CLEAR):
        return "postcode"
    if "postcode" in hinted and are_mostly(sample, read_postcode, CLEAR):
        return "postcode"
    # Places on shelves are as many digits, "0105": only the name tells them from times of day.
    if bare and "code" not in hinted and says_day_time(name) and are_padded_times(sample):
        return "number"
    if bare:
        padded = any(_PADDED.match(text) for text in sample)
        # A few codes with letters, such as "IMO9811000", do not hide what the others are.
        bare_ones = [text for text in sample if _LETTERED.fullmatch(text) is None]
        alike = len(bare_ones) > 1 and len({len(text) for text in bare_ones}) == 1
        if "number" not in hinted and (
            padded or (alike and len(bare_ones[0]) > LONGEST_SHORT_CODE)
        ):
            return "code"
        return kind_of_numbers(sample, hinted)
    is_other = "number" not in hinted and (
        are_mostly(sample, _NO_AMOUNT.fullmatch, CLEAR)
        or ("code" in hinted and are_mostly(sample, _NUMBERED.fullmatch, CLEAR))
    )
    if not is_other and _are_quantities(sample, hinted) and not _are_bounds(sample):
        return "number"
    if "code" not in hinted and are_measures(sample, is_named="number" in hinted):
        return "number"
    unlabelled = [cut_label(text) for text in sample]
    if are_mostly(unlabelled, lambda text: _CODE.fullmatch(text) or is_standard_code(text), CLEAR):
        return "code"
    if "code" in hinted and are_mostly(unlabelled, _is_code, CLEAR):
        return "code"
    return "code" if _are_hexadecimal(sample) else None


def _are_clear_dates(sample: list[str]) -> bool:
    """Tell whether texts are dates and not, like "1.1850" or "1000-01", another thing as well.

    Months from October on tell that others of one digit, such as "3.2018", are months as well.
    """
    may_be_short = any(map(_LATE_MONTH.fullmatch, sample))

    def is_clear(text: str) -> bool:
        date = read_date(text)
        if date is None or date.day or date.short:
            return date is not None and _SHORT_QUARTER.match(text) is None
        is_near = EARLIEST <= date.year <= LATEST
        return is_near and (may_be_short or _DECIMALS.fullmatch(text) is None)

    return are_mostly(sample, is_clear, CLEAR)


def _are_quantities(sample: list[str], hinted: set[Kind]) -> bool:
    """Tell whether texts are numbers; "4/5" is one where it is a rating, and may be a code."""
    ratings = [quantity for text in sample if (quantity := read_out_of(text)) is not None]
    are_rated = len({rating.unit for rating in ratings}) == 1 and (
        "number" in hinted or any(rating.number % 1 for rating in ratings)
    )
    return are_mostly(
        sample,
        lambda text: read_quantity(text) and (are_rated or read_out_of(text) is None),
        CLEAR,
    )


def _are_bounds(sample: list[str]) -> bool:
    """Tell whether some texts lie below a number and others above it: "<18" is not "18+"."""
    below = {read_quantity(text) for text in sample if text[0] in "<≤"}
    above = {read_quantity(text) for text in sample if text[0] in ">≥" or text[-1] == "+"}
    return bool(below & above - {None})


def _are_marked_years(sample: list[str], hinted: set[Kind], name: object) -> bool:
    """Tell whether texts are years with marks around them, some of which say so or their name."""
    if not are_seasons(sample, is_named=says_season(name)):
        return False
    if "date" in hinted:
        return are_mostly(sample, read_marked_date, MOST) and are_mostly(
            sample, _holds_no_words_but_dates, CLEAR
        )
    if hinted & {"code", "number"} or not are_mostly(sample, is_marked_year, SOME):
        return False
    found = set()

    def is_year(text: str) -> bool:
        date = read_marked_date(text)
        if date is None or date.year not in YEARS:
            return False
        found.add(date.year)
        return True

    return are_mostly(sample, is_year, CLEAR) and len(found) >= FEWEST[YEARS]


def _holds_no_words_but_dates(text: str) -> bool:
    """Tell whether a text is a date, a year among words, or a slip of one: 9178, "-199?"."""
    if not any(map(str.isalpha, text)):
        return True
    return read_date_or_year(text) is not None


def are_mostly(sample: list[str], is_of_kind: Callable[[str], object], share: float) -> bool:
    """Tell whether at least a share of the values is of a kind; few are read of another."""
    n_others = 0
    for text in sample:
        n_others += not is_of_kind(text)
        if (len(sample) - n_others) / len(sample) < share:
            return False
    return True


def _are_hexadecimal(sample: list[str]) -> bool:
    """Tell whether texts are as many hexadecimal digits: hashes, addresses of network cards."""
    lengths = Counter(len(_BETWEEN_DIGITS.sub("", text)) for text in sample)
    length = max(lengths, key=lengths.__getitem__)

    def is_number(text: str) -> bool:
        bare = _BETWEEN_DIGITS.sub("", text)
        # Digits with signs between are those of phones, dates and times as well.
        digits = bare if _has_letter(text) else text
        return len(bare) == length and _HEXADECIMAL.fullmatch(digits) is not None

    if length < SHORTEST_HEXADECIMAL or not are_mostly(sample, is_number, CLEAR):
        return False
    found = [text for text in sample if is_number(text)]
    return sum(map(_has_letter, found)) >= LETTERED_SHARE * len(found)


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def _is_code(text: str) -> bool:
    is_one = _ONE_WORD.fullmatch(text) or _SPACED_CODE.fullmatch(text)
    return bool(is_one) and any(map(str.isdigit, text))
