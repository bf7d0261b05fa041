"""Columns of which a conflict forbids a match, and references that hold a key more than once."""

import datetime as dt
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from frames import FrameMaker, TrigramEncoder, join, match, pairs_of, rows_of

import pearljoin as pj

# A conflict forbids -------------------------------------------------------------------------------

LEFT = {"name": ["red apple", "red apple", "red apple"], "land": ["IT", None, "FR"]}
RIGHT = {"name": ["red apple", "red apples"], "land": ["US", "it"]}


@pytest.mark.parametrize("constraint", ["m:1", "1:1", "m:m"])
def test_a_conflict_forbids_and_a_null_does_not(make_frame: FrameMaker, constraint) -> None:
    left, right = make_frame(LEFT), make_frame(RIGHT)
    options = {"on": "name", "threshold": 0.3, "constraint": constraint}
    found = match(left, right, **options, veto="land")
    wanted = {(0, 1), (1, 0), (1, 1)} if constraint == "m:m" else {(0, 1), (1, 0)}
    assert set(pairs_of(found.matches())) == wanted
    assert rows_of(found.unmatched(), "land") == ["FR"]
    # Without it, the equal text is the first choice of all.
    assert (0, 0) in pairs_of(match(left, right, **options).matches())


def test_of_several_columns_each_forbids(make_frame: FrameMaker) -> None:
    left = make_frame({**LEFT, "n": [1, 2, 3]})
    right = make_frame({"title": RIGHT["name"], "land": RIGHT["land"], "n": [2, 2]})
    keys = {"left_on": ["name", "n"], "right_on": ["title", "n"], "threshold": 0.0}
    assert pairs_of(match(left, right, **keys, veto=["n", "land"]).matches()) == [(1, 0)]
    weighed = match(left, right, **keys, veto=["land"], weights=[1, 1])
    assert pairs_of(weighed.matches()) == [(0, 1), (1, 0)]


def test_a_key_column_is_named_by_its_left_name(make_frame: FrameMaker) -> None:
    left = make_frame({"film": ["Alien", "Alien"], "year": [1979, 1986]})
    right = make_frame({"title": ["Aliens", "Alien"], "made": [1986, 1979]})
    keys = {"left_on": ["film", "year"], "right_on": ["title", "made"]}
    joined = join(left, right, **keys, veto="year", threshold=0.0, how="inner")
    assert rows_of(joined, "year", "made") == [(1979, 1979), (1986, 1986)]


def test_kinds_compare_as_their_values_do() -> None:
    left = pd.DataFrame({"x": ["red"] * 3, "d": [dt.date(2020, 1, 1), dt.date(2020, 1, 2), None]})
    right = pl.DataFrame({"x": ["red ones"], "d": [dt.datetime(2020, 1, 1)]})
    found = match(left, right, on="x", veto="d", threshold=0.1).matches()
    assert found.left.tolist() == [0, 2]


def test_beyond_a_few_rows_a_forbidden_candidate_does_not_match() -> None:
    right = pd.DataFrame({"x": [f"red apple {n}" for n in range(90)], "n": np.arange(90)})
    left = right.assign(n=(right["n"] + 1) % 90)
    result = match(left, right, on="x", veto="n", threshold=0.0)
    assert (result.matches().left + 1 == result.matches().right).sum() > 50
    every = match(left, right, on="x", veto="n", threshold=0.9, constraint="m:m").matches()
    assert all((row + 1) % 90 == right_row for row, right_row in pairs_of(every))


@pytest.mark.parametrize("constraint", ["m:1", "1:1"])
def test_forbidden_namesakes_take_no_place_from_the_one_that_is_not(constraint) -> None:
    names = ["John Smith"] * 200 + ["Maria Rossi"] * 200
    right = pd.DataFrame({"x": names, "n": np.arange(400)})
    left = pd.DataFrame({"x": ["Jon Smith", "Maria Rosi", "John Smith"], "n": [160, 310, 170]})
    found = match(left, right, on="x", veto="n", threshold=0.3, constraint=constraint).matches()
    assert pairs_of(found) == [(0, 160), (1, 310), (2, 170)]


def test_what_stands_between_a_letter_and_a_digit_is_no_difference() -> None:
    sizes = ["250g", "250 g", "500 g", "2 50 g", "Rolls-4", "rolls4"]
    table = pd.DataFrame({"x": ["coffee"] * len(sizes), "size": sizes})
    found = pj.match(table, table, on="x", veto="size", threshold=0.0, constraint="m:m")
    assert pairs_of(found.matches()) == sorted(
        {(at, at) for at in range(len(sizes))} | {(0, 1), (1, 0), (4, 5), (5, 4)}
    )


def test_clusters_take_spellings_of_a_veto_value_for_equal() -> None:
    sizes = ["250g", "250 g", "500 g", "BLACK", "black", "Café", "cafe", None]
    table = pd.DataFrame({"x": ["coffee beans"] * len(sizes), "size": sizes})
    labels = pj.find_duplicates(table, on="x", veto="size").clusters()
    assert labels[0] == labels[1]
    assert labels[3] == labels[4]
    assert labels[5] == labels[6]
    assert len(set(labels[[0, 2, 3, 5]])) == 4


def test_the_best_that_no_veto_forbids_are_kept() -> None:
    right = pd.DataFrame({"x": [f"red apple {n}" for n in range(50)], "n": np.arange(50)})
    left = pd.DataFrame({"x": ["red apple 7"], "n": [30]})
    options = {"on": "x", "veto": "n", "constraint": "m:m", "threshold": 0.0}
    assert pairs_of(match(left, right, **options, k=1).matches()) == [(0, 30)]


def test_a_matcher_keeps_its_veto(tmp_path, make_frame: FrameMaker) -> None:
    fitted = pj.Matcher(on="name", veto="land", threshold=0.3, encoder=TrigramEncoder())
    fitted.fit(make_frame(RIGHT))
    assert pairs_of(fitted.match(make_frame(LEFT)).matches()) == [(0, 1), (1, 0)]
    fitted.save(tmp_path / "m")
    loaded = pj.Matcher.load(tmp_path / "m", encoder=TrigramEncoder())
    assert pairs_of(loaded.match(make_frame(LEFT)).matches()) == [(0, 1), (1, 0)]
    loaded.add(pd.DataFrame({"name": ["red appls"], "land": ["FR"]}))
    assert pairs_of(loaded.match(make_frame(LEFT)).matches()) == [(0, 1), (1, 0), (2, 2)]


def test_a_joiner_has_a_veto() -> None:
    joiner = pj.FuzzyJoiner(
        pd.DataFrame(RIGHT), on="name", veto="land", threshold=0.3, encoder=TrigramEncoder()
    )
    found = joiner.fit_transform(pd.DataFrame(LEFT))["name_right"].fillna("").tolist()
    assert found == ["red apples", "red apple", ""]


@pytest.mark.parametrize(
    ("veto", "message"),
    [
        ("lnd", r"left table has no column 'lnd', named in veto=.*did you mean 'land'"),
        ("extra", r"right table has no column 'extra', named in veto="),
        ([], r"veto= is empty"),
    ],
)
def test_a_veto_column_that_is_not_there_is_told(veto, message) -> None:
    left = pd.DataFrame({**LEFT, "extra": [1, 2, 3]})
    with pytest.raises(pj.InputError, match=message):
        match(left, pd.DataFrame(RIGHT), on="name", veto=veto)


# A reference with duplicates ---------------------------------------------------------------------

TWICE = ["Le Monde", "Die Zeit", "le monde", None, "Le Monde", "zeit", None]


def test_duplicates_are_listed_and_warned_of_once(make_frame: FrameMaker) -> None:
    right = make_frame({"x": TWICE})
    message = (
        r"The reference has duplicates: 2 of 7 rows repeat the key of an earlier one, such as row "
        r"2 that of row 0. A match means the first. Hint: result.duplicates lists them"
    )
    with pytest.warns(pj.DuplicateReferenceWarning, match=message) as caught:
        result = match(["monde", "zeit", "Le monde"], right)
    assert len(caught) == 1
    assert caught[0].filename.endswith("frames.py")
    assert result.duplicates == ((0, 2, 4),)
    assert issubclass(pj.DuplicateReferenceWarning, pj.PearljoinWarning)


def test_a_matcher_warns_of_duplicates_when_it_is_fitted() -> None:
    matcher = pj.Matcher(encoder=TrigramEncoder())
    with pytest.warns(pj.DuplicateReferenceWarning, match="2 of 7 rows repeat") as caught:
        matcher.fit(TWICE)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert matcher.match(["monde"]).duplicates == ((0, 2, 4),)
        matcher.calibrate(["monde", "zeit"]).match(["zeit"])
        pj.Matcher(encoder=TrigramEncoder(), constraint="m:m").fit(TWICE)
    with pytest.warns(pj.DuplicateReferenceWarning, match="3 of 8 rows repeat"):
        matcher.add(["zeit"]).refit()


def test_a_matcher_warns_of_added_rows_that_repeat_a_key() -> None:
    names = ["Le Monde", "Die Zeit", "The Guardian"]
    matcher = pj.Matcher(encoder=TrigramEncoder()).fit(names)
    with pytest.warns(pj.DuplicateReferenceWarning, match="1 of 5 rows repeat") as caught:
        matcher.add(["El Mundo", "die zeit"])
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with warnings.catch_warnings():  # of the others it was told
        warnings.simplefilter("error")
        assert matcher.add(["La Stampa"]).match(["zeit"]).duplicates == ((1, 4),)
        pj.Matcher(encoder=TrigramEncoder(), constraint="m:m").fit(names).add(["die zeit"])
    with pytest.warns(pj.DuplicateReferenceWarning, match="such as row 6 that of row 1"):
        matcher.add(["DIE ZEIT"])


@pytest.mark.parametrize("rows", [["monde", "zeit"], []])
def test_a_joiner_warns_of_duplicates_when_it_is_fitted(rows: list[str]) -> None:
    left = pd.DataFrame({"x": pd.Series(rows, dtype=str)})
    joiner = pj.FuzzyJoiner(pd.DataFrame({"y": TWICE}), left_on="x", right_on="y")
    with pytest.warns(pj.DuplicateReferenceWarning, match="2 of 7 rows repeat") as caught:
        joiner.fit(left)
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        joiner.transform(pd.DataFrame({"x": ["monde"]}))


@pytest.mark.parametrize(
    ("right", "options"),
    [
        (["Le Monde", "Die Zeit"], {}),
        (TWICE, {"constraint": "m:m"}),
        (TWICE, {"constraint": "1:1"}),
        (pd.DataFrame({"x": TWICE, "b": range(7)}), {"right_on": "x", "by": "b"}),
        (pd.DataFrame({"x": TWICE, "b": range(7)}), {"right_on": "x", "veto": "b"}),
    ],
)
def test_what_is_no_trouble_is_not_warned_of(right, options) -> None:
    left = pd.DataFrame({"x": ["monde", "zeit"], "b": [0, 1]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = match(left, right, left_on="x", **options)
        pj.deduplicate(pd.DataFrame({"x": TWICE}), encoder=TrigramEncoder())
    assert bool(result.duplicates) == ("constraint" in options)


def test_records_repeat_where_all_their_values_do() -> None:
    right = pd.DataFrame({"x": ["red", "red", "Red", "red"], "n": [1, 2, 1, None]})
    assert match(right, right, on=["x", "n"], constraint="m:m").duplicates == ((0, 2),)
    empty = match(["red"], pd.Series([None, None], dtype=str, name="y"))
    assert empty.duplicates == ()
