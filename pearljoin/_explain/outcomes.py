"""Outcomes: why left rows have a match, or have none."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.groups import lacks_group, without_group
from pearljoin._matches import Matches
from pearljoin._records.missing_keys import NULL
from pearljoin._scoring.packed_candidates import best_of_parts
from pearljoin._tables.unequal_values import unequal_values
from pearljoin._typing import Constraint, IntVector

__all__ = ["MATCH", "Unmatched", "outcome_of", "unmatched_rows", "why_no_candidate"]

MATCH = "match"
BELOW = "no match, the score is below the threshold"
TAKEN = "no match, the right row goes to another left row"
SECOND = "no match, another right row scores more"
TIED = "no match, another right row scores as much and comes first"
NULL_KEY = "no match, the key is null"
NULL_BY = "no match, a by value is null"
ALONE = "no match, no right row is near"
APART = "no match, no right row has the same by value"
VETOED = "no match, every right row that is near conflicts in a veto column"


class Unmatched(NamedTuple):
    """Left rows without a match, and the best candidate of each.

    Attributes
    ----------
    left_row, right_row
        int64 of shape (n_rows,): row positions; `NULL` where there is no candidate.
    score
        float64 of shape (n_rows,): of the candidate, in [0, 1]; NaN where there is none.
    outcome
        Why it is no match, by row.
    """

    left_row: IntVector
    right_row: IntVector
    score: NDArray[np.float64]
    outcome: list[str]


def unmatched_rows(
    comparison: Comparison, matches: Matches, threshold: float, constraint: Constraint
) -> Unmatched:
    """List the left rows without a match, with their best candidates.

    Parameters
    ----------
    comparison
        Scored candidates.
    matches, threshold, constraint
        What was decided.
    """
    left, right = comparison.left, comparison.right
    rows = np.setdiff1d(np.arange(left.n_rows), matches.left)
    records = left.of_row[rows]
    best = best_of_parts(comparison.candidate_parts(constraint))
    place = np.full(left.n_records + 1, NULL)
    place[best.left] = np.arange(len(best.left))
    at = place[records]  # `NULL` is the place after the last record's
    found = at != NULL
    right_rows, scores = np.full(len(rows), NULL), np.full(len(rows), np.nan)
    right_rows[found] = right.first_row[best.right[at[found]]]
    scores[found] = best.score[at[found]]
    above = TAKEN if constraint == "one_to_one" else SECOND
    is_below = scores.astype(np.float32) < np.float32(threshold)
    outcomes = np.where(is_below, BELOW, above).astype(object)
    outcomes[~found] = why_no_candidate(comparison, rows[~found])
    return Unmatched(rows, right_rows, scores, outcomes.tolist())


def why_no_candidate(comparison: Comparison, rows: IntVector) -> list[str]:
    """Say of left rows without a candidate why they have none.

    Parameters
    ----------
    comparison
        The two tables.
    rows
        int64 of shape (n_rows,): row positions.
    """
    left, right = comparison.left, comparison.right
    alone = VETOED if left.vetoes and right.n_records else ALONE
    outcomes = np.full(len(rows), alone, dtype=object)
    records = left.of_row[rows]
    is_null = records == NULL
    outcomes[is_null] = [
        NULL_BY if lacks_group(left, row) else NULL_KEY for row in rows[is_null].tolist()
    ]
    apart = np.flatnonzero(~is_null)
    apart = apart[without_group(comparison, records[apart])]
    first = left.first_row[records[apart]]
    outcomes[apart] = [f"{APART} ({value})" for value in unequal_values(left, right, first)]
    return [str(outcome) for outcome in outcomes]


def outcome_of(
    of_row: Matches, right_row: int, score: float, threshold: float, constraint: Constraint
) -> str:
    """Say whether a candidate of a left row is its match, or why not.

    Parameters
    ----------
    of_row
        The matches of the left row.
    right_row, score
        The candidate.
    threshold, constraint
        What the matches were chosen by.
    """
    if right_row in of_row.right:
        return MATCH
    if np.float32(score) < np.float32(threshold):
        return BELOW
    if constraint == "one_to_one" and not (of_row.score >= np.float32(score)).any():
        return TAKEN
    return TIED if np.float32(score) in of_row.score else SECOND
