"""Whatever tables hold, a join works, or is refused as such before anything is encoded."""

import itertools
import re
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames import TrigramEncoder, rows_of
from odd_columns import COLUMNS, table_of
from repetitions import few, one_in

import pearljoin as pj

KINDS = ("pandas", "polars", "pyarrow")
HOWS = ("left", "inner", "right", "full", "semi", "anti")
CONSTRAINTS = ("many_to_one", "one_to_one", "many_to_many")
KEYS = ["red", "green"]

N_ROWS = {"left": 2, "inner": 1, "right": 2, "full": 3, "semi": 1, "anti": 1}
"""Rows of the result by `how`, where one row of each side of two matches."""


def in_turn(cases: Iterable[tuple[str, ...]]) -> list[Any]:
    """Each case behind each kind of table: one of them in turn, the others marked ``thorough``."""
    found: list[Any] = []
    for at, case in enumerate(cases):
        first = at % len(KINDS)
        found += few([(kind, *case) for kind in KINDS[first:] + KINDS[:first]], 1)
    return found


def n_rows(table: Any) -> int:
    return table.num_rows if isinstance(table, pa.Table) else len(table)


def check_refusal(error: Exception, encoder: TrigramEncoder | None = None) -> None:
    assert encoder is None or encoder.calls == 0, f"refused after encoding: {error}"
    assert re.search(r" (?:Got|is damaged):? .*Hint: ", str(error), re.DOTALL)


def works(left: Any, right: Any, **options: Any) -> Any:
    """The joined table, or None where it is refused; any other error is one of the test."""
    encoder = TrigramEncoder()
    try:
        return pj.fuzzy_join(left, right, encoder=encoder, threshold=0.5, **options)
    except pj.PearljoinError as error:
        check_refusal(error, encoder)
        return None


@pytest.mark.parametrize(("other", "kind", "name"), in_turn(COLUMNS))
def test_any_column_beside_the_key(kind: str, name: str, other: str) -> None:
    odd, plain = table_of(kind, KEYS, name), table_of(other, ["red", "blue"])
    for how in ("inner", "full", "anti"):
        for left, right in ((odd, plain), (plain, odd)):
            joined = works(left, right, on="key", how=how)
            assert joined is None or n_rows(joined) == N_ROWS[how]


@pytest.mark.parametrize(("other", "kind", "name"), in_turn(COLUMNS))
@pytest.mark.filterwarnings("ignore::pearljoin.PearljoinWarning")
def test_any_column_as_a_key(kind: str, name: str, other: str) -> None:
    odd, plain = table_of(kind, KEYS, name), table_of(other, ["red", "blue"])
    sides = [(odd, plain), (plain, odd), *([(odd, odd)] if other == kind else [])]
    for role, (left, right) in itertools.product(("on", "by", "veto"), sides):
        options = {"on": "odd"} if role == "on" else {"on": "key", role: "odd"}
        works(left, right, **options, how="full")


@pytest.mark.parametrize(("kind", "name"), COLUMNS)
@pytest.mark.filterwarnings("ignore::pearljoin.PearljoinWarning")
def test_any_column_in_what_a_result_gives(kind: str, name: str) -> None:
    odd = table_of(kind, KEYS, name)
    for on in ("key", "odd"):
        try:
            result = pj.match(odd, odd, on=on, encoder=TrigramEncoder(), threshold=0.5)
            result.pairs()
            result.unmatched()
            str(result.explain(0))
        except pj.PearljoinError as error:
            check_refusal(error)


@pytest.mark.parametrize(
    ("kind", "name", "on"),
    one_in([(*column, on) for column in COLUMNS for on in ("key", "odd")], 3),
)
@pytest.mark.filterwarnings("ignore::pearljoin.PearljoinWarning")
def test_any_column_in_a_matcher(kind: str, name: str, on: str) -> None:
    odd, encoder = table_of(kind, KEYS, name), TrigramEncoder()
    try:
        matcher = pj.Matcher(on=on, encoder=encoder, threshold=0.5).fit(odd)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            # The rows are there already.
            warnings.simplefilter("ignore", pj.DuplicateReferenceWarning)
            matcher.add(odd)
    except pj.PearljoinError as error:
        check_refusal(error)
    else:
        assert len(matcher.match(odd).matches()) <= 2
        assert n_rows(matcher.match(odd).unmatched("right")) >= 2


@pytest.mark.parametrize(("kind", "name"), one_in(COLUMNS, 3, first=2))
@pytest.mark.filterwarnings("ignore:Columns of the reference that cannot be saved")
def test_any_column_in_a_saved_matcher(kind: str, name: str, tmp_path) -> None:
    odd = table_of(kind, KEYS, name)
    try:
        pj.Matcher(on="key", threshold=0.5).fit(odd).save(tmp_path / "saved")
        result = pj.Matcher.load(tmp_path / "saved").match(odd)
        assert result.matches().right.tolist() == [0, 1]
        assert n_rows(result.join("full")) == 2
    except pj.PearljoinError as error:
        check_refusal(error)


INDICES = {
    "dates": pd.DatetimeIndex(["2024-01-01", "2024-01-02"], tz="Asia/Kathmandu"),
    "named": pd.Index(["u", "v"], name="key"),
    "of text": pd.Index(["u", "v"]),
    "repeated": pd.Index([1, 1]),
    "reversed": pd.RangeIndex(2, 0, -1),
    "floats with NaN": pd.Index([1.5, np.nan]),
    "categories": pd.CategoricalIndex(["u", "v"], name="odd"),
    "intervals": pd.interval_range(0, 2),
    "periods": pd.PeriodIndex(["2024-01", "2024-02"], freq="M"),
    "several levels": pd.MultiIndex.from_tuples([(1, "u"), (2, "v")], names=["key", None]),
    "objects": pd.Index([(1, 2), "u"], dtype=object, tupleize_cols=False),
}


@pytest.mark.parametrize(("index", "other"), one_in(itertools.product(INDICES, KINDS), 10, first=7))
def test_any_index_of_pandas(other: str, index: str) -> None:
    odd, plain = table_of("pandas", KEYS), table_of(other, ["red", "blue"])
    odd.index = INDICES[index]
    for how, constraint in itertools.product(HOWS, CONSTRAINTS):
        options = {"on": "key", "how": how, "constraint": constraint}
        for left, right in ((odd, plain), (plain, odd)):
            joined = pj.fuzzy_join(
                left, right, **options, encoder=TrigramEncoder(), threshold=0.5, score=None
            )
            assert type(joined) is type(left)
            assert n_rows(joined) == N_ROWS[how]
            if how == "inner":
                assert rows_of(joined)[0][:2] == ("red", "u")
            if isinstance(left, pd.DataFrame) and left is odd and how in ("left", "semi", "anti"):
                rows = {"left": [0, 1], "semi": [0], "anti": [1]}[how]
                pd.testing.assert_index_equal(joined.index, odd.index[rows])


@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_columns_that_are_no_text(kind: str) -> None:
    odd = pd.DataFrame({1: ["red", "green"], ("a", 2): [1, 2], None: [3, 4]})
    joined = works(table_of(kind, KEYS), odd, left_on="key", right_on=1, how="full")
    assert n_rows(joined) == 2


def test_a_panic_of_polars_is_an_error_of_ours() -> None:
    from pearljoin._tables.library_errors import library_errors

    class PanicException(BaseException):
        pass

    with (
        pytest.raises(pj.TableTypeError, match=r"^It cannot. Got: no such type. Hint: convert.$"),
        library_errors("It cannot", "convert"),
    ):
        raise PanicException("no such\n type")
    with pytest.raises(KeyboardInterrupt), library_errors("It cannot", "convert"):
        raise KeyboardInterrupt


def test_lists_of_whole_numbers_and_others_are_numbers_to_polars() -> None:
    result = pj.match(pl.Series("x", ["1", "2.5"]), [1, 2.5, None], encoder=TrigramEncoder())
    assert rows_of(result.pairs(), "right") == [1.0, 2.5]


def test_a_row_of_a_table_is_no_column() -> None:
    table = pd.DataFrame({"id": [1, 2], "name": ["Guys Hospital", "St Marys"]})
    matcher = pj.Matcher().fit(table["name"])
    for row in (table.iloc[1], {"id": 2, "name": "St Marys"}):
        assert matcher.match(row).matches().right.tolist() == [1]
    with pytest.raises(pj.TableTypeError, match=r"pandas\.DataFrame\(columns\) makes one"):
        matcher.match({"name": ["Guys Hospital"]})
    by_id = table.set_index("id")["name"]
    for column in (by_id.set_axis(["a", "b"]), by_id.rename(1).set_axis(["a", "b"]), by_id):
        assert len(matcher.match(column).matches()) == 2


def test_a_key_that_is_the_index() -> None:
    table = pd.DataFrame({"id": [1, 2], "name": ["Guys Hospital", "St Marys"]})
    with pytest.raises(pj.InputError, match=r"'name' is the index; \.reset_index\(\)"):
        pj.match(table.set_index("name"), table, on="name")
    with pytest.raises(pj.InputError, match=r"\.reset_index\(\) makes its index one"):
        pj.match(table[["name"]].set_index("name"), table, on="name")
