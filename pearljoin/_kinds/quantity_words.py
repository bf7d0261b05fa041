"""Numbers among words that stand beside each number of a column: "TGW 55.4", "82.8 U/L"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from typing import TypeAlias

from pearljoin._kinds.read_quantity import LONGEST, Quantity, read_quantity
from pearljoin._kinds.units import UNITS, Unit

__all__ = ["NumberWords", "are_measures", "learn_number_words", "read_among_words"]

NumberWords: TypeAlias = tuple[str, str]
"""What stands before a number and behind it, in lower case; "" for nothing."""

OFTEN = 0.1
"""Share of a column's values that have the same words around a number, at least."""

SEVERAL = 3
"""Values that have them, at least."""

CLEAR, SOME = 0.9, 0.3
"""Share of the values of a column of measures, and of those with decimals among them."""

LONGEST_UNIT = 4
"""Letters of each word of a unit that is not known, at most, unless a sign stands among them."""

MOST_WORDS = 3
"""Words before a number, and behind it."""

_AROUND = re.compile(
    r"((?:[^\W\d_][^\d]*[\s:=(])?)"
    r"([+−]?\d(?:[\d.,'’]*\d)?)"
    r"(\s?[^\W\d_][^\d]*|\s?[%‰°][^\d]*|[.)]?)"
)
_DECIMALS = re.compile(r"\d[.,]\d")


def learn_number_words(texts: Iterable[str], decimal: str | None = None) -> list[NumberWords]:
    """Find the words that stand around the numbers of a column, often the same ones.

    Texts that are read without them do not count.

    Examples
    --------
    >>> learn_number_words(["TGW 55.4", "TGW 48", "TGW 51.9", "see note 3", "12 kg"])
    [('tgw', '')]
    """
    n_texts, counts = 0, Counter[NumberWords]()
    for text in texts:
        n_texts += 1
        if len(text) <= LONGEST and read_quantity(text, decimal) is None:
            found = _split(text)
            if found is not None:
                counts[found[0], found[2]] += 1
    least = max(SEVERAL, OFTEN * n_texts)
    return sorted(words for words, count in counts.items() if count >= least)


def read_among_words(
    text: str, known: Collection[NumberWords], decimal: str | None = None
) -> Quantity | None:
    """Read a number with known words around it; None for other text.

    A unit behind it is read ("aged 43 yrs"). Other words are a unit of their own, that equals
    itself: 5 U/L and 5 mmol/L are two quantities.

    Examples
    --------
    >>> read_among_words("82.8 U/L", [("", "u/l")])
    Quantity(number=82.8, unit=Unit(dimension='u/l', factor=1.0))
    >>> read_among_words("aged 43 yrs", [("aged", "yrs")]).unit.dimension
    'time in s'
    """
    found = _split(text) if known and len(text) <= LONGEST else None
    if found is None or (found[0], found[2]) not in known:
        return None
    before, digits, after = found
    quantity = read_quantity(f"{digits} {after}".strip(), decimal)
    if quantity is not None and after:
        return quantity
    number = read_quantity(digits, decimal)
    return number and Quantity(number.number, Unit(f"{before} {after}".strip(), 1.0))


def are_measures(texts: Collection[str], *, is_named: bool = False) -> bool:
    """Tell whether texts are numbers, some with decimals, in one unit that is not known.

    Parameters
    ----------
    texts
        Distinct values.
    is_named
        Whether the column's name says that it holds numbers: "7.5 Honda" are motors else.

    Examples
    --------
    >>> are_measures(["82.8 U/L", "40 U/L", "13.5 U/L"]), are_measures(["Lot 1", "Lot 2", "Lot 3"])
    (True, False)
    """
    least = CLEAR * len(texts)
    if sum(any(map(str.isdigit, text)) for text in texts) < least:
        return False  # as most columns of names
    unread = [text for text in texts if len(text) <= LONGEST and read_quantity(text) is None]
    found = [_split(text) for text in unread]
    counts = Counter(each[2] for each in found if each and each[2] and not each[0])
    if not counts:
        return False
    unit, count = counts.most_common(1)[0]
    n_decimals = sum(
        bool(each and not each[0] and each[2] == unit and _DECIMALS.search(each[1]))
        for each in found
    )
    n_read = len(texts) - len(unread)
    return (
        count >= SEVERAL
        and (is_named or _is_like_unit(unit))
        and n_read + count >= least
        and n_decimals >= SOME * count
        and 2 * count > len(texts)
    )


def _is_like_unit(text: str) -> bool:
    """Tell whether words behind a number may be a unit: short ones, with a sign, or known."""
    has_sign = not text.replace(" ", "").replace(".", "").isalpha()
    words = text.replace(".", "").split()
    return has_sign or any(word in UNITS for word in words) or max(map(len, words)) <= LONGEST_UNIT


def _split(text: str) -> tuple[str, str, str] | None:
    """What stands before the one number of a text, the number, and what stands behind it."""
    found = _AROUND.fullmatch(text)
    if found is None:
        return None
    before, digits, after = (part.casefold().strip(" \t.:=()") for part in found.groups())
    if not (before or after) or max(len(before.split()), len(after.split())) > MOST_WORDS:
        return None
    return " ".join(before.split()), digits, " ".join(after.split())
