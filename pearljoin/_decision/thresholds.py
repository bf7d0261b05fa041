"""Where a match begins: a fixed score, or a rule that aims at a precision without labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from pearljoin._errors import InputError
from pearljoin._typing import FloatVector, IntVector

__all__ = ["Evidence", "FixedThreshold", "PrecisionTarget", "Threshold", "as_threshold"]

FALLBACK = 0.4
"""Threshold for small tables where the encoder brings none of its own."""

LIKELIER_THAN_NOT = 0.5
"""No match is accepted that is more likely wrong than right, however good the others are."""

HINTS = {
    "threshold": "0.8 keeps pairs that score 0.8 or more; 'auto' chooses for you.",
    "precision": "0.9 asks for nine right answers in ten.",
    "level": "0.95 asks for an interval that holds the truth 19 times in 20.",
}

FEWEST_UNANSWERED = 0.2
FEWEST_NEIGHBOURS, FEWEST_BEST = 30, 10
"""Below so many reference records, or left records, these tell too little."""


class Evidence(Protocol):
    """What a threshold may look at; each part is worked out when it is asked for."""

    @property
    def calibrated(self) -> bool:
        """Whether a score is the probability of a match."""
        ...

    @property
    def pairs(self) -> tuple[FloatVector, IntVector]:
        """Scores of what could match, equal keys aside, and how many pairs of rows each stands for.

        float32 in [0, 1] and int64, of shape (n_pairs,): best candidates of left records; under
        many_to_many, all candidates.
        """
        ...

    @property
    def best(self) -> FloatVector:
        """Best score of each left record that equals none of the reference.

        float32 of shape (n_left,), in [0, 1]; 0 where a record has no candidate.
        """
        ...

    @property
    def rivals(self) -> FloatVector:
        """Second best score of the same left records, of the same shape; 0 where there is none."""
        ...

    @property
    def neighbours(self) -> FloatVector:
        """Best score of reference records against the other records of the reference.

        float32 of shape (n_sampled,): what a row without an answer would find.
        """
        ...

    @property
    def fallback(self) -> float:
        """The threshold that the model was shipped with."""
        ...


@runtime_checkable
class Threshold(Protocol):
    """Anything that can say where a match begins."""

    def choose(self, evidence: Evidence) -> float:
        """Return the lowest score, in [0, 1], that counts as a match."""
        ...


@dataclass(frozen=True, slots=True)
class FixedThreshold:
    """A score that a match must reach.

    Parameters
    ----------
    value
        In [0, 1].

    Raises
    ------
    InputError
        If `value` is not a number in [0, 1].

    Examples
    --------
    >>> FixedThreshold(0.8).choose(None)
    0.8
    """

    value: float

    def __post_init__(self) -> None:
        check_rate(self.value, "threshold")

    def choose(self, evidence: Evidence | None) -> float:
        """Return the value, whatever the tables hold."""
        return float(self.value)


@dataclass(frozen=True, slots=True)
class PrecisionTarget:
    """The lowest threshold whose matches should be right often enough, judged without labels.

    Where a score is the calibrated probability of a match, the expected precision of the matches
    above a threshold is their mean probability: the threshold is the lowest, but not below 0.5, at
    which that reaches the target. Equal keys are matches in any case and do not count.

    Elsewhere the tables are judged by themselves. What would a left row find if its answer were
    missing? Two samples tell. One is what left rows
    find besides their best match: the score of the runner-up. The other is how close reference
    rows lie to each other, since two of them name different things. If a share ``f(t)`` of both
    samples, equally weighed, reaches score t, then of ``n`` left rows, of which a share ``p0`` has
    no answer, about ``p0 n f(t)`` reach t without one, and the precision above t is about ``1 - p0
    n f(t) / #(left rows above t)``. The share ``p0`` is read off below the samples' median, where
    rows with an answer are rare (Storey 2002, equation 6), and is taken to be 0.2 at least, which
    leaves room for wrong answers to rows that have one. Judging by the reference's own density is
    AutoFJ's idea (Li et al. 2021, section 3); counting rows without an answer among the errors is
    what it leaves out.

    With fewer than ten left rows, the threshold is the score that a share `precision` of reference
    rows does not reach. With fewer than thirty reference rows there is nothing to judge by, and the
    threshold that ships with the model is used.

    Parameters
    ----------
    precision
        The share of matches that should be right, in [0, 1].

    Raises
    ------
    InputError
        If `precision` is not a number in [0, 1].
    """

    precision: float = 0.9

    def __post_init__(self) -> None:
        check_rate(self.precision, "precision")

    def choose(self, evidence: Evidence) -> float:
        """Return the lowest score at which the expected precision is reached."""
        if evidence.calibrated:
            scores, n_rows = evidence.pairs
            return lowest_for_mean(scores, self.precision, n_rows)
        best, neighbours = np.sort(evidence.best), np.sort(evidence.neighbours)
        if len(neighbours) < FEWEST_NEIGHBOURS:
            return evidence.fallback
        if len(best) < FEWEST_BEST:
            # Too few left rows to count: let a row without an answer pass one time in ten (say).
            return float(np.quantile(neighbours, self.precision))
        # As many neighbours as rivals, at even steps of their distribution.
        steps = np.linspace(0, 1, len(best))
        chance = np.sort(np.concatenate([evidence.rivals, np.quantile(neighbours, steps)]))
        accepted = len(best) - np.searchsorted(best, best, side="left")
        above = len(chance) - np.searchsorted(chance, best, side="left")
        unanswered = _share_without_answer(best, chance) * len(best)
        false = unanswered * (1 + above) / (1 + len(chance))
        good = np.flatnonzero(false <= (1 - self.precision) * accepted)
        return float(best[good[0]]) if len(good) else 1.0


def lowest_for_mean(
    probability: FloatVector, target: float, weight: IntVector | None = None
) -> float:
    """Find the lowest threshold above which the mean probability reaches a target.

    Parameters
    ----------
    probability
        float32 of shape (n,), in [0, 1].
    target
        In [0, 1].
    weight
        int64 of shape (n,): how often each counts. Default: once.

    Returns
    -------
    threshold
        One of the probabilities, at least 0.5; or 1 where none will do.

    Examples
    --------
    >>> lowest_for_mean(np.array([0.99, 0.95, 0.8, 0.2], dtype=np.float32), 0.9)
    0.800000011920929
    """
    order = np.argsort(probability)[::-1]
    falling = probability[order].astype(np.float64)
    counts = np.ones(len(order), dtype=np.int64) if weight is None else weight[order]
    means = np.cumsum(falling * counts) / np.cumsum(counts)
    # Equal probabilities stand or fall together, so only the last of them counts.
    last = np.append(falling[1:] < falling[:-1], True) if len(falling) else np.zeros(0, dtype=bool)
    good = np.flatnonzero(last & (means >= target) & (falling >= LIKELIER_THAN_NOT))
    return float(falling[good[-1]]) if len(good) else 1.0


def _share_without_answer(best: FloatVector, chance: FloatVector) -> float:
    """Estimate which share of left rows has no answer in the reference."""
    middle = np.median(chance)
    share = np.mean(best < middle) / max(float(np.mean(chance < middle)), 1e-9)
    return float(np.clip(share, FEWEST_UNANSWERED, 1))


def as_threshold(threshold: float | str | Threshold, precision: float) -> Threshold:
    """Read the `threshold` argument of the public functions.

    Raises
    ------
    InputError
        If it is neither a number in [0, 1], nor "auto", nor a threshold object.
    """
    if isinstance(threshold, str):
        if threshold != "auto":
            raise InputError(
                f"The threshold is not understood. Got {threshold!r}. "
                "Hint: give a number from 0 to 1, 'auto', or a threshold object."
            )
        return PrecisionTarget(precision)
    check_rate(precision, "precision")
    # numpy's numbers and arrays have a method called choose too, and so has a rule's class.
    if isinstance(threshold, np.generic | np.ndarray | type):
        return FixedThreshold(threshold)  # type: ignore[arg-type]
    return threshold if isinstance(threshold, Threshold) else FixedThreshold(threshold)


def check_rate(value: object, name: str) -> None:
    """Refuse what is not a number in [0, 1]."""
    is_number = isinstance(value, (int, float, np.floating, np.integer)) and not isinstance(
        value, bool
    )
    if not is_number or not 0 <= value <= 1:  # type: ignore[operator]
        raise InputError(
            f"The {name} must be a number from 0 to 1. Got {value!r}. Hint: {HINTS[name]}"
        )
