"""Written tables split in two."""

from collections import Counter
from random import Random

import pandas as pd
import pytest

import pearljoin as pj
from pearljoin_train.record_scorer import training_tables
from pearljoin_train.record_scorer.evidence import compute_evidence
from pearljoin_train.record_scorer.training_tables import unseen_tables
from pearljoin_train.records import split_tables
from pearljoin_train.records.made import LinkedTables
from pearljoin_train.records.split_tables import split_in_two
from pearljoin_train.records.written_tables import WrittenTable, as_texts, read_written

MANY = {
    "one_to_one": [False, False],
    "many_to_one": [True, False],
    "one_to_many": [False, True],
    "many_to_many": [True, True],
}
"""Whether some things have several rows on the left, and on the right."""


@pytest.fixture(scope="module")
def written() -> list[WrittenTable]:
    return list(read_written(fewest_columns=2))[::10]


@pytest.fixture
def complete(monkeypatch) -> None:
    """No thing lacks its rows of one side."""
    monkeypatch.setattr(split_tables, "ABSENT_SHARES", (0.0,))
    monkeypatch.setattr(split_tables, "UNASKED_SHARES", (0.0,))


def rows_of(made: LinkedTables) -> list[tuple[int, tuple[str, ...]]]:
    """Rows of both sides as texts, each with its thing."""
    found = []
    for side, things in ((made.left, made.left_things), (made.right, made.right_things)):
        values = ([value or "" for value in column] for column in side.values())
        found += zip(things, zip(*values, strict=True), strict=True)
    return found


def small_table() -> WrittenTable:
    """Four things: of one row, of two, of three and of four."""
    things = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    return WrittenTable(
        "business", "small", pd.DataFrame({"name": [*"abcdefghij"], "size": range(10)}), things
    )


def test_each_row_is_on_one_side_with_its_thing(written) -> None:
    for number, each in enumerate(written):
        made = split_in_two(each, Random(number))
        assert list(made.left) == list(made.right) == list(each.table)
        known = Counter(zip(each.clusters, map(as_texts, each.rows()), strict=True))
        found = Counter(rows_of(made))
        assert found <= known
        assert found
        # What has one row stays: it is the sibling of others.
        sizes = Counter(each.clusters)
        single = {thing for thing, size in sizes.items() if size == 1}
        assert single <= {*made.left_things, *made.right_things}
        assert not single & set(made.left_things) & set(made.right_things)
        assert set(sizes) == {*made.left_things, *made.right_things}


@pytest.mark.usefixtures("complete")
def test_relations_say_how_many_rows_of_a_thing_a_side_has() -> None:
    seen: dict[str, list[tuple[int, int]]] = {relation: [] for relation in MANY}
    for seed in range(200):
        made = split_in_two(small_table(), Random(seed))
        left, right = Counter(made.left_things), Counter(made.right_things)
        counts = [(left[thing], right[thing]) for thing in (1, 2, 3)]
        assert all(here and there for here, there in counts)
        seen[made.relation] += counts
        if made.relation != "one_to_one":
            assert len(rows_of(made)) == 10
    for relation, counts in seen.items():
        largest = [max(side) for side in zip(*counts, strict=True)]
        assert [size > 1 for size in largest] == MANY[relation]


def test_things_lack_the_rows_of_a_side_in_the_shares_drawn(monkeypatch) -> None:
    monkeypatch.setattr(split_tables, "UNASKED_SHARES", (0.0,))
    monkeypatch.setattr(split_tables, "ABSENT_SHARES", (1.0,))
    made = split_in_two(small_table(), Random(0))
    assert not set(made.right_things) - {0}
    assert {1, 2, 3} <= set(made.left_things)
    monkeypatch.setattr(split_tables, "ABSENT_SHARES", (0.0,))
    monkeypatch.setattr(split_tables, "UNASKED_SHARES", (1.0,))
    made = split_in_two(small_table(), Random(0))
    assert not set(made.left_things) - {0}
    assert {1, 2, 3} <= set(made.right_things)


def test_a_split_depends_on_its_seed_alone(written) -> None:
    each = max(written, key=lambda table: len(table.clusters))
    assert split_in_two(each, Random(5)) == split_in_two(each, Random(5))
    assert split_in_two(each, Random(5)) != split_in_two(each, Random(6))


def test_tables_differ_in_what_is_answered(written) -> None:
    """Some have an answer to most rows, and some to none, though all rows look alike."""
    made = [split_in_two(each, Random(number)) for number, each in enumerate(written)]
    shares = pd.Series(
        [pd.Series(each.left_things).isin(each.right_things).mean() for each in made]
    )
    assert (shares == 0).mean() > 0.2
    assert (shares > 0.5).mean() > 0.1


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


@pytest.mark.parametrize("is_left_empty", [True, False])
def test_an_empty_side_is_no_evidence(is_left_empty) -> None:
    table = pd.DataFrame({"name": ["Acme Corp"], "city": ["Rome"]})
    single = WrittenTable("business", "firms", table, [0])
    splits = (split_in_two(single, Random(seed)) for seed in range(50))
    made = next(each for each in splits if bool(each.right_things) == is_left_empty)
    assert compute_evidence(made, pj.load_encoder("pearl-nano")) is None


def test_each_written_table_is_split_so_often(monkeypatch) -> None:
    monkeypatch.setattr(training_tables, "compute_evidence", lambda made, encoder: made)
    encoder = None  # nothing is compared
    every = Counter(each.domain for each in read_written(fewest_columns=2))
    for splits in (0, 1, 2):
        made = Counter(made.domain for made in unseen_tables(0, 0, encoder, splits))
        assert made == Counter({area: splits * n for area, n in every.items() if splits})


def test_both_sides_have_most_things_of_the_tables_that_are_learned_from(monkeypatch) -> None:
    """Else a table of which each row is another thing would have no answers at all."""
    monkeypatch.setattr(training_tables, "compute_evidence", lambda made, encoder: made)
    made = list(unseen_tables(0, 0, None, 1))
    shares = [pd.Series(each.left_things).isin(each.right_things).mean() for each in made]
    assert 0.5 < pd.Series(shares).mean() < 0.8
    assert (pd.Series(shares) < 0.3).mean() > 0.05
