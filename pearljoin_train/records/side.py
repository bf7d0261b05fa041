"""One side of made tables: how it writes each column, how carelessly, and what it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from pearljoin_train.records.domains import Domain, Move, Thing

__all__ = ["CARELESS", "Rates", "Row", "Side", "move_value"]

Row = dict[str, str | None]
"""Written values by the domain's key."""

SEVERITIES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.35)
"""How careless tables are: the mean share of values with a slip."""

CARELESS = (0.05, 0.1, 0.2, 0.35, 0.5)
"""The same for tables to deduplicate, which are kept by hand more often."""

MOST_WRONG = 0.6
CATEGORY_FACTOR = 0.2
"""Categories are picked from lists rather than typed: slips are rare."""

COMPLETE_SHARE, MOST_MISSING = 0.5, 0.6
"""Share of columns without missing values, and the largest share of those with."""

CORE_COMPLETE_SHARE, MOST_CORE_MISSING = 0.75, 0.15
MOVING_SHARE = 0.3
MOVE_RATES = (0.03, 0.15, 0.5)
PLACEHOLDERS = ("N/A", "unknown", "-", "none", "?", "0")
PLACEHOLDER_SHARE = 0.05
"""Share of columns that show missing values as a placeholder."""


@dataclass(frozen=True)
class Rates:
    """What was drawn for one side; all shares are of its rows.

    Attributes
    ----------
    wrong
        Share of values with a slip, by the domain's key. Rows of a careless clerk have more.
    missing
        Share of missing values, by the domain's key; those missing by nature or moved come to it.
    moves
        Moves and their shares.
    """

    wrong: Mapping[str, float]
    missing: Mapping[str, float]
    moves: tuple[tuple[Move, float], ...]

    def by_header(self, headers: Mapping[str, str]) -> Rates:
        """Return the same by the headers of a table, given those by key."""
        return Rates(
            {headers[key]: rate for key, rate in self.wrong.items()},
            {headers[key]: rate for key, rate in self.missing.items()},
            tuple(
                (replace(move, source=headers[move.source], target=headers[move.target]), rate)
                for move, rate in self.moves
            ),
        )


class Side:
    """Writes the rows of one side.

    Parameters
    ----------
    domain
        What the rows are of.
    keys
        The columns to write.
    rng
        Draws styles and rates, and then what happens to each row.
    other
        Another side, some of whose styles this one has too.
    same_rate
        Share of these.
    severities
        Mean shares of values with a slip, of which one is drawn.

    Attributes
    ----------
    rates
        What was drawn.
    """

    def __init__(
        self,
        domain: Domain,
        keys: Iterable[str],
        rng: Random,
        other: Side | None = None,
        same_rate: float = 0.0,
        severities: Sequence[float] = SEVERITIES,
    ) -> None:
        self._rng = rng
        self._domain = domain
        self._styles = {key: domain.columns[key].style(rng) for key in keys}
        if other is not None:
            for key, style in other._styles.items():
                if rng.random() < same_rate:
                    self._styles[key] = style
        self.rates = self._draw_rates(rng.choice(severities))
        # Either every row is as careless, or some clerks are much more so.
        self._is_uneven = rng.random() < 0.5
        self._placeholders = {
            key: rng.choice(PLACEHOLDERS)
            for key in self._styles
            if rng.random() < PLACEHOLDER_SHARE and key not in domain.core
        }

    def _draw_rates(self, severity: float) -> Rates:
        rng, domain = self._rng, self._domain
        wrong = {key: min(MOST_WRONG, severity * rng.uniform(0, 2)) for key in self._styles}
        for key in wrong:
            if domain.columns[key].kind == "category":
                wrong[key] *= CATEGORY_FACTOR
        missing = {}
        for key in self._styles:
            is_core = key in domain.core
            most = MOST_CORE_MISSING if is_core else MOST_MISSING
            is_complete = rng.random() < (CORE_COMPLETE_SHARE if is_core else COMPLETE_SHARE)
            missing[key] = 0.0 if is_complete else rng.uniform(0.0, most)
        possible = [
            move
            for move in domain.moves
            if move.source in self._styles and move.target in self._styles
        ]
        moves: tuple[tuple[Move, float], ...] = ()
        if possible and rng.random() < MOVING_SHARE:
            moves = ((rng.choice(possible), rng.choice(MOVE_RATES)),)
        return Rates(wrong, missing, moves)

    def write(self, thing: Thing) -> Row:
        """Write one row about a thing, as this side saw it."""
        rng = self._rng
        seen = self._domain.observe(thing, rng)
        carelessness = rng.expovariate(1.0) if self._is_uneven else 1.0
        row: Row = {}
        for key, style in self._styles.items():
            value = seen[key]
            if value is None:
                row[key] = None
            elif rng.random() < self.rates.wrong[key] * carelessness:
                row[key] = style.write_wrongly(value, rng) or None
            else:
                row[key] = style.write(value, rng) or None
        for move, rate in self.rates.moves:
            if rng.random() < rate:
                move_value(row, move)
        self._leave_out(row)
        return row

    def _leave_out(self, row: Row) -> None:
        """Leave values out, but not the last ones."""
        rng, missing = self._rng, self.rates.missing
        left_out = [key for key in row if rng.random() < missing[key]]
        if all(row[key] is None or key in left_out for key in row):
            return
        for key in left_out:
            row[key] = self._placeholders.get(key)


def move_value(row: Row, move: Move) -> None:
    """Let a value stand in another column, if both are there."""
    source, target = row[move.source], row[move.target]
    if source is None or target is None:
        return
    if not move.text:
        row[move.source], row[move.target] = target, source
        return
    if source.casefold() not in target.casefold():
        row[move.target] = move.text.format(source=source, target=target)
    row[move.source] = None
