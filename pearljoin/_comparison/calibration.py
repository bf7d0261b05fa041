"""Calibration: what is learned of a sample of the left records, beside a reference, and frozen.

One column of text is scored by the match scorer, whose log odds are calibrated on the sample's
candidates. Several columns are scored by match weights, which are learned from them, and from
reference records that are looked up among the others. The scores of the sample are kept: a
threshold is chosen by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.null_records import knowing_null
from pearljoin._comparison.record_scores import RecordScores, score_records
from pearljoin._comparison.told_apart import tell_apart
from pearljoin._comparison.value_agreement import SameValues, learn_values
from pearljoin._features.compute import CandidateFeatures
from pearljoin._progress import stage
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.column_pairs import PairedRecords
from pearljoin._scoring.frozen_state import FrozenState, ScoreSample
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._scoring.record_model import learn_from_both
from pearljoin._scoring.rereading import AS_IT_IS, ASK_NOTHING, AskedColumns, Rereading
from pearljoin._scoring.translated_values import Translations
from pearljoin._scoring.translated_words import translated_words
from pearljoin._typing import FloatVector, IntVector, Pairs

__all__ = ["CALIBRATION_SAMPLE", "calibrate"]

CALIBRATION_SAMPLE = 2_000
"""Left records that a calibration is learned from, at most."""


class _Learned(NamedTuple):
    """What candidates of sampled left records say.

    Attributes
    ----------
    state
        The state, without the scores of the sample.
    scores
        Scores of the observed candidates; None where they are plain similarities.
    rereading
        How key columns are to be read; where any is read otherwise, nothing else is learned.
    """

    state: FrozenState
    scores: RecordScores | None = None
    rereading: Rereading = AS_IT_IS


@stage("calibrate")
def calibrate(
    comparison: Comparison, asked: AskedColumns = ASK_NOTHING
) -> tuple[Comparison, Rereading]:
    """Calibrate a comparison on a sample of its distinct left records, by their content.

    Parameters
    ----------
    comparison
        The left records and the reference.
    asked
        Places of key columns of which it is asked how they are to be read.

    Returns
    -------
    calibrated
        The same comparison with the state that was learned; as it was without left records.
    rereading
        Which of these columns are to be read otherwise. Where there are any, nothing else is
        learned: compare the records as they are then read.
    """
    sampled, sample = comparison.sampled(CALIBRATION_SAMPLE)
    if not len(sample):
        return comparison, AS_IT_IS
    # All that blocking finds: among the likeliest alone, chance agreement would be too rare.
    left_at, right_at = sampled.blocked
    kept = np.isin(left_at, sample)
    pairs = left_at[kept], right_at[kept]
    if sampled.scorer is not None:
        learned = _learn_of_texts(sampled, pairs, asked)
    elif sampled.networks is not None:
        learned = _learn_of_records(sampled, pairs, sample, asked)
    else:
        learned = _Learned(FrozenState())
    if learned.rereading.is_needed:
        return comparison, learned.rereading
    ranked = sampled.with_state(learned.state).rank(*pairs, learned.scores)
    scores = ScoreSample.of(ranked, sample), ScoreSample.of(ranked.by_same(), sample)
    calibrated = comparison.with_state(learned.state.with_sample(*scores))
    if sampled is comparison and len(left_at) == len(comparison.candidate_pairs[0]):
        calibrated.ranked_sample = ranked
    return calibrated, AS_IT_IS


def _learn_of_texts(comparison: Comparison, pairs: Pairs, asked: AskedColumns) -> _Learned:
    """Calibrate the match scorer on candidates of one column of text."""
    scorer, reference = comparison.scorer, comparison.reference
    found = comparison.compare(*comparison.observed(*pairs))
    assert scorer is not None
    assert isinstance(found, CandidateFeatures)
    known = reference.null_pairs, reference.n_known
    calibration, steps = scorer.calibrate_and_score(found, *known)
    calibration = reference.with_words(calibration)
    steps = tell_apart(found, steps, comparison.sides, calibration)
    scores = RecordScores(steps.probability, steps.probability, found.things)
    written = PairedRecords(*comparison.sides, found.left, found.right)
    if words := _translated_words(written, scores, asked):
        return _Learned(FrozenState(), rereading=Rereading(words=words))
    return _Learned(FrozenState(calibration=calibration), scores)


def _learn_of_records(
    comparison: Comparison, pairs: Pairs, sample: IntVector, asked: AskedColumns
) -> _Learned:
    """Learn match weights from candidates of several columns, and how these are to be read."""
    sides, reference, networks = comparison.sides, comparison.reference, comparison.networks
    assert networks is not None
    state, of_values = learn_values(sides[0].take(sample), reference)
    if words := _words_of_values(sides, of_values, asked):
        return _Learned(state, rereading=Rereading(words=words))
    beside = comparison.with_state(state)
    beside.scored_values = of_values
    found = beside.compare(*pairs)
    assert isinstance(found, RecordPairs)
    weights, rereading = learn_from_both(*sides, found, pairs[1], sample, networks, asked)
    if rereading.is_needed:
        return _Learned(state, rereading=rereading)
    known, crossed = (found, pairs[1], sides[0], len(sample)), comparison.is_crossed
    weights = knowing_null(weights, *known, reference, is_crossed=crossed)
    scores = score_records(found, pairs[1], reference, weights)
    if words := _translated_words(PairedRecords(*sides, *pairs), scores, asked):
        return _Learned(state, rereading=Rereading(words=words))
    return _Learned(replace(state, match_weights=weights), scores)


def _translated_words(
    pairs: PairedRecords, scores: RecordScores, asked: AskedColumns
) -> Translations:
    """Find the words of left texts that are read as right ones, by key column."""
    columns = ((at, pairs.column(at)) for at in asked.may_translate)
    likely = ((at, each.known_codes, scores.answer[each.known]) for at, each in columns)
    return _words_of_columns((pairs.left, pairs.right), likely)


def _words_of_values(
    sides: tuple[EncodedRecords, EncodedRecords],
    scored: Mapping[int, SameValues],
    asked: AskedColumns,
) -> Translations:
    """Find such words by the values of single columns, before others are looked at.

    Another column may say so little that no pair is a likely answer before words are read alike.
    """
    columns = ((at, scored[at]) for at in sorted(scored.keys() & set(asked.by_values)))
    likely = ((at, (pairs.left, pairs.right), pairs.probability) for at, pairs in columns)
    return _words_of_columns(sides, likely)


def _words_of_columns(
    sides: tuple[EncodedRecords, EncodedRecords],
    likely: Iterable[tuple[int, Pairs, FloatVector]],
) -> Translations:
    """Find such words of key columns; `likely` has pairs of values of each, and how likely."""
    found = {}
    for at, pairs, probability in likely:
        here, there = (side.values[at] for side in sides)
        if isinstance(here, TextValues) and isinstance(there, TextValues):
            found[at] = translated_words(here, there, pairs, probability)
    return {at: words for at, words in found.items() if words}
