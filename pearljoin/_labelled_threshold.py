"""LabelledThreshold: what a few labelled pairs say of the scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, logit

from pearljoin._comparison import Comparison
from pearljoin._decision.thresholds import Evidence, check_rate, lowest_for_mean
from pearljoin._errors import InputError
from pearljoin._matches import Matches
from pearljoin._tables.columns import is_null
from pearljoin._tables.row_pairs import read_row_pairs, read_scores
from pearljoin._typing import FloatVector

__all__ = ["LabelledThreshold"]

FEWEST_LABELS = 30
SLOPE_SPREAD, INTERCEPT_SPREAD = 0.7, 1.5
"""How far the logarithm of the slope, and the intercept, may be from 0 before data say so."""

CLIP = 1e-4
"""Scores nearer to 0 or 1 than this are taken to be this near."""

DRAWS, BINS = 2_000, 400


class Found(Protocol):
    """What a match result offers for looking up the scores of pairs of rows."""

    @property
    def comparison(self) -> Comparison:
        """Scored candidates."""
        ...


@dataclass(frozen=True)
class LabelledThreshold:
    """A threshold learned from labelled pairs; made by `LabelledThreshold.fit`.

    A score ``s`` becomes the probability ``1 / (1 + exp(-(slope * logit(s) + intercept)))`` (Platt
    1999, on the logit of the score). Both numbers are shrunk towards 1 and 0, where the score
    stands as it is: a normal prior on the logarithm of the slope (standard deviation 0.7) and on
    the intercept (1.5), so that thirty labels correct a score rather than replace it. Then, as with
    `PrecisionTarget`, the threshold is the lowest at which the matches' mean probability reaches
    the target. Pairs may be chosen for labelling by their score, as `MatchResult.suggest_labels`
    does: that does not bias the fit.

    Attributes
    ----------
    precision
        The share of matches that should be right, in [0, 1].
    slope, intercept
        From a score to a probability.
    covariance
        Of the logarithm of the slope and the intercept: how unsure the labels leave them.
    n_labels
        How many pairs were labelled.

    Examples
    --------
    >>> import pearljoin as pj
    >>> left = [f"north lodge {n}" for n in range(20)] + [f"south inn {n}" for n in range(20)]
    >>> right = [f"north lodge no. {n}" for n in range(20)] + ["the south inn", "west inn"]
    >>> result = pj.match(left, right)
    >>> asked = result.suggest_labels(30)
    >>> labels = [pair.left.split()[-1] == pair.right.split()[-1] for pair in asked.itertuples()]
    >>> threshold = pj.LabelledThreshold.fit(asked, labels, precision=0.8)
    >>> low, high = result.precision_interval(threshold)
    >>> 0 <= low <= result.expected_precision(threshold) <= high <= 1
    True
    """

    precision: float
    slope: float
    intercept: float
    covariance: tuple[tuple[float, float], tuple[float, float]]
    n_labels: int

    @classmethod
    def fit(
        cls,
        pairs: Any,
        labels: Sequence[Any],
        *,
        precision: float = 0.9,
        result: Found | None = None,
    ) -> Self:
        """Recalibrate scores on labelled pairs, at least 30.

        Parameters
        ----------
        pairs
            What `MatchResult.suggest_labels` or `MatchResult.pairs` returned, or any table with a
            column ``score``; or a `Matches`. With `result`: pairs of row positions, as an array of
            shape (n_pairs, 2), a list of tuples, or a table with the columns ``left_row`` and
            ``right_row``.
        labels
            Whether each pair is right: booleans, or 1 and 0.
        precision
            The share of matches that should be right, in [0, 1].
        result
            Where to look up the scores of pairs of row positions.

        Raises
        ------
        InputError
            If there are fewer than 30 labels, or labels of one kind only, or as many labels as
            pairs are not there, or a pair has no score or is no candidate of `result`.
        """
        check_rate(precision, "precision")
        scores = read_scores(pairs) if result is None else _looked_up(pairs, result.comparison)
        right = _read_labels(labels, len(scores))
        slope, intercept, covariance = _recalibrate(scores, right)
        return cls(float(precision), slope, intercept, covariance, len(right))

    def probability(self, scores: FloatVector) -> NDArray[np.float64]:
        """Probability that pairs with these scores are right; 1 for a score of 1 (equal keys).

        Parameters
        ----------
        scores
            In [0, 1], of shape (n_pairs,).
        """
        found = expit(self.slope * _logits(scores) + self.intercept)
        return np.asarray(np.where(np.asarray(scores) >= 1, 1.0, found), dtype=np.float64)

    def choose(self, evidence: Evidence) -> float:
        """Return the lowest score at which the expected precision is reached."""
        scores, n_rows = evidence.pairs
        probability = self.probability(scores).astype(np.float32)
        least = lowest_for_mean(probability, self.precision, n_rows)
        kept = scores[probability >= np.float32(least)]
        return float(kept.min()) if len(kept) else 1.0

    def interval(self, scores: FloatVector, level: float = 0.95) -> tuple[float, float]:
        """Interval for the share of matches with these scores that are right.

        The slope and the intercept are drawn 2,000 times from the normal distribution that the
        labels leave (Laplace's approximation), and for each the number of right matches is drawn
        too; the interval lies between quantiles of the share. It is about the sampling of labels
        and matches, given that the curve has this form.

        Parameters
        ----------
        scores
            Scores of the matches, of shape (n_matches,).
        level
            How often the interval should hold the truth, in (0, 1).

        Returns
        -------
        low, high
            In [0, 1]; NaN where there is no match.

        Raises
        ------
        InputError
            If `level` is not a number in (0, 1).
        """
        check_rate(level, "level")
        if not 0 < level < 1:
            raise InputError(f"The level must be between 0 and 1. Got {level!r}.")
        if not len(scores):
            return float("nan"), float("nan")
        x, weight = _binned(scores)
        rng = np.random.default_rng(0)
        mode = [np.log(self.slope), self.intercept]
        draws = rng.multivariate_normal(mode, np.array(self.covariance), DRAWS)
        chance = expit(np.exp(draws[:, :1]) * x + draws[:, 1:])
        chance = np.where(np.isinf(x), 1.0, chance)
        n_matches = weight.sum()
        share = chance @ weight / n_matches
        spread = np.sqrt((chance * (1 - chance)) @ weight) / n_matches
        share = np.clip(share + spread * rng.standard_normal(DRAWS), 0, 1)
        low, high = np.quantile(share, [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)


def _read_labels(labels: Sequence[Any], n_pairs: int) -> NDArray[np.float64]:
    values = list(labels)
    if len(values) != n_pairs:
        raise InputError(
            f"There must be a label for each pair. Got {len(values)} labels for {n_pairs} pairs."
        )
    odd = [value for value in values if not _is_label(value)]
    if odd:
        raise InputError(
            f"Labels must be True or False, or 1 and 0. Got {odd[0]!r}. "
            "Hint: leave out the pairs that you could not judge, and their labels."
        )
    right = np.array([bool(value) for value in values], dtype=np.float64)
    if len(right) < FEWEST_LABELS:
        raise InputError(
            f"There are too few labels to learn from. Got {len(right)}, of at least "
            f"{FEWEST_LABELS}. Hint: result.suggest_labels(30) lists the pairs that teach most."
        )
    if right.min() == right.max():
        kind = "right" if right[0] else "wrong"
        raise InputError(
            f"The labels are of one kind. Got {len(right)} pairs that are all {kind}. Hint: label "
            "pairs with other scores too, such as result.suggest_labels(30) lists."
        )
    return right


def _is_label(value: Any) -> bool:
    return not np.ndim(value) and not is_null(value) and value in (True, False)


def _recalibrate(
    scores: FloatVector, right: NDArray[np.float64]
) -> tuple[float, float, tuple[tuple[float, float], tuple[float, float]]]:
    """Fit the most probable slope and intercept, and how unsure they are."""
    x = _logits(scores)
    precision = np.array([SLOPE_SPREAD, INTERCEPT_SPREAD]) ** -2

    def loss(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        slope = np.exp(at[0])
        z = slope * x + at[1]
        value = np.logaddexp(0, z).sum() - right @ z + precision @ at**2 / 2
        error = expit(z) - right
        return float(value), np.array([slope * (error @ x), error.sum()]) + precision * at

    mode = minimize(loss, np.zeros(2), jac=True, method="BFGS").x
    slope = float(np.exp(mode[0]))
    chance = expit(slope * x + mode[1])
    # The expected curvature (Fisher's information) rather than the observed: always positive.
    design = np.stack([slope * x, np.ones_like(x)])
    information = (design * (chance * (1 - chance))) @ design.T + np.diag(precision)
    (a, b), (c, d) = np.linalg.inv(information).tolist()
    return slope, float(mode[1]), ((a, b), (c, d))


def _logits(scores: FloatVector) -> NDArray[np.float64]:
    clipped = np.clip(np.asarray(scores, dtype=np.float64), CLIP, 1 - CLIP)
    return np.asarray(logit(clipped), dtype=np.float64)


def _binned(scores: FloatVector) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Logits of scores and how many have them, in bins; infinite for scores of 1."""
    x, equal = _logits(scores), np.asarray(scores) >= 1
    step = 2 * float(logit(1 - CLIP)) / BINS
    cells, counts = np.unique(np.round(x[~equal] / step), return_counts=True)
    weight = np.append(counts, equal.sum()).astype(np.float64)
    return np.append(cells * step, np.inf), weight


def _looked_up(pairs: Any, comparison: Comparison) -> FloatVector:
    """Scores of pairs of row positions."""
    rows = (pairs.left, pairs.right) if isinstance(pairs, Matches) else read_row_pairs(pairs)
    records = []
    for at, side in zip(rows, (comparison.left, comparison.right), strict=True):
        if len(at) and (at.min() < 0 or at.max() >= side.n_rows):
            raise InputError(
                f"A labelled pair is not in the tables. Got row {int(at.max())} of a table of "
                f"{side.n_rows} rows. Hint: rows are counted from 0, whatever the index says."
            )
        records.append(side.of_row[at])
    candidates = comparison.candidates
    n_right = max(1, comparison.right.n_records)
    known = candidates.left * n_right + candidates.right
    order = np.argsort(known)
    wanted = records[0] * n_right + records[1]
    wanted[(records[0] < 0) | (records[1] < 0)] = -1
    place = np.minimum(np.searchsorted(known[order], wanted), max(0, len(known) - 1))
    found = known[order][place] == wanted if len(known) else np.zeros(len(wanted), dtype=bool)
    if not found.all():
        first = int(np.flatnonzero(~found)[0])
        raise InputError(
            f"A labelled pair is no candidate of the result. Got rows ({int(rows[0][first])}, "
            f"{int(rows[1][first])}), and {int((~found).sum())} such pairs in all. Hint: label "
            "what result.suggest_labels() lists; a pair that was never compared has no score."
        )
    return np.asarray(candidates.score[order][place], dtype=np.float32)
