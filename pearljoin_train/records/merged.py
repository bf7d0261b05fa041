"""Columns written into one: affiliations, citations and addresses hold a record as a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from pearljoin_train.records.domains.domain import ColumnKind
from pearljoin_train.records.side import Row

__all__ = ["Merging"]

SEPARATORS = (", ", ", ", ", ", " ", " - ", "; ", ". ")
BRACKETED_SHARE = 0.15
"""Share of texts with all but the first part in brackets."""

DROPPED_RATES = (0.0, 0.1, 0.3, 0.6)
"""Shares of rows that leave a part out; the core is always there."""

N_TEMPLATES = (1, 2, 4)
MOST_PARTS = 5
MERGED: frozenset[ColumnKind] = frozenset(
    {
        "name", "person", "given_name", "family_name", "address", "postcode", "date", "price",
        "quantity", "category", "authors", "code",
    }
)  # fmt: skip
"""Kinds of columns that stand in such a text."""


class Merging:
    """Writes several columns of each row as one text, in one of a few orders.

    Parameters
    ----------
    kinds
        What each column holds, by the domain's key.
    core
        Keys of the columns that every text has.
    rng
        Draws the parts and the orders, and then one order for each row.

    Attributes
    ----------
    keys
        The columns that are written into the first of them; fewer than two: there is nothing to do.
    """

    def __init__(self, kinds: Mapping[str, ColumnKind], core: Sequence[str], rng: Random) -> None:
        self._rng = rng
        others = [key for key, kind in kinds.items() if key not in core and kind in MERGED]
        rng.shuffle(others)
        self.keys = [*core, *others[: rng.randint(1, MOST_PARTS)]]
        self._dropped = {key: rng.choice(DROPPED_RATES) for key in self.keys if key not in core}
        self._templates = [self._template() for _ in range(rng.choice(N_TEMPLATES))]

    def _template(self) -> tuple[list[str], str, bool]:
        keys, rng = list(self.keys), self._rng
        if rng.random() < 0.5:
            rng.shuffle(keys)
        return keys, rng.choice(SEPARATORS), rng.random() < BRACKETED_SHARE

    def write(self, row: Row) -> str | None:
        """Return the text of one row; None if all of its values are missing."""
        rng, dropped = self._rng, self._dropped
        keys, separator, is_bracketed = rng.choice(self._templates)
        kept = [key for key in keys if rng.random() >= dropped.get(key, 0.0)]
        parts = [value for key in kept if (value := row[key])]
        if is_bracketed and len(parts) > 1:
            return f"{parts[0]} ({separator.join(parts[1:])})"
        return separator.join(parts) or None
