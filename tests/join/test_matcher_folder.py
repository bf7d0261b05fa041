"""A matcher saved to a folder of plain files, and loaded again."""

import datetime as dt
import json
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polars.testing
import pyarrow as pa
import pytest
from frames import FrameMaker, TrigramEncoder, columns_of, decided, pairs_of
from saved_folders import sign
from test_dtypes import ARROW, PANDAS, POLARS, ZONE

import pearljoin as pj
from pearljoin._fitted.checked_folder import write_store

RIGHT = ["Acme Corporation", "Globex Inc", "Initech"]
LEFT = ["globex", "acme corp", "hooli", None]


def matcher(**options) -> pj.Matcher:
    return pj.Matcher(**{"encoder": TrigramEncoder(), "threshold": 0.3, **options})


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    matcher(constraint="m:m", k=2, threshold=0.25).fit(RIGHT).save(tmp_path / "saved")
    return tmp_path / "saved"


def test_a_loaded_matcher_decides_as_the_saved_one(saved: Path, trigrams: TrigramEncoder) -> None:
    loaded = pj.Matcher.load(saved, encoder=trigrams)
    # Asked for: a probe of the dimension, and one saved phrase to tell the encoder by.
    assert trigrams.asked[1:] == RIGHT[:1]
    options = {"constraint": "m:m", "k": 2, "threshold": 0.25}
    original = matcher(**options).fit(RIGHT)
    assert decided(loaded.match(LEFT)) == decided(original.match(LEFT))
    assert decided(loaded.add(["Hooli"]).match(LEFT)) == decided(
        original.add(["Hooli"]).match(LEFT)
    )


def test_a_matcher_whose_first_key_was_decoded_wrongly_is_loaded(tmp_path: Path) -> None:
    # Such a text is mended before it is encoded, also to tell whether the encoder is the same.
    original = matcher().fit(["SÃ£o Paulo", *RIGHT])
    original.save(tmp_path / "saved")
    loaded = pj.Matcher.load(tmp_path / "saved", encoder=TrigramEncoder())
    queries = ["sao paulo", *LEFT]
    assert decided(loaded.match(queries)) == decided(original.match(queries))


def test_every_kind_of_key_survives(tmp_path: Path, make_frame: FrameMaker) -> None:
    right = make_frame(
        {
            "name": ["north lodge", "south lodge", None],
            "rooms": [10, 20, None],
            "opened": [pd.Timestamp("2001-02-03").to_pydatetime(), None, None],
            "bar": [True, False, None],
            "land": ["IT", "IT", "US"],
            "extra": ["x", "y", "z"],
        }
    )
    left = make_frame(
        {
            "name": ["North Lodge", "Lodge"],
            "rooms": [11, 20],
            "opened": [pd.Timestamp("2001-02-04").to_pydatetime()] * 2,
            "bar": [True, True],
            "land": ["IT", "IT"],
        }
    )
    options = {
        "on": ["name", "rooms", "opened", "bar"],
        "by": "land",
        "weights": {"name": 2},
        "threshold": 0.0,
        "constraint": "m:m",
    }
    fitted = matcher(**options).fit(right)
    fitted.save(tmp_path / "m")
    loaded = pj.Matcher.load(tmp_path / "m", encoder=TrigramEncoder())
    assert decided(loaded.match(left)) == decided(fitted.match(left))
    assert len(loaded.match(left).matches()) == 4
    joined = columns_of(loaded.match(left).join("inner"))
    assert sorted(set(joined["name_right"])) == ["north lodge", "south lodge"]
    assert joined == columns_of(fitted.match(left).join("inner"))
    assert sorted(set(joined["extra"])) == ["x", "y"]


# The whole reference comes back -------------------------------------------------------------------

WHEN = dt.datetime(2001, 2, 3, 4, 5, 6)
REFERENCE = {
    "name": ["Acme Corporation", "Globex Inc", "Initech", None],
    "id": [7, 8, 9, 10],
    "share": [0.5, None, 1.5, 2.5],
    "flag": [True, None, False, True],
    "opened": [WHEN, None, WHEN, WHEN],
    "year": [1999, 2001, None, 2003],
    "tags": [["x"], [], None, ["y", "z"]],
}


def saved_and_loaded(fitted: pj.Matcher, folder: Path) -> pj.Matcher:
    fitted.save(folder / "m")
    return pj.Matcher.load(folder / "m", encoder=TrigramEncoder())


@pytest.mark.parametrize("how", ["left", "inner", "right", "full", "semi", "anti"])
def test_a_loaded_matcher_joins_as_the_fitted_one(
    tmp_path: Path, make_frame: FrameMaker, how: str
) -> None:
    left = make_frame({"name": LEFT, "n": [1, 2, 3, 4]})
    fitted = matcher(on="name").fit(make_frame(REFERENCE))
    loaded = saved_and_loaded(fitted, tmp_path)
    assert_same(loaded.match(left).join(how), fitted.match(left).join(how))
    assert_same(loaded.match(left).unmatched("right"), fitted.match(left).unmatched("right"))
    # Of other kinds, too: the reference is turned into theirs.
    for other in (pd.DataFrame({"name": LEFT}), pl.DataFrame({"name": LEFT})):
        assert_same(loaded.match(other).join(how), fitted.match(other).join(how))


def assert_same(found: Any, wanted: Any) -> None:
    assert type(found) is type(wanted)
    if isinstance(found, pd.DataFrame):
        found, wanted = (
            table.assign(tags=[plain_list(cell) for cell in table["tags"]])
            if "tags" in table
            else table
            for table in (found, wanted)
        )
        pd.testing.assert_frame_equal(found, wanted)
    elif isinstance(found, pa.Table):
        assert found.equals(wanted)
        assert found.schema == wanted.schema
    else:
        pl.testing.assert_frame_equal(found, wanted)


def plain_list(cell: Any) -> str:
    """A list as text, whether pandas holds it as an array or not."""
    return str(list(cell)) if isinstance(cell, list | np.ndarray) else "null"


COLUMNS = {
    **{f"pandas {name}": pd.DataFrame({"x": RIGHT[:2], "other": c}) for name, c in PANDAS.items()},
    **{f"polars {name}": pl.DataFrame({"x": RIGHT[:2], "other": c}) for name, c in POLARS.items()},
    **{f"arrow {name}": pa.table({"x": RIGHT[:2], "other": c}) for name, c in ARROW.items()},
}
MIXED = ("pandas object",)
"""Cells of several types, which Arrow cannot hold in one column."""


@pytest.mark.parametrize("name", [name for name in COLUMNS if name not in MIXED])
def test_types_of_columns_survive(tmp_path: Path, name: str) -> None:
    table = COLUMNS[name]
    loaded = saved_and_loaded(matcher(on="x").fit(table), tmp_path)
    found = loaded.match(["zzz"]).unmatched("right")
    if isinstance(table, pd.DataFrame):
        pd.testing.assert_frame_equal(found, table)
    else:
        assert_same(found, table)


@pytest.mark.parametrize(
    "index",
    [
        pd.Index([5, 5, 9, 1]),
        pd.RangeIndex(2, 10, 2),
        pd.Index(["a", "b", "c", "d"], name="key", dtype=object),
        pd.date_range("2024-01-01", periods=4, tz="Europe/Rome", name=("a", 1)),
        pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1), ("c", 0)], names=["u", None]),
        pd.Index(["0", "1", "2", "3"], name="0"),
        pd.Index(["a", None, np.nan, pd.NA], dtype=object),
        pd.CategoricalIndex(["a", "b", "a", None]),
    ],
    ids=[
        "repeated",
        "range",
        "text",
        "dates",
        "several levels",
        "name of a position",
        "nulls",
        "categories",
    ],
)
def test_a_pandas_index_and_labels_survive(tmp_path: Path, index: pd.Index) -> None:
    table = pd.DataFrame(REFERENCE, index=index).drop(columns="tags")
    table.columns = pd.Index(["name", 0, "0", ("a", 1), None, 2.5], tupleize_cols=False, name="c")
    loaded = saved_and_loaded(matcher(on="name").fit(table), tmp_path)
    found = loaded.match(pd.DataFrame({"name": ["zzz"]})).unmatched("right")
    pd.testing.assert_frame_equal(found, table, check_freq=False)
    assert list(found.columns) == list(table.columns)


@pytest.mark.parametrize("column", [[1, "x"], ["\ud800", "x"], [1, 1.5]])
def test_key_columns_that_arrow_cannot_hold_are_refused_before_anything_is_written(
    tmp_path: Path, column: list
) -> None:
    table = pd.DataFrame({"name": RIGHT[:2], "odd": pd.Series(column, dtype=object)})
    for options in ({"on": "odd"}, {"on": "name", "by": "odd"}, {"on": "name", "veto": "odd"}):
        with pytest.raises(pj.InputError, match=r"The column 'odd' of the reference cannot be"):
            matcher(**options).fit(table).save(tmp_path / "m")
    with pytest.raises(pj.InputError, match=r"The index of the reference cannot be saved"):
        matcher(on="name").fit(table.set_index("odd")).save(tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


OBJECTS = {
    "text": ["x", None],
    "text and NaN": ["x", np.nan],
    "text and nulls": ["", pd.NA, pd.NaT, None, np.nan, "x"],
    "durations": [dt.timedelta(1), None],
    "durations of pandas": [pd.Timedelta(1, "s"), pd.NaT],
    "times": [dt.datetime(2024, 2, 29, 12, tzinfo=dt.UTC), None],
    "times of pandas": [pd.Timestamp("2024-02-29 12:00"), None],
    "dates": [dt.date(2024, 2, 29), None],
    "booleans": [True, None],
    "numbers": [1, 2**60],
    "numbers of numpy": [np.int64(3), None],
    "decimals": [Decimal("1.5"), Decimal("1.25")],
    "bytes": [b"x", None],
    "nulls": [None, None],
    "NaN alone": [np.nan, np.nan],
    "lists": [["x", None], [], None],
    "lists of numbers": [[1.5, float("nan")], [None]],
    "dicts": [{"a": 1, "b": [{"c": None}]}, {"a": 2, "b": []}, None],
    "arrays": [np.array([1, 2], dtype="int32"), None],
    "arrays of text": [np.array(["x"]), np.array(["y", "z"], dtype=object)],
}


@pytest.mark.parametrize("name", OBJECTS)
def test_columns_of_python_objects_come_back_as_they_were(tmp_path: Path, name: str) -> None:
    cells = pd.Series(OBJECTS[name], dtype=object)
    table = pd.DataFrame({"name": [f"Acme {at}" for at in range(len(cells))], "cells": cells})
    table = table.set_axis([7] * len(table))
    loaded = saved_and_loaded(matcher(on="name").fit(table), tmp_path)
    found = loaded.match(pd.DataFrame({"name": ["zzz"]})).unmatched("right")
    pd.testing.assert_frame_equal(found, table)
    assert found["cells"].dtype == object
    for cell, wanted in zip(found["cells"], cells, strict=True):
        if isinstance(wanted, np.ndarray | float):
            np.testing.assert_array_equal(cell, wanted)
            assert isinstance(cell, type(wanted))
        else:
            # NaN in a list equals nothing.
            assert cell is wanted or cell == wanted or repr(cell) == repr(wanted)


CATEGORIES = {
    "nullable numbers": pd.Series([1, None], dtype="Int64").astype("category"),
    "text": pd.Series(["x", None], dtype="string").astype("category"),
    "objects": pd.Series(pd.Categorical(["x", "y"], categories=pd.Index(["y", "x"], dtype=object))),
    "dates": pd.Series([WHEN, None]).astype("category"),
}


@pytest.mark.parametrize("name", CATEGORIES)
def test_categories_come_back_as_they_were(tmp_path: Path, name: str) -> None:
    table = pd.DataFrame({"name": RIGHT[:2], "other": CATEGORIES[name]})
    loaded = saved_and_loaded(matcher(on="name", veto="other").fit(table), tmp_path)
    found = loaded.match(pd.DataFrame({"name": ["zzz"], "other": [None]})).unmatched("right")
    pd.testing.assert_frame_equal(found, table)


LEFT_OUT = {
    "mixed values": [1, "x"],
    "whole numbers and decimals": [1, 1.5],
    "text and bytes": ["x", b"y"],
    "sets": [{1}, {2}],
    "tuples": [(1, 2), (3, 4)],
    "objects": [object(), None],
    "half a character": ["\ud800", "x"],
    "unlike dicts": [{"a": 1}, {"b": 2}],
    "lists of unlike dicts": [[{"a": 1}, {"b": 2}], []],
    "tuples in lists": [[(1, 2)], []],
    "whole numbers and decimals in lists": [[1, 1.5], []],
    "arrays and lists": [np.array([1]), [1]],
    "tables in cells": [np.array([[1]]), np.array([[2]])],
    "nanoseconds": [pd.Timestamp("2024-02-29 12:00:00.000000001"), None],
    "times of two zones": [WHEN.replace(tzinfo=dt.UTC), WHEN.replace(tzinfo=ZONE)],
    "nulls of decimals": [Decimal("NaN"), Decimal(1)],
    "categories of intervals": pd.cut(pd.Series([5, 50]), [0, 10, 100]),
    "categories of periods": pd.Series(pd.period_range("2024", periods=2)).astype("category"),
    "categories of mixed values": pd.Series([1, "x"], dtype=object).astype("category"),
    "complex numbers": pd.Series([1j, 2j]),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_other_columns_that_arrow_cannot_hold_are_left_out(tmp_path: Path, name: str) -> None:
    given = LEFT_OUT[name]
    odd = given if isinstance(given, pd.Series) else pd.Series(given, dtype=object)
    table = pd.DataFrame({"odd": odd, "name": RIGHT[:2], "id": [7, 8], "more": odd})
    fitted = matcher(on="name").fit(table)
    message = r"Columns of the reference that cannot .* Got \['odd', 'more'\] \('odd': .*Hint: turn"
    with pytest.warns(pj.PearljoinWarning, match=message) as caught:
        loaded = saved_and_loaded(fitted, tmp_path)
    assert [warning.filename for warning in caught] == [__file__]
    left = pd.DataFrame({"name": LEFT})
    wanted = fitted.match(left).join().drop(columns=["odd", "more"])
    pd.testing.assert_frame_equal(loaded.match(left).join(), wanted)
    # The matcher itself keeps them.
    assert list(fitted.match(left).join().columns)[1:4] == ["odd", "name_right", "id"]


def test_python_objects_of_polars_are_left_out(tmp_path: Path) -> None:
    odd = pl.Series("odd", [object(), object()], dtype=pl.Object)
    table = pl.DataFrame({"name": RIGHT[:2]}).with_columns(odd)
    with pytest.warns(pj.PearljoinWarning, match=r"Got \['odd'\] \('odd': Python objects\)"):
        loaded = saved_and_loaded(matcher(on="name").fit(table), tmp_path)
    assert loaded.match(["zzz"]).unmatched("right").columns == ["name"]


def test_keys_that_are_python_objects_of_polars_are_refused(tmp_path: Path) -> None:
    names = pl.DataFrame({"name": pl.Series(RIGHT, dtype=pl.Object)})
    with pytest.raises(pj.InputError, match=r"column 'name' .*cannot be saved. Got: Python object"):
        matcher(on="name").fit(names).save(tmp_path / "m")


def test_without_pyarrow_a_pandas_reference_is_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.ipc", None)
    with pytest.raises(pj.MissingExtraError, match=r"needs pyarrow, .* Hint: pip install pyarrow"):
        matcher(on="x").fit(pd.DataFrame({"x": RIGHT})).save(tmp_path / "m")
    for reference in (RIGHT, pl.DataFrame({"x": RIGHT})):
        loaded = saved_and_loaded(matcher().fit(reference), tmp_path)
        assert pairs_of(loaded.match(LEFT).matches()) == [(0, 1), (1, 0)]


@pytest.mark.parametrize("options", [{}, {"veto": "year"}, {"by": "flag"}])
def test_a_table_is_added_to_a_loaded_matcher(
    tmp_path: Path, make_frame: FrameMaker, options: dict
) -> None:
    reference = {name: cells for name, cells in REFERENCE.items() if name != "tags"}
    fitted = matcher(on="name", **options).fit(make_frame(reference))
    loaded = saved_and_loaded(fitted, tmp_path)
    more = make_frame({"name": ["Hooli"], "id": [11], "year": [1999], "flag": [True]})
    left = make_frame({"name": ["hooli", "globex"], "year": [1999, 2001], "flag": [True, True]})
    assert_same(loaded.add(more).match(left).join(), fitted.add(more).match(left).join())
    assert pairs_of(loaded.match(left).matches())[0] == (0, 4)


def test_a_matcher_of_a_lone_key_column_takes_tables(
    tmp_path: Path, make_frame: FrameMaker
) -> None:
    for reference in (make_frame({"name": RIGHT}), RIGHT):
        loaded = saved_and_loaded(matcher().fit(reference), tmp_path)
        column = "right" if reference is RIGHT else "name"
        loaded.add(make_frame({column: ["Hooli"]})).add(["Umbrella"])
        assert pairs_of(loaded.match(["hooli", "umbrella"]).matches()) == [(0, 3), (1, 4)]


def test_phrases_are_added_to_a_loaded_matcher_with_a_veto(tmp_path: Path) -> None:
    reference = pd.DataFrame({"name": RIGHT, "year": [1, 2, 3]})
    loaded = saved_and_loaded(matcher(on="name", veto="year").fit(reference), tmp_path)
    left = pd.DataFrame({"name": ["hooli", "globex"], "year": [5, 3]})
    assert pairs_of(loaded.add(["Hooli"]).match(left).matches()) == [(0, 3)]


def test_a_guess_survives(tmp_path: Path) -> None:
    reference = pd.DataFrame({"legal": [f"{name} {n}" for name in RIGHT for n in range(5)]})
    loaded = saved_and_loaded(matcher().fit(reference.assign(land="Chad")), tmp_path)
    keys = loaded.match(pd.DataFrame({"firm": ["globex 3"]})).keys
    assert (keys.left, keys.right, keys.guessed) == (("firm",), ("legal",), True)


def test_a_loaded_matcher_can_be_saved_again(tmp_path: Path, make_frame: FrameMaker) -> None:
    left = make_frame({"name": LEFT})
    fitted = matcher(on="name").fit(make_frame(REFERENCE))
    again = saved_and_loaded(saved_and_loaded(fitted, tmp_path), tmp_path)
    assert_same(again.match(left).join(), fitted.match(left).join())


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("data", [b"", b"ARROW1", b"\x00" * 999, None], ids=repr)
def test_a_table_that_is_no_table_is_refused(tmp_path: Path, kind: str, data: bytes | None) -> None:
    matcher(on="name").fit(FrameMaker(kind)({"name": RIGHT})).save(tmp_path / "m")
    path = tmp_path / "m" / "reference.arrow"
    path.write_bytes(path.read_bytes()[:300] if data is None else data)
    sign(tmp_path / "m")
    with pytest.raises(pj.ModelError, match=r"saved matcher at .* is damaged"):
        pj.Matcher.load(tmp_path / "m", encoder=TrigramEncoder())


# Folders of the first version kept the key columns alone ------------------------------------------


def save_as_before(folder: Path, columns: dict, **given: object) -> None:
    """Write what version 1 wrote."""
    names = ("on", "left_on", "right_on", "by", "left_by", "right_by", "veto")
    vectors = TrigramEncoder().encode(columns[next(iter(columns))])
    content = {
        "columns": columns,
        "names": [next(iter(columns))],
        "by": [],
        "kinds": ["text"],
        "by_kinds": [],
        "given": {name: given.get(name) for name in names},
        "options": {
            "constraint": "many_to_one", "k": None, "weights": None, "encoder": None,
            "nulls_equal": False, "device": "auto", "batch_size": None, "verbose": None,
            "threshold": 0.3,
        },
        "texts": [columns[next(iter(columns))]],
    }  # fmt: skip
    if "veto" in given:
        content |= {"veto": [given["veto"]], "veto_kinds": ["number"]}
    arrays = {"vectors_0": vectors, "covered_0": np.ones(len(vectors), dtype=bool)}
    write_store(folder, content, arrays)
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "version": 1}))


@pytest.mark.parametrize("given", [{}, {"on": "name"}, {"left_on": "firm", "right_on": "name"}])
def test_a_folder_of_the_first_version_is_read(tmp_path: Path, given: dict) -> None:
    save_as_before(tmp_path / "m", {"name": RIGHT}, **given)
    loaded = pj.Matcher.load(tmp_path / "m", encoder=TrigramEncoder())
    left = pd.DataFrame({given.get("left_on", "name"): LEFT})
    assert decided(loaded.match(left)) == decided(matcher().fit(RIGHT).match(LEFT))
    loaded.add(pd.DataFrame({"name": ["Hooli"]}))
    assert pairs_of(loaded.match(left).matches())[-1] == (2, 3)


def test_a_folder_of_the_first_version_with_a_veto(tmp_path: Path) -> None:
    save_as_before(tmp_path / "m", {"name": RIGHT, "year": [1, 2, 3]}, on="name", veto="year")
    loaded = pj.Matcher.load(tmp_path / "m", encoder=TrigramEncoder())
    left = pd.DataFrame({"name": ["globex", "initech"], "year": [2, 1]})
    assert pairs_of(loaded.match(left).matches()) == [(0, 1)]
    loaded.add(["Hooli"]).save(tmp_path / "new")
    again = pj.Matcher.load(tmp_path / "new", encoder=TrigramEncoder())
    assert pairs_of(again.match(left).matches()) == [(0, 1)]


def test_a_named_encoder_is_loaded_by_its_name(tmp_path: Path) -> None:
    fitted = pj.Matcher().fit(RIGHT)
    fitted.save(tmp_path / "m")
    loaded = pj.Matcher.load(tmp_path / "m")
    assert decided(loaded.match(LEFT)) == decided(fitted.match(LEFT))
    assert loaded.match(LEFT).threshold == fitted.match(LEFT).threshold


def test_a_folder_is_replaced_whole_and_nothing_is_left_beside_it(saved: Path) -> None:
    matcher().fit(["Hooli"]).save(saved)
    assert [path.name for path in saved.parent.iterdir()] == ["saved"]
    loaded = pj.Matcher.load(saved, encoder=TrigramEncoder())
    assert pairs_of(loaded.match(LEFT).matches()) == [(2, 0)]


def test_nothing_is_pickled(saved: Path) -> None:
    assert {path.suffix for path in saved.iterdir()} == {".json", ".npy"}


@pytest.mark.parametrize("what", ["file", "other files"])
def test_other_peoples_files_are_not_overwritten(tmp_path: Path, what: str) -> None:
    target = tmp_path / "target"
    if what == "file":
        target.write_text("mine")
    else:
        target.mkdir()
        (target / "mine.txt").write_text("mine")
    message = {"file": "is a file. Hint", "other files": "holds other files, which would be lost"}
    with pytest.raises(pj.InputError, match=message[what]):
        matcher().fit(RIGHT).save(target)
    kept = target if what == "file" else target / "mine.txt"
    assert kept.read_text() == "mine"


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(pj.InputError, match=r"folder .* cannot be written. Got"):
        matcher().fit(RIGHT).save(tmp_path / "file" / "m")


def test_an_encoder_without_a_name_must_be_given_again(saved: Path) -> None:
    with pytest.raises(pj.InputError, match=r"encoder that has no name. Hint: give the same one"):
        pj.Matcher.load(saved)


@pytest.mark.parametrize(
    "encoder", [TrigramEncoder(dim=32), lambda texts: [[1.0] * 48] * len(texts)]
)
def test_another_encoder_is_refused(saved: Path, encoder) -> None:
    with pytest.raises(pj.ModelError, match=r"encoder is not the one that the matcher was saved"):
        pj.Matcher.load(saved, encoder=encoder)


def test_a_threshold_without_a_plain_form_is_refused(tmp_path: Path) -> None:
    class Mine:
        def choose(self, evidence) -> float:
            return 0.5

    with pytest.raises(pj.InputError, match=r"threshold of this kind cannot be saved. Got Mine"):
        matcher(threshold=Mine()).fit(RIGHT).save(tmp_path / "m")


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    told = r"no saved matcher or deduplicator at .*manifest.json is missing"
    with pytest.raises(pj.ModelError, match=told):
        pj.Matcher.load(tmp_path / "none")


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("content.json", lambda b: b[:-9], "'content.json' has changed since it was saved"),
        ("vectors_0.npy", lambda b: b[:-4], "'vectors_0.npy' has changed"),
        ("vectors_0.npy", lambda b: None, "'vectors_0.npy' is missing"),
        ("manifest.json", lambda b: b[:50], "manifest.json cannot be read"),
        ("manifest.json", lambda b: b"\xff\xfe", "manifest.json cannot be read"),
        ("manifest.json", lambda b: b"[]", "manifest.json is not what it should be"),
        ("manifest.json", lambda b: b"{}", "not a saved matcher of this version. Got kind None"),
        ("manifest.json", lambda b: b.replace(b'n": 5', b'n": 9'), "this version.*version 9"),
        ("manifest.json", lambda b: b.replace(b"vectors_0", b"../vectors_0"), "is missing"),
    ],
)
def test_a_damaged_folder_is_refused(saved: Path, name: str, change, message: str) -> None:
    content = change((saved / name).read_bytes())
    (saved / name).unlink()
    if content is not None:
        (saved / name).write_bytes(content)
    with pytest.raises(pj.ModelError, match=message):
        pj.Matcher.load(saved, encoder=TrigramEncoder())


def test_the_manifest_names_a_checksum_of_every_file(saved: Path) -> None:
    manifest = json.loads((saved / "manifest.json").read_text())
    files = {path.name for path in saved.iterdir()} - {"manifest.json"}
    assert set(manifest["files"]) == files
    assert all(len(value) == 64 for value in manifest["files"].values())


@pytest.mark.parametrize("numbers", [[8e307, -8e307, 1.0], [1.7e308, -1.7e308], [5e-324, 0.0]])
def test_numbers_at_the_ends_of_their_range_survive(tmp_path: Path, numbers: list[float]) -> None:
    # Their spread, too, is a number, which is read again.
    table = pd.DataFrame({"n": numbers, "name": RIGHT[: len(numbers)]})
    original = pj.Matcher(on=["n", "name"], weights={"n": 1.0, "name": 1.0}).fit(table)
    original.save(tmp_path / "saved")
    loaded = pj.Matcher.load(tmp_path / "saved")
    assert decided(loaded.match(table)) == decided(original.match(table))
    assert decided(original.match(table))[0] == [(at, at) for at in range(len(table))]
