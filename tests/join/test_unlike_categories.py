"""Categories that the two tables write differently are compared as names."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj

STATES = {
    "IL": "Illinois",
    "TX": "Texas",
    "NY": "New York",
    "GA": "Georgia",
    "MO": "Missouri",
    "KY": "Kentucky",
}
TOWNS = ("Springfield", "Franklin", "Clinton", "Madison", "Georgetown", "Salem")
PLACES = [(town, short, long) for town in TOWNS for short, long in STATES.items()]
RIGHT = pd.DataFrame({"place": [f"{p[0]} city" for p in PLACES], "state": [p[2] for p in PLACES]})
SHORT = pd.DataFrame({"town": [p[0] for p in PLACES], "st": [p[1] for p in PLACES]})
KEYS = {"left_on": ["town", "st"], "right_on": ["place", "state"]}
OTHERWISE, ALIKE = ("text", "text"), ("text", "category")
READ = ("text", "text, translated")
"""Where what the short forms stand for is learned, too."""


def kinds_beside(left: list, right: list, name: str = "class", **options) -> tuple[str, ...]:
    tables = (
        pd.DataFrame({"who": [f"firm {at}" for at in range(len(side))], name: side})
        for side in (left, right)
    )
    return pj.match(*tables, on=["who", name], **options).keys.kinds


def test_short_forms_that_begin_nothing_are_compared_as_names() -> None:
    result = pj.match(SHORT, RIGHT, **KEYS)
    assert result.keys.kinds == READ
    as_name = pj.match(SHORT, RIGHT, **KEYS, kinds={"st": "name"})
    np.testing.assert_array_equal(result.all_matches().score, as_name.all_matches().score)
    as_category = pj.match(SHORT, RIGHT, **KEYS, kinds={"st": "category"})
    assert as_category.keys.kinds == ALIKE
    rows = np.arange(len(PLACES))
    n_right, n_before = (
        (found.all_matches().right[np.searchsorted(found.all_matches().left, rows)] == rows).sum()
        for found in (result, as_category)
    )
    assert n_right > n_before


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (["gold", "silver"], ["gold", "silver"], ALIKE),
        (["G", "S"], ["gold", "silver"], ALIKE),  # short for
        (["Gold", "platinum", "tin", "zinc", "iron"], ["gold", "silver"], ALIKE),  # some are
        (["Au", "Ag"], ["gold", "silver"], OTHERWISE),
        (["USA", "DEU", "FRA"], ["US", "DE", "FR"], ALIKE),
        (["Germany", "Austria", "Spain"], ["DE", "AT", "ES"], READ),  # AT is short for Austria
        ([True, False], [True, False], ALIKE),
    ],
)
def test_what_the_left_values_are(left, right, expected) -> None:
    # Of more rows there were answers enough to tell that metals by turns say nothing of who it is.
    left, right = ((side * 14)[:14] for side in (left, right))
    assert kinds_beside(left, right) == expected


def test_few_left_rows_decide_nothing() -> None:
    right = ["gold", "silver"] * 15
    assert kinds_beside(["Au", "Ag"] * 4, right) == ALIKE
    assert kinds_beside(["Au", "Ag"] * 15, right, kinds={"class": "category"}) == ALIKE


def test_the_kind_is_frozen_by_a_calibration(tmp_path: Path) -> None:
    matcher = pj.Matcher(**KEYS).fit(RIGHT)
    assert matcher.match(SHORT).keys.kinds == ALIKE  # the reference alone
    matcher.calibrate(SHORT)
    matcher.save(tmp_path / "saved")
    long = SHORT.assign(st=SHORT.st.map(STATES))
    for one in (matcher, pj.Matcher.load(tmp_path / "saved")):
        assert one.match(SHORT).keys.kinds == READ
        assert one.match(long).keys.kinds == READ
        whole, single = one.match(SHORT).all_matches(), one.match(SHORT.iloc[[4]]).all_matches()
        assert single.right.tolist() == whole.right[whole.left == 4].tolist()
        np.testing.assert_array_equal(single.score, whole.score[whole.left == 4])
    assert matcher.calibrate(long).match(SHORT).keys.kinds == ALIKE


def test_numbers_are_read_as_the_calibration_said() -> None:
    tables = {
        what: pd.DataFrame({"who": [f"firm {at}" for at in range(30)], "class": values * 15})
        for what, values in (
            ("reference", ["gold 1", "silver 2"]),
            ("words", ["best", "second"]),
            ("numbers", [1, 2]),
        )
    }
    matcher = pj.Matcher(on=["who", "class"]).fit(tables["reference"])
    assert matcher.match(tables["numbers"]).keys.kinds == ALIKE
    assert matcher.calibrate(tables["words"]).match(tables["numbers"]).keys.kinds == OTHERWISE
