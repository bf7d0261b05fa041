"""Of many candidates the likeliest are kept, by cheap measures."""

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._candidates import blocking
from pearljoin._candidates.likeliest import KEPT, likeliest_pairs
from pearljoin._comparison import comparison as comparing
from pearljoin._comparison.comparison import Comparison

GIVEN = ["Ann", "Bea", "Cleo", "Dora", "Eva", "Fay", "Gus", "Hal", "Ivo", "Jon"]
FAMILY = ["Abbot", "Barlow", "Chandra", "Dunne", "Eriksen", "Fofana", "Gallo", "Huang", "Ibarra"]
TOWNS = ["Oslo", "Rome", "Lyon", "Cork", "Riga", "Bern"]
ON = ["name", "town", "born"]


def people(n: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "name": [
                f"{rng.choice(GIVEN)} {rng.choice(FAMILY)}-{rng.choice(FAMILY)}" for _ in range(n)
            ],
            "town": rng.choice(TOWNS, n),
            "born": [
                f"19{rng.integers(40, 99)}-0{rng.integers(1, 9)}-1{rng.integers(9)}"
                for _ in range(n)
            ],
        }
    )


def written_again(table: pd.DataFrame) -> pd.DataFrame:
    """Letters change places, and some values are missing."""
    name = [text[:2] + text[3] + text[2] + text[4:] for text in table["name"]]
    missing = np.arange(len(table)) % 3
    return pd.DataFrame(
        {
            "name": name,
            "town": table["town"].where(missing != 0, None),
            "born": table["born"].where(missing != 1, None),
        }
    )


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    table = people(200)
    return pj.match(written_again(table), table, on=ON, encoder="pearl-nano").comparison


def test_the_likeliest_few_of_each_record_are_kept(comparison):
    left, right = comparison.sides
    every = np.repeat(np.arange(len(left)), len(right)), np.tile(np.arange(len(right)), len(left))
    kept = likeliest_pairs(left, right, every)
    sizes = np.bincount(kept[0], minlength=len(left))
    assert sizes.min() >= KEPT
    assert sizes.max() <= 2 * KEPT
    keys = kept[0] * len(right) + kept[1]
    assert (np.diff(keys) > 0).all()
    own = comparison.left.of_row * len(right) + comparison.right.of_row
    assert np.isin(own, keys).mean() > 0.99


def test_records_of_few_candidates_keep_them_all(comparison):
    sides = comparison.sides
    few = np.repeat(np.arange(5), 3), np.tile(np.arange(3), 5)
    kept = likeliest_pairs(*sides, few)
    assert [side.tolist() for side in kept] == [side.tolist() for side in few]
    nothing = np.zeros((2, 0), dtype=np.int64)
    assert [len(side) for side in likeliest_pairs(*sides, tuple(nothing))] == [0, 0]


def test_large_tables_have_few_candidates_and_the_same_matches(monkeypatch):
    table = people(300)
    asked = written_again(table)
    all_of_them = pj.match(asked, table, on=ON, encoder="pearl-nano")
    for module in (blocking, comparing):
        monkeypatch.setattr(module, "LARGE", 200)
    few = pj.match(asked, table, on=ON, encoder="pearl-nano")
    n_pairs = [len(found.comparison.candidate_pairs[0]) for found in (all_of_them, few)]
    assert n_pairs[1] < 2 * KEPT * len(asked) < n_pairs[0]
    matched = [
        set(zip(found.matches().left.tolist(), found.matches().right.tolist(), strict=True))
        for found in (all_of_them, few)
    ]
    assert len(matched[0]) > 250
    assert len(matched[0] & matched[1]) > 0.98 * len(matched[0])


@pytest.fixture
def small_is_large(monkeypatch):
    """Let 200 records be many."""
    for module in (blocking, comparing):
        monkeypatch.setattr(module, "LARGE", 200)


@pytest.mark.usefixtures("small_is_large")
def test_among_many_records_all_with_equal_keys_match_and_the_very_same_is_the_answer():
    word = "zacharias w"
    written = [
        "".join(letter.upper() if at >> bit & 1 else letter for bit, letter in enumerate(word))
        for at in range(2 * KEPT + 10)
    ]
    same = pd.DataFrame({"name": written, "town": "Oslo", "born": "1950-01-11"})
    table = pd.concat([people(250), same], ignore_index=True)
    asked = same.tail(1)
    matcher = pj.Matcher(on=ON, encoder="pearl-nano")
    assert matcher.fit(table).match(asked).matches().right.tolist() == [len(table) - 1]
    matcher = pj.Matcher(on=ON, encoder="pearl-nano", constraint="many_to_many")
    found = matcher.fit(table).match(asked).matches().right
    assert set(range(250, len(table))) <= set(found.tolist())


@pytest.mark.usefixtures("small_is_large")
def test_candidates_among_many_depend_on_no_other_left_record():
    table = people(1_000)
    table["group"] = np.where(np.arange(len(table)) % 2, "odd", "even")
    asked = table.sample(100, random_state=0)
    asked["name"] = None  # What is left has common values, so that many records are as near.
    matcher = pj.Matcher(on=ON, by="group", encoder="pearl-nano").fit(table)

    def candidates(rows):
        comparison = matcher.match(asked.iloc[rows]).comparison
        left_at, right_at = comparison.blocked
        of_row = comparison.left.of_row
        return [right_at[left_at == record].tolist() for record in of_row]

    together = candidates(np.arange(len(asked)))
    order = np.random.default_rng(0).permutation(len(asked))
    assert candidates(order) == [together[row] for row in order]
    assert [candidates([row])[0] for row in range(5)] == together[:5]


@pytest.mark.usefixtures("small_is_large")
def test_of_records_among_many_that_are_as_near_the_first_are_candidates():
    born = pd.date_range("1940-01-01", periods=600).strftime("%Y-%m-%d")
    table = pd.DataFrame(
        {"name": "Ann", "town": [TOWNS[at % 6] for at in range(600)], "born": born}
    )
    asked = pd.DataFrame({"name": [None], "town": ["Rome"], "born": [None]})
    sides = pj.match(asked, table, on=ON, encoder="pearl-nano").comparison.sides
    assert blocking.nearest_by_other_kinds(*sides)[0][1].tolist() == list(range(1, 48, 6))
