"""Joins as a matcher sees them that was calibrated on some of their left rows, or on none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pearljoin.scoring import (
    NO_COUNTS,
    CandidateFeatures,
    Groups,
    NullPairs,
    TokenCounts,
    context_features,
    count_tokens,
    table_features,
    unmatched_token_features,
    without_matches,
)
from pearljoin_train.scorer.candidates import JoinCandidates

__all__ = ["Predict", "View", "make_views"]

Predict = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""From features of pairs to their log odds."""

FEW_ROWS = (1, 3, 8, 40)
"""Left rows of a small calibration, of which one is drawn for each join."""


@dataclass(frozen=True)
class View:
    """A join as a matcher sees it that was calibrated on some of its left rows, or on none.

    Attributes
    ----------
    join
        The join.
    sampled
        bool of shape (n_pairs,): pairs of the left rows that it was calibrated on.
    counts
        What these say of unmatched tokens.
    logit
        float32 of shape (n_pairs,): log odds after the first step.
    null, left_null
        Candidates of reference rows among the others, and of sampled left rows without their match.
    """

    join: JoinCandidates
    sampled: NDArray[np.bool_]
    counts: TokenCounts
    logit: NDArray[np.float32]
    null: NullPairs
    left_null: NullPairs

    @property
    def left_rows(self) -> NDArray[np.int64]:
        """Left rows of the pairs."""
        return self.join.left_rows

    @property
    def is_match(self) -> NDArray[np.bool_]:
        """Which pairs are matches."""
        return self.join.is_match

    @property
    def source(self) -> str:
        """Where the names come from."""
        return self.join.source

    def context(self) -> NDArray[np.float32]:
        """Inputs of the second network, for the pairs and then for both kinds of null pairs."""
        pairs = NullPairs(self.logit, self.join.left_rows, self.join.tokens)
        inputs = [
            context_features(
                some.logit,
                Groups(some.left),
                unmatched_token_features(some.tokens, self.counts, len(some.logit)),
            )
            for some in (pairs, self.null, self.left_null)
        ]
        return np.concatenate(inputs)

    def table(self, logit: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the table features, by log odds after the second step for `context`."""
        ends = np.cumsum([len(self.logit), len(self.null.logit)])
        pairs, null, left_null = np.split(logit, ends)
        best = self.best(logit)
        return table_features(
            pairs[best[self.sampled[best]]],
            null[Groups(self.null.left).best(null)],
            left_null[Groups(self.left_null.left).best(left_null)],
            self.join.n_right,
        )

    def best(self, logit: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return the position of each left row's best pair."""
        return Groups(self.join.left_rows).best(logit[: len(self.logit)])


def make_views(join: JoinCandidates, predict: Predict, seed: int) -> Iterator[View]:
    """Make the views of a join: calibrated on no row, on a few, and on all.

    Parameters
    ----------
    join
        The join.
    predict
        The first network, trained on other joins.
    seed
        Draws the left rows.
    """
    logit = predict(join.features)
    null = NullPairs(predict(join.null_features), join.null_rows, join.null_tokens)
    rng = np.random.default_rng([seed, len(logit), crc32(join.source.encode())])
    listed = np.unique(join.left_rows)
    few = min(len(listed), int(rng.choice(FEW_ROWS)))
    for n_rows in sorted({0, few, len(listed)}):
        sampled = np.isin(join.left_rows, rng.permutation(listed)[:n_rows])
        at = np.flatnonzero(sampled)
        rows, pair_numbers = Groups(join.left_rows[at]), np.arange(len(at))
        pairs = CandidateFeatures(
            join.features[at], join.left_rows[at], pair_numbers, join.tokens.take(at), pair_numbers
        )
        rest = without_matches(pairs, logit[at], rows)
        left_null = NullPairs(predict(rest.features), rest.left, rest.tokens)
        counts = count_tokens(pairs.tokens, logit[at], rows) if len(at) else NO_COUNTS
        yield View(join, sampled, counts, logit, null, left_null)
