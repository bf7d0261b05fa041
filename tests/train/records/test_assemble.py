"""Made tables: true truth, one seed one table, rates as they were drawn."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from pearljoin import InputError
from pearljoin_train.records import assemble, distinct_things, side
from pearljoin_train.records.assemble import (
    make_duplicates,
    make_gathered,
    make_records,
    make_tables,
)
from pearljoin_train.records.domains import DOMAINS
from pearljoin_train.records.domains.domain import Move
from pearljoin_train.records.made import MadeDuplicates, MadeTables
from pearljoin_train.records.multiplicity import Multiplicity, draw_counts
from pearljoin_train.records.noise import Noise
from pearljoin_train.records.side import Side, move_value

SEPARATORS = ("; ", " and ", " & ", ", ")
"""Between the authors of a list."""


def n_rows(table) -> int:
    lengths = {len(values) for values in table.values()}
    assert len(lengths) == 1
    return lengths.pop()


def tables_of(made):
    return (made.left, made.right) if isinstance(made, MadeTables) else (made.table,)


@pytest.fixture(scope="module")
def many(lists):
    """Return records of all domains, to link and to deduplicate."""
    return list(make_records(lists, 60, seed=4, most_rows=300))


def test_every_domain_and_both_tasks_are_made(many) -> None:
    assert {made.domain for made in many} == set(DOMAINS)
    shares = Counter(type(made) for made in many)
    assert shares[MadeTables] > shares[MadeDuplicates] > 12


def test_tables_are_whole(many) -> None:
    for made in many:
        for table in tables_of(made):
            assert list(table) == list(made.kinds)
            assert 1 <= n_rows(table) <= 300
            telling = [values for header, values in table.items() if made.kinds[header] != "noise"]
            rows = list(zip(*telling, strict=True))
            # A column that is cut out of its records may lack values.
            assert len(telling) == 1 or all(any(cell is not None for cell in row) for row in rows)
            cells = [value for row in rows for value in row if value is not None]
            assert all(isinstance(value, str) and value for value in cells)


def test_pairs_are_the_rows_of_one_thing(many) -> None:
    for made in many:
        if not isinstance(made, MadeTables):
            continue
        pairs = made.pairs()
        assert len(made.left_things) == n_rows(made.left)
        assert len(made.right_things) == n_rows(made.right)
        same = np.equal.outer(np.array(made.left_things), np.array(made.right_things))
        np.testing.assert_array_equal(pairs, np.argwhere(same))
        most_left = max(Counter(made.left_things).values())
        most_right = max(Counter(made.right_things).values())
        assert made.relation.startswith("many") or most_left == 1
        assert made.relation.endswith("many") or most_right == 1


def test_duplicates_have_a_cluster_a_row(lists) -> None:
    sizes = Counter()
    for seed in range(40):
        made = make_duplicates(lists, seed=seed, most_rows=1000)
        assert len(made.clusters) == n_rows(made.table)
        sizes.update(Counter(made.clusters).values())
    n_small = sum(n for size, n in sizes.items() if size <= 4)
    assert n_small / sizes.total() > 0.85
    assert max(sizes) >= 100


def test_gathered_rows_are_many_and_mostly_of_other_things(lists) -> None:
    for seed in range(12):
        made = make_gathered(lists, seed=seed, most_rows=800)
        n_left, n_right = n_rows(made.left), n_rows(made.right)
        assert list(made.left) == list(made.right) == list(made.kinds)
        assert len(made.left) >= 3
        assert 20 <= n_left <= 200
        assert n_right <= 800
        assert made.relation.endswith("many")
        assert max(Counter(made.right_things).values()) > 1
        of_none = np.mean(~np.isin(made.right_things, made.left_things))
        assert of_none == pytest.approx(made.unmatched[1], abs=0.02) or n_right == 800
        for table in (made.left, made.right):
            assert all(any(row) for row in zip(*table.values(), strict=True))


def test_gathered_rows_lack_more_and_are_written_in_more_ways(lists) -> None:
    made = [make_gathered(lists, seed=seed, domain="papers", most_rows=800) for seed in range(20)]
    missing = {"left": [], "right": []}
    separators = {"left": [], "right": []}
    for tables in made:
        for where, table in (("left", tables.left), ("right", tables.right)):
            others = [values for header, values in table.items() if tables.kinds[header] != "name"]
            missing[where] += [value is None for values in others for value in values]
            for header, kind in tables.kinds.items():
                if kind == "authors":
                    text = " | ".join(filter(None, table[header]))
                    separators[where].append(sum(mark in text for mark in SEPARATORS))
    assert np.mean(missing["right"]) > np.mean(missing["left"]) + 0.1
    assert np.mean(separators["right"]) > np.mean(separators["left"]) + 1


def test_papers_are_half_of_the_gathered_tables(lists) -> None:
    domains = Counter(make_gathered(lists, seed=seed, most_rows=40).domain for seed in range(60))
    assert 20 <= domains["papers"] <= 42
    assert len(domains) >= 6


def test_one_seed_gathers_one_table(lists) -> None:
    first, second = (make_gathered(lists, seed=3, most_rows=100) for _ in range(2))
    assert first == second
    assert first.right != make_gathered(lists, seed=4, most_rows=100).right


def test_one_seed_makes_one_table(lists) -> None:
    first, again = (list(make_records(lists, 12, seed=9, most_rows=80)) for _ in range(2))
    other = list(make_records(lists, 12, seed=10, most_rows=80))
    for one, two in zip(first, again, strict=True):
        assert one == two
    assert first != other
    # A record depends on its number alone, not on how many are made.
    assert next(iter(make_records(lists, 1, seed=9, most_rows=80))) == first[0]


def test_rows_of_one_thing_agree_more_than_others(lists) -> None:
    agree, disagree = [], []
    for seed in range(20):
        made = make_tables(lists, seed=seed, domain="people", most_rows=200)
        columns = [header for header, kind in made.kinds.items() if kind != "noise"]
        left = [tuple(made.left[h][row] for h in columns) for row in range(n_rows(made.left))]
        right = [tuple(made.right[h][row] for h in columns) for row in range(n_rows(made.right))]

        def equal(i: int, j: int, left=left, right=right) -> float:
            values = zip(left[i], right[j], strict=True)
            return float(np.mean([str(a).casefold() == str(b).casefold() for a, b in values]))

        pairs = made.pairs()
        agree += [equal(i, j) for i, j in pairs]
        disagree += [equal(i, (j + 1) % len(right)) for i, j in pairs]
    assert np.mean(agree) > np.mean(disagree) + 0.3


def test_noise_says_nothing(lists) -> None:
    for seed in range(30):
        noise = Noise(lists, Random(seed))
        one, two = noise.values(300), noise.values(300)
        assert len(one) == 300
        if noise.header in ("row", "source"):
            assert one == two
        else:
            assert one != two


@pytest.mark.thorough
def test_shares_of_unmatched_rows_are_as_drawn(lists) -> None:
    for seed in range(60):
        made = make_tables(lists, seed=seed, most_rows=1000)
        n_left, n_right = n_rows(made.left), n_rows(made.right)
        if min(n_left, n_right) < 40 or max(n_left, n_right) > 900:  # cut short
            continue
        pairs = made.pairs()
        found = 1 - len(set(pairs[:, 0])) / n_left, 1 - len(set(pairs[:, 1])) / n_right
        assert found == pytest.approx(made.unmatched, abs=0.03)


@pytest.mark.parametrize("relation", ["one_to_one", "many_to_one", "one_to_many", "many_to_many"])
def test_counts_fit_the_tables(relation) -> None:
    for seed in range(50):
        left, right = draw_counts(relation, (0.2, 0.5), 200, 300, Random(seed))
        assert sum(left) == 200
        assert 1 <= sum(right) <= 300
        assert all(one + two > 0 for one, two in zip(left, right, strict=True))
        assert relation.startswith("many") or max(left) == 1
        assert relation.endswith("many") or max(right) == 1


def test_some_things_have_very_many_rows() -> None:
    most = [max(Multiplicity(True, 3000, Random(seed)).draw_until(3000)) for seed in range(60)]
    assert sorted(most)[-5] > 100
    assert sorted(most)[20] < 20
    assert max(most) <= 300


def make_side(lists, domain: str, seed: int) -> tuple:
    made = DOMAINS[domain](lists, Random(seed))
    return made, Side(made, list(made.columns), Random(seed))


def test_missing_values_are_as_many_as_drawn(lists, monkeypatch) -> None:
    monkeypatch.setattr(side, "MOVING_SHARE", 0.0)
    monkeypatch.setattr(side, "PLACEHOLDER_SHARE", 0.0)
    for seed in range(5):
        made, written = make_side(lists, "people", seed)
        rows = [written.write(thing) for thing in made.things(1500)]
        assert any(rate > 0.05 for rate in written.rates.missing.values())
        for key, rate in written.rates.missing.items():
            assert rate <= side.MOST_MISSING
            found = np.mean([row[key] is None for row in rows])
            assert found == pytest.approx(rate, abs=0.05)


def test_slips_are_as_many_as_drawn(lists, monkeypatch) -> None:
    monkeypatch.setattr(side, "SEVERITIES", (0.2,))
    monkeypatch.setattr(side, "MOVING_SHARE", 0.0)
    monkeypatch.setattr(side, "COMPLETE_SHARE", 1.0)
    shares = []
    for seed in range(12):
        made, written = make_side(lists, "products", seed)
        things = made.things(500)
        rows = [written.write(thing) for thing in things]
        kept = ["".join(filter(str.isdigit, row["ean"])) == thing["ean"]
                for thing, row in zip(things, rows, strict=True)]  # fmt: skip
        shares.append((1 - np.mean(kept), written.rates.wrong["ean"]))
    found, drawn = np.transpose(shares)
    assert np.corrcoef(found, drawn)[0, 1] > 0.9
    # A slip may change nothing, such as a leading zero that is not there.
    assert 0.6 * drawn.mean() < found.mean() <= 1.1 * drawn.mean()


def test_values_move_to_another_column() -> None:
    row = {"brand": "Acme", "title": "Anvil", "price": None}
    move_value(row, Move("brand", "title"))
    assert row == {"brand": None, "title": "Acme Anvil", "price": None}
    move_value(row, Move("price", "title"))
    assert row["title"] == "Acme Anvil"
    row = {"brand": "acme", "title": "Acme Anvil"}
    move_value(row, Move("brand", "title"))
    assert row == {"brand": None, "title": "Acme Anvil"}
    row = {"given": "Ada", "family": "Doe"}
    move_value(row, Move("given", "family", ""))
    assert row == {"given": "Doe", "family": "Ada"}


def test_columns_that_move_are_missing_where_they_were(lists, monkeypatch) -> None:
    monkeypatch.setattr(side, "MOVING_SHARE", 1.0)
    monkeypatch.setattr(side, "MOVE_RATES", (0.5,))
    monkeypatch.setattr(side, "COMPLETE_SHARE", 1.0)
    monkeypatch.setattr(side, "CORE_COMPLETE_SHARE", 1.0)
    n_merged = 0
    for seed in range(12):
        made, written = make_side(lists, "music", seed)
        ((move, rate),) = written.rates.moves
        if move.text:
            n_merged += 1
            rows = [written.write(thing) for thing in made.things(300)]
            assert np.mean([row[move.source] is None for row in rows]) == pytest.approx(
                rate, abs=0.1
            )
    assert n_merged > 4


def test_two_sides_may_share_formats(lists) -> None:
    made = DOMAINS["papers"](lists, Random(0))
    first = Side(made, list(made.columns), Random(0))
    same = Side(made, list(made.columns), Random(1), first, 1.0)
    other = Side(made, list(made.columns), Random(1), first, 0.0)
    assert same._styles == first._styles
    assert not set(other._styles.values()) & set(first._styles.values())


def test_things_can_be_told_apart(lists) -> None:
    n_things = n_distinct = 0
    for seed in range(30):
        rng = Random(seed)
        made = DOMAINS["people"](lists, rng)
        layout = assemble.draw_layout(made, rng)
        things = distinct_things.distinct_things(made, 200, layout, rng)
        assert len(things) == 200
        telling = [
            key
            for key in layout.headers
            if key in made.core or made.columns[key].kind not in distinct_things.NOT_TELLING
        ]
        n_things += len(things)
        n_distinct += len({tuple(str(thing[key]) for key in telling) for thing in things})
    assert n_distinct / n_things > 0.97


@pytest.mark.parametrize("make", [make_tables, make_duplicates])
def test_the_smallest_table_has_one_row(make, lists) -> None:
    for seed in range(30):
        for table in tables_of(make(lists, seed=seed, most_rows=1)):
            assert n_rows(table) == 1


@pytest.mark.parametrize("make", [make_tables, make_duplicates])
def test_wrong_arguments(make, lists) -> None:
    with pytest.raises(InputError, match=r"domain is unknown. Got 'poems'. Hint: people, "):
        make(lists, seed=0, domain="poems")
    with pytest.raises(InputError, match=r"at least one row\. Got 0"):
        make(lists, seed=0, most_rows=0)
