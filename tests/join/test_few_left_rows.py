"""Joins of few left rows by several columns: they tell little of the tables, and scores say so."""

import numpy as np
import pytest
from made_up import people, products

import pearljoin as pj

pytestmark = pytest.mark.usefixtures("kept_vectors")

N_ROWS = 36
"""Each is a join of its own, which takes half a second."""


@pytest.mark.thorough
@pytest.mark.parametrize("made", [people, products])
@pytest.mark.parametrize("n", [3, 1])
def test_scores_of_few_rows_are_as_often_right_as_they_say(made, n: int) -> None:
    tables = made(N_ROWS, seed=3, answered=0.5)
    scores, right = [], []
    for start in range(0, N_ROWS, n):
        rows = np.arange(start, start + n)
        left = tables.left.iloc[rows].reset_index(drop=True)
        found = pj.match(left, tables.right, on=tables.keys).matches()
        scores += found.score.tolist()
        pairs = zip(rows[found.left].tolist(), found.right.tolist(), strict=True)
        right += [pair in tables.gold for pair in pairs]
    assert np.mean(right) > np.mean(scores) - 0.1
    assert sum(right) > 0.8 * len(tables.gold)
