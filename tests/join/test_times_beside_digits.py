"""Times of day beside columns of four digits, which are times only by their name or beside such."""

from itertools import product

import pandas as pd
import pytest

import pearljoin as pj

PARTS = ["ball valve", "gate valve", "check valve", "globe valve"]
TIMES = list(product(range(6, 22), (0, 15, 30, 45)))[::3]
CLOCK = [f"{hour:02d}:{minute:02d}" for hour, minute in TIMES]
DIGITS = [f"{hour:02d}{minute:02d}" for hour, minute in TIMES]
SHELVES = [f"{aisle:02d}{place:02d}" for aisle in range(1, 21) for place in range(1, 41)][::13]


def frame(cells: list[str], name: str = "at") -> pd.DataFrame:
    return pd.DataFrame({"part": (PARTS * len(cells))[: len(cells)], name: cells})


def is_answered(result: pj.MatchResult, n_rows: int) -> bool:
    found = result.matches()
    return found.left.tolist() == found.right.tolist() == list(range(n_rows))


@pytest.mark.parametrize(
    ("left", "right"), [(CLOCK, DIGITS), (DIGITS, CLOCK), ([*CLOCK[1:], "8.15 pm"], DIGITS)]
)
def test_digits_beside_times_are_times(left: list[str], right: list[str]) -> None:
    result = pj.match(frame(left), frame(right), on=["part", "at"])
    assert result.keys.kinds == ("text", "number")


def test_one_time_in_two_writings_is_found() -> None:
    assert is_answered(pj.match(frame(CLOCK), frame(DIGITS), on=["part", "at"]), len(TIMES))


def test_a_matcher_reads_a_row_as_it_reads_many() -> None:
    matcher = pj.Matcher(on=["part", "at"]).fit(frame(DIGITS))
    many = matcher.match(frame(CLOCK)).matches()
    one = matcher.match(frame(CLOCK)[3:4]).matches()
    assert one.right.tolist() == [3]
    assert one.score.tolist() == many.score[3:4].tolist()
    matcher.calibrate(frame(CLOCK))
    assert matcher.match(frame(CLOCK)[3:4]).keys.kinds == ("text", "number")


@pytest.mark.parametrize("write", ["S-{}", "{}A", "0{}", "{}"])
def test_places_on_shelves_are_no_times(write: str) -> None:
    left = frame([write.format(code) for code in SHELVES], "shelf")
    result = pj.match(left, frame(SHELVES, "shelf"), on=["part", "shelf"])
    assert result.keys.kinds == ("text", "code")
    assert is_answered(result, len(SHELVES))


def test_codes_of_a_month_are_no_dates() -> None:
    codes = [f"MAR-{number}" for number in range(10, 70)]
    left = frame([code.replace("-", "") for code in codes], "sku")
    result = pj.match(left, frame(codes, "sku"), on=["part", "sku"])
    assert result.keys.kinds == ("text", "code")
    assert is_answered(result, len(codes))
