"""Alternatives: words that stand in each other's place, and so name different things.

*Siemens annual report 2019*, *Bosch annual report 2019*, *Bayer annual report 2019*, and the same
three for 2020: the table is a grid, of makers and years, and each of its rows is a thing. Two such
texts share most of their words, and say nothing of how much the others count; what the words are
for is seen in the table. Two of them are alternatives where they stand in the same place of several
texts that are equal otherwise, and a third one does as well.

Titles of a person do that, too (*Dr John Smith*, *Prof John Smith*, *Mr John Smith*), and spellings
of a word. So what the texts share must have a word that is no rarer than the alternatives: where
all of it is rare, it is what names the thing. And only doubtful pairs are lowered: of nicknames and
spellings the network is surer than of two makers.

The rows of a reference are taken for different things, so there any two words that stand in each
other's place are alternatives, unless it names things twice in several places: *Airport Munich* and
*Airport München*, *Opera Munich* and *Opera München*.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product, takewhile
from zlib import crc32

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._text.lexicon import LIGHT_WORDS
from pearljoin._text.token_similarity import are_spellings, may_be_spellings, unlike
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = [
    "LEAST",
    "LOWERED",
    "MOST_TEXTS",
    "NO_ALTERNATIVES",
    "Alternatives",
    "doubtful",
    "fillers_of",
    "find_alternatives",
    "lowered",
]

MOST_TEXTS = 10_000
"""Texts of a table in which alternatives are searched for, at most."""

LEAST = -3.0
"""Log odds below which two texts are told apart as it is."""

DOUBTFUL = 4.0
"""Log odds above which alternatives say nothing: the network knows better."""

LOWERED = 6.0
"""By how much alternatives lower the log odds of two texts, so that none stays likely."""

MOST_JOINT = 2
"""Words that stand together in one place, at most."""

FEWEST_FILLERS, FEWEST_PLACES = 3, 2
"""Words that stand in one place, at least, and how many such places two alternatives share."""

LEAST_SHARE = 0.2
"""Share of the places of the rarer of two alternatives in which the other stands, at least."""

MOST_FILLERS = 150
"""Words that are looked at in one place: pairs of them grow with the square."""

MOST_WORDS = 20
"""Words of texts that are looked at: longer ones are prose."""

MANY = 5
"""Alternatives of a word from which any other word in its place is one, if it is no spelling."""

Places = Mapping[tuple[str | None, ...], set[str]]


def doubtful(log_odds: FloatVector) -> IntVector:
    """List the pairs of which it is asked whether words tell them apart: int64 of shape (n,)."""
    return np.flatnonzero((log_odds > LEAST) & (log_odds <= DOUBTFUL))


def lowered(log_odds: FloatVector, pairs: IntVector) -> FloatVector:
    """Return log odds of which those of some pairs, that words tell apart, are lower."""
    found = log_odds.copy()
    found[pairs] -= np.float32(LOWERED)
    return found


@dataclass(frozen=True)
class Alternatives:
    """What words of a table name different things.

    Attributes
    ----------
    pairs
        Pairs of words, or of two words together, each once and in alphabetical order.
    """

    pairs: tuple[tuple[str, str], ...] = ()

    @cached_property
    def of(self) -> Mapping[str, frozenset[str]]:
        """The alternatives of each word."""
        found: dict[str, set[str]] = defaultdict(set)
        for one, other in self.pairs:
            found[one].add(other)
            found[other].add(one)
        return {word: frozenset(others) for word, others in found.items()}

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that are in an alternative."""
        return frozenset(word for phrase in self.of for word in phrase.split())

    def without(self, words: Iterable[str]) -> Alternatives:
        """Leave out those that have one of some words, such as words that tell nothing."""
        known = frozenset(words)
        kept = (pair for pair in self.pairs if known.isdisjoint(" ".join(pair).split()))
        return Alternatives(tuple(kept))

    def lower(
        self,
        log_odds: FloatVector,
        texts: Sequence[str],
        others: Sequence[str],
        first: IntVector,
        second: IntVector,
        *,
        knows_all: bool = True,
    ) -> FloatVector:
        """Lower the log odds of pairs of texts that differ in alternatives.

        Parameters
        ----------
        log_odds
            float32 of shape (n_pairs,). Of those outside `LEAST` and `DOUBTFUL` nothing is asked.
        texts, others, first, second, knows_all
            As of `differ`.

        Returns
        -------
        log_odds
            float32 of shape (n_pairs,).
        """
        if not self.pairs:
            return log_odds
        asked = doubtful(log_odds)
        at = first[asked], second[asked]
        return lowered(log_odds, asked[self.differ(texts, others, *at, knows_all=knows_all)])

    def differ(
        self,
        texts: Sequence[str],
        others: Sequence[str],
        first: IntVector,
        second: IntVector,
        *,
        knows_all: bool = True,
    ) -> BoolVector:
        """Mark pairs of texts one of which has an alternative to a word of the other.

        Parameters
        ----------
        texts, others
            Normalised texts; "" for none.
        first, second
            int64 of shape (n_pairs,): of each pair, the place of one text among `texts` and that of
            the other among `others`.
        knows_all
            Whether a word that the table did not have is another thing in the place of a word of
            many alternatives. Texts of another table may have such words, as translations.
        """
        words = {at: texts[at].split() for at in np.unique(first).tolist()}
        other_words = {at: others[at].split() for at in np.unique(second).tolist()}
        pairs = zip(first.tolist(), second.tolist(), strict=True)
        found = (
            self._tell_apart(words[one], other_words[other], knows_all) for one, other in pairs
        )
        return np.fromiter(found, dtype=bool, count=len(first))

    def _tell_apart(self, one: list[str], other: list[str], knows_all: bool) -> bool:
        return any(True for _ in self.between(one, other, knows_all=knows_all))

    def between(
        self, one: list[str], other: list[str], *, knows_all: bool = True
    ) -> Iterator[tuple[str, str]]:
        """Yield the alternatives in which two texts differ, given as their words.

        `knows_all` as of `differ`.
        """
        left, right = self._unshared(one, other)
        if not left:
            return
        left, right = unlike(left, right), unlike(right, left)
        for a, b in product(_phrases(left), _phrases(right)):
            if self._are(a, b):
                yield a, b
        if knows_all and self._is_other_filler(one, other):
            yield fillers_of(one, other)

    def _unshared(self, one: list[str], other: list[str]) -> tuple[list[str], list[str]]:
        """Return the words that only one text has; none where no alternative is among them."""
        if max(len(one), len(other)) <= MOST_WORDS:
            left = [word for word in one if word not in other]
            right = [word for word in other if word not in one]
            # Most pairs end here: comparing spellings is dear.
            if left and right and not self.words.isdisjoint(left + right):
                return left, right
        return [], []

    def _are(self, one: str, other: str) -> bool:
        """Whether two words are alternatives, or one is misspelt for an alternative."""
        if other in self.of.get(one, ()):
            return True
        if (one in self.of) == (other in self.of):
            return False
        known, unknown = (one, other) if one in self.of else (other, one)
        return any(are_spellings(unknown, word) for word in self.of[known])

    def _is_other_filler(self, one: list[str], other: list[str]) -> bool:
        """Whether two texts are equal but for one place, where one has a word of many alternatives.

        So later rows are told apart, with words that the table did not have.
        """
        fillers = fillers_of(one, other)
        if not all(fillers) or max(len(words.split()) for words in fillers) > MOST_JOINT:
            return False
        if max(len(self.of.get(words, ())) for words in fillers) < MANY:
            return False
        # *VII* and *7* are one number.
        return _shape(fillers[0]) == _shape(fillers[1]) and not may_be_spellings(*fillers)


NO_ALTERNATIVES = Alternatives()


def find_alternatives(texts: Iterable[str], *, are_distinct: bool = False) -> Alternatives:
    """Find words, or two words together, that stand in each other's place.

    Parameters
    ----------
    texts
        Normalised texts of one table.
    are_distinct
        Whether each is another thing, as in a reference.
    """
    places = _by_place(texts)
    # In how many texts a word or two stand, which is in how many places.
    n_places = Counter(filler for fillers in places.values() for filler in fillers)
    n_shared: Counter[tuple[str, str]] = Counter()
    for place, fillers in places.items():
        if len(fillers) < FEWEST_FILLERS:
            continue
        commonest = max((n_places[word] for word in place if word is not None), default=0)
        some = [filler for filler in fillers if are_distinct or n_places[filler] <= commonest]
        chosen = sorted(some, key=lambda filler: crc32(filler.encode("utf-8", "surrogatepass")))
        n_shared.update(combinations(sorted(chosen[:MOST_FILLERS]), 2))
    often = [
        pair
        for pair, n in n_shared.items()
        if n >= max(FEWEST_PLACES, LEAST_SHARE * min(n_places[word] for word in pair))
        and _are_of_sort(*pair)
    ]
    of = Alternatives(tuple(often)).of
    return Alternatives(tuple(sorted((one, other) for one, other in often if of[one] & of[other])))


def _by_place(texts: Iterable[str]) -> Places:
    """List what stands in each place: by a text without it, None where it was."""
    found: dict[tuple[str | None, ...], set[str]] = defaultdict(set)
    for text in set(texts):
        words = text.split()
        if len(words) > MOST_WORDS:
            continue
        for n_joint in range(1, min(MOST_JOINT, len(words) - 1) + 1):
            for at in range(len(words) - n_joint + 1):
                end = at + n_joint
                place = (*words[:at], None, *words[end:])
                found[place].add(" ".join(words[at:end]))
    return found


def _are_of_sort(one: str, other: str) -> bool:
    """Whether two words may be alternatives.

    *4a* and *4b* may, *500* and *500g* not, nor spellings, initials, legal forms and small words.
    """
    words, others = one.split(), other.split()
    light = LIGHT_WORDS.intersection(words + others)
    # Of "red shirt" and "blue shirt" the first words are; "Room A" is a room.
    if not set(words).isdisjoint(others) or max(map(len, light), default=0) > 1:
        return False
    return _shape(one) == _shape(other) and not may_be_spellings(one, other)


def _shape(word: str) -> str:
    """Where a word with digits has them and letters; "" for another."""
    if not any(map(str.isdigit, word)):
        return ""
    return "".join("0" if sign.isdigit() else "a" if sign.isalpha() else sign for sign in word)


def _phrases(words: list[str]) -> list[str]:
    """The words, each by itself and all of them together."""
    return [*words, " ".join(words)] if len(words) > 1 else words


def fillers_of(one: list[str], other: list[str]) -> tuple[str, str]:
    """Return what two texts have between the words that they begin and those that they end with."""
    pairs = zip(one, other, strict=False)
    start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    one, other = one[start:], other[start:]
    pairs = zip(reversed(one), reversed(other), strict=False)
    end = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return " ".join(one[: len(one) - end]), " ".join(other[: len(other) - end])
