"""List given names of many languages, from lists of open licence.

``python -m pearljoin_train given-names --out FILE`` writes the list that ships with the package.

The lists are those of Faker (MIT), whose locales list given and family names apart. A word that is
a family name as often as a given one, as *Clark* is, says nothing and is left out. How often is
counted by locales, and among the names of people in the alias pairs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from pearljoin import InputError
from pearljoin._atomic import atomic_file
from pearljoin._progress import stage, work
from pearljoin.scoring import normalise
from pearljoin_train.common.dry_run import add_dry_run
from pearljoin_train.data.alias_pairs import read_alias_pairs

__all__ = ["choose_given_names", "main", "read_locales"]

PEOPLE = "chadwick_baseball_register"
"""Source of the names of people, given names first."""

SHORTEST = 3
"""Letters of a given name, at least: shorter ones are initials as often."""

FEWEST_SEEN, OFTEN = 20, 2
"""People whose last word a name is, at least, and how many times as often as their first, for a
family name."""


def read_locales() -> Iterator[tuple[set[str], set[str]]]:
    """Yield the given and the family names of each locale, normalised.

    Raises
    ------
    InputError
        If Faker is not installed.
    """
    try:
        from faker.providers import person
    except ImportError:
        raise InputError(
            "Given names are read from Faker, which is not installed. Hint: "
            "pip install 'pearljoin[train]'."
        ) from None
    for module in iter_modules(person.__path__):
        provider = import_module(f"{person.__name__}.{module.name}").Provider
        yield _listed(provider, "first_name"), _listed(provider, "last_name")


def _listed(provider: type, start: str) -> set[str]:
    """The names in the lists of a locale whose attributes begin alike; some give scripts apart."""
    found: set[str] = set()
    for attribute in dir(provider):
        names = getattr(provider, attribute)
        if attribute.startswith(start) and isinstance(names, tuple | list | Mapping):
            for name in names:
                found.update(map(normalise, [name] if isinstance(name, str) else name))
    return found


def choose_given_names(
    locales: Iterable[tuple[set[str], set[str]]], people: Iterable[str]
) -> list[str]:
    """List the words that are given names rather than family names.

    Parameters
    ----------
    locales
        As of `read_locales`.
    people
        Normalised names of people, given names first.

    Returns
    -------
    words
        In alphabetical order.
    """
    given: Counter[str] = Counter()
    family: Counter[str] = Counter()
    for given_names, family_names in locales:
        given.update(given_names)
        family.update(family_names)
    first: Counter[str] = Counter()
    last: Counter[str] = Counter()
    for name in people:
        words = name.split()
        if len(words) > 1:
            first[words[0]] += 1
            last[words[-1]] += 1

    def is_given(word: str) -> bool:
        if len(word) < SHORTEST or not word.isalpha() or family[word] >= given[word]:
            return False
        is_family = last[word] >= max(FEWEST_SEEN, OFTEN * first[word])
        return not (family[word] and is_family)

    return sorted(filter(is_given, given))


def main(arguments: list[str] | None = None) -> int:
    """Run ``python -m pearljoin_train given-names``; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m pearljoin_train given-names", description=__doc__
    )
    parser.add_argument("--out", type=Path, required=True, help="file to write, .txt")
    add_dry_run(parser)
    options = parser.parse_args(arguments)
    with work(None), stage("reading names"):
        people = {normalise(pair.name) for pair in read_alias_pairs() if pair.source == PEOPLE}
        locales = list(read_locales())
    if options.dry_run:
        sys.stdout.write(
            f"chooses among the given names of {len(locales)} locales by {len(people):,} names of "
            f"people, within seconds, into {options.out}\n"
        )
        return 0
    words = choose_given_names(locales, people)
    with atomic_file(options.out, what="list") as temporary:
        temporary.write_text("\n".join(words) + "\n", encoding="utf-8")
    return 0
