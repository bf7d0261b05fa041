"""Token-level augmentation: swapped tokens and synonyms (PEARL, section 3.1)."""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from pearljoin import InputError
from pearljoin._typing import FloatMatrix
from pearljoin_train.augment.rules import Chance, pick
from pearljoin_train.data import find

__all__ = ["Synonyms", "swap_words"]

WORDNET = "lexicon/open_english_wordnet_synsets.tsv.gz"
BLOCK = 1_024
"""Words whose similarities to all others are held at once."""
STEM = 4
"""First letters that words of one stem share."""

FUNCTION_WORDS = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do",
    "does", "for", "from", "had", "has", "have", "he", "her", "his", "i", "if", "in", "into",
    "is", "it", "its", "may", "me", "might", "must", "my", "no", "nor", "not", "of", "off", "on",
    "or", "our", "shall", "she", "should", "so", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "those", "to", "up", "us", "was", "we", "were", "what",
    "when", "where", "which", "who", "whom", "whose", "why", "will", "with", "would", "you",
    "your",
})  # fmt: skip
"""Never replaced: WordNet reads "in" as indium and "as" as arsenic."""


def swap_words(text: str, rng: Chance) -> str:
    """Swap two tokens that stand side by side and differ.

    Parameters
    ----------
    text
        Any string; tokens are what white space separates.
    rng
        Draws the place.

    Returns
    -------
    swapped
        The tokens in their new order, single spaces between them; the text as it was where it has
        no two different tokens side by side, so where it is one word.

    Examples
    --------
    >>> from random import Random
    >>> swap_words("New York", Random(0)), swap_words("Paris", Random(0))
    ('York New', 'Paris')
    """
    tokens = text.split()
    pairs = [at for at in range(len(tokens) - 1) if tokens[at] != tokens[at + 1]]
    if not pairs:
        return text
    at = pick(pairs, rng)
    tokens[at], tokens[at + 1] = tokens[at + 1], tokens[at]
    return " ".join(tokens)


class WordEncoder(Protocol):
    """An encoder of words to unit rows, for `Synonyms.from_vectors`."""

    def encode(self, phrases: Sequence[str]) -> FloatMatrix:
        """Return float32 of shape (n_words, dim): unit rows, zeros where a word is unknown."""
        ...


class Synonyms:
    """A table of words that can stand for each other; calling it replaces one in a text.

    Parameters
    ----------
    table
        Synonyms by word. Both may be of several words ("New York"). Case does not count in a
        word; a synonym equal to its word but for case is left out, and so are function words.
    capitals
        Whether tokens with a capital may be replaced. Most of them are names, for which a
        dictionary has no synonyms but other names ("Jim": "C"); in titles they are words.

    Examples
    --------
    >>> from random import Random
    >>> synonyms = Synonyms({"New York": ["NYC"], "newspaper": ["Newspaper", "paper"]})
    >>> synonyms("New York newspaper", Random(1)), synonyms("NEWSPAPER", Random(0))
    ('NYC newspaper', 'PAPER')
    """

    def __init__(self, table: Mapping[str, Iterable[str]], *, capitals: bool = True) -> None:
        self.capitals = capitals
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for word, others in table.items():
            key = " ".join(word.casefold().split())
            if key and key not in FUNCTION_WORDS:
                clean = (" ".join(other.split()) for other in others)
                found[key] |= {other: None for other in clean if other.casefold() not in ("", key)}
        self._table = {key: tuple(others) for key, others in found.items() if others}
        self._longest = max((key.count(" ") + 1 for key in self._table), default=0)

    def __len__(self) -> int:
        """Return the number of words that have a synonym."""
        return len(self._table)

    def of(self, word: str) -> tuple[str, ...]:
        """Return a word's synonyms; none is the word itself."""
        return self._table.get(" ".join(word.casefold().split()), ())

    def __or__(self, other: Synonyms) -> Synonyms:
        """Return a table with the synonyms of both."""
        keys = self._table.keys() | other._table.keys()
        table = {key: self.of(key) + other.of(key) for key in sorted(keys)}
        return Synonyms(table, capitals=self.capitals and other.capitals)

    def for_lower_case(self) -> Synonyms:
        """Return the same table for tokens in lower case only (`capitals`)."""
        return Synonyms(self._table, capitals=False)

    def __call__(self, text: str, rng: Chance) -> str:
        """Replace one token, or run of tokens, by a synonym.

        Parameters
        ----------
        text
            Any string.
        rng
            Draws the place and the synonym.

        Returns
        -------
        replaced
            The tokens with single spaces between them; upper case and capitals as they were. The
            text itself where no token has a synonym.
        """
        tokens = text.split()
        # A token that may not be replaced has the empty key, which the table lacks.
        keys = [token.casefold() if self.capitals or token.islower() else "" for token in tokens]
        spans = [
            (start, end)
            for start in range(len(keys))
            for end in range(start + 1, min(start + self._longest, len(keys)) + 1)
            if " ".join(keys[start:end]) in self._table
        ]
        if not spans:
            return text
        start, end = pick(spans, rng)
        synonym = pick(self._table[" ".join(keys[start:end])], rng)
        tokens[start:end] = [_like(" ".join(tokens[start:end]), synonym)]
        return " ".join(tokens)

    @classmethod
    def from_wordnet(cls, path: Path | None = None, *, most_senses: int | None = None) -> Synonyms:
        """Read the members of synsets, each a synonym of the others.

        Parameters
        ----------
        path
            A file like ``lexicon/open_english_wordnet_synsets.tsv.gz``; by default that one.
        most_senses
            Words of more synsets are left out: without context their synonyms are mostly wrong
            ("dog": "frump"). None: all are kept, as the paper does.

        Notes
        -----
        Turney is derived from WordNet. A model trained with this table must not report Turney.
        """
        synsets: dict[str, list[list[str]]] = defaultdict(list)
        with gzip.open(path or find(WORDNET), "rt", encoding="utf-8") as file:
            next(file)
            for line in file:
                members = line.split("\t")[2].replace("_", " ").split("|")
                for member in members:
                    synsets[member.casefold()].append(members)
        return cls(
            {
                word: [other for members in found for other in members]
                for word, found in synsets.items()
                if most_senses is None or len(found) <= most_senses
            }
        )

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, str]]) -> Synonyms:
        """Take each pair in both directions, where both are made of letters alone.

        Parameters
        ----------
        pairs
            Such as `read_aliases` gives for source ``ppdb_lexical``.
        """
        table: dict[str, list[str]] = defaultdict(list)
        for one, other in pairs:
            # Pairs collected from the web hold file names and numbers as well.
            if one.replace(" ", "").isalpha() and other.replace(" ", "").isalpha():
                table[one].append(other)
                table[other].append(one)
        return cls(table)

    @classmethod
    def from_vectors(
        cls,
        words: Collection[str],
        encoder: WordEncoder,
        *,
        threshold: float = 0.7,
        most: int = 10,
    ) -> Synonyms:
        """Take the words whose vectors are near each other's.

        Words of one stem are left out ("bath": "baths", "Bathgate"): where vectors are made of
        subwords they are the nearest, and mostly of another meaning.

        Parameters
        ----------
        words
            The vocabulary: synonyms are sought for these and among these.
        encoder
            Gives words' vectors. ``WeightedWordEncoder(vectors, weights=[1.0])``, once fitted,
            reads FastText, word2vec and GloVe files, gensim's KeyedVectors, and the bundled
            static table.
        threshold
            Least cosine, above 0 and at most 1.
        most
            Synonyms a word, the nearest first; at least 1.

        Raises
        ------
        InputError
            If `threshold` or `most` is out of range.
        """
        if not 0 < threshold <= 1 or most < 1:
            raise InputError(
                f"Neighbours need a cosine of (0, 1] and a number of at least 1. Got: {threshold} "
                f"and {most}. Hint: threshold=0.7, most=10."
            )
        vocabulary = sorted({word.casefold() for word in words} - FUNCTION_WORDS - {""})
        vectors = np.asarray(encoder.encode(vocabulary), dtype=np.float32)
        table: dict[str, list[str]] = defaultdict(list)
        for start in range(0, len(vocabulary), BLOCK):
            cosines = vectors[start : start + BLOCK] @ vectors.T
            row, column = np.nonzero(cosines >= threshold)
            for at in np.lexsort((column, -cosines[row, column], row)):
                word, other = vocabulary[start + row[at]], vocabulary[column[at]]
                others = table[word]
                if len(others) < most and not _of_one_stem(word, other):
                    others.append(other)
        return cls(table)


def _of_one_stem(word: str, other: str) -> bool:
    """Return whether two words share their first letters, at most four."""
    return word.startswith(other[:STEM]) or other.startswith(word[:STEM])


def _like(model: str, word: str) -> str:
    """Write a word as its model is written: in capitals, with a first capital, or as it is."""
    if model.isupper() and len(model) > 1:
        return word.upper()
    if model[:1].isupper() and word[:1].islower():
        return word[:1].upper() + word[1:]
    return word
