"""Alignment of the tokens of candidate pairs: how far each token of either text is covered."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pearljoin._cached import cached_property
from pearljoin._features.text_profiles import TextProfile
from pearljoin._features.token_groups import TokenGroups
from pearljoin._parallel import processors, side_by_side
from pearljoin._ragged import (
    bounds_of,
    items_of_rows,
    parts_of,
    places_of,
    places_of_each,
    row_of_each,
    run_starts,
    sizes_of,
)
from pearljoin._text.similar_tokens import similar_tokens
from pearljoin._text.token_similarity import TokenShapes, TokenSimilarity
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["AlignedTokens", "align"]

MOST_CELLS = 500_000
"""Pairs of tokens that are compared at a time in each thread: what is computed of them stays near
the processor."""

LISTED = 100_000, 100, 0.5
"""Similar tokens are listed once where pairs of texts have more pairs of tokens than the first;
than the second for each pair of texts, which names do not have; and than this share of the pairs
of their vocabularies."""


@dataclass(frozen=True)
class AlignedTokens(TokenGroups):
    """The distinct tokens of one text of each pair, and how far the other text covers them.

    Attributes
    ----------
    bounds
        As of `TokenGroups`.
    entry
        int32 of shape (n_tokens,): the place of each token in ``TextProfile.words``, ascending
        within a pair.
    spelled
        float32 of shape (n_tokens,), in [0, 1]: how far the other text has the token in some
        spelling: 1 if it has it as one word, as two, or as part of another; else the similarity of
        its most similar token (see `pearljoin._text.token_similarity`).
    covered
        Likewise in any way: in some spelling, by an acronym of it, or by a word that it is short
        for.
    same, begun, initials
        bool of shape (n_tokens,): whether the other text has the token itself, has a token that
        begins with it or is it, and has words whose initials it is.
    """

    entry: NDArray[np.int32]
    spelled: FloatVector
    covered: FloatVector
    same: BoolVector
    begun: BoolVector
    initials: BoolVector

    def part(self, pairs: slice) -> AlignedTokens:
        """Return the tokens of some pairs in a row, without copying."""
        bounds = self.bounds[pairs.start : pairs.stop + 1]
        at = slice(int(bounds[0]), int(bounds[-1]))
        return AlignedTokens(
            bounds - bounds[0],
            self.entry[at],
            self.spelled[at],
            self.covered[at],
            self.same[at],
            self.begun[at],
            self.initials[at],
        )


def align(
    left: TextProfile, right: TextProfile, left_at: IntVector, right_at: IntVector
) -> tuple[AlignedTokens, AlignedTokens]:
    """Align the tokens of pairs of texts.

    Parameters
    ----------
    left, right
        Profiles of both sides' texts, of one index of tokens.
    left_at, right_at
        int64 of shape (n_pairs,): positions of each pair's texts in the profiles.

    Returns
    -------
    left_tokens, right_tokens
        The tokens of the left and of the right texts.
    """
    slots = _Slots(left, left_at), _Slots(right, right_at)
    cells = slots[0].size * slots[1].size
    listed = _listed(left.shapes, slots, int(cells.sum()))
    if listed is not None:
        of_text = listed.sizes_of_texts(left)[left_at]
        cells = slots[1].size + np.minimum(cells, of_text)
    parts = parts_of(cells, MOST_CELLS)

    def compare(part: slice) -> None:
        if listed is None:
            _compare(left.shapes, slots, part.start, part.stop)
        else:
            _look_up(listed, left, left_at, slots, part)

    # The first part computes what the others share.
    for some in (parts[:1], parts[1:]):
        deque(side_by_side(compare, some, processors()), maxlen=0)
    for ours, theirs, profile, at in (
        (slots[0], slots[1], right, right_at),
        (slots[1], slots[0], left, left_at),
    ):
        _add_compounds(ours, theirs, profile, at)
        _add_acronyms(ours, profile, at)
    return slots[0].aligned(left.abbreviates), slots[1].aligned(right.abbreviates)


class _Slots:
    """The distinct tokens of one text of each pair, pair after pair; filled in step by step."""

    def __init__(self, profile: TextProfile, at: IntVector) -> None:
        words = profile.words
        self.size = sizes_of(words.indptr)[at].astype(np.int64)
        self.bounds = bounds_of(self.size)
        self.entry = items_of_rows(words.indptr[at], self.size)[1]
        self.token: IntVector = words.indices[self.entry].astype(np.int64)
        self.spelled = np.zeros(len(self.token), dtype=np.float32)
        self.same, self.begun, self.initials = np.zeros((3, len(self.token)), dtype=bool)
        self._n_tokens = words.shape[1]

    @cached_property
    def _keys(self) -> IntVector:
        """A number for each pair and token, ascending."""
        pairs = row_of_each(self.bounds)
        return np.asarray(pairs * self._n_tokens + self.token, dtype=np.int64)

    def find(self, pairs: IntVector, tokens: IntVector) -> IntVector:
        """Return the place of a token of a pair; -1 where the text does not have it."""
        if not len(self._keys):
            return np.full(len(pairs), -1, dtype=np.int64)
        sought = pairs * self._n_tokens + tokens
        place = np.minimum(np.searchsorted(self._keys, sought), len(self._keys) - 1)
        found: IntVector = np.where(self._keys[place] == sought, place, -1)
        return found

    def aligned(self, abbreviates: BoolVector) -> AlignedTokens:
        whole = self.initials | (self.begun & abbreviates[self.token])
        covered = np.maximum(self.spelled, whole.astype(np.float32))
        return AlignedTokens(
            self.bounds,
            self.entry.astype(np.int32),
            self.spelled,
            covered,
            self.same,
            self.begun,
            self.initials,
        )


@dataclass(frozen=True)
class _Listed:
    """The pairs of tokens of two vocabularies that are similar, by left token.

    Attributes
    ----------
    bounds
        int64 of shape (n_tokens + 1,): where those of each left token start.
    second
        int64 of shape (n_similar,): the right tokens.
    similarity
        Of the pairs.
    """

    bounds: IntVector
    second: IntVector
    similarity: TokenSimilarity

    def sizes_of_texts(self, left: TextProfile) -> IntVector:
        """Return how many are listed for the tokens of each text: int64 of shape (n_texts,)."""
        sizes = bounds_of(sizes_of(self.bounds)[left.words.indices])[left.words.indptr]
        return sizes_of(sizes)


def _listed(shapes: TokenShapes, slots: tuple[_Slots, _Slots], n_cells: int) -> _Listed | None:
    """List the tokens of two sides that are similar; None where that is more work."""
    least, of_pair, share = LISTED
    if n_cells <= max(least, of_pair * len(slots[0].size)):
        return None
    left, right = (places_of(np.bincount(side.token)) for side in slots)
    if n_cells <= share * len(left) * len(right):
        return None
    found = similar_tokens(shapes, left, right, n_cells)
    if found is None:
        return None
    first, second, similarity = found
    bounds = np.searchsorted(first, np.arange(len(shapes.words) + 1)).astype(np.int64)
    return _Listed(bounds, second, similarity)


def _look_up(
    listed: _Listed,
    left: TextProfile,
    left_at: IntVector,
    slots: tuple[_Slots, _Slots],
    part: slice,
) -> None:
    """Do as `_compare` does, by the list of similar tokens.

    The tokens that are similar to one of a left text are looked up for each of its pairs: most
    tokens of a long text are similar to none of another.
    """
    ours, theirs = slots
    n_tokens, words = left.words.shape[1], left.words
    # What is similar to each text: by text and right token.
    texts, place = np.unique(left_at[part], return_inverse=True)
    text, entry = items_of_rows(words.indptr[texts], sizes_of(words.indptr)[texts])
    token = words.indices[entry]
    at, item = items_of_rows(listed.bounds[token], sizes_of(listed.bounds)[token])
    keys = text[at] * n_tokens + listed.second[item]
    order = np.argsort(keys, kind="stable")
    keys, item = keys[order], item[order]
    within = (entry - words.indptr[texts][text])[at[order]]
    # The right tokens that are there.
    pairs = np.arange(part.start, part.stop).repeat(theirs.size[part])
    slot = np.arange(theirs.bounds[part.start], theirs.bounds[part.stop])
    sought = place.reshape(-1)[pairs - part.start] * n_tokens + theirs.token[slot]
    which, found = places_of_each(keys, sought)
    right_slot, left_slot = slot[which], ours.bounds[pairs[which]] + within[found]
    similar = listed.similarity.take(item[found])
    _fill(theirs, right_slot, similar.spelled, similar.first_begins)
    order = np.argsort(left_slot, kind="stable")
    similar = similar.take(order)
    _fill(ours, left_slot[order], similar.spelled, similar.second_begins)


def _compare(shapes: TokenShapes, slots: tuple[_Slots, _Slots], start: int, end: int) -> None:
    """Compare every token of either text with those of the other, for some pairs."""
    left, right = slots
    n_left, n_right = left.size[start:end], right.size[start:end]
    cells = n_left * n_right
    if not cells.sum():
        return
    first_cell = cells.cumsum() - cells
    pair = np.arange(end - start).repeat(cells)
    # Numbers of 32 bits are divided in a third of the time.
    within = (np.arange(len(pair)) - first_cell[pair]).astype(np.int32)
    n_left, n_right = n_left.astype(np.int32), n_right.astype(np.int32)
    left_place, right_place = np.divmod(within, n_right[pair])
    left_slot = left.bounds[start:end][pair] + left_place
    right_slot = right.bounds[start:end][pair] + right_place
    found = shapes.compare(left.token[left_slot], right.token[right_slot])
    # Cells stand by left and then by right token; this is where they stand by right and then left.
    row, column = np.divmod(within, n_left[pair])
    turned = first_cell[pair] + column * n_right[pair] + row
    _fill(left, left_slot, found.spelled, found.second_begins)
    _fill(right, right_slot[turned], found.spelled[turned], found.first_begins[turned])


def _fill(slots: _Slots, slot: IntVector, spelled: FloatVector, begun: BoolVector) -> None:
    """Keep the best of the cells of each token; cells of one token stand together."""
    if not len(slot):
        return
    first = run_starts(slot)
    at = slot[first]
    slots.spelled[at] = np.maximum.reduceat(spelled, first)
    slots.begun[at] = np.logical_or.reduceat(begun, first)
    # Similarity is 1 for the same token alone, before compounds are added.
    slots.same[at] = slots.spelled[at] == 1


def _add_compounds(ours: _Slots, theirs: _Slots, profile: TextProfile, at: IntVector) -> None:
    """Where their text writes one of our tokens as two, all three are covered."""
    found, bounds = profile.compounds
    pair, entry = items_of_rows(bounds[at], sizes_of(bounds)[at])
    place = ours.find(pair, found.token[entry])
    pair, entry, place = pair[place >= 0], entry[place >= 0], place[place >= 0]
    ours.spelled[place] = 1
    for part in (found.first, found.second):
        parts = theirs.find(pair, part[entry])
        theirs.spelled[parts[parts >= 0]] = 1


def _add_acronyms(ours: _Slots, profile: TextProfile, at: IntVector) -> None:
    """Mark our tokens that are initials of words in their text."""
    found, bounds = profile.acronyms
    pair, entry = items_of_rows(bounds[at], sizes_of(bounds)[at])
    place = ours.find(pair, found.token[entry])
    ours.initials[place[place >= 0]] = True
