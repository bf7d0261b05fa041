"""Blocking recall: the share of the true matches that are among the candidates."""

from __future__ import annotations

import numpy as np

from pearljoin._candidates.rule_counts import ALL_COMPARED
from pearljoin._comparison.comparison import Comparison
from pearljoin._scoring.packed_candidates import join_parts
from pearljoin._typing import Constraint

__all__ = ["estimate_blocking_recall"]

SAMPLE = 300
"""Left records that the estimate is made from, at most."""

LIKELY = 0.5
"""Probability from which a pair counts as a match, by its probability. The many others are hardly
ever matches, and most of them are proposed by one rule alone."""


def estimate_blocking_recall(comparison: Comparison, constraint: Constraint) -> float:
    """Estimate the share of the true matches that blocking proposed.

    Parameters
    ----------
    comparison
        Scored candidates.
    constraint
        Under which they are scored.

    Returns
    -------
    recall
        In [0, 1]; NaN where scores are similarities, or nothing is likely a match.

    Notes
    -----
    A match is seen by some of several blocking rules, as an animal by some of several traps. From
    the numbers seen once (f1) and twice (f2) by t rules follows how many none saw: about
    ``(t - 1) / t * f1 (f1 - 1) / (2 (f2 + 1))`` (Chao 1987, bias-corrected). That is a lower bound
    where matches are not equally easy to see, so the recall may be lower. Matches that must be
    candidates (equal keys, and left records that are compared with all) are no part of f1 and f2.
    """
    if not comparison.calibrated:
        return float("nan")
    parts, sample = comparison.candidate_parts(constraint), comparison.sample(SAMPLE)
    likely = join_parts(
        part.take(np.isin(part.left, sample) & (part.score >= np.float32(LIKELY))) for part in parts
    )
    if not len(likely):
        return float("nan")
    counts, n_rules = comparison.count_rules(likely.left, likely.right)
    counts[likely.equality > 0] = ALL_COMPARED
    once, twice = (float(likely.score[counts == n].sum()) for n in (1, 2))
    share = (n_rules - 1) / max(1, n_rules)
    missed = max(0.0, share * once * (once - 1) / (2 * (twice + 1)))
    found = float(likely.score.sum())
    return found / (found + missed)
