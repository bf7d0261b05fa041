"""Reference records matched with the others: scores without a true match."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pearljoin._features.compute import CandidateFeatures, ComparedColumn
from pearljoin._features.registry import REGISTRY
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.sampling import sample_records
from pearljoin._scoring.ranking import rank_candidates
from pearljoin._typing import FloatVector, Pairs

__all__ = ["Search", "neighbour_scores", "null_candidates"]

SAMPLE = 2_000
"""Reference records that stand for all of them."""

NULL_SAMPLE = 500
"""Likewise, where the features of all their candidates are computed."""

Search = Callable[[EncodedRecords, EncodedRecords], Pairs]


def neighbour_scores(reference: EncodedRecords, search: Search) -> FloatVector:
    """Compute the best score of sampled reference records against the *other* records.

    Records that are equal after normalisation do not count as others.

    Parameters
    ----------
    reference
        The reference.
    search
        Finds the candidate pairs of two sides.

    Returns
    -------
    scores
        float32 of shape (min(2000, n_records),), in [0, 1].
    """
    sample = sample_records(reference, SAMPLE)
    part = reference.take(sample)
    left_at, right_at = search(part, reference)
    scores = part.score(reference, left_at, right_at)
    scored = rank_candidates(part, reference, left_at, right_at, scores)
    others = scored.take((scored.equality == 0) & (sample[scored.left] != scored.right))
    best = np.zeros(len(sample), dtype=np.float32)
    np.maximum.at(best, others.left, others.score)
    return best


def null_candidates(
    reference: EncodedRecords, middle: FloatVector, search: Search
) -> CandidateFeatures:
    """List the candidates of sampled reference records among the others.

    Records that write the name of the sampled one, up to small words and legal forms, do not count
    as others.

    Parameters
    ----------
    reference
        The reference; its one key column is text.
    middle
        float32 of shape (dim,): the mean vector of texts at large.
    search
        Finds the candidate pairs of two sides.

    Returns
    -------
    candidates
        Their features; `left` numbers the sampled records, `right` those of the reference.
    """
    is_known = reference.codes[0] != NULL
    # Where none is null, the reference itself, whose indexes are built once.
    known = reference if is_known.all() else reference.take(np.flatnonzero(is_known))
    part = known.take(sample_records(known, NULL_SAMPLE))
    left_at, right_at = search(part, known)
    names = known.equal_normalised
    other = names.keys_of(part.values, part.codes, part.groups)[left_at] != names.keys[right_at]
    column = ComparedColumn(part, known, middle)
    pairs = column.compute_features(left_at[other], right_at[other])
    columns = [REGISTRY.names.index(name) for name in ("compact_equal", "core_equal")]
    kept = np.flatnonzero((pairs.features[:, columns] == 0).all(axis=1))
    pairs = pairs.take(kept)
    features = REGISTRY.without_rivals(pairs.features, pairs.left)
    return pairs._replace(features=features, right=np.flatnonzero(is_known)[pairs.right])
