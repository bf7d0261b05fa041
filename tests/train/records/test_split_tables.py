"""Written tables split in two."""

from random import Random

import pandas as pd
import pytest

import pearljoin as pj
from pearljoin_train.record_scorer.evidence import compute_evidence
from pearljoin_train.records.split_tables import split_in_two
from pearljoin_train.records.written_tables import WrittenTable, as_texts, read_written


@pytest.fixture(scope="module")
def written() -> list[WrittenTable]:
    return list(read_written(fewest_columns=2))[::10]


def test_each_row_is_on_one_side_with_its_thing(written) -> None:
    for number, each in enumerate(written):
        made = split_in_two(each, Random(number))
        known = list(zip(each.clusters, map(as_texts, each.rows()), strict=True))
        for side, things in ((made.left, made.left_things), (made.right, made.right_things)):
            assert list(side) == list(each.table)
            rows = pd.DataFrame(side).astype(object)
            texts = [
                as_texts(row) for row in rows.where(rows.notna(), None).itertuples(index=False)
            ]
            for of_row in zip(things, texts, strict=True):
                known.remove(of_row)  # fails where it is not there, or there twice


def test_tables_differ_in_what_is_answered(written) -> None:
    """Some have an answer to nearly every row, and some to none, though all rows look alike."""
    made = [split_in_two(each, Random(number)) for number, each in enumerate(written)]
    shares = pd.Series(
        [pd.Series(each.left_things).isin(each.right_things).mean() for each in made if each.left]
    )
    assert (shares == 0).mean() > 0.2
    assert (shares > 0.5).mean() > 0.1


def test_a_thing_of_one_row_is_on_one_side() -> None:
    table = pd.DataFrame({"name": ["a", "b", "c", "d"], "size": [1, 2, 3, 4]})
    for seed in range(20):
        made = split_in_two(WrittenTable("business", "sizes", table, [0, 1, 2, 2]), Random(seed))
        assert set(made.left_things) & set(made.right_things) <= {2}
        assert len(made.left_things) + len(made.right_things) <= 4


def test_sides_are_compared_by_all_columns() -> None:
    table = pd.DataFrame(
        {
            "name": ["Acme Corp", "Acme Corporation", "Borg Ltd", "Borg Limited", "Cern SA"],
            "city": ["Rome", "Rome", "Oslo", "Oslo", "Bern"],
        }
    )
    made = split_in_two(WrittenTable("business", "firms", table, [0, 0, 1, 1, 2]), Random(3))
    found = compute_evidence(made, pj.load_encoder("pearl-nano"))
    assert found is not None
    assert found.kinds == ("name", "name")
    assert found.is_match.sum() == found.n_answerable == len(made.pairs()) > 0
