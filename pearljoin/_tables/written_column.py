"""What the values of a column are written in: words, plain values, and forms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain, pairwise
from typing import Any

from pearljoin._cached import cached_property
from pearljoin._kinds.cells import sample_texts
from pearljoin._kinds.code import unpadded
from pearljoin._kinds.column_words import name_words
from pearljoin._kinds.date import DateComparer
from pearljoin._kinds.email import EmailComparer
from pearljoin._kinds.phone import PhoneComparer
from pearljoin._kinds.postcode import PostcodeComparer
from pearljoin._kinds.protocol import Comparer, Kind, text_array
from pearljoin._kinds.read_date import day_stands_first
from pearljoin._kinds.recognise import recognise
from pearljoin._tables.cells import as_text
from pearljoin._tables.column_facts import UNSPACED, ColumnFacts
from pearljoin._text.normalise import mend, normalise

__all__ = ["FORMS", "WrittenColumn"]

SAMPLE = 1_000
"""Distinct values of a column that are read. Values that both columns have are in both samples, as
their hashes choose them."""

SHORTEST_VALUE = 3
"""Letters and digits of values that are not in two columns by chance."""

STARTS = range(3, 13)
"""Letters of a word that may stand for a longer one that begins with it."""

LONGEST_TEXT = 1_000
"""Characters of a text whose words are read."""

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
"""A number or a word."""

_UNSPACED = re.compile(rf"[{UNSPACED}]+")
"""Letters of a language that is written without blanks between words."""

_RUN = re.compile(rf"{_UNSPACED.pattern}|[^{UNSPACED}]+")
"""Such letters, or others."""

FORMS: Mapping[Kind, Callable[[], Comparer[Any]]] = {
    "date": DateComparer,
    "email": EmailComparer,
    "phone": PhoneComparer,
    "postcode": PostcodeComparer,
}
"""Kinds whose values are of one form, and what reads them."""


class WrittenColumn:
    """A column, and what its values are written in."""

    def __init__(self, facts: ColumnFacts) -> None:
        self.facts = facts
        self.name = facts.name

    @cached_property
    def texts(self) -> list[str]:
        """Distinct values, a sample of them where there are many; of long ones the beginnings."""
        return [as_text(cell)[:LONGEST_TEXT] for cell in self._sample]

    @cached_property
    def _sample(self) -> list[Any]:
        known = self.facts.sample
        chosen = set(sample_texts(known, SAMPLE))
        values = zip(self.facts.sampled.to_list(), known, strict=True)
        return [value for value, text in values if text in chosen]

    @cached_property
    def kind(self) -> Kind:
        """What its values are, by their form."""
        return recognise(self._sample, self.name)

    def are_all_in(self, numbers: range) -> bool:
        """Tell whether the values are whole numbers of a range."""
        # The sample is asked first: to read all of a large column takes long.
        if not all(text.isdecimal() and int(text) in numbers for text in self.texts):
            return False
        return all(number in numbers for number in self.facts.whole_numbers)

    @cached_property
    def words_of_values(self) -> list[frozenset[str]]:
        """The words of each text, a number apart from its unit; single letters mean too much."""
        return [
            frozenset(word for word in _words(normalise(mend(text))) if _is_telling(word))
            for text in self.texts
        ]

    @cached_property
    def words(self) -> Counter[str]:
        """In how many texts each word stands."""
        return Counter(chain.from_iterable(self.words_of_values))

    @cached_property
    def written_in(self) -> AbstractSet[str]:
        """The words, and what they begin with, as they are abbreviated."""
        return self.words.keys() | {word[:n] for word in self.words for n in STARTS}

    @cached_property
    def values(self) -> frozenset[str]:
        """The values without signs and blanks between letters and digits, or zeros before these."""
        long = (text for text in self.texts if sum(map(str.isalnum, text)) >= SHORTEST_VALUE)
        return frozenset(map(unpadded, long))

    @cached_property
    def forms(self) -> frozenset[str]:
        """The values as a comparer of their kind reads them, one of `FORMS`."""
        values = text_array(self.texts)
        reader = FORMS[self.kind]()
        if isinstance(reader, DateComparer):
            reader = DateComparer(day_stands_first(self.texts))
        return frozenset(text for text in reader.read(values).canonical if text is not None)

    @cached_property
    def name_words(self) -> frozenset[str]:
        """Words of its name, but for short ones of languages with blanks between words."""
        words = chain.from_iterable(map(_words, name_words(self.name)))
        return frozenset(word for word in words if len(word) >= STARTS[0] or _UNSPACED.match(word))

    def share_in(self, known: AbstractSet[str]) -> float:
        """Share of the words that are known, in [0, 1]: the mean of distinct ones and of all."""
        if not self.words:
            return 0.0
        shared = self.words.keys() & known
        n_all = sum(self.words.values())
        return (len(shared) / len(self.words) + sum(self.words[w] for w in shared) / n_all) / 2

    def share_of_values(self, new: AbstractSet[str]) -> float:
        """Share of the values that have one of some words, in [0, 1]."""
        n_values = sum(not new.isdisjoint(words) for words in self.words_of_values)
        return n_values / max(1, len(self.words_of_values))


def _words(text: str) -> Iterator[str]:
    """Numbers and words of a text; where no blanks are between words, each two letters in a row."""
    for run in chain.from_iterable(map(_RUN.findall, _WORD.findall(text))):
        if _UNSPACED.match(run):
            yield from map("".join, pairwise(run))
        else:
            yield run


def _is_telling(word: str) -> bool:
    return len(word) > 1 or word.isdecimal()
