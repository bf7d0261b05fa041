"""Made tables of things that are numbered: house numbers, sensors, invoices, sequels, years.

Most of their rows differ in nothing but a number or a date, and are different things all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random

from pearljoin_train.records.lists import OpenLists
from pearljoin_train.records.made import MadeDuplicates, Table
from pearljoin_train.records.side import Rates
from pearljoin_train.records.values.dates import draw_date
from pearljoin_train.records.values.slips import change_case, misspell, punctuate

__all__ = ["REPEATED_RATES", "SLIPS", "draw_word", "make_serial_table"]

REPEATED_RATES = (0.0, 0.0, 0.1, 0.4)
"""Chances that a thing has one row more, which writes its words, not its number, otherwise."""

SLIPS: tuple[Callable[[str, Random], str] | None, ...] = (
    misspell,
    change_case,
    punctuate,
    None,
    None,
)

PATTERNS = (
    "{word} {number}",
    "{word} {number}",
    "{number} {word}",
    "{word} No. {number}",
    "{word}-{number:03d}",
    "{code}-{year}-{number:04d}",
    "{code}{long}",
    "{word} {code}{number}",
    "{word} ({year_of})",
    "{word} {year_of}",
    "{maker} {word} {number}",
    "{word} {letter}",
    "{number}",
    "{number:08x}",
)

N_WORDS = (1, 1, 2, 5)
"""How many different words the series of a table have."""


def make_serial_table(lists: OpenLists, *, seed: int, most_rows: int = 300) -> MadeDuplicates:
    """Make a table of things that are numbered.

    Parameters
    ----------
    lists
        Names and words, see `read_lists`.
    seed
        The same seed gives the same table.
    most_rows
        Rows of the largest table, at least 10.
    """
    rng = Random(f"serial {seed}")
    n_things = max(8, int(float(most_rows) ** rng.random()))
    words = [draw_word(lists, rng) for _ in range(rng.choice(N_WORDS))]
    write = _writer(lists, rng)
    first, step = rng.choice((0, 1, 1, 100, 10_000)), rng.choice((1, 1, 1, 2, 5))
    others = _others(words, first, rng)
    repeated, slip = rng.choice(REPEATED_RATES), rng.choice(SLIPS)
    rows: list[tuple[int, str, list[str | None]]] = []
    for thing in range(n_things):
        number, word = first + step * thing, words[thing % len(words)]
        beside = [column(thing) for column in others.values()]
        rows.append((thing, write(word, number), beside))
        while rng.random() < repeated:
            written = word if slip is None else slip(word, rng)
            kept = [None if rng.random() < 0.1 else value for value in beside]
            rows.append((thing, write(written, number), kept))
    rng.shuffle(rows)
    table: Table = {"name": [text for _, text, _ in rows]}
    for at, header in enumerate(others):
        table[header] = [beside[at] for _, _, beside in rows]
    return MadeDuplicates(
        "serial",
        table,
        [thing for thing, _, _ in rows],
        dict.fromkeys(table, "name"),
        Rates({}, {}, ()),
    )


def draw_word(lists: OpenLists, rng: Random) -> str:
    """Draw a place, a company, an artefact, a job or a clause."""
    source = rng.choice((lists.places, lists.companies, lists.artefacts, lists.jobs, lists.clauses))
    return rng.choice(sorted(source)) if isinstance(source, dict) else rng.choice(list(source))


def _writer(lists: OpenLists, rng: Random) -> Callable[[str, int], str]:
    """Draw how the table writes its words and numbers."""
    pattern = rng.choice(PATTERNS)
    code = "".join(rng.choice("ABCDEFGHKMNPRSTVX") for _ in range(rng.randint(1, 3)))
    maker, year, base = draw_word(lists, rng), rng.randint(1990, 2024), rng.randint(10**6, 10**8)

    def write(word: str, number: int) -> str:
        letter = chr(ord("A") + number % 26)
        return pattern.format(
            word=word, number=number, code=code, maker=maker, year=year, letter=letter,
            long=base + number, year_of=1800 + number % 225,
        )  # fmt: skip

    return write


def _others(words: list[str], first: int, rng: Random) -> dict[str, Callable[[int], str | None]]:
    """Draw what else the table holds: constants, few categories, days, the number again."""
    day = draw_date(2015, 2023, rng)
    kinds = [f"{rng.choice(words)} {letter}" for letter in "ABCD"[: rng.randint(2, 4)]]
    offered: dict[str, Callable[[int], str | None]] = {
        "city": lambda _: kinds[0],
        "site": lambda thing: kinds[thing % len(kinds)],
        "day": lambda thing: (day + timedelta(days=thing)).isoformat(),
        "serial": lambda thing: f"{first + thing:06d}",
        "key": lambda thing: f"{first + thing:016x}",
        "amount": lambda thing: f"{10 + 5 * (thing % 7)}.00",
    }
    chosen = rng.sample(sorted(offered), rng.choice((0, 1, 1, 2, 3)))
    return {header: offered[header] for header in chosen}
