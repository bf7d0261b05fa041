"""Phrase type labels, and the mapping from labels of the sources.

The paper (section 3.3) gives a phrase a lexical type and an entity type of OntoNotes, or OTHER, so
5 × 19 = 95 labels. OTHER and a few more lump much together, so there are *fine types* too, a finer
cut of the entity types. Which label of which source means what stands in `source_types.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from pearljoin._errors import InputError
from pearljoin_train.corpus.grammar import number_type

__all__ = [
    "ENTITY_TYPES",
    "FINE_TYPES",
    "LEXICAL_TYPES",
    "NUM_TYPES",
    "SOURCE_TYPES_FILE",
    "TYPED_ENTITIES",
    "entity_of",
    "fine_type",
    "label_names",
    "lexical_type",
    "phrase_type",
    "source_types",
    "type_id",
    "type_name",
]

LEXICAL_TYPES = ("NP", "VP", "PP", "ADVP", "ADJP")
"""Noun, verb, prepositional, adverb and adjective phrase."""

ENTITY_TYPES = (
    "CARDINAL", "DATE", "PERSON", "NORP", "GPE", "LAW", "PERCENT", "ORDINAL", "MONEY",
    "WORK_OF_ART", "FAC", "TIME", "QUANTITY", "PRODUCT", "LANGUAGE", "ORG", "LOC", "EVENT", "OTHER",
)  # fmt: skip
"""The 18 types of OntoNotes in the paper's order, then OTHER."""

NUM_TYPES = len(LEXICAL_TYPES) * len(ENTITY_TYPES)

TYPED_ENTITIES = "train/typed_entities.tsv.gz"
"""Entities with their types and sources, in the data folder."""

SOURCE_TYPES_FILE = Path(__file__).with_name("source_types.toml")

# Types of names: English writes them with a capital.
NAMES = frozenset(
    {
        "PERSON", "NORP", "GPE", "LAW", "WORK_OF_ART", "FAC", "PRODUCT", "LANGUAGE", "ORG", "LOC",
        "EVENT",
    }
)  # fmt: skip
UNKNOWN = "UNKNOWN"


@cache
def source_types() -> Mapping[str, Mapping[str, Mapping[str, list[str]]]]:
    """Return the mapping as written in `source_types.toml`, its sections by name."""
    return tomllib.loads(SOURCE_TYPES_FILE.read_text(encoding="utf-8"))


@cache
def _entity_by_fine_type() -> Mapping[str, str]:
    split: Mapping[str, list[str]] = source_types()["fine_types"]  # type: ignore[assignment]
    coarse = {entity: entity for entity in ENTITY_TYPES}
    return coarse | {fine: entity for entity, fines in split.items() for fine in fines}


FINE_TYPES = tuple(_entity_by_fine_type())
"""The entity types, then the finer ones that split some of them."""


def type_id(lexical: str, entity: str) -> int:
    """Return the label of a pair of types.

    Parameters
    ----------
    lexical
        One of `LEXICAL_TYPES`.
    entity
        One of `ENTITY_TYPES`.

    Returns
    -------
    label
        0 to 94; lexical types vary slowest.

    Raises
    ------
    InputError
        If one of the two is no such type.

    Examples
    --------
    >>> type_id("NP", "GPE"), type_id("ADJP", "OTHER")
    (4, 94)
    """
    for name, known in ((lexical, LEXICAL_TYPES), (entity, ENTITY_TYPES)):
        if name not in known:
            raise InputError(f"Unknown phrase type. Got: {name!r}. Hint: use one of {known}.")
    return LEXICAL_TYPES.index(lexical) * len(ENTITY_TYPES) + ENTITY_TYPES.index(entity)


def type_name(label: int) -> str:
    """Return a label's name as the paper writes it; the opposite of `type_id`.

    Raises
    ------
    InputError
        If the label is not one of 0 to 94.

    Examples
    --------
    >>> type_name(4)
    'NP-GPE'
    """
    if not 0 <= label < NUM_TYPES:
        raise InputError(
            f"No such phrase type. Got: {label}. Hint: give a label of 0 to {NUM_TYPES - 1}."
        )
    lexical, entity = divmod(label, len(ENTITY_TYPES))
    return f"{LEXICAL_TYPES[lexical]}-{ENTITY_TYPES[entity]}"


def entity_of(fine: str) -> str:
    """Return the entity type that a fine type belongs to.

    Raises
    ------
    InputError
        If there is no such fine type.

    Examples
    --------
    >>> entity_of("DISEASE"), entity_of("JOURNAL"), entity_of("GPE")
    ('OTHER', 'ORG', 'GPE')
    """
    try:
        return _entity_by_fine_type()[fine]
    except KeyError:
        raise InputError(f"Unknown fine type. Got: {fine!r}. Hint: one of {FINE_TYPES}.") from None


def fine_type(source: str, label: str, phrase: str | None = None) -> str | None:
    """Return the fine type that a source's label stands for.

    Parameters
    ----------
    source
        A source of `typed_entities`, `alias_pairs` or `constituents`.
    label
        Its type, kind or constituent label.
    phrase
        The phrase itself. Sources under `[mixed]` hold names and ordinary phrases under one label
        ("Dublin" and "the city" are both places); only capital letters tell them apart, and the
        grammar of `pearljoin_train.corpus.grammar` what is a number or a date.

    Returns
    -------
    fine
        One of `FINE_TYPES`; None where the type is not known, which is nothing to train on: the
        label is too mixed, the source is not in the mapping, or no phrase was given of a mixed one.

    Examples
    --------
    >>> fine_type("medic_diseases", "disease:medic")
    'DISEASE'
    >>> fine_type("litbank", "GPE", "Minnesota"), fine_type("litbank", "GPE", "the city")
    ('GPE', 'OTHER')
    >>> fine_type("misspellings", "typo:codespell") is None
    True
    """
    fine = _look_up("entity", source, label)
    if fine is None or source not in _mixed_sources():
        return fine
    if fine not in NAMES and fine != "OTHER":
        return fine
    if phrase is None:
        return None
    number = number_type(phrase) if fine == "OTHER" else None
    if number is not None:
        return number
    is_ordinary = phrase == phrase.lower() and not any(sign.isdigit() for sign in phrase)
    if is_ordinary:
        return "OTHER"
    return fine if fine in NAMES and phrase != phrase.lower() else None


def lexical_type(source: str, label: str) -> str | None:
    """Return the lexical type that a source's label stands for.

    Returns
    -------
    lexical
        One of `LEXICAL_TYPES`: NP where the mapping says nothing, since lists name things; None
        where it says that the type is not known.

    Examples
    --------
    >>> lexical_type("oewn_synonyms", "wn:verb.motion"), lexical_type("btc", "PER")
    ('VP', 'NP')
    """
    if source not in source_types()["lexical"]:
        return "NP"
    return _look_up("lexical", source, label)


def phrase_type(source: str, label: str, phrase: str | None = None) -> int | None:
    """Return the label, 0 to 94, that a source's label stands for, or None where it is not known.

    Parameters
    ----------
    source, label, phrase
        As for `fine_type`.

    Examples
    --------
    >>> type_name(phrase_type("jabref_journals", "journal_abbrev"))
    'NP-ORG'
    """
    lexical, fine = lexical_type(source, label), fine_type(source, label, phrase)
    return None if lexical is None or fine is None else type_id(lexical, entity_of(fine))


def label_names(type_set: str) -> tuple[str, ...]:
    """Return the names of a type set's labels, in the order of their numbers.

    The fine ones are the types of entities, and the lexical types of phrases that are none.
    """
    if type_set == "paper":
        return tuple(type_name(number) for number in range(NUM_TYPES))
    return (*FINE_TYPES, *LEXICAL_TYPES[1:])


@cache
def _look_up(section: str, source: str, label: str) -> str | None:
    by_source = source_types()[section]
    name = source if source in by_source else _first_match(source, list(by_source))
    if name is None:
        return None
    by_label = {pattern: kind for kind, patterns in by_source[name].items() for pattern in patterns}
    pattern = label if label in by_label else _first_match(label, list(by_label))
    kind = UNKNOWN if pattern is None else by_label[pattern]
    return None if kind == UNKNOWN else kind


def _first_match(name: str, patterns: list[str]) -> str | None:
    return next((pattern for pattern in patterns if fnmatchcase(name, pattern)), None)


@cache
def _mixed_sources() -> frozenset[str]:
    return frozenset(source_types()["mixed"]["sources"])
