"""Entity types from short lists: peoples, languages, laws, and words that reveal a type."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["listed_type"]


@dataclass(frozen=True)
class Lists:
    """The lists of `lists.toml`, as sets of words."""

    peoples: frozenset[str]
    nationalities: frozenset[str]
    languages: frozenset[str]
    laws: frozenset[str]
    law_names: frozenset[str]
    firsts: Mapping[str, str]
    heads: Mapping[str, str]


@cache
def _lists() -> Lists:
    text = Path(__file__).with_name("lists.toml").read_text(encoding="utf-8")
    content: dict[str, Any] = tomllib.loads(text)
    words = {key: value.split() for key, value in content.items() if isinstance(value, str)}
    peoples = [*words["nationalities"], *words["people"], *words["religions_and_politics"]]
    return Lists(
        peoples=frozenset(peoples) | {f"{name}s" for name in peoples},
        nationalities=frozenset(words["nationalities"]),
        languages=frozenset(words["languages"]),
        laws=frozenset(words["laws"]),
        law_names=frozenset(content["law_names"]),
        firsts=_by_word(content["firsts"]),
        heads=_by_word(content["heads"]),
    )


def _by_word(words: Mapping[str, str]) -> dict[str, str]:
    return {word: kind for kind, listed in words.items() for word in listed.split()}


ARTICLE = re.compile(r"^(?:the|an?|his|her|their|its|most|many|some|all(?: the)?) ", re.IGNORECASE)
PREPOSITION = re.compile(
    r"^(?:in|into|from|of|by|to|with|under|against|among|for|between|through) "
)
LAW_TAIL = re.compile(r"(?:,? \d{4}| of [^ ].*| (?:No\. )?\d+| [IVX]+)$")


def listed_type(phrase: str) -> str | None:
    """Return the type of a phrase that the short lists know.

    Parameters
    ----------
    phrase
        As written: names begin with a capital. A preposition and an article may stand before it.

    Returns
    -------
    entity
        NORP, LANGUAGE, LAW, FAC, LOC, EVENT or ORG, or None. What is both a people and a language
        ("French") is a LANGUAGE after "in" or "into" or before "language", and a NORP else.

    Examples
    --------
    >>> listed_type("in French"), listed_type("the French"), listed_type("the French cook")
    ('LANGUAGE', 'NORP', None)
    >>> listed_type("of the Treaty of Utrecht"), listed_type("the Battle of Hastings")
    ('LAW', 'EVENT')
    """
    lists = _lists()
    bare = PREPOSITION.sub("", phrase)
    name = ARTICLE.sub("", bare)
    if _is_language(phrase, name, lists):
        return "LANGUAGE"
    if name in lists.peoples:
        return "NORP"
    if name in lists.law_names or _ends_as_law(name, lists.laws):
        return "LAW"
    return _headed(name, lists)


def _is_language(phrase: str, name: str, lists: Lists) -> bool:
    spoken = re.sub(r" [Ll]anguages?$", "", name)
    is_both = spoken in lists.nationalities and (
        spoken != name or phrase in (f"in {name}", f"into {name}")
    )
    return spoken in lists.languages or is_both


def _ends_as_law(name: str, endings: frozenset[str]) -> bool:
    # "Charter" alone is any charter: it takes another word of the name, or "of".
    words = LAW_TAIL.sub("", name).split()
    has_more = len(words) > 1 or " of " in name
    return bool(words) and words[-1] in endings and has_more and name[0].isupper()


def _headed(name: str, lists: Lists) -> str | None:
    words = name.split()
    if len(words) < 2 or not name[0].isupper() or not words[-1][0].isupper():
        return None
    head = words[words.index("of") - 1] if "of" in words[1:] else words[-1]
    return lists.firsts.get(words[0]) or lists.heads.get(head)
