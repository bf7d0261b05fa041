"""Texts that differ in a contrast: *North* and *South Campus*, *Hepatitis B* and *C*."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np

from pearljoin._ragged import SparseRows, bounds_of, items_of_rows, places_of
from pearljoin._search.pair_products import pair_products
from pearljoin._text.contrasts import LETTER, NEGATED, Contrast
from pearljoin._text.lexicon import LIGHT_WORDS, SMALL_WORDS
from pearljoin._text.tokens import TokenIndex, TokenRuns, mixed
from pearljoin._typing import BoolVector, IntVector

__all__ = ["Contrasted", "are_in_contrast", "contrasted"]

N_COLUMNS = 1 << 20


class Contrasted(NamedTuple):
    """Which contrasts texts are in, by a hash.

    Attributes
    ----------
    sets
        Sparse 0/1, of shape (n_texts, N_COLUMNS): the sets of contrasts, of which the text has a
        word; of letters and kinds of streets, with the first letters of the text's other words.
    values
        Likewise, and which of the set the text has.
    """

    sets: SparseRows
    values: SparseRows


class _Entries(NamedTuple):
    """The contrasts of the words of an index, one word after the other, then of negated ones.

    Attributes
    ----------
    bounds
        int64 of shape (n_words + n_negated + 1,): where those of each start.
    negated
        int64 of shape (n_words,): where a word stands among these when it is negated.
    sets, values
        int64 of shape (n_contrasts,): hashes of the set, and of what the word stands for, too.
    designate
        bool of shape (n_contrasts,): of which the other words have to begin alike.
    are_letters
        bool of shape (n_words,): words that are one letter.
    """

    bounds: IntVector
    negated: IntVector
    sets: IntVector
    values: IntVector
    designate: BoolVector
    are_letters: BoolVector


def contrasted(runs: TokenRuns) -> Contrasted:
    """Describe texts by their words that are in a contrast.

    Letters and kinds of streets designate beside words of the same first letters alone, since one
    side abbreviates (*Nucl. Phys. A*); small words and legal forms do not count.
    Of letters side by side, such as initials, none is in a contrast; nor is a small word such as
    "y", but at the end.
    """
    entries = _entries(runs.index)
    number = np.where(runs.is_negated, entries.negated[runs.number], runs.number)
    tokens = places_of(entries.bounds[1:][number] > entries.bounds[:-1][number])
    tokens = tokens[~_are_passing(runs, entries.are_letters)[tokens]]
    text, word = runs.text[tokens], runs.number[tokens]
    has_weight = ~runs.index.among(LIGHT_WORDS)
    hashes = mixed(_hashes([each[0] for each in runs.index.words])) * has_weight
    rest = runs.sums(hashes)[text] - hashes[word]
    first = entries.bounds[number[tokens]]
    token, entry = items_of_rows(first, entries.bounds[number[tokens] + 1] - first)
    rest = rest[token] * entries.designate[entry]
    shape = len(runs.bounds) - 1, N_COLUMNS
    return Contrasted(
        *(
            SparseRows.of_places(text[token], mixed(rest + part[entry]) % N_COLUMNS, shape)
            for part in (entries.sets, entries.values)
        )
    )


def are_in_contrast(
    left: Contrasted, right: Contrasted, left_at: IntVector, right_at: IntVector
) -> BoolVector:
    """Mark pairs of texts that differ in a contrast: bool of shape (n_pairs,).

    It depends on the two texts alone: hashes are those of what is written.
    """
    of_one_set = pair_products(left.sets, right.sets, left_at, right_at)
    alike = pair_products(left.values, right.values, left_at, right_at)
    return np.asarray(of_one_set > alike, dtype=bool)


def _entries(index: TokenIndex) -> _Entries:
    found = index.contrasts
    negated = sorted(index.negated)
    each = [found.get(word, ()) for word in index.words]
    each += [[Contrast(NEGATED, word, "not")] for word in negated]
    places = np.arange(len(index))
    places[[index.place[word] for word in negated]] = len(index) + np.arange(len(negated))
    flat = [contrast for some in each for contrast in some]
    sets, values = (
        _hashes([repr(parts) for parts in some]) for some in ([parts[:2] for parts in flat], flat)
    )
    sizes = np.fromiter(map(len, each), np.int64, len(each))
    letters = [
        any(one.of == LETTER and not one.stem for one in some) for some in each[: len(index)]
    ]
    designate = np.array([one.designates for one in flat], dtype=bool)
    are_letters = np.array(letters, dtype=bool)
    return _Entries(bounds_of(sizes), places, sets, values, designate, are_letters)


def _are_passing(runs: TokenRuns, are_letters: BoolVector) -> BoolVector:
    """Mark the running tokens that are letters and designate nothing."""
    is_letter = are_letters[runs.number]
    beside = np.zeros(len(is_letter), dtype=bool)
    pairs = is_letter[1:] & is_letter[:-1] & (runs.text[1:] == runs.text[:-1])
    beside[1:] |= pairs
    beside[:-1] |= pairs
    is_last = np.zeros(len(runs.number), dtype=bool)
    is_last[runs.bounds[1:][runs.n_words > 0] - 1] = True
    is_small = runs.index.among(SMALL_WORDS)[runs.number]
    return np.asarray(is_letter & (beside | (is_small & ~is_last)), dtype=bool)


def _hashes(texts: Sequence[str]) -> IntVector:
    """Hashes that are the same in every process: int64 of shape (n_texts,)."""
    found = (crc32(text.encode("utf-8", "surrogatepass")) for text in texts)
    return np.fromiter(found, np.int64, len(texts))
