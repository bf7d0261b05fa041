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


def test_all_written_tables_can_be_copied() -> None:
    for number, written in enumerate(read_written()):
        copied = copy_carelessly(written, Random(number))
        assert not copied.table.isna().all(axis=1).any(), written.name
