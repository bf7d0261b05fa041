"""Records whose values come from different rows, and what they teach."""

import numpy as np
import pandas as pd

import pearljoin as pj
from pearljoin._clusters.decoys import draw_decoys, have_same_values
from pearljoin._scoring.correction import KNOTS, SHARE, fit_correction

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
    found = pj.find_duplicates(table, on=ALL).comparison
    plain = found.scorer.log_odds(*found.pairs, found.weights)
    likely = np.isfinite(plain) & (plain > 0)
    # None of them rises where decoys with a null meet no records with one.
    assert (found.log_odds[likely] > plain[likely]).mean() > 0.5


def born(n: int) -> tuple[pd.DataFrame, np.ndarray]:
    """People by names and year of birth, some twice with a slip, and the person of each row."""
    rng = np.random.default_rng(0)
    starts, middles = (
        ["Ba", "Cor", "Del", "Fen", "Gri", "Hal", "Mar", "Pe", "Sta", "Wes"],
        "klnrstv",
    )
    ends = ["berg", "ford", "ini", "ley", "man", "ova", "quist", "son", "ton", "wicz"]
    given = [
        f"{a}{b}" for a in ("An", "Bo", "Cla", "Da", "Ele") for b in ("ra", "ris", "nk", "vid")
    ]
    family = [
        f"{rng.choice(starts)}{rng.choice(list(middles))}{rng.choice(ends)}" for _ in range(80)
    ]
    rows, person = [], []
    for number in range(n):
        name, year = [rng.choice(given), rng.choice(family)], int(rng.integers(1920, 2005))
        rows.append([*name, year])
        person.append(number)
        if rng.random() < 0.12:
            at, drop = int(rng.integers(2)), int(rng.integers(1, 4))
            name[at] = name[at][:drop] + name[at][drop + 1 :]
            rows.append([*name, year])
            person.append(number)
    table = pd.DataFrame(rows, columns=["given", "family", "birth_year"])
    return table, np.array(person)


def test_strangers_who_share_a_name_or_a_year_are_told_by_decoys():
    table, person = born(300)
    result = pj.find_duplicates(table, on=list(table))
    first, second, _ = result.comparison.above(result.threshold)
    rows = result.comparison.records.first_row
    is_same = person[rows[first]] == person[rows[second]]
    assert is_same.mean() > 0.85
    assert is_same.sum() > 25


def test_below_even_odds_matches_grow_no_more_frequent():
    """Thousands of pairs that decoys explain in part hold no more matches than those above them."""
    log_odds = np.repeat(np.array([2.5, 0.5, -0.5, -1.5], dtype=np.float32), [50, 4, 3000, 3000])
    of_decoys = np.repeat(np.array([-0.5, -1.5], dtype=np.float32), [1500, 1500])
    corrected = fit_correction(log_odds, of_decoys, 1.0, SHARE)
    assert (np.interp([-0.5, -1.5], KNOTS, corrected) < -5).all()
    assert np.interp(2.5, KNOTS, corrected) > 2
