"""Things of each domain, their near twins, and how sources see them."""

from random import Random

import pytest

from pearljoin_train.records.domains import DOMAINS
from pearljoin_train.records.domains.companies import Companies
from pearljoin_train.records.domains.domain import Domain
from pearljoin_train.records.domains.papers import Papers
from pearljoin_train.records.domains.people import People
from pearljoin_train.records.domains.places import Places
from pearljoin_train.records.domains.transactions import Transactions

SEEDS = range(6)


@pytest.mark.parametrize("name", DOMAINS)
def test_a_domain_yields_things_that_every_column_can_write(name, lists) -> None:
    for seed in SEEDS:
        domain = DOMAINS[name](lists, Random(seed))
        assert set(domain.core) <= set(domain.columns)
        for move in domain.moves:
            assert move.source != move.target
        things = domain.things(60)
        assert len(things) == 60
        rng = Random(seed)
        for key, column in domain.columns.items():
            style = column.style(rng)
            values = [domain.observe(thing, rng)[key] for thing in things]
            written = [style.write(value, rng) for value in values if value is not None]
            assert len(written) > 5, key
            assert all(written), key


@pytest.mark.parametrize("name", DOMAINS)
def test_things_depend_on_the_seed_alone(name, lists) -> None:
    def core(seed: int) -> list[list[str]]:
        domain = DOMAINS[name](lists, Random(seed))
        return [[str(thing[key]) for key in domain.core] for thing in domain.things(30)]

    assert core(1) == core(1)
    assert core(1) != core(2)


@pytest.mark.parametrize("name", DOMAINS)
def test_no_things_are_asked_for(name, lists) -> None:
    assert DOMAINS[name](lists, Random(0)).things(0) == []


def near_pairs(kind: type[Domain], lists) -> list:
    """Draw things and a near twin of each, from several worlds."""
    pairs = []
    for seed in range(12):
        domain = kind(lists, Random(seed))
        for _ in range(20):
            thing = domain._new()
            pairs.append((thing, domain._near(thing)))
    return pairs


def share(truths) -> float:
    truths = list(truths)
    return sum(truths) / len(truths)


def test_relatives_share_a_house_and_namesakes_a_name(lists) -> None:
    pairs = near_pairs(People, lists)
    is_relative = [a["address"] == b["address"] for a, b in pairs]
    assert 0.5 < share(is_relative) < 0.9
    for (a, b), related in zip(pairs, is_relative, strict=True):
        assert a["person"].family == b["person"].family
        if not related:
            assert a["person"].given == b["person"].given
    assert share(a["born"] != b["born"] for a, b in pairs) > 0.85


def test_people_marry_and_move_for_good(lists) -> None:
    changed = 0
    for seed in range(30):
        domain = People(lists, Random(seed))
        domain._married_rate = 0.5
        thing = domain._new()
        rng = Random(seed)
        families = {domain.observe(thing, rng)["family"].family for _ in range(20)}
        assert len(families) <= 2
        changed += len(families) == 2
    assert changed > 20


def test_branches_share_a_name_and_sisters_a_part_of_it(lists) -> None:
    pairs = near_pairs(Companies, lists)
    is_branch = [a["name"] == b["name"] for a, b in pairs]
    assert 0.3 < share(is_branch) < 0.6
    assert share(a["name"][0].split()[0] == b["name"][0].split()[0] for a, b in pairs) > 0.9
    assert share(a["id"] != b["id"] for a, b in pairs) > 0.99


def test_versions_of_a_paper_share_title_and_authors(lists) -> None:
    pairs = near_pairs(Papers, lists)
    versions = [
        (a, b) for a, b in pairs if a["title"] == b["title"] and a["authors"] == b["authors"]
    ]
    assert 0.1 < len(versions) / len(pairs) < 0.5
    assert share(abs(a["year"] - b["year"]) <= 2 for a, b in versions) > 0.8
    namesakes = [a["title"] == b["title"] and a["authors"] != b["authors"] for a, b in pairs]
    assert 0.05 < share(namesakes) < 0.5


def test_namesakes_of_places_lie_elsewhere(lists) -> None:
    for a, b in near_pairs(Places, lists):
        is_near = abs(a["latitude"] - b["latitude"]) < 0.2
        assert is_near != (a["name"] == b["name"]) or is_near


def test_payments_recur_and_are_booked_later(lists) -> None:
    pairs = near_pairs(Transactions, lists)
    monthly = [a["amount"] == b["amount"] and a["memo"]["merchant"] == b["memo"]["merchant"]
               for a, b in pairs]  # fmt: skip
    assert 0.2 < share(monthly) < 0.6
    for seed in range(10):
        domain = Transactions(lists, Random(seed))
        thing, rng = domain._new(), Random(seed)
        delays = [(domain.observe(thing, rng)["date"] - thing["date"]).days for _ in range(50)]
        assert min(delays) >= 0
        assert max(delays) <= domain._delay
