"""Statistics of a key column: which columns count rows."""

from collections.abc import Hashable

import numpy as np
import pandas as pd
import pytest
from frames import decided

import pearljoin as pj
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._records.similarity import ExactValues

ROWS = list(range(30))


def counts_rows(listed: list[Hashable], codes: list[int] | None = None) -> bool:
    codes = list(range(len(listed))) if codes is None else codes
    return ColumnStatistics.of(ExactValues(listed), np.array(codes)).is_row_number


@pytest.mark.parametrize(
    "listed",
    [
        ROWS,
        [row + 1000 for row in ROWS],
        [f"{row:04d}" for row in ROWS],
        ROWS[::-1],
        ROWS[:12] + ROWS[13:],
    ],
)
def test_whole_numbers_that_fill_a_range_count_rows(listed: list[Hashable]) -> None:
    assert counts_rows(listed)


@pytest.mark.parametrize(
    "listed",
    [
        ROWS[:19],
        [7 * row for row in ROWS],
        [*ROWS, 10**18],
        [f"{row}a" for row in ROWS],
        [row / 2 for row in ROWS],
        [],
    ],
)
def test_other_values_do_not(listed: list[Hashable]) -> None:
    assert not counts_rows(listed)


def test_numbers_that_stand_twice_or_are_missing_do_not_count_rows() -> None:
    assert not counts_rows(ROWS, [*range(30), 3])
    assert not counts_rows(ROWS, [*range(29), -1])


def test_a_saved_matcher_leaves_the_same_columns_out(tmp_path) -> None:
    names = [
        f"{first} {last}"
        for first in ("Anna", "Bert", "Carla", "Dora")
        for last in ("Miller", "Keller", "Huber", "Sander", "Winter", "Abel")
    ]
    right = pd.DataFrame({"name": names, "row": np.random.default_rng(1).permutation(24)})
    left = pd.DataFrame({"name": [name[:3] + name[4:] for name in names], "row": np.arange(24)})
    fitted = pj.Matcher(on=["name", "row"]).fit(right)
    fitted.save(tmp_path / "saved")
    loaded = pj.Matcher.load(tmp_path / "saved")
    whole = loaded.match(left).comparison.reference.encoded.whole
    assert whole is not None
    assert not any(any(map(str.isdigit, text)) for text in whole.values[0].texts)
    assert decided(loaded.match(left)) == decided(fitted.match(left))
