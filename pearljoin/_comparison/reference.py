"""The reference of a comparison, encoded once, and what is learned from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from pearljoin._candidates.blocking import block_nearest
from pearljoin._candidates.exclusions import conflicts
from pearljoin._comparison.reference_part import Part
from pearljoin._comparison.told_apart import Telling, telling_of
from pearljoin._encoders import Encoder
from pearljoin._features.compute import CandidateFeatures
from pearljoin._features.profiled_texts import ProfiledTexts
from pearljoin._progress import stage
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._records.crossed import are_crossed
from pearljoin._records.duplicates import repeated_rows
from pearljoin._records.encode import encode_records, encode_values
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.equality import Values
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Field, Records
from pearljoin._records.row_numbers import count_rows
from pearljoin._records.similarity import NumberValues, PhraseVectors, TextValues
from pearljoin._records.whole_record import column_shares, whole_records
from pearljoin._scoring.calibration import Calibration
from pearljoin._scoring.doubles import merge_doubles
from pearljoin._scoring.frozen_state import FrozenState
from pearljoin._scoring.neighbours import Search, neighbour_scores, null_candidates
from pearljoin._scoring.record_model import learn_from_reference
from pearljoin._scoring.record_networks import RecordNetworks
from pearljoin._scoring.scorer import NullPairs
from pearljoin._scoring.scorer_file import record_networks_of, scorer_of
from pearljoin._search.approximate import EXACT_ROWS
from pearljoin._search.known_indexes import NO_INDEXES, KnownIndexes
from pearljoin._search.search_plan import SearchPlan
from pearljoin._typing import FloatVector

__all__ = ["Reference"]

FALLBACK_THRESHOLD = 0.4
"""Threshold for small tables where the encoder has none of its own."""

PRIOR_RECORDS = 5
"""Records that some of the columns do not tell apart, counted beside those that they might."""


class Reference:
    """The right side, encoded once, and what is learned from it alone.

    Parameters
    ----------
    records
        The reference's records.
    encoder
        Encoder of the key columns of text; None where there are none.
    weights
        float64 of shape (n_fields,), summing to 1: what each key column counts for.
    learned
        Whether match weights of several key columns are learned.
    one_table
        Whether the records are compared among themselves, and so by networks over records with one
        key column, too.
    device
        Where to search: ``"cpu"`` or ``"cuda"``.
    known
        For each key column, the values that are encoded already, if any.
    statistics
        As of `learned_statistics`, of an earlier reference to which rows were added.
    known_indexes
        As of `build_indexes`, of the same reference, or only the plan of an earlier one.
    part
        Of the whole reference, where the records are a part of it. Default: they are all.
    """

    def __init__(
        self,
        records: Records,
        encoder: Encoder | None,
        *,
        weights: NDArray[np.float64],
        learned: bool = True,
        one_table: bool = False,
        device: str = "cpu",
        known: Sequence[Values | PhraseVectors | None] | None = None,
        statistics: tuple[ColumnStatistics, ...] | None = None,
        known_indexes: KnownIndexes = NO_INDEXES,
        part: Part | None = None,
    ) -> None:
        self._part = part
        self._one_table = one_table
        self.records = records
        self.encoder = encoder
        self.device = device
        self._known_indexes = known_indexes
        self.weights = weights
        self.scorer = scorer_of(encoder, records)
        of_parts = any(field.kind == "parsed" for field in records.fields)
        several = learned and (one_table or len(records.fields) > 1 or of_parts)
        self.networks = record_networks_of(encoder) if several else None
        n_whole = records.n_records if part is None else part.n_known
        self.values: tuple[Values, ...] = encode_values(
            records, encoder, known, n_reference=n_whole
        )
        if statistics is None:
            codes = [records.codes(at) for at in range(len(self.values))]
            statistics = tuple(
                replace(ColumnStatistics.of(values), is_row_number=counts)
                for values, counts in zip(self.values, count_rows(self.values, codes), strict=True)
            )
        n_fields = len(records.fields)
        self.statistics = statistics[:n_fields]
        self._whole_statistics = statistics[n_fields] if len(statistics) > n_fields else None

    @property
    def calibrated(self) -> bool:
        """Whether a score is the probability of a match."""
        return self.scorer is not None or self.networks is not None

    @cached_property
    def text_networks(self) -> RecordNetworks | None:
        """The networks that score whether two texts name one entity, if any.

        Read when first asked for: a join on one column does without them.
        """
        return record_networks_of(self.encoder) if self.scorer is not None else None

    @property
    def fallback_threshold(self) -> float:
        """The default threshold for similarities, in [0, 1]."""
        return float(getattr(self.encoder, "fallback_threshold", None) or FALLBACK_THRESHOLD)

    @cached_property
    def equal_only(self) -> bool:
        """Whether one column of dates or of whole numbers, such as ids: near ones are others."""
        values, field = self.values[0], self.records.fields[0]
        if len(self.values) > 1 or not isinstance(values, NumberValues) or not len(values):
            return False
        are_whole = not field.is_time and (values.values == np.rint(values.values)).all()
        return field.is_date or bool(are_whole)

    @cached_property
    def encoded(self) -> EncodedRecords:
        """The records, encoded."""
        found = self._encode_columns(self.records, self.values)
        if self.networks is None:
            return replace(found, known_indexes=self._known_indexes)
        whole = whole_records(found, column_shares(found), self._dim, self._whole_statistics)
        return replace(found, whole=replace(whole, known_indexes=self._known_indexes))

    @property
    def search_plan(self) -> SearchPlan | None:
        """Settings of the approximate search of vectors; None: exact, or no search of vectors."""
        searched = self._searched
        return searched.meaning_index.plan if searched.text_fields else None

    def indexes_after(self, *, adding: bool) -> KnownIndexes:
        """Return what stays of the search indexes when rows come or go.

        Parameters
        ----------
        adding
            Whether these records stay the first ones.
        """
        plan = self.search_plan
        # The vectors of whole records hang on the others.
        stay = adding and plan is not None and self.encoded.whole is None
        return KnownIndexes(plan, self.encoded.meaning_index.lists if stay else None)

    def build_indexes(self) -> KnownIndexes:
        """Return what the search indexes are made of, as of `EncodedRecords`."""
        return self._searched.build_indexes()

    @property
    def _searched(self) -> EncodedRecords:
        """What is searched: the records, or the whole of each as one text."""
        return self.encoded if self.encoded.whole is None else self.encoded.whole

    @property
    def _dim(self) -> int:
        """Columns of the vectors of whole records."""
        assert self.networks is not None
        return len(self.networks.middle)

    @property
    def learned_statistics(self) -> tuple[ColumnStatistics, ...]:
        """Statistics of the key columns, and of the whole records where these are compared."""
        whole = self.encoded.whole
        return self.statistics if whole is None else (*self.statistics, whole.statistics[0])

    @cached_property
    def is_crossed(self) -> bool:
        """Whether records are combinations of values; False for a part of a reference."""
        return self._part is None and are_crossed(self.encoded.codes)

    @property
    def compares_values(self) -> bool:
        """Whether values are compared by themselves, too: see `FrozenState`.

        Not where many records would take as long again, or where a part of them is at hand.
        """
        return self._part is None and self.networks is not None and len(self.encoded) <= EXACT_ROWS

    def share_told_apart(self, columns: tuple[int, ...]) -> float:
        """Share of the records with values in some columns that no other record equals there.

        Records that `by` or `veto` columns tell apart are not equal. Where other columns are
        missing, records that tell little apart for being few count as not telling.

        Parameters
        ----------
        columns
            Places of the key columns, ascending.
        """
        if columns not in self._shares_told_apart:
            self._shares_told_apart[columns] = self._share_told_apart(columns)
        return self._shares_told_apart[columns]

    def _share_told_apart(self, columns: tuple[int, ...]) -> float:
        side, records = self.encoded, self.records
        known = np.all([side.codes[at] != NULL for at in columns], axis=0)
        if not columns or not known.any():
            return 0.0
        values = [side.values[at].numbers[side.codes[at][known]] for at in columns]
        values += [] if side.groups is None else [side.groups[known]]
        values += [veto.codes[records.first_row][known] for veto in records.vetoes]
        n_equal = np.unique(np.stack(values), axis=1, return_counts=True)[1]
        n_prior = 0 if len(columns) == len(side.codes) else PRIOR_RECORDS
        return float((n_equal == 1).sum() / (n_equal.sum() + n_prior))

    @cached_property
    def _shares_told_apart(self) -> dict[tuple[int, ...], float]:
        return {}

    @cached_property
    def of_values(self) -> dict[int, Reference]:
        """By the place of each key column of text with values, these as a reference."""
        return self.values_by({})

    def values_by(
        self, statistics: Mapping[int, tuple[ColumnStatistics, ...]]
    ) -> dict[int, Reference]:
        """Return `of_values`, with statistics that were learned of earlier values.

        Parameters
        ----------
        statistics
            By the place of a column, as of `learned_statistics`. Default: the column's own.
        """
        found = {}
        for at, values in enumerate(self.values):
            if isinstance(values, TextValues) and len(values):
                column = Field("text", values.texts, np.arange(len(values)))
                found[at] = Reference(
                    Records((column,)),
                    self.encoder,
                    weights=np.ones(1),
                    one_table=self._one_table,
                    device=self.device,
                    known=[values],
                    statistics=statistics.get(at, (self.statistics[at],)),
                )
        return found

    def encode_left(self, records: Records, values: Sequence[Values | None] = ()) -> EncodedRecords:
        """Encode the other side's records, by the statistics of these.

        Parameters
        ----------
        records
            The records.
        values
            By key column, their distinct values, where these are encoded already.
        """
        values = encode_values(records, self.encoder, self.values, ready=values)
        found = self._encode_columns(records, values)
        whole = self.encoded.whole
        if whole is None:
            return found
        shares = column_shares(self.encoded)
        return replace(found, whole=whole_records(found, shares, self._dim, whole.statistics[0]))

    def _encode_columns(self, records: Records, values: tuple[Values, ...]) -> EncodedRecords:
        return encode_records(records, values, self.statistics, self.records, self.weights)

    @cached_property
    def repeated(self) -> tuple[tuple[int, ...], ...]:
        """Rows with equal keys, in groups: a match cannot distinguish them."""
        return repeated_rows(self.records, self.values)

    @property
    def n_known(self) -> int:
        """Number of records whose first key is not null."""
        if self._part is not None:
            return self._part.n_known
        return int((self.encoded.codes[0] != NULL).sum())

    @property
    def middle(self) -> FloatVector:
        """The mean vector of texts at large; without a match scorer, that of the reference.

        float32 of shape (dim,), for a first key column of text.
        """
        if self.scorer is not None:
            return self.scorer.middle
        mean = self.statistics[0].mean
        assert mean is not None
        return mean

    @cached_property
    def _telling(self) -> Telling:
        """What tells texts of one column apart."""
        if self._part is not None:
            return self._part.telling
        return telling_of(self.encoded, self.records.sizes)

    def with_words(self, calibration: Calibration) -> Calibration:
        """Add what tells things apart to what a scorer has learned."""
        return replace(calibration, **self._telling._asdict())

    @cached_property
    def null_pairs(self) -> NullPairs:
        """Candidates of sampled records among the others, with the log odds of the first step."""
        assert self.scorer is not None
        pairs = self.null_candidates()
        logit = self.scorer.pair.logit(pairs.features)
        return NullPairs(logit, pairs.left, pairs.tokens, pairs.things)

    def null_candidates(self) -> CandidateFeatures:
        """Compute the features of the candidates of sampled records among the others."""
        assert self.scorer is not None
        search: Search = partial(block_nearest, device="cpu")
        if self._part is not None:
            search = self._part.search
        return self.merge_doubles(null_candidates(self.encoded, self.scorer.middle, search))

    def merge_doubles(
        self, pairs: CandidateFeatures, texts: ProfiledTexts | None = None
    ) -> CandidateFeatures:
        """Merge candidates that are one entity, where the encoder has the networks.

        Parameters
        ----------
        pairs
            All candidates of some left records.
        texts
            As of `pearljoin._scoring.doubles.merge_doubles`.
        """
        networks = self.text_networks
        if networks is None:
            return pairs
        apart = partial(conflicts, self.records, self.records)
        return merge_doubles(pairs, self.encoded, apart, networks, self.middle, texts)

    @cached_property
    def state_alone(self) -> FrozenState:
        """State learned from the reference alone: null scores, u probabilities.

        Learned when first asked for: a calibration on left records takes its place. Threads that
        ask at once get equal states.
        """
        with stage("calibrate"):
            return self._learn_alone()

    def _learn_alone(self) -> FrozenState:
        if self.scorer is not None:
            calibration = self.scorer.calibrate(None, self.null_pairs, self.n_known)
            return FrozenState(calibration=self.with_words(calibration))
        if self.networks is not None:
            of_values = {}
            for at, values in self.of_values.items() if self.compares_values else ():
                assert values.scorer is not None
                of_values[at] = values.scorer.calibrate(None, values.null_pairs, values.n_known)
            return FrozenState(
                match_weights=learn_from_reference(self.encoded, self.networks),
                is_crossed=self.is_crossed,
                compares_values=self.compares_values,
                of_values=of_values,
            )
        return FrozenState()

    @cached_property
    def neighbour_scores(self) -> FloatVector:
        """The best score of sampled records against the other records.

        float32 of shape (n_sampled,), in [0, 1].
        """
        return neighbour_scores(self.encoded, partial(block_nearest, device="cpu"))
