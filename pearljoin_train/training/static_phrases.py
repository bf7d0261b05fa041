"""The phrases that a static model is distilled on: names, ordinary phrases, words, corruptions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from pearljoin_train.data.splits import is_held_out, part_of
from pearljoin_train.training.batches import corrupt_view
from pearljoin_train.training.examples import (
    PARAPHRASES,
    Examples,
    read_alias_examples,
    read_general_examples,
    read_typed_examples,
)
from pearljoin_train.training.static import AliasRows, StaticConfig

__all__ = ["StaticPhrases", "read_static_phrases", "static_phrases"]

LONGEST = 200
"""Characters of a name."""
FREQUENT = 5
"""Phrases that a word must occur in, to be learned by itself."""


@dataclass(frozen=True, slots=True)
class StaticPhrases:
    """What a static model is distilled on.

    Attributes
    ----------
    phrases
        Distinct phrases, in an order that the seed draws.
    lists
        Names that stand for one thing, as rows of `phrases`.
    sources
        Of each source, its number of phrases and its licence.
    """

    phrases: list[str]
    lists: list[AliasRows]
    sources: dict[str, dict[str, int | str]]


def read_static_phrases(config: StaticConfig) -> StaticPhrases:
    """Read the phrases from the data folder; names and lists that are held out are left out."""
    aliases = read_alias_examples("encoder")
    known = [examples for source, examples in aliases.items() if not is_held_out(source)]
    return static_phrases(
        known, [read_typed_examples("encoder"), read_general_examples("encoder")], config
    )


def static_phrases(
    named: Iterable[Examples], others: Iterable[Examples], config: StaticConfig
) -> StaticPhrases:
    """Gather phrases.

    Parameters
    ----------
    named
        Names with other names; a phrase that another split holds out is dropped.
    others
        Phrases without other names.
    config
        How many of each source, and how many corruptions.
    """
    named, others = list(named), list(others)
    rng = np.random.default_rng(config.seed)
    source_of: dict[str, str] = {}
    for examples in named:
        for phrase, more in zip(examples.phrases, examples.aliases, strict=True):
            for text in (phrase, *more):
                if len(text) <= LONGEST and part_of(text) == "encoder":
                    source_of.setdefault(text, examples.source)
    for examples in others:
        for phrase in examples.phrases:
            source_of.setdefault(phrase, examples.source)
    every = sorted(source_of)
    rng.shuffle(every)
    kept = _capped(every, source_of, config)
    words = Counter(word for text in every for word in set(re.findall(r"[^\W_]+", text)))
    frequent = [w for w, n in words.items() if n >= FREQUENT and part_of(w) == "encoder"]
    noisy = rng.choice(len(kept), min(config.corrupted, len(kept)), replace=False)
    corrupted = [corrupt_view(kept[at], rng) for at in noisy]
    phrases = list(dict.fromkeys([*kept, *sorted(frequent), *corrupted]))
    taken = Counter(source_of[text] for text in kept)
    licences = {examples.source: examples.licence for examples in [*named, *others]}
    return StaticPhrases(
        phrases,
        alias_lists(named, {text: row for row, text in enumerate(phrases)}),
        {s: {"phrases": n, "licence": licences[s]} for s, n in sorted(taken.items())},
    )


def _capped(texts: list[str], source_of: Mapping[str, str], config: StaticConfig) -> list[str]:
    """Keep the first phrases of each source."""
    taken: Counter[str] = Counter()
    kept = []
    for text in texts:
        if taken[source_of[text]] < config.names_a_source:
            taken[source_of[text]] += 1
            kept.append(text)
    return kept


def alias_lists(named: Iterable[Examples], row_of: Mapping[str, int]) -> list[AliasRows]:
    """Find the names with other names among the phrases, by list; paraphrases are no names."""
    lists = []
    for examples in named:
        if examples.source in PARAPHRASES:
            continue
        names, aliases = [], []
        for phrase, more in zip(examples.phrases, examples.aliases, strict=True):
            rows = [row_of[alias] for alias in more if alias in row_of]
            if phrase in row_of and rows:
                names.append(row_of[phrase])
                aliases.append(rows)
        if len(names) > 1:
            lists.append(AliasRows(np.array(names, dtype=np.int64), aliases))
    return lists
