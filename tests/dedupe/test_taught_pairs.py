"""Pairs that taught match weights are not compared again, and score as if they were."""

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._clusters.pair_scorer import PairScorer
from pearljoin._clusters.table_pairs import TablePairs

GIVEN = ["Ann", "Bea", "Cleo", "Dora", "Eva", "Fay", "Gus", "Hal", "Ivo", "Jon"]
FAMILY = ["Abbot", "Barlow", "Chandra", "Dunne", "Eriksen", "Fofana", "Gallo", "Huang", "Ibarra"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    names = [f"{rng.choice(GIVEN)} {rng.choice(GIVEN)} {rng.choice(FAMILY)}" for _ in range(150)]
    towns = rng.choice(["Oslo", "Rome", "Lyon", "Cork", "Riga"], 150).tolist()
    short = [name[:-2] for name in names[:40]]
    return pd.DataFrame({"name": names + short, "town": towns + towns[:40]})


@pytest.mark.parametrize("on", ["name", ["name", "town"]])
def test_scores_are_those_of_pairs_compared_by_themselves(people, on, monkeypatch) -> None:
    taught = pj.find_duplicates(people, on=on).comparison
    assert isinstance(taught, TablePairs)
    weights, pairs = taught.weights, taught.pairs
    alone = TablePairs(taught.reference, weights).log_odds_of(*pairs)
    compared = []
    scorer = PairScorer.log_odds

    def counted(self, first, second, *given):
        compared.append(len(first))
        return scorer(self, first, second, *given)

    monkeypatch.setattr(PairScorer, "log_odds", counted)
    np.testing.assert_allclose(taught.log_odds, alone, atol=2e-6)
    assert compared == [0]


def test_learning_from_other_pairs_changes_no_score(people) -> None:
    table = pj.find_duplicates(people, on="name").comparison
    first, second = table.pairs
    fresh = TablePairs(table.reference)
    before = fresh.log_odds_of(first, second)
    fresh.learn_from(first[::7], second[::7])
    np.testing.assert_array_equal(fresh.log_odds_of(first, second), before)
