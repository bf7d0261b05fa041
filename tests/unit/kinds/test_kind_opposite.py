"""Numbers of which one side has the opposite sign."""

import json

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._kinds.comparers import fit_comparer, settings_of, side_comparer, with_settings

PAID = [f"{n + n / 7:.2f}" for n in range(3, 23)]


@pytest.mark.parametrize("numeric", [False, True])
@pytest.mark.parametrize(
    ("left_negative", "right_negative", "is_opposite"),
    [(0, 20, True), (20, 0, True), (0, 14, True), (4, 17, True), (0, 0, False), (20, 20, False),
     (0, 8, False), (6, 14, False)],
)  # fmt: skip
def test_a_side_is_turned_where_most_signs_differ(
    left_negative: int, right_negative: int, is_opposite: bool, numeric: bool
) -> None:
    left, right = (
        [f"-{paid}" if at < n else paid for at, paid in enumerate(PAID)]
        for n in (left_negative, right_negative)
    )
    if numeric:
        left, right = np.array(left, dtype=float), np.array(right, dtype=float)
    reference = fit_comparer("number", right)
    side = side_comparer(reference, left)
    assert side.is_opposite == is_opposite
    base = np.array(left, dtype=float)
    np.testing.assert_allclose(side.read(left).base, -base if is_opposite else base)
    saved = json.loads(json.dumps(settings_of(side)))
    assert settings_of(with_settings(reference, saved)) == settings_of(side)


def test_few_numbers_and_older_settings_turn_nothing() -> None:
    reference = fit_comparer("number", [f"-{paid}" for paid in PAID])
    assert not side_comparer(reference, PAID[:9]).is_opposite
    old = {"decimal": None, "durations": settings_of(reference)["durations"]}
    assert with_settings(reference, old).negative is None
    assert not side_comparer(with_settings(reference, old), PAID).is_opposite


def test_a_statement_meets_the_books() -> None:
    rng = np.random.default_rng(0)
    shops = ["Amazon", "Cafe Luna", "Shell petrol", "Uber", "Tesco groceries", "Netflix"]
    amounts = np.round(rng.uniform(3, 400, 120), 2)
    days = pd.Timestamp("2024-01-02") + pd.to_timedelta(rng.integers(0, 150, 120), unit="D")
    books = pd.DataFrame({"memo": rng.choice(shops, 120), "date": days, "amount": amounts})
    statement = books.assign(memo=books["memo"].str.upper() + " 4711", amount=-books["amount"])
    found = pj.match(books, statement, on=["memo", "date", "amount"]).matches()
    assert (found.left == found.right).mean() > 0.95
    assert len(found.left) > 110
