"""Numbers and codes of texts, as sparse tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import TypeVar
from zlib import crc32

import numpy as np

from pearljoin._ragged import SparseRows
from pearljoin._text.amounts import UNITS
from pearljoin._text.lexicon import NUMBER_WORDS
from pearljoin._text.tokens import LONGEST

__all__ = [
    "code_words",
    "codes",
    "decimal_by_label",
    "labelled",
    "labels",
    "number_table",
    "numbers",
    "numbers_by_label",
    "only_decimal",
    "repeats",
]

Text = TypeVar("Text", str, dict[str, int])

NUMBER_COLUMNS = 1 << 20
AGAIN = 611_953
"""A prime, added to a number for each time that it stands in a row of numbers again."""

LETTERED = 700_001
"""Added to numbers with letters, to keep them apart from others."""

LONGEST_CODE = 3
"""Words side by side that may be one code, as "dmc tz5k" is "DMC-TZ5K"."""

SHORTEST_CODE = 4
"""Characters of a code."""

_NUMBER = re.compile(r"\d+")
_ROW_OF_NUMBERS = re.compile(r"(?<!\d)\d++(?: \d++)+")
"""Looked for at the first digit of a number alone: at each it would take quadratic time."""
_IN_WORD = re.compile(r"(?<=[^\W\d_])\d+|(?<!\d)\d+(?=[^\W\d_]{1,2}(?!\w))")
"""The number of an ordinal or of a postcode, "1st" and "YO1 7HH", but not of "1stop"."""

_LETTERED = re.compile(r"(?<!\S)([1-9]\d{0,2})( ?)([a-d])(?!\S)")
_LEGAL_ORDINAL = re.compile(r"\d*(?<!1)[23]d")
"""*2d* and *3d*, as the law reports of the United States write them."""

_LABELLED = re.compile(rf"(?<!\S)([^\W\d_]+) (\d+)(?!\S)(?! (?:\d|(?:{UNITS})(?!\S)))")
"""A word, and the one number without a unit that follows it."""

_AMOUNT = re.compile(r"(?<!\S)[1-9]\d*(?:\.\d+)? (?:l|kg)(?!\S)")
_ADDRESS = re.compile(r"(?:[^\s@]+ )?([^\s@]+@[^\s@]+(?: [^\s@]+)? [^\W\d_]{2,3})")
"""A text that is an address of e-mail, and of its user what stands after the last point. A record
read as one text has more words than one or two points make; where it has not, its first word may be
a name beside the address."""

_DECIMAL = re.compile(r"(?<![\d.])(\d+)\.(\d+)(?![\d.])")

_SHORT_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d) (\d\d)(?!\d)")
"""The end of a span of years, as in "2008-09"; signs between numbers are spaces by now."""


def number_table(texts: list[Text], read: Callable[[Text], list[int]]) -> SparseRows:
    """Numbers that are read in texts, or in what was read of these: 0/1, (n_texts, NUMBER_COLUMNS).

    Empty ones have none.
    """
    found = [(row, number) for row, text in enumerate(texts) if text for number in read(text)]
    rows = np.array([row for row, _ in found], dtype=np.int64)
    columns = np.array([number % NUMBER_COLUMNS for _, number in found], dtype=np.int64)
    return SparseRows.of_places(rows, columns, (len(texts), NUMBER_COLUMNS))


def numbers(text: str) -> list[int]:
    """Read the numbers of a normalised text, and what counts as one.

    *12b* is another number than 12. *12 b* may be either, and is both. Litres and kilograms are
    amounts beside their numbers, since *1.5 l* has all the numbers that *1 l* has; and so is an
    address of e-mail, which is another one whenever its user or its domain is.
    """
    found: list[int] = []

    def take_out(at: re.Match[str]) -> str:
        if not _is_lettered(at):
            return at[0]
        found.append(LETTERED + 4 * int(at[1]) + ord(at[3]) - ord("a"))
        return at[1] if at[2] else ""

    plain = _SHORT_YEAR.sub(_full_year, _LETTERED.sub(take_out, text))
    found.extend(int(digits[:15]) for digits in _NUMBER.findall(plain))
    found.extend(NUMBER_WORDS[word] for word in text.split() if word in NUMBER_WORDS)
    found.extend(_hash(amount) for amount in _AMOUNT.findall(text))
    if "@" in text and (address := _ADDRESS.fullmatch(text)) is not None:
        parts = dict.fromkeys(address.group(0, 1))
        found += [_hash(part) for part in parts]
    return found


def _is_lettered(found: re.Match[str]) -> bool:
    """Whether a letter belongs to a number: *a* is an ampere unless it comes first, as a house."""
    if found[3] == "a":
        return not found.start()
    return bool(found[2]) or _LEGAL_ORDINAL.fullmatch(found[0]) is None


def repeats(text: str) -> list[int]:
    """Give a number's second time, its third and so on in a row of numbers, as other numbers.

    So, too, a plain number that an ordinal or a code has as well: "1 n 1st st", "1 lane yo1"; and
    one that a decimal has as well: "2.5 in 2 tb" has a two more than "2.5 in 1 tb". Only there:
    elsewhere a number may be repeated, as a year is in brackets.
    """
    found = _beside_decimals(text)
    for row in _ROW_OF_NUMBERS.findall(text):
        times: Counter[int] = Counter()
        for digits in row.split():
            number = int(digits[:15])
            if times[number]:
                found.append(number + times[number] * AGAIN)
            times[number] += 1
    in_words = set(_IN_WORD.findall(text)).intersection(text.split())
    found.extend(int(digits[:15]) + AGAIN for digits in in_words)
    return found


def _beside_decimals(text: str) -> list[int]:
    """The numbers of a text that its decimals have, too, as other numbers."""
    if "." not in text:
        return []
    rest = _DECIMAL.sub(" ", text)
    parts = chain.from_iterable(_DECIMAL.findall(text))
    both = {int(digits[:15]) for digits in parts}
    both &= {int(digits[:15]) for digits in _NUMBER.findall(rest)}
    return [number + AGAIN for number in both]


def labels(numbered: dict[str, int]) -> list[int]:
    """Hash of the labels of a text's numbers, as of `numbers_by_label`."""
    return [_hash(" ".join(numbered))] if numbered else []


def labelled(numbered: dict[str, int]) -> list[int]:
    """Hash of these labels with their numbers."""
    return [_hash(repr(numbered))] if numbered else []


def numbers_by_label(text: str) -> dict[str, int]:
    """The number of each word that one follows, as in "floor 3 room 4", by word.

    There are none where a number follows no word, where two follow equal words, or where one is an
    amount: "rice 5 kg pack 2", "rice 2 pack 5 kg".
    """
    pairs = sorted(_LABELLED.findall(text))
    found = {label: int(digits[:15]) for label, digits in pairs}
    is_each = 1 < len(found) == len(pairs) == len(_NUMBER.findall(text))
    return found if is_each else {}


def only_decimal(text: str) -> str:
    """The one decimal of a text, "" where it has none or several.

    *3.5%* and *1.5%* may have the same digits beside others. *03.05* and *3.5* are alike, for they
    may be days.
    """
    found = _DECIMAL.findall(text)
    if len(found) != 1:
        return ""
    whole, rest = found[0]
    return f"{int(whole[:15])}.{int(rest[:15].rstrip('0') or 0)}"


def decimal_by_label(text: str) -> dict[str, int]:
    """Hash of the one decimal of a text by one label for all; as of `numbers_by_label`."""
    found = only_decimal(text)
    return {"decimal": _hash(found)} if found else {}


def codes(text: str) -> list[int]:
    """Hashes of the words with letters and digits, also of words that are one when joined."""
    words = text.split()
    found = []
    # Words of letters alone make none, and most words are.
    marked = [at for at, word in enumerate(words) if not word.isalpha()]
    starts = {at - before for at in marked for before in range(min(LONGEST_CODE, at + 1))}
    for at in sorted(starts):
        for length in range(1, min(LONGEST_CODE, len(words) - at) + 1):
            code = "".join(words[at : at + length])
            if len(code) >= SHORTEST_CODE and not code.isdecimal() and not code.isalpha():
                found.append(_hash(code))
    return found


def code_words(text: str) -> str:
    """The words with letters and digits of a text."""
    return " ".join(
        word
        for word in text.split()
        if len(word) >= SHORTEST_CODE - 1 and not word.isalpha() and not word.isdecimal()
    )[:LONGEST]


def _full_year(span: re.Match[str]) -> str:
    """Write out the second year of a span where it follows the first: "2008 09" as "2008 2009"."""
    first, last = int(span[1]), int(span[2])
    return f"{first} {first + 1}" if (first + 1) % 100 == last else span[0]


def _hash(word: str) -> int:
    """A hash that is the same in every process."""
    return crc32(word.encode("utf-8", "surrogatepass"))
