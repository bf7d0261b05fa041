"""Features of a pair of texts by themselves, computed for a block of pairs at once.

Texts are compared in their normalised form. Features that share a computation read it from
`PairBlock`, which keeps it until the block is done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pearljoin._cached import cached_property
from pearljoin._features.contrasts import are_in_contrast
from pearljoin._features.name_similarity import NameSimilarity, name_similarity
from pearljoin._features.string_similarity import fuzz_similarity, jaro_winkler_similarity
from pearljoin._features.text_profiles import TextProfile
from pearljoin._features.token_alignment import AlignedTokens
from pearljoin._ragged import SparseRows, places_of, sizes_of
from pearljoin._search.pair_products import pair_products
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
    sibling
        float32 in [-1, 1]: see `pearljoin._features.siblings`.
    """

    cosine: FloatVector
    centred: FloatVector
    ngrams: FloatVector
    words: FloatVector
    known: BoolVector
    sibling: FloatVector

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
    left_tokens, right_tokens
        Their tokens, aligned.
    """

    left: TextProfile
    right: TextProfile
    similarities: Similarities
    left_at: IntVector
    right_at: IntVector
    left_tokens: AlignedTokens
    right_tokens: AlignedTokens

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
            self.left_tokens.part(part),
            self.right_tokens.part(part),
        )

    @cached_property
    def left_weights(self) -> FloatVector:
        """Weights of the left tokens: float32 of shape (n_left_tokens,)."""
        return np.asarray(self.left.words.data[self.left_tokens.entry], dtype=np.float32)

    @cached_property
    def right_weights(self) -> FloatVector:
        """Weights of the right tokens: float32 of shape (n_right_tokens,)."""
        return np.asarray(self.right.words.data[self.right_tokens.entry], dtype=np.float32)

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
        return self.left_tokens.sums(self.left_weights**2 * self.left_tokens.same)

    @cached_property
    def left_coverage(self) -> Coverage:
        """How far the right text spells the tokens of the left one."""
        mass = self.squared_weight_sums[0]
        return _coverage(self.left_tokens, self.left_weights, mass, self.left.heaviest)

    @cached_property
    def right_coverage(self) -> Coverage:
        """How far the left text spells the tokens of the right one."""
        mass = self.squared_weight_sums[1]
        return _coverage(self.right_tokens, self.right_weights, mass, self.right.heaviest)

    @cached_property
    def names(self) -> NameSimilarity:
        """How the names of two people compare, if that is what the texts are."""
        return name_similarity(self.left, self.right, self.left_at, self.right_at)

    @cached_property
    def numbers(self) -> Agreement:
        """Whether the numbers of the texts agree."""
        return _number_agreement(self)

    @cached_property
    def codes_shared(self) -> BoolVector:
        """Where both texts have a code, with or without what separates its parts."""
        left, right = self.left.codes, self.right.codes
        return np.asarray(pair_products(left, right, self.left_at, self.right_at) > 0, bool)

    @cached_property
    def both_have_codes(self) -> BoolVector:
        """Where both texts have words of letters and digits."""
        left, right = self.left.has_codes[self.left_at], self.right.has_codes[self.right_at]
        return np.asarray(left & right, dtype=bool)

    @cached_property
    def legal_forms(self) -> tuple[IntVector, IntVector, BoolVector]:
        """Legal forms of the left and of the right texts, and where both have one."""
        left, right = self.left.legal_form[self.left_at], self.right.legal_form[self.right_at]
        return left, right, (left > 0) & (right > 0)

    @cached_property
    def brackets(self) -> Agreement:
        """How far what stands in brackets agrees."""
        return _bracket_agreement(self)


def _coverage(
    tokens: AlignedTokens, weights: FloatVector, mass: FloatVector, heaviest: float
) -> Coverage:
    """How far the other texts spell the tokens of one side."""
    found = weights * tokens.spelled
    missing = tokens.largest(weights - found)
    return Coverage(tokens.sums(found * weights) / mass, missing / np.float32(heaviest))


def both_missing(pairs: PairBlock) -> Numbers:
    """Return the smaller of what the two texts miss of each other."""
    return np.minimum(pairs.left_coverage.missing, pairs.right_coverage.missing)


def left_prefixes(pairs: PairBlock) -> Numbers:
    """Return the share of the left tokens that tokens of the right text begin with."""
    return _left_share(pairs, pairs.left_tokens.begun)


def right_prefixes(pairs: PairBlock) -> Numbers:
    """Return the share of the right tokens that tokens of the left text begin with."""
    return _right_share(pairs, pairs.right_tokens.begun)


def left_acronyms(pairs: PairBlock) -> Numbers:
    """Return the share of the left tokens that are initials of words in the right text."""
    return _left_share(pairs, pairs.left_tokens.initials)


def right_acronyms(pairs: PairBlock) -> Numbers:
    """Return the share of the right tokens that are initials of words in the left text."""
    return _right_share(pairs, pairs.right_tokens.initials)


def _left_share(pairs: PairBlock, chosen: BoolVector) -> Numbers:
    """Share of the left texts' squared token weights in chosen tokens."""
    return pairs.left_tokens.sums(pairs.left_weights**2 * chosen) / pairs.squared_weight_sums[0]


def _right_share(pairs: PairBlock, chosen: BoolVector) -> Numbers:
    """Share of the right texts' squared token weights in chosen tokens."""
    return pairs.right_tokens.sums(pairs.right_weights**2 * chosen) / pairs.squared_weight_sums[1]


def _number_agreement(pairs: PairBlock) -> Agreement:
    """Whether numbers agree, conflict (either side has one of its own), or one side has more.

    In a row of numbers, one that stands twice counts as a number of its own where the other text
    has another number ("1,1" and "1,2"), and not otherwise. Numbers conflict, too, that follow
    other words of the same ones ("floor 3 room 4" and "floor 4 room 3"), and decimals.
    """
    left_extra, right_extra, shared = _extra(pairs, lambda texts: texts.numbers)
    left_again, right_again, _ = _extra(pairs, lambda texts: texts.repeats)
    conflict = (left_extra | left_again) & (right_extra | right_again)
    for sides in zip(pairs.left.told, pairs.right.told, strict=True):
        conflict |= are_in_contrast(*sides, pairs.left_at, pairs.right_at)
    return Agreement(
        (shared > 0) & ~left_extra & ~right_extra & ~conflict,
        conflict,
        (left_extra ^ right_extra) & ~conflict,
    )


def _extra(
    pairs: PairBlock, table: Callable[[TextProfile], SparseRows]
) -> tuple[BoolVector, BoolVector, FloatVector]:
    """Where the left text has more numbers, where the right one has, and how many both have."""
    left, right = table(pairs.left), table(pairs.right)
    shared = pair_products(left, right, pairs.left_at, pairs.right_at)
    n_left, n_right = sizes_of(left.indptr)[pairs.left_at], sizes_of(right.indptr)[pairs.right_at]
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
    both = (left_mass > 0) & (right_mass > 0)
    agree, conflict = np.zeros((2, len(pairs)), dtype=np.float32)
    if both.any():
        shares = [
            tokens.sums(weights**2 * tokens.covered * profile.in_brackets[tokens.entry])
            / np.maximum(mass, TINY)
            for tokens, weights, profile, mass in (
                (pairs.left_tokens, pairs.left_weights, left, left_mass),
                (pairs.right_tokens, pairs.right_weights, right, right_mass),
            )
        ]
        agree[both] = np.minimum((shares[0] + shares[1])[both] / 2, 1)
        conflict[both] = 1 - agree[both]
    return Agreement(agree, conflict, (left_mass > 0) ^ (right_mass > 0))


def bare_token_sort(pairs: PairBlock) -> FloatVector:
    """Return `PairBlock.token_sort` of the texts without what stands in brackets."""
    found = pairs.token_sort.copy()
    left, right = pairs.left, pairs.right
    at = places_of(
        (left.squared_bracket_weights[pairs.left_at] > 0)
        | (right.squared_bracket_weights[pairs.right_at] > 0)
    )
    texts = left.bare_in_order[pairs.left_at[at]], right.bare_in_order[pairs.right_at[at]]
    found[at] = fuzz_similarity("ratio", *texts)
    return found


def codes_conflict(pairs: PairBlock) -> BoolVector:
    """Mark pairs of which both texts have a code, and none in common."""
    return np.asarray(pairs.both_have_codes & ~pairs.codes_shared, dtype=bool)


def codes_ratio(pairs: PairBlock) -> FloatVector:
    """Return the edit ratio of the texts' codes, in [0, 1]; 0 where one has none.

    Siblings such as "DMC-TZ5K" and "DMC-TZ5S" have codes that nearly agree.
    """
    found = np.zeros(len(pairs), dtype=np.float32)
    at = places_of(pairs.both_have_codes)
    left, right = pairs.left.code_words, pairs.right.code_words
    found[at] = fuzz_similarity("ratio", left[pairs.left_at[at]], right[pairs.right_at[at]])
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
    left, right = pairs.left.short[pairs.left_at], pairs.right.short[pairs.right_at]
    return jaro_winkler_similarity(left, right)


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
    return fuzz_similarity(
        measure, texts(pairs.left)[pairs.left_at], texts(pairs.right)[pairs.right_at]
    )
