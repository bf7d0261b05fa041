"""Made tables of related things: what relatives share, and that all stay different things."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from math import gcd
from random import Random

import numpy as np
import pytest

from pearljoin_train.records import related
from pearljoin_train.records.assemble import make_related
from pearljoin_train.records.related import MOST_RELATIVES, Relations

KEYS = ["name", "street", "born"]


def _things(n: int) -> list[dict[str, object]]:
    return [
        {"name": f"Name{i}x", "street": f"Street{i}x", "born": date(2000, 1, 1 + i % 28)}
        for i in range(n)
    ]


def _relations(seed: int) -> Relations:
    return Relations(KEYS, ["name"], Random(seed))


def test_relatives_take_values_from_one_before_them() -> None:
    shared = Counter()
    for seed in range(60):
        things = _relations(seed).relate(_things(40))
        assert len(things) == 40
        shared.update(Counter(thing["street"] for thing in things).values())
    assert shared[1] < shared.total()
    assert max(shared) > 3


def test_relatives_never_share_all_columns() -> None:
    for seed in range(60):
        for shared in _relations(seed)._shared:
            assert 1 <= len(shared) < len(KEYS)


def test_things_are_not_changed() -> None:
    things = _things(30)
    before = [{**thing} for thing in things]
    for seed in range(10):
        _relations(seed).relate(things)
    assert things == before


def test_a_thing_has_no_more_relatives_than_the_most(monkeypatch) -> None:
    monkeypatch.setattr(related, "POOLED_SHARE", 0.0)
    keys, most = ["name", "street"], 0
    for seed in range(60):
        things = [{"name": f"Name{i}x", "street": f"Street{i}x"} for i in range(400)]
        found = Relations(keys, ["name"], Random(seed)).relate(things)
        most = max(most, *Counter(thing["street"] for thing in found).values())
    assert 10 < most <= MOST_RELATIVES + 1


def test_numbers_follow_each_other() -> None:
    found = set()
    for seed in range(80):
        things = [{"code": f"INV-{1000 + 500 * i}", "firm": f"Firm{i}x"} for i in range(40)]
        for thing in Relations(["code", "firm"], ["code"], Random(seed)).relate(things):
            found.add(int(thing["code"][4:]) % 500)
    assert {0, 1, 2, 3} <= found


def test_dates_of_relatives_lie_in_even_steps() -> None:
    """A week, a month or a year apart, or multiples of it, within a family; or days."""
    is_even = []
    for seed in range(80):
        things = [{"name": f"Name{i}x", "day": date(2001, 1, 1)} for i in range(40)]
        families = defaultdict(list)
        for thing in Relations(["name", "day"], ["day"], Random(seed)).relate(things):
            families[thing["name"]].append((thing["day"] - date(2001, 1, 1)).days)
        steps = [gcd(*days) for days in families.values() if len({*days}) > 4]
        is_even += [step % 7 == 0 or step % 30 == 0 or step % 365 == 0 for step in steps]
    assert len(is_even) > 20
    assert 0.5 < np.mean(is_even) < 1


@pytest.mark.parametrize("most_rows", [10, 1000])
def test_tables_have_columns_and_rows(lists, most_rows: int) -> None:
    for seed in range(20):
        made = make_related(lists, seed=seed, most_rows=most_rows)
        n_rows = len(next(iter(made.table.values())))
        assert len(made.table) >= 2
        assert 1 <= n_rows == len(made.clusters) <= most_rows
        assert list(made.kinds) == list(made.table)


def test_the_same_seed_gives_the_same_table(lists) -> None:
    assert make_related(lists, seed=3) == make_related(lists, seed=3)
    assert make_related(lists, seed=3) != make_related(lists, seed=4)


def test_most_tables_have_few_copies(lists) -> None:
    repeated = [
        1 - len(set(made.clusters)) / len(made.clusters)
        for made in (make_related(lists, seed=seed, most_rows=400) for seed in range(60))
    ]
    assert np.mean(np.array(repeated) < 0.3) > 0.6
    assert max(repeated) > 0.5
