"""The warning where two tables have no match: it tells how near they came."""

import re
import warnings

import pandas as pd
import polars as pl
import pytest

import pearljoin as pj

FRUIT, PAPERS = ["apple pie", "plum jam"], ["The New York Times", "Le Monde"]


def test_two_tables_without_a_match_are_warned_of() -> None:
    with pytest.warns(pj.NoMatchWarning, match="No left row has a match") as caught:
        assert len(pj.match(FRUIT, PAPERS).matches()) == 0
    assert caught[0].filename == __file__
    best, least = re.findall(r"scores of (\S+), .* threshold of (\S+)\.", str(caught[0].message))[0]
    assert float(best) < float(least)


def test_a_score_and_the_threshold_are_told_apart() -> None:
    score = float(pj.match(["Le Mond"], PAPERS).all_matches().score[0])
    with pytest.warns(pj.NoMatchWarning, match="best scores") as caught:
        pj.fuzzy_join(["Le Mond"], PAPERS, threshold=score + 1e-5)
    best, least = re.findall(r"scores of (\S+), .* threshold of (\S+)\.", str(caught[0].message))[0]
    assert score - 1e-5 < float(best) < float(least) < score + 2e-5


def test_a_join_is_warned_of_too() -> None:
    with pytest.warns(pj.NoMatchWarning, match="threshold of 1"):
        pj.fuzzy_join(["Le Mond"], PAPERS, threshold=1.0)


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({}, ", and precision= a lower aim than 0.9."),
        ({"precision": 0.95}, ", and precision= a lower aim than 0.95."),
        (
            {"precision": 1},
            ", and precision= a lower aim than 1, which certain matches alone reach.",
        ),
        ({"precision": 0.1}, "."),
        ({"threshold": 0.9}, "."),
    ],
)
def test_the_advice_is_of_what_was_given(options: dict[str, float], advice: str) -> None:
    with pytest.warns(pj.NoMatchWarning) as caught:
        pj.fuzzy_join(FRUIT, PAPERS, **options)
    assert str(caught[0].message).endswith(f"threshold= takes a lower score{advice}")


@pytest.mark.parametrize(("left", "right"), [(FRUIT, []), ([], PAPERS), ([None], PAPERS)])
def test_nothing_to_compare_is_no_surprise(left, right) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", pj.NoMatchWarning)
        assert len(pj.match(left, right).matches()) == 0


def test_a_lookup_may_find_nothing_silently() -> None:
    matcher = pj.Matcher().fit(PAPERS)
    with warnings.catch_warnings():
        warnings.simplefilter("error", pj.NoMatchWarning)
        assert len(matcher.match(FRUIT).matches()) == 0


def test_one_match_is_enough() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", pj.NoMatchWarning)
        assert len(pj.match([*FRUIT, "Le Monde"], PAPERS).matches()) == 1


@pytest.mark.parametrize("nulls_equal", [False, True])
def test_values_of_by_that_never_agree_are_warned_of(nulls_equal: bool) -> None:
    left = pd.DataFrame({"n": PAPERS, "c": ["US", None]})
    right = pd.DataFrame({"n": PAPERS, "c": ["United States", "France"]})
    message = r"no value in both tables, such as 'US' .* and 'United States' .*\['c'\] must"
    with pytest.warns(pj.NoMatchWarning, match=message) as caught:
        joined = pj.fuzzy_join(left, right, on="n", by="c", nulls_equal=nulls_equal)
    assert caught[0].filename == __file__
    assert joined["match_score"].isna().all()


def test_a_veto_that_leaves_nothing_is_warned_of() -> None:
    left = pd.DataFrame({"n": PAPERS, "c": ["US", "FR"]})
    right = pd.DataFrame({"n": PAPERS, "c": ["United States", "France"]})
    with pytest.warns(pj.NoMatchWarning, match=r"veto columns of every near pair, where \['c'\]"):
        pj.fuzzy_join(left, right, on="n", veto="c")


@pytest.mark.parametrize("option", ["by", "veto"])
@pytest.mark.parametrize("zoned_side", [0, 1])
@pytest.mark.parametrize("kind", ["pandas", "polars", "objects"])
def test_times_with_a_zone_beside_times_without_are_warned_of(
    option: str, zoned_side: int, kind: str
) -> None:
    days = pd.Series(pd.to_datetime(["2020-01-01", "2020-02-01"]))
    tables = [pd.DataFrame({"n": PAPERS, "d": days}) for _ in range(2)]
    tables[zoned_side]["d"] = days.dt.tz_localize("Europe/Berlin")
    if kind == "objects":
        tables = [table.astype({"d": object}) for table in tables]
    elif kind == "polars":
        tables = [pl.from_pandas(table) for table in tables]
    written = ["2020-01-01 00:00:00"] * 2
    written[zoned_side] += "+01:00"
    message = (
        "times of 'd' with a time zone in one table and without in the other, such as "
        f"{written[0]} on the left and {written[1]} on the right, where ['d'] m"
    )
    with pytest.warns(pj.NoMatchWarning, match=re.escape(message)):
        pj.fuzzy_join(*tables, on="n", **{option: "d"})


def test_values_of_by_are_shown_as_they_are_written() -> None:
    days = pd.to_datetime(["2020-01-01", "2020-02-01"])
    left = pd.DataFrame({"n": PAPERS, "d": days, "c": ["a", "b"]})
    right = left.assign(d=days + pd.Timedelta("1h"))
    message = r"such as 2020-01-01 00:00:00 \| 'a' on the left and 2020-01-01 01:00:00 \| 'a' on"
    with pytest.warns(pj.NoMatchWarning, match=message):
        pj.fuzzy_join(left, right, on="n", by=["d", "c"])
