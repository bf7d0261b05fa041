"""One column of texts: what both transformers of text read, and what both refuse."""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import pearljoin as pj
from pearljoin._records.missing_keys import NULL
from pearljoin._tables.text_column import read_text_column

DIM = 16
WORDS = {"monde": [1.0, 0.0], "zeit": [0.0, 1.0], "1984": [1.0, 1.0]}


def letters(phrases: list[str]) -> np.ndarray:
    vectors = np.zeros((len(phrases), DIM))
    for row, phrase in enumerate(phrases):
        for letter in phrase:
            vectors[row, ord(letter) % DIM] += 1
    return vectors


TRANSFORMERS: dict[str, Callable[[], Any]] = {
    "PhraseEncoder": lambda: pj.PhraseEncoder(letters),
    "WeightedWordEncoder": lambda: pj.WeightedWordEncoder(
        WORDS, weights=[1.0, 0.5], document_frequencies=({}, 4)
    ),
}


@pytest.fixture(params=TRANSFORMERS)
def make(request) -> Callable[[], Any]:
    return TRANSFORMERS[request.param]


CELLS = ["Le Monde", None, "Die Zeit", "", "  ", "Le Monde"]
COLUMNS = {
    "list": lambda: list(CELLS),
    "tuple": lambda: tuple(CELLS),
    "generator": lambda: (cell for cell in CELLS),
    "keys": lambda: dict(enumerate(CELLS)).values(),
    "array": lambda: np.array(CELLS, dtype=object),
    "array of one column": lambda: np.array(CELLS, dtype=object)[:, None],
    "pandas object": lambda: pd.Series(CELLS, dtype=object),
    "pandas str": lambda: pd.Series(CELLS, dtype="str"),
    "pandas nullable": lambda: pd.Series(CELLS, dtype="string"),
    "pandas arrow": lambda: pd.Series(CELLS, dtype=pd.ArrowDtype(pa.string())),
    "pandas categorical": lambda: pd.Series(CELLS, dtype="category"),
    "pandas index": lambda: pd.Index(CELLS),
    "pandas array": lambda: pd.array(CELLS, dtype="string"),
    "pandas frame": lambda: pd.DataFrame({"paper": CELLS}),
    "polars": lambda: pl.Series("paper", CELLS),
    "polars categorical": lambda: pl.Series("paper", CELLS, dtype=pl.Categorical),
    "polars frame": lambda: pl.DataFrame({"paper": CELLS}),
    "polars lazy frame": lambda: pl.LazyFrame({"paper": CELLS}),
    "arrow": lambda: pa.chunked_array([CELLS[:2], CELLS[2:]], type=pa.string()),
    "arrow array": lambda: pa.array(CELLS),
    "arrow table": lambda: pa.table({"paper": CELLS}),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_every_kind_of_column_gives_the_same_matrix(make, kind: str) -> None:
    monde, zeit = make().fit_transform(["Le Monde", "Die Zeit"])
    assert monde.any()
    zero = np.zeros_like(monde)
    found = make().fit_transform(COLUMNS[kind]())
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, [monde, zero, zeit, zero, zero, monde], atol=1e-6)
    again = make().fit(COLUMNS[kind]()).transform(COLUMNS[kind]())
    np.testing.assert_array_equal(again, found)


@pytest.mark.parametrize("one", [1984, 1984.0, np.int64(1984), np.float32(1984), Decimal(1984)])
def test_numbers_beside_text_are_read_as_text(make, one: Any) -> None:
    wanted = make().fit_transform(["1984", "Le Monde"])
    np.testing.assert_array_equal(make().fit_transform([one, "Le Monde"]), wanted)


@pytest.mark.parametrize("empty", [[], pd.Series([], dtype="str"), pl.DataFrame({"a": []})])
def test_no_rows_give_no_rows(make, empty: Any) -> None:
    fitted = make().fit(["Le Monde"])
    assert fitted.transform(empty).shape == (0, fitted.transform(["x"]).shape[1])


@pytest.mark.parametrize(
    "nulls",
    [
        [None, None],
        pd.Series([np.nan, np.nan]),
        [float("nan"), pd.NA],
        pd.Series([pd.NaT]),
        [np.datetime64("NaT"), Decimal("NaN")],
    ],
)
def test_a_column_of_nulls_gives_zeros(make, nulls: Any) -> None:
    found = make().fit(["Le Monde"]).transform(nulls)
    np.testing.assert_array_equal(found, np.zeros((len(nulls), found.shape[1])))


TEXT = r"Each text must be a string\. Got "
COLUMN = r"Texts must be a column"


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (pd.DataFrame({"a": ["x"], "b": ["y"]}), pj.InputError, "one column of text. Got 2: 'a', "),
        (pl.DataFrame({"a": ["x"], "b": ["y"]}), pj.InputError, "one column of text. Got 2: 'a', "),
        (pd.DataFrame([["x", "y"]], columns=["a", "a"]), pj.InputError, "several columns of one"),
        (pd.DataFrame({"a": []}).drop(columns="a"), pj.InputError, "no columns"),
        (np.array([["x", "y"]]), pj.InputError, r"one column of text. Got an array of shape \(1"),
        (np.array("x"), pj.InputError, r"one column of text. Got an array of shape \(\)"),
        (["x", b"y"], pj.InputError, rf"{TEXT}b'y' of type bytes"),
        (pl.Series([b"y"]), pj.InputError, rf"{TEXT}b'y' of type bytes"),
        (pl.Series("name", [b"y"]), pj.InputError, "of type bytes in column 'name'"),
        (["x", ["y"]], pj.InputError, rf"{TEXT}\['y'\] of type list"),
        ([["x"], ["y"]], pj.InputError, rf"{TEXT}\['x'\] of type list"),
        (["x", {"y": 1}], pj.InputError, rf"{TEXT}.* of type dict"),
        (["x", {"y"}], pj.InputError, rf"{TEXT}.* of type set"),
        (["x", np.array(["y", "z"])], pj.InputError, rf"{TEXT}array.* of type ndarray"),
        ({"x", "y"}, pj.InputError, r"must have an order, .* Got a set\. Hint: give a list, such"),
        (frozenset(), pj.InputError, r"must have an order, .* Got a frozenset\. Hint: give a list"),
        ("New York", pj.TableTypeError, rf"{COLUMN}, not a single string. Got builtins.str"),
        (b"New York", pj.TableTypeError, rf"{COLUMN}, not a single string. Got builtins.bytes"),
        ({"a": ["x"]}, pj.TableTypeError, rf"{COLUMN}, not a dict. Got builtins.dict"),
        (3, pj.TableTypeError, rf"{COLUMN}. Got builtins.int"),
        (1.5, pj.TableTypeError, rf"{COLUMN}. Got builtins.float"),
        (None, pj.TableTypeError, rf"{COLUMN}. Got builtins.NoneType"),
        (len, pj.TableTypeError, rf"{COLUMN}. Got builtins.builtin_function_or_method"),
    ],
)
def test_what_is_not_one_column_of_text_is_refused(make, data, error, message: str) -> None:
    fitted = make().fit(["x"])
    for call in (make().fit, make().fit_transform, fitted.transform):
        with pytest.raises(error, match=message):
            call(data)


def test_distinct_texts_and_codes() -> None:
    column = read_text_column(["b", None, 1.0, "", "b", "1", dt.date(2024, 1, 2), True])
    values, codes = column.distinct()
    assert values == ["b", "1", "2024-01-02", "True"]
    assert codes.tolist() == [0, NULL, 1, NULL, 0, 1, 2, 3]
    assert column.texts() == ["b", "", "1", "", "b", "1", "2024-01-02", "True"]


@pytest.mark.parametrize(
    ("data", "name", "framed", "kind"),
    [
        (["x"], None, False, "text"),
        ([None], None, False, None),
        ([1, 2], None, False, "number"),
        (pd.Series(["x"], name="a"), "a", False, "text"),
        (pl.Series(["x"]), None, False, "text"),
        (pd.DataFrame({3: ["x"]}), 3, True, "text"),
        (pl.LazyFrame({"a": [dt.date(2024, 1, 2)]}), "a", True, "date"),
    ],
)
def test_name_frame_and_kind(data, name, framed: bool, kind) -> None:
    column = read_text_column(data)
    assert (column.name, column.framed, column.kind) == (name, framed, kind)
