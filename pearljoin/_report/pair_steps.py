"""What spoke for and against each shown pair: the steps of its waterfall."""

from __future__ import annotations

from pearljoin._comparison import Comparison
from pearljoin._explain.attribution import Attributor
from pearljoin._report.pair_pool import PairPool

__all__ = ["PairSteps"]

SLIGHT = 0.005
"""Effects that are smaller are left out."""


class PairSteps:
    """Computes the steps of pairs.

    Parameters
    ----------
    comparison
        Scored candidates.
    pool
        The pairs.
    columns
        Names of the key columns.

    Attributes
    ----------
    names
        Names of the steps.
    unit
        ``"log odds"``, or ``"score"`` where scores are similarities.
    """

    def __init__(self, comparison: Comparison, pool: PairPool, columns: tuple[str, ...]) -> None:
        # Only what stands beside the shown pairs is computed again: a large join has too many.
        attributor = Attributor(comparison.of_left(pool.left), columns)
        self.unit: str = attributor.unit
        self.names: list[str] = []
        self._reasons = [
            attributor.reasons(left, right)
            for left, right in zip(pool.left.tolist(), pool.right.tolist(), strict=True)
        ]
        self.names = sorted({reason.kind for reasons in self._reasons for reason in reasons})

    def listed(self) -> list[list[tuple[int, float]]]:
        """Return each pair's steps: position in `names`, and effect in the unit."""
        position = {name: at for at, name in enumerate(self.names)}
        return [
            [
                (position[reason.kind], round(reason.effect, 3))
                for reason in reasons
                if abs(reason.effect) >= SLIGHT
            ]
            for reasons in self._reasons
        ]
