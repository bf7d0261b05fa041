"""Months, quarters, weeks, seasons and decades, and what only looks like them."""

import pytest
from kind_pairs import level

from pearljoin._kinds.date import DateComparer
from pearljoin._kinds.marked_date import read_marked_date
from pearljoin._kinds.recognise import recognise


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Jul-14", "2014-07", "same date"),
        ("Jul '14", "2014-07", "same date"),
        ("Jul-14", "2014-08", "within a month"),
        ("Juli-14", "Jul-14", "equal"),
        ("Q3 2016", "2016-Q3", "equal"),
        ("3Q16", "2016Q3", "same date"),
        ("Q3/16", "2016-Q3", "same date"),
        ("Q3/16", "2016-Q4", "within a year"),
        ("KW 12/2020", "2020-W12", "equal"),
        ("W12 2020", "2020-03-16", "equal"),
        ("KW 12/2020", "2020-W13", "within a week"),
        ("18/19", "2018-2019", "same date"),
        ("99/00", "1999-00", "same date"),
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
        (["Jul-14", "May-09", "Dec-21"], "month", "date"),
        (["Jul-14", "May-09", "Dec-21", "Jan-16"], "x", "date"),
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


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ([f"MAR-{number}" for number in range(10, 99)], "sku"),
        ([f"MAR-{number}" for number in range(10, 99)], "x"),
        ([f"DEC-{number:02d}" for number in range(1, 60)], "sample_id"),
        ([f"W{week}-2009" for week in range(1, 30)], "part_no"),
        ([f"W{week}-2009" for week in range(1, 30)], "x"),
        ([f"20{10 + at % 10}-W{at % 50 + 1:02d}" for at in range(50)], "case_no"),
        ([f"{watts}W{at:02d}" for watts in (1007, 1500, 2000) for at in range(1, 9)], "lamp_id"),
        ([f"{watts}W{at:02d}" for watts in (1500, 1800, 2000) for at in range(1, 9)], "x"),
        (["May-31", "Jun-12", "Mai-20", "April-30", "Jan-14"], "username"),
        (["Jan-14", "May-21", "April-30", "June-01", "Mar-15"], "model"),
        (["Q1 2000", "Q2 2001", "Q3 2002", "Q4 2003"], "part"),
        (["Q1 3000", "Q2 3001", "Q3 3002", "Q4 3003"], "x"),
        (["KW 1-3000", "KW 2-3000", "KW 3-3001", "KW 4-3002"], "x"),
        (["15/16", "31/32", "7/8"], "date"),
        (["15/16", "31/32", "16/17"], "date"),
        (["30/31", "31/32", "32/33", "30/32"], "year"),
        (["30/31", "31/32", "32/33", "29/30", "28/29"], "year"),
    ],
)
def test_codes_and_sizes_that_look_like_periods(values: list, name: str) -> None:
    assert recognise(values, name) != "date"


@pytest.mark.parametrize(
    ("values", "name"),
    [
        (["Mar-10", "Mar-11", "Mar-12"], "billing_month"),
        (["W12-2020", "W13-2020"], "week"),
        (["KW 12/2020", "KW 13/2020", "KW 14/2020", "KW 3/2021"], "x"),
        (["15/16", "16/17", "99/00"], "year"),
    ],
)
def test_periods_by_the_name_or_by_many_of_them(values: list, name: str) -> None:
    assert recognise(values, name) == "date"
