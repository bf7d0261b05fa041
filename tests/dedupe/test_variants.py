"""Words that stand in each other's place in one of several columns: colours, and cities."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._fitted.weights_file import _of_columns

COLOURS = ["black", "white", "red", "blue", "green", "grey"]
CITIES = {
    "Munich": "München",
    "Cologne": "Köln",
    "Vienna": "Wien",
    "Prague": "Praha",
    "Rome": "Roma",
}
PLACES = ["Airport", "Opera", "Central Station", "University", "City Hall", "Zoo"]


def variants() -> tuple[pd.DataFrame, np.ndarray]:
    """Products in several colours at one price; every tenth row is written a second time."""
    rng = np.random.default_rng(3)
    rows, thing = [], []
    names = [
        *product(["Trail", "Alpine", "Urban", "Retro"], ["Jacket", "Backpack", "Helmet", "Tent"])
    ]
    for first, second in names:
        maker, price = (
            rng.choice(["Acme", "Nordic", "Solis", "Kepler"]),
            f"{rng.integers(19, 300)}.99",
        )
        for colour in rng.permutation(COLOURS)[: rng.integers(3, 6)]:
            thing.append(len(rows))
            rows.append((maker, f"{first} {second} {colour}", price))
    for at in range(0, len(rows), 10):
        maker, name, price = rows[at]
        thing.append(at)
        rows.append((maker.upper(), f"{maker} {name.lower()}", price))
    return pd.DataFrame(rows, columns=["brand", "product", "price"]), np.array(thing)


def places(share: float) -> tuple[pd.DataFrame, np.ndarray]:
    """Places of cities in two languages, which have the same coordinates."""
    rng = np.random.default_rng(3)
    rows, thing = [], []
    for number, ((english, own), place) in enumerate(product(CITIES.items(), PLACES)):
        where = [round(float(rng.uniform(40, 52)), 4), round(float(rng.uniform(0, 20)), 4)]
        for name in (english, own) if rng.random() < share else (english,):
            rows.append((f"{place} {name}", *where))
            thing.append(number)
    return pd.DataFrame(rows, columns=["name", "latitude", "longitude"]), np.array(thing)


def rates(found: np.ndarray, thing: np.ndarray) -> tuple[float, float]:
    above = np.triu_indices(len(thing), 1)
    joined, same = ((one[:, None] == one)[above] for one in (found, thing))
    right = (joined & same).sum()
    return right / max(1, joined.sum()), right / same.sum()


@pytest.mark.parametrize("encoder", ["pearl-mini", "pearl-nano"])
def test_variants_of_products_are_told_apart(encoder) -> None:
    table, thing = variants()
    found = pj.find_duplicates(table, on=list(table), encoder=encoder).clusters()
    precision, recall = rates(found, thing)
    assert precision > 0.5
    assert recall > 0.8


@pytest.mark.parametrize("share", [0.6, 1.0])
def test_cities_in_two_languages_stay_together(share) -> None:
    table, thing = places(share)
    found = pj.find_duplicates(table, on=list(table), encoder="pearl-nano").clusters()
    precision, recall = rates(found, thing)
    assert precision > 0.9
    assert recall > 0.8


def test_they_are_kept_for_later_rows(tmp_path) -> None:
    table, _ = variants()
    table.insert(0, "id", range(len(table)))
    fitted = pj.Deduplicator(ids="id", on=["brand", "product", "price"]).fit(table)
    fitted.save(tmp_path / "kept")
    later = table.head(1).assign(id=-1, product="Trail Jacket grey")
    if "grey" in table["product"][0]:
        later = later.assign(product="Trail Jacket red")
    again = pj.Deduplicator.load(tmp_path / "kept")
    assert again.add(later).tolist() == fitted.add(later).tolist()
    pd.testing.assert_frame_equal(again.pairs(), fitted.pairs())


def test_what_a_file_says_of_columns_is_checked() -> None:
    pairs = [["black", "blue"]]
    content = {"alternatives": pairs, "beside": {"blue": 0.5}, "names": pairs}
    known = _of_columns({"of_columns": {"1": content}}, 2)
    assert known[1].names == known[1].words
    assert known[1].words.pairs == (("black", "blue"),)
    assert known[1].beside == {"blue": 0.5}
    assert _of_columns({}, 2) == {}
    for at, beside in (
        ("2", {}),
        ("-1", {}),
        ("1", {"blue": "much"}),
        ("1", {"blue": float("nan")}),
    ):
        with pytest.raises(ValueError, match=r"columns|agreement"):
            _of_columns({"of_columns": {at: content | {"beside": beside}}}, 2)
