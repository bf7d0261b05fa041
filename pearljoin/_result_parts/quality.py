"""How good the matches of a result are: expected precision and recall, intervals from labels."""

from __future__ import annotations

from abc import ABC, abstractmethod

from pearljoin._comparison.comparison import Comparison
from pearljoin._decision.expected_quality import Curve, ExpectedQuality
from pearljoin._decision.thresholds import Threshold
from pearljoin._labelled_threshold import LabelledThreshold, labelled, probability_of
from pearljoin._matches import Matches
from pearljoin._options import MatchOptions
from pearljoin._tables.keys import Keys
from pearljoin._typing import ConstraintName

__all__ = ["ResultQuality"]


class ResultQuality(ABC):
    """What `MatchResult` says of the quality of its matches."""

    keys: Keys
    comparison: Comparison
    _options: MatchOptions

    @property
    @abstractmethod
    def calibrated(self) -> bool:
        """Whether a score is a calibrated probability of a match, and not a similarity."""

    @abstractmethod
    def matches(
        self,
        threshold: float | str | Threshold | None = None,
        constraint: ConstraintName | None = None,
        k: int | None = None,
    ) -> Matches:
        """Select the matches among the candidates."""

    @abstractmethod
    def _read_threshold(self, threshold: float | str | Threshold | None) -> Threshold: ...

    @abstractmethod
    def _choose(self, threshold: Threshold, options: MatchOptions) -> float: ...

    def expected_precision(self, threshold: float | str | Threshold | None = None) -> float:
        """Expected share of right matches: the mean probability of the matches.

        Parameters
        ----------
        threshold
            As in `matches`; a `LabelledThreshold` also gives the probabilities.

        Returns
        -------
        precision
            In [0, 1]; NaN where nothing matches. Equal keys count as right.

        Raises
        ------
        InputError
            If scores are no probabilities and the threshold is no `LabelledThreshold`.
        """
        return self._expected_at(threshold)[0]

    def expected_recall(self, threshold: float | str | Threshold | None = None) -> float:
        """Expected share of the answers that the matches find.

        The sum of the matches' probabilities over that of all candidates. A left row has at most
        one answer, except under many_to_many. Answers that are no candidates (see
        `blocking_recall`) are not counted. `threshold` and errors are as of `expected_precision`.

        Returns
        -------
        recall
            In [0, 1]; NaN where no answer is expected.
        """
        return self._expected_at(threshold)[1]

    def curve(self) -> Curve:
        """Expected precision and recall by threshold, at 200 thresholds at most.

        The errors are those of `expected_precision`.

        Returns
        -------
        curve
            A named tuple of three float64 arrays of shape (n_points,): ``threshold``, ascending,
            ``precision`` and ``recall``.

        Examples
        --------
        >>> import pearljoin as pj
        >>> result = pj.match(["NY Times", "Tea room"], ["The New York Times", "Le Monde"])
        >>> threshold, precision, recall = result.curve()
        >>> bool((recall[1:] <= recall[:-1]).all())
        True
        """
        return self._expected_quality(self._options.threshold).curve()

    def precision_interval(
        self, threshold: LabelledThreshold | None = None, *, level: float = 0.95
    ) -> tuple[float, float]:
        """Interval for the share of right matches, from labelled pairs.

        Parameters
        ----------
        threshold
            Made by ``LabelledThreshold.fit``. Default: the one given to `match`.
        level
            Probability that the interval holds the true share, in (0, 1).

        Returns
        -------
        low, high
            In [0, 1]; NaN where nothing matches. See `LabelledThreshold.interval`.

        Raises
        ------
        InputError
            If the threshold was not fitted to labels.
        """
        rule = labelled(self._read_threshold(threshold))
        return rule.interval(self.matches(rule).score, level)

    def _chosen_by(self, rule: Threshold) -> tuple[float, float]:
        """The lowest score of a match that a rule chooses, and the expected precision there."""
        chosen = self._choose(rule, self._options)
        return chosen, self._expected_quality(rule).at(chosen)[0]

    def _expected_at(self, threshold: float | str | Threshold | None) -> tuple[float, float]:
        """Expected precision and recall at a threshold."""
        rule = self._read_threshold(threshold)
        return self._expected_quality(rule).at(self._choose(rule, self._options))

    def _expected_quality(self, rule: Threshold) -> ExpectedQuality:
        constraint, k = self._options.constraint, self._options.k
        probability = probability_of(rule, self.keys.left, calibrated=self.calibrated)
        return ExpectedQuality(self.comparison, constraint, k, probability)
