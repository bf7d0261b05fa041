"""The order of rows: what it changes in tables of several columns, and by how much at most."""

import numpy as np
import pandas as pd
import pytest
from repetitions import few

import pearljoin as pj

KEYS = ["given", "family", "city", "born"]
GIVEN = ["James", "Mary", "John", "Linda", "Robert", "Susan", "David", "Karen", "Anna", "Peter"]
GIVEN += ["Laura", "Paul", "Emma", "Tom", "Alice"]
FAMILY = ["Smith", "Johnson", "Brown", "Jones", "Garcia", "Miller", "Davis", "Wilson", "Moore"]
FAMILY += ["Taylor", "Harris", "Clark"]
CITIES = ["London", "Paris", "Berlin", "Leeds", "Bristol", "York", "Bath", "Oxford"]


def people(n: int) -> pd.DataFrame:
    """`n` people, and again a fifth of them with a letter left out of a name or city."""
    rng = np.random.default_rng(0)
    rows = [
        [
            rng.choice(GIVEN),
            rng.choice(FAMILY),
            rng.choice(CITIES),
            f"{rng.integers(1940, 2005)}-{rng.integers(1, 13):02d}-{rng.integers(1, 29):02d}",
        ]
        for _ in range(n)
    ]
    for at in rng.integers(n, size=n // 5).tolist():
        row, column = list(rows[at]), int(rng.integers(3))
        place = int(rng.integers(len(row[column])))
        row[column] = row[column][:place] + row[column][place + 1 :]
        rows.append(row)
    return pd.DataFrame(rows, columns=KEYS)


@pytest.mark.parametrize("aside", few([{}, {"by": "city"}, {"veto": "city"}], 1), ids=str)
def test_the_order_of_rows_changes_no_duplicate_and_no_score(aside) -> None:
    table = people(150)
    order = np.random.default_rng(1).permutation(len(table))
    keys = [key for key in KEYS if key not in aside.values()]
    scores = []
    for rows in (np.arange(len(table)), order):
        result = pj.find_duplicates(table.iloc[rows], on=keys, threshold=0.5, **aside)
        pairs = result.pairs(0.0)
        ends = np.sort(rows[pairs[["left_row", "right_row"]].to_numpy()], axis=1).tolist()
        scores.append(dict(zip(map(tuple, ends), pairs["score"].tolist(), strict=True)))
    assert scores[0].keys() == scores[1].keys()
    assert all(
        scores[1][pair] == pytest.approx(score, abs=2e-5) for pair, score in scores[0].items()
    )


def test_the_order_of_a_reference_moves_scores_by_little() -> None:
    """Of equally near rows at the end of a list of candidates the first is one, the next is not."""
    table = people(250)
    queries = table.sample(100, random_state=0).assign(city=lambda some: some["city"].str[1:])
    order = np.random.default_rng(1).permutation(len(table))
    plain, mixed = (
        pj.match(queries, table.iloc[rows], on=KEYS, threshold=0.0).matches()
        for rows in (np.arange(len(table)), order)
    )
    assert order[mixed.right].tolist() == plain.right.tolist()
    np.testing.assert_allclose(mixed.score, plain.score, atol=1e-2)
