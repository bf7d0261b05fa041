"""Made tables of one column of text, and what the network that corrects them learns from."""

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin.scoring import INTERVAL_FEATURES
from pearljoin_train.data.join import Join
from pearljoin_train.record_scorer import text_tables
from pearljoin_train.record_scorer.train_text_correction import (
    Intervals,
    describe_table,
    train_text_correction,
)
from pearljoin_train.records.made import MadeDuplicates
from pearljoin_train.records.side import Rates


def made(names: list[str | None], clusters: list[int]) -> MadeDuplicates:
    return MadeDuplicates("made", {"name": names}, clusters, {"name": "name"}, Rates({}, {}, ()))


@pytest.mark.parametrize("kind", text_tables.KINDS)
def test_tables_have_one_column_and_a_seed_gives_the_same(kind, lists, monkeypatch):
    monkeypatch.setattr(text_tables, "KINDS", {kind: 1.0})
    names = {"people": lists.people, "journals": lists.journals}
    for seed in range(3):
        one, again = (
            text_tables.make_text_table(lists, names, seed=seed, most_rows=60) for _ in range(2)
        )
        assert one == again
        (column,) = one.table.values()
        assert len(column) == len(one.clusters) > 0


def test_both_sides_of_a_join_are_one_table():
    join = Join(
        "towns",
        ["Wien", "Nirgends", "Muenchen"],
        ["Munich", "München", "Vienna", "Bern"],
        [frozenset({"Vienna"}), frozenset(), frozenset({"Munich", "München"})],
    )
    rng = text_tables.Random(1)
    for _ in range(20):
        table = text_tables._below_each_other(join, rng)
        of = dict(zip(table.table["name"], table.clusters, strict=True))
        assert set(join.right) <= set(of)
        assert "Nirgends" not in of
        if "Wien" in of:
            assert of["Wien"] == of["Vienna"]
        if "Muenchen" in of:
            assert of["Muenchen"] == of["Munich"] == of["München"]
        assert len({of["Munich"], of["Vienna"], of["Bern"]}) == 3


def test_a_table_is_described_by_intervals_as_often_as_they_hold_pairs():
    starts = ["Halvor", "Quint", "Merid", "Okavan", "Tunder", "Zephyr", "Lindgr", "Pember"]
    ends = ["Shipping Company", "Dental Supply", "Paper Mills", "River Cruises"]
    names = [f"{start}a {end}" for start in starts for end in ends]
    again = [name.replace("a ", "ea ", 1) for name in names]
    table = made(names + again, [*range(len(names)), *range(len(names))])
    found = describe_table(table, pj.load_encoder("pearl-nano"))
    assert found is not None
    assert found.features.shape == (len(found.is_match), len(INTERVAL_FEATURES))
    assert len(found.left_rows) == len(found.is_match) > 0
    high = found.features[:, 0] > 1
    assert found.is_match[high].mean() > 0.8


def test_columns_that_do_not_tell_things_apart_do_not_count():
    names = [
        f"{word} Ltd"
        for word in ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Oak", "Yew")
    ]
    people = [
        f"{given} {family}" for given in ("Ann", "Bo", "Cy") for family in ("Lee", "Fox", "Ek")
    ]
    column = [*names, *people, *map(str.upper, people)]
    encoder = pj.load_encoder("pearl-nano")
    one_each = made(column, [*range(len(column))])
    assert describe_table(one_each, encoder) is None
    same = made(column, [*range(18), *range(9, 18)])
    assert describe_table(same, encoder) is not None


def test_the_network_learns_how_many_pairs_match():
    rng = np.random.default_rng(0)
    tables = []
    for _ in range(40):
        features = rng.normal(size=(60, len(INTERVAL_FEATURES))).astype(np.float32)
        tables.append(Intervals("made", features, (features[:, 0] > 0).astype(np.float32)))
    network = train_text_correction(tables)
    assert pd.DataFrame(network["members"][0][0]["weights"]).shape == (len(INTERVAL_FEATURES), 16)
