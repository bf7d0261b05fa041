"""Doubles in one key column: reference records of one entity, no rivals.

They are looked for among the best candidates of each left record, so what is found depends on that
record and the reference alone.
"""

from __future__ import annotations

import numpy as np

from pearljoin._features.compute import CandidateFeatures, ComparedColumn, with_things
from pearljoin._features.profiled_texts import ProfiledTexts
from pearljoin._records.encoded import EncodedRecords
from pearljoin._scoring.best_candidates import BestCandidates
from pearljoin._scoring.distinctions import are_numbered_apart, only_adds
from pearljoin._scoring.record_networks import RecordNetworks
from pearljoin._typing import BoolVector, Conflicts, FloatVector, IntVector

__all__ = ["merge_doubles"]

MOST = 3
"""Candidates of a left record that are compared with each other, at most."""

PLAUSIBLE = -2.0
"""Lowest log odds, that left and right text name the same thing, of such candidates."""

SAME = 1.0
"""Lowest mean log odds, either way, at which two reference records are the same thing."""

LEAST = -1.0
"""Lowest log odds one way at which the other way is asked."""

DECIMALS = 4
"""What log odds are rounded to before candidates are ranked by them."""


def merge_doubles(
    pairs: CandidateFeatures,
    right: EncodedRecords,
    conflicts: Conflicts,
    networks: RecordNetworks,
    middle: FloatVector,
    texts: ProfiledTexts | None = None,
) -> CandidateFeatures:
    """Find doubles among each left record's candidates, and merge them.

    Parameters
    ----------
    pairs
        All candidates of some left records.
    right
        The reference; its one key column is text.
    conflicts
        Tells which pairs of its records, int64 arrays of one shape, a veto column keeps apart.
    networks
        Say whether two texts name the same thing.
    middle
        float32 of shape (dim,): the mean vector of texts at large.
    texts
        The texts that the pairs were compared by, where they are profiled already.

    Returns
    -------
    pairs
        `things` is the reference record that stands for each pair's thing.
    """
    single = pairs._replace(things=pairs.right)
    logit = np.round(networks.text_logit(pairs.features), DECIMALS)
    plausible = np.flatnonzero(logit >= PLAUSIBLE)
    best = BestCandidates(pairs.left, pairs.right, logit, plausible, MOST)
    first, second = best.pairs
    if not len(first):
        return single
    ends = pairs.right[first], pairs.right[second]
    same = _are_same(*ends, right, conflicts, networks, middle, texts)
    things = pairs.right.copy()
    things[best.at] = pairs.right[best.first_same(same)]
    return with_things(single, right, things)


def _are_same(
    first: IntVector,
    second: IntVector,
    right: EncodedRecords,
    conflicts: Conflicts,
    networks: RecordNetworks,
    middle: FloatVector,
    texts: ProfiledTexts | None,
) -> BoolVector:
    """Mark pairs of reference records of one entity, each distinct pair once.

    Records of equal keys are compared as the first of them, as candidate pairs are.
    """
    n_right, written = len(right), (right.first_equals(first), right.first_equals(second))
    ends = np.minimum(*written) * n_right + np.maximum(*written)
    distinct, which = np.unique(ends, return_inverse=True)
    low, high = np.divmod(distinct, n_right)
    known = ProfiledTexts.of(right, right, low, high) if texts is None else texts.of_right
    column = ComparedColumn(right, right, middle)
    features = column.compute_features(low, high, known).features
    log_odds = networks.text_logit(features)
    asked = np.flatnonzero(log_odds >= LEAST)
    asked = asked[np.lexsort((low[asked], high[asked]))]
    turned = column.compute_features(high[asked], low[asked], known).features
    both = np.full(len(low), -np.inf, dtype=np.float32)
    both[asked] = log_odds[asked] + networks.text_logit(turned)
    same = (both >= 2 * SAME) & ~only_adds(features) & ~are_numbered_apart(features)
    return np.asarray(same[which.reshape(-1)] & ~conflicts(first, second), dtype=bool)
