"""Wrong calls are told what is wrong; odd but lawful values get through."""

import datetime as dt
import re
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames import FrameMaker, columns_of, join, match, pairs_of, rows_of

import pearljoin as pj

LEFT = {"company": ["Acme", "Globex"], "country": ["IT", "US"]}
RIGHT = {"legal_name": ["acme", "globex"], "country": ["IT", "US"]}
KEYS = {"left_on": "company", "right_on": "legal_name"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"on": "compani"}, r"left table has no column 'compani', named in on=.*mean 'company'"),
        (
            {"left_on": "company", "right_on": "legal name"},
            r"right table has no column 'legal name', named in right_on=. Got columns 'legal_name'"
            r", 'country'. Hint: did you mean 'legal_name'",
        ),
        ({"on": "xyz"}, r"has no column 'xyz', named in on=. Got columns 'company', 'country'.$"),
        ({"on": ["company", ["x"]]}, r"on= must be a column's name or a list of names. Got a list"),
        ({"on": "company", "left_on": "company"}, r"Both on= and left_on= are given"),
        ({"on": "country", "right_on": "legal_name"}, r"Both on= and right_on= are given"),
        ({**KEYS, "by": "country", "left_by": "country"}, r"Both by= and left_by= are given"),
        ({"left_on": "company"}, r"named on one side only: right_on is missing"),
        ({"right_on": "legal_name"}, r"named on one side only: left_on is missing"),
        (
            {"left_on": ["company", "country"], "right_on": "legal_name"},
            r"equally many columns. Got 2 .* and 1",
        ),
        (
            {**KEYS, "left_by": "country"},
            r"^left_by= is given without right_by=. Got left_by='country'. Hint: give right_by= "
            r"too, or by= for a name that both tables have.$",
        ),
        ({**KEYS, "right_by": ["country"]}, r"^right_by= is given without left_by=. Got right_by"),
        (
            {"on": "legal_name"},
            r"left table has no column 'legal_name', named in on=. Got columns 'company', "
            r"'country'. Hint: the right table has it: name each table's own column, "
            r"right_on='legal_name' and left_on=.$",
        ),
        (
            {"left_on": "legal_name", "right_on": "company"},
            r"no column 'legal_name', named in left_on=. Got columns 'company', 'country'. "
            r"Hint: the right table has it: did you mean right_on='legal_name'\?$",
        ),
        ({"left_on": [], "right_on": "legal_name"}, r"left_on= is empty"),
        ({"on": ["country", "country"]}, r"on= names a column twice"),
        ({**KEYS, "by": "land"}, r"no column 'land', named in by="),
        ({**KEYS, "veto": {"country"}}, r"veto= must be a column's name or a list of names. Got"),
        ({**KEYS, "veto": [["country"]]}, r"veto= must be a column's name or a list of names"),
        ({**KEYS, "device": np.array(["cpu", "cuda"])}, r"device= is not understood"),
        ({**KEYS, "how": "leftish"}, r"how= is not understood. Got 'leftish'. Hint: one of 'left'"),
        (
            {**KEYS, "how": "outter"},
            r"Hint: one of 'left', 'inner', 'right', 'full', 'outer', 'semi', 'anti'; did you mean "
            r"'outer'\?$",
        ),
        ({**KEYS, "how": None}, r"how= is not understood. Got None"),
        ({**KEYS, "constraint": "n:1"}, r"constraint= is not understood. Got 'n:1'"),
        ({**KEYS, "threshold": 1.5}, r"threshold must be a number from 0 to 1. Got 1.5"),
        ({**KEYS, "threshold": -0.1}, r"threshold must be a number from 0 to 1. Got -0.1"),
        ({**KEYS, "threshold": float("nan")}, r"threshold must be a number from 0 to 1. Got nan"),
        ({**KEYS, "threshold": True}, r"threshold must be a number from 0 to 1. Got True"),
        ({**KEYS, "threshold": None}, r"threshold must be a number from 0 to 1. Got None"),
        ({**KEYS, "threshold": "high"}, r"threshold is not understood. Got 'high'.* Hint: give"),
        ({**KEYS, "threshold": "atuo"}, r"Got 'atuo'. Hint: did you mean 'auto'\? Or give"),
        ({**KEYS, "threshold": "auto", "precision": 90}, r"precision must be a number .* Got 90"),
        ({**KEYS, "threshold": 0.5, "precision": -1}, r"precision must be a number .* Got -1"),
        ({**KEYS, "constraint": "m:m", "k": 0}, r"k must be a whole number above 0"),
        ({**KEYS, "constraint": "m:m", "k": 1.5}, r"k must be a whole number above 0"),
        (
            {**KEYS, "constraint": "m:m", "k": 10**30},
            r"k is too large. Got 1000.* Hint: None means",
        ),
        ({**KEYS, "constraint": "m:m", "k": 2**63}, r"k is too large. Got 9223372036854775808"),
        ({**KEYS, "weights": [10**400]}, r"weights= must be numbers. Got"),
        ({**KEYS, "k": 3}, r"k limits the matches .* Got k=3"),
        ({**KEYS, "weights": [1, 2]}, r"one number a key column. Got 2 for \['company'\]"),
        ({**KEYS, "weights": [-1]}, r"weights= must be 0 or more, finite"),
        ({**KEYS, "weights": [0]}, r"weights= must be 0 or more, finite, and not all 0"),
        ({**KEYS, "weights": [float("nan")]}, r"weights= must be 0 or more, finite"),
        ({**KEYS, "weights": "a"}, r"weights= must be numbers. Got 'a'"),
        ({**KEYS, "weights": {"legal": 1}}, r"names columns that are no keys. Got \['legal'\]"),
        ({**KEYS, "weights": {"compny": 1}}, r"Hint: did you mean 'company'\? The keys are"),
        ({**KEYS, "device": "tpu"}, r"device= is not understood. Got 'tpu'"),
        ({**KEYS, "device": "cudda"}, r"device= is not understood.*; did you mean 'cuda'\?$"),
        ({**KEYS, "batch_size": 0}, r"batch_size must be a whole number above 0. Got 0"),
        ({**KEYS, "batch_size": 2.5}, r"batch_size must be a whole number above 0. Got 2.5"),
        ({**KEYS, "encoder": "no-such-model"}, r"no encoder called 'no-such-model'"),
        ({**KEYS, "encoder": "pearl-mni"}, r"Hint: did you mean 'pearl-mini'\?$"),
        ({**KEYS, "encoder": 3}, r"encoder must be a name"),
    ],
)
def test_a_wrong_argument_is_told(options: dict, message: str) -> None:
    with pytest.raises(pj.InputError, match=message):
        join(pd.DataFrame(LEFT), pd.DataFrame(RIGHT), **options)


@pytest.mark.parametrize("argument", ["on", "by", "veto"])
@pytest.mark.parametrize("column", [pl.col("n"), pl.Series(["a"]), pd.Series(["a"])])
def test_a_column_in_the_place_of_its_name_is_told(argument: str, column: object) -> None:
    table = pl.DataFrame({"n": ["a", "b"], "c": ["x", "y"]})
    message = rf"{argument}= must be a column's name .* Hint: {argument}='name', not the column"
    with pytest.raises(pj.InputError, match=message):
        pj.fuzzy_join(table, table, **{"on": "c", argument: column})
    with pytest.raises(pj.InputError, match=message):
        pj.deduplicate(table, **{"on": "c", argument: [column]})


@pytest.mark.parametrize(
    "options", [{"kinds": {"painter": "person"}}, {"weights": {"painter": 2}}, {"veto": "painter"}]
)
def test_the_left_partner_of_a_right_name_is_told(options: dict) -> None:
    left = pd.DataFrame({"title": ["Guernica"], "artist": ["Picasso"]})
    right = left.rename(columns={"title": "work", "artist": "painter"})
    columns = {"left_on": ["title", "artist"], "right_on": ["work", "painter"]}
    with pytest.raises(pj.InputError, match=r"mean 'artist', the partner of 'painter'\?"):
        pj.match(left, right, **columns, **options)


def test_weights_that_are_left_out_count_one() -> None:
    table = pd.DataFrame({"name": ["red apple", "pear"], "place": ["Paris", "Rome"]})
    other = table.assign(place=["Pariss", "Romme"], name=["red apples", "pears"])
    by_name, listed = (
        pj.match(table, other, on=["name", "place"], weights=weights, threshold=0.0)
        for weights in ({"name": 3}, [3, 1])
    )
    assert by_name.matches().score.tolist() == listed.matches().score.tolist()


def test_a_column_of_lists_is_told_how_to_write_one(make_frame: FrameMaker) -> None:
    table = make_frame({"n": ["a", "b"], "names": [["Ann", "Bob"], ["Cid"]]})
    with pytest.raises(pj.InputError, match=r"'names' .* write a list as text, '; '\.join\(cell\)"):
        pj.match(table, table, on=["n", "names"])


def test_the_nearest_column_is_named_by_words_and_not_by_letters_alone() -> None:
    left = pd.DataFrame({"city": ["Rome"], "country": ["IT"], 3: ["x"]})
    with pytest.raises(pj.InputError, match=r"Hint: did you mean 'country'\?$"):
        join(left, left, on="contry")
    with pytest.raises(pj.InputError, match=r"Hint: did you mean 3\?$"):
        join(left, left, on="3")
    right = pd.DataFrame({"entry": ["1"], "Official-Company name": ["Acme"]})
    wanted = r"left_on='name' and right_on='Official-Company name'\.$"
    with pytest.raises(pj.InputError, match=wanted):
        join(pd.DataFrame({"name": ["Acme"]}), right, on="name")


def test_by_of_one_side_is_refused_before_the_reference_is_encoded() -> None:
    with pytest.raises(pj.InputError, match=r"left_by= is given without right_by="):
        pj.Matcher(left_by="country", encoder="no-such-model").fit(pd.DataFrame(RIGHT))


def test_an_error_is_a_value_error_and_a_pearljoin_error() -> None:
    with pytest.raises(ValueError, match=r"threshold must be"):
        join(["a"], ["a"], threshold=2)
    with pytest.raises(pj.PearljoinError, match=r"threshold must be"):
        join(["a"], ["a"], threshold=2)


@pytest.mark.parametrize(
    "bad",
    [
        b"Acme",
        3,
        None,
        {"name": ["Acme"]},
        {"Acme"},
        iter(["Acme"]),
        np.array([["Acme"]]),
        pa.record_batch({"name": ["Acme"]}),
        object(),
    ],
)
@pytest.mark.parametrize("side", ["left", "right"])
def test_what_is_no_table_is_refused(bad, side: str) -> None:
    given = (bad, ["Acme"]) if side == "left" else (["Acme"], bad)
    with pytest.raises(
        pj.TableTypeError, match=rf"The {side} side .*Got .*Hint: give a pandas Dat"
    ):
        match(*given)


@pytest.mark.parametrize(
    ("name", "reader"),
    [("cities.csv", "csv"), ("data/a.PARQUET", "parquet"), ("b.xlsx", "excel")],
)
def test_the_name_of_a_file_is_to_be_read(name: str, reader: str) -> None:
    message = re.escape(f"Hint: read the file into a table first: pandas.read_{reader}({name!r}).")
    cities = pd.DataFrame({"name": ["Bonn"]})
    for call in (
        lambda: pj.fuzzy_join(name, "b.csv", on="name"),
        lambda: pj.deduplicate(name),
        lambda: pj.FuzzyJoiner(name, on="name").fit(cities),
    ):
        with pytest.raises(pj.TableTypeError, match=message):
            call()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_list_of_tables_is_to_be_put_together(frame) -> None:
    table = frame({"name": ["Bonn"]})
    message = r"The {} side is a list of tables. Got 2. Hint: put them .* polars.concat"
    with pytest.raises(pj.TableTypeError, match=message.format("right")):
        pj.fuzzy_join(table, [table, table], on="name")
    with pytest.raises(pj.TableTypeError, match=message.format("left")):
        pj.match([table, table], table)
    with pytest.raises(pj.TableTypeError, match=message.format("right")):
        pj.Matcher(on="name").fit([table, table])


def test_a_single_text_is_to_be_put_in_a_list() -> None:
    hint = r"Got builtins.str 'IBM'. Hint: put a single text in a list, \['IBM'\]"
    with pytest.raises(pj.TableTypeError, match=rf"The left side .* {hint}"):
        match("IBM", ["IBM"])
    with pytest.raises(pj.TableTypeError, match=rf"The right side .* {hint}"):
        pj.Matcher().fit("IBM")


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ({"name": ["Acme"]}, r"; pandas\.DataFrame\(columns\) makes"),
        ([{"name": "Acme"}], r"builtins\.list\. .*; pandas\.DataFrame\(rows\)"),
        (np.array([("Acme", 1)], dtype=[("name", "U9"), ("n", int)]), r"pandas\.DataFrame\(rows\)"),
        (Path("names.csv"), r"; pandas\.read_csv\(path\)"),
        (pa.RecordBatch.from_pydict({"name": ["Acme"]}), r"Table\.from_batches\(\[batch\]\)"),
    ],
    ids=["dict", "list of dicts", "structured array", "path", "record batch"],
)
@pytest.mark.parametrize(
    "call",
    [
        lambda table: pj.fuzzy_join(table, ["Acme"]),
        lambda table: pj.match(["Acme"], table),
        pj.deduplicate,
        pj.find_duplicates,
        lambda table: pj.Matcher().fit(table),
    ],
    ids=["fuzzy_join", "match", "deduplicate", "find_duplicates", "fit"],
)
def test_what_is_no_table_says_how_to_make_one(call, given, hint: str) -> None:
    with pytest.raises(pj.TableTypeError, match=hint):
        call(given)


@pytest.mark.filterwarnings("ignore")
def test_pandas_columns_of_string_views_are_joined() -> None:
    view = pd.ArrowDtype(pa.string_view())
    left = pd.DataFrame({"name": pd.Series(["Acme Ltd", None], dtype=view), "n": [1, 2]})
    right = pd.DataFrame({"name": pd.Series(["Globex", "ACME"], dtype=view)})
    for how, names in (("left", ["Acme Ltd", None]), ("inner", ["Acme Ltd"])):
        joined = pj.fuzzy_join(left, right, on="name", how=how, threshold=0.1)
        assert joined["name"].dtype == view
        assert [None if one is pd.NA else one for one in joined["name"].tolist()] == names
    assert pj.deduplicate(right, on="name")["name"].dtype == view
    pairs = pj.find_duplicates(right, on="name").pairs(0.0)
    assert pairs["left"].tolist() == ["Globex"]


def test_a_table_type_error_is_a_type_error() -> None:
    with pytest.raises(TypeError, match=r"cannot be read as a table"):
        match("Acme", ["Acme"])


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(
    "bad",
    [
        pd.DataFrame([["a", "b"]], columns=["x", "x"]),
        pa.table([["a"], ["b"]], names=["x", "x"]),
    ],
)
def test_repeated_column_names_are_refused(bad, side: str) -> None:
    good = pd.DataFrame({"x": ["a"]})
    given = (bad, good) if side == "left" else (good, bad)
    with pytest.raises(pj.InputError, match=rf"{side} table has several columns of one name.*'x'"):
        join(*given, on="x")


def test_multiindex_columns_are_refused() -> None:
    bad = pd.DataFrame([["a"]], columns=pd.MultiIndex.from_tuples([("x", "y")]))
    with pytest.raises(pj.InputError, match=r"columns form a MultiIndex"):
        join(bad, pd.DataFrame({"x": ["a"]}), on="x")


def test_a_table_without_columns_is_refused() -> None:
    with pytest.raises(pj.InputError, match=r"The right table has no columns"):
        join(pd.DataFrame({"x": ["a"]}), pd.DataFrame(index=[1, 2]), on="x")


NO_KEYS = {
    "polars lists": pl.Series([["a"], ["b"]]),
    "polars structs": pl.Series([{"q": 1}, {"q": 2}]),
    "polars bytes": pl.Series([b"a", b"b"]),
    "arrow lists": pa.chunked_array([[["a"], ["b"]]]),
    "arrow bytes": pa.chunked_array([[b"a", b"b"]]),
    "lists": pd.Series([["a"], ["b"]]),
    "dicts": pd.Series([{"q": 1}, None]),
    "bytes": pd.Series([b"a", None]),
    "sets": pd.Series([{"a"}, None]),
    "tuples": pd.Series([("a", "b"), None]),
    "tuples of lists": pd.Series([("a", ["b"]), None]),
    "arrays": pd.Series([np.array([1, 2]), None]),
    "bytes among text": pd.Series(["a", b"b"]),
}


@pytest.mark.parametrize("column", NO_KEYS.values(), ids=NO_KEYS)
@pytest.mark.parametrize("role", ["on", "by"])
def test_keys_that_are_no_plain_values_are_refused(column, role: str) -> None:
    if isinstance(column, pd.Series):
        frame = pd.DataFrame({"x": column, "y": "a"})
    elif isinstance(column, pl.Series):
        frame = pl.DataFrame({"x": column, "y": ["a", "a"]})
    else:
        frame = pa.table({"x": column, "y": ["a", "a"]})
    options = {"on": "x"} if role == "on" else {"on": "y", "by": "x"}
    with pytest.raises(pj.InputError, match=r"key column 'x' holds a value that cannot be compar"):
        match(frame, frame, **options)


class Wrong:
    def __init__(self, output) -> None:
        self.output = output

    def encode(self, phrases):
        return self.output(len(phrases))


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (lambda n: np.ones((n + 1, 3)), "one vector per phrase"),
        (lambda n: np.ones(n), "one vector per phrase"),
        (lambda n: np.full((n, 3), np.nan), "not finite"),
        (lambda n: [["a"]] * n, "must give numbers"),
    ],
)
def test_an_encoder_that_gives_no_vectors_is_refused(output, message: str) -> None:
    with pytest.raises(pj.InputError, match=message):
        match(["a", "b"], ["c"], encoder=Wrong(output))


@pytest.mark.parametrize("kind", ["polars", "pyarrow"])
@pytest.mark.parametrize("cells", [["\ud800", "Acme"], [10**400, 1]])
def test_cells_that_the_left_kind_cannot_hold_are_told(kind: str, cells: list) -> None:
    left = FrameMaker(kind)({"x": ["Acme 1", "Globex"]})
    for right in (cells, pd.DataFrame({"x": pd.Series(cells, dtype=object)})):
        with pytest.raises(pj.TableTypeError, match=r"cannot be turned .*Hint: "):
            join(left, right, left_on="x", **({} if right is cells else {"right_on": "x"}))


def test_a_matcher_of_several_keys_takes_no_single_column() -> None:
    with pytest.raises(pj.InputError, match="cannot be matched by several key columns"):
        pj.Matcher(on=["x", "y"]).fit(["Acme"])


def test_by_columns_without_a_common_type_are_joined_as_text() -> None:
    day, length = dt.date(2024, 1, 1), dt.timedelta(1)
    left = pl.DataFrame({"n": ["Acme"], "g": [length]})
    joined = join(left, pl.DataFrame({"n": ["Acme"], "g": [day]}), on="n", by="g", how="full")
    assert joined["g"].to_list() == ["1 day, 0:00:00", "2024-01-01"]


# Odd values that work -------------------------------------------------------------------------

ODD = {
    "long": "ab " * 33_334,
    "control": "\x00\x07 \x1b[31mred",
    "hebrew": "שלום עולם",
    "arabic": "\u202bمرحبا\u202c",
    "emoji": "🎉🎊",
    "other emoji": "🧀🍕",
    "family": "👩‍👩‍👧",
    "chinese": "北京大学",
    "combining": "e\u0301\u0302\u0303",
    "zero width": "\u200b",
    "formula": "=1+1",
    "quote": "'; DROP TABLE x --",
    "newline": "a\nb\r\nc",
    "private use": "\ue000\ue001",
}


def test_odd_texts_find_themselves(make_frame: FrameMaker) -> None:
    texts = list(ODD.values())
    frame = make_frame({"x": texts})
    joined = join(frame, make_frame({"x": texts[::-1]}), on="x", threshold=1.0)
    assert rows_of(joined, "x_right") == texts
    assert rows_of(joined, "match_score") == [1.0] * len(texts)


SURROGATES = ["\ud800", "Acme \udfff", "Acme"]


def test_lone_surrogates_in_an_object_column() -> None:
    frame = pd.DataFrame({"x": pd.Series(SURROGATES, dtype=object)})
    joined = join(frame, frame, on="x", threshold=1.0, how="full")
    assert joined["x_right"].tolist() == SURROGATES
    assert joined["match_score"].tolist() == [1.0] * 3


def test_lone_surrogates_in_a_sequence() -> None:
    assert pairs_of(match(SURROGATES, SURROGATES, threshold=1.0).matches()) == [
        (0, 0),
        (1, 1),
        (2, 2),
    ]
    assert rows_of(join(SURROGATES, SURROGATES, threshold=1.0), "right") == SURROGATES


def test_numbers_beyond_floats_are_still_compared() -> None:
    frame = pd.DataFrame({"x": pd.Series([10**400, 1, float("inf")], dtype=object)})
    assert pairs_of(match(frame, frame, on="x", threshold=1.0).matches()) == [
        (0, 0),
        (1, 1),
        (2, 2),
    ]


def test_large_whole_numbers_are_told_apart(make_frame: FrameMaker) -> None:
    frame = make_frame({"x": [2**62, 2**62 + 1]})
    assert pairs_of(match(frame, frame, on="x", threshold=1.0).matches()) == [(0, 0), (1, 1)]


def test_infinite_numbers_equal_themselves_only(make_frame: FrameMaker) -> None:
    frame = make_frame({"x": [float("inf"), float("-inf"), 3.0, 4.0]})
    found = match(frame, frame, on="x", threshold=0.0, constraint="m:m").matches()
    scores = np.zeros((4, 4))
    scores[found.left, found.right] = found.score
    assert np.isfinite(scores).all()
    assert scores[:2].tolist() == [[1, 0, 0, 0], [0, 1, 0, 0]]


@pytest.mark.filterwarnings("error")
def test_a_plain_join_warns_of_nothing_and_prints_nothing(capfd, make_frame: FrameMaker) -> None:
    joined = join(make_frame(LEFT), make_frame(RIGHT), **KEYS, by="country", how="full")
    assert rows_of(joined, "legal_name") == ["acme", "globex"]
    assert capfd.readouterr() == ("", "")


def test_column_names_may_be_odd(make_frame: FrameMaker) -> None:
    names = [" ", "a b", "näme", "🎉", "index", "None"]
    frame = make_frame({name: ["Acme", "Globex"] for name in names})
    joined = join(frame, frame, on="🎉", how="inner")
    wanted = [*names, *[f"{name}_right" for name in names], "match_score"]
    assert list(columns_of(joined)) == wanted
