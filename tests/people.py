"""Made people of households, with known truth."""

from __future__ import annotations

import numpy as np
import pandas as pd

GIVEN = [
    *("James", "Mary", "Robert", "Patricia", "John", "Jennifer", "Michael", "Linda", "David"),
    *("Elizabeth", "William", "Barbara", "Richard", "Susan", "Joseph", "Jessica", "Thomas"),
    *("Karen", "Charles", "Nancy", "Daniel", "Margaret", "Matthew", "Sandra"),
]
FAMILY = [
    *("Walker", "Hughes", "Baker", "Turner", "Phillips", "Campbell", "Parker", "Evans"),
    *("Edwards", "Collins"),
]
STREETS = [
    *("Oak", "Maple", "Cedar", "Church", "Mill", "Station", "Park", "High", "River", "Spring"),
]


def households(seed: int, n_houses: int = 40) -> pd.DataFrame:
    """People of households, one in each row; the index says who it is."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(n_houses):
        family, phone = str(rng.choice(FAMILY)), f"0161 496 {rng.integers(1000, 9999)}"
        street = f"{rng.integers(1, 150)} {rng.choice(STREETS)} Street"
        members = rng.choice(GIVEN, rng.integers(1, 4), replace=False)
        rows += [(str(given), family, street, phone) for given in members]
    return pd.DataFrame(rows, columns=["first_name", "last_name", "street", "phone"])


def written_anew(people: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Write people another time: street and phone in another way, some letters lost."""
    rng = np.random.default_rng(seed)
    anew = people.copy()
    anew["street"] = anew["street"].str.replace("Street", "St.")
    anew["phone"] = anew["phone"].str.replace("0161 ", "+44 161 ")
    for column in ("first_name", "last_name"):
        slips = rng.random(len(anew)) < 0.2
        anew.loc[slips, column] = [name[:2] + name[3:] for name in anew.loc[slips, column]]
    return anew
