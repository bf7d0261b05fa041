"""Qualifiers: words that a reference has with and without, and so name different things.

*Blue Bay Park* and *Blue Bay Park East*, *Myriad Pro Bold* and *Myriad Pro Bold Italic*: where a
reference lists several names both with a word and without it, all else equal, that word tells
things apart, and a text that lacks it is not likely to be the one that has it. Of legal forms and
of most other words a reference lists a name with or without.

A reference that names things twice has some words by the way. But then it has names twice as they
are, too, or with their words in another order, about as often as with a word and without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._scoring.alternatives import MOST_JOINT, MOST_WORDS, doubtful, lowered
from pearljoin._text.lexicon import LIGHT_WORDS
from pearljoin._text.token_similarity import may_be_spellings
from pearljoin._typing import FloatVector, IntVector

__all__ = [
    "MOST_QUALIFIED",
    "NO_QUALIFIERS",
    "Qualifiers",
    "find_qualifiers",
    "qualifiers_among",
    "without_each",
]

MOST_QUALIFIED = 50_000
"""Texts of a reference of which it is asked what they are without a word, at most."""

FEWEST_PAIRS = 3
"""Names that a reference has with a word and without it, at least."""

LEAST_SHARE = 0.2
"""Share of the names with the word that it has without it, too, at least."""

REPEATED = 2.0
"""How many times the share of repeated names that share is, at least."""

SHORTEST_PART = 3
"""Letters of a part of a word that is written apart or together by mistake, at least."""


@dataclass(frozen=True)
class Qualifiers:
    """Words that name another thing where one text has them and the other nothing in their place.

    Attributes
    ----------
    phrases
        Words, or two words together, in alphabetical order.
    """

    phrases: tuple[str, ...] = ()

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that are in one."""
        return frozenset(word for phrase in self.phrases for word in phrase.split())

    @cached_property
    def _of_words(self) -> frozenset[frozenset[str]]:
        return frozenset(frozenset(phrase.split()) for phrase in self.phrases)

    def lower(
        self,
        log_odds: FloatVector,
        texts: Sequence[str],
        others: Sequence[str],
        first: IntVector,
        second: IntVector,
    ) -> FloatVector:
        """Lower the log odds of pairs of texts one of which has a qualifier more.

        Parameters
        ----------
        log_odds
            float32 of shape (n_pairs,). Of those outside `LEAST` and `DOUBTFUL` nothing is asked.
        texts, others
            Normalised texts; "" for none.
        first, second
            int64 of shape (n_pairs,): of each pair, the place of one text among `texts` and that of
            the other among `others`.

        Returns
        -------
        log_odds
            float32 of shape (n_pairs,).
        """
        if not self.phrases:
            return log_odds
        asked = doubtful(log_odds)
        words = {at: texts[at].split() for at in np.unique(first[asked]).tolist()}
        other_words = {at: others[at].split() for at in np.unique(second[asked]).tolist()}
        pairs = zip(first[asked].tolist(), second[asked].tolist(), strict=True)
        found = (self.tell_apart(words[one], other_words[other]) for one, other in pairs)
        differ = np.fromiter(found, dtype=bool, count=len(asked))
        return lowered(log_odds, asked[differ])

    def tell_apart(self, one: list[str], other: list[str]) -> bool:
        """Tell whether one of two texts, given as their words, has a qualifier more."""
        if max(len(one), len(other)) > MOST_WORDS:
            return False
        left = [word for word in one if word not in other]
        right = [word for word in other if word not in one]
        return self._has_more(left, right, one) or self._has_more(right, left, other)

    def _has_more(self, more: list[str], rest: list[str], text: list[str]) -> bool:
        """Whether `text`, which alone has `more`, has a qualifier, and `rest` none in its place."""
        # Most pairs end here: comparing spellings is dear.
        if self.words.isdisjoint(more):
            return False
        for phrase in _runs(more):
            words = frozenset(phrase)
            if words in self._of_words:
                without = [word for word in text if word not in words]
                if all(_is_written(word, without) for word in rest):
                    return not any(_is_written(word, rest) for word in phrase)
        return False


NO_QUALIFIERS = Qualifiers()


def find_qualifiers(texts: Iterable[str], asked: Iterable[str] | None = None) -> Qualifiers:
    """Find words, or two words together, that texts of a reference have with and without.

    Parameters
    ----------
    texts
        Normalised texts of all rows of a reference.
    asked
        Those of which it is asked whether they are there without a word, too. Default: all.
    """
    n_rows = Counter(texts)
    known = n_rows.keys()
    return qualifiers_among(set(known if asked is None else asked), known, _share_repeated(n_rows))


def qualifiers_among(
    asked: Collection[str], known: Container[str], share_repeated: float
) -> Qualifiers:
    """Find qualifiers where a reference is not at hand, but what is asked of it.

    Parameters
    ----------
    asked
        Distinct normalised texts, of which it is asked whether they are there without a word, too.
    known
        Texts of the reference: at least those of what `without_each` lists of `asked`.
    share_repeated
        The share of names that stand in several rows, whatever the order of their words.
    """
    least = max(LEAST_SHARE, REPEATED * share_repeated)
    n_texts: Counter[str] = Counter()
    n_without: Counter[str] = Counter()
    for text in asked:
        having, both = set(), set()
        for phrase, rest in without_each(text):
            having.add(phrase)
            if rest in known:
                both.add(phrase)
        n_texts.update(having)
        n_without.update(both)
    found = (
        phrase
        for phrase, n in n_without.items()
        if n >= max(FEWEST_PAIRS, least * n_texts[phrase]) and _is_telling(phrase)
    )
    return Qualifiers(tuple(sorted(found)))


def without_each(text: str) -> Iterator[tuple[str, str]]:
    """List each word, and two words together, of a normalised text, and what it is without.

    Nothing of a long text.

    Examples
    --------
    >>> list(without_each("bay park"))
    [('bay', 'park'), ('park', 'bay')]
    """
    words = text.split()
    if len(words) > MOST_WORDS:
        return
    for start, end in _places(len(words)):
        yield " ".join(words[start:end]), " ".join(words[:start] + words[end:])


def _share_repeated(n_rows: Mapping[str, int]) -> float:
    """The share of names that stand in several rows, whatever the order of their words."""
    found: Counter[str] = Counter()
    for text, n in n_rows.items():
        found[" ".join(sorted(text.split()))] += n
    return sum(n > 1 for n in found.values()) / max(len(found), 1)


def _places(n_words: int) -> Iterator[tuple[int, int]]:
    """List the runs of a text's words that are not all of it: where each starts and ends."""
    for n_joint in range(1, min(MOST_JOINT, n_words - 1) + 1):
        for start in range(n_words - n_joint + 1):
            yield start, start + n_joint


def _is_telling(phrase: str) -> bool:
    """Whether a phrase is more than small words and legal forms; *Building A* is another one."""
    return any(len(word) == 1 or word not in LIGHT_WORDS for word in phrase.split())


def _runs(words: list[str]) -> Iterator[list[str]]:
    for n_joint in range(1, MOST_JOINT + 1):
        for start in range(len(words) - n_joint + 1):
            yield words[start : start + n_joint]


def _is_written(word: str, others: list[str]) -> bool:
    """Whether a word stands for one of others, misspelt or short for it, or for parts of some."""
    if len(word) >= SHORTEST_PART and word in "".join(others):
        return True
    return any(may_be_spellings(word, other) for other in others)
