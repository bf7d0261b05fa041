"""What numbers without a unit stand for beside durations: seconds, thousandths, minutes.

A table gives the length of one song as 3:39, of another as 219 and of a third as 219000. Which of
these a side mixes is learned from where its numbers lie beside the reference's typical duration.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pearljoin._kinds.units import UNITS
from pearljoin._typing import BoolVector

__all__ = ["NO_DURATIONS", "TIME", "Durations", "learn_durations"]

TIME = UNITS["s"].dimension

SOME = 0.1
"""Share of durations from which a column is one of these; and of numbers of another dimension."""

RARE = 0.05
"""Share of a side's numbers that are in one more unit, at least."""

FARTHEST = 30.0
"""How many times the typical duration, or which part of it, one is at most."""

FACTORS = (1.0, 60.0, 0.001, 1 / 60, 1000.0)
"""What turns seconds, minutes and thousandths into each other; the first of two equally near."""


@dataclass(frozen=True)
class Durations:
    """How a side writes durations, beside the reference.

    Attributes
    ----------
    are_here
        Whether the reference has durations: with units of time, or as on a clock.
    dimension
        `TIME` where some of them have units, and all numbers are converted to seconds; else "".
    typical
        The reference's median, in seconds or as most of its numbers are; 0 without numbers.
    bare, clock, timed
        What this side's numbers may have to be multiplied by: those without a unit, as on a clock,
        and with a unit of time. Nothing for those that stay as they are.
    """

    are_here: bool = False
    dimension: str = ""
    typical: float = 0.0
    bare: tuple[float, ...] = ()
    clock: tuple[float, ...] = ()
    timed: tuple[float, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether all numbers stay as they are."""
        is_same = self.bare == (1.0,) and not self.dimension
        return not (self.clock or self.timed) and (is_same or not self.bare)

    def convert(
        self, base: NDArray[np.float64], dimension: NDArray[np.object_], is_clock: BoolVector
    ) -> tuple[NDArray[np.float64], BoolVector]:
        """Convert numbers to what the reference's are, and mark those that are of `dimension` then.

        Parameters
        ----------
        base, dimension, is_clock
            float64, str and bool of shape (n_values,): numbers in base units, what these measure,
            and which are written as on a clock.
        """
        found, is_converted = base.copy(), np.zeros(len(base), dtype=bool)
        factors = (self.bare, self.clock, self.timed)
        for some, these in zip(_groups(dimension, is_clock), factors, strict=True):
            at = np.flatnonzero(some & (base > 0)) if these else some[:0]
            if len(at):
                nearest, _ = _nearest(base[at], these, self.typical)
                found[at] *= np.array(these)[nearest]
                is_converted[at] = True
        return found, is_converted


NO_DURATIONS = Durations()


def learn_durations(
    base: NDArray[np.float64],
    dimension: NDArray[np.object_],
    is_clock: BoolVector,
    reference: Durations | None = None,
) -> Durations:
    """Learn how a side writes durations.

    Parameters
    ----------
    base, dimension, is_clock
        As of `Durations.convert`.
    reference
        What was learned of the reference; None where this is the reference.

    Returns
    -------
    durations
        Those of the reference, with what this side's numbers are multiplied by.
    """
    known = base > 0
    base = base[known]
    groups = _groups(dimension[known], is_clock[known])
    bare, clock, timed = (base[some] for some in groups)
    n_durations = len(clock) + len(timed)
    if len(base) - len(bare) - n_durations > SOME * len(base):
        return reference or NO_DURATIONS
    has_durations = bool(n_durations) and n_durations >= SOME * len(base)
    if reference is None:
        is_timed = bool(len(timed)) and len(timed) >= SOME * len(base)
        most = timed if is_timed else clock if has_durations else bare
        typical = float(np.median(most)) if len(most) else 0.0
        reference = Durations(has_durations, TIME if is_timed else "", typical)
    if not reference.typical or not (reference.are_here or has_durations):
        return reference
    in_seconds = reference.dimension == TIME
    return Durations(
        reference.are_here,
        reference.dimension,
        reference.typical,
        _factors(bare, FACTORS[:3] if in_seconds else FACTORS, reference.typical),
        _factors(clock, FACTORS[:2] if in_seconds else FACTORS, reference.typical),
        () if in_seconds else _factors(timed, FACTORS, reference.typical),
    )


def _groups(dimension: NDArray[np.object_], is_clock: BoolVector) -> list[BoolVector]:
    """Mark numbers without a unit, those as on a clock, and those with a unit of time."""
    has_unit = (dimension != "").astype(bool)
    return [~has_unit & ~is_clock, ~has_unit & is_clock, (dimension == TIME).astype(bool)]


def _factors(
    numbers: NDArray[np.float64], factors: tuple[float, ...], typical: float
) -> tuple[float, ...]:
    """Return the factors that numbers have to be multiplied by; none where these lie elsewhere."""
    nearest, off = _nearest(numbers, factors, typical)
    near = nearest[off <= np.log(FARTHEST)]
    if 2 * len(near) <= len(numbers):
        return ()
    counts = np.bincount(near, minlength=len(factors))
    return tuple(
        factor
        for factor, count in zip(factors, counts.tolist(), strict=True)
        if count >= RARE * len(near)
    )


def _nearest(
    numbers: NDArray[np.float64], factors: tuple[float, ...], typical: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Which factor brings each number nearest to the typical one, and how far off that is in log.

    Both of shape (n_numbers,).
    """
    off = np.abs(np.log(numbers[:, None]) + np.log(factors) - np.log(typical))
    return off.argmin(axis=1), off.min(axis=1)
