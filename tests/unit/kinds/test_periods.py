"""Months, quarters, weeks, seasons and decades, and what only looks like them."""

import pytest
from kind_pairs import level

from pearljoin._kinds.date import DateComparer
from pearljoin._kinds.marked_date import read_marked_date
from pearljoin._kinds.recognise import recognise


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Jul-14", "2014-07", "agree as far as known"),
        ("Jul '14", "2014-07", "agree as far as known"),
        ("Jul-14", "2014-08", "within a month"),
        ("Juli-14", "Jul-14", "equal"),
        ("Q3 2016", "2016-Q3", "equal"),
        ("3Q16", "2016Q3", "agree as far as known"),
        ("Q3/16", "2016-Q3", "agree as far as known"),
        ("Q3/16", "2016-Q4", "within a year"),
        ("KW 12/2020", "2020-W12", "equal"),
        ("W12 2020", "2020-03-16", "equal"),
        ("KW 12/2020", "2020-W13", "within a week"),
        ("18/19", "2018-2019", "agree as far as known"),
        ("99/00", "1999-00", "agree as far as known"),
        ("18/19", "2020-2021", "within ten years"),
        ("1730s", "the 1730s", "equal"),
        ("1730s", "1734", "agree as far as known"),
        ("1730s", "1734-05-03", "agree as far as known"),
        ("1730s", "1744", "different"),
        ("1730s", "1730", "agree as far as known"),
    ],
)
def test_two_ways_of_writing_a_period(one: str, other: str, expected: str) -> None:
    assert level(DateComparer(), one, other) == expected
    assert level(DateComparer(), other, one) == expected


@pytest.mark.parametrize(
    "text", ["Tom-14", "Q5 2016", "Q3", "KW 60/2020", "18/21", "W12", "Jul-4", "MA-14"]
)
def test_what_is_no_period(text: str) -> None:
    assert read_marked_date(text) is None


@pytest.mark.parametrize(
    ("values", "name", "kind"),
    [
        (["Jul-14", "May-09", "Dec-21"], "x", "date"),
        (["2016-Q3", "2014-Q1", "2019-Q4"], "x", "date"),
        (["Q3/16", "Q1/14", "Q4/19"], "quarter", "date"),
        (["Q3-16", "Q1-14", "Q4-19"], "question", "code"),
        (["18/19", "19/20", "04/05"], "season", "date"),
        (["1970s", "1980s", "1990s", "1985"], "x", "date"),
        (["18/19", "19/20", "04/05"], "x", "code"),
        ([1, 2, 3, 4], "quarter", "number"),
    ],
)
def test_columns_of_periods(values: list, name: str, kind: str) -> None:
    assert recognise(values, name) == kind
