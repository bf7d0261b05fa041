"""Texts of two tables that are told apart by words of the reference, or by given names."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pearljoin._features.compute import CandidateFeatures
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.sampling import sample_records
from pearljoin._scoring.alternatives import (
    LEAST,
    MOST_TEXTS,
    NO_ALTERNATIVES,
    Alternatives,
    find_alternatives,
    lowered,
)
from pearljoin._scoring.calibration import Calibration
from pearljoin._scoring.other_people import SAMPLE, NamedPairs, are_people
from pearljoin._scoring.qualifiers import (
    MOST_QUALIFIED,
    NO_QUALIFIERS,
    Qualifiers,
    find_qualifiers,
)
from pearljoin._scoring.scorer import ScoreSteps
from pearljoin._typing import IntVector

__all__ = ["NOTHING_TELLS", "Telling", "tell_apart", "telling_of"]


class Telling(NamedTuple):
    """What tells texts of a reference apart, as of `Calibration`.

    Attributes
    ----------
    alternatives
        Words that name different things.
    qualifiers
        Words that it has with and without.
    names_people
        Whether its texts are names of people.
    """

    alternatives: Alternatives = NO_ALTERNATIVES
    qualifiers: Qualifiers = NO_QUALIFIERS
    names_people: bool = False


NOTHING_TELLS = Telling()


def telling_of(reference: EncodedRecords, sizes: IntVector) -> Telling:
    """Find what tells the texts of a reference of one text column apart.

    Parameters
    ----------
    reference
        Its records.
    sizes
        int64 of shape (n_records,): the number of rows of each.
    """
    words = find_alternatives(_sampled(reference, MOST_TEXTS), are_distinct=True)
    is_of_people = are_people(reference, sample_records(reference, SAMPLE))
    return Telling(words, _qualifiers_of(reference, sizes), is_of_people)


def _qualifiers_of(reference: EncodedRecords, sizes: IntVector) -> Qualifiers:
    """Find words that a reference of one text column has with and without.

    Its texts are sampled, but what they are without a word is looked for among all: of few texts
    would a sample have both.
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
    """Lower the log odds of pairs with words, or given names, of different things.

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
    named = steps.calibrated
    if calibration.names_people:
        people = NamedPairs(left, right, pairs.left, pairs.right, by_values=0)
        named = lowered(named, np.flatnonzero(people.differ(named > LEAST)))
    words = calibration.alternatives.lower(named, *texts, *at, knows_all=False)
    return steps._replace(named=named, final=calibration.qualifiers.lower(words, *texts, *at))
