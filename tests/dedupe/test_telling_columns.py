"""Columns that tell related things of one table apart: days of events, addresses."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj

SHIPS = [
    f"{first} {second}"
    for first, second in product(
        ("Baltic", "Northern", "Iberian", "Coral", "Silver", "Atlantic", "Eagle", "Lady"),
        ("Star", "Trader", "Carmen", "Express", "Pearl"),
    )
]
AGENTS = ("Inchcape Shipping", "Hoyos Maritima", "Perez y Cia", "Modesto Pineiro")
CARGOES = ("containers", "soda ash", "fertiliser", "cars", "timber")
CALLS = 5


def port_calls(n_copies: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Calls of ships at one port, some of them entered twice, and the call that each row is of."""
    rng = np.random.default_rng(3)
    rows, call_of = [], []
    for at, ship in enumerate(SHIPS):
        days = rng.choice(4000, CALLS, replace=False)
        for day in pd.Timestamp("2023-01-05") + pd.to_timedelta(days, "D"):
            call_of.append(len(rows))
            rows.append((ship, str(day.date()), AGENTS[at % 4], CARGOES[at % 5]))
    for copied in rng.choice(len(rows), n_copies, replace=False):
        ship, day, agent, cargo = rows[copied]
        call_of.append(int(copied))
        rows.append((f"MV {ship.upper()}", day, agent.split()[0], cargo))
    columns = ["vessel", "arrival", "agent", "cargo"]
    return pd.DataFrame(rows, columns=columns), np.array(call_of)


@pytest.mark.parametrize("encoder", ["pearl-mini", "pearl-nano"])
def test_calls_of_one_ship_on_other_days_are_apart(encoder: str) -> None:
    table, call_of = port_calls(30)
    pairs = pj.find_duplicates(table, encoder=encoder).pairs()
    pairs = pairs[pairs["same_cluster"] == 1]
    are_one = call_of[pairs["left_row"]] == call_of[pairs["right_row"]]
    assert are_one.sum() >= 28
    assert (~are_one).sum() <= 5


def test_the_day_of_the_last_change_parts_nobody() -> None:
    rng = np.random.default_rng(5)
    first, family = ("Rosa", "Emil", "Nora", "Igor", "Lena", "Omar"), ("Quinn", "Abel", "Sato")
    names = [f"{one} {two}son" for one, two in product(first, family)]
    people = [(name, f"{at + 3} High Street") for at, name in enumerate(names)]
    rows = [*people, *((name.upper(), street) for name, street in people[:9])]
    table = pd.DataFrame(rows, columns=["name", "street"])
    days = pd.to_timedelta(rng.choice(900, len(table), replace=False), "D")
    table["day"] = (pd.Timestamp("2021-01-01") + days).strftime("%Y-%m-%d")
    clusters = pj.find_duplicates(table, on=["name", "street", "day"]).clusters()
    assert (clusters[18:] == clusters[:9]).all()
    assert len(set(clusters)) == 18
