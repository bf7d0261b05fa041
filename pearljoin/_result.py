"""MatchResult: what was found between two sides, to be decided on, looked at and joined."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pearljoin._assemble import as_kind_of, assemble, own_frame, take_rows
from pearljoin._decide import decide
from pearljoin._errors import InputError
from pearljoin._features import NAMES
from pearljoin._keys import Keys
from pearljoin._match import Comparison
from pearljoin._matches import Matches
from pearljoin._native import Backend, backend_of
from pearljoin._options import MatchOptions, read_how
from pearljoin._records import NULL
from pearljoin._tables import Table
from pearljoin._thresholds import FixedThreshold, Threshold, as_threshold
from pearljoin._typing import FloatVector, IntVector

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
    ) -> None:
        self._left = left
        self._right = right
        self.keys = keys
        self.comparison = comparison
        self._options = options
        self.fallback = fallback

    def __repr__(self) -> str:
        return (
            f"<MatchResult: {self._left.n_rows:,} left rows against {self._right.n_rows:,}, "
            f"{self._options.constraint}>"
        )

    @cached_property
    def threshold(self) -> float:
        """The lowest score that counts as a match, in [0, 1], as the threshold rule chose it."""
        return self._choose(self._options.threshold)

    def _choose(self, threshold: Threshold) -> float:
        chosen = threshold.choose(_Evidence(self.comparison, self.fallback))
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
        chosen = self.threshold if threshold is None else self._choose(as_threshold(threshold, 0.9))
        return decide(self.comparison, chosen, options.constraint, options.k)

    @cached_property
    def _own_matches(self) -> Matches:
        return decide(self.comparison, self.threshold, self._options.constraint, self._options.k)

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

    def evidence(self) -> dict[str, NDArray[Any]]:
        """What speaks for and against every candidate pair of distinct keys.

        Returns
        -------
        evidence
            Arrays of shape (n_pairs,) by name: ``left`` and ``right``, int64, the first rows that
            hold the two keys; the others float32, as listed in `pearljoin._features.NAMES`.

        Raises
        ------
        InputError
            If the key is not one column of text.
        """
        if [field.kind for field in self.comparison.left.fields] != ["text"]:
            raise InputError(
                f"Evidence is worked out for one key column of text. Got {list(self.keys.left)!r}."
            )
        own, others, features = self.comparison.features()
        return {
            "left": self.comparison.left.first_row[own],
            "right": self.comparison.right.first_row[others],
            **dict(zip(NAMES, features.T, strict=True)),
        }

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
        runner_rows, runner_scores = self._runners_up(matches)
        margin = np.where(runner_rows == NULL, np.nan, matches.score - runner_scores)
        frame = own_frame(self._left)
        backend, own = backend_of(frame), frame.to_native()
        other, called = as_kind_of(self._right, frame)
        own_names = [str(n) if self._left.frame is None else n for n in self.keys.left]
        other_names = [called[name] for name in self.keys.right]
        columns: dict[Hashable, Any] = {
            "left": _shown(backend, own, own_names, matches.left),
            "right": _shown(backend, other, other_names, matches.right),
            "score": backend.numbers(_rounded(matches.score)),
            "runner_up": _shown(backend, other, other_names, runner_rows),
            "margin": backend.numbers(_rounded(margin)),
        }
        return backend.build(columns, own, None)

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

    def _runners_up(self, matches: Matches) -> tuple[IntVector, FloatVector]:
        """Right row and score of each match's best rival; `NULL` and 0 where there is none."""
        candidates = self.comparison.candidates
        rows = np.full(len(matches), NULL, dtype=np.int64)
        scores = np.zeros(len(matches), dtype=np.float32)
        left_records = self.comparison.left.of_row[matches.left]
        right_records = self.comparison.right.of_row[matches.right]
        start = np.searchsorted(candidates.left, left_records, side="left")
        end = np.searchsorted(candidates.left, left_records, side="right")
        # The rival is the best candidate, or the second where the best is the match itself.
        rival = start.copy()
        own_first = start < end
        own_first[own_first] = candidates.right[start[own_first]] == right_records[own_first]
        rival[own_first] += 1
        found = rival < end
        rows[found] = self.comparison.right.first_row[candidates.right[rival[found]]]
        scores[found] = candidates.score[rival[found]]
        return rows, scores


class _Evidence:
    """What the threshold rules may look at, worked out when it is asked for."""

    def __init__(self, comparison: Comparison, fallback: float) -> None:
        self._comparison = comparison
        self.fallback = fallback

    @property
    def calibrated(self) -> bool:
        """Whether a score is the probability of a match."""
        return self._comparison.calibrated

    @property
    def best(self) -> FloatVector:
        """Best score of each left record that equals none of the reference."""
        return self._scores(place=0)

    @property
    def rivals(self) -> FloatVector:
        """Second best score of the same records."""
        return self._scores(place=1)

    def _scores(self, place: int) -> FloatVector:
        candidates = self._comparison.candidates
        at_place = candidates.take(candidates.place == place)
        scores = np.zeros(self._comparison.left.n_records, dtype=np.float32)
        scores[at_place.left] = at_place.score
        equal = np.zeros(len(scores), dtype=bool)
        equal[candidates.left[candidates.priority > 0]] = True
        return np.asarray(scores[~equal], dtype=np.float32)

    @property
    def neighbours(self) -> FloatVector:
        """Best score of reference records against the others of the reference."""
        return self._comparison.neighbour_scores


def _shown(backend: Backend, frame: Any, names: Sequence[Any], rows: IntVector) -> Any:
    """Key values by row, null where the row is -1; several key columns put together as text."""
    columns = [backend.take(frame, name, rows) for name in names]
    if len(columns) == 1:
        return columns[0]
    listed = [
        column.to_list() if hasattr(column, "to_list") else column.to_pylist() for column in columns
    ]
    texts = [
        None if row == NULL else " | ".join("" if cell is None else str(cell) for cell in cells)
        for row, cells in zip(rows.tolist(), zip(*listed, strict=True), strict=True)
    ]
    return backend.texts(texts)


def _rounded(values: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(np.round(values.astype(np.float64), 5), dtype=np.float64)
