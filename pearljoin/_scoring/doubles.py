"""Doubles: candidates of one left record that are the same thing, and so no rivals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pearljoin._features.compute import CandidateFeatures, compute_features
from pearljoin._features.registry import REGISTRY
from pearljoin._features.siblings import nearest_siblings
from pearljoin._matches import ranks_within
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.record_networks import RecordNetworks
from pearljoin._typing import BoolVector, FloatVector, IntVector

MOST = 5
FLOOR = -2.0
T = 2.0
NULL_T = 2.0
AGG = "mean"
ORACLE: Callable | None = None
SIB = True
MARG = True
ADD = 0
NULLM = 1
LEFTM = 1
EPS = 0.98


def with_things(
    pairs: CandidateFeatures,
    right: EncodedRecords,
    forbidden: Callable[[IntVector, IntVector], BoolVector],
    middle: FloatVector,
    networks: RecordNetworks,
) -> CandidateFeatures:
    things = find_things(pairs, right, forbidden, middle, networks)
    if things is None:
        return pairs._replace(things=np.arange(len(pairs.left)))
    features = REGISTRY.without_rivals(pairs.features, pairs.left, things) if MARG else pairs.features.copy()
    # siblings
    if SIB:
        text = right.codes[0][pairs.right]
        values = right.values[0]
        assert isinstance(values, TextValues)
        names, cos = REGISTRY.names, features[:, REGISTRY.names.index("cosine")]
        # things are unique per pair, siblings wants names by text
        sib = nearest_siblings(values.vectors, text, None, pairs.left, cos, things)
        features[:, names.index("sibling_cosine")] = sib
        features[:, names.index("sibling_lead")] = cos - sib
    return pairs._replace(features=features, things=things)


def find_things(pairs, right, forbidden, middle, networks):
    if not len(pairs.left):
        return None
    logit = np.round(networks.text_logit(pairs.features), 4)
    at = np.flatnonzero(logit >= FLOOR)
    at = at[np.lexsort((pairs.right[at], -logit[at], pairs.left[at]))]
    at = at[ranks_within(pairs.left[at]) < MOST]
    left = pairs.left[at]
    rank = ranks_within(left)
    starts = np.flatnonzero(rank == 0)
    row = np.cumsum(rank == 0) - 1
    n = len(starts)
    if not n or rank.max() == 0:
        return None
    slot = np.full((n, MOST), -1)
    slot[row, rank] = at
    i, j = np.triu_indices(MOST, 1)
    a, b = slot[:, i].reshape(-1), slot[:, j].reshape(-1)
    ok = (a >= 0) & (b >= 0)
    A, B = pairs.right[a[ok]], pairs.right[b[ok]]
    n_right = len(right)
    key, which = np.unique(np.minimum(A, B) * n_right + np.maximum(A, B), return_inverse=True)
    x, y = np.divmod(key, n_right)
    same = ORACLE(right, x, y) if ORACLE else judge(right, x, y, middle, networks)
    same &= ~forbidden(x, y)
    flag = np.zeros(len(a), bool)
    flag[ok] = same[which.reshape(-1)]
    S = np.zeros((n, MOST, MOST), bool)
    S[:, i, j] = flag.reshape(n, -1)
    S |= S.transpose(0, 2, 1)
    if not S.any():
        return None
    label = np.tile(np.arange(MOST), (n, 1))
    for q in range(1, MOST):
        done = np.zeros(n, bool)
        for p in range(q):
            members = label[:, :q] == p
            all_same = np.where(members, S[:, q, :q], True).all(axis=1) & members.any(axis=1)
            join = all_same & ~done
            label[join, q] = p
            done |= join
    things = np.arange(len(pairs.left))
    things[at] = slot[row, label[row, rank]]
    return things


def judge(right, x, y, middle, networks):
    def go(a, b):
        s = np.argsort(a, kind="stable")
        out = np.empty(len(a), np.float32)
        f = compute_features(right, right, a[s], b[s], middle).features
        lo = networks.text_logit(f)
        if ADD:
            col = lambda n: f[:, REGISTRY.names.index(n)]
            most = np.maximum(col("left_spelled"), col("right_spelled"))
            sub = (most > EPS) & (col("core_equal") == 0) & (col("compact_equal") == 0) & (np.minimum(col("left_spelled"), col("right_spelled")) < EPS)
            lo = np.where(sub, lo - ADD, lo)
        out[s] = lo
        return out

    u, v = go(x, y), go(y, x)
    found = np.minimum(u, v) if AGG == "min" else (u + v) / 2
    return found >= T
