"""Made tables of what happens again: classes, inspections, deliveries, concerts.

Their rows share all texts, and differ in a date, which follows the one before by a week, by some
days or by any number; each is another session.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from random import Random

from pearljoin_train.records.lists import OpenLists
from pearljoin_train.records.made import MadeDuplicates, Table
from pearljoin_train.records.serial_tables import REPEATED_RATES, SLIPS, draw_word
from pearljoin_train.records.side import Rates
from pearljoin_train.records.values.dates import DateStyle, draw_date

__all__ = ["make_session_table"]

N_SUBJECTS = (1, 2, 3, 5, 12)
"""How many things happen again and again."""

STEPS: tuple[Sequence[int], ...] = ((1,), (7,), (7, 24), (14,), (30, 31), (1, 6), (1, 2, 3, 9, 40))
"""Days from one session to the next, of which one is drawn each time."""

SAME_DAYS_SHARE = 0.4
"""Share of the tables all of whose subjects have sessions on the same days."""

N_BESIDE = (0, 1, 1, 2, 3)
"""Numbers of columns beside the subject and the date."""

MISSING = 0.1
"""Share of values beside that a further row of a session lacks."""


def make_session_table(lists: OpenLists, *, seed: int, most_rows: int = 300) -> MadeDuplicates:
    """Make a table of sessions.

    Parameters
    ----------
    lists
        Names and words, see `read_lists`.
    seed
        The same seed gives the same table.
    most_rows
        Sessions of the largest table, at least 10; some have a further row.
    """
    rng = Random(f"sessions {seed}")
    n_things = max(8, int(float(most_rows) ** rng.random()))
    n_subjects = min(rng.choice(N_SUBJECTS), n_things // 2)
    subjects: dict[str, None] = {}
    while len(subjects) < n_subjects:  # two of one title would be one thing
        subjects[draw_word(lists, rng)] = None
    titles = list(subjects)
    beside = _beside(lists, n_subjects, rng)
    days = _days(n_subjects, n_things, rng)
    style = DateStyle(rng)
    repeated, slip = rng.choice(REPEATED_RATES), rng.choice(SLIPS)
    rows: list[tuple[int, list[str | None]]] = []
    for thing in range(n_things):
        subject, day = thing % n_subjects, days[thing]
        told: list[str | None] = [values[subject] for values in beside.values()]
        rows.append((thing, [titles[subject], style.write(day, rng), *told]))
        while rng.random() < repeated:
            word = titles[subject] if slip is None else slip(titles[subject], rng)
            kept = [None if rng.random() < MISSING else value for value in told]
            rows.append((thing, [word, style.write(day, rng), *kept]))
    rng.shuffle(rows)
    order = rng.sample(range(2 + len(beside)), 2 + len(beside))
    headers = ["title", "date", *beside]
    table: Table = {headers[at]: [values[at] for _, values in rows] for at in order}
    return MadeDuplicates(
        "sessions",
        table,
        [thing for thing, _ in rows],
        dict.fromkeys(table, "name"),
        Rates({}, {}, ()),
    )


def _days(n_subjects: int, n_things: int, rng: Random) -> list[date]:
    """Draw the day of each session; subjects take turns."""
    steps, first = rng.choice(STEPS), draw_date(2015, 2023, rng)
    if rng.random() < SAME_DAYS_SHARE:
        shared = _dates(first, steps, rng)
        turns = [shared() for _ in range(n_things // n_subjects + 1)]
        return [turns[thing // n_subjects] for thing in range(n_things)]
    of_subjects = [
        _dates(first + timedelta(days=rng.randrange(60)), steps, rng) for _ in range(n_subjects)
    ]
    return [of_subjects[thing % n_subjects]() for thing in range(n_things)]


def _dates(first: date, steps: Sequence[int], rng: Random) -> Callable[[], date]:
    """Return what gives one date after another."""
    days = 0

    def following() -> date:
        nonlocal days
        days += rng.choice(steps)
        return first + timedelta(days=days)

    return following


def _beside(lists: OpenLists, n_subjects: int, rng: Random) -> dict[str, list[str]]:
    """Draw what else is told of each subject, by header: most subjects share some of it."""
    people = sorted(lists.people)
    offered: dict[str, Callable[[], str]] = {
        "room": lambda: f"Room {rng.randint(1, 4)}",
        "place": lambda: rng.choice(places),
        "by": lambda: rng.choice(people),
        "time": lambda: f"{rng.randint(8, 20)}:{rng.choice(('00', '15', '30'))}",
        "price": lambda: f"{5 * rng.randint(1, 12)}.00",
    }
    places = rng.sample(sorted(lists.places), 3)
    chosen = rng.sample(sorted(offered), rng.choice(N_BESIDE))
    return {header: [offered[header]() for _ in range(n_subjects)] for header in chosen}
