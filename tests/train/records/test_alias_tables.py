"""Made tables of things that go by several names."""

import pandas as pd

from pearljoin_train.records.alias_tables import make_alias_table

NAMES = {
    "towns": {f"Town {at:03d}": [f"Ville {at:03d}", f"Stadt {at:03d}"] for at in range(400)},
    "plants": {f"Plant {at:03d}": [f"Herba {at:03d}"] for at in range(50)},
}


def tables(n: int = 60) -> list[tuple[pd.DataFrame, pd.Series]]:
    made = [make_alias_table(NAMES, seed=seed, most_rows=300) for seed in range(n)]
    return [(pd.DataFrame(each.table), pd.Series(each.clusters)) for each in made]


def test_they_have_names_and_something_beside_and_are_made_again_by_their_seed() -> None:
    for table, things in tables():
        assert table.shape[1] >= 2
        assert len(table) == len(things) >= 10
        assert not table["name"].isna().any()
    one, other = (make_alias_table(NAMES, seed=5) for _ in range(2))
    assert one.table == other.table
    assert one.clusters == other.clusters


def test_rows_of_one_thing_have_other_names_and_mostly_the_same_beside() -> None:
    n_names, shares = 0, []
    for table, things in tables():
        grouped = table.groupby(things)
        n_names += int((grouped["name"].nunique() > 1).sum())
        beside = grouped[list(table)[1:]].nunique()
        several = beside[things.value_counts().sort_index() > 1]
        shares += [float((several <= 1).to_numpy().mean())] if len(several) else []
    assert n_names > 100
    assert sum(shares) / len(shares) > 0.8


def test_some_things_share_what_stands_beside() -> None:
    shared = []
    for table, things in tables():
        first = table.groupby(things).first()
        codes = [name for name in ("code", "ref", "identifier", "latitude") if name in first]
        shared += [bool(first[name].dropna().duplicated().any()) for name in codes]
    assert 0 < sum(shared) < len(shared)
