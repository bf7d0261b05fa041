"""Correction of the log odds of texts of one table, by its decoys and by what tables teach.

A pair of two texts says little of how near the things of a table lie: *12 Oak Street* and *14 Oak
Street* are two addresses, *Jon Smith* and *John Smith* one person. Decoys say it (see
`pearljoin._clusters.decoys`): what they resemble is nearly always another thing. Two estimates are
mixed. One takes the decoys' number for that of the wrong pairs. The other is a network that has
seen, in made tables, how many pairs are right where so many pairs and decoys' pairs are. Where few
pairs are likely, the log odds stay nearly as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from pearljoin._scoring.correction import EDGES, KNOTS, correct, fit_correction
from pearljoin._scoring.network import Network
from pearljoin._typing import FloatMatrix, FloatVector

__all__ = [
    "INTERVAL_FEATURES",
    "ScoredTexts",
    "correct_texts",
    "count_by_interval",
    "describe_intervals",
]

SHARE_OF_DECOYS = 0.85
"""Weight of the decoys where they say that fewer pairs are wrong than the log odds do."""

ROUNDS = 3
"""Times that the decoys are counted anew, with what the count before says of their donors."""

LEARNED_SHARE = 0.3
"""Share of the network in the corrected log odds; the rest is that of the decoys."""

PRIOR_LIKELY = 40.0
"""Likely pairs for which the log odds as they are stand: few pairs say little of a table."""

CUTS = (np.inf, 1.0, -1.0, -3.0)
"""Log odds of a record and a decoy's donor from which their pair is left out: with the last, only
records that resemble no donor count."""

LARGEST = 6_000
"""Records for which a larger table counts: those of the largest that the network learned from."""

RELATED, NEAR = -1.0, -2.0
"""Log odds from which a donor may be the same thing as a record, and from which a decoy is near."""

INTERVAL_FEATURES = (
    "log_odds",
    "pairs_a_record",
    "pairs_above_a_record",
    "pairs_to_below",
    "pairs_to_above",
    *(f"{name}_{cut}" for cut in range(len(CUTS)) for name in ("to_decoys", "above_to_decoys")),
    "n_records",
    "equal_a_record",
    "likely_a_record",
    "of_related",
    "near_of_related",
)
"""Names of the features of an interval of log odds; all numbers of pairs as logarithms."""


@dataclass(frozen=True)
class ScoredTexts:
    """Log odds of the candidate pairs of a table of one column of text, and of its decoys.

    Attributes
    ----------
    n_records, n_sampled
        Records of the table, and how many of them have all their pairs here.
    n_equal
        Pairs of texts that are equal once normalised, which are not among the others.
    log_odds
        float32 of shape (n_pairs,): of the others, as scored.
    of_decoys
        float32 of shape (n_decoy_pairs,): of pairs of a decoy and a record.
    of_donors
        float32 of shape (n_decoy_pairs,): of the record and that donor of the decoy which resembles
        it more, distinctions apart. Infinite if it is the donor, or equal to it; minus infinity if
        it is no candidate of either.
    a_decoy
        How many pairs of the table a pair of a decoy stands for, above 0.
    """

    n_records: int
    n_sampled: int
    n_equal: int
    log_odds: FloatVector
    of_decoys: FloatVector
    of_donors: FloatVector
    a_decoy: float


def correct_texts(texts: ScoredTexts, network: Network) -> NDArray[np.float64]:
    """Learn a correction of the log odds of texts.

    Parameters
    ----------
    texts
        The pairs of a table and its decoys.
    network
        From `INTERVAL_FEATURES` to log odds that a pair in the interval matches.

    Returns
    -------
    corrected
        As of `fit_correction`.
    """
    # Imported here, for joins do without it: a tenth of a second.
    from scipy.optimize import isotonic_regression

    learned = network.logit(describe_intervals(texts)).astype(np.float64)
    mixed = LEARNED_SHARE * learned + (1 - LEARNED_SHARE) * _by_decoys(texts)
    n = count_by_interval(texts.log_odds)
    likely = n[KNOTS > 0].sum()
    trust = likely / (likely + PRIOR_LIKELY)
    mixed = trust * mixed + (1 - trust) * KNOTS
    return np.asarray(isotonic_regression(mixed, weights=n + 1).x)


def _by_decoys(texts: ScoredTexts) -> NDArray[np.float64]:
    """Correct by decoys alone, each pair of which counts so far as the donor is another thing.

    How far that is the corrected log odds say, so both are estimated in turn.
    """
    counts = texts.log_odds, texts.of_decoys, texts.a_decoy, SHARE_OF_DECOYS
    corrected = fit_correction(*counts, (texts.of_donors < 0).astype(np.float64))
    for _ in range(ROUNDS):
        corrected = fit_correction(*counts, expit(-_correct_any(texts.of_donors, corrected)))
    return corrected


def _correct_any(log_odds: FloatVector, corrected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correct log odds of which some are infinite."""
    known = np.isfinite(log_odds)
    found = log_odds.astype(np.float64)
    found[known] = correct(log_odds[known], corrected)
    return found


def describe_intervals(texts: ScoredTexts) -> FloatMatrix:
    """Describe each interval of log odds by how many pairs and decoys' pairs it holds.

    Parameters
    ----------
    texts
        The pairs of a table and its decoys.

    Returns
    -------
    features
        float32 of shape (len(KNOTS), len(INTERVAL_FEATURES)).
    """
    n = count_by_interval(texts.log_odds)
    above = _from_above(n)
    a_record = np.log(texts.n_sampled)
    columns = [
        KNOTS,
        np.log(n + 1) - a_record,
        np.log(above + 1) - a_record,
        _log_ratio(n, np.append(n[:1], n[:-1])),
        _log_ratio(n, np.append(n[1:], 0.0)),
    ]
    for cut in CUTS:
        met = texts.a_decoy * count_by_interval(texts.of_decoys[texts.of_donors < cut])
        columns += [_log_ratio(n, met), _log_ratio(above, _from_above(met))]
    likely = float(above[np.searchsorted(KNOTS, 0.0)])
    is_related = texts.of_donors >= RELATED
    near = is_related[texts.of_decoys > NEAR]
    of_table = (
        np.log(min(texts.n_records, LARGEST)),
        np.log(texts.n_equal + 1) - a_record,
        np.log(likely + 1) - a_record,
        is_related.mean() if len(is_related) else 1.0,
        near.mean() if len(near) else 1.0,
    )
    columns += [np.full(len(KNOTS), value) for value in of_table]
    return np.column_stack(columns).astype(np.float32)


def count_by_interval(log_odds: FloatVector) -> NDArray[np.float64]:
    """Count pairs by interval of log odds, those below the first left out.

    Parameters
    ----------
    log_odds
        float32 of shape (n_pairs,).

    Returns
    -------
    counts
        float64 of shape (n_intervals,).
    """
    at = np.digitize(log_odds, EDGES) - 1
    return np.bincount(at[at >= 0], minlength=len(KNOTS)).astype(np.float64)


def _from_above(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Count those of each interval and of all above it."""
    return np.cumsum(counts[::-1])[::-1]


def _log_ratio(counts: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.log((counts + 1) / (others + 1)))
