"""A made-up data folder in the form of AutoFJ: two tables, `Cities` and `Teams`."""

import csv
from pathlib import Path

import pytest

TABLES = {
    # Even first byte of the title's sha256: London, Rome and Berlin, which has no match.
    "Cities": {
        "left": ["London", "Paris", "Rome", "Berlin"],
        "right": ["London (city)", "Paris (city)", "Rome (city)", "Atlantis"],
        "gold": [(0, 0), (1, 1), (2, 2)],
    },
    "Teams": {
        "left": ["Red Stars 2010", "Blue Moons 2010"],
        "right": ["Red Stars 2010 season"],
        "gold": [(0, 0)],
    },
}


def write_table(folder: Path, left: list[str], right: list[str], gold: list[tuple[int, int]]):
    folder.mkdir(parents=True)
    for name, titles in (("left", left), ("right", right)):
        write_csv(folder / f"{name}.csv", [("id", "title"), *enumerate(titles)])
    pairs = [(a, left[a], b, right[b]) for a, b in gold]
    write_csv(folder / "gt.csv", [("id_l", "title_l", "id_r", "title_r"), *pairs])


def write_csv(path: Path, rows: list[tuple[object, ...]]):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


@pytest.fixture
def data(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    for name, content in TABLES.items():
        write_table(folder / "autofj" / name, **content)
    monkeypatch.setenv("PEARLJOIN_DATA", str(folder))
    return folder
