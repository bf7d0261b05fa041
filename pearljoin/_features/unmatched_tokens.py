"""Unmatched tokens: tokens of a pair that the other text does not contain.

"Season" may be unmatched in half of a table's matches and mean nothing there; "women's" may never
be, and where it is, two different things are compared. No list says which tokens are which: the
best pairs of the table do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.special import expit

from pearljoin._features.rival_groups import Groups
from pearljoin._features.text_profiles import TextProfile
from pearljoin._parallel import in_parts
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["UNMATCHED_FEATURES", "PairTexts", "unmatched_token_features"]

USUAL_SHARE, FEW_TOKENS = 0.2, 15
"""Share of tokens that are unmatched in tables at large, and how many tokens it counts for."""

FEW_TIMES = 0.5
"""How often a token counts as seen before it is seen: a rare one is taken to be like the others."""


@dataclass(frozen=True)
class PairTexts:
    """The texts of candidate pairs.

    Attributes
    ----------
    left, right
        Profiles of both sides' texts.
    left_at, right_at
        int64 of shape (n_pairs,): positions of each pair's texts in the profiles.
    """

    left: TextProfile
    right: TextProfile
    left_at: IntVector
    right_at: IntVector

    def turned(self) -> PairTexts:
        """Return the same pairs with the sides exchanged."""
        return PairTexts(self.right, self.left, self.right_at, self.left_at)

    def take(self, pairs: slice | IntVector) -> PairTexts:
        """Return the texts of some of the pairs."""
        return replace(self, left_at=self.left_at[pairs], right_at=self.right_at[pairs])

    def unmatched(self) -> tuple[csr_matrix, csr_matrix]:
        """Return the weights of each left text's tokens, and what of them is unmatched."""
        words = self.left.words[self.left_at]
        covered = words.multiply(self.right.token_coverage[self.right_at])
        return words, csr_matrix(words - covered)

    lacking = unmatched
    """The name of `unmatched` in earlier versions."""


class _Counts(NamedTuple):
    """How often the best pairs have each token of one side, and how often it is unmatched.

    Attributes
    ----------
    seen, unmatched
        float32 of shape (n_tokens,).
    seen_in, unmatched_in
        Sparse, of shape (n_rows, n_tokens): what each row adds to them.
    """

    seen: FloatVector
    unmatched: FloatVector
    seen_in: csr_matrix
    unmatched_in: csr_matrix


class _Shares(NamedTuple):
    """What is unmatched on one side of the pairs; of shape (n_pairs,) each, in [0, 1].

    Attributes
    ----------
    expected, unexpected
        Share of the squared token weights in tokens that other rows' best pairs leave unmatched
        too, and in tokens that they do not.
    most_unexpected
        The largest token weight times how unexpected it is that the token is unmatched, as a share
        of the largest weight of all.
    """

    expected: NDArray[np.floating[Any]]
    unexpected: NDArray[np.floating[Any]]
    most_unexpected: NDArray[np.floating[Any]]


UNMATCHED_FEATURES = tuple(
    f"{side}_{name}" for side in ("left", "right") for name in _Shares._fields
)
"""Names of the columns of `unmatched_token_features`."""


def unmatched_token_features(
    texts: PairTexts | None, logit: FloatVector, rows: Groups
) -> FloatMatrix:
    """Compute how much of each pair's texts is unmatched, and how expected that is.

    Parameters
    ----------
    texts
        The texts of the pairs. None stands for pairs without an unmatched token, which are the
        likeliest matches.
    logit
        float32 of shape (n_pairs,): log odds that each pair is a match by itself. The best pair of
        a row counts by the probability that it is a match.
    rows
        The pairs by left record.

    Returns
    -------
    features
        float32 of shape (n_pairs, len(UNMATCHED_FEATURES)), in [0, 1].
    """
    if texts is None:
        return np.zeros((len(logit), len(UNMATCHED_FEATURES)), dtype=np.float32)
    best, weights = _best_pairs(logit, rows)
    sides = texts, texts.turned()
    features = [_one_side(side, _count(side.take(best), weights), rows.number) for side in sides]
    return np.hstack(features)


def _best_pairs(logit: FloatVector, rows: Groups) -> tuple[IntVector, csr_matrix]:
    """Rows' best pairs, equal ones too, and the weight of each in its row.

    The second is sparse, of shape (n_rows, n_best).
    """
    best = np.flatnonzero(rows.is_best(logit))
    row = rows.number[best]
    weight = expit(logit[best]) / np.bincount(row, minlength=len(rows))[row]
    places = (row, np.arange(len(best)))
    return best, csr_matrix((weight, places), shape=(len(rows), len(best)), dtype=np.float32)


def _count(best: PairTexts, weights: csr_matrix) -> _Counts:
    """Count the left tokens of best pairs, each pair by its weight."""
    words, unmatched = best.unmatched()
    here, left_out = words.copy(), csr_matrix(unmatched.multiply(words.power(-1)))
    here.data = np.ones_like(here.data)
    here, left_out = csr_matrix(weights @ here), csr_matrix(weights @ left_out)
    for one in (here, left_out):
        one.sort_indices()
    seen, times = (np.asarray(one.sum(axis=0), np.float32).reshape(-1) for one in (here, left_out))
    return _Counts(seen, times, here, left_out)


def _one_side(side: PairTexts, counts: _Counts, row: IntVector) -> FloatMatrix:
    """The features of the left texts."""
    features = np.empty((len(row), len(_Shares._fields)), dtype=np.float32)

    def fill(part: slice) -> None:
        features[part] = np.stack(_shares(side.take(part), counts, row[part]), axis=1)

    in_parts(fill, len(row))
    return features


def _shares(side: PairTexts, counts: _Counts, row: IntVector) -> _Shares:
    """What is unmatched in the left texts."""
    words, unmatched = side.unmatched()
    unmatched.sort_indices()
    expected = unmatched.copy()
    expected.data = _expected(unmatched, counts, row)
    rest = csr_matrix(unmatched - unmatched.multiply(expected))
    mass = np.maximum(side.left.squared_token_weights[side.left_at], 1e-6)
    whole, unexpected = (
        np.asarray(one.multiply(words).sum(axis=1)).reshape(-1) / mass for one in (unmatched, rest)
    )
    most = rest.max(axis=1).toarray().reshape(-1) / side.left.heaviest
    return _Shares(whole - unexpected, unexpected, most)


def _expected(unmatched: csr_matrix, counts: _Counts, row: IntVector) -> FloatVector:
    """How often other rows' best pairs leave each token unmatched, at the places of `unmatched`."""
    share = (counts.unmatched.sum() + USUAL_SHARE * FEW_TOKENS) / (counts.seen.sum() + FEW_TOKENS)
    # A row is not counted for itself.
    seen = FEW_TIMES + counts.seen[unmatched.indices] - _at(unmatched, counts.seen_in[row])
    own = _at(unmatched, counts.unmatched_in[row])
    times = FEW_TIMES * share + counts.unmatched[unmatched.indices] - own
    return np.asarray(np.clip(times / seen, 0, 1), dtype=np.float32)


def _at(places: csr_matrix, values: csr_matrix) -> NDArray[np.float64]:
    """Values of a sparse matrix at the places of another, 0 where there is none.

    Both have sorted indices, and the second stores no zeros.
    """
    number, one, there = places.copy(), places.copy(), values.copy()
    number.data = np.arange(1.0, 1 + places.nnz)
    one.data, there.data = np.ones_like(one.data), np.ones_like(there.data)
    common, held = csr_matrix(number.multiply(there)), csr_matrix(values.multiply(one))
    found = np.zeros(places.nnz)
    found[common.data.astype(np.int64) - 1] = held.data
    return found
