"""Unmatched tokens: tokens of a pair that the other text does not contain.

"Season" may be unmatched in half of a table's matches and mean nothing there; "women's" may never
be, and where it is, two different things are compared. Which tokens are which is counted on the
best pairs of a sample of the left table, and held to what is known of names at large.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from pearljoin._features.rival_groups import Groups
from pearljoin._features.token_groups import TokenGroups
from pearljoin._ragged import bounds_of, items_of_rows, places_of, sizes_of
from pearljoin._text.background import bundled_background
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = [
    "NO_COUNTS",
    "UNMATCHED_FEATURES",
    "PairTokens",
    "SideCounts",
    "SideTokens",
    "TokenCounts",
    "count_tokens",
    "unmatched_token_features",
]

USUAL_SHARE, FEW_TOKENS = 0.2, 15
"""Share of tokens that are unmatched in tables at large, and how many tokens it counts for."""

FEW_TIMES, KNOWN_TIMES = 0.5, 2.0
"""How often a token counts as seen before it is seen: as the table's others are, where the
background does not know it, and as in the background where it does."""


@dataclass(frozen=True)
class SideTokens(TokenGroups):
    """The tokens of one text of each pair.

    Attributes
    ----------
    bounds
        As of `TokenGroups`.
    column
        int64 of shape (n_tokens,): the word column of each token (`pearljoin._search.tfidf`).
    weight
        float32 of shape (n_tokens,): idf weights.
    covered
        float32 of shape (n_tokens,), in [0, 1]: how far the other text covers the token.
    heaviest
        The weight of a word that occurs nowhere.
    """

    column: IntVector
    weight: FloatVector
    covered: FloatVector
    heaviest: float

    def take(self, pairs: IntVector) -> SideTokens:
        """Return the tokens of some pairs."""
        size = sizes_of(self.bounds)[pairs]
        bounds = bounds_of(size)
        at = items_of_rows(self.bounds[pairs], size)[1]
        columns = self.column[at], self.weight[at], self.covered[at]
        return SideTokens(bounds, *columns, self.heaviest)


class PairTokens(NamedTuple):
    """The tokens of both texts of candidate pairs."""

    left: SideTokens
    right: SideTokens

    def take(self, pairs: IntVector) -> PairTokens:
        """Return the tokens of some pairs."""
        return PairTokens(self.left.take(pairs), self.right.take(pairs))


@dataclass(frozen=True)
class SideCounts:
    """How often best pairs have each token of one side, and how often it is unmatched.

    Attributes
    ----------
    column
        int64 of shape (n_words,), ascending: word columns.
    seen, unmatched
        float32 of shape (n_words,).
    """

    column: IntVector
    seen: FloatVector
    unmatched: FloatVector

    def expected(self, column: IntVector) -> FloatVector:
        """Return how often tokens are expected to be unmatched: float32, in [0, 1].

        Parameters
        ----------
        column
            int64 of shape (n_tokens,): their word columns.
        """
        share = (self.unmatched.sum() + USUAL_SHARE * FEW_TOKENS) / (self.seen.sum() + FEW_TOKENS)
        known = bundled_background().unmatched(column)
        is_known = ~np.isnan(known)
        times = np.where(is_known, KNOWN_TIMES, FEW_TIMES)
        prior = np.where(is_known, known, share)
        if not len(self.column):
            return np.asarray(prior, dtype=np.float32)
        place = np.minimum(np.searchsorted(self.column, column), len(self.column) - 1)
        found = self.column[place] == column
        # One row fewer, since a row must not count for itself.
        seen = np.where(found, np.maximum(self.seen[place] - 1, 0), 0)
        unmatched = np.where(found, np.maximum(self.unmatched[place] - 1, 0), 0)
        rate = (times * prior + unmatched) / (times + seen)
        return np.asarray(np.clip(rate, 0, 1), dtype=np.float32)


class TokenCounts(NamedTuple):
    """Counts of the tokens of both sides."""

    left: SideCounts
    right: SideCounts


_NONE = SideCounts(np.zeros(0, np.int64), np.zeros(0, np.float32), np.zeros(0, np.float32))
NO_COUNTS = TokenCounts(_NONE, _NONE)
"""What is counted before any left row is known."""


class _Shares(NamedTuple):
    """What is unmatched on one side of the pairs; of shape (n_pairs,) each, in [0, 1].

    Attributes
    ----------
    expected, unexpected
        Share of the squared token weights in tokens that are expected to be unmatched, and in
        tokens that are not.
    most_unexpected
        The largest token weight times how unexpected it is that the token is unmatched, as a share
        of the largest weight of all.
    """

    expected: FloatVector
    unexpected: FloatVector
    most_unexpected: FloatVector


UNMATCHED_FEATURES = tuple(
    f"{side}_{name}" for side in ("left", "right") for name in _Shares._fields
)
"""Names of the columns of `unmatched_token_features`."""


def count_tokens(tokens: PairTokens, logit: FloatVector, rows: Groups) -> TokenCounts:
    """Count the tokens of the rows' best pairs, and how far they are unmatched.

    Parameters
    ----------
    tokens
        The tokens of all candidate pairs.
    logit
        float32 of shape (n_pairs,): log odds that each pair is a match by itself. The best pair of
        a row counts by the probability that it is a match.
    rows
        The pairs by left record.
    """
    best = places_of(rows.is_best(logit))
    row = rows.number[best]
    weight = expit(logit[best]) / np.bincount(row, minlength=len(rows))[row]
    chosen = tokens.take(best)
    return TokenCounts(*(_count(side, weight.astype(np.float32)) for side in chosen))


def _count(side: SideTokens, weight: FloatVector) -> SideCounts:
    column, place = np.unique(side.column, return_inverse=True)
    of_token = weight[side.pair]
    seen = np.bincount(place, weights=of_token, minlength=len(column))
    missing = np.bincount(place, weights=of_token * (1 - side.covered), minlength=len(column))
    return SideCounts(column, seen.astype(np.float32), missing.astype(np.float32))


def unmatched_token_features(
    tokens: PairTokens | None, counts: TokenCounts, n_pairs: int
) -> FloatMatrix:
    """Compute how much of each pair's texts is unmatched, and how expected that is.

    Parameters
    ----------
    tokens
        The tokens of the pairs. None stands for pairs without an unmatched token, which are the
        likeliest matches.
    counts
        How often each is unmatched.
    n_pairs
        Number of pairs.

    Returns
    -------
    features
        float32 of shape (n_pairs, len(UNMATCHED_FEATURES)), in [0, 1].
    """
    if tokens is None:
        return np.zeros((n_pairs, len(UNMATCHED_FEATURES)), dtype=np.float32)
    shares = [_shares(*side) for side in zip(tokens, counts, strict=True)]
    return np.stack([column for side in shares for column in side], axis=1).astype(np.float32)


def _shares(side: SideTokens, counts: SideCounts) -> _Shares:
    """What is unmatched in the texts of one side."""
    mass = np.maximum(side.sums(side.weight**2), 1e-6)
    unmatched = side.weight * (1 - side.covered)
    rest = unmatched * (1 - counts.expected(side.column))
    whole = np.divide(side.sums(unmatched * side.weight), mass, dtype=np.float32)
    unexpected = np.divide(side.sums(rest * side.weight), mass, dtype=np.float32)
    most = side.largest(rest) / np.float32(side.heaviest)
    return _Shares(whole - unexpected, unexpected, most)
