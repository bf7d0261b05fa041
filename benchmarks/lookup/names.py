"""Real names to look up, and other names of the same things to ask for."""

from __future__ import annotations

import unicodedata
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pearljoin._errors import InputError
from pearljoin_train.data.alias_pairs import read_alias_pairs

__all__ = ["SOURCES", "Names", "read_names"]

SOURCES = frozenset(
    {
        "csl_ncbi_journals",
        "financedatabase_companies",
        "free_ticker_aliases",
        "geonames_cities15000",
        "jabref_journals",
        "openfootball_clubs",
        "partyfacts",
        "ror_organizations",
        "universities_by_domain",
    }
)
"""Sources of the alias pairs: organisations, companies, journals and places."""


class Names(NamedTuple):
    """A reference and what is asked of it.

    Attributes
    ----------
    reference
        Distinct names. A smaller reference is the beginning of a larger one.
    queries
        Other names of things in the reference.
    """

    reference: list[str]
    queries: list[str]


def read_names(n_names: int, n_queries: int, path: Path | None = None) -> Names:
    """Read names and aliases from the alias pairs, chosen and ordered by their hash.

    Parameters
    ----------
    n_names
        Size of the reference.
    n_queries
        Most queries; fewer where the reference has fewer aliases.
    path
        A file of alias pairs; by default that of the data folder.

    Raises
    ------
    InputError
        If there are not as many names.
    """
    aliases: dict[str, str] = {}
    for pair in read_alias_pairs(path):
        if pair.source in SOURCES and pair.is_allowed() and pair.alias != pair.name:
            aliases.setdefault(pair.name, pair.alias)
    # Names that differ in case, accents or punctuation alone would be one name twice.
    distinct = {_fold(name): name for name in sorted(aliases, reverse=True)}
    ordered = sorted(distinct.values(), key=_hash)
    if not 0 < n_names <= len(ordered):
        raise InputError(
            f"There are not as many names. Got {n_names:,} asked for, of {len(ordered):,}. "
            "Hint: ask for fewer, and at least one."
        )
    reference = ordered[:n_names]
    known = set(reference)
    # The first ones: queries of a smaller reference are asked of a larger one, too.
    queries = dict.fromkeys(aliases[name] for name in reference[: 2 * n_queries])
    return Names(reference, [query for query in queries if query not in known][:n_queries])


def _fold(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(filter(str.isalnum, letters)) or name


def _hash(name: str) -> bytes:
    return sha256(name.encode()).digest()
