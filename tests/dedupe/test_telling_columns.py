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


@pytest.mark.filterwarnings("ignore::pearljoin.DifferingColumnWarning")
@pytest.mark.parametrize("n_together", [0, 4])
def test_days_of_entry_part_nobody_though_some_are_one(n_together: int) -> None:
    rng = np.random.default_rng(5)
    first = ("Rosa", "Emil", "Nora", "Igor", "Lena", "Omar", "Ada", "Sven", "Vera", "Hans")
    names = [f"{one} {two}son" for one, two in product(first, ("Quinn", "Abel", "Sato", "Kern"))]
    people = [(name, f"{at + 3} High Street") for at, name in enumerate(names)]
    rows = [*people, *((name.upper(), street) for name, street in people[:20])]
    table = pd.DataFrame(rows, columns=["name", "street"])
    days = rng.choice(3000, len(table), replace=False)
    days[40 : 40 + n_together] = days[:n_together]
    entered = pd.Timestamp("2016-01-01") + pd.to_timedelta(days, "D")
    table["entered"] = entered.strftime("%Y-%m-%d")
    clusters = pj.find_duplicates(table, on=["name", "street", "entered"]).clusters()
    assert (clusters[40:] == clusters[:20]).sum() >= 19
    assert len(set(clusters)) <= 41
