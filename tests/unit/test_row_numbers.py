"""Key columns that count the rows of a table."""

from collections.abc import Hashable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from frames import decided, pairs_of

import pearljoin as pj
from pearljoin._records.row_numbers import count_rows
from pearljoin._records.similarity import ExactValues

ROWS = list(range(30))


def counts_rows(listed: list[Hashable], codes: list[int] | None = None, n_apart: int = 0) -> bool:
    """Whether a column counts rows beside one of so many different values (0: all)."""
    codes = list(range(len(listed))) if codes is None else codes
    rest = np.arange(len(codes)) % (n_apart or max(1, len(codes)))
    beside = ExactValues([f"name {number}" for number in range(len(codes))])
    return count_rows([ExactValues(listed), beside], [np.array(codes), rest])[0]


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


def test_numbers_that_alone_tell_rows_apart_do_not_count_them() -> None:
    assert counts_rows(ROWS, n_apart=28)
    assert not counts_rows(ROWS, n_apart=20)
    assert not counts_rows(ROWS, n_apart=1)
    assert count_rows([ExactValues(ROWS)], [np.arange(30)]) == [False]


@pytest.mark.parametrize(
    "right",
    [
        {"title": ["Annual Report of the Bank of Foo"] * 25, "year": range(1995, 2020)},
        {"title": ["High Street"] * 60, "no": range(1, 61)},
        {"title": [f"Acme Power Drill {1000 + n}" for n in range(60)], "model": range(1000, 1060)},
    ],
)
def test_a_number_that_is_asked_for_is_compared(right: dict) -> None:
    reference = pd.DataFrame(right)
    gone = np.random.default_rng(5).integers(1, 10, len(reference))
    titles = [title[:at] + title[at + 1 :] for title, at in zip(right["title"], gone, strict=True)]
    left = reference.assign(title=titles)
    found = pj.Matcher(on=list(right)).fit(reference).match(left).matches()
    assert pairs_of(found) == [(row, row) for row in range(len(reference))]


def test_a_saved_matcher_leaves_the_same_columns_out(tmp_path: Path) -> None:
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
