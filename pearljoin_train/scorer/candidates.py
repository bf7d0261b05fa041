"""Candidate pairs of a made join: features and truth."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pearljoin as pj
from pearljoin.scoring import (
    CONTEXT_FEATURES,
    FEATURES,
    FORMAT,
    TABLE_FEATURES,
    UNMATCHED_FEATURES,
    PairTokens,
)
from pearljoin_train.common.cached_encoder import CachedEncoder
from pearljoin_train.scorer.joins import Join

__all__ = [
    "JoinCandidates",
    "WithScorer",
    "blank_network",
    "blank_scorer",
    "compute_candidates",
    "without_conflicts",
]

MOST_NULL_ROWS = 120
"""Rows of a reference that are looked up among the others."""


@dataclass(frozen=True)
class JoinCandidates:
    """The candidate pairs of one join.

    Attributes
    ----------
    source
        Where its names come from.
    left_rows
        int64 of shape (n_pairs,), ascending: left rows.
    features
        float32 of shape (n_pairs, n_features).
    is_match
        bool of shape (n_pairs,): which pairs are matches.
    is_equal
        bool of shape (n_pairs,): which pairs are equal after normalisation.
    n_answerable
        Left rows that have a match in the reference.
    n_right
        Rows of the reference.
    tokens
        The tokens of the pairs.
    null_rows, null_features, null_tokens
        The same of reference rows among the other rows of the reference.
    """

    source: str
    left_rows: NDArray[np.int64]
    features: NDArray[np.float32]
    is_match: NDArray[np.bool_]
    is_equal: NDArray[np.bool_]
    n_answerable: int
    n_right: int
    tokens: PairTokens
    null_rows: NDArray[np.int64]
    null_features: NDArray[np.float32]
    null_tokens: PairTokens


def blank_network(n_inputs: int) -> dict[str, Any]:
    """Return a network whose log odds are 0, as plain numbers."""
    layer = {"weights": [[0.0]] * n_inputs, "biases": [0.0]}
    return {"mean": [0.0] * n_inputs, "scale": [1.0] * n_inputs, "members": [[layer]]}


def blank_scorer(middle: NDArray[np.float32]) -> dict[str, Any]:
    """Return a scorer that says nothing, by which features are computed before there is one.

    Parameters
    ----------
    middle
        float32 of shape (dim,): the mean vector of names at large.
    """
    n_table = len(TABLE_FEATURES)
    return {
        "format": FORMAT,
        "features": list(FEATURES),
        "pair": blank_network(len(FEATURES)),
        "context": blank_network(len(CONTEXT_FEATURES) + len(UNMATCHED_FEATURES)),
        "table": {
            "mean": [0.0] * n_table,
            "scale": [1.0] * n_table,
            "slope": [0.0] * (1 + n_table),
            "shift": [0.0] * (1 + n_table),
        },
        "middle": [float(number) for number in middle],
        "usual_scores": [0.5],
    }


class WithScorer:
    """An encoder with another scorer.

    Parameters
    ----------
    encoder
        The encoder.
    scorer
        As of ``scorer.json``.
    """

    def __init__(self, encoder: CachedEncoder, scorer: dict[str, Any]) -> None:
        self._encoder = encoder
        self.scorer = json.dumps(scorer).encode()

    @property
    def dim(self) -> int:
        """Number of columns that `encode` returns."""
        return self._encoder.dim

    def encode(self, phrases: Sequence[str]) -> NDArray[np.float32]:
        """Return the encoder's vectors."""
        return self._encoder.encode(phrases)

    def covers(self, phrases: Sequence[str]) -> NDArray[np.bool_]:
        """Tell for which phrases the vector stands for the whole text."""
        return self._encoder.covers(phrases)


def compute_candidates(join: Join, encoder: Any) -> JoinCandidates:
    """Compute the features of a join's candidate pairs, and which pairs are matches.

    Parameters
    ----------
    join
        The join.
    encoder
        An encoder with a scorer, such as `blank_scorer`.
    """
    with warnings.catch_warnings():
        # Made joins repeat keys as tables do.
        warnings.simplefilter("ignore", pj.DuplicateReferenceWarning)
        matcher = pj.Matcher(encoder=encoder, threshold=0.0).fit(join.right)
        comparison = matcher.match(join.left).comparison
    pairs = comparison.compute_features()
    null = comparison.reference.null_candidates()
    null = null.take(np.flatnonzero(null.left < MOST_NULL_ROWS))
    left = comparison.left.first_row[pairs.left]
    right = comparison.right.first_row[pairs.right]
    is_match = [
        join.right[right_row] in join.answers[left_row]
        for left_row, right_row in zip(left, right, strict=True)
    ]
    return JoinCandidates(
        join.source,
        left,
        pairs.features,
        np.array(is_match, dtype=bool),
        pairs.features[:, FEATURES.index("ratio")] >= 1,
        sum(bool(answer) for answer in join.answers),
        comparison.right.n_records,
        pairs.tokens,
        null.left,
        null.features,
        null.tokens,
    )


def without_conflicts(join: JoinCandidates) -> JoinCandidates:
    """Leave out left rows all of whose matches conflict with them in numbers or in a contrast.

    Rows of one thing differ in dates and amounts, where nobody who has the texts alone would take
    them for one.

    Parameters
    ----------
    join
        The join.
    """
    fits = join.features[:, FEATURES.index("numbers_conflict")] <= 0
    answered = np.unique(join.left_rows[join.is_match])
    fitting = np.unique(join.left_rows[join.is_match & fits])
    gone = np.setdiff1d(answered, fitting)
    kept = np.flatnonzero(~np.isin(join.left_rows, gone))
    return replace(
        join,
        left_rows=join.left_rows[kept],
        features=join.features[kept],
        is_match=join.is_match[kept],
        is_equal=join.is_equal[kept],
        n_answerable=join.n_answerable - len(gone),
        tokens=join.tokens.take(kept),
    )
