"""A reference table, how its columns are read, and what was learned of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.reference import Reference
from pearljoin._comparison.reference_part import Part
from pearljoin._devices import search_device
from pearljoin._fitted.encoder_source import EncoderSource
from pearljoin._fitted.learned import Learned
from pearljoin._kinds.protocol import Comparer
from pearljoin._options import MatchOptions, read_weights
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._records.duplicates import warn_of_repeated
from pearljoin._records.equality import Values
from pearljoin._records.records import Records
from pearljoin._records.similarity import PhraseVectors
from pearljoin._search.known_indexes import NO_INDEXES, KnownIndexes
from pearljoin._tables.adding import NamedBy
from pearljoin._tables.given_kinds import NOTHING_GIVEN, GivenKinds
from pearljoin._tables.idle_columns import drops_idle
from pearljoin._tables.key_kinds import key_kinds
from pearljoin._tables.keys import ColumnNames, KeyOptions, Keys, pair_keys
from pearljoin._tables.kinds import ColumnKinds, frozen_kinds, joint_kinds, read_records
from pearljoin._tables.parsed_field import SideReading
from pearljoin._tables.read_table import Table
from pearljoin._tables.unequal_values import warn_of_unequal
from pearljoin._typing import Pairs

__all__ = ["FittedTable"]


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
    arguments
        What named its columns, for errors.
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
    arguments: NamedBy = field(default_factory=NamedBy)
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
            return self.read(self.right, self.names, kinds.of_reference)
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
            By column read, what reads the reference's values. Default: that is learned from them.
        records
            The reference's records, where they are read already.
        indexes
            What is known of how it is searched.
        part
            Of a reference of which the table is a part.
        """
        if records is None:
            known_as = [SideReading(reader) for reader in readers] or None
            records = self.read(self.right, self.names, kinds.of_reference, known_as)
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

    def joint_kinds(self, left: Table, keys: Keys) -> ColumnKinds:
        """Tell how the columns of rows and of the reference compare, by what both hold.

        Parameters
        ----------
        left, keys
            The rows, and what is compared.

        Raises
        ------
        InputError
            If a left column holds nothing that compares with the reference's.
        """
        return joint_kinds(left, self.right, self.kinds, keys, self.given)

    def keys_with(self, left: Table, options: KeyOptions) -> Keys:
        """Pair the columns of a left table with those of the reference, as of `pair_keys`."""
        return pair_keys(left, self.right, self.names, options, guessed=self.guessed)

    def kinds_for(self, left: Table, keys: Keys) -> ColumnKinds:
        """Tell how the columns of rows compare, as frozen wherever they can be read so.

        As of `joint_kinds`.
        """
        joint = self.joint_kinds(left, keys)
        return frozen_kinds(joint, self.frozen_kinds, key_kinds(left, keys.left))

    def compare(
        self,
        left: Table,
        keys: Keys,
        *,
        kinds: ColumnKinds | None = None,
        pairs: Pairs | None = None,
    ) -> Comparison:
        """Compare rows with the reference, by what was learned.

        Parameters
        ----------
        left, keys
            The rows, and what is compared.
        kinds
            As of `kinds_for`, where the rows are some of those that decided it.
        pairs
            Candidate pairs of records, where they are known already.
        """
        kinds = self.kinds_for(left, keys) if kinds is None else kinds
        # What is wrong with the rows is reported before anything is encoded.
        right = self.records_as(kinds)
        known = self._learned.get(kinds)
        readers = known.readers if known is not None else ()
        readings = map(SideReading, right.comparers, readers or repeat(None))
        records = self.read_left(left, keys, kinds, right, tuple(readings))
        return self.learned(kinds, right).compare(records, pairs)

    def read_left(
        self,
        left: Table,
        keys: Keys,
        kinds: ColumnKinds,
        right: Records,
        readings: Sequence[SideReading],
    ) -> Records:
        """Read rows, and warn of values that equal nothing where a match may be meant.

        Parameters
        ----------
        left, keys, kinds
            The rows, what is compared, and how.
        right
            The reference's records, as of `records_as`.
        readings
            By key, how the rows are read.
        """
        records = self.read(left, keys.left_names, kinds, readings)
        warn_of_unequal(records, right, keys, kinds)
        return records

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

    def has_learned(self, kinds: ColumnKinds) -> bool:
        """Tell whether the reference is encoded with its columns read as `kinds`."""
        return kinds in self._learned

    def warn_of_repeated(self, kinds: ColumnKinds | None = None, *, added_to: int = 0) -> None:
        """Warn of rows with equal keys, where a match means one of them.

        Parameters
        ----------
        kinds
            As of `learned`. Those that are equal as frozen, too, were warned of before.
        added_to
            How many rows were there before others were added, which were warned of.
        """
        if self.options.constraint != "many_to_one":
            return
        groups = self.learned(kinds).reference.repeated
        if kinds is not None and groups == self.learned().reference.repeated:
            return
        new = ((first, *(row for row in more if row >= added_to)) for first, *more in groups)
        warn_of_repeated(tuple(group for group in new if len(group) > 1), self.right.n_rows)

    @property
    def drops_columns(self) -> bool:
        """Whether key columns that say nothing are left out."""
        return drops_idle(self.options.weights, self.options.nulls_equal, self.one_table)

    def read(
        self,
        table: Table,
        names: ColumnNames,
        kinds: ColumnKinds,
        other: Sequence[SideReading] | None = None,
    ) -> Records:
        """Read the columns of a table that matching uses; the parameters are of `read_records`."""
        return read_records(
            table,
            names,
            kinds,
            nulls_equal=self.options.nulls_equal,
            given=self.given,
            other=other,
            one_table=self.one_table,
        )
