"""What a matcher has learned, for people to look at."""

from __future__ import annotations

from dataclasses import dataclass

from pearljoin._comparison.reference import Reference
from pearljoin._scoring.frozen_state import FrozenState

__all__ = ["CalibrationSummary", "summarise"]


@dataclass(frozen=True)
class CalibrationSummary:
    """What a matcher has learned and frozen.

    Attributes
    ----------
    n_left
        Distinct left rows that it was calibrated on; 0 for the reference alone.
    n_right
        Distinct rows of the reference.
    kinds
        How each key column is compared.
    threshold
        The lowest score of a match, in [0, 1], as the matcher's rule chooses it.
    match_rate
        Expected share of left rows that have an answer, in [0, 1]; None where nothing says so.
    slope, shift
        What log odds are multiplied by, and then what is added; 1 and 0 change nothing.
    """

    n_left: int
    n_right: int
    kinds: tuple[str, ...]
    threshold: float
    match_rate: float | None = None
    slope: float = 1.0
    shift: float = 0.0


def summarise(
    reference: Reference, state: FrozenState, threshold: float, kinds: tuple[str, ...]
) -> CalibrationSummary:
    """Summarise what was learned.

    Parameters
    ----------
    reference, state
        The reference, and what was learned.
    threshold
        As chosen for it.
    kinds
        How the key columns are compared.
    """
    sample = state.sample
    n_left = sample.n_left
    match_rate = None
    if reference.calibrated and n_left:
        match_rate = float((sample.best.sum() + sample.n_equal) / n_left)
    slope, shift = 1.0, 0.0
    if reference.scorer is not None and state.calibration is not None:
        slope, shift = reference.scorer.table.numbers(state.calibration.table)
    return CalibrationSummary(
        n_left, len(reference.encoded), kinds, threshold, match_rate, slope, shift
    )
