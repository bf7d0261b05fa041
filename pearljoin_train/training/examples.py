"""Training examples of the encoder: phrases with aliases and types.

Read from the data folder. Benchmark pairs are left out, and so are the names kept for the scorer
(see `splits`).
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from pearljoin_train.corpus.phrase_types import (
    TYPED_ENTITIES,
    fine_type,
    label_names,
    lexical_type,
    phrase_type,
)
from pearljoin_train.data import find
from pearljoin_train.data.alias_pairs import (
    OPEN_UPSTREAM,
    PARAPHRASES,
    WORDNET,
    read_alias_pairs,
    read_fields,
)
from pearljoin_train.data.splits import Part, part_of

__all__ = [
    "PARAPHRASES",
    "UNKNOWN",
    "Examples",
    "read_alias_examples",
    "read_general_examples",
    "read_typed_examples",
    "sample",
]

UNKNOWN = -1
CONSTITUENTS = "train/constituents.tsv.gz"
PHRASES = "train/phrases.txt.gz"
NOT_NAMES = frozenset({"ltwa_title_word_abbrev", "misspellings"})
"""Sources of spelling variants, which the augmentation makes better."""

LICENCE_CLASSES = {
    "A": "public domain, permissive or attribution",
    "B": "share-alike",
    "C": "none stated",
}
OPEN = "open upstream"
OPEN_TYPED = "CC BY or MIT"
CONSTITUENT_TERMS = "research data: constituents of CoNLL-2000 and the Penn Treebank sample"

FEWEST = 64
"""A source of fewer phrases cannot fill its share of a batch."""


@dataclass(frozen=True, slots=True)
class Examples:
    """The phrases of one source, aligned.

    Attributes
    ----------
    source
        Its name.
    phrases
        Distinct phrases.
    aliases
        Other names of each; empty where none is known.
    types
        The number of each one's type in the config's type set; `UNKNOWN` where not known.
    licence
        Under what the source may be used, in words.
    """

    source: str
    phrases: list[str]
    aliases: list[tuple[str, ...]]
    types: np.ndarray
    licence: str = "not stated"

    def __len__(self) -> int:
        return len(self.phrases)

    def take(self, at: np.ndarray) -> Examples:
        """Return some of the rows."""
        return Examples(
            self.source,
            [self.phrases[i] for i in at],
            [self.aliases[i] for i in at],
            self.types[at],
            self.licence,
        )


def read_alias_examples(
    part: Part,
    *,
    licences: str = "A",
    wordnet: bool = False,
    type_set: str = "fine",
    path: Path | None = None,
) -> dict[str, Examples]:
    """Read the alias pairs of one part by source; the paraphrase sources are among them.

    Parameters
    ----------
    part
        Whose names: the encoder's or the scorer's.
    licences
        Classes that may be used; class C sources that are open upstream come with "A".
    wordnet
        Keep WordNet's synonyms, from which the Turney benchmark is made.
    type_set
        "paper" or "fine", see `Config`.
    path
        The pairs; sought in the data folder by default.
    """
    names: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    kinds: dict[str, dict[str, str]] = defaultdict(dict)
    terms: dict[str, str] = {}
    for pair in read_alias_pairs(path):
        name, alias, source = pair.name, pair.alias, pair.source
        if not pair.is_allowed(licences) or source in NOT_NAMES:
            continue
        if (source == WORDNET and not wordnet) or name == alias or not _is_readable(alias):
            continue
        if part_of(name) == part:
            names[source][name].add(alias)
            terms[source] = OPEN if source in OPEN_UPSTREAM else LICENCE_CLASSES[pair.licence]
            kinds[source].setdefault(name, pair.kind)
    found = {}
    for source, aliases in sorted(names.items()):
        if len(aliases) >= FEWEST:
            phrases = sorted(aliases)
            found[source] = Examples(
                source,
                phrases,
                [tuple(sorted(aliases[name])) for name in phrases],
                _array(_type_number(source, kinds[source][p], p, type_set) for p in phrases),
                terms[source],
            )
    return found


def read_typed_examples(
    part: Part, *, licences: str = "A", type_set: str = "fine", path: Path | None = None
) -> Examples:
    """Read the entities whose type is known, each with the type it was most often seen as."""
    best: dict[str, tuple[int, str, str]] = {}
    for phrase, label, count, source in read_fields(path or find(TYPED_ENTITIES), 4):
        if (licences != "A" or _is_open(source)) and part_of(phrase) == part:
            seen = (int(count), source, label)
            if seen > best.get(phrase, (0, "", "")):
                best[phrase] = seen
    phrases = sorted(best)
    types = _array(_type_number(*best[phrase][1:], phrase, type_set) for phrase in phrases)
    kept = np.flatnonzero(types != UNKNOWN)
    licence = OPEN_TYPED if licences == "A" else f"classes {licences}"
    return Examples("typed", phrases, [()] * len(phrases), types, licence).take(kept)


def read_general_examples(part: Part, *, licences: str = "A", type_set: str = "fine") -> Examples:
    """Read ordinary phrases: constituents, whose lexical type is known, and untyped ones.

    The untyped ones, titles of share-alike sources among them, are taken where class B is.
    """
    types: dict[str, int] = {}
    for phrase, label, _, source in read_fields(find(CONSTITUENTS), 4):
        types.setdefault(phrase, _type_number(source, label, phrase, type_set))
    if "B" in licences:
        with gzip.open(find(PHRASES), "rt", encoding="utf-8") as lines:
            for line in lines:
                types.setdefault(line.strip(), UNKNOWN)
    phrases = sorted(p for p in types if _is_worded(p) and part_of(p) == part)
    return Examples(
        "general",
        phrases,
        [()] * len(phrases),
        _array(types[phrase] for phrase in phrases),
        CONSTITUENT_TERMS if "B" not in licences else f"classes {licences}",
    )


def sample(examples: Examples, most: int, seed: int) -> Examples:
    """Return at most so many rows, the same for the same seed."""
    if len(examples) <= most:
        return examples
    rng = np.random.default_rng([seed, crc32(examples.source.encode())])
    return examples.take(np.sort(rng.choice(len(examples), most, replace=False)))


def _type_number(source: str, label: str, phrase: str, type_set: str) -> int:
    if type_set == "paper":
        number = phrase_type(source, label, phrase)
        return UNKNOWN if number is None else number
    lexical = lexical_type(source, label)
    name = fine_type(source, label, phrase) if lexical in (None, "NP") else lexical
    return UNKNOWN if name is None else label_names(type_set).index(name)


def _array(numbers: Iterable[int]) -> np.ndarray:
    return np.fromiter(numbers, dtype=np.int64)


def _is_open(source: str) -> bool:
    """Return whether a source's typed lists are CC BY or MIT."""
    return source.startswith(("mtlbio_", "crossner_")) or source in {
        "btc", "wnut17", "wikigold", "gum", "litbank", "sec_filings",
    }  # fmt: skip


def _is_readable(text: str) -> bool:
    """Return whether at least 70 % of the characters are Latin."""
    return sum(character < "\u0250" for character in text) >= 0.7 * len(text)


def _is_worded(text: str) -> bool:
    """Return whether a text has letters and the length of a phrase."""
    return 2 <= len(text) <= 80 and sum(map(str.isalpha, text)) >= 0.6 * len(text)
