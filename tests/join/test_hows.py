"""What each kind of join returns: rows, order, kind of table, index."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames import KINDS, FrameMaker, columns_of, join, rows_of
from oracle import text_scores

pytestmark = pytest.mark.every_kind

LEFT = {
    "name": ["Acme Corp", "Globex", None, "Initech Ltd", "ACME CORP"],
    "n": ["a", "b", "c", "d", "e"],
}
RIGHT = {
    "name": ["Initech", "Umbrella", "acme corp.", "Hooli"],
    "city": ["Austin", "Raccoon City", None, "Menlo Park"],
}
# "Initech Ltd" against "Initech"
INITECH = pytest.approx(text_scores([x for x in LEFT["name"] if x], RIGHT["name"])[2, 0], abs=2e-5)
ACME = ("Acme Corp", "a", "acme corp.", None, 1.0)
SHOUTED = ("ACME CORP", "e", "acme corp.", None, 1.0)
MATCHED = [ACME, ("Initech Ltd", "d", "Initech", "Austin", INITECH), SHOUTED]
GLOBEX = ("Globex", "b", None, None, None)
NULL = (None, "c", None, None, None)
LEFT_ROWS = [ACME, GLOBEX, NULL, MATCHED[1], SHOUTED]
RIGHT_ALONE = [
    (None, None, "Umbrella", "Raccoon City", None),
    (None, None, "Hooli", "Menlo Park", None),
]
COLUMNS = ["name", "n", "name_right", "city", "match_score"]
EXPECTED = {
    "left": LEFT_ROWS,
    "inner": MATCHED,
    "right": MATCHED + RIGHT_ALONE,
    "full": LEFT_ROWS + RIGHT_ALONE,
    "outer": LEFT_ROWS + RIGHT_ALONE,
}


@pytest.mark.parametrize("how", EXPECTED)
def test_rows_of_each_how(make_frame: FrameMaker, how: str) -> None:
    left, right = make_frame(LEFT), make_frame(RIGHT)
    joined = join(left, right, on="name", how=how)
    assert type(joined) is type(left)
    assert list(columns_of(joined)) == COLUMNS
    assert rows_of(joined) == EXPECTED[how]


@pytest.mark.parametrize(("how", "kept"), [("semi", [0, 3, 4]), ("anti", [1, 2])])
def test_semi_and_anti_keep_left_rows_and_columns(
    make_frame: FrameMaker, how: str, kept: list[int]
) -> None:
    left, right = make_frame(LEFT), make_frame(RIGHT)
    joined = join(left, right, on="name", how=how)
    assert type(joined) is type(left)
    rows = list(zip(*LEFT.values(), strict=True))
    assert list(columns_of(joined)) == ["name", "n"]
    assert rows_of(joined) == [rows[at] for at in kept]


@pytest.mark.parametrize("how", ["semi", "anti"])
def test_semi_names_a_left_row_once_however_many_it_matches(
    make_frame: FrameMaker, how: str
) -> None:
    left, right = make_frame({"x": ["red", "blue"]}), make_frame({"x": ["red", "Red", "red"]})
    kept = rows_of(join(left, right, on="x", how=how, constraint="m:m"), "x")
    assert kept == {"semi": ["red"], "anti": ["blue"]}[how]


@pytest.mark.parametrize("right_kind", KINDS)
def test_the_result_is_of_lefts_kind(make_frame: FrameMaker, right_kind: str) -> None:
    left, right = make_frame(LEFT), FrameMaker(right_kind)(RIGHT)
    joined = join(left, right, on="name", how="full")
    assert type(joined) is make_frame.type
    assert rows_of(joined) == EXPECTED["full"]


def test_inner_many_to_many_is_by_left_row_and_then_best_first(make_frame: FrameMaker) -> None:
    left = make_frame({"x": ["green apple", "red"]})
    right = make_frame({"y": ["green apples", "red", "Green Apple", "RED", "green apple"]})
    joined = join(left, right, left_on="x", right_on="y", how="inner", constraint="m:m")
    assert rows_of(joined, "x", "y") == [
        ("green apple", "green apple"),
        ("green apple", "Green Apple"),
        ("green apple", "green apples"),
        ("red", "red"),
        ("red", "RED"),
    ]


def test_a_score_is_null_rather_than_nan_where_nothing_matched() -> None:
    frame = pl.DataFrame({"x": ["a", None]})
    scores = join(frame, frame, on="x")["match_score"]
    assert scores.to_list() == [1.0, None]
    table = pa.table({"x": ["a", None]})
    assert join(table, table, on="x")["match_score"].to_pylist() == [1.0, None]


# The pandas index --------------------------------------------------------------------------

INDEX = pd.Index([7, 7, 3, 1, 7], name="id")


@pytest.mark.parametrize(
    ("how", "labels"),
    [
        ("left", [7, 7, 3, 1, 7]),
        ("inner", [7, 1, 7]),
        ("semi", [7, 1, 7]),
        ("anti", [7, 3]),
    ],
)
def test_a_pandas_index_survives_repeated_labels_included(how: str, labels: list[int]) -> None:
    left = pd.DataFrame(LEFT, index=INDEX)
    right = pd.DataFrame(RIGHT, index=[5, 5, 5, 5])
    joined = join(left, right, on="name", how=how)
    pd.testing.assert_index_equal(joined.index, pd.Index(labels, name="id"))


def test_a_pandas_multiindex_of_rows_survives() -> None:
    index = pd.MultiIndex.from_tuples([("u", 1), ("u", 1), ("v", 2)], names=["g", "i"])
    left = pd.DataFrame({"x": ["red", "blue", "red"]}, index=index)
    joined = join(left, pd.DataFrame({"x": ["red"]}), on="x", how="inner")
    pd.testing.assert_index_equal(joined.index, index[[0, 2]])


@pytest.mark.parametrize("how", ["right", "full"])
def test_right_and_full_joins_get_a_fresh_index(how: str) -> None:
    joined = join(pd.DataFrame(LEFT, index=INDEX), pd.DataFrame(RIGHT), on="name", how=how)
    pd.testing.assert_index_equal(joined.index, pd.RangeIndex(len(EXPECTED[how])))


@pytest.mark.parametrize("how", ["left", "inner", "right", "full", "semi", "anti"])
def test_inputs_are_left_as_they_were(how: str) -> None:
    left, right = pd.DataFrame(LEFT, index=INDEX), pd.DataFrame(RIGHT)
    before = left.copy(deep=True), right.copy(deep=True)
    join(left, right, on="name", how=how)
    pd.testing.assert_frame_equal(left, before[0])
    pd.testing.assert_frame_equal(right, before[1])


# Few rows ----------------------------------------------------------------------------------

EMPTY = {"name": [], "n": []}
ONE = {"name": ["Acme"], "city": ["Rome"]}


@pytest.mark.parametrize("constraint", ["m:1", "1:1", "m:m"])
@pytest.mark.parametrize(
    ("how", "rows"),
    [
        ("left", []),
        ("inner", []),
        ("right", [(None, None, "Acme", "Rome", None)]),
        ("full", [(None, None, "Acme", "Rome", None)]),
        ("semi", []),
        ("anti", []),
    ],
)
def test_an_empty_left_table(make_frame: FrameMaker, how: str, rows: list, constraint) -> None:
    joined = join(make_frame(EMPTY), make_frame(ONE), on="name", how=how, constraint=constraint)
    assert list(columns_of(joined)) == (["name", "n"] if how in ("semi", "anti") else COLUMNS)
    assert rows_of(joined) == rows


@pytest.mark.parametrize(
    ("how", "rows"),
    [
        ("left", [("Acme", "Rome", None, None, None)]),
        ("inner", []),
        ("right", []),
        ("full", [("Acme", "Rome", None, None, None)]),
        ("semi", []),
        ("anti", [("Acme", "Rome")]),
    ],
)
def test_an_empty_right_table(make_frame: FrameMaker, how: str, rows: list) -> None:
    joined = join(make_frame(ONE), make_frame(EMPTY), on="name", how=how)
    assert rows_of(joined) == rows
    wanted = ["name", "city"] if how in ("semi", "anti") else ["name", "city", "name_right", "n"]
    assert [name for name in columns_of(joined) if name != "match_score"] == wanted


@pytest.mark.parametrize("threshold", [0.5, "auto"])
def test_two_empty_tables(make_frame: FrameMaker, threshold) -> None:
    joined = join(make_frame(EMPTY), make_frame(EMPTY), on="name", threshold=threshold)
    assert columns_of(joined) == {
        "name": [],
        "n": [],
        "name_right": [],
        "n_right": [],
        "match_score": [],
    }


@pytest.mark.parametrize(("name", "score"), [("acme", 1.0), ("zzzz", None)])
def test_one_row_tables(make_frame: FrameMaker, name: str, score: float | None) -> None:
    joined = join(make_frame({"name": [name]}), make_frame(ONE), on="name", threshold="auto")
    assert rows_of(joined, "name", "match_score") == [(name, score)]
