"""Comparison of phone numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from pearljoin._errors import InputError, did_you_mean
from pearljoin._kinds.cells import cell_texts, text_hash
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
from pearljoin._kinds.spelling import conflict, edits, is_affix, lengths, same
from pearljoin._kinds.years import CLEAR
from pearljoin._typing import IntVector

__all__ = [
    "ParsedPhones",
    "PhoneComparer",
    "PhoneNumber",
    "are_phones_of",
    "bare_phone",
    "is_clear_phone",
    "is_phone",
    "read_phone",
]

SAMPLE = 200
"""Distinct values of a column that are looked at."""

SHORTEST_LOCAL = 5
"""Digits of a number without its area that may be the end of a longer one."""

FEWEST_DIGITS = 6
"""Digits of a number, at least, behind which a note or one more number is cut."""

_LABEL = (
    r"(?:(?:tele)?(?:phon|fon)[eo]?|tel[ée]fono|t[ée]l[ée]phone|telefax|t[ée]l|tlf|ph|fax|handy"
    r"|m[oó]bile?|m[oó]vil|mob|cell?(?:ular)?|home|work|office|direct|number|nummer|no|nr)"
    r"(?![^\W\d_])"
)
_BEFORE = re.compile(
    rf"(?:(?:{_LABEL}[\s./:#&-]*){{1,3}}|[tpmfcwho][.:]\s*)(?=[+(\d])", re.IGNORECASE
)
_OR = "or|oder|ou|and|und|et"  # codespell:ignore oder
_BEHIND = re.compile(
    rf"(?<=\d)(?:\s*[(\[][^()\[\]\d]+[)\]]|\s+{_LABEL}\.?)$"
    rf"|(?<=\d)\s*(?:;(?!ext)|[|\n]|,\s(?!x|ext)|\s(?:{_OR})\s)\D*(?:\d\D*){{5}}.*$",
    re.IGNORECASE | re.DOTALL,
)
"""Behind a number: what kind it is, alone or in brackets, and one more number."""

_PHONE = re.compile(r"\+?[\d\s()./-]{6,22}(?:\s*(?:x|ext\.?)\s*\d+)?", re.IGNORECASE)
_CLEAR_PHONE = re.compile(
    r"(?:(?:\+|00|\(\d|0\d{2,4}/)[\d\s()./-]{6,20}"
    r"|(?:1[-. ])?(?:\(\d{3}\)|\d{3})[-. ]\d{3}[-. ]\d{4}"
    r"|0\d(?:[. -]\d{2}){4}|0\d{2,4} \d{5,8})"  # as in France; as in Germany and India
    r"(?:\s*(?:x|ext\.?)\s*\d+)?",
    re.IGNORECASE,
)
_EXTENSION = re.compile(r"\s*(?:;ext=|extension|ext\.?|x|#)\s*(\d{1,7})\s*$", re.IGNORECASE)


class PhoneNumber(NamedTuple):
    """A phone number: country code ("" unknown), national number, extension ("" none)."""

    country: str
    national: str
    extension: str


def bare_phone(text: str) -> str:
    """Cut what stands beside a phone number: a label, a note in brackets, one more number.

    Examples
    --------
    >>> bare_phone("Tel.: 030 123456 (home)"), bare_phone("030 123456 or 030 123457")
    ('030 123456', '030 123456')
    """
    label = _BEFORE.match(text)
    text = text[label.end() :] if label else text
    behind = _BEHIND.search(text)
    if behind is None or sum(map(str.isdigit, text[: behind.start()])) < FEWEST_DIGITS:
        return text
    return text[: behind.start()]


def is_phone(text: str) -> bool:
    """Tell whether a text has the signs and the number of digits of a phone number.

    Examples
    --------
    >>> is_phone("Tel. 030 123456"), is_phone("12345"), is_phone("Room 1234567")
    (True, False, False)
    """
    text = bare_phone(text)
    return bool(_PHONE.fullmatch(text)) and 7 <= sum(map(str.isdigit, text)) <= 20


def is_clear_phone(text: str) -> bool:
    """Tell whether a text is grouped as phone numbers alone are.

    Examples
    --------
    >>> is_clear_phone("(415) 555-2671"), is_clear_phone("4155552671")
    (True, False)
    """
    return bool(_CLEAR_PHONE.fullmatch(bare_phone(text)))


def read_phone(text: str, region: str | None) -> PhoneNumber | None:
    """Read a phone number with Google's libphonenumber (the package phonenumbers).

    What stands beside it is cut (`bare_phone`); other letters are those of its keys.

    Parameters
    ----------
    text
        The number as written.
    region
        Two letters (ISO 3166) of the country whose numbers are written without a country code; None
        where that is not known. The country of such a number is then unknown.

    Returns
    -------
    number
        The number; None for text that is none.

    Examples
    --------
    >>> read_phone("(415) 555-2671 x9", "US")
    PhoneNumber(country='1', national='4155552671', extension='9')
    >>> read_phone("020 7946 0958", None)
    PhoneNumber(country='', national='02079460958', extension='')
    >>> read_phone("Tel. 030 123456", "DE")
    PhoneNumber(country='49', national='30123456', extension='')
    """
    # Imported here: it takes longer than a small join, and few tables have phone numbers.
    import phonenumbers

    text = bare_phone(text)
    if text.startswith("00"):  # the international prefix that the ITU recommends (E.164)
        text = "+" + text[2:]
    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException as error:
        if error.error_type != phonenumbers.NumberParseException.INVALID_COUNTRY_CODE:
            return None
        found = _EXTENSION.search(text)
        main = text[: found.start()] if found else text
        digits = phonenumbers.normalize_digits_only(
            phonenumbers.convert_alpha_characters_in_number(main)
        )
        return PhoneNumber("", digits, found[1] if found else "") if digits else None
    national = phonenumbers.national_significant_number(number)
    return PhoneNumber(str(number.country_code), national, number.extension or "")


def are_phones_of(values: Values, region: str) -> bool:
    """Tell whether nearly all values are phone numbers that are in use, by the rules of a region.

    Examples
    --------
    >>> are_phones_of(["02079460958"], "GB"), are_phones_of(["02079460958"], "US")
    (True, False)
    """
    import phonenumbers

    def is_one(text: str) -> bool:
        try:
            return phonenumbers.is_valid_number(phonenumbers.parse(bare_phone(text), region))
        except phonenumbers.NumberParseException:
            return False

    texts = sorted({text for text in cell_texts(values) if text is not None}, key=text_hash)
    sample = texts[:SAMPLE]
    return bool(sample) and sum(map(is_one, sample)) >= CLEAR * len(sample)


@dataclass(frozen=True, eq=False)
class ParsedPhones(Parsed):
    """Phone numbers in parts.

    Attributes
    ----------
    country, national, extension
        str of shape (n_values,): the parts of `PhoneNumber`; "" for null.
    """

    country: Texts
    national: Texts
    extension: Texts


class PhoneComparer(Comparer[ParsedPhones]):
    """Compares phone numbers by country code, national number and extension.

    The levels follow libphonenumber's match types: equality, equal national numbers where one side
    lacks the country code (or the extension), and one the end of the other, as a number without its
    area code is.

    Parameters
    ----------
    region
        Two letters (ISO 3166) of the country of numbers without a country code; None for unknown.

    Raises
    ------
    InputError
        If there is no such region.
    """

    kind: ClassVar[Kind] = "phone"
    levels: ClassVar[tuple[str, ...]] = (
        "different",
        "one digit off",
        "part",
        "equal nationally",
        "equal",
    )

    def __init__(self, region: str | None = None) -> None:
        self.region = None if region is None else _check_region(region)

    def read(self, values: Values) -> ParsedPhones:
        """Read phone numbers; text that libphonenumber does not take for one is unparsable.

        Examples
        --------
        >>> PhoneComparer("US").read(["(415) 555-2671", "+44 20 7946 0958", "none"]).canonical
        array(['+1 4155552671', '+44 2079460958', None], dtype=object)
        """
        found, n_unparsable = read_each(
            cell_texts(values), lambda text: read_phone(text, self.region)
        )
        numbers = [number or PhoneNumber("", "", "") for number in found]
        return ParsedPhones(
            text_array(number and _write(number) for number in found),
            n_unparsable,
            *(text_array(part) for part in (zip(*numbers, strict=True) if numbers else ((),) * 3)),
        )

    def _compare_unequal(
        self, left: ParsedPhones, right: ParsedPhones, left_at: IntVector, right_at: IntVector
    ) -> tuple[Levels, Within]:
        national = left.national[left_at], right.national[right_at]
        countries = conflict(left.country[left_at], right.country[right_at])
        extensions = conflict(left.extension[left_at], right.extension[right_at])
        agree = same(*national)
        changed, (_, longer) = edits(*national), lengths(*national)
        is_end = is_affix(*national, SHORTEST_LOCAL, beginnings=False)
        level = np.select(
            [
                agree & ~countries & ~extensions,
                agree | (is_end & ~countries),
                (changed == 1) & ~countries,
            ],
            [3, 2, 1],
            0,
        )
        return level.astype(np.int8), 1 - changed / longer


def _write(number: PhoneNumber) -> str:
    written = f"+{number.country} {number.national}" if number.country else number.national
    return f"{written} ext. {number.extension}" if number.extension else written


def _check_region(region: str) -> str:
    import phonenumbers

    known = phonenumbers.SUPPORTED_REGIONS
    code = region.upper() if isinstance(region, str) else region
    if code not in known:
        hint = did_you_mean(code, sorted(known)) or "two letters of ISO 3166, such as 'GB'."
        raise InputError(
            f"phone_region= is no region that has phone numbers. Got {region!r}. Hint: {hint}"
        )
    return str(code)
