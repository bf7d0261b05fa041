"""Made tables of what happens again: rows that differ in a date."""

import pandas as pd
import pytest

from pearljoin_train.records.lists import read_lists
from pearljoin_train.records.made import MadeDuplicates
from pearljoin_train.records.session_tables import make_session_table


@pytest.fixture(scope="module")
def made(lists) -> list[MadeDuplicates]:
    return [make_session_table(lists, seed=seed) for seed in range(60)]


def test_a_seed_gives_one_table(made, data_folder) -> None:
    again = make_session_table(read_lists("training", data_folder), seed=7)
    assert again.table == made[7].table
    assert again.clusters == made[7].clusters


def test_one_title_has_many_dates_and_one_session_one_date(made) -> None:
    n_dates = []
    for each in made:
        table = pd.DataFrame(each.table).assign(thing=each.clusters)
        assert {"title", "date"} <= {*table}
        first = table.drop_duplicates("thing")
        assert not first.duplicated([name for name in table if name != "thing"]).any()
        n_dates.append(first.groupby("title")["date"].nunique().max())
    assert min(n_dates) >= 2
    assert max(n_dates) > 50


def test_in_some_tables_sessions_have_further_rows(made) -> None:
    shares = pd.Series([1 - len(set(each.clusters)) / len(each.clusters) for each in made])
    assert 0.25 < (shares == 0).mean() < 0.75
    assert shares.max() > 0.3
