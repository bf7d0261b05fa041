"""Columns in which most pairs of a cluster differ are told."""

import warnings
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from invoices import SUPPLIERS, calendar, invoices, merge_related_rows
from repetitions import few

import pearljoin as pj
import pearljoin.pandas
from pearljoin._dedupe import differing_columns

LOW = 0.05
"""A threshold at which invoices of one supplier are taken for one; by default few are."""


@pytest.fixture(autouse=True)
def merged(monkeypatch) -> None:
    """Rows are merged that differ in a date."""
    merge_related_rows(monkeypatch)


def test_a_column_that_differs_in_most_pairs_is_told() -> None:
    table = invoices()
    result = pj.find_duplicates(table, on=list(table), threshold=LOW)
    with pytest.warns(pj.DifferingColumnWarning, match=r"'date' in \d+%.*veto='date' ") as caught:
        labels = result.clusters()
    assert [(told.filename, told.category) for told in caught] == [
        (__file__, pj.DifferingColumnWarning)
    ]
    n_found = len(table) - len(set(labels.tolist()))
    assert n_found > 20
    told = pj.find_duplicates(table, on=list(table), veto="date", threshold=LOW)
    assert len(table) - len(set(told.clusters().tolist())) < n_found / 4


ENTRIES = {
    "find_duplicates": lambda table, **of: pj.find_duplicates(table, **of).clusters(),
    "deduplicate": lambda table, **of: pj.deduplicate(table, **of)["cluster"].to_numpy(),
    "df.pearljoin": lambda table, **of: table.pearljoin.deduplicate(**of)["cluster"].to_numpy(),
    "Deduplicator": lambda table, **of: pj.Deduplicator(**of).fit(table).clusters(),
    "DuplicateClusterer": lambda table, **of: pj.DuplicateClusterer(**of).fit_predict(table),
}


@pytest.mark.parametrize("entry", few([*ENTRIES][1::2] + [*ENTRIES][::2], 2))
def test_the_hint_can_be_followed_wherever_it_is_given(entry) -> None:
    table = invoices()
    options = {"on": list(table), "threshold": LOW}
    with pytest.warns(pj.DifferingColumnWarning, match="veto='date' keeps them apart; ") as caught:
        together = ENTRIES[entry](table, **options)
    assert [told.filename for told in caught] == [__file__]
    apart = ENTRIES[entry](table, **options, veto="date")
    of_cluster = table["date"].groupby(apart).nunique()
    assert of_cluster.max() == 1 < table["date"].groupby(together).nunique().max()


def test_rows_in_another_order_are_told_alike() -> None:
    table = invoices()
    messages = []
    for shuffled in (table, table.sample(frac=1, random_state=1)):
        with pytest.warns(pj.DifferingColumnWarning) as caught:
            pj.find_duplicates(shuffled, on=list(table), threshold=LOW).clusters()
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


def quietly(*arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return pj.find_duplicates(*arguments, **options).clusters()


def test_few_pairs_are_not_told(monkeypatch) -> None:
    table = invoices()
    found = pj.find_duplicates(table, on=list(table), threshold=LOW)
    with pytest.warns(pj.DifferingColumnWarning):
        labels = found.clusters()
    n_pairs = int((np.bincount(labels) * (np.bincount(labels) - 1) // 2).sum())
    monkeypatch.setattr(differing_columns, "FEWEST", n_pairs + 1)
    quietly(table, on=list(table), threshold=LOW)


def test_one_column_is_not_told() -> None:
    table = pd.DataFrame({"name": [f"{name}{end}" for name in SUPPLIERS for end in ("", "s", "x")]})
    assert len(set(quietly(table, on="name", threshold=0.1).tolist())) < 20


def test_names_that_are_no_text_are_given_as_they_are() -> None:
    table = invoices().set_axis([0, 1, 2], axis=1)
    with pytest.warns(pj.DifferingColumnWarning, match=r"1 in \d+%.*veto=1 "):
        pj.find_duplicates(table, on=[0, 1, 2], threshold=LOW).clusters()


@pytest.mark.parametrize("on", few(map(list, permutations(["supplier", "date", "account"])), 2))
def test_some_pairs_stand_for_all(on, monkeypatch) -> None:
    found = pj.find_duplicates(invoices(400), on=list(on), threshold=0.3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        labels = found.clusters()
    of_some = differing_columns._differing_shares(found.comparison, labels, 0.3)
    monkeypatch.setattr(differing_columns, "MOST", 10**9)
    of_all = differing_columns._differing_shares(found.comparison, labels, 0.3)
    assert of_some == pytest.approx(of_all, abs=0.05)
    assert of_some != of_all


def test_other_thresholds_of_one_result_are_not_told() -> None:
    table = invoices()
    result = pj.find_duplicates(table, on=list(table), threshold=LOW)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result.at(0.6).clusters()
        result.expected_precision(0.7)
    with pytest.warns(pj.DifferingColumnWarning):
        result.clusters()


def test_a_column_whose_values_all_lie_close_is_told() -> None:
    """Departures within ten days are all alike, those of one route no more than those of others."""
    rng = np.random.default_rng(4)
    routes = [(f"{name} Air {at}", at) for at, name in enumerate(SUPPLIERS)]
    days = [f"2024-03-{day:02}" for day in range(1, 11)]
    rows = [
        (airline, f"gate {gate}", day)
        for airline, gate in routes
        for day in rng.choice(days, 4, replace=False)
    ]
    table = pd.DataFrame(rows, columns=["airline", "gate", "departure"])
    with pytest.warns(pj.DifferingColumnWarning, match=r"'departure' in \d+%") as caught:
        pj.find_duplicates(table, on=list(table), threshold=0.5).clusters()
    assert "airline" not in str(caught[0].message)
    assert "gate" not in str(caught[0].message)


def test_values_that_are_more_alike_than_by_chance_do_not_differ() -> None:
    usual = np.linspace(0, 3, 101, dtype=np.float32)
    share = differing_columns._differing_share
    far, near = np.full(30, 1.0, np.float32), np.full(30, 2.8, np.float32)
    assert share(far, usual, 4) == 1
    assert share(near, usual, 4) == 0
    assert share(np.concatenate([far, near]), usual, 4) == 0.5
    assert share(np.full(30, 4.0, np.float32), np.full(101, 4.0, np.float32), 4) == 0
    assert share(far[:5], usual, 4) == 0 == share(far, usual[:5], 4)
    few_values = np.concatenate([usual, np.full(50, 4.0, np.float32)])
    assert share(near, few_values, 4) == 0


def typo(text: str, rng: np.random.Generator) -> str:
    at = int(rng.integers(1, len(text)))
    return text[:at] + text[at + 1 :] if rng.random() < 0.4 else text


def test_rows_at_random_are_of_two_things() -> None:
    """Where two things have all rows, half of the pairs at random are matches."""
    rng = np.random.default_rng(0)
    things = [
        ("Marguerite Dubois", "Rue de la Liberation 12", "Clermont-Ferrand"),
        ("Bartholomew Greenwood", "Station Approach 145", "Wolverhampton"),
    ]
    table = pd.DataFrame(
        [[typo(text, rng) for text in things[at % 2]] for at in range(120)],
        columns=["name", "street", "town"],
    )
    labels = quietly(table, on=list(table))
    assert np.sort(np.bincount(labels))[-2:].sum() > 100


def test_a_value_that_a_source_spells_otherwise_is_not_told() -> None:
    table = pd.DataFrame(
        {
            "name": [f"{name} {end}" for name in SUPPLIERS for end in ("North", "South", "East")],
            "country": [
                ("Germany", "France", "Italy", "Spain")[at % 4] for at in range(3 * len(SUPPLIERS))
            ],
        }
    )
    again = table.assign(country=table["country"] + " (EU)")
    both = pd.concat([table, again], ignore_index=True)
    labels = quietly(both, on=list(both), threshold=0.5)
    assert len(set(labels.tolist())) <= len(table)


def test_rows_at_random_are_of_one_group() -> None:
    """Dates of one month are alike; those of one supplier no more than those of others."""
    rng = np.random.default_rng(2)
    suppliers = [f"{name} {end}" for name in SUPPLIERS for end in ("North", "South", "East")]
    rows = [
        (name, f"{name[:3].upper()}{at * 7919 + 10_000}", f"2024-{month:02}-{day:02}", month)
        for at, name in enumerate(suppliers)
        for month in [at % 6 + 1]
        for day in rng.choice(np.arange(1, 29), 5, replace=False)
    ]
    table = pd.DataFrame(rows, columns=["supplier", "account", "date", "month"])
    with pytest.warns(pj.DifferingColumnWarning, match="Got 'date' in"):
        pj.find_duplicates(
            table, on=["supplier", "account", "date"], by="month", threshold=0.5
        ).clusters()


def test_one_cluster_alone_is_not_told() -> None:
    table = pd.DataFrame({"name": [f"Acme {end}" for end in "abcdefgh"], "town": [*"ijklmnop"]})
    assert set(quietly(table, on=list(table), threshold=0.0).tolist()) == {0}


def test_a_date_that_differs_in_most_clusters_is_told_though_most_pairs_agree() -> None:
    table = calendar(7)
    options = {"on": list(table), "threshold": 0.3}
    with pytest.warns(pj.DifferingColumnWarning, match="Most clusters .*'starts' in ") as caught:
        together = pj.find_duplicates(table, **options).clusters()
    assert "veto='starts' keeps them apart" in str(caught[0].message)
    assert table["starts"].groupby(together).nunique().max() == 2
    apart = pj.find_duplicates(table, **options, veto="starts").clusters()
    assert table["starts"].groupby(apart).nunique().max() == 1
    quietly(calendar(0), **options)


def test_a_price_that_differs_in_most_clusters_is_not_told() -> None:
    table = calendar(0).rename(columns={"starts": "price"})
    table["price"] = [f"{at // 4 + (at % 4 == 3)}.50" for at in range(len(table))]
    labels = quietly(table, on=list(table), threshold=0.3)
    assert table["price"].groupby(labels).nunique().max() > 1
