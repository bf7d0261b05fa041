"""A key column that is typed as dates, and no other: the same day or instant alone is a match."""

import datetime as dt
import warnings
from typing import Any

import pandas as pd
import polars as pl
import pytest
from frames import FrameMaker

import pearljoin as pj

pytestmark = pytest.mark.every_kind

MARCH = [dt.date(2024, 3, day) for day in (1, 2, 3, 5)]
MORNINGS = [dt.datetime(2024, 3, day, 10, 30) for day in (1, 2, 3, 5)]


def pairs(left: Any, right: Any, **arguments: Any) -> list[tuple[int, int]]:
    result = pj.match(left, right, on="d", **arguments)
    assert result.keys.kinds == ("date",)
    found = result.matches()
    return list(zip(found.left.tolist(), found.right.tolist(), strict=True))


@pytest.mark.parametrize("known", [MARCH, MORNINGS])
def test_near_ones_are_others_in_any_library(make_frame: FrameMaker, known: list[Any]) -> None:
    asked = make_frame({"d": [known[2], known[0] + dt.timedelta(days=3), None]})
    assert pairs(asked, make_frame({"d": known})) == [(0, 2)]
    assert pairs(asked, make_frame({"d": [None, *known]}), nulls_equal=True) == [(0, 3), (2, 0)]


def test_two_libraries() -> None:
    tables = pd.DataFrame({"d": pd.to_datetime(MARCH[:2])}), pl.DataFrame({"d": MARCH[1:]})
    assert pairs(*tables) == [(1, 0)]
    assert pairs(*tables[::-1]) == [(0, 1)]


def test_a_second_apart_among_centuries() -> None:
    known = pl.DataFrame({"d": [MORNINGS[0], dt.datetime(1624, 1, 1)]})
    assert pairs(pl.DataFrame({"d": [MORNINGS[0] + dt.timedelta(seconds=1)]}), known) == []


def test_a_threshold_asks_for_near_ones() -> None:
    far = dt.date(2024, 6, 1)
    asked, known = pl.DataFrame({"d": [MARCH[0]]}), pl.DataFrame({"d": [*MARCH[1:], far]})
    result = pj.match(asked, known, on="d")
    assert result.threshold == 1
    assert not len(result.matches())
    assert pairs(asked, known, threshold=0.5) == [(0, 0)]


def test_days_beside_times_are_met_by_their_day() -> None:
    days, times = pl.DataFrame({"d": MARCH}), pl.DataFrame({"d": [*MORNINGS[2:], *MORNINGS[:1]]})
    expected = [(0, 2), (2, 0), (3, 1)]
    assert pairs(days, times) == expected
    assert sorted((right, left) for left, right in pairs(times, days)) == expected
    lists = pd.DataFrame({"d": pd.Series(MARCH, dtype=object)}), pd.DataFrame({"d": MORNINGS})
    assert pairs(*lists) == [(0, 0), (1, 1), (2, 2), (3, 3)]


@pytest.mark.parametrize("turned", [False, True])
def test_a_matcher_reads_days_and_times_as_a_join_does(turned: bool) -> None:
    known, asked = (MORNINGS, MARCH) if turned else (MARCH, MORNINGS)
    fitted = pj.Matcher(on="d").fit(pl.DataFrame({"d": known}))
    many = fitted.match(pl.DataFrame({"d": asked})).matches()
    assert many.right.tolist() == [0, 1, 2, 3]
    for at, value in enumerate(asked):
        for row in ({"d": value}, [value]):
            one = fitted.match(row).matches()
            assert one.right.tolist() == [at]
            assert one.score.tolist() == many.score[at : at + 1].tolist()
    assert not len(fitted.match({"d": dt.date(2024, 3, 4)}).matches())
    assert not len(fitted.match({"d": None}).matches())


def test_a_time_among_days_is_met_by_its_day_as_alone() -> None:
    fitted = pj.Matcher(on="d").fit(pd.DataFrame({"d": MARCH}))
    rows = [{"d": MORNINGS[1]}, {"d": MARCH[0]}, {"d": dt.date(2024, 3, 4)}, {"d": MORNINGS[3]}]
    assert [fitted.match([row]).matches().right.tolist() for row in rows] == [[1], [0], [], [3]]
    found = fitted.match(rows).matches()
    assert (found.left.tolist(), found.right.tolist()) == ([0, 1, 3], [1, 0, 3])


def test_times_of_one_day_are_warned_of_where_days_are_looked_up() -> None:
    later = dt.datetime(2024, 3, 2, 20, 15)
    fitted = pj.Matcher(on="d").fit(pd.DataFrame({"d": [*MORNINGS, later]}))
    with pytest.warns(pj.DuplicateReferenceWarning, match="row 4 that of row 1"):
        result = fitted.match(pl.DataFrame({"d": MARCH}))
    assert result.duplicates == ((1, 4),)
    assert result.matches().right.tolist() == [0, 1, 2, 3]
    with warnings.catch_warnings():  # once is enough
        warnings.simplefilter("error")
        fitted.match(pl.DataFrame({"d": MARCH}))
        fitted.match(pl.DataFrame({"d": MORNINGS}))


def test_instants_are_compared_in_one_zone() -> None:
    times = pd.DataFrame({"d": pd.to_datetime(MORNINGS)})
    in_utc = times.assign(d=times.d.dt.tz_localize("UTC"))
    assert pairs(in_utc.assign(d=in_utc.d.dt.tz_convert("Europe/Berlin")), in_utc) == [
        (0, 0),
        (1, 1),
        (2, 2),
        (3, 3),
    ]
    assert pairs(times.assign(d=times.d.dt.tz_localize("Europe/Berlin")), in_utc) == []


def test_a_time_beside_days_is_of_the_day_that_its_zone_has() -> None:
    early = pd.DataFrame({"d": pd.to_datetime(["2024-03-02 00:30"]).tz_localize("Europe/Berlin")})
    assert pairs(early, pl.DataFrame({"d": MARCH})) == [(0, 1)]


def test_single_lookups_of_the_same_type() -> None:
    fitted = pj.Matcher(on="d").fit(pd.DataFrame({"d": pd.to_datetime(MARCH)}))
    assert fitted.match({"d": pd.Timestamp("2024-03-02")}).matches().right.tolist() == [1]
    assert fitted.match([MARCH[2]]).matches().right.tolist() == [2]
    assert fitted.match(["5 March 2024", "4 March 2024"]).matches().right.tolist() == [3]
    assert not len(fitted.match({"d": pd.Timestamp("2024-03-04")}).matches())


def test_duplicates_are_of_one_day() -> None:
    days = pd.date_range("2020-01-01", periods=500)
    found = pj.find_duplicates(pd.DataFrame({"d": [*days, days[63], None, None]}), on="d")
    assert found.threshold == 1
    assert "d (date)" in repr(found)
    pairs_found = found.pairs()
    assert (pairs_found.left_row.tolist(), pairs_found.right_row.tolist()) == ([63], [500])
    grown = pj.Deduplicator(on="d").fit(pl.DataFrame({"d": MARCH}))
    grown.add(pl.DataFrame({"d": [MARCH[1], dt.date(2024, 3, 4)]}))
    assert grown.clusters().tolist() == [0, 1, 2, 3, 1, 4]


def test_beside_other_columns_a_near_date_still_counts() -> None:
    people = pd.DataFrame({"name": ["Ann Kowalski", "Peter Novak"], "d": pd.to_datetime(MARCH[:2])})
    slips = people[:1].assign(d=pd.Timestamp("2024-03-04"))
    assert len(pj.match(slips, people, on=["name", "d"]).matches()) == 1
    weighed = pj.match(slips, people, on=["name", "d"], weights=[1, 1], threshold=0.5)
    assert weighed.keys.kinds == ("text", "date")
    assert len(weighed.matches()) == 1


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_day_among_times_beside_times_is_met_as_it_is_alone(frame: Any) -> None:
    times = [dt.datetime(2024, 1, 5, 10), dt.datetime(2024, 1, 6, 11)]
    matcher = pj.Matcher(on="when").fit(frame({"when": times}))
    rows = [{"when": dt.date(2024, 1, 5)}, {"when": times[1]}]
    alone = [matcher.match(row).matches().right.tolist() for row in rows]
    assert alone == [[0], [1]]
    assert matcher.match(rows).matches().right.tolist() == [0, 1]
