"""Texts of two tables that are told apart by words of the reference."""

from __future__ import annotations

import numpy as np

from pearljoin._features.compute import CandidateFeatures
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.sampling import sample_records
from pearljoin._scoring.alternatives import MOST_TEXTS, Alternatives, find_alternatives
from pearljoin._scoring.calibration import Calibration
from pearljoin._scoring.qualifiers import MOST_QUALIFIED, Qualifiers, find_qualifiers
from pearljoin._scoring.scorer import ScoreSteps
from pearljoin._typing import IntVector

__all__ = ["alternatives_of", "qualifiers_of", "tell_apart"]


def alternatives_of(reference: EncodedRecords) -> Alternatives:
    """Find words that stand in each other's place in a sample of a reference of one text column."""
    return find_alternatives(_sampled(reference, MOST_TEXTS), are_distinct=True)


def qualifiers_of(reference: EncodedRecords, sizes: IntVector) -> Qualifiers:
    """Find words that a reference of one text column has with and without.

    Its texts are sampled, but what they are without a word is looked for among all: of few texts
    would a sample have both.

    Parameters
    ----------
    reference
        Its records.
    sizes
        int64 of shape (n_records,): the number of rows of each.
    """
    normal, codes = reference.normal_texts(0), np.repeat(reference.codes[0], sizes)
    texts = (normal[code] for code in codes[codes != NULL].tolist())
    return find_qualifiers(texts, _sampled(reference, MOST_QUALIFIED))


def _sampled(reference: EncodedRecords, most: int) -> list[str]:
    normal = reference.normal_texts(0)
    codes = reference.codes[0][sample_records(reference, most)]
    return [normal[code] for code in codes[codes != NULL].tolist()]


def tell_apart(
    pairs: CandidateFeatures,
    steps: ScoreSteps,
    sides: tuple[EncodedRecords, EncodedRecords],
    calibration: Calibration,
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
    calibration
        Of the reference.
    """
    left, right = sides
    texts = left.normal_texts(0), right.normal_texts(0)
    at = left.codes[0][pairs.left], right.codes[0][pairs.right]
    lowered = calibration.alternatives.lower(steps.calibrated, *texts, *at, knows_all=False)
    return steps._replace(final=calibration.qualifiers.lower(lowered, *texts, *at))
