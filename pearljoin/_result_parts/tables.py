"""Tables made from a match result: the join, its matches, pairs to label, unmatched rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from pearljoin._comparison.comparison import Comparison
from pearljoin._decision.label_sampling import pairs_for_labelling
from pearljoin._decision.select import runners_up
from pearljoin._errors import InputError
from pearljoin._explain.outcomes import unmatched_rows
from pearljoin._features.registry import REGISTRY
from pearljoin._matches import Matches
from pearljoin._records.missing_keys import NULL
from pearljoin._result_parts.probabilities import answer_and_same
from pearljoin._tables.keys import Keys
from pearljoin._tables.output import assemble, take_rows
from pearljoin._tables.pair_table import pair_table
from pearljoin._tables.read_table import Table
from pearljoin._tables.row_pairs import read_row_pairs
from pearljoin._typing import Constraint, FloatVector, How, LeftTable

__all__ = ["ResultTables"]


@dataclass(frozen=True, slots=True)
class ResultTables(Generic[LeftTable]):
    """Two tables, their keys and their comparison; makes tables of the left table's kind."""

    left: Table
    right: Table
    keys: Keys
    comparison: Comparison

    def join(
        self, how: How, matches: Matches, suffix: str | Sequence[str], score: str | None
    ) -> LeftTable:
        """Join the two tables on matches."""
        tables = self.left, self.right
        joined: LeftTable = assemble(
            *tables, self.keys, matches, how=how, suffix=suffix, score=score
        )
        return joined

    def matches(self, matches: Matches, constraint: Constraint) -> LeftTable:
        """List matches with row positions, key values, probabilities, runner-up and margin."""
        runner_rows, runner_scores = runners_up(self.comparison, matches, constraint)
        columns = {
            "left_row": matches.left,
            "right_row": matches.right,
            "left": ("left", matches.left),
            "right": ("right", matches.right),
            "score": matches.score,
            **self._probabilities(matches),
            "runner_up": ("right", runner_rows),
            "margin": np.where(runner_rows == NULL, np.nan, matches.score - runner_scores),
        }
        return self._pair_table(columns)

    def _probabilities(self, matches: Matches) -> dict[str, FloatVector]:
        """Both probabilities of matches by name, as far as they are known."""
        if not self.comparison.calibrated:
            return {}
        left, right = self.comparison.left, self.comparison.right
        records = left.of_row[matches.left], right.of_row[matches.right]
        found = answer_and_same(self.comparison, *records)
        named = zip(("p_answer", "p_same"), found, strict=True)
        return {name: values for name, values in named if values is not None}

    def to_label(self, threshold: float, constraint: Constraint, n: int, exclude: Any) -> LeftTable:
        """List pairs to label, as `pairs_for_labelling` chooses them."""
        left_rows, right_rows, scores = pairs_for_labelling(
            self.comparison,
            threshold,
            constraint,
            n,
            None if exclude is None else read_row_pairs(exclude),
        )
        columns = {
            "left_row": left_rows,
            "right_row": right_rows,
            "left": ("left", left_rows),
            "right": ("right", right_rows),
            "score": scores,
        }
        return self._pair_table(columns)

    def _pair_table(self, columns: Mapping[str, Any]) -> LeftTable:
        table: LeftTable = pair_table(self.left, self.right, self.keys, columns)
        return table

    def features(self) -> dict[str, NDArray[Any]]:
        """Features of the candidate pairs by name, and the first rows of their records."""
        left, right = self.comparison.left, self.comparison.right
        if [field.kind for field in left.fields] != ["text"]:
            raise InputError(
                "Features are defined for one key column of text. Got "
                f"{list(self.keys.left)!r}. Hint: match on that column alone."
            )
        pairs = self.comparison.compute_features()
        return {
            "left": left.first_row[pairs.left],
            "right": right.first_row[pairs.right],
            **dict(zip(REGISTRY.names, pairs.features.T, strict=True)),
        }

    def unmatched(self, matches: Matches, side: str) -> Any:
        """Select the rows of one table that are in no match."""
        if side not in ("left", "right"):
            raise InputError(f"side= is not understood. Got {side!r}. Hint: 'left' or 'right'.")
        table = self.left if side == "left" else self.right
        matched = matches.left if side == "left" else matches.right
        return take_rows(table, np.setdiff1d(np.arange(table.n_rows), matched))

    def why_unmatched(
        self, matches: Matches, threshold: float, constraint: Constraint
    ) -> LeftTable:
        """List the left rows that are in no match, with their best candidates and why not."""
        found = unmatched_rows(self.comparison, matches, threshold, constraint)
        columns = {
            "left_row": found.left_row,
            "right_row": found.right_row,
            "left": ("left", found.left_row),
            "right": ("right", found.right_row),
            "score": found.score,
            "outcome": found.outcome,
        }
        return self._pair_table(columns)
