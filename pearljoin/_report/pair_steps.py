"""What spoke for and against each shown pair: the steps of its waterfall."""

from __future__ import annotations

from pearljoin._comparison import Comparison
from pearljoin._explain.attribution import Attributor
from pearljoin._report.pair_pool import PairPool
from pearljoin._typing import Constraint

__all__ = ["PairSteps"]

SLIGHT = 0.05
"""Effects that are smaller are put together as one step."""

BASE, REST = "base", "the rest"


class PairSteps:
    """Computes the steps of pairs, which add up to the log odds of the score, or to the score.

    Parameters
    ----------
    comparison
        Scored candidates.
    pool
        The pairs.
    columns
        Names of the key columns.
    constraint
        Under which the pairs were scored.

    Attributes
    ----------
    unit
        ``"log odds"``, or ``"score"`` where scores are similarities.
    names
        Names of the steps.
    listed
        Of each pair, position in `names` and effect of each step: what it had without any evidence,
        then the largest effects first. Empty where nothing was compared.
    """

    def __init__(
        self,
        comparison: Comparison,
        pool: PairPool,
        columns: tuple[str, ...],
        constraint: Constraint,
    ) -> None:
        attributor = Attributor(comparison, columns)
        self.unit: str = attributor.unit
        places: dict[str, int] = {}
        self.listed: list[list[tuple[int, float]]] = []
        of_pairs = attributor.effects(pool.left, pool.right, constraint) if len(pool) else ()
        for effects in of_pairs:
            parts = sorted(effects.by_part, key=lambda part: -abs(part[1]))
            steps = [(name, effect) for name, effect in parts if abs(effect) >= SLIGHT]
            rest = sum(effect for _, effect in parts if abs(effect) < SLIGHT)
            if effects.base:
                steps.insert(0, (BASE, effects.base))
            if abs(rest) >= SLIGHT / 10:
                steps.append((REST, rest))
            self.listed.append(
                [(places.setdefault(name, len(places)), round(effect, 3)) for name, effect in steps]
            )
        self.names = list(places)
