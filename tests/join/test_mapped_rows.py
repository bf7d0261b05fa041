"""Rows given as mappings of columns to values: one, a list of them, or a row of pandas."""

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from frames import FrameMaker, columns_of

import pearljoin as pj

FIRMS = [
    {"name": "Alpha Tools", "city": "Bristol", "founded": 1999},
    {"name": "Alpha Tools", "city": "Leeds", "founded": 2004},
    {"name": "Borealis Books", "city": "Oslo", "founded": 1987},
    {"name": "Cobalt Coffee", "city": "Bristol", "founded": None},
]
KEYS = ["name", "city", "founded"]
COLUMNS = {key: [firm[key] for firm in FIRMS] for key in KEYS}
ASKED = {"city": "leeds", "name": "alpha tools ltd", "founded": 2004}


def rights(result: pj.MatchResult) -> list[int]:
    return result.matches().right.tolist()


def test_a_mapping_is_a_row_and_a_list_of_them_a_table(make_frame: FrameMaker) -> None:
    matcher = pj.Matcher(on=KEYS).fit(make_frame(COLUMNS))
    table = matcher.match(make_frame({key: [value] for key, value in ASKED.items()}))
    one = matcher.match(ASKED)
    assert rights(one) == rights(table) == [1]
    assert one.matches().score.tolist() == table.matches().score.tolist()
    assert rights(matcher.match([FIRMS[2], ASKED])) == [2, 1]
    joined = one.join()
    assert columns_of(joined)["city"] == ["leeds"]
    assert isinstance(joined, type(make_frame({"x": ["x"]}))) or make_frame.kind == "polars-lazy"


def test_a_row_of_pandas_is_a_row() -> None:
    table = pd.DataFrame(FIRMS)
    matcher = pj.Matcher(on=KEYS).fit(table)
    assert rights(matcher.match(table.iloc[1])) == [1]
    other = pj.Matcher(left_on=["firm", "town"], right_on=["name", "city"]).fit(table)
    assert rights(other.match(pd.Series({"firm": "borealis books", "town": "Oslo"}))) == [2]
    # Without a name the key is guessed, of the reference and of the row.
    guessed = pj.Matcher().fit(["Alpha Tools", "Borealis Books"])
    assert rights(guessed.match({"title": "borealis book", "year": 3})) == [1]


def test_values_of_many_kinds() -> None:
    rows = [{**firm, "seen": dt.date(2024, 5, at + 1)} for at, firm in enumerate(FIRMS)]
    matcher = pj.Matcher(on=[*KEYS, "seen"]).fit(pd.DataFrame(rows))
    assert rights(matcher.match(rows)) == [0, 1, 2, 3]
    unknown = {**ASKED, "founded": None, "seen": None, "further": {"any": ["thing"]}}
    assert rights(matcher.match(unknown)) == [1]


def test_a_row_without_a_key_column_is_told() -> None:
    matcher = pj.Matcher(on=KEYS).fit(pd.DataFrame(FIRMS))
    for rows, at in (({"name": "x", "city": "y"}, 0), ([ASKED, {"name": "x", "city": "y"}], 1)):
        with pytest.raises(pj.InputError, match=f"Row {at} lacks the key column 'founded'. Got"):
            matcher.match(rows)
    with pytest.raises(pj.InputError, match="no column 'name', named in on="):
        matcher.match({"nme": "x"})
    with pytest.raises(pj.TableTypeError, match=r"pandas\.DataFrame\(columns\) makes"):
        matcher.match({key: [value] for key, value in ASKED.items()})
    for odd in ({}, [{}], [ASKED, None], Path("names.csv")):
        with pytest.raises(pj.TableTypeError, match="cannot be read as a table"):
            matcher.match(odd)
    with pytest.raises(pj.TableTypeError, match=r"pandas\.DataFrame\(columns\) makes"):
        pj.Matcher().fit(["Acme"]).match({"name": ["Acme"]})


def test_a_reference_gains_mapped_rows(make_frame: FrameMaker) -> None:
    matcher = pj.Matcher(on=KEYS).fit(make_frame(COLUMNS))
    row = {"name": "Delta Dairy", "city": "Bergen", "founded": 1950}
    assert rights(matcher.add(row).match([row, ASKED])) == [4, 1]
    assert rights(matcher.add([{**row, "city": "Cork"}]).match({**row, "city": "Cork"})) == [5]
    assert matcher.calibrate([row, ASKED]).calibration.n_left == 2
    with pytest.raises(pj.InputError, match="lacks the key column 'founded'"):
        matcher.add({"name": "x", "city": "y"})


def test_tuples_are_rows_of_the_key_columns(make_frame: FrameMaker) -> None:
    """As a cursor of a database gives them."""
    matcher = pj.Matcher(on=KEYS).fit(make_frame(COLUMNS))
    asked = tuple(ASKED[key] for key in KEYS)
    mapped, one = matcher.match([FIRMS[2], ASKED]), matcher.match([list(FIRMS[2].values()), asked])
    assert rights(one) == rights(mapped) == [2, 1]
    assert one.matches().score.tolist() == mapped.matches().score.tolist()
    row = ("Delta Dairy", "Bergen", 1950)
    assert rights(matcher.add([row]).match([row, asked])) == [4, 1]
    assert matcher.calibrate([row, asked]).calibration.n_left == 2
    assert rights(matcher.remove([row]).match([row, asked])) == [1]
    lone = pj.Matcher(on="name").fit(["Alpha Tools", "Borealis Books"])
    assert rights(lone.match([("borealis book",), ("alpha tool",)])) == [1, 0]


def test_named_tuples_are_named() -> None:
    matcher = pj.Matcher(on=KEYS).fit(pd.DataFrame(FIRMS))
    rows = pd.DataFrame([ASKED, FIRMS[2]])[["founded", "name", "city"]].itertuples()
    assert rights(matcher.match(list(rows))) == [1, 2]


def test_tuples_of_another_length_are_told() -> None:
    matcher = pj.Matcher(on=KEYS).fit(pd.DataFrame(FIRMS))
    for rows, at in (([("x", "y")], 0), ([tuple(KEYS), ("x", "y", 3, 4)], 1), ([()], 0)):
        with pytest.raises(pj.InputError, match=f"^Row {at} has not one value for each key column"):
            matcher.match(rows)
        with pytest.raises(pj.InputError, match=f"^Row {at} has not one .* Hint: give tuples of"):
            matcher.add(rows)
    with pytest.raises(pj.InputError, match=r"holds a value that cannot be compared. Got \('x'"):
        pj.Matcher(on="name").fit(["Acme"]).match([("x", "y")])


def test_mapped_rows_are_removed() -> None:
    matcher = pj.Matcher(on=KEYS).fit(pd.DataFrame(FIRMS))
    assert rights(matcher.remove(FIRMS[1]).match(FIRMS[2])) == [1]
    with pytest.raises(pj.InputError, match=r"Row 0 lacks the key column 'city'"):
        matcher.remove([{"name": "Alpha Tools"}])


def test_text_for_a_column_of_numbers_is_refused_before_anything_changes() -> None:
    table = pd.DataFrame({"name": ["St Mary", "St John", "All Saints"], "year": [1850, 1900, 1950]})
    matcher = pj.Matcher(on=["name", "year"]).fit(table)
    shown = repr(matcher)
    with pytest.raises(pj.InputError, match=r"Got text for 'year', which holds numbers\. Hint: "):
        matcher.add([("St Paul", 1700), ("St Anne", "about 1800")])
    assert repr(matcher) == shown
    assert rights(matcher.match([("St Paul", 1700), ("St John", 1900)])) == [1]


@pytest.mark.parametrize("one", [{"name": "Univ of Oxford", "n": 4}, [{"name": "Oxford Univ"}]])
def test_a_deduplicator_gains_mapped_rows(one: Any) -> None:
    names = ["University of Oxford", "MIT", "Harvard"]
    deduplicator = pj.Deduplicator(on="name").fit(pd.DataFrame({"name": names}))
    assert deduplicator.add(one).tolist() == [0]
    assert deduplicator.add([("M.I.T.",), ("Univ of Oxford",)]).tolist() == [1, 0]


def test_names_alone_are_for_one_key_column() -> None:
    matcher = pj.Matcher(on=KEYS).fit(pd.DataFrame(FIRMS))
    message = r"several key columns. Got a single column .*\['name', 'city', 'founded'\].*a dict"
    for names in (["alpha tools"], pd.Series(["alpha tools"], name="name")):
        with pytest.raises(pj.InputError, match=message):
            matcher.match(names)
    with pytest.raises(pj.InputError, match=r"several key columns. Got a single column"):
        pj.match(["alpha tools"], pd.DataFrame(FIRMS), on=KEYS)
    with pytest.raises(pj.InputError, match=r"several key columns. Got a single column"):
        pj.match(pd.DataFrame(FIRMS), ["alpha tools"], on=KEYS)


def test_a_column_with_labels_is_no_row() -> None:
    matcher = pj.Matcher(on="name").fit(["University of Oxford", "MIT"])
    column = pd.Series(["MIT", "Oxford University"], index=["name", "other"], name="name")
    assert rights(matcher.match(column)) == [1, 0]


@pytest.mark.parametrize(
    "options",
    [
        *({"on": "name"}, {"on": KEYS}, {"on": "founded"}, {"on": "name", "by": "city"}),
        {"on": "name", "veto": "founded"},
        {
            "left_on": ["n", "c"],
            "right_on": ["name", "city"],
            "left_by": "f",
            "right_by": "founded",
        },
        {"on": "name", "geo": ("lat", "lon")},
    ],
)
def test_an_empty_list_is_no_rows(make_frame: FrameMaker, options: dict[str, Any]) -> None:
    table = {**COLUMNS, "founded": [1, 2, 3, 4], "lat": [1.5, 2, 3, 4], "lon": [5.5, 6, 7, 8]}
    matcher = pj.Matcher(**options).fit(make_frame(table))
    for rows in ([], ()):
        assert rights(matcher.match(rows)) == []
        assert len(columns_of(matcher.match(rows).join())["match_score"]) == 0
    left = {"n": table["name"], "c": table["city"], "f": table["founded"], **table}
    assert len(rights(matcher.add([]).match(make_frame(left)))) == 4
    with pytest.raises(pj.InputError, match=r"calibration needs rows. Got none"):
        matcher.calibrate([])


def test_a_deduplicator_gains_nothing_of_an_empty_list(make_frame: FrameMaker) -> None:
    table = make_frame({**COLUMNS, "id": ["a", "b", "c", "d"]})
    for options in ({"on": KEYS, "ids": "id"}, {"on": "name", "by": "city"}):
        deduplicator = pj.Deduplicator(**options).fit(table)
        assert deduplicator.add([]).tolist() == []
        assert len(deduplicator.clusters()) == 4
    assert pj.Deduplicator().fit(["MIT", "Harvard"]).add([]).tolist() == []


def test_a_dict_of_lists_is_told_to_be_a_table() -> None:
    matcher = pj.Matcher(left_on="firm", right_on="name").fit(pd.DataFrame(FIRMS))
    message = r"A dict is one row .* Got a {} of 2 for 'firm'\. Hint: give several rows as"
    for several in (["x", "y"], ("x", "y"), np.array(["x", "y"]), pd.Series(["x", "y"])):
        with pytest.raises(pj.TableTypeError, match=message.format(type(several).__name__)):
            matcher.match({"firm": several, "n": 1})
    with pytest.raises(pj.TableTypeError, match="one row on the right side"):
        matcher.add({"name": ["x", "y"]})
    # What is not compared may be a list.
    assert rights(matcher.match({"firm": "borealis books", "tags": ["a", "b"]})) == [2]


def test_a_misspelt_column_of_a_row_is_told() -> None:
    table = pd.DataFrame(FIRMS)
    matcher = pj.Matcher(left_on="firm", right_on="name").fit(table)
    slip = (
        r"no column 'firm', named in left_on=.*Hint: 'frim' looks like a misspelling of 'firm'\.$"
    )
    for rows in ({"frim": "x"}, [{"frim": "x"}, {"frim": "y"}]):
        with pytest.raises(pj.InputError, match=slip):
            matcher.match(rows)
    with pytest.raises(pj.InputError, match=r"named in left_on=. Got columns 'z'\.$"):
        matcher.match({"z": "x"})
    with pytest.raises(pj.InputError, match="'nmae' looks like a misspelling of 'name'"):
        matcher.add({"nmae": "x"})
    with pytest.raises(pj.InputError, match="Hint: 'cty' looks like a misspelling of 'city'; give"):
        pj.Matcher(on=KEYS).fit(table).match({"name": "x", "cty": "y", "founded": 3})
    # A key that is guessed may be called otherwise.
    guessed = pj.Matcher().fit(table[["name"]])
    assert rights(guessed.match({"nam": "borealis books"})) == [2]


def test_values_of_another_kind_are_shown() -> None:
    matcher = pj.Matcher(on="name").fit(pd.DataFrame(FIRMS))
    with pytest.raises(pj.InputError, match=r"such as 5 and 'Alpha Tools'\. Hint: con"):
        matcher.match({"name": 5})
    assert rights(matcher.match([{"name": 5}, {"name": "borealis books"}])) == [2]
