"""Records whose values come from different rows, and what they teach."""

import numpy as np
import pandas as pd

import pearljoin as pj
from pearljoin._clusters.decoys import draw_decoys, have_same_values

ALL = ["name", "town", "street"]


def people(n: int, share_of_nulls: float) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    given = ["Ann", "Bea", "Cleo", "Dora", "Eva", "Fay", "Gus", "Hal", "Ivo", "Jon"]
    family = [
        "Abbot",
        "Barlow",
        "Chandra",
        "Dunne",
        "Eriksen",
        "Fofana",
        "Gallo",
        "Huang",
        "Ibarra",
        "Jansen",
    ]
    towns = ["Oslo", "Rome", "Lyon", "Cork", "Riga", "Bern"]
    table = pd.DataFrame(
        {
            "name": [f"{rng.choice(given)} {rng.choice(family)}" for _ in range(n)],
            "town": rng.choice(towns, n),
            "street": [f"{rng.integers(1, 90)} {rng.choice(family)} Street" for _ in range(n)],
        }
    )
    table.loc[rng.random(n) < share_of_nulls, "street"] = None
    return table


def test_decoys_that_are_a_record_are_those_equal_in_every_column_nulls_and_all():
    table = pd.DataFrame(
        {"name": ["Ann Lee", "ANN LEE", "Bo Ek", "Bo Ek"], "town": ["Oslo", "Oslo", None, "Rome"]}
    )
    side = pj.find_duplicates(table, on=["name", "town"]).comparison.side
    decoys = side.take(np.array([0, 2, 2, 3]))
    same = have_same_values(decoys, side, (np.array([0, 1, 2, 3]), np.array([1, 2, 3, 2])))
    assert same.tolist() == [True, True, False, False]


def test_decoys_with_nulls_meet_records_with_nulls():
    side = pj.find_duplicates(people(200, 0.4), on=ALL).comparison.side
    decoys, _ = draw_decoys(side, np.arange(len(side)), 300, side.whole.values[0].vectors.shape[1])
    decoy, record = map(np.ravel, np.indices((300, len(side))))
    is_null = [one.codes[2] < 0 for one in (decoys, side)]
    both = is_null[0][decoy] & is_null[1][record]
    assert both.mean() > 0.1
    assert have_same_values(decoys, side, (decoy[both], record[both])).mean() < 0.05


def test_nulls_do_not_keep_decoys_from_raising_log_odds():
    given = people(150, 0.4).drop_duplicates("name")
    table = pd.concat([given, given.assign(street=None)], ignore_index=True)
    found = pj.find_duplicates(table, on=ALL)
    assert found.comparison.learn_from(*found.comparison.pairs).correction is not None
    _, _, left_out = found.comparison._meet_decoys(
        found.comparison.weights, (np.zeros(0, np.int64), np.zeros(0, np.int64))
    )
    assert left_out < 0.3
