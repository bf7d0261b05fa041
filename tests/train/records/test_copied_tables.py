"""Written tables with careless copies: what is added, and what stays as it was written."""

from random import Random

import pandas as pd

from pearljoin_train.records.copied_tables import copy_carelessly
from pearljoin_train.records.written_tables import WrittenTable, read_written


def firms(n: int = 200) -> WrittenTable:
    table = pd.DataFrame(
        {
            "name": [f"Harbour Bakery {at} Limited" for at in range(n)],
            "founded": range(1800, 1800 + n),
            "city": ["Rome", None] * (n // 2),
        }
    )
    return WrittenTable("business", "firms", table, list(range(n)))


def test_every_row_is_still_there_and_further_ones_are_of_the_same_things() -> None:
    written = firms()
    for seed in range(20):
        copied = copy_carelessly(written, Random(seed))
        assert list(copied.table) == list(written.table)
        assert len(copied.table) == len(copied.clusters)
        assert set(copied.clusters) == set(written.clusters)
        names = set(zip(copied.table["name"], copied.clusters, strict=True))
        assert names >= set(zip(written.table["name"], written.clusters, strict=True))


def test_copies_have_slips_and_lack_values_in_some_tables_many_in_others_few() -> None:
    written = firms()
    shares = []
    for seed in range(40):
        copied = copy_carelessly(written, Random(seed))
        of_thing = written.table["name"].iloc[copied.clusters].to_numpy()
        n_copies = len(copied.table) - len(written.table)
        shares.append((copied.table["name"].to_numpy() != of_thing).sum() / max(1, n_copies))
    assert min(shares) < 0.1
    assert max(shares) > 0.4
    assert 0.1 < sum(shares) / len(shares) < 0.5


def test_the_same_draws_give_the_same_table_and_written_ones_do_not_change() -> None:
    written = firms()
    before = written.table.copy()
    one, other = (copy_carelessly(written, Random(3)) for _ in range(2))
    pd.testing.assert_frame_equal(one.table, other.table)
    assert one.clusters == other.clusters
    pd.testing.assert_frame_equal(written.table, before)


def test_whole_numbers_beside_missing_values_stay_whole() -> None:
    table = pd.DataFrame({"name": ["Acme", "Borg", "Cern"] * 9, "year": ["1990", None, "2001"] * 9})
    written = WrittenTable("business", "firms", table, list(range(27)))
    copied = [copy_carelessly(written, Random(seed)).table["year"] for seed in range(20)]
    texts = [years.dropna() for years in copied if not pd.api.types.is_numeric_dtype(years)]
    assert texts
    assert not any(years.str.contains(".0", regex=False).any() for years in texts)


def test_no_copy_is_a_row_of_another_thing() -> None:
    table = pd.DataFrame({"size": [f"M{at}" for at in range(10, 100)], "kind": ["bolt"] * 90})
    written = WrittenTable("business", "bolts", table, list(range(90)))
    thing_of = dict(zip(table["size"], written.clusters, strict=True))
    n_wrong = 0
    for seed in range(20):
        copied = copy_carelessly(written, Random(seed))
        rows = copied.table.assign(thing=copied.clusters)
        bolts = rows[(rows["kind"] == "bolt") & rows["size"].isin(thing_of)]
        assert (bolts["size"].map(thing_of) == bolts["thing"]).all()
        n_wrong += int((~rows["size"].isin(thing_of)).sum())
    assert n_wrong > 20


def test_written_tables_can_be_copied() -> None:
    for number, written in enumerate([*read_written()][::6]):
        copied = copy_carelessly(written, Random(number))
        assert not copied.table.isna().all(axis=1).any(), written.name


def test_no_copies_of_two_things_are_alike() -> None:
    """Where a digit or a word tells things apart, values that are left out make some alike."""
    tables = [each for each in read_written() if each.name in ("cabin_inventory", "verger_rangs")]
    assert len(tables) == 2
    for written in tables:
        for seed in range(10):
            copied = copy_carelessly(written, Random(seed))
            rows = copied.table.assign(thing=copied.clusters).drop_duplicates()
            assert not rows.duplicated(list(copied.table)).any()


def test_each_row_is_copied_where_that_is_asked() -> None:
    written = firms()
    n_rows = [len(copy_carelessly(written, Random(2), at_least=n).clusters) for n in (0, 1, 2)]
    assert n_rows == sorted(n_rows)
    twice = copy_carelessly(written, Random(2), at_least=1)
    # A copy that slips have made a row of another firm is left out.
    assert (pd.Series(twice.clusters).value_counts() >= 2).mean() > 0.95
