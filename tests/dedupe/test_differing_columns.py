"""Columns in which most pairs of a cluster differ are told."""

import warnings

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj

SUPPLIERS = [
    *("Northwind Traders", "Blue Harbor Supply", "Kessler & Sons", "Alpine Dairy", "Ota Machines"),
    *("Greenfield Paper", "Rossi Ceramics", "Baltic Timber", "Sunrise Textiles", "Vega Optics"),
]


def invoices(n: int = 200) -> pd.DataFrame:
    """Invoices of ten suppliers, no two of which are the same."""
    rng = np.random.default_rng(3)
    days = pd.Timestamp("2023-01-02") + pd.to_timedelta(rng.integers(0, 700, n), unit="D")
    return pd.DataFrame(
        {
            "supplier": rng.choice(SUPPLIERS, n),
            "date": days.strftime("%Y-%m-%d"),
            "account": rng.choice(["4400", "4930", "6815"], n),
        }
    )


def test_a_column_that_differs_in_most_pairs_is_told() -> None:
    table = invoices()
    result = pj.find_duplicates(table, on=list(table), threshold=0.5)
    with pytest.warns(pj.DifferingColumnWarning, match=r"'date' in \d+%.*veto='date'") as caught:
        labels = result.clusters()
    assert caught[0].filename == __file__
    n_found = len(table) - len(set(labels.tolist()))
    assert n_found > 20
    told = pj.find_duplicates(table, on=list(table), veto="date", threshold=0.5)
    assert len(table) - len(set(told.clusters().tolist())) < n_found / 4


def test_rows_in_another_order_are_told_alike() -> None:
    table = invoices()
    messages = []
    for shuffled in (table, table.sample(frac=1, random_state=1)):
        with pytest.warns(pj.DifferingColumnWarning) as caught:
            pj.find_duplicates(shuffled, on=list(table), threshold=0.5).clusters()
        messages.append(str(caught[0].message))
    assert messages[0] == messages[1]


def test_copies_with_slips_are_not_told() -> None:
    table = invoices().drop_duplicates(["supplier", "account"])
    table["name"] = [f"{name} {at}" for at, name in enumerate(table["supplier"], 100)]
    again = table.assign(name=table["name"].str.replace("e", "", n=1))
    both = pd.concat([table, again], ignore_index=True)[["name", "date", "account"]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        labels = pj.find_duplicates(both, on=list(both)).clusters()
    assert len(set(labels.tolist())) < len(both) - 20


def test_one_column_and_few_pairs_are_not_told() -> None:
    table = invoices(16)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pj.find_duplicates(table, on="supplier").clusters()
        pj.find_duplicates(table, on=list(table), threshold=0.3).clusters()
