"""What spoke for and against each shown pair: the steps of its waterfall."""

from __future__ import annotations

from pearljoin._comparison.comparison import Comparison
from pearljoin._explain.attribution import Attributor, Reason
from pearljoin._explain.explanation import without_slight
from pearljoin._explain.step_names import BASE
from pearljoin._report.pair_pool import PairPool
from pearljoin._typing import Constraint

__all__ = ["PairSteps"]


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
            reasons = [Reason(name, effect) for name, effect in parts]
            base = [Reason(BASE, effects.base)] if reasons and effects.base else []
            steps = without_slight([*base, *reasons])
            self.listed.append(
                [(places.setdefault(s.kind, len(places)), round(s.effect, 3)) for s in steps]
            )
        self.names = list(places)
