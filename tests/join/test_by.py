"""Exact-match columns: who may match whom."""

import datetime as dt
import warnings
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from frames import FrameMaker, TrigramEncoder, columns_of, join, match, pairs_of, rows_of
from sklearn.pipeline import make_pipeline

import pearljoin as pj
from pearljoin._fitted.save_matcher import read_store, write_store

LEFT = {"name": ["Acme", "Acme", "Acme", "Acme"], "land": ["IT", "US", "FR", None]}
RIGHT = {"name": ["acme", "Acme", "acme", "Acme"], "land": ["US", "DE", "IT", None]}


@pytest.mark.parametrize(
    ("how", "rows"),
    [
        ("inner", [("Acme", "IT", "acme", 1.0), ("Acme", "US", "acme", 1.0)]),
        (
            "full",
            [
                ("Acme", "IT", "acme", 1.0),
                ("Acme", "US", "acme", 1.0),
                ("Acme", "FR", None, None),
                ("Acme", None, None, None),
                (None, "DE", "Acme", None),
                (None, None, "Acme", None),
            ],
        ),
    ],
)
def test_by_restricts_matches_and_is_merged(make_frame: FrameMaker, how: str, rows: list) -> None:
    joined = join(make_frame(LEFT), make_frame(RIGHT), on="name", by="land", how=how)
    assert list(columns_of(joined)) == ["name", "land", "name_right", "match_score"]
    assert rows_of(joined) == rows


def test_by_columns_of_different_names(make_frame: FrameMaker) -> None:
    right = make_frame({"name": RIGHT["name"], "country": RIGHT["land"]})
    joined = join(
        make_frame(LEFT), right, on="name", left_by="land", right_by="country", how="right"
    )
    assert rows_of(joined, "land", "name_right") == [
        ("IT", "acme"),
        ("US", "acme"),
        ("DE", "Acme"),
        (None, "Acme"),
    ]


def test_several_by_columns_must_all_be_equal(make_frame: FrameMaker) -> None:
    left = make_frame({"name": ["Acme"] * 3, "a": ["x", "x", "y"], "b": [1, 2, 1]})
    right = make_frame({"name": ["Acme"] * 3, "a": ["y", "x", "x"], "b": [1, 1, 3]})
    found = match(left, right, on="name", by=["a", "b"]).matches()
    assert pairs_of(found) == [(0, 1), (2, 0)]


def test_text_is_compared_as_it_stands_and_differences_of_case_are_counted(
    make_frame: FrameMaker,
) -> None:
    left = make_frame({"n": ["Acme"] * 4, "g": ["it", "us", "FR", None]})
    right = make_frame({"n": ["Acme"] * 4, "g": ["IT", "Us", "FR", "DE"]})
    message = r"^2 of the left table's values in by=.*'it'.*'IT'"
    with pytest.warns(pj.PearljoinWarning, match=message):
        joined = join(left, right, on="n", by="g", how="inner")
    assert rows_of(joined, "g") == ["FR"]


@pytest.mark.parametrize("in_pipeline", [True, False])
def test_the_difference_of_case_is_warned_of_at_the_users_line(in_pipeline: bool) -> None:
    left = pd.DataFrame({"n": ["Acme"], "g": ["it"]})
    right = pd.DataFrame({"n": ["Acme"], "g": ["IT"]})
    joiner = pj.FuzzyJoiner(right, on="n", by="g", threshold=0.5, encoder=TrigramEncoder())
    fitted = (make_pipeline(joiner, "passthrough") if in_pipeline else joiner).fit(left[:0])
    with pytest.warns(pj.PearljoinWarning, match="but for their case") as caught:
        fitted.transform(left)
    with pytest.warns(pj.PearljoinWarning, match="but for their case") as caught_there:
        pj.match(left, right, on="n", by="g", encoder=TrigramEncoder())
    assert [warning.filename for warning in (*caught, *caught_there)] == [__file__] * 2


def test_nothing_is_counted_where_case_makes_no_difference() -> None:
    left = pd.DataFrame({"n": ["Acme", "Acme"], "g": ["IT", "x"], "h": [1, 2]})
    right = pd.DataFrame({"n": ["Acme", "Acme"], "g": ["IT", "it"], "h": [1, 1]})
    assert pairs_of(match(left, right, on="n", by="g").matches()) == [(0, 0)]
    assert pairs_of(match(left, right, on="n", by="h").matches()) == [(0, 0)]
    # A veto compares normalised text.
    assert pairs_of(match(left[:1], right[1:], on="n", veto="g").matches()) == [(0, 0)]


@pytest.mark.parametrize(("here", "there"), [("US ", "US"), ("IT", " it"), ("x\t", "\nX")])
def test_outer_blanks_count_like_case(here: str, there: str) -> None:
    left = pd.DataFrame({"n": ["Acme", "Bolt"], "g": [here, "DE"]})
    right = pd.DataFrame({"n": ["Acme", "Bolt"], "g": [there, "DE"]})
    with pytest.warns(pj.PearljoinWarning, match="^1 of .* but for their case or outer blanks"):
        assert pairs_of(match(left, right, on="n", by="g").matches()) == [(1, 1)]


def test_case_in_several_by_columns() -> None:
    left = pd.DataFrame({"n": ["Acme", "Acme"], "g": ["it", "US"], "h": [1, 1]})
    right = pd.DataFrame({"n": ["Acme", "Acme"], "g": ["IT", "us"], "h": [1, 2]})
    message = r"^1 of the left table's values in by=\['g', 'h'\].*\('it', 1\) .*\('IT', 1\)"
    with pytest.warns(pj.PearljoinWarning, match=message):
        found = match(left, right, on="n", by=["g", "h"]).matches()
    assert pairs_of(found) == []


def test_null_groups_match_only_if_nulls_are_equal(make_frame: FrameMaker) -> None:
    left, right = make_frame(LEFT), make_frame(RIGHT)
    strict = match(left, right, on="name", by="land").matches()
    assert pairs_of(strict) == [(0, 2), (1, 0)]
    loose = match(left, right, on="name", by="land", nulls_equal=True).matches()
    assert pairs_of(loose) == [(0, 2), (1, 0), (3, 3)]


@pytest.mark.parametrize("constraint", ["m:1", "1:1", "m:m"])
def test_groups_of_any_size_agree_with_joins_of_each_group(constraint: str) -> None:
    names = [f"{word} {number}" for word in ("north", "south", "east") for number in range(40)]
    left = pd.DataFrame({"n": names[::2], "g": [len(name) % 3 for name in names[::2]]})
    right = pd.DataFrame({"n": [f"{name} st" for name in names], "g": [0, 1, 2, 1] * 30})
    together = match(left, right, on="n", by="g", constraint=constraint, threshold=0.5).matches()
    assert (left["g"].to_numpy()[together.left] == right["g"].to_numpy()[together.right]).all()
    assert len(together) > 20
    # Scores rest on the tables' own word frequencies, so only what is best is compared.
    everything = match(left, right, on="n", constraint="m:m", threshold=0.5).matches()
    same = left["g"].to_numpy()[everything.left] == right["g"].to_numpy()[everything.right]
    allowed = everything.take(same)
    wanted = {"m:1": allowed.best(), "1:1": allowed.one_to_one(), "m:m": allowed.ranked()}
    assert pairs_of(together) == pairs_of(wanted[constraint])
    assert together.score.tolist() == wanted[constraint].score.tolist()


# Types that differ ------------------------------------------------------------------------------


def test_whole_numbers_equal_floats_of_the_same_value(make_frame: FrameMaker) -> None:
    left = make_frame({"n": ["foo", "bar"], "g": [1, 2]})
    right = make_frame({"n": ["foo", "baz"], "g": [1.0, 2.5]})
    joined = join(left, right, on="n", by="g", how="full")
    assert rows_of(joined, "n", "g", "n_right") == [
        ("foo", 1, "foo"),
        ("bar", 2, None),
        (None, 2.5, "baz"),
    ]


NUMBERS, TEXT = [1011, 1012, None], ["1011", "1013", None]


@pytest.mark.parametrize("nulls_equal", [False, True])
@pytest.mark.parametrize("text_is_left", [False, True])
def test_whole_numbers_as_text_equal_numbers(
    make_frame: FrameMaker, text_is_left: bool, nulls_equal: bool
) -> None:
    columns = [NUMBERS, [1011.0, 1013.5, None]], [TEXT, ["1011", "-7", None]]
    for numbers, text in zip(*columns, strict=True):
        sides = (text, numbers) if text_is_left else (numbers, text)
        left, right = (make_frame({"n": ["foo", "bar", "baz"], "g": cells}) for cells in sides)
        options = {"on": "n", "nulls_equal": nulls_equal}
        found = match(left, right, by="g", **options).matches()
        assert pairs_of(found) == [(0, 0), (2, 2)] if nulls_equal else [(0, 0)]
        vetoed = match(left, right, veto="g", **options).matches()
        assert pairs_of(vetoed) == [(0, 0), (2, 2)]
        joined = join(left, right, by="g", how="full", **options)
        assert [str(cell)[:4] for cell in rows_of(joined, "g")][:2] == [
            str(cell)[:4] for cell in sides[0]
        ][:2]


DAY = dt.datetime(2024, 1, 1)
UNLIKE = {
    "numbers and text": ([1, 2], ["1", "x"], "numbers in 'g' on the left and text in 'g'"),
    "numbers and leading zeros": ([1, 2], ["1", "02"], "numbers in 'g' on the left and text in"),
    "numbers and decimals": ([1.5, 2.0], ["1.5", "2"], "numbers in 'g' on the left and text in"),
    "text and numbers": (["north", "x"], [1, 2], "text in 'g' on the left and numbers in 'g'"),
    "leading zeros and numbers": (["01", "02"], [1, 2], "text in 'g' on the left and numbers in"),
    "decimals and numbers": (["1.5", "2.0"], [1.5, 2.0], "text in 'g' on the left and numbers"),
    "spaces and numbers": ([" 1", " 2"], [1, 2], "text in 'g' on the left and numbers in"),
    "booleans and text": ([True, False], ["1", "0"], "booleans in 'g' on the left and text in"),
    "text and booleans": (["1", "0"], [True, False], "text in 'g' on the left and booleans in"),
    "dates and text": ([DAY], ["2024-01-01"], "dates in 'g' on the left and text in"),
    "text and dates": (["2024-01-01"], [DAY], "text in 'g' on the left and dates in"),
    "dates and numbers": ([DAY], [2024], "dates in 'g' on the left and numbers in"),
    "numbers and dates": ([2024], [DAY], "numbers in 'g' on the left and dates in"),
    "booleans and dates": ([True], [DAY], "booleans in 'g' on the left and dates in"),
}


@pytest.mark.parametrize("argument", ["by", "veto"])
@pytest.mark.parametrize("name", UNLIKE)
def test_a_left_column_of_an_unlike_kind_is_refused(
    make_frame: FrameMaker, name: str, argument: str
) -> None:
    one, two, message = UNLIKE[name]
    left, right = (make_frame({"n": ["foo"] * len(cells), "g": cells}) for cells in (one, two))
    with pytest.raises(pj.InputError, match=rf"columns of {argument}= hold .*equal. Got {message}"):
        match(left, right, on="n", **{argument: "g"})


READ = {
    # reference, left, right row that each left value equals
    "numbers": ([11, 7], ["11", "011", "7", "north", None, "7.0"], [0, None, 1, None, -1, None]),
    "decimals": ([1011.0, 7.5], ["1011", "7.5", "8"], [0, None, -1]),
    "booleans": ([True, False], [1, 0, 2], [0, 1, -1]),
    "dates": ([DAY, dt.datetime(2024, 1, 2)], [DAY, "2024-01-02", 2024], [0, None, None]),
    "text": (["x", "01011"], ["x", "01011", "1011"], [0, 1, -1]),
    "whole numbers as text": (["1011", "7"], [1011.0, "7", "07", 7.5, "x"], [0, 1, -1, -1, -1]),
}  # fmt: skip
"""None: not of the reference's kind; -1: null, or of the kind and in no right row."""


@pytest.mark.parametrize("nulls_equal", [False, True])
@pytest.mark.parametrize("name", READ)
def test_a_rows_match_does_not_depend_on_the_other_rows(name: str, nulls_equal: bool) -> None:
    cells, asked, rows = READ[name]
    right = pd.DataFrame({"n": ["foo"] * len(cells), "g": cells})
    left = pd.DataFrame({"n": ["foo"] * len(asked), "g": pd.Series(asked, dtype=object)})
    options = {"on": "n", "threshold": 0.4, "nulls_equal": nulls_equal, "encoder": TrigramEncoder()}
    by, veto = (pj.Matcher(**{a: "g"}, **options).fit(right) for a in ("by", "veto"))
    n_odd = rows.count(None)
    wanted = [(at, row) for at, row in enumerate(rows) if row not in (None, -1)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", pj.PearljoinWarning)
        assert pairs_of(by.match(left).matches()) == wanted
        vetoed = pairs_of(veto.match(left).matches())
    # A null conflicts with nothing; what is not of the reference's kind, with every value.
    nulls = [(at, 0) for at, cell in enumerate(asked) if cell is None]
    assert vetoed == sorted(wanted + nulls)
    said = [str(w.message) for w in caught if "cannot be read" in str(w.message)]
    if n_odd:
        odd = asked[rows.index(None)]
        assert said[0].startswith(f"{n_odd} of the left table's rows hold values in by='g' that")
        assert said[1].startswith(f"{n_odd} of the left table's rows hold values in veto='g' that")
        assert f"and match nothing. Got {odd!r}. Hint: convert" in said[0]
        assert f"and conflict with every value. Got {odd!r}. Hint: convert" in said[1]
    assert len(said) == 2 * bool(n_odd)
    for at, row in enumerate(rows):
        if row is not None and asked[at] is not None:
            alone = left[at : at + 1]
            assert pairs_of(by.match(alone).matches()) == ([(0, row)] if row >= 0 else [])


def test_a_row_of_a_by_column_of_an_unlike_kind_is_counted_once(make_frame: FrameMaker) -> None:
    left = make_frame({"n": ["Acme"] * 4, "g": ["1", "x", "x", None], "h": ["a", "a", None, "a"]})
    right = make_frame({"n": ["Acme"] * 2, "g": [1, 2], "h": ["a", "a"]})
    # A row with a null matches nothing anyway.
    with pytest.warns(pj.PearljoinWarning, match=r"^1 of the left table's rows .*by='g'.*Got 'x'"):
        found = match(left, right, on="n", by=["g", "h"]).matches()
    assert pairs_of(found) == [(0, 0)]


def test_the_reference_keeps_its_kinds_when_rows_are_added(tmp_path) -> None:
    right = pd.DataFrame({"n": ["foo", "foo"], "g": ["1011", "1012"]})
    matcher = pj.Matcher(on="n", by="g", threshold=0.4, encoder=TrigramEncoder()).fit(right)
    matcher.add(pd.DataFrame({"n": ["foo"], "g": ["north"]}))
    numbers, text = ([1012, 1011], ["north", "1012"])
    for read in (
        lambda: matcher,
        lambda: pj.Matcher.load(tmp_path / "m", encoder=TrigramEncoder()),
    ):
        matcher.save(tmp_path / "m")
        for cells, rows in ((numbers, [1, 0]), (text, [2, 1])):
            left = pd.DataFrame({"n": ["foo", "foo"], "g": cells})
            assert read().match(left).matches().right.tolist() == rows


def test_a_column_without_values_takes_the_kind_of_the_first_that_are_added() -> None:
    right = pd.DataFrame({"n": ["foo"], "g": [None]})
    matcher = pj.Matcher(on="n", by="g", threshold=0.4, encoder=TrigramEncoder()).fit(right)
    matcher.add(pd.DataFrame({"n": ["foo"], "g": [7]})).add(pd.DataFrame({"n": ["foo"], "g": [8]}))
    left = pd.DataFrame({"n": ["foo"] * 2, "g": ["8", "7"]})
    assert matcher.match(left).matches().right.tolist() == [2, 1]
    with pytest.raises(pj.InputError, match=r"Got text for 'g', which holds numbers"):
        matcher.add(pd.DataFrame({"n": ["foo"], "g": ["9"]}))


def test_the_kinds_of_a_folder_that_does_not_name_them_are_those_of_its_values(tmp_path) -> None:
    right = pd.DataFrame({"n": ["foo", "foo"], "g": [1, 2]})
    matcher = pj.Matcher(on="n", by="g", threshold=0.4, encoder=TrigramEncoder()).fit(right)
    matcher.save(tmp_path / "m")
    change_content(tmp_path / "m", lambda content: content.pop("exact_kinds"))
    loaded = pj.Matcher.load(tmp_path / "m", encoder=TrigramEncoder())
    left = pd.DataFrame({"n": ["foo"], "g": ["2"]})
    assert loaded.match(left).matches().right.tolist() == [1]


@pytest.mark.parametrize("kinds", [[["number"], []], [["numeral"], []], [[], []], [["text"]], 3])
def test_saved_kinds_that_are_not_understood_are_refused(tmp_path, kinds: object) -> None:
    right = pd.DataFrame({"n": ["foo", "foo"], "g": [1, 2]})
    matcher = pj.Matcher(on="n", by="g", encoder=TrigramEncoder()).fit(right)
    matcher.save(tmp_path / "m")
    change_content(tmp_path / "m", lambda content: content.update(exact_kinds=kinds))
    if kinds == [["number"], []]:
        assert pj.Matcher.load(tmp_path / "m", encoder=TrigramEncoder())
    else:
        with pytest.raises(pj.ModelError, match=r"saved matcher at .* is damaged"):
            pj.Matcher.load(tmp_path / "m", encoder=TrigramEncoder())


def change_content(folder: Path, change) -> None:
    """Change a saved matcher's content, and its check sum with it."""
    content, arrays, files = read_store(folder)
    change(content)
    write_store(folder, content, arrays, files)


@pytest.mark.parametrize(
    "cells", [[1, 2], ["x", "y"], [True, False], [dt.datetime(2024, 1, 1)] * 2]
)
@pytest.mark.parametrize("empty", [None, float("nan"), ""])
def test_a_column_without_values_goes_with_every_kind(cells: list, empty: object) -> None:
    left = pd.DataFrame({"n": ["foo", "bar"], "g": [empty, empty]})
    right = pd.DataFrame({"n": ["foo", "bar"], "g": cells})
    for one, two in ((left, right), (right, left)):
        assert pairs_of(match(one, two, on="n", by="g").matches()) == []
        assert pairs_of(match(one, two, on="n", veto="g").matches()) == [(0, 0), (1, 1)]


@pytest.mark.parametrize(("kept", "asked"), [([1011, 1012], "1011"), (["1011", "1012"], 1011)])
def test_a_single_later_row_is_read_as_many_are(kept: list, asked: object) -> None:
    right = pd.DataFrame({"n": ["foo", "foo"], "g": kept})
    encoder = TrigramEncoder()
    matcher = pj.Matcher(on="n", by="g", threshold=0.4, encoder=encoder).fit(right)
    encoder.asked.clear()
    for cell, rows in ((asked, [(0, 0)]), (None, []), (kept[0], [(0, 0)])):
        row = pd.DataFrame({"n": ["foo"], "g": [cell]})
        assert pairs_of(matcher.match(row).matches()) == rows
    assert encoder.asked == []
    if isinstance(asked, str):
        with pytest.raises(pj.InputError, match=r"Got text in 'g' on the left and numbers in 'g'"):
            matcher.match(pd.DataFrame({"n": ["foo"], "g": ["north"]}))


def test_text_is_not_added_to_a_by_column_of_numbers() -> None:
    right = pd.DataFrame({"n": ["foo"], "g": [1]})
    matcher = pj.Matcher(on="n", by="g", encoder=TrigramEncoder()).fit(right)
    with pytest.raises(pj.InputError, match=r"Got text for 'g', which holds numbers. Hint: give"):
        matcher.add(pd.DataFrame({"n": ["bar"], "g": ["x"]}))


def test_categories_of_two_vocabularies_merge_to_plain_values() -> None:
    left = pd.DataFrame({"n": ["foo"], "g": pd.Categorical(["u"])})
    right = pd.DataFrame({"n": ["bar"], "g": pd.Categorical(["v"])})
    assert join(left, right, on="n", by="g", how="full")["g"].tolist() == ["u", "v"]


def test_categories_of_one_vocabulary_stay_categories() -> None:
    left = pd.DataFrame({"n": ["foo"], "g": pd.Categorical(["u"], ["u", "v"])})
    right = pd.DataFrame({"n": ["bar"], "g": pd.Categorical(["v"], ["u", "v"])})
    joined = join(left, right, on="n", by="g", how="full")
    assert joined["g"].dtype == left["g"].dtype
    assert joined["g"].tolist() == ["u", "v"]


def test_a_polars_enum_stays_one() -> None:
    kind = pl.Enum(["u", "v"])
    left = pl.DataFrame({"n": ["foo"], "g": pl.Series(["u"], dtype=kind)})
    right = pl.DataFrame({"n": ["bar"], "g": pl.Series(["v"], dtype=kind)})
    joined = join(left, right, on="n", by="g", how="full")
    assert joined["g"].to_list() == ["u", "v"]
    assert joined["g"].dtype == kind


@pytest.mark.parametrize("argument", ["by", "veto"])
@pytest.mark.parametrize("values", [pd.to_datetime(["2020-01-01"]), [1.5], [True], [3], ["x"]])
def test_a_category_is_of_the_kind_of_its_values(argument: str, values) -> None:
    plain = pd.DataFrame({"n": ["x y"], "d": values})
    category = plain.assign(d=plain["d"].astype("category"))
    for left, right in ((category, plain), (plain, category), (category, category)):
        assert len(match(left, right, on="n", **{argument: "d"}).matches()) == 1


def test_rows_without_a_group_keep_values_that_are_compared_with_none() -> None:
    table = pd.DataFrame(
        {
            "n": ["Alpha Foods", "Beta Bank", "Gamma Media", "Delta Labs"],
            "c": ["Rome", "Paris", "Oslo", "Bern"],
            "g": [None, None, None, "x"],
        }
    )
    assert pairs_of(pj.match(table, table, on=["n", "c"], by="g").matches()) == [(3, 3)]


def test_a_veto_reads_character_references_as_keys_do() -> None:
    left = pd.DataFrame({"n": ["Alpha Foods"], "g": ["R&amp;D"]})
    right = pd.DataFrame({"n": ["Alpha Foods"], "g": ["R&D"]})
    assert pairs_of(match(left, right, on="n", veto="g").matches()) == [(0, 0)]
