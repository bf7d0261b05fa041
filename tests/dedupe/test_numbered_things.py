"""Tables of things that differ in nothing but a number: all of them are different."""

from typing import Any

import pandas as pd
import pytest

import pearljoin as pj

NUMBERS = range(30)
DAYS = pd.date_range("2024-01-01", periods=30).strftime("%Y-%m-%d").tolist()


@pytest.mark.parametrize(
    ("columns", "most_merged"),
    [
        ({"street": [f"{1 + n} Main Street" for n in NUMBERS], "city": "Springfield"}, 0),
        ({"street": [f"{1 + n} Main Street" for n in NUMBERS]}, 0),
        ({"name": [f"Sensor {n}" for n in NUMBERS], "site": [f"Hall {n % 5}" for n in NUMBERS]}, 6),
        (
            {
                "invoice": [f"INV-2024-{n:04d}" for n in NUMBERS],
                "supplier": ["Acme", "Globex"] * 15,
            },
            0,
        ),
        ({"order": [f"ORD-{10000 + n}" for n in NUMBERS], "day": DAYS}, 0),
        ({"a": list(NUMBERS), "b": [f"{n:016x}" for n in NUMBERS]}, 0),
        ({"product": [f"Galaxy S{n}" for n in NUMBERS], "brand": "Samsung"}, 0),
        ({"year": [f"FY {1990 + n}" for n in NUMBERS], "unit": "Sales"}, 0),
    ],
)
def test_what_differs_by_a_number_stays_apart(columns: dict[str, Any], most_merged: int) -> None:
    table = pd.DataFrame(columns, index=NUMBERS)
    n_clusters = pj.find_duplicates(table, on=list(columns)).clusters().max() + 1
    assert n_clusters >= len(table) - most_merged


HEROES = ["Rocky", "Rambo", "Jaws", "Alien", "Scream", "Halloween", "Star Trek", "Iron Man"]
CLUBS = ["Leeds", "Chelsea", "Arsenal", "Everton", "Fulham", "Burnley", "Watford", "Norwich"]
STREETS = ["1 N 1st St", "12 N 1st St", "1 N 2nd St", "12 N 2nd St", "14 N 3rd St", "1 N 11th St"]
SIZES = ["Boeing 737-700", "Boeing 737-800", "Boeing 737-900", "Boeing 737", "Boeing 747-800"]


@pytest.mark.parametrize(
    "names",
    [
        [f"{hero}{part}" for hero in HEROES for part in ("", " II", " III", " IV")],
        [f"{hero}{part}" for hero in HEROES for part in ("", " 2", " 3", " 4")],
        [f"{club}{team}" for club in CLUBS for team in ("", " U18", " U21")],
        STREETS,
        SIZES,
        ["Henry IV", "Henry V", "Henry VI", "Edward IV", "Edward V"],
    ],
)
@pytest.mark.parametrize("encoder", ["pearl-nano", "pearl-mini"])
def test_names_that_a_number_ends_or_that_differ_by_one_stay_apart(
    names: list[str], encoder: str
) -> None:
    result = pj.find_duplicates(names, encoder=encoder)
    assert sorted(result.clusters().tolist()) == list(range(len(names)))


def test_a_number_within_a_longer_name_tells_nothing() -> None:
    names = ["The Coca-Cola Company", "Coca Cola", "Smith & Sons", "Smith and Sons (founded 1834)"]
    found = pj.find_duplicates([*names, *HEROES], encoder="pearl-nano")
    told = found.explain(2, 3)
    assert told.score > 0.2
    assert found.explain(0, 1).same_cluster


def test_later_rows_are_told_apart_by_numbers_too() -> None:
    fitted = pj.Deduplicator(encoder="pearl-nano").fit([*HEROES, *CLUBS])
    added = fitted.add([f"{name} 2" for name in [*HEROES, *CLUBS]])
    assert len(set(added.tolist())) == len(HEROES) + len(CLUBS)


def test_symbols_alone_are_the_same_only_where_they_are_equal() -> None:
    symbols = [one + other + one for one in "*-!?#.+=>~" for other in "*-!?#.+=>~"]
    result = pj.find_duplicates(symbols, encoder="pearl-nano")
    assert sorted(result.clusters().tolist()) == list(range(len(symbols)))
