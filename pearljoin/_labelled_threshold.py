"""LabelledThreshold: scores recalibrated on labelled pairs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from pearljoin._comparison.comparison import Comparison
from pearljoin._decision.expected_quality import Probability
from pearljoin._decision.recalibration import binned_logits, logits, recalibrate
from pearljoin._decision.thresholds import (
    LEAST_PROBABILITY,
    ScoreDistribution,
    Threshold,
    check_rate,
    lowest_for_mean,
)
from pearljoin._errors import InputError
from pearljoin._matches import Matches
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records
from pearljoin._tables.cells import is_null
from pearljoin._tables.label_file import read_label_file
from pearljoin._tables.row_pairs import read_row_pairs, read_scores
from pearljoin._typing import FloatVector, IntVector

__all__ = ["LabelledThreshold", "known_probability", "labelled", "probability_of"]

FEWEST_LABELS = 10
"""Smallest number of labelled pairs."""

DRAWS = 2_000
"""Draws of slope and intercept for an interval."""


class LabelledResult(Protocol):
    """A match result, as far as a threshold for it is learned from labels of its pairs."""

    @property
    def comparison(self) -> Comparison:
        """Scored candidates."""
        ...

    def _chosen_by(self, rule: Threshold) -> tuple[float, float]: ...


@dataclass(frozen=True, repr=False)
class LabelledThreshold:
    """A threshold learned from labelled pairs; made by `LabelledThreshold.fit`.

    A score ``s`` becomes the probability ``1 / (1 + exp(-(slope * logit(s) + intercept)))`` (Platt
    1999, on the logit of the score). The slope is shrunk towards 1 and the intercept towards 0,
    which leave the score unchanged: the logarithm of the slope has a normal prior of standard
    deviation 0.7, and the intercept one of 1.5. So a few labels correct a score and do not replace
    it. As with `PrecisionTarget`, the threshold is the lowest at which the matches' mean
    probability reaches the target. Choosing pairs for labelling by their score, as
    `MatchResult.suggest_labels` does, does not bias the fit.

    Attributes
    ----------
    precision
        Target share of right matches, in [0, 1].
    slope, intercept
        Of the logistic curve from the score's logit to the probability.
    covariance
        Posterior covariance of the logarithm of the slope and the intercept, 2 by 2.
    n_labels
        Number of labelled pairs.
    threshold, expected_precision
        The lowest score of a match in the result that `fit` was given, and the share of its matches
        that should be right; None without a result. Other tables may have another lowest score for
        one precision: that in force is ``result.threshold``.

    Examples
    --------
    >>> import pearljoin as pj
    >>> left = [f"{kind} {n}" for kind in ("north lodge", "south inn") for n in range(20)]
    >>> right = [f"north lodge no. {n}" for n in range(20)] + ["the south inn", "west inn"]
    >>> result = pj.match(left, right)
    >>> asked = result.suggest_labels(30)
    >>> pairs = zip(asked["left"].str.split(), asked["right"].str.split())
    >>> labels = [left[-1] == right[-1] for left, right in pairs]
    >>> threshold = pj.LabelledThreshold.fit(asked, labels, precision=0.8, result=result)
    >>> low, high = result.precision_interval(threshold)
    >>> 0 <= low <= threshold.expected_precision <= high <= 1
    True
    >>> str(threshold).split("; ")[0]
    '<LabelledThreshold: precision 0.8, from 30 labels'
    """

    precision: float
    slope: float
    intercept: float
    covariance: tuple[tuple[float, float], tuple[float, float]]
    n_labels: int
    threshold: float | None = field(default=None, compare=False)
    expected_precision: float | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        text = f"<LabelledThreshold: precision {self.precision:g}, from {self.n_labels:,} labels; "
        if self.threshold is None:
            return f"{text}fit(..., result=result) tells the lowest score>"
        return (
            f"{text}lowest score {self.threshold:.4g}, "
            f"expected precision {self.expected_precision:.4g}>"
        )

    @classmethod
    def fit(
        cls,
        pairs: Any,
        labels: Sequence[Any],
        *,
        precision: float = 0.9,
        result: LabelledResult | None = None,
    ) -> Self:
        """Recalibrate scores on labelled pairs, at least 10.

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
            Target share of right matches, in [0, 1].
        result
            The match result whose scores the pairs of row positions have. With it the threshold
            says what it chooses there; for duplicates, ``result.at(threshold).threshold`` does.

        Returns
        -------
        threshold
            The threshold, to be given to `MatchResult.matches` or ``threshold=``.

        Raises
        ------
        InputError
            If there are fewer than 10 labels, the labels are all equal, the numbers of labels and
            of pairs differ, or a pair has no score or is no candidate of `result`.
        """
        check_rate(precision, "precision")
        is_match = isinstance(getattr(result, "comparison", None), Comparison)
        if result is not None and not is_match:
            raise InputError(
                f"result= is a MatchResult. Got {type(result).__name__}. Hint: give scored pairs."
            )
        scores = read_scores(pairs) if result is None else _look_up(pairs, result.comparison)
        is_right = _read_labels(labels, len(scores))
        slope, intercept, covariance = recalibrate(scores, is_right)
        rule = cls(float(precision), slope, intercept, covariance, len(is_right))
        if result is None:
            return rule
        threshold, expected = result._chosen_by(rule)
        return replace(rule, threshold=threshold, expected_precision=expected)

    @classmethod
    def from_file(
        cls,
        path: str | PathLike[str],
        *,
        precision: float = 0.9,
        result: LabelledResult | None = None,
    ) -> Self:
        """Recalibrate scores on the labels that a report's review page downloaded.

        Parameters
        ----------
        path
            A CSV file in UTF-8 with the columns ``left_row``, ``right_row``, ``score`` and
            ``label``, which is y, n or u; what is unsure (u) is left out.
        precision, result
            As in `fit`. Default: the scores that stand in the file.

        Returns
        -------
        threshold
            The threshold.

        Raises
        ------
        InputError
            If the file cannot be read, or for the reasons of `fit`.
        """
        read = read_label_file(path)
        pairs = Matches(read.left_row, read.right_row, read.score)
        return cls.fit(pairs, read.label, precision=precision, result=result)

    def probability(self, scores: FloatVector) -> NDArray[np.float64]:
        """Probability that pairs with these scores are right; 1 for a score of 1 (equal keys).

        Parameters
        ----------
        scores
            In [0, 1], of shape (n_pairs,).

        Returns
        -------
        probability
            float64 of shape (n_pairs,), in [0, 1].
        """
        found = expit(self.slope * logits(scores) + self.intercept)
        return np.asarray(np.where(np.asarray(scores) >= 1, 1.0, found), dtype=np.float64)

    def choose(self, evidence: ScoreDistribution) -> float:
        """Choose the lowest score at which the expected precision reaches the target.

        Where no left row is known, the lowest score whose own probability reaches it.
        """
        scores = evidence.pairs
        if not len(scores):
            own = float(logit(max(self.precision, LEAST_PROBABILITY)))
            return float(expit((own - self.intercept) / self.slope))
        probability = self.probability(scores).astype(np.float32)
        least = lowest_for_mean(probability, self.precision)
        kept = scores[probability >= np.float32(least)]
        return float(kept.min()) if len(kept) else 1.0

    def interval(self, scores: FloatVector, level: float = 0.95) -> tuple[float, float]:
        """Credible interval for the share of right matches among these scores.

        The slope and the intercept are drawn 2,000 times from their posterior (Laplace's
        approximation), and the number of right matches is drawn for each. The interval lies between
        quantiles of the share. It covers the sampling of labels and of matches, provided that the
        curve has this form.

        Parameters
        ----------
        scores
            Scores of the matches, of shape (n_matches,).
        level
            Probability that the interval holds the true share, in (0, 1).

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
        x, weight = binned_logits(scores)
        rng = np.random.default_rng(0)
        mode = [np.log(self.slope), self.intercept]
        draws = rng.multivariate_normal(mode, np.array(self.covariance), DRAWS)
        probability = expit(np.exp(draws[:, :1]) * x + draws[:, 1:])
        probability = np.where(np.isinf(x), 1.0, probability)
        n_matches = weight.sum()
        share = probability @ weight / n_matches
        spread = np.sqrt((probability * (1 - probability)) @ weight) / n_matches
        share = np.clip(share + spread * rng.standard_normal(DRAWS), 0, 1)
        low, high = np.quantile(share, [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)


def probability_of(
    threshold: Threshold, keys: Sequence[Hashable], *, calibrated: bool
) -> Probability:
    """Choose the function from scores to probabilities of a match.

    Parameters
    ----------
    threshold
        A `LabelledThreshold` gives its own probabilities.
    keys
        Names of the key columns, for the error.
    calibrated
        Whether scores are probabilities already.

    Raises
    ------
    InputError
        If scores are similarities and the threshold is no `LabelledThreshold`.
    """
    found = known_probability(threshold, calibrated=calibrated)
    if found is None:
        raise InputError(
            "Scores are similarities here and give no expected precision. Got the key "
            f"{list(keys)!r}, and no match scorer for it. Hint: label what "
            "result.suggest_labels(50) lists and give pj.LabelledThreshold.fit(pairs, labels), "
            "or use the bundled encoder, or several key columns without weights=."
        )
    return found


def known_probability(threshold: Threshold, *, calibrated: bool) -> Probability | None:
    """Choose the same function; None where scores are similarities, of which none is known."""
    if isinstance(threshold, LabelledThreshold):
        return threshold.probability
    return (lambda scores: scores.astype(np.float64)) if calibrated else None


def labelled(threshold: Threshold) -> LabelledThreshold:
    """Refuse a threshold that was not fitted to labels.

    Raises
    ------
    InputError
        If it is no `LabelledThreshold`.
    """
    if isinstance(threshold, LabelledThreshold):
        return threshold
    raise InputError(
        f"An interval needs labelled pairs. Got the threshold {threshold!r}. Hint: label what "
        "result.suggest_labels(50) lists, and give pj.LabelledThreshold.fit(pairs, labels)."
    )


def _read_labels(labels: Sequence[Any], n_pairs: int) -> NDArray[np.float64]:
    """Read labels as 1 and 0: float64 of shape (n_pairs,)."""
    values = list(labels)
    if len(values) != n_pairs:
        raise InputError(
            f"There must be a label for each pair. Got {len(values)} labels for {n_pairs} pairs."
        )
    odd = [value for value in values if not _is_label(value)]
    if odd:
        raise InputError(
            f"Labels must be True or False, or 1 and 0. Got {odd[0]!r}. "
            "Hint: leave out the pairs that you are not sure of, and their labels."
        )
    is_right = np.array([bool(value) for value in values], dtype=np.float64)
    if len(is_right) < FEWEST_LABELS:
        raise InputError(
            f"There are too few labels to learn from. Got {len(is_right)}, of at least "
            f"{FEWEST_LABELS}. Hint: label the pairs that result.suggest_labels(30) lists."
        )
    if is_right.min() == is_right.max():
        kind = "right" if is_right[0] else "wrong"
        raise InputError(
            f"The labels are of one kind. Got {len(is_right)} pairs that are all {kind}. Hint: "
            "label pairs with other scores too, such as those that result.suggest_labels(30) lists."
        )
    return is_right


def _is_label(value: Any) -> bool:
    return not np.ndim(value) and not is_null(value) and value in (True, False)


def _look_up(pairs: Any, comparison: Comparison) -> FloatVector:
    """Scores of pairs of row positions: float32 of shape (n_pairs,)."""
    rows = (pairs.left, pairs.right) if isinstance(pairs, Matches) else read_row_pairs(pairs)
    left_records = _records_of(rows[0], comparison.left)
    right_records = _records_of(rows[1], comparison.right)
    candidates = comparison.candidates
    n_right = max(1, comparison.right.n_records)
    listed = candidates.left * n_right + candidates.right
    order = np.argsort(listed)
    wanted = left_records * n_right + right_records
    wanted[(left_records == NULL) | (right_records == NULL)] = -1
    position = np.minimum(np.searchsorted(listed[order], wanted), max(0, len(listed) - 1))
    found = listed[order][position] == wanted if len(listed) else np.zeros(len(wanted), dtype=bool)
    if not found.all():
        first = int(np.flatnonzero(~found)[0])
        raise InputError(
            f"A labelled pair is no candidate of the result. Got rows ({int(rows[0][first])}, "
            f"{int(rows[1][first])}), and {int((~found).sum())} such pairs in all. Hint: label "
            "what result.suggest_labels() lists; a pair that was never compared has no score."
        )
    return np.asarray(candidates.score[order][position], dtype=np.float32)


def _records_of(rows: IntVector, records: Records) -> IntVector:
    """Records of rows; refuse rows that the table does not have."""
    if len(rows) and (rows.min() < 0 or rows.max() >= records.n_rows):
        raise InputError(
            f"A labelled pair is not in the tables. Got row {int(rows.max())} of a table of "
            f"{records.n_rows} rows. Hint: rows are counted from 0, whatever the index says."
        )
    return records.of_row[rows]
