"""Similarity of tokens: edits, equivalents and prefixes of two; acronyms and compounds of texts.

All of it depends on the two tokens, or on the text and the token, alone: what other texts a table
holds makes no difference.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._cached import cached_property
from pearljoin._parallel import processors
from pearljoin._ragged import places_of
from pearljoin._text.background import bundled_background
from pearljoin._text.lexicon import NUMBER_WORDS
from pearljoin._text.tokens import TokenIndex, TokenRuns
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = [
    "Acronyms",
    "Compounds",
    "TokenShapes",
    "TokenSimilarity",
    "abbreviates",
    "acronyms",
    "are_one_edit_apart",
    "are_spellings",
    "bits_set",
    "compounds",
    "jaro_winkler",
    "may_be_spellings",
    "unlike",
]

EDIT_PENALTY = 3.0
"""The edit similarity of two tokens is ``1 - EDIT_PENALTY * edits / letters``, at least 0, where
edits are counted by optimal string alignment and letters in the longer token. It is 0.7 for
"California" and "Califronia", 0.25 for "WHCT" and "WHCQ", 0 for "Andi" and "Gbandi"."""

ALIKE, SHORTEST = 0.75, 4
"""Edit similarity, less edits over letters, from which two words are spellings of one, and how many
letters both have at least."""

LONGEST_WORD, LONGEST_ACRONYM, MOST_INITIALS, LONGEST_PREFIX = 64, 8, 40, 20
"""Bounds that names do not reach, and that keep long texts cheap."""

WORDS_KEPT = 65_536
"""Words whose shapes are kept for the next lookup."""

_DIGIT = re.compile(r"\d")

_BITS = np.array([bin(byte).count("1") for byte in range(256)], dtype=np.uint8)


class TokenSimilarity(NamedTuple):
    """Similarity of pairs of tokens, arrays of shape (n_pairs,).

    Attributes
    ----------
    spelled
        float32 in [0, 1]: 1 for the same token, else the edit similarity (see `EDIT_PENALTY`) or
        how often one is written for the other (see `pearljoin._text.background`).
    first_begins, second_begins
        bool: whether the first token begins with the second, and the second with the first. A token
        that begins with a digit is no prefix of another.
    """

    spelled: FloatVector
    first_begins: BoolVector
    second_begins: BoolVector

    def take(self, pairs: IntVector | BoolVector) -> TokenSimilarity:
        """Return that of some pairs."""
        return TokenSimilarity(
            self.spelled[pairs], self.first_begins[pairs], self.second_begins[pairs]
        )


class TokenShapes:
    """What tells cheaply that two tokens of an index are not similar.

    Parameters
    ----------
    index
        The tokens.

    Attributes
    ----------
    words, place
        The tokens, and the number of each.
    length
        int32 of shape (n_tokens,): letters of each.
    letters
        uint64 of shape (n_tokens,): the letters of each as a set, see `_shape`.
    is_spelled
        bool of shape (n_tokens,): which may be a spelling of another.
    """

    def __init__(self, index: TokenIndex) -> None:
        self.words = np.array(index.words, dtype=object)
        self.place = index.place
        self.length = np.fromiter(map(len, index.words), np.int32, len(index))
        # Of most words of a lookup these are known from earlier ones.
        letters, first, spelled, begins = zip(
            *(_shape(word[: LONGEST_WORD + 1]) for word in index.words), strict=True
        )
        self.letters: NDArray[np.uint64] = np.array(letters, dtype=np.uint64)
        self._first = np.array(first, dtype=np.uint32)
        self.is_spelled = np.array(spelled, dtype=bool)
        self._may_begin = np.array(begins, dtype=bool)

    @cached_property
    def equivalents(self) -> tuple[IntVector, FloatVector]:
        """Pairs of tokens that are written for each other, ascending, and how often."""
        known, size = bundled_background().equivalents, len(self.words)
        found = [
            (place * size + self.place[other], strength)
            for word, place in self.place.items()
            if word in known
            for other, strength in known[word].items()
            if other in self.place
        ]
        pairs = np.array([pair for pair, _ in found], dtype=np.int64)
        order = np.argsort(pairs)
        return pairs[order], np.array([rate for _, rate in found], dtype=np.float32)[order]

    def compare(self, first: IntVector, second: IntVector) -> TokenSimilarity:
        """Compare pairs of tokens, given by their numbers.

        Parameters
        ----------
        first, second
            int64 of shape (n_pairs,).
        """
        spelled = (first == second).astype(np.float32)
        begins = np.zeros((2, len(first)), dtype=bool)
        begins[:, first == second] = True
        lengths = self.length[first], self.length[second]
        shorter, longer = np.minimum(*lengths), np.maximum(*lengths)
        both = self.is_spelled[first] & self.is_spelled[second]
        # Every edit takes away more than EDIT_PENALTY / letters, and changes two letters at most.
        most = np.floor((longer - 1) / EDIT_PENALTY)
        near = both & (longer - shorter <= most) & (first != second)
        alike = places_of(near)
        letters = self.letters[first[alike]], self.letters[second[alike]]
        near[alike] = bits_set(np.bitwise_xor(*letters)) <= 2 * most[alike]
        head = (self._first[first] == self._first[second]) & (longer > shorter)
        head &= np.where(lengths[0] < lengths[1], self._may_begin[first], self._may_begin[second])
        at = places_of(near | head)
        if len(at):
            keys, back = np.unique(first[at] * len(self.words) + second[at], return_inverse=True)
            one, other = keys // len(self.words), keys % len(self.words)
            edits, common = self._measure(one, other)
            longest = np.maximum(self.length[one], self.length[other])
            score = np.maximum(0, 1 - EDIT_PENALTY * edits / longest).astype(np.float32)
            spelled[at] = np.where(near[at], score[back], 0)
            is_head = head[at] & (common[back] == shorter[at])
            begins[0, at[is_head & (lengths[0][at] > lengths[1][at])]] = True
            begins[1, at[is_head & (lengths[1][at] > lengths[0][at])]] = True
        return TokenSimilarity(self._with_equivalents(first, second, spelled), *begins)

    def is_initial(self, first: IntVector, second: IntVector) -> BoolVector:
        """Mark pairs of tokens of which one is the first letter of the other."""
        letter = (self.length[first] == 1) ^ (self.length[second] == 1)
        return np.asarray(letter & (self._first[first] == self._first[second]), dtype=bool)

    def _measure(self, one: IntVector, other: IntVector) -> tuple[FloatVector, FloatVector]:
        """Edits between tokens, and letters of their common beginning."""
        # Imported here, so that training runs on a machine without it.
        from rapidfuzz import process
        from rapidfuzz.distance import OSA, Prefix

        words = self.words[one], self.words[other]
        workers = 1 if len(one) < 1_000 else processors()
        edits = process.cpdist(*words, scorer=OSA.distance, workers=workers)
        return edits, process.cpdist(*words, scorer=Prefix.similarity, workers=workers)

    def _with_equivalents(
        self, first: IntVector, second: IntVector, spelled: FloatVector
    ) -> FloatVector:
        pairs, strength = self.equivalents
        if not len(pairs):
            return spelled
        n_words = len(self.words)
        # Few words are written for others.
        has_other = np.zeros(n_words, dtype=bool)
        has_other[pairs // n_words] = True
        at = places_of(has_other[first])
        sought = first[at] * n_words + second[at]
        place = np.minimum(np.searchsorted(pairs, sought), len(pairs) - 1)
        strength = np.where(pairs[place] == sought, strength[place], 0)
        spelled[at] = np.maximum(spelled[at], strength)
        return spelled


@lru_cache(maxsize=WORDS_KEPT)
def _shape(word: str) -> tuple[int, int, bool, bool]:
    """Return what `TokenShapes` holds of a word.

    Its letters as a set of 64 bits, which letters may share: every edit changes two of them at
    most. Its first letter. Whether it may be a spelling of another: numbers are none, and what is
    so long is no word. And whether another may begin with it.
    """
    letters = 0
    for letter in set(word[:LONGEST_WORD]):
        letters |= 1 << (ord(letter) & 63)
    is_spelled = len(word) <= LONGEST_WORD and not _DIGIT.search(word)
    return letters, ord(word[0]), is_spelled, len(word) <= LONGEST_PREFIX and not word[0].isdigit()


def bits_set(sets: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Number of bits that are set in each 64-bit number."""
    if hasattr(np, "bitwise_count"):  # since numpy 2.0
        return np.asarray(np.bitwise_count(sets), dtype=np.uint8)
    parts = _BITS[sets.view(np.uint8).reshape(*sets.shape, 8)]
    return np.asarray(parts.sum(axis=-1, dtype=np.uint8), dtype=np.uint8)


class Acronyms(NamedTuple):
    """Tokens that are initials of two or more words in a row of a text.

    Attributes
    ----------
    text, token
        int64 of shape (n_found,), by text.
    """

    text: IntVector
    token: IntVector


class Compounds(NamedTuple):
    """Tokens that are two words of a text written as one: "database" beside "data base".

    Attributes
    ----------
    text, token
        int64 of shape (n_found,), by text: the text that writes it as two, and the whole.
    first, second
        The parts.
    """

    text: IntVector
    token: IntVector
    first: IntVector
    second: IntVector


def acronyms(runs: TokenRuns) -> Acronyms:
    """Find the tokens that are initials of two or more words in a row of each text.

    Of all its words, or of those that are not `SMALL_WORDS`.

    Parameters
    ----------
    runs
        The texts.
    """
    every = np.ones(len(runs.bounds) - 1, dtype=bool)
    others = runs.content.n_words < runs.n_words
    found = _initials_in(runs, every), _initials_in(runs.content, others)
    text, token = (np.concatenate(both) for both in zip(*found, strict=True))
    pairs = np.unique(text * len(runs.index) + token)
    return Acronyms(pairs // len(runs.index), pairs % len(runs.index))


def _initials_in(runs: TokenRuns, wanted: BoolVector) -> tuple[IntVector, IntVector]:
    """Texts that are wanted, each with the tokens that are initials of some of its words."""
    letters, text, find = runs.initials, runs.text, runs.index.place.get
    start = places_of(wanted[text])
    end = np.minimum(runs.bounds[1:], runs.bounds[:-1] + MOST_INITIALS)[text]
    texts, words = [], []
    for length in range(2, LONGEST_ACRONYM + 1):
        here = start[start + length <= end[start]]
        found = [find(letters[at : at + length], -1) for at in here.tolist()]
        words.append(np.array(found, dtype=np.int64))
        texts.append(text[here])
    text, word = np.concatenate(texts), np.concatenate(words)
    return text[word >= 0], word[word >= 0]


def compounds(runs: TokenRuns) -> Compounds:
    """Find the tokens that two words side by side in a text make.

    Two numbers make none ("1 1" is not "11", nor "2 1st" "21st").

    Parameters
    ----------
    runs
        The texts.
    """
    words, place, text = runs.index.words, runs.index.place, runs.text
    at = places_of(text[:-1] == text[1:])
    first, second = runs.number[at], runs.number[at + 1]
    pairs, back = np.unique(first * len(words) + second, return_inverse=True)
    parts = np.divmod(pairs, len(words))
    whole = np.array(
        [
            -1
            if words[one][-1].isdigit() and words[other][0].isdigit()
            else place.get(words[one] + words[other], -1)
            for one, other in zip(*(part.tolist() for part in parts), strict=True)
        ],
        dtype=np.int64,
    )[back.reshape(-1)]
    found = whole >= 0
    return Compounds(text[at][found], whole[found], first[found], second[found])


def abbreviates(index: TokenIndex) -> BoolVector:
    """Mark the tokens that may be short for another that begins with them.

    Not single letters, and not Roman numerals ("I" is not short for "II").
    """
    return np.array([len(word) > 1 and word not in NUMBER_WORDS for word in index.words])


@lru_cache(maxsize=100_000)
def are_spellings(word: str, other: str) -> bool:
    """Tell whether a word is short for another, or one that is misspelt; numbers never are.

    Examples
    --------
    >>> are_spellings("univ", "university"), are_spellings("universty", "university")
    (True, True)
    >>> are_spellings("physics", "physiology"), are_spellings("1984", "1985")
    (False, False)
    """
    from rapidfuzz.distance import OSA

    if word[0] != other[0] or not (word + other).isalpha():
        return False
    if word.startswith(other) or other.startswith(word):
        return True
    if min(len(word), len(other)) < SHORTEST:
        return False
    return float(OSA.normalized_similarity(word, other, score_cutoff=ALIKE)) >= ALIKE


def are_one_edit_apart(one: str, other: str) -> bool:
    """Tell whether a letter added, dropped or changed, or two exchanged, make one word of another.

    Examples
    --------
    >>> are_one_edit_apart("maria", "marie"), are_one_edit_apart("maria", "martha")
    (True, False)
    """
    from rapidfuzz.distance import OSA

    return bool(OSA.distance(one, other, score_cutoff=1) <= 1)


def jaro_winkler(one: str, other: str) -> float:
    """Jaro-Winkler similarity of two words, in [0, 1]."""
    from rapidfuzz.distance import JaroWinkler

    return float(JaroWinkler.similarity(one, other))


def unlike(words: Iterable[str], others: Collection[str]) -> list[str]:
    """List the words that are no spelling of one of others, as of `are_spellings`."""
    return [word for word in words if not any(are_spellings(word, other) for other in others)]


def may_be_spellings(one: str, other: str) -> bool:
    """Tell whether two phrases may be spellings of one, or one short for the other.

    It takes more for spellings than `are_spellings`: where that errs is dearer here.

    Examples
    --------
    >>> may_be_spellings("rd", "road"), may_be_spellings("jon", "jhon")
    (True, True)
    >>> may_be_spellings("street", "road"), may_be_spellings("4a", "4b")
    (False, False)
    """
    from rapidfuzz.distance import OSA

    short, long = sorted((one.replace(" ", ""), other.replace(" ", "")), key=len)
    if not (short + long).isalpha():
        return False
    letters = iter(long)
    if len(short) < len(long) and short[0] == long[0] and all(sign in letters for sign in short):
        return True
    if len(short) > 2 and OSA.distance(short, long, score_cutoff=1) <= 1:
        return True
    return are_spellings(short, long)
