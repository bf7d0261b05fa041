"""Voyages that one table lists by the codes of ports, and another by their names."""

import random

PORTS = {
    "CNSHA": "Shanghai", "NLRTM": "Rotterdam", "DEHAM": "Hamburg", "BRSSZ": "Santos",
    "SGSIN": "Singapore", "USLAX": "Los Angeles",
}  # fmt: skip
FIRST = ["Baltic", "Nordic", "Pacific", "Coral", "Silver", "Golden", "Royal", "Amber", "Iron"]
SECOND = ["Star", "Trader", "Queen", "Wind", "Pearl", "Spirit", "Dawn", "Crown", "Hope"]
ON = ["vessel", "loaded", "bound_for", "sailed"]
N_LEFT, N_BEFORE, N_ALL = 90, 30, 120
SAME = [(row, row - N_BEFORE) for row in range(N_BEFORE, N_LEFT)]


def voyages() -> list[tuple[str, str, str, str]]:
    rng = random.Random(3)
    days = (f"2024-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}" for _ in range(N_ALL))
    return [
        (f"{rng.choice(FIRST)} {rng.choice(SECOND)}", *rng.sample(list(PORTS), 2), day)
        for day in days
    ]


def tables() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Voyages by the codes of ports and by their names; some are in one table alone."""
    rows = voyages()
    left = [(vessel.upper(), *rest) for vessel, *rest in rows[:N_LEFT]]
    right = [
        (vessel, PORTS[loaded], PORTS[bound], day) for vessel, loaded, bound, day in rows[N_BEFORE:]
    ]
    columns = (
        dict(zip(ON, map(list, zip(*side, strict=True)), strict=True)) for side in (left, right)
    )
    return next(columns), next(columns)
