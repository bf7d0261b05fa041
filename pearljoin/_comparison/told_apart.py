"""Texts of two tables that are told apart by words of the reference."""

from __future__ import annotations

from pearljoin._features.compute import CandidateFeatures
from pearljoin._records.encoded import EncodedRecords
from pearljoin._scoring.alternatives import Alternatives
from pearljoin._scoring.scorer import ScoreSteps

__all__ = ["tell_apart"]


def tell_apart(
    pairs: CandidateFeatures,
    steps: ScoreSteps,
    sides: tuple[EncodedRecords, EncodedRecords],
    alternatives: Alternatives,
) -> ScoreSteps:
    """Lower the log odds of pairs with words that name different things in the reference.

    Parameters
    ----------
    pairs
        Candidate pairs, without nulls.
    steps
        Their log odds.
    sides
        Their records; the one key column is text.
    alternatives
        Of the reference.
    """
    left, right = sides
    texts = left.normal_texts(0), right.normal_texts(0)
    at = left.codes[0][pairs.left], right.codes[0][pairs.right]
    return steps._replace(final=alternatives.lower(steps.calibrated, *texts, *at, knows_all=False))
