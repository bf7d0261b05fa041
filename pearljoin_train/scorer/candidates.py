"""Candidate pairs of a made join: features and truth."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import pearljoin as pj
from pearljoin_train.scorer.joins import Join
from pearljoin_train.scorer.network import JoinCandidates

__all__ = ["compute_candidates"]


def compute_candidates(join: Join, encoder: Any) -> JoinCandidates:
    """Compute the features of a join's candidate pairs, and which pairs are matches."""
    with warnings.catch_warnings():
        # Made joins repeat keys as tables do.
        warnings.simplefilter("ignore", pj.DuplicateReferenceWarning)
        result = pj.match(join.left, join.right, encoder=encoder, threshold=0.0)
    pairs = result.comparison.compute_features()
    left = result.comparison.left.first_row[pairs.left]
    right = result.comparison.right.first_row[pairs.right]
    is_match = [
        join.right[right_row] in join.answers[left_row]
        for left_row, right_row in zip(left, right, strict=True)
    ]
    return JoinCandidates(
        join.source,
        left,
        right,
        pairs.features,
        np.array(is_match, dtype=bool),
        sum(bool(answer) for answer in join.answers),
        pairs.texts,
    )
