"""Names and words from which records are made: open lists, and short lists kept here.

Names of the open lists are those of the scorer's part of the data (`part_of`), and belong either to
training or to validation: those of held-out sources, and a fifth of the others, to validation.
"""

from __future__ import annotations

import gzip
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal
from zlib import crc32

from pearljoin_train.data.alias_pairs import ALIAS_PAIRS, read_alias_pairs, read_fields
from pearljoin_train.data.folder import find
from pearljoin_train.data.splits import fold, is_held_out, part_of

__all__ = ["OpenLists", "Split", "countries", "forms", "read_lists", "split_of", "words"]

Split = Literal["training", "validation"]

HELD_BACK_SHARE = 0.2
"""Share of the names of other sources that are kept for validation."""

SOURCES = {
    "chadwick_baseball_register": "people",
    "congress_legislators": "people",
    "openstates_people": "people",
    "nicknames": "nicknames",
    "free_ticker_aliases": "companies",
    "financedatabase_companies": "companies",
    "osm_name_suggestion_index": "companies",
    "ror_organizations": "organisations",
    "universities_by_domain": "organisations",
    "jabref_journals": "journals",
    "csl_ncbi_journals": "journals",
    "unlocode": "places",
    "deezymatch_toponyms": "places",
    "geonames_cities15000": "places",
    "onet_job_titles": "jobs",
    "esco_occupations": "jobs",
    "obo_ontologies": "biomedicine",
}
"""What each source of alias pairs lists."""

TYPED = {
    ("crossner_ai", "task"): "computing",
    ("crossner_ai", "algorithm"): "computing",
    ("crossner_ai", "field"): "computing",
    ("crossner_music", "musicalartist"): "artists",
    ("crossner_music", "band"): "artists",
    ("crossner_music", "song"): "songs",
    ("crossner_music", "album"): "songs",
}
"""What lists of typed entities of an open licence hold."""

NO_BRACES = str.maketrans("", "", "{}")
"""Some abbreviations of journals are written for TeX."""

TYPED_ENTITIES = "train/typed_entities.tsv.gz"
WORDNET = "lexicon/open_english_wordnet_synsets.tsv.gz"
NOVELS = "text/gutenberg_novels.txt.gz"
CONCEPTS = frozenset({"noun.cognition", "noun.process", "noun.phenomenon", "noun.attribute"})

NO_COMPANY = re.compile(
    r"\b(?:ETF|ETP|ETN|ETC|Funds?|Trust|Bonds?|Index|UCITS|Acquisition|Leveraged|Shares?|Notes?|"
    r"Common Stock|Common Units|ADR|iShares|SPDR|VanEck)\b|O\.\s?N\.|[®+]|-,\d|\d{3}|-S&P",
    re.IGNORECASE,
)
"""What company lists hold beside companies: funds, classes of shares, bankers' abbreviations."""

CLAUSE = re.compile(r"(?<=[.!?;:,\"”] )[A-Za-z][a-z' ]{4,26}(?=[.!?;:,])")
NO_TITLE = re.compile(
    r"^(?:and|but|or|for|that|which|who|as|said|whose|nor)\b|"
    r"\b(?:said|replied|cried|asked|answered|added|returned|thought|exclaimed|continued)\b",
    re.IGNORECASE,
)
"""Clauses that only go on with another."""

NOVEL_WINDOWS, NOVEL_WINDOW = 400, 4000
"""Pieces of the novels that are read for clauses, and characters of each."""


@dataclass(frozen=True, slots=True, eq=False)
class OpenLists:
    """Names by what they name, in alphabetical order; aliases by name where there are any."""

    people: Mapping[str, Sequence[str]]
    """Given name first; the aliases are fuller and shorter forms."""
    nicknames: Mapping[str, Sequence[str]]
    """Short forms by given name."""
    companies: Mapping[str, Sequence[str]]
    organisations: Mapping[str, Sequence[str]]
    journals: Mapping[str, Sequence[str]]
    """The aliases are abbreviations."""
    places: Mapping[str, Sequence[str]]
    jobs: Mapping[str, Sequence[str]]
    biomedicine: Sequence[str]
    computing: Sequence[str]
    concepts: Sequence[str]
    """Abstract nouns of WordNet."""
    artefacts: Mapping[str, str]
    """Definitions by noun, from WordNet."""
    artists: Sequence[str]
    songs: Sequence[str]
    clauses: Sequence[str]
    """Short clauses of novels, which serve as titles."""


def split_of(source: str, name: str) -> Split:
    """Return the split that a name of a source belongs to.

    Examples
    --------
    >>> split_of("geonames_cities15000", "Basrah"), split_of("unlocode", "Greåker")
    ('validation', 'training')
    """
    is_held_back = crc32(f"records\n{fold(name)}".encode()) % 100 < 100 * HELD_BACK_SHARE
    return "validation" if is_held_out(source) or is_held_back else "training"


def read_lists(split: Split = "training", folder: Path | None = None) -> OpenLists:
    """Read the lists of one split; takes some seconds.

    Parameters
    ----------
    split
        Training and validation have no listed name in common.
    folder
        The data folder; by default the places that `find` looks in.

    Raises
    ------
    DataMissingError, DataDamagedError
        If a list is not in the data folder, or a line has not its fields.
    """
    named = _named(split, folder)
    typed = _typed(split, folder)
    concepts, artefacts = _nouns(folder)
    keep = {role: dict(sorted(names.items())) for role, names in named.items()}
    return OpenLists(
        people=keep["people"],
        nicknames=keep["nicknames"],
        companies=keep["companies"],
        organisations=keep["organisations"],
        journals=keep["journals"],
        places=keep["places"],
        jobs=keep["jobs"],
        biomedicine=list(keep["biomedicine"]),
        computing=typed["computing"],
        concepts=concepts,
        artefacts=artefacts,
        artists=typed["artists"],
        songs=typed["songs"],
        clauses=_clauses(split, folder),
    )


def _named(split: Split, folder: Path | None) -> dict[str, dict[str, list[str]]]:
    """Read names with aliases, by role."""
    training: dict[str, dict[str, list[str]]] = {role: {} for role in SOURCES.values()}
    validation: dict[str, dict[str, list[str]]] = {role: {} for role in SOURCES.values()}
    path = None if folder is None else find(ALIAS_PAIRS, folder)
    for pair in read_alias_pairs(path):
        role = SOURCES.get(pair.source)
        if role is None or part_of(pair.name) != "scorer":
            continue
        if pair.is_allowed() and _is_usable(pair.name, pair.kind, role):
            is_held_back = split_of(pair.source, pair.name) == "validation"
            # Short forms of given names are no names of things: both splits have them.
            names = (validation if is_held_back and role != "nicknames" else training)[role]
            names.setdefault(pair.name, []).append(pair.alias.translate(NO_BRACES))
    if split == "training":
        return training
    # A name may be held out in one source and not in another.
    return {
        role: training[role]
        if role == "nicknames"
        else {name: aliases for name, aliases in names.items() if name not in training[role]}
        for role, names in validation.items()
    }


def _is_usable(name: str, kind: str, role: str) -> bool:
    """Return whether a name is of the sort that its source is used for, in Latin letters."""
    if not 2 < len(name) < 90 or not all(letter < "ɐ" or letter in "’‘–" for letter in name):
        return False
    if role == "companies":
        return NO_COMPANY.search(name) is None
    if role == "places":
        return name[0].isupper() and "(" not in name and "/" not in name and len(name) < 30
    if role == "people":
        return 1 < len(name.split()) < 4 and "." not in name
    if role == "biomedicine":
        return kind.startswith(("obo:doid", "obo:uberon:")) and len(name) < 40
    return True


def _typed(split: Split, folder: Path | None) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {role: {} for role in TYPED.values()}
    for phrase, kind, _, source in read_fields(find(TYPED_ENTITIES, folder), 4):
        role = TYPED.get((source, kind))
        if role is None or not 3 < len(phrase) < 40 or part_of(phrase) != "scorer":
            continue
        if split_of(source, phrase) == split:
            found[role][phrase] = None
    return {role: sorted(phrases) for role, phrases in found.items()}


def _nouns(folder: Path | None) -> tuple[list[str], dict[str, str]]:
    """Return abstract nouns, and definitions of artefacts by noun."""
    concepts: dict[str, None] = {}
    artefacts: dict[str, str] = {}
    for _, lexfile, members, _, definition in read_fields(find(WORDNET, folder), 5):
        noun = members.split("|")[0].replace("_", " ")
        if lexfile in CONCEPTS and noun.islower():
            concepts[noun] = None
        elif lexfile == "noun.artifact" and noun.islower():
            artefacts.setdefault(noun, definition)
    return sorted(concepts), dict(sorted(artefacts.items()))


def _clauses(split: Split, folder: Path | None) -> list[str]:
    """Return short clauses from pieces of the novels that lie evenly apart."""
    with gzip.open(find(NOVELS, folder), "rt", encoding="utf-8") as file:
        text = file.read()
    step = max(NOVEL_WINDOW, len(text) // NOVEL_WINDOWS)
    found: dict[str, None] = {}
    for start in range(0, len(text), step):
        piece = " ".join(text[start : start + NOVEL_WINDOW].split())
        for clause in CLAUSE.findall(piece):
            is_title = 1 < len(clause.split()) < 5 and not NO_TITLE.search(clause)
            if is_title and split_of("novels", clause) == split:
                found[" ".join(word[0].upper() + word[1:] for word in clause.split())] = None
    return sorted(found)


@cache
def _read_toml(file: str) -> dict[str, Any]:
    content: dict[str, Any] = tomllib.loads(
        Path(__file__).with_name(file).read_text(encoding="utf-8")
    )
    return content


@cache
def words(section: str, key: str, file: str = "words.toml") -> tuple[str, ...]:
    """Return the words of a short list kept here; an underscore in one is a space.

    Examples
    --------
    >>> words("people", "suffixes")
    ('Jr.', 'Sr.', 'II', 'III', 'Jr')
    """
    value = _read_toml(file)[section][key]
    listed = value.split() if isinstance(value, str) else value
    return tuple(word.replace("_", " ") if isinstance(value, str) else word for word in listed)


@cache
def forms(section: str, key: str, file: str = "words.toml") -> tuple[tuple[str, ...], ...]:
    """Return the forms of each entry of a short list kept here, the usual one first.

    Examples
    --------
    >>> forms("companies", "legal_forms")[0]
    ('Inc.', 'Incorporated', 'Inc')
    """
    value = _read_toml(file)[section][key]
    lines = value.strip().splitlines() if isinstance(value, str) else value
    return tuple(tuple(line.split("|")) for line in lines)


def countries() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the countries of `countries.toml` with their settings."""
    yield from _read_toml("countries.toml").items()
