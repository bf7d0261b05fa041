"""Laws of joins on several columns: what one more column may do, and what it may not."""

import numpy as np
import pandas as pd
import pytest
from frames import pairs_of
from made_up import Tables, people, products
from repetitions import few

import pearljoin as pj

pytestmark = pytest.mark.usefixtures("kept_vectors")

SEEDS = range(12)
NOISE_SEEDS = range(5)
"""Their mean is checked; each further seed takes twelve joins."""

MOST_LOST = 0.01
"""F1 that a column without information may cost."""


def f1(tables: Tables, keys: list[str]) -> float:
    """F1 at default settings."""
    found = set(pairs_of(pj.match(tables.left, tables.right, on=keys).matches()))
    return 2 * len(found & tables.gold) / max(1, len(found) + len(tables.gold))


def with_column(tables: Tables, made) -> Tables:
    """The same tables with one more column."""
    left, right = (side.assign(more=made(len(side))) for side in (tables.left, tables.right))
    return Tables(left, right, [*tables.keys, "more"], tables.gold)


def column_of(what: str, seed: int):
    """What makes a column of so many rows that tells nothing."""
    rng = np.random.default_rng(seed)
    letters = list("abcdefghijklmnopqrstuvwxyz")

    def words(n: int) -> list[str]:
        return ["".join(rng.choice(letters, 7)) for _ in range(n)]

    return {
        "row numbers": lambda n: rng.permutation(n),
        "constant": lambda n: ["the same"] * n,
        "words": words,
        "numbers": lambda n: rng.normal(size=n).round(3),
        "few values": lambda n: rng.choice(["red", "green", "blue"], n),
    }[what]


@pytest.fixture(scope="module", params=[people, products])
def made(request) -> list[tuple[Tables, float]]:
    """Made tables of some seeds, and the F1 on their own columns."""
    tables = [request.param(120, seed=20 + seed) for seed in NOISE_SEEDS]
    return [(each, f1(each, each.keys)) for each in tables]


@pytest.mark.thorough
@pytest.mark.parametrize("what", ["words", "row numbers", "constant", "numbers", "few values"])
def test_a_column_that_tells_nothing_costs_next_to_nothing(made, what: str) -> None:
    lost = []
    for seed, (tables, before) in enumerate(made):
        longer = with_column(tables, column_of(what, seed))
        lost.append(before - f1(longer, longer.keys))
    assert np.mean(lost) <= MOST_LOST, lost


@pytest.mark.parametrize("seed", few(SEEDS, 1))
def test_a_column_that_agrees_never_lowers_the_rank_of_the_right_answer(seed: int) -> None:
    tables = people(100, seed=40 + seed)
    matcher = pj.Matcher(on=tables.keys, threshold=0.0).fit(tables.right).calibrate(tables.left)
    gold = dict(sorted(tables.gold))
    rows = list(gold)[:25]
    # A fitted matcher matches each row by itself, so that all questions are asked at once.
    sides = []
    for column in tables.keys:
        left = tables.left.iloc[rows].reset_index(drop=True)
        without, agreeing = left.copy(), left.copy()
        without[column] = None
        values = tables.right[column].iloc[[gold[row] for row in rows]]
        agreeing[column] = values.to_list()
        sides += [without, agreeing]
    found = ranks(matcher, pd.concat(sides, ignore_index=True), rows * len(sides), gold)
    of_side = np.reshape(found, (len(tables.keys), 2, len(rows)))
    worse, asked = [], 0
    for column, agreeing, (before, after) in zip(tables.keys, sides[1::2], of_side, strict=True):
        for at, row in enumerate(rows):
            if not pd.isna(agreeing[column][at]):
                asked += 1
                if after[at] > before[at]:
                    worse.append((column, row, before[at], after[at]))
    assert asked > 50
    assert worse == []


def ranks(matcher: pj.Matcher, left: pd.DataFrame, rows: list[int], gold: dict) -> list[float]:
    """Rank of the right answer to each left row, from 0; infinite where it is no candidate."""
    comparison = matcher.match(left).comparison
    candidates = comparison.candidates
    found = []
    for at, row in enumerate(rows):
        record = comparison.left.of_row[at]
        answer = comparison.right.of_row[gold[row]]
        mine = candidates.left == record
        place = np.flatnonzero(candidates.right[mine] == answer)
        if not len(place):
            found.append(np.inf)
            continue
        scores, equality = candidates.score[mine], candidates.equality[mine]
        ahead = (equality > equality[place[0]]) | (
            (equality == equality[place[0]]) & (scores > scores[place[0]])
        )
        found.append(float(ahead.sum()))
    return found


@pytest.mark.parametrize("column", ["last", "born"])
def test_a_list_of_one_column_is_that_column(column: str) -> None:
    tables = people(60, seed=8)
    one = pj.match(tables.left, tables.right, on=column, threshold=0.0)
    listed = pj.match(tables.left, tables.right, on=[column], threshold=0.0)
    assert one.keys == listed.keys
    for name in ("left", "right", "score"):
        first, second = getattr(one.matches(), name), getattr(listed.matches(), name)
        assert first.tolist() == second.tolist()


def test_a_city_that_agrees_in_every_pair_leaves_all_names_found() -> None:
    rng = np.random.default_rng(3)
    syllables = [
        "bran",
        "ker",
        "mol",
        "tis",
        "vun",
        "dar",
        "fel",
        "gor",
        "hin",
        "lop",
        "sud",
        "wez",
    ]
    names = list(dict.fromkeys("".join(rng.choice(syllables, 3)) for _ in range(400)))[:120]
    cities = rng.choice(["Leeds", "York", "Bonn", "Lyon", "Oslo", "Graz"], 120)
    right = pd.DataFrame({"name": names, "city": cities})
    left = right.head(60).copy()
    left["name"] = [name[:4] + name[5:] for name in left["name"]]
    found = pairs_of(pj.match(left, right, on=["name", "city"]).matches())
    assert found == [(row, row) for row in range(60)]
