"""Flats of one building: reference rows teach that another flat is no match."""

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj

STREETS = ["Harbour View", "Elm Street", "Orchard Close", "Canal Street", "Station Road"]
KEYS = ["address", "postcode"]


def flats(seed: int) -> pd.DataFrame:
    """Flats, several in each building; the index says which is which."""
    rng = np.random.default_rng(seed)
    rows = []
    for street in STREETS:
        for house in rng.choice(120, 9, replace=False) + 1:
            postcode = f"BS{rng.integers(1, 17)} {rng.integers(1, 10)}{rng.choice(list('ABDEF'))}J"
            for flat in rng.choice(14, rng.integers(2, 9), replace=False) + 1:
                rows += [(f"Flat {flat}, {house} {street}", postcode)]
    return pd.DataFrame(rows, columns=KEYS)


def offered(known: pd.DataFrame, seed: int) -> pd.DataFrame:
    """The flats as another list has them: half of them written otherwise."""
    rng = np.random.default_rng(seed)
    anew = known.copy()
    short = anew["address"].str.replace("Street", "St").str.replace("Flat", "Apartment")
    anew["address"] = anew["address"].where(rng.random(len(anew)) < 0.5, short)
    return anew


@pytest.mark.parametrize("seed", range(2))
def test_flats_that_the_reference_lacks_find_no_other_one(seed: int) -> None:
    every = flats(seed)
    right, left = every.sample(frac=0.7, random_state=seed), offered(every, seed)
    result = pj.match(left, right, on=KEYS)
    pairs = result.pairs()
    is_right = left.index[pairs["left_row"]] == right.index[pairs["right_row"]]
    assert is_right.mean() >= 0.97
    assert is_right.sum() >= 0.95 * len(right)


def test_a_firm_may_have_moved_within_its_building() -> None:
    firms = ["Alder Partners", "Birch Consulting", "Cedar Dental", "Dogwood Films", "Elder Legal"]
    at = [f"Suite {10 + number}, 48 Elm Street" for number in range(5)]
    right = pd.DataFrame({"firm": firms, "address": at})
    left = right.assign(address=[f"Suite {20 + number}, 48 Elm St" for number in range(5)])
    pairs = pj.match(left, right, on=["firm", "address"]).pairs()
    assert pairs["left_row"].tolist() == pairs["right_row"].tolist() == [0, 1, 2, 3, 4]
