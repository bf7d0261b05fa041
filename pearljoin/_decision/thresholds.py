"""Thresholds: fixed, or chosen for a target precision without labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pearljoin._errors import InputError, did_you_mean
from pearljoin._typing import FloatVector

__all__ = [
    "LEAST_PROBABILITY",
    "LEAST_SAME",
    "FixedThreshold",
    "PrecisionTarget",
    "ScoreDistribution",
    "Threshold",
    "as_threshold",
    "check_rate",
    "lowest_for_mean",
    "lowest_with_usual",
]

DEFAULT_PRECISION = 0.9
"""Share of matches that should be right, unless another is asked for."""

LEAST_PROBABILITY = 0.3
"""Lowest probability of a match, whatever the mean of the others is."""

LEAST_SAME = 0.5
"""The same where each pair of records of several columns is judged by itself, under many_to_many:
a pair that is likelier wrong than right is no match, however many sure ones there are."""

HINTS = {
    "threshold": "0.8 keeps pairs that score 0.8 or more; 'auto' chooses for you.",
    "precision": "0.9 means that nine of ten matches should be right.",
    "level": "0.95 means that the interval holds the true share 19 times in 20.",
}

USUAL_ROWS = 150
"""Rows that the scores of tables at large count for."""

FEWEST_UNANSWERED = 0.2
"""Lowest estimate of the share of left rows without an answer."""

FEWEST_NEIGHBOURS, FEWEST_BEST = 30, 10
"""Smallest samples, of reference records and of left records, that the rule is applied to."""


class ScoreDistribution(Protocol):
    """Scores that a threshold rule may use; each part is computed when it is used."""

    @property
    def calibrated(self) -> bool:
        """Whether a score is the probability of a match."""
        ...

    @property
    def equal_only(self) -> bool:
        """Whether near keys are others, as whole numbers are: they are ids more often than amounts.

        Then only equal keys match.
        """
        ...

    @property
    def pairs(self) -> FloatVector:
        """Scores of possible matches of a sample of left records, equal keys left out.

        float32 in [0, 1], of shape (n_pairs,): each left record's best candidate; under
        many_to_many, all candidates.
        """
        ...

    @property
    def usual(self) -> FloatVector:
        """Scores of best candidates in tables at large: float32, empty where none are known."""
        ...

    @property
    def least(self) -> float:
        """Lowest probability of a match, in [0, 1]; meaningless for similarities."""
        ...

    @property
    def best(self) -> FloatVector:
        """Best score of each left record that equals no reference record.

        float32 of shape (n_left,), in [0, 1]; 0 where a record has no candidate.
        """
        ...

    @property
    def rivals(self) -> FloatVector:
        """Second best score of the same left records, of the same shape; 0 without one."""
        ...

    @property
    def neighbours(self) -> FloatVector:
        """Best score of sampled reference records against other reference records.

        float32 of shape (n_sampled,), in [0, 1]: scores of pairs that name different things.
        """
        ...

    @property
    def fallback(self) -> float:
        """The threshold that ships with the model."""
        ...


@runtime_checkable
class Threshold(Protocol):
    """A rule that chooses the lowest score of a match."""

    def choose(self, evidence: ScoreDistribution) -> float:
        """Choose the lowest score, in [0, 1], that counts as a match.

        Parameters
        ----------
        evidence
            The scores of the two tables.
        """
        ...


@dataclass(frozen=True, slots=True)
class FixedThreshold:
    """The same threshold for all tables.

    Parameters
    ----------
    value
        Lowest score of a match, in [0, 1].

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

    def choose(self, evidence: ScoreDistribution | None) -> float:
        """Return the value."""
        return float(self.value)


@dataclass(frozen=True, slots=True)
class PrecisionTarget:
    """The lowest threshold with a target precision, estimated without labels.

    Where a score is the calibrated probability of a match, the expected precision of the matches
    above a threshold is their mean probability. The threshold is the lowest one, but not below 0.3,
    at which that mean reaches the target. Under many_to_many by several columns it is not below 0.5
    either, or the target where that is lower. Equal keys are matches in any case and do not count.

    Where a score is a similarity, the rule estimates which scores wrong matches reach, from two
    samples of the tables: the scores of left rows' runners-up, and the scores of reference rows
    against each other, since two reference rows name different things. Let ``f(t)`` be the share of
    both samples, equally weighted, that reaches score ``t``. Of ``n`` left rows, let a share ``p0``
    have no answer in the reference. Then about ``p0 n f(t)`` rows without an answer reach ``t``,
    and the precision above ``t`` is about ``1 - p0 n f(t) / #(left rows above t)``. The share
    ``p0`` is estimated below the samples' median, where rows with an answer are rare (Storey 2002,
    equation 6). It is at least 0.2, which leaves room for wrong matches of rows that have an
    answer. The use of the reference's own density is from AutoFJ (Li et al. 2021, section 3), which
    does not count rows without an answer among the errors.

    A key column of whole numbers alone has a threshold of 1: near numbers are other ids.

    With fewer than ten left rows, the threshold is the score that a share `precision` of reference
    rows does not reach. With fewer than thirty reference rows, it is the one that ships with the
    model.

    Parameters
    ----------
    precision
        Target share of right matches, in [0, 1].

    Raises
    ------
    InputError
        If `precision` is not a number in [0, 1].
    """

    precision: float = DEFAULT_PRECISION

    def __post_init__(self) -> None:
        check_rate(self.precision, "precision")

    def choose(self, evidence: ScoreDistribution) -> float:
        """Choose the lowest score at which the expected precision reaches the target."""
        if evidence.equal_only:
            return 1.0
        if evidence.calibrated:
            least = min(evidence.least, max(self.precision, LEAST_PROBABILITY))
            known = evidence.pairs, evidence.usual
            return lowest_with_usual(*known, self.precision, least=least)
        best, neighbours = np.sort(evidence.best), np.sort(evidence.neighbours)
        if len(neighbours) < FEWEST_NEIGHBOURS:
            return evidence.fallback
        if len(best) < FEWEST_BEST:
            # Too few left rows to count: bound the share of rows without an answer that match.
            return float(np.quantile(neighbours, self.precision))
        # Quantiles of the neighbours, so that both samples have one size and weigh the same.
        steps = np.linspace(0, 1, len(best))
        wrong = np.sort(np.concatenate([evidence.rivals, np.quantile(neighbours, steps)]))
        accepted = len(best) - np.searchsorted(best, best, side="left")
        above = len(wrong) - np.searchsorted(wrong, best, side="left")
        unanswered = _share_without_answer(best, wrong) * len(best)
        false = unanswered * (1 + above) / (1 + len(wrong))
        good = np.flatnonzero(false <= (1 - self.precision) * accepted)
        return float(best[good[0]]) if len(good) else 1.0


def lowest_with_usual(
    scores: FloatVector, usual: FloatVector, target: float, *, least: float = LEAST_PROBABILITY
) -> float:
    """Find the lowest threshold at which the mean probability of matches reaches a target.

    Parameters
    ----------
    scores
        float32 of shape (n,): probabilities of the tables' best pairs; empty where none is known.
    usual
        float32 of shape (n_usual,): those of tables at large, which count as `USUAL_ROWS` rows.
    target
        In [0, 1].
    least
        As of `lowest_for_mean`.

    Returns
    -------
    threshold
        As of `lowest_for_mean`.
    """
    every = np.concatenate([scores, usual])
    weights = np.ones(len(every))
    weights[len(scores) :] = USUAL_ROWS / max(1, len(usual))
    return lowest_for_mean(every, target, weights, least=least)


def lowest_for_mean(
    probability: FloatVector,
    target: float,
    weight: NDArray[Any] | None = None,
    *,
    least: float = LEAST_PROBABILITY,
) -> float:
    """Find the lowest threshold above which the mean probability reaches a target.

    Parameters
    ----------
    probability
        float32 of shape (n,), in [0, 1].
    target
        In [0, 1].
    weight
        How often each counts: numbers of shape (n,). Default: once.
    least
        Lowest threshold, in [0, 1].

    Returns
    -------
    threshold
        One of the probabilities, at least `least`; 1 where none reaches the target.

    Examples
    --------
    >>> lowest_for_mean(np.array([0.99, 0.95, 0.8, 0.2], dtype=np.float32), 0.9)
    0.800000011920929
    """
    order = np.argsort(probability)[::-1]
    falling = probability[order].astype(np.float64)
    counts = np.ones(len(order)) if weight is None else weight[order]
    means = np.cumsum(falling * counts) / np.cumsum(counts)
    # A threshold keeps all equal probabilities or none, so only the last of them counts.
    last = np.append(falling[1:] < falling[:-1], True) if len(falling) else np.zeros(0, dtype=bool)
    good = np.flatnonzero(last & (means >= target) & (falling >= least))
    return float(falling[good[-1]]) if len(good) else 1.0


def _share_without_answer(best: FloatVector, wrong: FloatVector) -> float:
    """Estimate the share of left rows that have no answer in the reference."""
    middle = np.median(wrong)
    share = np.mean(best < middle) / max(float(np.mean(wrong < middle)), 1e-9)
    return float(np.clip(share, FEWEST_UNANSWERED, 1))


def as_threshold(
    threshold: float | str | Threshold, precision: float = DEFAULT_PRECISION
) -> Threshold:
    """Read the `threshold` argument of the public functions.

    Raises
    ------
    InputError
        If it is neither a number in [0, 1], nor "auto", nor a threshold object.
    """
    if isinstance(threshold, str):
        if threshold != "auto":
            meant = did_you_mean(threshold, ["auto"])
            raise InputError(
                f"The threshold is not understood. Got {threshold!r}. "
                f"Hint: {f'{meant} Or give' if meant else 'give'} a number from 0 to 1, 'auto', "
                "or a threshold object."
            )
        return PrecisionTarget(precision)
    check_rate(precision, "precision")
    # A numpy number or array, and a rule's class, have a method called choose but are no rule.
    if isinstance(threshold, np.generic | np.ndarray | type):
        return FixedThreshold(threshold)  # type: ignore[arg-type]
    return threshold if isinstance(threshold, Threshold) else FixedThreshold(threshold)


def check_rate(value: object, name: str) -> None:
    """Refuse a value that is not a number in [0, 1]."""
    is_number = isinstance(value, (int, float, np.floating, np.integer)) and not isinstance(
        value, bool
    )
    if not is_number or not 0 <= value <= 1:  # type: ignore[operator]
        raise InputError(
            f"The {name} must be a number from 0 to 1. Got {value!r}. Hint: {HINTS[name]}"
        )
