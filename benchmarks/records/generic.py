"""Generic comparison and blocking rules by kind of column, for Splink and recordlinkage.

Splink and recordlinkage ask their users for comparisons and blocking rules. Both get the same
ones, made from the columns' content by the rules below; they were written before any result was
seen and are not fitted to the sets.

Kinds: ``date`` (nine of ten values are of one of `DATE_FORMATS`), ``email`` (contain ``@``),
``number`` (numbers, a fifth of them with decimals), ``code`` (other numbers: years, postcodes,
phones; a trailing ``.0`` is dropped), ``category`` (few distinct values), ``text`` (more than
`TEXT_LENGTH` characters in the mean), ``name`` (all else).

Blocking rules: each column's equality; each name's and text's first characters; of those that
would propose more than `MOST_PAIRS` pairs, every two together where that proposes fewer.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import TypeAlias

from benchmarks.records.sets import Columns

__all__ = [
    "BlockingRule",
    "blocking_rules",
    "column_kind",
    "column_kinds",
    "date_format",
    "tidy_codes",
]

BlockingRule: TypeAlias = list[tuple[str, int | None]]
"""Columns that must be equal, each with the number of its first characters, None for all."""

DATE_FORMATS = ("%Y-%m-%d", "%Y%m%d", "%d/%m/%Y", "%m/%d/%Y")

MOST_PAIRS = 3_000_000
"""Pairs that one blocking rule may propose."""

TEXT_LENGTH = 30
"""Characters in the mean."""

PREFIX = {"name": 4, "text": 12}
"""First characters that block, by kind of column."""

MOST_CATEGORIES = 60
"""Distinct values."""


def column_kinds(left: Columns, right: Columns | None) -> dict[str, str]:
    """Return the kind of each column, from the values of both tables.

    Parameters
    ----------
    left, right
        The tables; None where there is one.

    Returns
    -------
    kinds
        By column: one of the kinds above; a date's with its format, ``date:%Y-%m-%d``.
    """
    return {
        name: column_kind([*values, *(right[name] if right is not None else ())])
        for name, values in left.items()
    }


def column_kind(values: Sequence[str | None]) -> str:
    """Return the kind of one column.

    Examples
    --------
    >>> column_kind(["1971-06-24", None, "1985-01-02"]), column_kind(["60615", "60601", "60602"])
    ('date:%Y-%m-%d', 'code')
    """
    filled = [value.strip() for value in values if value and value.strip()]
    if not filled:
        return "name"
    form = date_format(filled)
    if form is not None:
        return f"date:{form}"
    if _share(filled, r".*@.*") > 0.8:
        return "email"
    if _share(filled, r"[+-]?\d+(\.\d+)?") > 0.9:
        return "number" if _share(filled, r"[+-]?\d+\.0*[1-9]\d*") > 0.2 else "code"
    if len(set(filled)) <= min(MOST_CATEGORIES, len(filled) // 20):
        return "category"
    return "text" if sum(map(len, filled)) / len(filled) > TEXT_LENGTH else "name"


def tidy_codes(table: Columns, kinds: dict[str, str]) -> dict[str, list[str | None]]:
    """Return the table with codes as whole numbers: ``1998.0`` becomes ``1998``.

    Examples
    --------
    >>> tidy_codes({"year": ["1998.0", "1999", None]}, {"year": "code"})
    {'year': ['1998', '1999', None]}
    """
    return {
        name: [
            value.removesuffix(".0") if value is not None and kinds[name] == "code" else value
            for value in values
        ]
        for name, values in table.items()
    }


def date_format(filled: Sequence[str]) -> str | None:
    """Return the format that nine of ten values are dates of, None where there is none.

    Examples
    --------
    >>> date_format(["19560409", "19870101"])
    '%Y%m%d'
    """
    shares = {form: sum(_is_date(value, form) for value in filled) for form in DATE_FORMATS}
    best = max(shares, key=lambda form: shares[form])
    return best if shares[best] > 0.9 * len(filled) else None


def blocking_rules(
    left: Columns, right: Columns | None, kinds: dict[str, str]
) -> list[BlockingRule]:
    """Return the rules, each of which proposes at most `MOST_PAIRS` pairs.

    Parameters
    ----------
    left, right
        The tables; None where there is one.
    kinds
        As `column_kinds` returns them.
    """
    parts: list[tuple[str, int | None]] = [(name, None) for name in left]
    parts += [(name, PREFIX[kind]) for name, kind in kinds.items() if kind in PREFIX]
    narrow = [[part] for part in parts if _n_pairs([part], left, right) <= MOST_PAIRS]
    broad = [part for part in parts if [part] not in narrow]
    both = [
        [one, two]
        for one, two in itertools.combinations(broad, 2)
        if one[0] != two[0] and _n_pairs([one, two], left, right) <= MOST_PAIRS
    ]
    return narrow + both


def _n_pairs(rule: BlockingRule, left: Columns, right: Columns | None) -> int:
    own = _key_counts(rule, left)
    if right is None:
        return sum(count * (count - 1) // 2 for count in own.values())
    other = _key_counts(rule, right)
    return sum(count * other[key] for key, count in own.items())


def _key_counts(rule: BlockingRule, table: Columns) -> Counter[tuple[str, ...]]:
    parts = [
        [value if value is None else value[:length] for value in table[name]]
        for name, length in rule
    ]
    rows = zip(*parts, strict=True)
    return Counter(
        tuple(value for value in row if value is not None) for row in rows if None not in row
    )


def _share(values: Sequence[str], pattern: str) -> float:
    matcher = re.compile(pattern, flags=re.DOTALL)
    return sum(matcher.fullmatch(value) is not None for value in values) / len(values)


def _is_date(value: str, form: str) -> bool:
    try:
        parsed = datetime.strptime(value, form)
    except ValueError:
        return False
    return 1800 <= parsed.year <= 2100
