"""Made lists of people, many of whom share a family name or a given name.

*Jane Smith* and *John Smith* are two people, *J. Smith* is one of them, and *Smith, John* is the
second, written as another source does. People are drawn as for the records, but from few families.
"""

from __future__ import annotations

from random import Random

from pearljoin_train.records.catalogues import catalogue_counts
from pearljoin_train.records.domains.name_pool import NamePool
from pearljoin_train.records.lists import OpenLists
from pearljoin_train.records.made import MadeDuplicates, column_of_names
from pearljoin_train.records.values.people import Person, PersonStyle

__all__ = ["make_namesakes"]

FAMILY_SHARES = (0.05, 0.2, 0.5, 0.9)
"""Numbers of family names, of those of the people."""

N_STYLES = (1, 1, 2, 3)
"""Ways in which the sources of a table write names."""

OWN_STYLE = 0.7
"""Chance that a row is written in the first of them."""

SLIP_RATES = (0.0, 0.05, 0.2)
"""Chances of a slip in a person's first row."""


def make_namesakes(lists: OpenLists, *, seed: int, most_rows: int = 300) -> MadeDuplicates:
    """Make a table of people's names, some of whose rows are the same person.

    Parameters
    ----------
    lists
        Names and words, see `read_lists`.
    seed
        The same seed gives the same table.
    most_rows
        Rows of the largest table, at least `catalogues.FEWEST_ROWS`.
    """
    rng = Random(f"namesakes {seed}")
    counts = catalogue_counts(most_rows, rng)
    people = _people(lists, len(counts), rng)
    styles = [PersonStyle(rng) for _ in range(rng.choice(N_STYLES))]
    slip_rate = rng.choice(SLIP_RATES)
    rows = [
        (_write(person, styles, rng, is_wrong=bool(copy) or rng.random() < slip_rate), number)
        for number, (person, count) in enumerate(zip(people, counts, strict=True))
        for copy in range(count)
    ]
    rng.shuffle(rows)
    return column_of_names("namesakes", rows, "person")


def _people(lists: OpenLists, n: int, rng: Random) -> list[Person]:
    """Draw people of few families, no two of whom have one given and one family name."""
    pool = NamePool(lists, rng)
    families = [pool.family() for _ in range(max(2, round(n * rng.choice(FAMILY_SHARES))))]
    found: dict[tuple[str, str], Person] = {}
    while len(found) < n:
        # Few families may have no more given names to draw: another one joins them then.
        family = pool.family() if rng.random() < 0.05 else rng.choice(families)
        person = pool.person(family)
        found.setdefault((person.given.casefold(), family.casefold()), person)
    return [*found.values()]


def _write(person: Person, styles: list[PersonStyle], rng: Random, *, is_wrong: bool) -> str:
    style = styles[0] if rng.random() < OWN_STYLE else rng.choice(styles)
    return style.write_wrongly(person, rng) if is_wrong else style.write(person, rng)
