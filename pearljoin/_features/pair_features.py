"""What speaks for and against a pair of texts: one row of numbers a candidate pair.

Cheap evidence only, each kind computed for all pairs at once. Texts are looked at normalised.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pearljoin._features.context import Groups
from pearljoin._features.rival_margins import COLUMN_LEADS, COMPARED, ROW_LEADS, leads
from pearljoin._features.text_profiles import TextProfile
from pearljoin._parallel import in_parts
from pearljoin._search import tfidf
from pearljoin._typing import BoolVector, FloatMatrix, FloatVector, IntVector

__all__ = ["NAMES", "Similarities", "pair_features", "without_rivals"]

NAMES = (
    "cosine",
    "centred",
    "ngrams",
    "words",
    "vector_known",
    "jaro_winkler",
    "ratio",
    "token_sort",
    "token_set",
    "partial",
    "left_covered",
    "right_covered",
    "left_spelled",
    "right_spelled",
    "left_lacks",
    "right_lacks",
    "both_lack",
    "left_begun",
    "right_begun",
    "left_acronyms",
    "right_acronyms",
    "acronym",
    "numbers_agree",
    "numbers_conflict",
    "numbers_missing",
    "legal_agree",
    "legal_conflict",
    "brackets_agree",
    "brackets_conflict",
    "brackets_missing",
    "bare_equal",
    "bare_token_sort",
    "core_equal",
    "compact_equal",
    "first_word",
    "last_word",
    "length_ratio",
    "left_words",
    "right_words",
    *ROW_LEADS,
    *COLUMN_LEADS,
)
"""What the columns of `pair_features` hold, in order."""

FIRST_LEAD = NAMES.index(ROW_LEADS[0])
FIRST_COLUMN_LEAD = NAMES.index(COLUMN_LEADS[0])
"""From here on a pair is described by its rivals: those of its left record, of its right one."""


@dataclass(frozen=True)
class Similarities:
    """What is known of pairs before their texts are looked at; arrays of shape (n_pairs,).

    Attributes
    ----------
    cosine, centred
        float32 in [-1, 1]: cosines of phrase vectors, as they are and about their middle.
    ngrams, words
        float32 in [0, 1]: tf-idf cosines of n-grams and of words.
    known
        bool: where both vectors stand for their whole text.
    """

    cosine: FloatVector
    centred: FloatVector
    ngrams: FloatVector
    words: FloatVector
    known: BoolVector

    def take(self, part: slice) -> list[NDArray[Any]]:
        """Some of the pairs, in the order of `NAMES`."""
        columns = (self.cosine, self.centred, self.ngrams, self.words, self.known)
        return [column[part] for column in columns]


def pair_features(
    left: TextProfile,
    right: TextProfile,
    alike: Similarities,
    own: IntVector,
    others: IntVector,
    rows: IntVector,
    columns: IntVector,
) -> FloatMatrix:
    """Describe candidate pairs.

    Parameters
    ----------
    left, right
        Facts of both sides' texts.
    alike
        The pairs' similarities.
    own, others
        int64 of shape (n_pairs,): positions of the texts.
    rows, columns
        int64 of shape (n_pairs,): left and right records, within which a pair's rivals are sought.

    Returns
    -------
    features
        float32 of shape (n_pairs, len(NAMES)).
    """
    features = np.empty((len(own), len(NAMES)), dtype=np.float32)

    def describe(part: slice) -> None:
        pairs = left, right, own[part], others[part]
        columns = [*alike.take(part), *_text_evidence(*pairs)]
        features[part, :FIRST_LEAD] = np.stack(columns, axis=1)

    in_parts(describe, len(own))
    features[:, FIRST_LEAD:] = leads(_compared(features), Groups(rows), Groups(columns))
    return features


def _compared(features: FloatMatrix) -> dict[str, FloatVector]:
    """The evidence that leads are worked out from, by name."""
    return {name: np.ascontiguousarray(features[:, NAMES.index(name)]) for name in COMPARED}


def _text_evidence(
    left: TextProfile, right: TextProfile, own: IntVector, others: IntVector
) -> list[NDArray[Any]]:
    """What the texts of pairs say, in the order of `NAMES`."""
    measures = _string_measures(left, right, own, others)
    return [
        *measures,
        *_word_evidence(left, right, own, others),
        _acronym(left, right, own, others),
        *_number_evidence(left, right, own, others),
        *_form_evidence(left.legal_form[own], right.legal_form[others]),
        *_bracket_evidence(left, right, own, others),
        left.bare_hash[own] == right.bare_hash[others],
        _bare_token_sort(left, right, own, others, measures[2]),
        (left.core[own] == right.core[others]) & (left.core[own] != 0),
        left.compact[own] == right.compact[others],
        left.first_word[own] == right.first_word[others],
        left.last_word[own] == right.last_word[others],
        np.log(left.length[own] / right.length[others]),
        np.log(left.n_words[own]),
        np.log(right.n_words[others]),
    ]


def _word_evidence(
    left: TextProfile, right: TextProfile, own: IntVector, others: IntVector
) -> list[NDArray[np.floating[Any]]]:
    """How far each side's words are found on the other: as they are, spelled, begun, as initials.

    Shares are of squared weights, in [0, 1]. What a side lacks is the weight of its heaviest word
    that the other does not say, as a share of the heaviest word of all.
    """
    own_mass = np.maximum(left.word_mass[own], 1e-6)
    other_mass = np.maximum(right.word_mass[others], 1e-6)
    common = tfidf.pair_products(left.words, right.words, own, others)
    left_spelled, left_lacks = _coverage(left.words, right.spellings, own, others)
    right_spelled, right_lacks = _coverage(right.words, left.spellings, others, own)
    left_lacks, right_lacks = left_lacks / left.heaviest, right_lacks / right.heaviest
    said = [
        tfidf.pair_products(*pair) / mass
        for pair, mass in (
            ((left.squared, right.starts, own, others), own_mass),
            ((right.squared, left.starts, others, own), other_mass),
            ((left.squared, right.acronyms, own, others), own_mass),
            ((right.squared, left.acronyms, others, own), other_mass),
        )
    ]
    return [
        common / own_mass,
        common / other_mass,
        left_spelled / own_mass,
        right_spelled / other_mass,
        left_lacks,
        right_lacks,
        np.minimum(left_lacks, right_lacks),
        *said,
    ]


def _coverage(
    words: csr_matrix, said: csr_matrix, own: IntVector, others: IntVector
) -> tuple[FloatVector, FloatVector]:
    """How far a text's words are said by the other, and the heaviest that is not.

    Parameters
    ----------
    words
        Sparse weights of the words of texts.
    said
        Sparse, in [0, 1]: how well the other side's texts say each word.
    own, others
        int64 of shape (n_pairs,): rows of the two.

    Returns
    -------
    covered
        float32 of shape (n_pairs,): sum of squared weights times how well they are said.
    lacking
        float32 of shape (n_pairs,): the largest weight times what it lacks of being said.
    """
    wanted = words[own]
    found = csr_matrix(wanted.multiply(said[others]))
    covered = np.asarray(found.multiply(wanted).sum(axis=1)).reshape(-1)
    lacking = (wanted - found).max(axis=1).toarray().reshape(-1)
    return covered, np.maximum(lacking, 0)


def _number_evidence(
    left: TextProfile, right: TextProfile, own: IntVector, others: IntVector
) -> tuple[BoolVector, BoolVector, BoolVector]:
    """Whether numbers agree, conflict (either side has one of its own), or one side has more.

    In a row of numbers one that stands twice is one of its own beside another number ("1,1" and
    "1,2"), and nothing by itself.
    """
    own_extra, other_extra, shared = _extra(left.numbers, right.numbers, own, others)
    own_again, other_again, _ = _extra(left.repeats, right.repeats, own, others)
    conflict = (own_extra | own_again) & (other_extra | other_again)
    return (
        (shared > 0) & ~own_extra & ~other_extra & ~conflict,
        conflict,
        (own_extra ^ other_extra) & ~conflict,
    )


def _extra(
    left: csr_matrix, right: csr_matrix, own: IntVector, others: IntVector
) -> tuple[BoolVector, BoolVector, FloatVector]:
    """Which pairs' left text has numbers that the right one lacks, the reverse, how many it has."""
    shared = tfidf.pair_products(left, right, own, others)
    n_left, n_right = np.diff(left.indptr)[own], np.diff(right.indptr)[others]
    return n_left > shared, n_right > shared, shared


def _form_evidence(own: IntVector, others: IntVector) -> tuple[BoolVector, BoolVector]:
    """Whether both are companies of one legal form, or of two."""
    both = (own > 0) & (others > 0)
    return both & (own == others), both & (own != others)


def _bracket_evidence(
    left: TextProfile, right: TextProfile, own: IntVector, others: IntVector
) -> tuple[FloatVector, FloatVector, BoolVector]:
    """How far the words in both sides' brackets are said by the other, how far not, one side only.

    Shares are of squared weights, in [0, 1], the mean of both sides' shares.
    """
    own_mass, other_mass = left.bracket_mass[own], right.bracket_mass[others]
    agree, conflict = np.zeros((2, len(own)), dtype=np.float32)
    at = np.flatnonzero((own_mass > 0) & (other_mass > 0))
    if len(at):
        own_said = tfidf.pair_products(left.in_brackets, right.said, own[at], others[at])
        other_said = tfidf.pair_products(right.in_brackets, left.said, others[at], own[at])
        agree[at] = np.minimum((own_said / own_mass[at] + other_said / other_mass[at]) / 2, 1)
        conflict[at] = 1 - agree[at]
    return agree, conflict, (own_mass > 0) ^ (other_mass > 0)


def _bare_token_sort(
    left: TextProfile, right: TextProfile, own: IntVector, others: IntVector, whole: FloatVector
) -> FloatVector:
    """The token sort ratio of texts without what stands in brackets, from that of whole texts."""
    # Imported here, so that training runs on a machine without it.
    from rapidfuzz import fuzz

    found = whole.copy()
    at = np.flatnonzero((left.bracket_mass[own] > 0) | (right.bracket_mass[others] > 0))
    found[at] = _ratios(fuzz.ratio, left.bare_in_order[own[at]], right.bare_in_order[others[at]])
    return found


def without_rivals(features: FloatMatrix, rows: IntVector) -> FloatMatrix:
    """Describe pairs again after others of their left records were taken away.

    Parameters
    ----------
    features
        float32 of shape (n_pairs, len(NAMES)): what is left of what `pair_features` gave.
    rows
        int64 of shape (n_pairs,): left records.

    Returns
    -------
    features
        float32 of the same shape, with other leads within left records. Those within right records
        are what they were, since what one left record lacks is no other's loss.
    """
    described = features.copy()
    described[:, FIRST_LEAD:FIRST_COLUMN_LEAD] = leads(_compared(features), Groups(rows))
    return described


def _string_measures(
    left: TextProfile, right: TextProfile, own: IntVector, others: IntVector
) -> list[FloatVector]:
    """Jaro-Winkler similarity and four edit ratios of pairs of texts, each in [0, 1]."""
    # Imported here, so that training runs on a machine without it.
    from rapidfuzz import fuzz
    from rapidfuzz.distance import JaroWinkler

    texts = left.short[own], right.short[others]
    return [
        _cpdist(JaroWinkler.normalized_similarity, *texts),
        _ratios(fuzz.ratio, *texts),
        # What fuzz.token_sort_ratio gives, which would sort the words again for every pair.
        _ratios(fuzz.ratio, left.in_order[own], right.in_order[others]),
        _ratios(fuzz.token_set_ratio, *texts),
        _ratios(fuzz.partial_ratio, *texts),
    ]


def _ratios(
    measure: Callable[..., float], own: NDArray[np.object_], others: NDArray[np.object_]
) -> FloatVector:
    """A measure in [0, 100] of pairs of texts, in [0, 1]."""
    return _cpdist(measure, own, others) / np.float32(100)


def _cpdist(
    measure: Callable[..., float], own: NDArray[np.object_], others: NDArray[np.object_]
) -> FloatVector:
    from rapidfuzz import process

    return np.asarray(process.cpdist(own, others, scorer=measure, workers=1), dtype=np.float32)


def _acronym(
    left: TextProfile, right: TextProfile, own: IntVector, others: IntVector
) -> BoolVector:
    """Whether one text is the initials of the other."""
    found = np.zeros(len(own), dtype=bool)
    for own_initials, other_initials in zip(left.initials, right.initials, strict=True):
        found |= (own_initials[own] == right.compact[others]) & (own_initials[own] != 0)
        found |= (other_initials[others] == left.compact[own]) & (other_initials[others] != 0)
    return found
