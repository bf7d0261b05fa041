"""MatchResult: the candidates and scores of two tables, from which matches are selected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Literal, overload

from numpy.typing import NDArray

from pearljoin._cached import cached_property
from pearljoin._comparison.comparison import Comparison
from pearljoin._decision.blocking_recall import estimate_blocking_recall
from pearljoin._decision.doubles import group_doubles
from pearljoin._decision.score_distribution import TableScores
from pearljoin._decision.select import all_matches, select_matches
from pearljoin._decision.thresholds import FixedThreshold, Threshold, as_threshold
from pearljoin._errors import InputError
from pearljoin._explain.explanation import Explainer, Explanation
from pearljoin._match_log import MatchLog, result_text
from pearljoin._matches import Matches
from pearljoin._options import MatchOptions, read_how
from pearljoin._progress import as_work, stage
from pearljoin._result_parts.tables import ResultTables
from pearljoin._result_parts.views import ResultViews
from pearljoin._tables.keys import Keys
from pearljoin._tables.read_table import Table
from pearljoin._typing import ConstraintName, HowName, LeftTable

__all__ = ["MatchResult"]


class MatchResult(ResultViews, Generic[LeftTable]):
    """Candidate pairs of two tables and their scores.

    Made by `match` and ``Matcher.match``. Every method uses the same candidates: nothing is encoded
    or searched again for another threshold.

    Attributes
    ----------
    keys
        The columns that were compared.
    comparison
        Scored candidate pairs of records.

    Examples
    --------
    >>> import pearljoin as pj
    >>> papers = ["The New York Times", "Le Monde", "Die Zeit"]
    >>> result = pj.match(["NY Times", "Le Monde"], papers)
    >>> result.matches().right
    array([0, 1])
    """

    def __init__(
        self,
        left: Table,
        right: Table,
        keys: Keys,
        comparison: Comparison,
        options: MatchOptions,
        *,
        warns: bool = False,
    ) -> None:
        self._left = left
        self._right = right
        self.keys = keys
        self.comparison = comparison
        self._options = options
        self._log = MatchLog(left, right, keys, self.comparison, warns=warns)
        self._tables: ResultTables[LeftTable] = ResultTables(left, right, keys, self.comparison)
        self._explainer = Explainer(left, right, keys, self.comparison)

    def __repr__(self) -> str:
        # What is not computed yet may take minutes, so it is not computed for this.
        rule, known = self._options.threshold, vars(self)
        lowest = known.get("threshold", rule.value if isinstance(rule, FixedThreshold) else None)
        matches, constraint = known.get("_default_matches"), self._options.constraint
        return result_text(self.keys, self.comparison, constraint, lowest, matches)

    @cached_property
    def threshold(self) -> float:
        """Lowest score of a match, in [0, 1], as chosen by the threshold rule."""
        return self._choose(self._options.threshold, self._options)

    @as_work
    @stage("decision")
    def _choose(self, threshold: Threshold, options: MatchOptions) -> float:
        reference, state = self.comparison.reference, self.comparison.state
        scores = TableScores(reference, state, options.constraint, options.k)
        return FixedThreshold(threshold.choose(scores)).value

    def matches(
        self,
        threshold: float | str | Threshold | None = None,
        constraint: ConstraintName | None = None,
        k: int | None = None,
    ) -> Matches:
        """Select the matches among the candidates.

        Parameters
        ----------
        threshold
            A score in [0, 1], "auto" (precision 0.9), or a threshold object. Default: the one given
            to `match`; a rule chooses again for another constraint or `k`.
        constraint
            ``"many_to_one"``, ``"one_to_one"`` or ``"many_to_many"``. Default: as given to `match`.
        k
            Under many_to_many, the most right rows of a left row.

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
            return self._default_matches
        options = self._options.with_decision(constraint, k)
        rule = self._read_threshold(threshold)
        return self._select(self._choose(rule, options), options, rule)

    @cached_property
    def _default_matches(self) -> Matches:
        return self._select(self.threshold, self._options, self._options.threshold)

    @as_work
    def _select(self, threshold: float, options: MatchOptions, rule: Threshold) -> Matches:
        matches = select_matches(self.comparison, threshold, options.constraint, options.k)
        self._log.write_once(threshold, options.constraint, matches, rule)
        return matches

    @as_work
    def all_matches(self) -> Matches:
        """Select the matches at threshold 0; under many_to_many, all candidate pairs."""
        return all_matches(self.comparison, self._options.constraint)

    every_match = all_matches

    def join(
        self,
        how: HowName = "left",
        *,
        suffix: str | Sequence[str] = "_right",
        score: str | None = "match_score",
    ) -> LeftTable:
        """Join the two tables on the matches.

        Parameters
        ----------
        how
            ``"left"``, ``"inner"``, ``"right"``, ``"full"`` (or ``"outer"``), ``"semi"`` or
            ``"anti"``.
        suffix
            Appended to right columns whose name the left table has too; or a pair, for the left's
            and the right's.
        score
            Name of the score column; None for no such column.

        Returns
        -------
        table
            Of the left table's kind. In left order; unmatched right rows last, in right order.

        Raises
        ------
        InputError
            If an argument is not understood, or two columns would have the same name.
        """
        joined: LeftTable = self._tables.join(read_how(how), self.matches(), suffix, score)
        return joined

    @property
    def fallback(self) -> float:
        """The threshold for similarities that ships with the model, for small tables."""
        return self.comparison.reference.fallback_threshold

    @property
    def duplicates(self) -> tuple[tuple[int, ...], ...]:
        """Groups of right rows with equal normalised keys, `by` and veto columns.

        Under many_to_one a match with a group names its first row, and a warning is given.
        """
        return self.comparison.reference.repeated

    @cached_property
    def doubles(self) -> tuple[tuple[int, ...], ...]:
        """Groups of right rows that were scored as one entity among candidates.

        Such rows are no rivals of each other: each has the score of the thing, and a match names
        the best of them. Only candidates of left rows are compared. Empty where the encoder has no
        scorer that can tell.
        """
        return group_doubles(self.comparison)

    @cached_property
    def blocking_recall(self) -> float:
        """Estimated share of true matches that are candidates; NaN if uncalibrated.

        In [0, 1], from how many blocking rules propose each likely match (Chao 1987).
        """
        return estimate_blocking_recall(self.comparison, self._options.constraint)

    @property
    def calibrated(self) -> bool:
        """Whether scores are calibrated probabilities of a match, not similarities."""
        return self.comparison.calibrated

    def suggest_labels(self, n: int = 30, *, exclude: Any = None) -> LeftTable:
        """List the most informative pairs to label.

        Pairs near the threshold alternate with pairs from the whole range of scores. They are
        taken from each left row's best candidates (under many_to_many, from all candidates),
        without equal keys. A longer list starts with the shorter one.

        Parameters
        ----------
        n
            How many pairs, at least 1; fewer where there are not as many.
        exclude
            Pairs that are labelled already, which are left out: row positions as an array of shape
            (n_pairs, 2), a list of tuples, or a table with the columns ``left_row`` and
            ``right_row``, such as an earlier list.

        Returns
        -------
        table
            The most informative pair first, with columns as of `pairs`: ``left_row``,
            ``right_row``, ``left``, ``right`` and ``score``. `LabelledThreshold.fit` takes it.

        Raises
        ------
        InputError
            If `n` is not a whole number above 0, or `exclude` is no pairs of row positions.
        """
        return self._tables.to_label(self.threshold, self._options.constraint, n, exclude)

    def _read_threshold(self, threshold: float | str | Threshold | None) -> Threshold:
        return self._options.threshold if threshold is None else as_threshold(threshold)

    @as_work
    def evidence(self) -> dict[str, NDArray[Any]]:
        """Features of every candidate pair of distinct keys.

        The match scorer combines them with features of the pair's rivals and of unmatched tokens.

        Returns
        -------
        evidence
            Arrays of shape (n_pairs,) by name: ``left`` and ``right``, int64, the first rows with
            the two keys; the others float32, as listed in `pearljoin.scoring.FEATURES`.

        Raises
        ------
        InputError
            If the key is not one column of text.
        """
        return self._tables.features()

    @as_work
    def explain(self, row: int, right_row: int | None = None) -> Explanation:
        """Explain a left row's match, or why its best candidate is no match.

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
            Words, reasons, score, runner-up and outcome. It prints as a few lines; ``waterfall()``
            gives the steps that add up to the score.

        Raises
        ------
        InputError
            If there is no such row, or the two were not compared.

        Examples
        --------
        >>> import pearljoin as pj
        >>> papers = ["The New York Times", "Le Monde", "New York Post"]
        >>> told = pj.match(["New York Tims", "Tea room"], papers).explain(0)
        >>> told.right, [word.text for word in told.shared], [w.text for w in told.left_only]
        ('The New York Times', ['york', 'new'], ['tims'])
        """
        matches, constraint = self.matches(), self._options.constraint
        return self._explainer.explain(row, right_row, matches, self.threshold, constraint)

    def pairs(
        self,
        threshold: float | str | Threshold | None = None,
        constraint: ConstraintName | None = None,
    ) -> LeftTable:
        """List the matches with their key values and probabilities.

        Parameters
        ----------
        threshold, constraint
            As of `matches`.

        Returns
        -------
        table
            Of the left table's kind, one row for each match: ``left_row`` and ``right_row`` (row
            positions, int64), ``left`` and ``right`` (the key values; those of several key columns
            are joined by " | "), ``score``, ``runner_up`` (the next best right value, null where
            there is none) and ``margin`` (the score less the runner-up's). Where scores are
            probabilities, ``p_answer`` (that the right row is the left row's answer) and, where the
            scorer can say, ``p_same`` (that both are the same thing, whatever else is). For
            sequences, a table of an installed dataframe library.

        Raises
        ------
        InputError
            If an argument is not understood, or the matches are too many to hold.
        """
        matches = self.matches(threshold, constraint)
        return self._tables.matches(
            matches, self._options.with_decision(constraint, None).constraint
        )

    @overload
    def unmatched(self, side: Literal["left"] = "left", *, explain: bool = False) -> LeftTable: ...
    @overload
    def unmatched(self, side: Literal["right"]) -> Any: ...
    def unmatched(self, side: Literal["left", "right"] = "left", *, explain: bool = False) -> Any:
        """Select the rows without a match, or list why they have none.

        Parameters
        ----------
        side
            Which table's rows, ``"left"`` or ``"right"``; the result is of that table's kind.
        explain
            Whether to list instead, for each left row, its best candidate and why that is no match.

        Returns
        -------
        table
            The rows as they are. With `explain`, columns as of `pairs`: ``left_row``,
            ``right_row`` (-1 without a candidate), ``left``, ``right`` and ``score``; and
            ``outcome``, why it is no match, as `explain` says it of a single row: the score is
            below the threshold, the right row goes to another left row (one_to_one), no right row
            is near or has the `by` value, all near ones conflict in a veto column, or the key is
            null.

        Raises
        ------
        InputError
            If `side` is not understood, or right rows are to be explained: these are not looked up.

        Examples
        --------
        >>> import pandas as pd
        >>> import pearljoin as pj
        >>> seen = pd.DataFrame({"paper": ["NY Times", "Tea room", None]})
        >>> papers = pd.DataFrame({"paper": ["The New York Times", "Le Monde"]})
        >>> result = pj.match(seen, papers, on="paper")
        >>> result.unmatched(explain=True)["outcome"].tolist()
        ['no match, the score is below the threshold', 'no match, the key is null']
        """
        if not explain:
            return self._tables.unmatched(self.matches(), side)
        if side != "left":
            raise InputError(
                "Left rows alone are looked up, and have candidates. Got explain=True with "
                f"side={side!r}. Hint: unmatched({side!r}), or match(right, left)."
            )
        return self._tables.why_unmatched(self.matches(), self.threshold, self._options.constraint)
