"""Pairs that share some columns because they are related, and are two things."""

import numpy as np
import pandas as pd
import pytest
from pair_quality import quality

import pearljoin as pj
from pearljoin._scoring.shared_columns import learn_shared

GIVEN = [
    *("Ann", "Bea", "Cleo", "Dora", "Eva", "Fay", "Gus", "Hal", "Ivo", "Jon"),
    *("Kim", "Leo", "Mia", "Ned", "Ola", "Pia", "Rex", "Sam", "Tom", "Uwe"),
]
FAMILY = [
    f"{start}{end}"
    for start in ("Ab", "Bar", "Chan", "Dun", "Erik", "Fof", "Gal", "Hu", "Iba", "Jan")
    for end in ("bot", "low", "dra", "ne", "sen", "ana", "lo", "ng", "rra", "berg")
]
STREETS = ["Oak Street", "Mill Lane", "High Street", "Park Road", "Church Lane", "Station Road"]
ALL = ["first", "last", "born", "street", "phone"]


def households(n: int, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Members of households, some with a second row and a slip, and the person of each row."""
    rng = np.random.default_rng(seed)
    rows, person = [], []
    for _ in range(n):
        last, street = rng.choice(FAMILY), f"{rng.integers(1, 200)} {rng.choice(STREETS)}"
        phone = f"0{rng.integers(10**8, 10**9)}"
        for first in rng.choice(GIVEN, rng.integers(1, 4), replace=False):
            born = f"{rng.integers(1930, 2010)}-{rng.integers(1, 13):02}-{rng.integers(1, 29):02}"
            who = len(set(person))
            rows.append([first, last, born, street, phone])
            person.append(who)
            if rng.random() < 0.25:
                at = int(rng.integers(len(last)))
                rows.append([first, last[:at] + last[at + 1 :], born, street, phone])
                person.append(who)
    return pd.DataFrame(rows, columns=ALL), np.array(person)


@pytest.mark.parametrize("seed", [0, 1])
def test_members_of_a_household_are_told_apart(seed: int) -> None:
    table, person = households(120, seed)
    precision, recall = quality(pj.find_duplicates(table, on=ALL).clusters(), person)
    assert precision > 0.9
    assert recall > 0.9


def test_columns_that_have_nothing_to_do_with_a_thing_relate_no_pairs() -> None:
    table, person = households(120)
    # One member of each household, so that nobody is related.
    member = pd.Series(person).groupby(table["phone"]).transform("first") == person
    table, person = table[member].reset_index(drop=True), person[member]
    rng = np.random.default_rng(1)
    table["row"] = [f"{number}" for number in rng.permutation(len(table)) + 10_000]
    table["batch"] = [f"{number}" for number in rng.permutation(len(table)) + 50_000]
    with pytest.warns(pj.DifferingColumnWarning, match=r"Got 'row' in \d+%, 'batch' in \d+% of"):
        labels = pj.find_duplicates(table, on=[*ALL, "row", "batch"]).clusters()
    assert quality(labels, person)[1] > 0.8


def agreeing(shares: dict[str, int]) -> np.ndarray:
    """Match weights of so many pairs that agree in the columns marked by x."""
    rows = [
        [4.0 if mark == "x" else -4.0 for mark in marks] for marks, n in shares.items()
        for _ in range(n)
    ]  # fmt: skip
    return np.array(rows)


def test_pairs_that_share_columns_more_often_than_errors_would_are_related() -> None:
    weights = agreeing({"xxxxx": 100, ".xxxx": 3, "xx.xx": 3, "..xxx": 80})
    shared = learn_shared(weights)
    assert shared is not None
    lowered = shared.lower(np.full(len(weights), 2.0, dtype=np.float32), weights)
    assert lowered[-1] < 0
    assert lowered[0] > 1.9
    assert lowered[101] > 0


def test_independent_errors_relate_no_pairs() -> None:
    weights = agreeing({"xxxxx": 100, ".xxxx": 60, "xx.xx": 60, ".x.xx": 36})
    log_odds = np.full(len(weights), 2.0, dtype=np.float32)
    shared = learn_shared(weights)
    assert shared is None or shared.lower(log_odds, weights)[-1] > 1


def test_of_three_columns_nothing_is_learned() -> None:
    weights = agreeing({"xxx": 100, ".xx": 80})
    assert learn_shared(weights) is None


def test_more_columns_than_all_sets_of_them_can_be_told_apart() -> None:
    weights = agreeing({"x" * 12: 100, "." * 4 + "x" * 8: 80, ".xx" * 4: 5})
    shared = learn_shared(weights)
    assert shared is not None
    lowered = shared.lower(np.full(len(weights), 2.0, dtype=np.float32), weights)
    assert lowered[150] < 0 < lowered[0]


def test_a_saved_deduplicator_scores_rows_alike(tmp_path) -> None:
    table, _ = households(60)
    fitted = pj.Deduplicator(on=ALL).fit(table)
    fitted.save(tmp_path / "saved")
    again = pj.Deduplicator.load(tmp_path / "saved")
    more = households(30, seed=5)[0]
    assert fitted.add(more).tolist() == again.add(more).tolist()
