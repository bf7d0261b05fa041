"""Words of columns' names in many languages, and what they say of a column.

They are listed in ``column_words.txt``, each by its meanings: a kind of values, a part of a name or
of a date, whom or what a record is of, and the like.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from string import digits

from pearljoin._text.normalise import normalise

__all__ = ["endings", "listed", "meanings", "name_words", "word_meanings", "written_words"]

LONGEST = 3
"""Words beside each other that are read as one: *date of birth*."""

SHORTEST = 3
"""Letters of a word with digits behind it that is read without these: *phone2*, but *m2*."""

NAMES_KEPT = 4_096
"""Names of columns whose words, and what they say, are kept: each is asked several times."""

_BOUNDARY = re.compile(r"(?<=[a-z\d])(?=[A-Z])|[\W_]+")
_NUMBER = re.compile(r"(?<!\w)[Nn]°")
"""*N° client*; with the letter º that is *no*, normalised."""


def written_words(name: object) -> list[str]:
    """Words of a column's name, in lower case.

    Examples
    --------
    >>> written_words("Prénom"), written_words("width_µm")
    (['prénom'], ['width', 'µm'])
    """
    composed = _NUMBER.sub("no ", unicodedata.normalize("NFC", str(name)))
    return [word.lower() for word in _BOUNDARY.split(composed) if word]


def name_words(name: object) -> list[str]:
    """Words of a column's name, normalised.

    Examples
    --------
    >>> name_words("birthDate"), name_words("ZIP_code"), name_words("Prénom")
    (['birth', 'date'], ['zip', 'code'], ['prenom'])
    """
    return list(_normalised(str(name)))


def meanings(words: Sequence[str]) -> frozenset[str]:
    """Return what the words of a column's name say of it, each alone and beside others.

    Parameters
    ----------
    words
        As of `name_words`.

    Examples
    --------
    >>> sorted(meanings(["plz"])), sorted(meanings(["place", "of", "birth"]))
    (['postcode'], ['birth', 'not-birth', 'place'])
    >>> sorted(meanings(["cap"])), sorted(meanings(["market", "cap"]))
    (['postcode'], [])
    """
    return _meanings(tuple(words))


@lru_cache(maxsize=NAMES_KEPT)
def _meanings(words: tuple[str, ...]) -> frozenset[str]:
    several = (
        "".join(words[start : start + n])
        for n in range(2, LONGEST + 1)
        for start in range(len(words) - n + 1)
    )
    bare = (word.rstrip(digits) for word in words)
    found = [word_meanings(word) for word in words]
    found += [word_meanings(word) for word in bare if len(word) >= SHORTEST]
    found += map(listed, several)
    found.append(listed("=" + "".join(words)))
    return frozenset().union(*found)


@lru_cache(maxsize=NAMES_KEPT)
def word_meanings(word: str) -> frozenset[str]:
    """Return what one word says wherever it stands.

    Examples
    --------
    >>> sorted(word_meanings("geburtsdatum")), sorted(word_meanings("cap"))
    (['birth', 'date'], [])
    """
    found = [said for part, said in _beginnings() if word.startswith(part)]
    found += [said for _, said in endings(word)]
    return listed(word).union(*found)


def listed(word: str) -> frozenset[str]:
    """Return what a word says that is listed as it stands."""
    return _listed().get(word, frozenset())


def endings(word: str) -> list[tuple[str, frozenset[str]]]:
    """Return what the ends of a word say, which are listed, and what stands before each.

    Examples
    --------
    >>> [(before, sorted(said)) for before, said in endings("baujahr")]
    [('bau', ['date', 'year'])]
    """
    return [(word[: -len(part)], said) for part, said in _ends() if word.endswith(part)]


@lru_cache(maxsize=NAMES_KEPT)
def _normalised(name: str) -> tuple[str, ...]:
    return tuple(map(normalise, written_words(name)))


@cache
def _listed() -> dict[str, frozenset[str]]:
    """The meanings of each word, written as in the list."""
    found: dict[str, set[str]] = defaultdict(set)
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    for line in filter(None, text.splitlines()):
        if line.startswith("#"):
            continue
        head, _, words = line.partition(":")
        *said, _language = head.split()
        for word in words.split():
            found[word].update(said)
            found[word.strip("*")].update(said)
    return {word: frozenset(said) for word, said in found.items()}


@cache
def _beginnings() -> list[tuple[str, frozenset[str]]]:
    return [(word[:-1], said) for word, said in _listed().items() if word.endswith("*")]


@cache
def _ends() -> list[tuple[str, frozenset[str]]]:
    return [(word[1:], said) for word, said in _listed().items() if word.startswith("*")]
