"""Select matches among scored candidates, by threshold and constraint."""

from __future__ import annotations

import numpy as np

from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.equal_pairs import equal_keys, has_many_alike
from pearljoin._comparison.pairs_above import pairs_above
from pearljoin._decision.one_to_one import assign_one_to_one
from pearljoin._decision.row_pairs import check_size, expand
from pearljoin._matches import Matches, ranks_within
from pearljoin._progress import stage
from pearljoin._ragged import places_of_each
from pearljoin._records.missing_keys import NULL
from pearljoin._scoring.packed_candidates import best_of_parts, join_parts
from pearljoin._typing import Constraint, FloatVector, IntVector

__all__ = ["all_matches", "runners_up", "select_matches"]


@stage("decision")
def select_matches(
    comparison: Comparison, threshold: float, constraint: Constraint, k: int | None
) -> Matches:
    """Select matches, as pairs of row positions.

    Parameters
    ----------
    comparison
        Scored candidates.
    threshold
        Lowest score of a match, in [0, 1].
    constraint
        How many partners a row may have.
    k
        Under ``"many_to_many"``, the most right rows a left row may have; None for no limit.

    Returns
    -------
    matches
        By left row, then best first.

    Raises
    ------
    InputError
        If the matches are too many to hold.
    """
    if constraint == "many_to_many":
        return _many_to_many(comparison, threshold, k)
    parts = comparison.candidate_parts(constraint)
    if constraint == "one_to_one":
        kept = join_parts(part.take(part.score >= np.float32(threshold)) for part in parts)
        left, right = comparison.left, comparison.right
        alike = has_many_alike(comparison) and not left.vetoes
        return assign_one_to_one(kept, left, right, equal_keys(comparison) if alike else None)
    # No other pair of a left record has a higher score.
    best = best_of_parts(parts)
    best = best.take(best.score >= np.float32(threshold))
    position, rows = comparison.left.rows_of(best.left)
    right_rows = comparison.right.first_row[best.right][position]
    return Matches(rows, right_rows, best.score[position]).ranked()


def all_matches(comparison: Comparison, constraint: Constraint) -> Matches:
    """Select matches at threshold 0; under many_to_many, all candidates."""
    if constraint != "many_to_many":
        return select_matches(comparison, 0.0, constraint, None)
    candidates = comparison.candidates_for(constraint)
    check_size(candidates, comparison.left, comparison.right)
    pairs, left_rows, right_rows = expand(candidates, comparison.left, comparison.right)
    return Matches(left_rows, right_rows, candidates.score[pairs])


def runners_up(
    comparison: Comparison, matches: Matches, constraint: Constraint
) -> tuple[IntVector, FloatVector]:
    """Find each match's best rival: the left row's best candidate of another thing.

    Returns
    -------
    right_row, score
        int64 and float32 of shape (n_matches,); `NULL` and 0 where there is no rival.
    """
    candidates = comparison.candidates_for(constraint)
    rows = np.full(len(matches), NULL, dtype=np.int64)
    scores = np.zeros(len(matches), dtype=np.float32)
    left_records = comparison.left.of_row[matches.left]
    right_records = comparison.right.of_row[matches.right]
    things = candidates.right if candidates.things is None else candidates.things
    match, pair = places_of_each(candidates.left, left_records)
    own = np.full(len(matches), NULL, dtype=np.int64)
    at_match = candidates.right[pair] == right_records[match]
    own[match[at_match]] = things[pair[at_match]]
    # Where the match is no candidate, any candidate is a rival.
    others = things[pair] != own[match]
    match, pair = match[others], pair[others]
    rival, found = np.zeros(len(matches), dtype=np.int64), np.zeros(len(matches), dtype=bool)
    listed, best = np.unique(match, return_index=True)
    rival[listed], found[listed] = pair[best], True
    rows[found] = comparison.right.first_row[candidates.right[rival[found]]]
    scores[found] = candidates.score[rival[found]]
    return rows, scores


def _many_to_many(comparison: Comparison, threshold: float, k: int | None) -> Matches:
    kept = pairs_above(comparison, threshold, k)
    if k is not None:
        kept = kept.take(kept.rank < k)
    check_size(kept, comparison.left, comparison.right, k)
    pairs, left_rows, right_rows = expand(kept, comparison.left, comparison.right, k)
    order = np.lexsort((right_rows, -kept.score[pairs], -kept.equality[pairs], left_rows))
    matches = Matches(left_rows[order], right_rows[order], kept.score[pairs][order])
    if k is None:
        return matches
    return matches.take(ranks_within(matches.left) < k)
