"""Which columns are compared, and how each kind of value is."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames import FrameMaker, columns_of, join, match, pairs_of, rows_of
from oracle import text_scores

import pearljoin as pj

FIRMS = ["Acme Corp", "Globex"]
LEGAL = ["globex inc", "acme corporation"]
ALL = {"threshold": 0.0, "constraint": "m:m"}


# Finding the key columns ------------------------------------------------------------------


def test_the_one_shared_text_column_is_the_key(make_frame: FrameMaker) -> None:
    left = make_frame({"id": [1, 2], "name": FIRMS, "town": ["Rome", "Paris"]})
    right = make_frame({"name": LEGAL, "id": [1, 2], "note": ["p", "q"]})
    joined = join(left, right)
    assert rows_of(joined, "name", "name_right", "note") == [
        ("Acme Corp", "acme corporation", "q"),
        ("Globex", "globex inc", "p"),
    ]


def test_else_the_single_text_column_of_each(make_frame: FrameMaker) -> None:
    joined = join(make_frame({"firm": FIRMS, "n": [1, 2]}), make_frame({"legal": LEGAL}))
    assert rows_of(joined, "legal") == ["acme corporation", "globex inc"]


def test_columns_to_match_by_are_not_taken_for_the_key(make_frame: FrameMaker) -> None:
    left = make_frame({"firm": FIRMS, "land": ["IT", "US"]})
    right = make_frame({"legal": LEGAL, "land": ["US", "FR"]})
    assert rows_of(join(left, right, by="land"), "legal") == [None, "globex inc"]


def test_else_the_choices_are_listed(make_frame: FrameMaker) -> None:
    left = make_frame({"firm": FIRMS, "town": FIRMS, "n": [1, 2]})
    with pytest.raises(pj.InputError, match=r"'firm', 'town'\] on the left and \['legal'\]"):
        join(left, make_frame({"legal": LEGAL}))


def test_a_column_of_lists_is_not_taken_for_text() -> None:
    left = pl.DataFrame({"name": FIRMS, "tags": [["x"], ["y"]]})
    assert rows_of(join(left, pl.DataFrame({"legal": LEGAL})), "legal") == [LEGAL[1], LEGAL[0]]


def test_a_column_of_bytes_is_not_taken_for_text() -> None:
    left = pa.table({"name": FIRMS, "hash": [b"x", b"y"]})
    assert rows_of(join(left, pa.table({"legal": LEGAL})), "legal") == [LEGAL[1], LEGAL[0]]


def test_keys_by_different_names(make_frame: FrameMaker) -> None:
    left = make_frame({"firm": FIRMS, "town": ["p", "q"]})
    right = make_frame({"town": ["r", "s"], "legal": LEGAL})
    joined = join(left, right, left_on="firm", right_on="legal")
    assert columns_of(joined) == {
        "firm": FIRMS,
        "town": ["p", "q"],
        "town_right": ["s", "r"],
        "legal": ["acme corporation", "globex inc"],
        "match_score": pytest.approx(text_scores(FIRMS, LEGAL)[[0, 1], [1, 0]], abs=2e-5),
    }


def test_pandas_column_names_need_not_be_text() -> None:
    left, right = pd.DataFrame({0: FIRMS, 1: [5, 6]}), pd.DataFrame({0: LEGAL, 2: [7, 8]})
    joined = join(left, right, on=0)
    assert list(joined.columns) == [0, 1, "0_right", 2, "match_score"]
    assert joined[2].tolist() == [8, 7]


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        np.array,
        pd.Series,
        pd.Index,
        lambda x: pd.Series(x, name="firm", index=[3] * len(x)),
        lambda x: pl.Series("firm", x),
        pa.array,
        lambda x: pa.chunked_array([x[:1], x[1:]]),
    ],
)
def test_columns_and_sequences_are_matched_too(make) -> None:
    found = match(make([*FIRMS, None]), make(LEGAL)).matches()
    assert pairs_of(found) == [(0, 1), (1, 0)]
    np.testing.assert_allclose(found.score, text_scores(FIRMS, LEGAL)[[0, 1], [1, 0]], atol=2e-5)


def test_sequences_join_to_a_table_of_two_columns() -> None:
    joined = join(FIRMS, LEGAL)
    assert rows_of(joined, "left", "right") == list(zip(FIRMS, LEGAL[::-1], strict=True))


def test_a_sequence_is_looked_up_in_a_table(make_frame: FrameMaker) -> None:
    right = make_frame({"legal": LEGAL, "n": [1, 2]})
    joined = match(FIRMS, right, right_on="legal").join()
    assert rows_of(joined, "left", "legal", "n") == [
        ("Acme Corp", "acme corporation", 2),
        ("Globex", "globex inc", 1),
    ]


# How values compare ----------------------------------------------------------------------------


def closeness(own: float, other: float, reference: Sequence[float]) -> float:
    low, high = np.percentile(sorted(set(reference)), [10, 90])
    return float(np.exp(-abs(own - other) / (0.1 * (high - low))))


def test_numbers_compare_by_scaled_closeness(make_frame: FrameMaker) -> None:
    own, other = [10.0, 55.0, None], [11.0, 100.0, 10.0, 54.0]
    left, right = make_frame({"x": own}), make_frame({"x": other})
    joined = join(left, right, on="x", threshold=0.5)
    assert rows_of(joined, "x_right") == [10, 54, None]
    score = closeness(55, 54, other)
    assert rows_of(joined, "match_score") == [1, pytest.approx(score, abs=2e-5), None]


def test_dates_compare_by_scaled_closeness(make_frame: FrameMaker) -> None:
    days = [dt.datetime(2024, 1, 1), dt.datetime(2024, 6, 1, 12)]
    others = [dt.datetime(2024, 6, 2), dt.datetime(2020, 1, 1), dt.datetime(2024, 1, 1)]
    joined = join(make_frame({"d": days}), make_frame({"d": others}), on="d", threshold=0.5)
    seconds = [(day - dt.datetime(1970, 1, 1)).total_seconds() for day in [*days, *others]]
    score = closeness(seconds[1], seconds[2], seconds[2:])
    assert [str(cell)[:10] for cell in rows_of(joined, "d_right")] == ["2024-01-01", "2024-06-02"]
    assert rows_of(joined, "match_score") == [1, pytest.approx(score, abs=2e-5)]


def test_a_date_equals_the_same_day_as_a_timestamp() -> None:
    left = pl.DataFrame({"d": [dt.date(2024, 1, 1)]})
    right = pl.DataFrame({"d": [dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 2)]})
    assert rows_of(join(left, right, on="d", how="inner"), "match_score") == [1.0]


def test_columns_of_mixed_kinds_are_averaged_by_given_weights(make_frame: FrameMaker) -> None:
    names, others = ["North Lodge", "South Lodge"], ["north lodge hotel", "South Lodge"]
    left = make_frame({"name": names, "rooms": [10, 40], "bar": [True, False]})
    right = make_frame({"name": others, "rooms": [12, 100], "bar": [True, True]})
    result = match(left, right, on=["name", "rooms", "bar"], weights=[1, 1, 1], **ALL)
    near = np.array([[closeness(a, b, [12, 100]) for b in (12, 100)] for a in (10, 40)])
    same = np.array([[1, 1], [0, 0]])
    wanted = (np.minimum(text_scores(names, others), 1) + near + same) / 3
    found = result.matches()
    np.testing.assert_allclose(found.score, wanted[found.left, found.right], atol=2e-5)
    assert len(found) == 4


@pytest.mark.parametrize("weights", [{"rooms": 3, "name": 1}, [1, 3], (0.25, 0.75), np.ones(2)])
def test_weights_by_name_or_in_order(make_frame: FrameMaker, weights) -> None:
    names = ["north lodge", "south lodge"]
    left = make_frame({"name": names, "rooms": [10, 40]})
    right = make_frame({"name": names[::-1], "rooms": [10, 40]})
    found = match(left, right, on=["name", "rooms"], threshold=0.0, weights=weights).matches()
    share = 0.5 if isinstance(weights, np.ndarray) else 0.25
    text = text_scores(names, names[::-1])[0, 0]
    near = closeness(10, 40, [10, 40])
    numbers_win, names_win = share * text + 1 - share, share + (1 - share) * near
    assert pairs_of(found) == [(0, 0), (1, 1)]
    assert numbers_win > names_win
    np.testing.assert_allclose(found.score, [numbers_win] * 2, atol=2e-5)


def test_short_codes_beside_other_keys_compare_exactly(make_frame: FrameMaker) -> None:
    left = make_frame({"name": ["Rossi", "Rossi"], "code": ["A12", "B7"]})
    right = make_frame({"name": ["Rossi", "Rossi"], "code": ["A13", "B7"]})
    result = match(left, right, on=["name", "code"], weights=[1, 1], **ALL)
    found = result.matches()
    table = np.zeros((2, 2))
    table[found.left, found.right] = found.score
    np.testing.assert_allclose(table, [[0.5, 0.5], [0.5, 1]], atol=2e-5)


def test_a_short_code_alone_is_text(make_frame: FrameMaker) -> None:
    joined = join(make_frame({"x": ["IBM"]}), make_frame({"x": ["ibm", "SAP"]}), on="x")
    assert rows_of(joined, "x_right", "match_score") == [("ibm", 1.0)]


def test_numbers_against_text_compare_as_text(make_frame: FrameMaker) -> None:
    left, right = make_frame({"x": [1984, 2001]}), make_frame({"x": ["2001", "1984", "1985"]})
    joined = join(left, right, on="x", threshold=1.0)
    assert rows_of(joined, "x_right") == ["1984", "2001"]


DAYS = [dt.datetime(2024, 1, 1), dt.datetime(2024, 2, 29, 12, 30), dt.datetime(2024, 3, 1)]
WRITTEN = {
    # text, other column, row of the other column that each text equals
    "whole numbers": (["12", "12.0", " 13.00 ", "012", "x"], [12, 13], [0, 0, 1, None, None]),
    "decimals": (["1.50", "-0.5", "-0", "2e3"], [1.5, -0.5, 0.0, 2000.0], [0, 1, 2, None]),
    "decimals of the decimal type": (["1.5", "2"], [Decimal("1.50"), Decimal("2.00")], [0, 1]),
    "days": (["2024-01-01", "2024-03-01 00:00", "20240101", "1 May"], DAYS, [0, 2, 0, None]),
    "times": (["2024-02-29 12:30", "2024-02-29T12:30:00"], DAYS, [1, 1]),
    "booleans": (["true", "False", "yes", "2"], [True, False], [0, 1, 0, None]),
}


@pytest.mark.parametrize("text_is_left", [True, False])
@pytest.mark.parametrize("name", WRITTEN)
def test_numbers_and_dates_as_text_equal_numbers_and_dates(
    make_frame: FrameMaker, name: str, text_is_left: bool
) -> None:
    texts, others, rows = WRITTEN[name]
    text, other = make_frame({"x": texts}), make_frame({"x": others})
    wanted = [(at, row) for at, row in enumerate(rows) if row is not None]
    if text_is_left:
        found = match(text, other, on="x", threshold=1.0, constraint="m:m").matches()
    else:
        found = match(other, text, on="x", threshold=1.0, constraint="m:m").matches()
        wanted = sorted((row, at) for at, row in wanted)
    assert pairs_of(found) == wanted


KEYS_UNLIKE = {
    "text and numbers": (["Acme", "Globex"], [1, 2], "text in 'x' .* and numbers in 'y'"),
    "text and dates": (["Acme", None], DAYS, "text in 'x' on the left and dates in 'y'"),
    "text and booleans": (["ja", "nein", "2"], [True, False], "text in 'x' .* and booleans in 'y'"),
    "numbers and dates": ([24], DAYS, "numbers in 'x' on the left and dates in 'y'"),
    "booleans and dates": ([True], DAYS, "booleans in 'x' on the left and dates in 'y'"),
}


@pytest.mark.parametrize("others", [False, True])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("name", KEYS_UNLIKE)
def test_key_columns_with_nothing_to_compare_are_refused(
    make_frame: FrameMaker, name: str, swapped: bool, others: bool
) -> None:
    one, two, message = KEYS_UNLIKE[name]
    if swapped:
        one, two = two, one
        message = " and ".join(reversed(name.split(" and "))).replace(" and ", " in 'x' .* and ")
    left, right = make_frame({"x": one, "n": ["a"] * len(one)}), make_frame({"y": two})
    keys = {"left_on": "x", "right_on": "y"}
    if others:
        right = make_frame({"y": two, "n": ["a"] * len(two)})
        keys = {"left_on": ["n", "x"], "right_on": ["n", "y"]}
    with pytest.raises(pj.InputError, match=rf"key columns .*cannot be compared. Got {message}"):
        match(left, right, **keys)


@pytest.mark.parametrize("cells", [[1, 2], DAYS, [True, False]])
def test_a_key_column_without_values_goes_with_every_kind(cells: list) -> None:
    left, right = (
        pd.DataFrame({"x": pd.Series([None] * len(cells), dtype=object), "n": "red"}),
        pd.DataFrame({"x": cells, "n": "red"}),
    )
    for one, two in ((left, right), (right, left)):
        assert pairs_of(match(one, two, on="x").matches()) == []
        assert pairs_of(match(one, two, on=["n", "x"], threshold=0.1).matches())[0] == (0, 0)


def test_a_category_compares_as_its_values_do(make_frame: FrameMaker) -> None:
    own, other = [10.0, 55.0, 90.0], [11.0, 100.0, 10.0, 54.0]
    left = pd.DataFrame({"x": pd.Categorical(own)})
    joined = join(left, make_frame({"x": other}), on="x", threshold=0.5)
    assert joined["x_right"].tolist()[:2] == [10, 54]
    score = closeness(55, 54, other)
    assert joined["match_score"].tolist()[:2] == [1, pytest.approx(score, abs=2e-5)]


def test_mixed_objects_compare_as_text() -> None:
    left = pd.DataFrame({"x": ["5", 5, 5.5, None, pd.NA, float("nan"), "Emma"]}, dtype=object)
    joined = join(left, pd.DataFrame({"x": ["emma", "5", "5.5"]}), on="x", threshold=1.0)
    assert rows_of(joined, "x_right") == ["5", "5", "5.5", None, None, None, "emma"]


# Beyond forty reference rows, where neighbours are searched rather than all pairs scored ----------

N = 90
NAMES = [f"{word} {number}" for word in ("north", "south", "east") for number in range(30)]


def test_text_alone_is_written_as_it_stands() -> None:
    text, codes = pd.DataFrame({"x": ["No", "12.50"]}), pd.DataFrame({"x": ["false", "12.5"]})
    assert pairs_of(match(text, codes, on="x", threshold=1.0).matches()) == []


def test_a_weight_of_zero_leaves_the_text_out() -> None:
    left = pd.DataFrame({"name": ["north 7", "south 9"], "n": [80.0, 3.0]})
    right = pd.DataFrame({"name": NAMES, "n": np.arange(N, dtype=float)})
    joined = join(left, right, on=["name", "n"], weights=[0, 1], how="inner")
    assert joined["n_right"].tolist() == [80, 3]


@pytest.mark.parametrize("year", range(1940, 2000, 7))
def test_a_number_decides_between_many_rows_of_one_name(year: int) -> None:
    left = pd.DataFrame({"name": ["Annual Reprt"], "year": [year]})
    right = pd.DataFrame({"name": ["Annual Report"] * 60, "year": range(1940, 2000)})
    joined = join(left, right, on=["name", "year"], how="inner")
    assert joined["year_right"].tolist() == [year]


@pytest.mark.parametrize("code", ["K5", "K30", "K55"])
def test_a_code_decides_between_many_rows_of_one_name(code: str) -> None:
    left = pd.DataFrame({"name": ["Annual Reprt"], "code": [code]})
    right = pd.DataFrame(
        {"name": ["Annual Report"] * 60, "code": [f"K{number}" for number in range(60)]}
    )
    joined = join(left, right, on=["name", "code"], how="inner")
    assert joined["code_right"].tolist() == [code]


@pytest.mark.parametrize(("keys", "loss"), [(["n"], 0), (["n", "m"], 0.05)])
def test_numbers_alone_find_their_nearest(keys: list[str], loss: float) -> None:
    rng = np.random.default_rng(0)
    own = pd.DataFrame(rng.normal(size=(40, 2)).round(3), columns=["n", "m"])
    other = pd.DataFrame(rng.normal(size=(N, 2)).round(3), columns=["n", "m"])
    found = match(own, other, on=keys, threshold=0.0, weights=np.ones(len(keys))).matches()
    scores = np.mean(
        [[[closeness(a, b, other[k]) for b in other[k]] for a in own[k]] for k in keys],
        axis=0,
    )
    np.testing.assert_allclose(scores[found.left, found.right], found.score, atol=3e-5)
    # Several columns are searched by the sum of distances, which may rank a little otherwise.
    assert (found.score >= scores.max(axis=1) - loss - 3e-5).all()


def test_booleans_and_codes_alone_are_exact() -> None:
    left = pd.DataFrame({"code": ["A1", "B2", "C3"], "flag": [True, False, True]})
    right = pd.DataFrame(
        {"code": [f"A{n}" for n in range(60)], "flag": [n > 30 for n in range(60)]}
    )
    found = match(left, right, on=["code", "flag"], weights=[1, 1], threshold=0.0).matches()
    # A1 is there with the other flag; B2 and C3 share a flag with some row, the first of them wins.
    assert pairs_of(found) == [(0, 1), (1, 0), (2, 31)]
    np.testing.assert_allclose(found.score, [0.5, 0.5, 0.5], atol=2e-5)


@pytest.mark.parametrize("given", [pd.Series(["Rome"]), {"name": "city"}, np.array(["name"])])
def test_a_key_is_a_name(given: object) -> None:
    left = pd.DataFrame({"name": ["Rome"]})
    got = rf"on= must be a column's name .* Got a {type(given).__name__}"
    with pytest.raises(pj.InputError, match=got):
        pj.fuzzy_join(left, left, on=given)
