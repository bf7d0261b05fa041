"""Golden records: a row a cluster, by a rule for each column."""

import datetime as dt

import numpy as np
import pandas as pd
import pytest
from frames import FrameMaker, TrigramEncoder, columns_of

import pearljoin as pj
from pearljoin._dedupe.golden import golden_cells
from pearljoin._tables.read_table import ONLY, as_table

TABLE = {
    "name": ["Acme", "ACME", "acme", "Acme", "Globex", None],
    "city": ["Rom", None, "Roma", "Rome", None, "Oslo"],
    "n": [1.0, 2.0, 6.0, None, 4.0, 5.0],
    "when": ["2024-01-05", "2024-03-01", None, "2023-12-31", "2020-01-01", "2021-01-01"],
    "from": ["shop", "crm", "web", "shop", "web", "crm"],
}


def golden(table, rules=None, **options):
    result = pj.find_duplicates(table, on="name", encoder=TrigramEncoder())
    return result.golden(rules, **options)


def test_the_most_frequent_value_by_default(make_frame: FrameMaker) -> None:
    table = make_frame(TABLE)
    found = golden(table)
    assert type(found) is type(table)
    columns = columns_of(found)
    assert list(columns) == ["cluster", "n_rows", *TABLE]
    assert columns["cluster"] == [0, 1, 2]
    assert columns["n_rows"] == [4, 1, 1]
    assert columns["name"] == ["Acme", "Globex", None]
    assert columns["city"] == ["Rom", None, "Oslo"]
    assert columns["from"] == ["shop", "web", "crm"]


@pytest.mark.parametrize(
    ("column", "rule", "value", "row"),
    [
        ("city", "longest", "Roma", 2),
        ("city", "most_complete", "Rom", 0),
        ("city", {"newest": "when"}, "Rom", 0),
        ("n", {"newest": "when"}, 2.0, 1),
        ("city", {"source": ["web", "shop"], "column": "from"}, "Roma", 2),
        ("city", {"source": ["crm"], "column": "from"}, "Rom", 0),
        ("n", "mean", 3.0, -1),
        ("n", "median", 2.0, -1),
        ("n", "sum", 9.0, -1),
        ("n", "min", 1.0, 0),
        ("n", "max", 6.0, 2),
        ("when", "min", "2023-12-31", 3),
        ("when", "max", "2024-03-01", 1),
        ("city", "max", "Rome", 3),
        ("city", "first", "Rom", 0),
        ("n", max, 6.0, -1),
        ("city", lambda values: "/".join(values), "Rom/Roma/Rome", -1),
    ],
)
def test_a_rule_for_a_column(make_frame: FrameMaker, column: str, rule, value, row) -> None:
    found = columns_of(golden(make_frame(TABLE), {column: rule}, provenance=True))
    assert found[column][0] == value
    assert found[f"{column}_row"][0] == row
    assert found["name"] == ["Acme", "Globex", None]
    assert found["name_row"] == [0, 4, -1]


def test_dates_order_by_time() -> None:
    dates = [dt.date(2024, 1, 5), dt.date(2024, 3, 1), None]
    table = pd.DataFrame({"name": ["Acme", "ACME", "acme"], "n": [1, 2, 3], "when": dates})
    assert golden(table, {"n": {"newest": "when"}})["n"].tolist() == [2]


@pytest.mark.parametrize(
    ("dates", "newest"),
    [
        (["03.02.2024", "02.03.2024", "31.12.2023"], 1),
        (["03/02/2024", "02/03/2024", "12/31/2023"], 0),  # the third says that months are first
        (["03/02/2024", "02/03/2024", "31/12/2023"], 1),
        (["3 March 2024", "Dec 24, 2023", "2024-02-01"], 0),
        (["1.2.99", "31.1.04", None], 1),
        (["2024", "05/2024", "1.5.2024 10:30"], 2),
    ],
)
def test_dates_as_text_order_by_time(make_frame: FrameMaker, dates: list, newest: int) -> None:
    table = make_frame({"name": ["Acme", "ACME", "acme"], "n": [0, 1, 2], "when": dates})
    found = columns_of(golden(table, {"n": {"newest": "when"}, "when": {"newest": "when"}}))
    assert found["n"] == [newest]
    assert found["when"] == [dates[newest]]


def test_the_order_of_day_and_month_is_that_of_the_whole_column() -> None:
    cells = {"name": ["Acme", "ACME", "Zeta"], "n": [0, 1, 2]}
    table = pd.DataFrame({**cells, "when": ["03/02/2024", "02/03/2024", "31/12/2023"]})
    rules = {"n": {"newest": "when"}}
    assert golden(table, rules)["n"].tolist() == [1, 2]
    rows = np.array([0, 1])
    some = golden_cells(as_table(table, ONLY), np.array([0, 0, 1]), rules, rows)
    assert some["n"] == {0: (1, 1)}


def test_a_sum_keeps_whole_numbers() -> None:
    table = pd.DataFrame({"name": ["Acme", "ACME", "Zeta"], "n": [2**53, 1, 4]})
    assert golden(table, {"n": "sum"})["n"].tolist() == [2**53 + 1, 4]


def test_what_has_no_order_has_no_greatest_value() -> None:
    table = pd.DataFrame({"name": ["Acme", "ACME"], "n": pd.Series([1, "b"], dtype=object)})
    with pytest.raises(pj.InputError, match=r"rule for 'n' cannot .* cannot be ordered.*'min' and"):
        golden(table, {"n": "max"})


def test_one_rule_for_all_columns() -> None:
    found = golden(pd.DataFrame(TABLE), "longest")
    assert found["city"][0] == "Roma"
    found = golden(pd.DataFrame(TABLE), {"source": ["web"], "column": "from"})
    assert (found["name"][0], found["city"][0]) == ("acme", "Roma")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"cty": "longest"}, r"no column 'cty', which is the column of a rule.*mean 'city'"),
        ({"city": "longst"}, r"rule for 'city' is not understood\. Got 'longst'.*mean 'longest'"),
        ({"city": {"newest": "wen"}}, r"no column 'wen', which is named by the rule for 'city'"),
        ({"city": {"source": ["a"]}}, r"no column 'source', which is named by the rule"),
        (
            {"city": "newest"},
            r"Got 'newest'. Hint: 'newest' goes with columns: \{'newest': date_col",
        ),
        (
            {"city": "most"},
            r"Got 'most'. Hint: one of 'most_frequent', .*'sum', .* function .* len",
        ),
        ({"city": "sum"}, r"rule for 'city' cannot be applied.*'sum' is for numbers"),
        ({"city": {"oldest": "when"}}, r"is not understood\. Got \{'oldest': 'when'\}"),
        ({"city": {"source": "crm", "column": "from"}}, r"is not understood"),
        ({"city": "mean"}, r"rule for 'city' cannot be applied"),
        ({"n": {"newest": "city"}}, r"column 'city' cannot be ordered by time\. Got 'Rom'"),
        (["longest"], r"rules= gives a rule for each column\. Got a list"),
    ],
)
def test_rules_that_cannot_be_used_are_told(rules, message: str) -> None:
    with pytest.raises(pj.InputError, match=message):
        golden(pd.DataFrame(TABLE), rules)


def test_taken_names_are_told() -> None:
    with pytest.raises(pj.InputError, match=r"Got \['cluster'\]"):
        golden(pd.DataFrame({"name": ["a"], "cluster": [1]}))


def test_the_source_rule_with_its_column() -> None:
    table = pd.DataFrame(TABLE)
    found = golden(table, {"city": {"source": ("from", ["web", "shop"])}}, provenance=True)
    assert found["city"][0] == "Roma"
    assert found["city_row"][0] == 2


def test_one_source_rule_for_tables_that_are_stacked() -> None:
    shop = pd.DataFrame({"name": ["Acme"], "city": ["Rom"]})
    crm = pd.DataFrame({"name": ["Acme"], "city": ["Roma"]})
    result = pj.find_duplicates([shop, crm], on="name", sources=["shop", "crm"])
    found = result.golden({"source": ["crm", "shop"]})
    assert found["city"].tolist() == ["Roma"]
    assert found["source"].tolist() == ["crm"]
    assert result.golden({"source": "longest"})["source"].tolist() == ["shop"]


def test_provenance_overwrites_no_column() -> None:
    table = pd.DataFrame({"name": ["Acme", "Acme"], "name_row": ["a", "b"]})
    assert golden(table)["name_row"].tolist() == ["a"]
    with pytest.raises(pj.InputError, match=r"Got \['name_row'\]"):
        golden(table, provenance=True)


def fail(error: Exception):
    def rule(values):
        raise error

    return rule


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"lasted": "mean"}, "'lasted' cannot be applied.*'mean' and 'median' are for numbers"),
        ({"name": {"newest": "at"}}, "'at' cannot be ordered.*with a time zone and without"),
        ({"name": fail(IndexError("at 7"))}, r"IndexError\('at 7'\).*the function takes"),
        ({"name": fail(KeyError("k"))}, r"KeyError\('k'\)"),
        ({"name": lambda values: 1 / 0}, "ZeroDivisionError"),
        ({"name": {"newest": ["at"]}}, r"rule for 'name' is not understood. Got .*\['at'\]"),
        ({"name": {"source": ("tags", ["x"])}}, r"'tags' cannot say .* Got \['x'\]. Hint"),
        ({"name": {"source": ("name", [["x"]])}}, "rule for 'name' is not understood"),
        ({"name": {"source": "x", "column": "name"}}, "rule for 'name' is not understood"),
    ],
)
def test_rules_that_do_not_fit_are_refused(rule, message: str) -> None:
    table = pd.DataFrame({"name": ["Acme", "Acme"], "tags": [["x"], ["y"]]})
    table["lasted"] = pd.to_timedelta([1, 2], unit="h")
    zoned = pd.Timestamp("2024-01-01", tz="UTC")
    table["at"] = pd.Series([pd.Timestamp("2024-01-01"), zoned], dtype=object)
    with pytest.raises(pj.InputError, match=message):
        pj.find_duplicates(table, on="name", encoder=TrigramEncoder()).golden(rule)


@pytest.mark.parametrize("cell", [np.timedelta64(1), memoryview(bytearray(b"a"))])
def test_cells_that_cannot_be_looked_up_by_a_value_error(cell) -> None:
    odd = pd.Series([cell, cell, None], dtype=object)
    table = pd.DataFrame({"name": ["Acme", "Acme", "Zeta"], "odd": odd})
    assert golden(table)["odd"][0] == cell
    with pytest.raises(pj.InputError, match=r"'odd' cannot say where rows are from"):
        golden(table, {"name": {"source": ("odd", ["x"])}})
    with pytest.raises(pj.InputError, match=r"rule for 'name' is not understood"):
        golden(table, {"name": {"source": ("name", [cell])}})
    with pytest.raises(pj.InputError, match=r"key column 'odd' holds a value"):
        pj.find_duplicates(table, on=["name", "odd"], encoder=TrigramEncoder())
    with pytest.raises(pj.InputError, match=r"one_per= needs a column of plain values"):
        pj.find_duplicates(table, on="name", one_per="odd", encoder=TrigramEncoder())
    growing = pj.Deduplicator(on="name", ids="odd")
    with pytest.raises(pj.InputError, match=r"ids of rows must be hashable"):
        growing.fit(table)
    growing = pj.Deduplicator(on="name").fit(table)
    with pytest.raises(pj.InputError, match=r"Rows are removed by a list of ids"):
        growing.remove([cell])
