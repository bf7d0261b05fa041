"""Made catalogues: families of names that differ in a word, each a thing of its own."""

from collections import Counter, defaultdict
from random import Random
from statistics import mean

import pytest

from pearljoin_train.records.catalogues import FEWEST_ROWS, make_catalogue, make_catalogues
from pearljoin_train.records.families import draw_families
from pearljoin_train.records.namesakes import make_namesakes
from pearljoin_train.scorer.written_joins import make_written_joins

SEEDS = range(40)

MAKERS = make_catalogue, make_namesakes


@pytest.mark.parametrize("make", MAKERS)
def test_a_seed_gives_one_table(lists, make) -> None:
    one, two = (make(lists, seed=3, most_rows=80) for _ in range(2))
    assert (one.table, one.clusters) == (two.table, two.clusters)
    assert make(lists, seed=4, most_rows=80).table != one.table


@pytest.mark.parametrize("make", MAKERS)
def test_tables_have_the_rows_that_are_asked_for(lists, make) -> None:
    made = [make(lists, seed=seed, most_rows=60) for seed in SEEDS]
    sizes = [len(each.clusters) for each in made]
    assert min(sizes) == FEWEST_ROWS
    assert FEWEST_ROWS < mean(sizes) < max(sizes) <= 60
    for each, size in zip(made, sizes, strict=True):
        assert {len(values) for values in each.table.values()} == {size}
        assert set(each.kinds) == set(each.table)


def test_names_are_never_empty(lists) -> None:
    for seed in SEEDS:
        for make in MAKERS:
            (names,) = make(lists, seed=seed, most_rows=60).table.values()
            assert all(text and text.strip() == text for text in names)


def test_families_have_one_base_and_members_names_of_their_own(lists) -> None:
    families = draw_families(lists, 200, Random(1))
    assert sum(map(len, families)) == 200
    for family in families:
        bases = {member.base for member in family}
        assert len(bases) == 1
        assert len({member.names[0].casefold() for member in family}) == len(family)
    assert any(len(family) > 1 for family in families)


def test_several_people_share_a_part_of_their_names(lists) -> None:
    several = 0
    for seed in SEEDS:
        made = make_namesakes(lists, seed=seed, most_rows=60)
        (names,) = made.table.values()
        last = defaultdict(set)
        for text, thing in zip(names, made.clusters, strict=True):
            for word in text.casefold().replace(",", "").split():
                last[word].add(thing)
        several += max(map(len, last.values())) > 2
    assert several > 0.9 * len(SEEDS)


def test_things_have_names_of_their_own(lists) -> None:
    """Nothing is called what another thing of the table is called, slips apart."""
    for seed in SEEDS:
        made = make_catalogue(lists, seed=seed, most_rows=60)
        things = defaultdict(set)
        for text, thing in zip(made.table["name"], made.clusters, strict=True):
            things[text.casefold()].add(thing)
        shared = [some for some in things.values() if len(some) > 1]
        assert len(shared) <= 0.05 * len(things)


def test_most_tables_have_siblings_and_a_third_nothing_else(lists) -> None:
    """Siblings are different things whose names are equal but for a word in one place."""
    with_siblings, without_copies = 0, 0
    for seed in SEEDS:
        made = make_catalogue(lists, seed=seed, most_rows=60)
        thing_of = dict(zip(made.table["name"], made.clusters, strict=True))
        frames = defaultdict(set)
        for text, thing in thing_of.items():
            words = text.split()
            for at in range(len(words)):
                frames[(*words[:at], None, *words[at + 1 :])].add(thing)
        with_siblings += any(len(some) > 1 for some in frames.values())
        without_copies += max(Counter(made.clusters).values()) == 1
    assert with_siblings > 0.7 * len(SEEDS)
    assert 0.2 * len(SEEDS) < without_copies < 0.6 * len(SEEDS)


def test_joins_are_made_of_catalogues_as_of_written_tables(lists) -> None:
    made = list(make_catalogues(lists, 12, seed=1))
    assert len({table.domain for table in made}) == 6
    assert all(len(table.table) == len(table.clusters) >= FEWEST_ROWS for table in made)
    again = make_catalogues(lists, 12, seed=1)
    assert all(one.table.equals(two.table) for one, two in zip(made, again, strict=True))
    joins = list(make_written_joins(made, a_table=1, seed=0))
    assert len(joins) >= 6
    assert all(join.source.startswith("written_catalogue_") for join in joins)
    assert any(not answer for join in joins for answer in join.answers)
