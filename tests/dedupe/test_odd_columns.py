"""Whatever columns hold, one table is deduplicated, or refused as such."""

import re
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames import TrigramEncoder
from odd_columns import COLUMNS, table_of
from repetitions import one_in

import pearljoin as pj

KEYS = ["Acme Corp", "Globex"]


def n_rows(table: Any) -> int:
    return table.num_rows if isinstance(table, pa.Table) else len(table)


def grown(table: Any, more: Any) -> Any:
    """A table with more rows."""
    growing = pj.Deduplicator(on="name").fit(table)
    growing.add(more)
    return growing.table()


def check_refusal(error: Exception) -> None:
    assert re.search(r" Got:? .*Hint: ", str(error), re.DOTALL)


@pytest.mark.parametrize(("kind", "name"), one_in(COLUMNS, 3))
@pytest.mark.filterwarnings("ignore::pearljoin.PearljoinWarning")
def test_any_column_in_what_one_table_gives(kind: str, name: str) -> None:
    odd = table_of(kind, KEYS, name)
    for on in ("key", "odd", ["key", "odd"]):
        try:
            result = pj.find_duplicates(odd, on=on, encoder=TrigramEncoder())
            assert n_rows(result.table(canonical="canonical")) == 2
            result.pairs()
            assert 1 <= n_rows(result.golden(provenance=True)) <= 2
        except pj.PearljoinError as error:
            check_refusal(error)


@pytest.mark.parametrize(("kind", "name"), one_in(COLUMNS, 3, first=1))
@pytest.mark.filterwarnings("ignore::pearljoin.PearljoinWarning")
def test_any_column_beside_another_that_rows_are_added_to(kind: str, name: str) -> None:
    odd = table_of(kind, KEYS, name)
    try:
        growing = pj.Deduplicator(on=["key", "odd"]).fit(odd)
        growing.add(odd)
    except pj.PearljoinError as error:
        check_refusal(error)
        fits = "new rows do not fit" not in str(error)
    else:
        fits = n_rows(growing.table()) == 4
    # Whatever a table holds, more of the same can go under it.
    assert fits or name == "arrow string view"


TYPED = {
    "polars Int128": pl.DataFrame({"name": KEYS, "k": pl.Series([1, 2**100], dtype=pl.Int128)}),
    "arrow dictionary": pa.table({"name": pa.array(KEYS).dictionary_encode(), "k": [1, 2]}),
    "arrow runs": pa.table({"name": KEYS, "k": pa.RunEndEncodedArray.from_arrays([2], ["u"])}),
}


@pytest.mark.parametrize("table", TYPED.values(), ids=TYPED)
def test_rows_of_the_same_types_keep_them(table: Any) -> None:
    longer = grown(table, table)
    assert n_rows(longer) == 4
    schemas = [frame.schema for frame in (table, longer)]
    if isinstance(table, pa.Table):
        assert [longer.schema.field(n).type for n in table.column_names] == table.schema.types
    else:
        assert {name: schemas[1][name] for name in schemas[0]} == dict(schemas[0])


@pytest.mark.parametrize("missing", [pd.NA, pd.NaT, np.nan, None])
def test_what_pandas_has_for_missing_cells_goes_under_other_tables(missing: Any) -> None:
    table = pl.DataFrame({"name": KEYS, "k": ["u", None]})
    more = pd.DataFrame({"name": ["Zeta"], "k": pd.Series([missing], dtype=object)})
    longer = grown(table, more)
    assert longer["k"].to_list() == ["u", None, None]


def test_labels_that_differ_though_their_texts_do_not() -> None:
    table = pd.DataFrame({"name": KEYS, 1: ["u", "v"], "1": ["w", "x"]})
    longer = grown(table, table)
    assert longer[1].tolist() == ["u", "v"] * 2
    assert longer["1"].tolist() == ["w", "x"] * 2
    result = pj.find_duplicates(table, on="name", encoder=TrigramEncoder())
    with pytest.raises(pj.InputError, match=r"called as those of golden records"):
        result.golden(provenance=True)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_taken_names_are_told_before_anything_is_encoded(kind: Any) -> None:
    encoder = TrigramEncoder()
    table = kind({"name": KEYS, "cluster": [1, 2], "canonical_name": KEYS})
    with pytest.raises(pj.InputError, match=r"has the columns \['cluster'\] already"):
        pj.deduplicate(table, on="name", encoder=encoder)
    with pytest.raises(pj.InputError, match=r"has the columns \['canonical_name'\] already"):
        pj.deduplicate(table, on=["name", "cluster"], cluster="c", encoder=encoder)
    assert not encoder.calls


@pytest.mark.parametrize("keys", [list, tuple])
def test_a_name_that_several_keys_leave_free_is_not_taken(keys: Any) -> None:
    table = pd.DataFrame({"name": KEYS, "city": ["Oslo", "Rome"], "canonical": [1, 2]})
    found = pj.deduplicate(table, on=keys(["name", "city"]), encoder=TrigramEncoder())
    assert list(found)[3:] == ["cluster", "canonical_name", "canonical_city"]


def test_columns_of_one_name_are_told() -> None:
    table = pd.DataFrame([["a", "b"]], columns=["name", "name"])
    with pytest.raises(pj.InputError, match=r"several columns of one name"):
        pj.deduplicate(table, on="name")


def test_lone_surrogates_of_pandas_are_listed() -> None:
    table = pd.DataFrame({"name": KEYS * 2, "k": pd.Series(["\ud800", "u"] * 2, dtype=object)})
    found = pj.find_duplicates(table, on=["name", "k"], encoder=TrigramEncoder()).pairs()
    assert found["left"].tolist() == ["Acme Corp | \ud800", "Globex | u"]


DAY = pd.Timestamp("2024-02-29").date()
EQUAL = {
    "decimal256": pa.array([Decimal("1.5"), Decimal("2")], pa.decimal256(70, 5)),
    "date64": pa.array([DAY, None], pa.date64()),
    "runs": pa.RunEndEncodedArray.from_arrays([1, 2], ["u", "v"]),
}


@pytest.mark.parametrize("column", EQUAL.values(), ids=EQUAL)
def test_columns_of_types_without_a_name_are_equal_to_themselves(column: Any) -> None:
    table = pa.table({"name": KEYS, "k": column})
    found = pj.match(table, table, on="name", by="k", encoder=TrigramEncoder(), threshold=0.5)
    expected = [row for row, cell in enumerate(column.to_pylist()) if cell is not None]
    assert found.matches().left.tolist() == expected
    assert found.matches().right.tolist() == expected


def test_never_with_a_time_zone_is_a_date() -> None:
    dates = ["9999-12-31T23:59:59-05:00", "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"]
    table = pd.DataFrame({"name": [*KEYS, "Zeta"], "until": dates})
    joined = pj.fuzzy_join(table, table, on=["name", "until"])
    assert joined["name_right"].tolist() == table["name"].tolist()


def test_short_run_ends_count_chunks_of_a_long_result() -> None:
    import pyarrow.compute as pc

    runs = pc.run_end_encode(pa.array(["x", "x", "y"]), pa.int16())
    reference = pa.table({"name": ["a1", "a2", "a3"], "runs": runs})
    left = pa.table({"name": [f"a{1 + row % 3}" for row in range(40_000)]})
    found = pj.fuzzy_join(left, reference, on="name", encoder=TrigramEncoder())["runs"]
    assert found.type == runs.type
    assert found.to_pylist()[-4:] == ["x", "x", "y", "x"]
