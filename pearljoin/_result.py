"""MatchResult: what was found between two sides, to be decided on, looked at and joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pearljoin._comparison import Comparison
from pearljoin._decision.evidence import TableEvidence
from pearljoin._decision.expected import Curve, Expected
from pearljoin._decision.label_sampling import sample_for_labelling
from pearljoin._decision.select import all_matches, runners_up, select_matches
from pearljoin._decision.thresholds import FixedThreshold, Threshold, as_threshold
from pearljoin._errors import InputError
from pearljoin._explain.explanation import Explainer, Explanation
from pearljoin._features.registry import REGISTRY
from pearljoin._labelled_threshold import LabelledThreshold
from pearljoin._matches import Matches
from pearljoin._options import MatchOptions, read_how
from pearljoin._records.records import NULL
from pearljoin._tables.input import Table
from pearljoin._tables.keys import Keys
from pearljoin._tables.output import assemble, take_rows
from pearljoin._tables.pair_table import pair_table
from pearljoin._typing import FloatVector

__all__ = ["MatchResult"]


class MatchResult:
    """Candidates and scores between two sides; deciding again never encodes again.

    Made by `match` and by ``Matcher.match``.

    Attributes
    ----------
    keys
        Which columns were compared.
    comparison
        Scored candidate pairs of records, behind everything else here.
    fallback
        The threshold that ships with the model, for tables too small to judge by.
    duplicates
        Right rows whose keys are equal (normalised, as are `by` and veto columns), in groups. Which
        of a group a match means cannot be told: under many_to_one the first stands for all, and a
        `DuplicateReferenceWarning` says so.

    Examples
    --------
    >>> import pearljoin as pj
    >>> result = pj.match(["NY Times", "Le Monde"], ["The New York Times", "Le Monde", "Die Zeit"])
    >>> result.matches(threshold=0.4).right
    array([0, 1])
    """

    def __init__(
        self,
        left: Table,
        right: Table,
        keys: Keys,
        comparison: Comparison,
        options: MatchOptions,
        fallback: float,
        duplicates: tuple[tuple[int, ...], ...] = (),
    ) -> None:
        self._left = left
        self._right = right
        self.keys = keys
        # What one_to_one chooses from is what it is judged and explained by.
        one_to_one = options.constraint == "one_to_one"
        self.comparison = comparison.mutual if one_to_one else comparison
        self._options = options
        self.fallback = fallback
        self.duplicates = duplicates

    def __repr__(self) -> str:
        return (
            f"<MatchResult: {self._left.n_rows:,} left rows against {self._right.n_rows:,}, "
            f"{self._options.constraint}>"
        )

    @cached_property
    def threshold(self) -> float:
        """The lowest score that counts as a match, in [0, 1], as the threshold rule chose it."""
        return self._choose(self._options.threshold, self._options)

    def _choose(self, threshold: Threshold, options: MatchOptions) -> float:
        evidence = TableEvidence(self.comparison, self.fallback, options.constraint, options.k)
        chosen = threshold.choose(evidence)
        return FixedThreshold(chosen).value

    def matches(
        self,
        threshold: float | str | Threshold | None = None,
        constraint: str | None = None,
        k: int | None = None,
    ) -> Matches:
        """Decide which candidates are matches.

        Parameters
        ----------
        threshold
            A score in [0, 1], "auto" (precision 0.9), or a threshold object. Default: the one that
            the match was asked with.
        constraint
            ``"many_to_one"``, ``"one_to_one"`` or ``"many_to_many"``. Default: as asked with.
        k
            Under many_to_many, the most right rows a left row may have.

        Returns
        -------
        matches
            Row positions and scores, by left row and then best first.

        Raises
        ------
        InputError
            If an argument is not understood, or the matches are too many to hold.
        """
        if threshold is None and constraint is None and k is None:
            return self._own_matches
        options = self._options.with_decision(constraint, k)
        chosen = (
            self.threshold
            if threshold is None
            else self._choose(self._read_threshold(threshold), options)
        )
        return select_matches(self.comparison, chosen, options.constraint, options.k)

    @cached_property
    def _own_matches(self) -> Matches:
        return select_matches(
            self.comparison, self.threshold, self._options.constraint, self._options.k
        )

    def all_matches(self) -> Matches:
        """What would match at threshold 0; under many_to_many, all candidate pairs.

        Returns
        -------
        matches
            Row positions and scores.
        """
        return all_matches(self.comparison, self._options.constraint)

    every_match = all_matches

    def join(
        self,
        how: str = "left",
        *,
        suffix: str | Sequence[str] = "_right",
        score: str | None = "match_score",
    ) -> Any:
        """Join the two tables on the matches.

        Parameters
        ----------
        how
            ``"left"``, ``"inner"``, ``"right"``, ``"full"`` (or ``"outer"``), ``"semi"`` or
            ``"anti"``.
        suffix
            For the right's clashing columns, or a pair for the left's and the right's.
        score
            Name of the score column; None leaves it out.

        Returns
        -------
        table
            Of the left table's kind. In left order; unmatched right rows last, in right order.

        Raises
        ------
        InputError
            If an argument is not understood or two columns would have one name.
        """
        return assemble(
            self._left,
            self._right,
            self.keys,
            self.matches(),
            how=read_how(how),
            suffix=suffix,
            score=score,
        )

    @property
    def calibrated(self) -> bool:
        """Whether a score is the calibrated probability of a match; else a plain similarity."""
        return self.comparison.calibrated

    def expected_precision(self, threshold: float | str | Threshold | None = None) -> float:
        """Share of the matches expected to be right: their mean probability.

        Parameters
        ----------
        threshold
            As in `matches`; with a `LabelledThreshold`, probabilities are what it makes of scores.

        Returns
        -------
        precision
            In [0, 1]; NaN where nothing matches. Equal keys count as right.

        Raises
        ------
        InputError
            If scores are no probabilities, and no `LabelledThreshold` makes them so.
        """
        asked = self._read_threshold(threshold)
        return self._expected(asked).at(self._choose(asked, self._options))[0]

    def expected_recall(self, threshold: float | str | Threshold | None = None) -> float:
        """Share of the answers expected to be found by the matches at a threshold.

        The matches' probabilities over those of all candidates, of which a left row has one answer
        at most unless the constraint is many_to_many. Answers that are no candidates are not known
        of, so the truth is rather below.

        Parameters
        ----------
        threshold
            As in `expected_precision`.

        Returns
        -------
        recall
            In [0, 1]; NaN where no answer is expected.

        Raises
        ------
        InputError
            As in `expected_precision`.
        """
        asked = self._read_threshold(threshold)
        return self._expected(asked).at(self._choose(asked, self._options))[1]

    def curve(self) -> Curve:
        """Expected precision and recall at every threshold that makes a difference, at most 200.

        Returns
        -------
        curve
            A named tuple of three float64 arrays of shape (n_points,): ``threshold``, ascending,
            ``precision`` and ``recall``, as `expected_precision` and `expected_recall` have them.

        Raises
        ------
        InputError
            As in `expected_precision`.

        Examples
        --------
        >>> import pearljoin as pj
        >>> result = pj.match(["NY Times", "Tea room"], ["The New York Times", "Le Monde"])
        >>> threshold, precision, recall = result.curve()
        >>> bool((recall[1:] <= recall[:-1]).all())
        True
        """
        return self._expected(self._options.threshold).curve()

    def precision_interval(
        self, threshold: LabelledThreshold | None = None, *, level: float = 0.95
    ) -> tuple[float, float]:
        """Confidence interval for the share of right matches, from labels.

        Parameters
        ----------
        threshold
            Made by ``LabelledThreshold.fit``. Default: the one that the match was asked with.
        level
            How often the interval should hold the truth, in (0, 1).

        Returns
        -------
        low, high
            In [0, 1]; NaN where nothing matches. See `LabelledThreshold.interval`.

        Raises
        ------
        InputError
            If there are no labels to judge by.
        """
        asked = self._read_threshold(threshold)
        if not isinstance(asked, LabelledThreshold):
            raise InputError(
                f"An interval needs labelled pairs. Got the threshold {asked!r}. Hint: label what "
                "result.suggest_labels(50) lists, and give pj.LabelledThreshold.fit(pairs, labels)."
            )
        return asked.interval(self.matches(asked).score, level)

    def suggest_labels(self, n: int = 30) -> Any:
        """List the pairs whose labels would teach most.

        Pairs near the threshold, where a label decides most, take turns with pairs all over the
        range of scores, without which nothing could be said of them. Each left row's best candidate
        (under many_to_many every candidate), equal keys left out. The first pairs of a longer list
        are those of a shorter one.

        Parameters
        ----------
        n
            How many pairs, at least 1; fewer are listed where there are no more.

        Returns
        -------
        table
            Of the left table's kind, the most telling pair first: ``left_row`` and ``right_row``
            (row positions), ``left`` and ``right`` (key values), and ``score``. With labels,
            `LabelledThreshold.fit` takes it as it is.

        Raises
        ------
        InputError
            If `n` is not a whole number above 0.
        """
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
            raise InputError(f"n must be a whole number above 0. Got {n!r}.")
        candidates = self.comparison.candidates
        free = candidates.priority == 0
        if self._options.constraint != "many_to_many":
            free &= candidates.place == 0
        pool = candidates.take(free)
        asked = pool.take(sample_for_labelling(pool, self.threshold, int(n)))
        rows = self.comparison.left.first_row[asked.left]
        other_rows = self.comparison.right.first_row[asked.right]
        columns = {
            "left_row": rows,
            "right_row": other_rows,
            "left": ("left", rows),
            "right": ("right", other_rows),
            "score": asked.score,
        }
        return pair_table(self._left, self._right, self.keys, columns)

    def _read_threshold(self, threshold: float | str | Threshold | None) -> Threshold:
        return self._options.threshold if threshold is None else as_threshold(threshold, 0.9)

    def _expected(self, threshold: Threshold) -> Expected:
        if isinstance(threshold, LabelledThreshold):
            return self._expect(threshold.probability)
        if not self.calibrated:
            raise InputError(
                "Scores are similarities here, which promise no precision. Got "
                f"the key {list(self.keys.left)!r}, and no match scorer for it. Hint: label what "
                "result.suggest_labels(50) lists and give pj.LabelledThreshold.fit(pairs, labels), "
                "or use the bundled encoder, or several key columns without weights=."
            )
        return self._expect(lambda score: score.astype(np.float64))

    def _expect(self, probability: Callable[[FloatVector], NDArray[np.float64]]) -> Expected:
        options = self._options
        return Expected(self.comparison, options.constraint, options.k, probability)

    def evidence(self) -> dict[str, NDArray[Any]]:
        """What speaks for and against every candidate pair of distinct keys, by itself.

        A score is made of that, of the pair's rivals and of the words that its table leaves over.

        Returns
        -------
        evidence
            Arrays of shape (n_pairs,) by name: ``left`` and ``right``, int64, the first rows that
            hold the two keys; the others float32, as listed in `pearljoin.scoring.FEATURES`.

        Raises
        ------
        InputError
            If the key is not one column of text.
        """
        if [field.kind for field in self.comparison.left.fields] != ["text"]:
            raise InputError(
                f"Evidence is worked out for one key column of text. Got {list(self.keys.left)!r}."
            )
        pairs = self.comparison.described()
        return {
            "left": self.comparison.left.first_row[pairs.left],
            "right": self.comparison.right.first_row[pairs.right],
            **dict(zip(REGISTRY.names, pairs.features.T, strict=True)),
        }

    def explain(self, row: int, right_row: int | None = None) -> Explanation:
        """Tell why a left row has the match it has, or why its best candidate is none.

        Parameters
        ----------
        row
            Position of the left row, from 0.
        right_row
            Position of a right row that was compared with it. Default: its (best) match, or else
            its best candidate.

        Returns
        -------
        explanation
            Words, evidence, score, runner-up and outcome as data; ``str()`` makes one readable line
            of it. The first call with a match scorer takes as long as scoring did.

        Raises
        ------
        InputError
            If there is no such row, or the two were not compared.

        Examples
        --------
        >>> import pearljoin as pj
        >>> papers = ["The New York Times", "Le Monde", "New York Post"]
        >>> result = pj.match(["New York Tims", "Tea room"], papers, threshold=0.5)
        >>> told = result.explain(0)
        >>> told.right, [word.text for word in told.shared], [w.text for w in told.left_only]
        ('The New York Times', ['new', 'york'], ['tims'])
        >>> result.explain(1).outcome
        'no match, the score is below the threshold'
        """
        matches, constraint = self.matches(), self._options.constraint
        return self._explainer.explain(row, right_row, matches, self.threshold, constraint)

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self._left, self._right, self.keys, self.comparison)

    def pairs(self) -> Any:
        """List the matches as values, to be looked at.

        Returns
        -------
        table
            Of the left table's kind, a row a match: ``left`` and ``right`` (the key values; several
            key columns are put together with " | "), ``score``, ``runner_up`` (the next best right
            value, null where there is none) and ``margin`` (by how much the score exceeds the
            runner-up's). Of sequences: a table of an installed dataframe library.
        """
        matches = self.matches()
        runner_rows, runner_scores = runners_up(self.comparison, matches)
        columns = {
            "left": ("left", matches.left),
            "right": ("right", matches.right),
            "score": matches.score,
            "runner_up": ("right", runner_rows),
            "margin": np.where(runner_rows == NULL, np.nan, matches.score - runner_scores),
        }
        return pair_table(self._left, self._right, self.keys, columns)

    def unmatched(self, side: Literal["left", "right"] = "left") -> Any:
        """Return the rows that no match was found for, in their own table's kind.

        Parameters
        ----------
        side
            Of which table.
        """
        if side not in ("left", "right"):
            raise InputError(f"side= is not understood. Got {side!r}. Hint: 'left' or 'right'.")
        table = self._left if side == "left" else self._right
        matched = getattr(self.matches(), side)
        return take_rows(table, np.setdiff1d(np.arange(table.n_rows), matched))
