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
