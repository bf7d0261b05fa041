"""Things of one owner that a number tells apart, as the policies of a holder."""

import numpy as np
import pandas as pd
import pytest
from people import households
from repetitions import few

import pearljoin as pj

KEYS = ["holder", "street", "policy", "since"]


def policies(seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Policies, one to three of a holder, seven tenths on each side; indexes say which is which."""
    rng = np.random.default_rng(seed)
    people = households(seed, n_houses=60)
    rows = []
    for _, (given, family, street, _) in people.iterrows():
        for _ in range(rng.integers(1, 4)):
            number = f"{rng.choice(['HR', 'KF', 'LV'])}-{rng.integers(100_000, 999_999)}"
            since = f"{rng.integers(2010, 2024)}-{rng.integers(1, 10):02}-01"
            rows.append((f"{given} {family}", street, number, since))
    listed = pd.DataFrame(rows, columns=KEYS)
    other = listed.assign(
        holder=listed["holder"].str.upper(), policy=listed["policy"].str.replace("-", "")
    )
    other["since"] = other["since"].where(rng.random(len(other)) < 0.8, None)
    parts = (table.sample(frac=0.7, random_state=at) for at, table in enumerate((listed, other)))
    return next(parts), next(parts)


@pytest.mark.parametrize("seed", few(range(2), 1))
def test_policies_of_one_holder_are_no_doubles(seed: int) -> None:
    left, right = policies(seed)
    result = pj.match(left, right, on=KEYS)
    pairs = result.pairs()
    is_right = left.index[pairs["left_row"]] == right.index[pairs["right_row"]]
    assert is_right.mean() >= 0.97
    assert is_right.sum() >= 0.97 * left.index.isin(right.index).sum()
    assert abs(result.expected_precision() - is_right.mean()) <= 0.03


def test_another_number_is_no_other_thing_where_matches_differ_in_it() -> None:
    left, right = policies(3)
    rng = np.random.default_rng(3)
    # Each side has numbers of its own: the others tell holders, whose policies are doubles.
    own = [f"AB-{number}" for number in rng.integers(100_000, 999_999, len(right))]
    pairs = pj.match(left, right.assign(policy=own), on=KEYS[:3]).pairs()
    one, other = left.iloc[pairs["left_row"]], right.iloc[pairs["right_row"]]
    alike = one["holder"].str.upper().to_numpy() == other["holder"].to_numpy()
    assert alike.mean() >= 0.95
    is_there = left["holder"].str.upper().isin(right["holder"])
    assert len(pairs) >= 0.6 * is_there.sum()


def test_numbers_of_two_lists_in_the_reference_leave_doubles_one() -> None:
    rng = np.random.default_rng(5)
    people = households(5, n_houses=80).reset_index(drop=True)
    people["name"] = people["first_name"] + " " + people["last_name"]
    first = people.assign(account=[f"A-{n}" for n in rng.integers(10_000, 99_999, len(people))])
    second = people.assign(account=rng.integers(10_000, 99_999, len(people)).astype(str))
    second["name"] = second["name"].str.upper()
    reference = pd.concat([first, second.sample(frac=0.4, random_state=1)])
    left = first.sample(frac=0.8, random_state=2)
    left["account"] = left["account"].where(rng.random(len(left)) < 0.5, None)
    pairs = pj.match(left, reference, on=["name", "street", "phone", "account"]).pairs()
    is_right = left.index[pairs["left_row"]] == reference.index[pairs["right_row"]]
    assert is_right.mean() >= 0.97
    assert is_right.sum() >= 0.97 * len(left)
