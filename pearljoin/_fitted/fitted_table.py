"""A reference table, how its columns are read, and what was learned of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.large import compare
from pearljoin._comparison.lookups import FEW_RECORDS, LookupQueue
from pearljoin._comparison.reference import Reference
from pearljoin._comparison.reference_part import Part
from pearljoin._devices import search_device
from pearljoin._errors import InputError
from pearljoin._fitted.encoder_source import EncoderSource
from pearljoin._kinds.protocol import Comparer
from pearljoin._options import MatchOptions, read_weights
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._records.equality import Values
from pearljoin._records.records import Records
from pearljoin._records.similarity import PhraseVectors
from pearljoin._scoring.frozen_state import FrozenState
from pearljoin._search.known_indexes import NO_INDEXES, KnownIndexes
from pearljoin._tables.adding import add_rows
from pearljoin._tables.given_kinds import NOTHING_GIVEN, GivenKinds
from pearljoin._tables.idle_columns import drops_idle, idle_still, without_idle, without_silent
from pearljoin._tables.key_kinds import key_kinds
from pearljoin._tables.keys import ColumnNames, Keys
from pearljoin._tables.kinds import (
    ColumnKinds,
    column_kinds,
    frozen_kinds,
    joint_kinds,
    read_records,
)
from pearljoin._tables.parsed_field import SideReading
from pearljoin._tables.read_table import Table
from pearljoin._tables.removing import remove_rows
from pearljoin._tables.unequal_values import warn_of_unequal
from pearljoin._tables.whole_tables import kinds_of_whole
from pearljoin._typing import Pairs

__all__ = ["FittedTable", "Learned", "fit_table"]


@dataclass(frozen=True)
class Learned:
    """A reference whose columns are read as some kinds, and what was learned.

    Attributes
    ----------
    reference
        The reference.
    kept
        What is kept; None for what the reference alone says, learned when `state` is first read.
    readers
        By key, what reads the other side as it writes its values; empty where that is not known.
    lookups
        Those that threads wait for.
    """

    reference: Reference
    kept: FrozenState | None = None
    readers: tuple[Comparer[Any] | None, ...] = ()
    lookups: LookupQueue = field(default_factory=LookupQueue, compare=False)

    def compare(self, left: Records, pairs: Pairs | None = None) -> Comparison:
        """Compare left records with the reference; the parameters are those of `Comparison`."""
        if pairs is None and self.reference.calibrated and left.n_records <= FEW_RECORDS:
            return self.lookups.compare(left, self.reference, self.kept)
        return compare(left, self.reference, self.kept, pairs)

    @property
    def state(self) -> FrozenState:
        """What was learned."""
        return self.reference.state_alone if self.kept is None else self.kept

    @property
    def n_left(self) -> int:
        """Number of left records that it was calibrated on."""
        return 0 if self.kept is None else self.kept.sample.n_left


@dataclass(frozen=True)
class FittedTable:
    """The reference and how it was read; replaced whole, never changed in place.

    Attributes
    ----------
    right
        The reference.
    names, guessed
        Its columns that are compared, and whether the key was guessed.
    kinds
        How its columns compare.
    frozen_kinds
        How they are read, whatever is looked up.
    weights
        float64 of shape (n_keys,): what each key column counts for.
    options, source
        How to match, and the encoder of these options.
    given
        What the user says of the kinds of the key columns.
    one_table
        Whether its rows are compared among themselves.
    """

    right: Table
    names: ColumnNames
    guessed: bool
    kinds: ColumnKinds
    frozen_kinds: ColumnKinds
    weights: NDArray[np.float64]
    options: MatchOptions
    source: EncoderSource
    given: GivenKinds = NOTHING_GIVEN
    one_table: bool = False
    _learned: dict[ColumnKinds, Learned] = field(default_factory=dict)

    def learned(self, kinds: ColumnKinds | None = None, records: Records | None = None) -> Learned:
        """Return the reference with its columns read as `kinds`; encoded when first asked for.

        Parameters
        ----------
        kinds
            Default: the frozen ones.
        records
            The reference's records, where they are read already.
        """
        kinds = self.frozen_kinds if kinds is None else kinds
        if kinds not in self._learned:
            known, before = None, self._learned.get(self.frozen_kinds)
            if before is not None:
                of_key = dict(zip(self.frozen_kinds.fields, before.reference.values, strict=True))
                known = [of_key.get(key) for key in kinds.fields]
            self._learned[kinds] = Learned(self.encode(kinds, known=known, records=records))
        return self._learned[kinds]

    def records_as(self, kinds: ColumnKinds) -> Records:
        """Return the reference's records with its columns read as `kinds`."""
        learned = self._learned.get(kinds)
        if learned is None:
            return self._read(self.right, self.names, kinds)
        return learned.reference.records

    def encode(
        self,
        kinds: ColumnKinds,
        *,
        known: Sequence[Values | PhraseVectors | None] | None = None,
        statistics: tuple[ColumnStatistics, ...] | None = None,
        readers: Sequence[Comparer[Any] | None] = (),
        records: Records | None = None,
        indexes: KnownIndexes = NO_INDEXES,
        part: Part | None = None,
    ) -> Reference:
        """Encode the reference with its columns read as `kinds`.

        Parameters
        ----------
        kinds
            How its columns are read.
        known
            By key column, what is encoded already.
        statistics
            Of the key columns, where they are frozen.
        readers
            By key, what reads the reference's values. Default: that is learned from them.
        records
            The reference's records, where they are read already.
        indexes
            What is known of how it is searched.
        part
            Of a reference of which the table is a part.
        """
        if records is None:
            known_as = [SideReading(reader) for reader in readers] or None
            records = self._read(self.right, self.names, kinds, known_as)
        fields = [field for field in records.fields if field.kind == "text"]
        is_each = len(self.weights) == len(kinds.fields)
        texts = [str(value) for field in fields for value in field.values]
        return Reference(
            records,
            self.source.get(texts) if fields else None,
            weights=self.weights if is_each else read_weights(None, kinds.fields),
            learned=self.options.weights is None,
            one_table=self.one_table,
            device=search_device(self.options.device),
            known=known,
            statistics=statistics,
            known_indexes=indexes,
            part=part,
        )

    def kinds_for(self, left: Table, keys: Keys, *, calibrate: bool = False) -> ColumnKinds:
        """Tell how the columns of rows and of the reference compare.

        Parameters
        ----------
        left, keys
            The rows, and what is compared.
        calibrate
            Whether to calibrate on these rows, so that what they hold decides, too.

        Raises
        ------
        InputError
            If a left column holds nothing that compares with the reference's.
        """
        kinds = joint_kinds(left, self.right, self.kinds, keys, self.given)
        if calibrate:
            return kinds
        return frozen_kinds(kinds, self.frozen_kinds, key_kinds(left, keys.left))

    def compare(
        self,
        left: Table,
        keys: Keys,
        *,
        calibrate: bool = False,
        kinds: ColumnKinds | None = None,
        pairs: Pairs | None = None,
        readers: Sequence[Comparer[Any] | None] = (),
    ) -> tuple[Comparison, FittedTable]:
        """Compare rows with the reference.

        Parameters
        ----------
        left
            The rows.
        keys
            What is compared.
        calibrate
            Whether to calibrate on these rows first.
        kinds
            As of `kinds_for`, where the rows are some of those that decided it.
        pairs
            Candidate pairs of records, where they are known already.
        readers
            By key, what reads the rows, where they were read before, and warned of.

        Returns
        -------
        comparison, fitted
            The comparison, and the reference as it is calibrated.
        """
        if kinds is None:
            kinds = self.kinds_for(left, keys, calibrate=calibrate)
            if calibrate:
                kinds = kinds_of_whole(left, self.right, keys, kinds, self.given, drops=self._drops)
        # What is wrong with the rows is reported before anything is encoded.
        right_records = self.records_as(kinds)
        known = self._learned.get(kinds)
        kept = readers or (() if known is None or calibrate else known.readers)
        other = [
            SideReading(field.comparer, field.comparer and reader, calibrate and not readers)
            for field, reader in zip_longest(right_records.fields, kept)
        ]
        records = self._read(left, keys.left_names, kinds, other)
        if not readers:
            warn_of_unequal(records, right_records, keys, kinds)
        learned = self.learned(kinds, right_records)
        if not calibrate:
            return learned.compare(records, pairs), self
        may_drop = self.given.free_fields(kinds.fields) if self._drops and pairs is None else ()
        reference, state = learned.reference, learned.kept
        found = compare(records, reference, state, pairs).calibrated_on_left(may_drop)
        calibrated = self.with_learned(kinds, Learned(reference, found.state, records.comparers))
        if not found.state.silent:
            return found, calibrated
        again = [one for at, one in enumerate(records.comparers) if at not in found.state.silent]
        kinds = without_silent(kinds, found.state.silent)
        return calibrated.compare(left, keys, calibrate=True, kinds=kinds, readers=again)

    def calibrated_on(self, left: Table, keys: Keys) -> FittedTable:
        """Return the reference calibrated on rows; raises InputError if none has a key."""
        comparison, calibrated = self.compare(left, keys, calibrate=True)
        if comparison.left.n_records:
            return calibrated
        got = f"{left.n_rows:,} without a key" if left.n_rows else "none"
        raise InputError(
            f"A calibration needs rows. Got {got}. Hint: give rows such as will be looked up, "
            "or leave it out: fit alone calibrates on the reference."
        )

    def frozen(self) -> FittedTable:
        """Return the same reference with its state learned, if it is not learned yet."""
        learned = self.learned()
        known = Learned(learned.reference, learned.state, learned.readers)
        return self.with_learned(self.frozen_kinds, known)

    def with_learned(self, kinds: ColumnKinds, learned: Learned) -> FittedTable:
        """Return the same reference with other kinds and another state."""
        return replace(self, frozen_kinds=kinds, _learned={kinds: learned})

    def with_vectors(
        self, kinds: ColumnKinds, known: Sequence[PhraseVectors | None]
    ) -> FittedTable:
        """Return the same reference, encoded by vectors that are known: one entry for each key."""
        return replace(self, _learned={kinds: Learned(self.encode(kinds, known=known))})

    def with_rows(self, more: Table) -> FittedTable:
        """Return the reference with further rows, and what was learned unchanged."""
        longer, kinds = add_rows(self.right, more, self.names, self.kinds, self.given)
        if kinds.keys != self.kinds.keys or not idle_still(longer, self.names, self.frozen_kinds):
            # A key column that said nothing so far has values, so nothing was learned of it.
            if self._drops:
                kinds = without_idle(longer, self.names, kinds, self.given)
            renewed = replace(self, right=longer, kinds=kinds, frozen_kinds=kinds, _learned={})
            return renewed.frozen()
        # A column without a value so far takes the kind of its first ones.
        frozen = self.frozen_kinds._replace(by=kinds.by, veto=kinds.veto)
        return self._with_table(longer, kinds, frozen)

    def without_rows(self, less: Table) -> FittedTable:
        """Return the reference without some rows, and what was learned unchanged."""
        kept = remove_rows(self.right, less, self.names)
        return self._with_table(kept, self.kinds, self.frozen_kinds)

    def _with_table(self, right: Table, kinds: ColumnKinds, frozen: ColumnKinds) -> FittedTable:
        """Return another reference, of which only what is new is encoded."""
        learned = self.learned()
        before, state = learned.reference, learned.state
        if state.neighbours is None and not before.calibrated:
            state = replace(state, neighbours=before.neighbour_scores)
        changed = replace(self, right=right, kinds=kinds, _learned={})
        reference = changed.encode(
            frozen,
            known=before.values,
            statistics=before.learned_statistics,
            readers=before.records.comparers,
            indexes=before.indexes_after(adding=right.n_rows > self.right.n_rows),
        )
        return changed.with_learned(frozen, Learned(reference, state, learned.readers))

    @property
    def _drops(self) -> bool:
        return drops_idle(self.options.weights, self.options.nulls_equal, self.one_table)

    def _read(
        self,
        table: Table,
        names: ColumnNames,
        kinds: ColumnKinds,
        other: Sequence[SideReading] | None = None,
    ) -> Records:
        equal = self.options.nulls_equal
        return read_records(table, names, kinds, nulls_equal=equal, given=self.given, other=other)


def fit_table(
    right: Table,
    names: ColumnNames,
    options: MatchOptions,
    *,
    left: tuple[Any, ...],
    guessed: bool,
    corpus: Sequence[str] = (),
    given: GivenKinds = NOTHING_GIVEN,
    one_table: bool = False,
) -> FittedTable:
    """Read a reference; it is encoded, and learned from, when first asked for.

    Parameters
    ----------
    right
        The reference.
    names, guessed
        Its columns that are compared, and whether the key was guessed.
    options
        How to match.
    left
        What the key columns of the other side are called.
    corpus
        Text that an unfitted encoder is fitted on beside the reference's.
    given
        What the user says of the kinds of the key columns.
    one_table
        Whether its rows are compared among themselves.

    Raises
    ------
    InputError
        If kinds are given beside weights.
    """
    if options.weights is not None and (given.kinds or given.geo):
        raise InputError(
            "With weights= columns are compared by similarity, whatever their kinds. Got both "
            f"weights={options.weights!r} and kinds= or geo=. Hint: leave one of them out."
        )
    kinds = column_kinds(right, names, parsed=options.weights is None, given=given)
    if drops_idle(options.weights, options.nulls_equal, one_table):
        kinds = without_idle(right, names, kinds, given)
    rest = read_weights(options.weights, left), options, EncoderSource(options, corpus)
    return FittedTable(right, names, guessed, kinds, kinds, *rest, given, one_table)
