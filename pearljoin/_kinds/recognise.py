"""Recognise the kind of a column from its values, and weakly from its name.

The values decide. A name only lets in what the values allow and do not show by themselves: that
digits are postal codes, that words are people. What is not clearly of another kind is a name, which
the match scorer compares with all its evidence.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Hashable, Iterable, Mapping
from itertools import combinations
from numbers import Real
from statistics import median
from typing import Any

import numpy as np

from pearljoin._kinds.cells import cell_texts, text_hash
from pearljoin._kinds.column_names import coordinate_part, hints
from pearljoin._kinds.coordinate import LIMITS
from pearljoin._kinds.degrees import read_degrees
from pearljoin._kinds.fillers import is_filler
from pearljoin._kinds.person_names import read_person
from pearljoin._kinds.protocol import Kind, Values, text_array
from pearljoin._kinds.read_address import read_address
from pearljoin._kinds.read_list import STRONG, split_list
from pearljoin._kinds.recognise_form import (
    LONGEST_SHORT_CODE,
    MOST,
    SOME,
    are_mostly,
    kind_of_form,
    kind_of_numbers,
)
from pearljoin._kinds.spaced_codes import are_spaced_codes
from pearljoin._kinds.spelling import ALIKE, jaro_winkler
from pearljoin._kinds.years import CLEAR
from pearljoin._text.normalise import mend

__all__ = ["recognise", "recognise_coordinates"]

SAMPLE = 500
"""Distinct values that are looked at."""

MANY_WORDS, HINTED_WORDS = 12, 6
"""Words of the median value of a long text; and where the name hints at it."""

FEW_VALUES, CELLS_A_VALUE = 20, 50
"""Distinct values of a category at most, and cells for each of them at least."""

_SENTENCE = re.compile(
    r"(?<!\S)(?:near|outside|opposite|behind|beside|next\sto|in\sfront|at|by|from|not|been)(?!\S)",
    re.IGNORECASE,
)
"""What stands in a remark about a place (*pothole outside 12 Main Street*), not in its address."""

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
    form = kind_of_form(filled, hinted, name) if filled else None
    words = form or _of_words(sample, hinted, n_distinct, n_cells)
    # Only what would be a name: addresses and postal codes are blocks of capitals and digits, too.
    is_code = words == "name" and are_spaced_codes(filled, name, n_cells=n_cells)
    return "code" if is_code else words


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
    return kind_of_numbers([text for text in cell_texts(present) if text], hinted)


def _of_words(sample: list[str], hinted: set[Kind], n_distinct: int, n_cells: int) -> Kind:
    """The kind of texts of words."""
    n_words = median(len(text.split()) for text in sample)
    if "list" in hinted and are_mostly(sample, lambda text: len(split_list(text)[0]) > 1, SOME):
        return "list"
    if "email" not in hinted and are_mostly(
        sample, _is_address, SOME if "address" in hinted else MOST
    ):
        return "address"
    if n_words < MANY_WORDS and are_mostly(sample, _has_strong_sign, SOME):
        return "list"
    if n_words >= MANY_WORDS or ("text" in hinted and n_words >= HINTED_WORDS):
        return "text"
    if "person" in hinted and are_mostly(sample, _is_person, CLEAR):
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
    numbers = [read_degrees(text) for text in cell_texts(_listed(values)) if text is not None]
    return bool(numbers) and all(number is not None and abs(number) <= limit for number in numbers)


def _listed(values: Values) -> Iterable[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else values
