"""Choose pairs for labelling: near the threshold, and spread over the range of scores."""

from __future__ import annotations

import numpy as np

from pearljoin._comparison.comparison import Candidates, Comparison
from pearljoin._errors import InputError
from pearljoin._matches import find_pairs
from pearljoin._records.missing_keys import NULL
from pearljoin._typing import BoolVector, Constraint, FloatVector, IntVector, Pairs

__all__ = ["pairs_for_labelling", "sample_for_labelling"]


def pairs_for_labelling(
    comparison: Comparison,
    threshold: float,
    constraint: Constraint,
    n: int,
    exclude: Pairs | None = None,
) -> tuple[IntVector, IntVector, FloatVector]:
    """Choose candidate pairs for labelling, equal keys left out.

    Parameters
    ----------
    comparison
        Scored candidates.
    threshold
        In [0, 1].
    constraint
        Under many_to_many all candidates are eligible, else each left record's best one.
    n
        How many pairs, at least 1.
    exclude
        Left and right rows of pairs that are labelled already.

    Returns
    -------
    left_row, right_row, score
        Aligned arrays of shape (min(n, n_eligible),): int64, int64 and float32; in the order in
        which they should be labelled. A pair of records is represented by its first rows.

    Raises
    ------
    InputError
        If `n` is not a whole number above 0, or a row to exclude is in neither table.
    """
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise InputError(f"n must be a whole number above 0. Got {n!r}.")
    candidates = comparison.candidates_for(constraint)
    eligible = candidates.equality == 0
    if constraint != "many_to_many":
        eligible &= candidates.rank == 0
    if exclude is not None:
        eligible &= ~_are_pairs_of(candidates, comparison, *exclude)
    pool = candidates.take(eligible)
    chosen = pool.take(sample_for_labelling(pool.score, threshold, int(n)))
    left_rows = comparison.left.first_row[chosen.left]
    return left_rows, comparison.right.first_row[chosen.right], chosen.score


def _are_pairs_of(
    candidates: Candidates, comparison: Comparison, left_rows: IntVector, right_rows: IntVector
) -> BoolVector:
    """Mark the candidates that are the pairs of these rows."""
    left, right = comparison.left, comparison.right
    for rows, records in ((left_rows, left), (right_rows, right)):
        if len(rows) and not 0 <= rows.min() <= rows.max() < records.n_rows:
            raise InputError(
                f"A pair to exclude is not in the tables. Got row {int(rows.max())} of a table of "
                f"{records.n_rows} rows. Hint: rows are counted from 0, whatever the index says."
            )
    at = left.of_row[left_rows], right.of_row[right_rows]
    there = (at[0] != NULL) & (at[1] != NULL)
    return find_pairs(at[0][there], at[1][there], candidates.left, candidates.right) >= 0


def sample_for_labelling(scores: FloatVector, threshold: float, n: int) -> IntVector:
    """Choose scores near the threshold and spread over the whole range, in turn.

    Odd turns take the unchosen score nearest to the threshold. Even turns take the one nearest to
    the next point of van der Corput's sequence (1/2, 1/4, 3/4, 1/8, ...) between the lowest and the
    highest score. A longer list starts with the shorter one.

    Parameters
    ----------
    scores
        In [0, 1], of shape (n_pairs,).
    threshold
        In [0, 1].
    n
        How many to choose.

    Returns
    -------
    positions
        int64 of shape (min(n, n_pairs),), without repetition, in the order of choice.
    """
    score = scores.astype(np.float64)
    unchosen = np.ones(len(score), dtype=bool)
    low, high = (float(score.min()), float(score.max())) if len(score) else (0.0, 0.0)
    chosen: list[int] = []
    for turn in range(min(n, len(score))):
        target = threshold if turn % 2 == 0 else low + (high - low) * _van_der_corput(turn // 2 + 1)
        distance = np.where(unchosen, np.abs(score - target), np.inf)
        chosen.append(int(np.argmin(distance)))
        unchosen[chosen[-1]] = False
    return np.array(chosen, dtype=np.int64)


def _van_der_corput(number: int) -> float:
    """Mirror the binary digits of a number at the binary point: 1 -> 1/2, 2 -> 1/4, 3 -> 3/4."""
    value, step = 0.0, 0.5
    while number:
        value += step * (number & 1)
        number, step = number >> 1, step / 2
    return value
