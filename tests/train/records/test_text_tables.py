"""Made tables of one column of text, and what the network that corrects them learns from."""

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin.scoring import INTERVAL_FEATURES
from pearljoin_train.data.join import Join
from pearljoin_train.record_scorer.train_text_correction import (
    Intervals,
    describe_table,
    train_text_correction,
)
from pearljoin_train.records import text_tables
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
    letters = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("ara", "elo", "imu", "oni")]
    names = [f"{word.title()} {letters[-at].title()}" for at, word in enumerate(letters)]
    table = made(names + [f"{name}s" for name in names[:20]], [*range(len(names)), *range(20)])
    found = describe_table(table, pj.load_encoder("pearl-nano"))
    assert found is not None
    assert found.features.shape == (len(found.is_match), len(INTERVAL_FEATURES))
    assert len(found.left_rows) == len(found.is_match) > 0
    high = found.features[:, 0] > 1
    assert found.is_match[high].mean() > found.is_match[found.features[:, 0] < -1].mean()


def test_columns_that_do_not_tell_things_apart_do_not_count():
    names = [
        *("Ann Lee", "Bo Ek", "Cy Orr", "Di Fox") * 3,
        *(f"Name {at} Ltd" for at in "abcdefghijklmnop"),
    ]
    encoder = pj.load_encoder("pearl-nano")
    assert describe_table(made(names, [*range(len(names))]), encoder) is None
    assert (
        describe_table(made([str(at) for at in range(1000, 1030)], [*range(30)]), encoder) is None
    )


def test_the_network_learns_how_many_pairs_match():
    rng = np.random.default_rng(0)
    tables = []
    for _ in range(40):
        features = rng.normal(size=(60, len(INTERVAL_FEATURES))).astype(np.float32)
        tables.append(Intervals("made", features, (features[:, 0] > 0).astype(np.float32)))
    network = train_text_correction(tables)
    assert pd.DataFrame(network["members"][0][0]["weights"]).shape == (len(INTERVAL_FEATURES), 16)
