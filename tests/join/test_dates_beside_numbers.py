"""Dates beside whole numbers: years such as 1999, and days such as 19990131."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from frames import FrameMaker
from repetitions import few

import pearljoin as pj

pytestmark = pytest.mark.every_kind

PLACES = [f"{a} {b}" for a in ("north", "south") for b in ("inn", "road", "hill", "gate", "lodge")]
DAYS = pd.to_datetime([f"{1990 + at}-03-{1 + at:02}" for at in range(len(PLACES))])
NUMBERS: dict[str, Any] = {
    "years": DAYS.year.to_numpy(),
    "days": np.array([int(f"{day:%Y%m%d}") for day in DAYS]),
    "years and a null": [float("nan"), *map(float, DAYS.year[1:])],
    "nullable years": pd.array([None, *DAYS.year[1:]], dtype="Int64"),
    "a slip": [19, *DAYS.year[1:]],
}
BOTH = ["name", "when"]


def frame(when: Any) -> pd.DataFrame:
    return pd.DataFrame({"name": PLACES, "when": when})


def is_answered(result: pj.MatchResult) -> bool:
    found = result.matches()
    return found.left.tolist() == found.right.tolist() == list(range(len(PLACES)))


@pytest.mark.parametrize("numbers", few(NUMBERS, 2))
def test_either_side_may_hold_the_numbers(numbers: str) -> None:
    tables = frame(NUMBERS[numbers]), frame(DAYS)
    for left, right in (tables, tables[::-1]):
        for kinds in (None, {"when": "date"}):
            result = pj.match(left, right, on=BOTH, kinds=kinds)
            assert result.keys.kinds == ("text", "date")
            assert is_answered(result)


def test_of_any_library(make_frame: FrameMaker) -> None:
    days = [day.to_pydatetime() for day in DAYS]
    left = make_frame({"name": PLACES, "when": [None, *DAYS.year.tolist()[1:]]})
    assert is_answered(pj.match(left, make_frame({"name": PLACES, "when": days}), on=BOTH))


def test_a_year_tells_rows_apart() -> None:
    right = frame(DAYS).assign(name=PLACES[:5] * 2)
    assert is_answered(pj.match(right.assign(when=DAYS.year), right, on=BOTH))


def test_a_matcher_reads_a_row_as_it_reads_many() -> None:
    for learned, asked in ((DAYS, DAYS.year), (DAYS.year, DAYS)):
        matcher = pj.Matcher(on=BOTH).fit(frame(learned))
        many = matcher.match(frame(asked)).matches()
        one = matcher.match(frame(asked)[3:4]).matches()
        assert one.right.tolist() == [3]
        assert one.score.tolist() == many.score[3:4].tolist()


def test_a_lone_column_of_days() -> None:
    numbers, days = frame(NUMBERS["days"]), frame(DAYS)
    for left, right in ((numbers, days), (days, numbers)):
        result = pj.match(left, right, on="when")
        assert result.keys.kinds == ("date",)
        assert is_answered(result)


def test_similarities_compare_days_as_text() -> None:
    result = pj.match(frame(NUMBERS["days"]), frame(DAYS), on=BOTH, weights=[1, 1], threshold=0.99)
    assert is_answered(result)


@pytest.mark.parametrize("numbers", [range(10), [1990.5] * 10, [19901301] * 10, [1e300] * 10])
def test_other_numbers_are_refused(numbers: Any) -> None:
    for left, right in ((frame(numbers), frame(DAYS)), (frame(DAYS), frame(numbers))):
        with pytest.raises(pj.InputError, match="nor do years and days as whole numbers"):
            pj.match(left, right, on=BOTH)
    with pytest.raises(pj.InputError, match="different kinds"):
        pj.match(frame(DAYS), frame(DAYS.year), on=BOTH, kinds={"when": "number"})
    durations = frame(DAYS - DAYS[0])
    with pytest.raises(pj.InputError, match="different kinds"):
        pj.match(durations, frame(DAYS.year), on=BOTH)
