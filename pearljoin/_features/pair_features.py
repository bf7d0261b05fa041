"""Features of a pair of texts by themselves, computed for a block of pairs at once.

Texts are compared in their normalised form. Features that share a computation read it from
`PairBlock`, which keeps it until the block is done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin._features.text_profiles import TextProfile
from pearljoin._search import tfidf
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["PairBlock", "Similarities"]

Numbers: TypeAlias = NDArray[np.floating[Any]]

TINY = 1e-6
"""What divides where a text has no tokens."""


@dataclass(frozen=True)
class Similarities:
    """Similarities of pairs from the search index; arrays of shape (n_pairs,).

    Attributes
    ----------
    cosine, centred
        float32 in [-1, 1]: cosines of phrase vectors, as they are and about their mean.
    ngrams, words
        float32 in [0, 1]: tf-idf cosines of n-grams and of words.
    known
        bool: where both vectors cover their whole text.
    """

    cosine: FloatVector
    centred: FloatVector
    ngrams: FloatVector
    words: FloatVector
    known: BoolVector

    def take(self, part: slice) -> Similarities:
        """Return those of some pairs."""
        return Similarities(*(getattr(self, field.name)[part] for field in fields(self)))


class Coverage(NamedTuple):
    """How far the tokens of one text occur in the other; of shape (n_pairs,).

    Attributes
    ----------
    covered
        Share of the squared token weights that the other text covers, in [0, 1].
    missing
        Largest token weight times the part that is not covered, as a share of the largest weight
        of any token, in [0, 1].
    """

    covered: Numbers
    missing: Numbers


class Agreement(NamedTuple):
    """How a part of the two texts compares, such as their numbers; of shape (n_pairs,) each.

    Attributes
    ----------
    agree, conflict
        How far the two agree and differ, in [0, 1].
    missing
        bool: whether only one of the texts has that part, or more of it.
    """

    agree: NDArray[np.float32] | BoolVector
    conflict: NDArray[np.float32] | BoolVector
    missing: BoolVector


@dataclass(frozen=True)
class PairBlock:
    """A block of candidate pairs of texts, with what several features are computed from.

    Attributes
    ----------
    left, right
        Profiles of both sides' texts.
    similarities
        The similarities of the pairs.
    left_at, right_at
        int64 of shape (n_pairs,): positions of the texts in the profiles.
    """

    left: TextProfile
    right: TextProfile
    similarities: Similarities
    left_at: IntVector
    right_at: IntVector

    def __len__(self) -> int:
        return len(self.left_at)

    def take(self, part: slice) -> PairBlock:
        """Return some of the pairs, with nothing computed yet."""
        return PairBlock(
            self.left,
            self.right,
            self.similarities.take(part),
            self.left_at[part],
            self.right_at[part],
        )

    def turned(self) -> PairBlock:
        """Return the same pairs with the sides exchanged."""
        return PairBlock(self.right, self.left, self.similarities, self.right_at, self.left_at)

    def same(self, key: Callable[[TextProfile], IntVector]) -> BoolVector:
        """Mark the pairs whose texts have equal keys."""
        return np.asarray(key(self.left)[self.left_at] == key(self.right)[self.right_at], bool)

    @cached_property
    def token_sort(self) -> FloatVector:
        """Edit ratio of the texts with their tokens in order, in [0, 1]."""
        # As fuzz.token_sort_ratio, which would sort the tokens again for every pair.
        return edit_ratio(self, "ratio", lambda texts: texts.in_order)

    @cached_property
    def squared_weight_sums(self) -> tuple[FloatVector, FloatVector]:
        """Sums of squared token weights of the left and of the right texts, above 0."""
        return (
            np.maximum(self.left.squared_token_weights[self.left_at], TINY),
            np.maximum(self.right.squared_token_weights[self.right_at], TINY),
        )

    @cached_property
    def common(self) -> FloatVector:
        """Squared weights of the tokens that both texts have."""
        return tfidf.pair_products(self.left.words, self.right.words, self.left_at, self.right_at)

    @cached_property
    def left_coverage(self) -> Coverage:
        """How far the right text spells the tokens of the left one."""
        return _coverage(self, self.squared_weight_sums[0])

    @cached_property
    def right_coverage(self) -> Coverage:
        """How far the left text spells the tokens of the right one."""
        return _coverage(self.turned(), self.squared_weight_sums[1])

    @cached_property
    def numbers(self) -> Agreement:
        """Whether the numbers of the texts agree."""
        return _number_agreement(self)

    @cached_property
    def legal_forms(self) -> tuple[IntVector, IntVector, BoolVector]:
        """Legal forms of the left and of the right texts, and where both have one."""
        left, right = self.left.legal_form[self.left_at], self.right.legal_form[self.right_at]
        return left, right, (left > 0) & (right > 0)

    @cached_property
    def brackets(self) -> Agreement:
        """How far what stands in brackets agrees."""
        return _bracket_agreement(self)


def _coverage(pairs: PairBlock, mass: FloatVector) -> Coverage:
    """How far the right texts spell the tokens of the left ones."""
    wanted = pairs.left.words[pairs.left_at]
    found = csr_matrix(wanted.multiply(pairs.right.spellings[pairs.right_at]))
    covered = np.asarray(found.multiply(wanted).sum(axis=1)).reshape(-1)
    missing = np.maximum((wanted - found).max(axis=1).toarray().reshape(-1), 0)
    return Coverage(covered / mass, missing / pairs.left.heaviest)


def both_missing(pairs: PairBlock) -> Numbers:
    """Return the smaller of what the two texts miss of each other."""
    return np.minimum(pairs.left_coverage.missing, pairs.right_coverage.missing)


def left_prefixes(pairs: PairBlock) -> Numbers:
    """Return the share of the left tokens that tokens of the right text begin with."""
    return _share(pairs, pairs.squared_weight_sums[0], lambda texts: texts.prefixes)


def right_prefixes(pairs: PairBlock) -> Numbers:
    """Return the share of the right tokens that tokens of the left text begin with."""
    return _share(pairs.turned(), pairs.squared_weight_sums[1], lambda texts: texts.prefixes)


def left_acronyms(pairs: PairBlock) -> Numbers:
    """Return the share of the left tokens that are initials of words in the right text."""
    return _share(pairs, pairs.squared_weight_sums[0], lambda texts: texts.acronyms)


def right_acronyms(pairs: PairBlock) -> Numbers:
    """Return the share of the right tokens that are initials of words in the left text."""
    return _share(pairs.turned(), pairs.squared_weight_sums[1], lambda texts: texts.acronyms)


def _share(
    pairs: PairBlock, mass: FloatVector, table: Callable[[TextProfile], csr_matrix]
) -> Numbers:
    """Share of the left texts' squared token weights that stands in a table of the right texts."""
    weights, found = pairs.left.squared, table(pairs.right)
    return tfidf.pair_products(weights, found, pairs.left_at, pairs.right_at) / mass


def _number_agreement(pairs: PairBlock) -> Agreement:
    """Whether numbers agree, conflict (either side has one of its own), or one side has more.

    In a row of numbers, one that stands twice counts as a number of its own where the other text
    has another number ("1,1" and "1,2"), and not otherwise.
    """
    left_extra, right_extra, shared = _extra(pairs, lambda texts: texts.numbers)
    left_again, right_again, _ = _extra(pairs, lambda texts: texts.repeats)
    conflict = (left_extra | left_again) & (right_extra | right_again)
    return Agreement(
        (shared > 0) & ~left_extra & ~right_extra & ~conflict,
        conflict,
        (left_extra ^ right_extra) & ~conflict,
    )


def _extra(
    pairs: PairBlock, table: Callable[[TextProfile], csr_matrix]
) -> tuple[BoolVector, BoolVector, FloatVector]:
    """Where the left text has more numbers, where the right one has, and how many both have."""
    left, right = table(pairs.left), table(pairs.right)
    shared = tfidf.pair_products(left, right, pairs.left_at, pairs.right_at)
    n_left, n_right = np.diff(left.indptr)[pairs.left_at], np.diff(right.indptr)[pairs.right_at]
    return n_left > shared, n_right > shared, shared


def legal_forms_agree(pairs: PairBlock) -> BoolVector:
    """Mark pairs of companies of one legal form."""
    left, right, both = pairs.legal_forms
    return np.asarray(both & (left == right), dtype=bool)


def legal_forms_conflict(pairs: PairBlock) -> BoolVector:
    """Mark pairs of companies of two legal forms."""
    left, right, both = pairs.legal_forms
    return np.asarray(both & (left != right), dtype=bool)


def _bracket_agreement(pairs: PairBlock) -> Agreement:
    """How far the tokens in brackets are covered by the other text, and how far not.

    Shares of squared token weights, the mean of both sides' shares. Neither where one side has no
    brackets.
    """
    left, right = pairs.left, pairs.right
    left_mass = left.squared_bracket_weights[pairs.left_at]
    right_mass = right.squared_bracket_weights[pairs.right_at]
    agree, conflict = np.zeros((2, len(pairs)), dtype=np.float32)
    at = np.flatnonzero((left_mass > 0) & (right_mass > 0))
    if len(at):
        places = pairs.left_at[at], pairs.right_at[at]
        left_covered = tfidf.pair_products(left.in_brackets, right.token_coverage, *places)
        right_covered = tfidf.pair_products(right.in_brackets, left.token_coverage, *places[::-1])
        shares = left_covered / left_mass[at] + right_covered / right_mass[at]
        agree[at] = np.minimum(shares / 2, 1)
        conflict[at] = 1 - agree[at]
    return Agreement(agree, conflict, (left_mass > 0) ^ (right_mass > 0))


def bare_token_sort(pairs: PairBlock) -> FloatVector:
    """Return `PairBlock.token_sort` of the texts without what stands in brackets."""
    found = pairs.token_sort.copy()
    left, right = pairs.left, pairs.right
    at = np.flatnonzero(
        (left.squared_bracket_weights[pairs.left_at] > 0)
        | (right.squared_bracket_weights[pairs.right_at] > 0)
    )
    some = PairBlock(left, right, pairs.similarities, pairs.left_at[at], pairs.right_at[at])
    found[at] = edit_ratio(some, "ratio", lambda texts: texts.bare_in_order)
    return found


def core_equal(pairs: PairBlock) -> BoolVector:
    """Mark pairs with the same words, in any order, but for small words and legal forms."""
    has_core = pairs.left.core[pairs.left_at] != 0
    return np.asarray(pairs.same(lambda texts: texts.core) & has_core, dtype=bool)


def length_ratio(pairs: PairBlock) -> Numbers:
    """Return the logarithm of the left length over the right one."""
    ratio = pairs.left.length[pairs.left_at] / pairs.right.length[pairs.right_at]
    return np.asarray(np.log(ratio), dtype=np.float32)


def acronym(pairs: PairBlock) -> BoolVector:
    """Mark pairs of which one text is the initials of the other."""
    left, right, left_at, right_at = pairs.left, pairs.right, pairs.left_at, pairs.right_at
    found = np.zeros(len(pairs), dtype=bool)
    for left_initials, right_initials in zip(left.initials, right.initials, strict=True):
        ours, theirs = left_initials[left_at], right_initials[right_at]
        found |= (ours == right.compact[right_at]) & (ours != 0)
        found |= (theirs == left.compact[left_at]) & (theirs != 0)
    return found


def jaro_winkler(pairs: PairBlock) -> FloatVector:
    """Return the Jaro-Winkler similarity of the texts, in [0, 1]."""
    # Imported here, so that training runs on a machine without it.
    from rapidfuzz.distance import JaroWinkler

    left, right = pairs.left.short[pairs.left_at], pairs.right.short[pairs.right_at]
    return _cpdist(JaroWinkler.normalized_similarity, left, right)


def edit_ratio(
    pairs: PairBlock,
    measure: str,
    texts: Callable[[TextProfile], NDArray[np.object_]] = lambda texts: texts.short,
) -> FloatVector:
    """Return a similarity of `rapidfuzz.fuzz`, by name, in [0, 1].

    Parameters
    ----------
    pairs
        The pairs.
    measure
        Name of the function in `rapidfuzz.fuzz`.
    texts
        Which form of the texts to compare.
    """
    # Imported here, so that training runs on a machine without it.
    from rapidfuzz import fuzz

    left, right = texts(pairs.left)[pairs.left_at], texts(pairs.right)[pairs.right_at]
    return _cpdist(getattr(fuzz, measure), left, right) / np.float32(100)


def _cpdist(
    measure: Callable[..., float], left: NDArray[np.object_], right: NDArray[np.object_]
) -> FloatVector:
    from rapidfuzz import process

    return np.asarray(process.cpdist(left, right, scorer=measure, workers=1), dtype=np.float32)
