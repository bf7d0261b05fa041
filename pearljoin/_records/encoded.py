"""Encoded records: vectors, counts and codes of one table's key columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from pearljoin._kinds.record_roles import Role
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._records.equality import EqualityIndex, Values
from pearljoin._records.missing_keys import NULL, columns_compared
from pearljoin._records.similarity import (
    ExactValues,
    NumberValues,
    TextValues,
    value_table,
)
from pearljoin._records.value_shares import ValueShares
from pearljoin._search import tfidf
from pearljoin._search.approximate import VectorIndex, build_index
from pearljoin._search.known_indexes import NO_INDEXES, KnownIndexes
from pearljoin._search.rounded_vectors import KeptVectors, RoundedVectors
from pearljoin._search.vectors import is_sparse, stack_columns
from pearljoin._search.weighing import TfidfRows, WeighedRows, as_matrix
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["EncodedRecords", "Values", "sparse_rows"]


@dataclass(frozen=True)
class EncodedRecords:
    """Records of one table, ready to be compared with those of another.

    Attributes
    ----------
    values
        The distinct values of each key column.
    statistics
        Statistics of the reference's key columns.
    spelling
        For each key column of text the tf-idf vectors of its distinct values; None for others.
    codes
        For each key column, int64 of shape (n_records,): which value, or `NULL`.
    groups
        int64 of shape (n_records,): only records of the same group may match. Both tables use the
        same codes; None without exact-match columns.
    weights
        float64 of shape (n_fields,): weight of each key column; they sum to 1.
    nulls_equal
        Whether a null is a value that equals other nulls (see `pearljoin._records.missing_keys`).
    whole
        The same records with all values as one text, where several columns are scored together;
        see `pearljoin._records.whole_record`.
    known_indexes
        What is known of the search indexes of these records.
    roles
        By key column, what its name says of whom or what a record is of; empty: not asked.
    """

    values: tuple[Values, ...]
    statistics: tuple[ColumnStatistics, ...]
    spelling: tuple[TfidfRows | None, ...]
    codes: tuple[IntVector, ...]
    groups: IntVector | None
    weights: NDArray[np.float64]
    nulls_equal: bool = False
    whole: EncodedRecords | None = None
    known_indexes: KnownIndexes = NO_INDEXES
    roles: tuple[Role | None, ...] = ()

    def __len__(self) -> int:
        return len(self.codes[0])

    def take(self, records: IntVector) -> EncodedRecords:
        """Keep the records at `records`, in that order."""
        groups = None if self.groups is None else self.groups[records]
        codes = tuple(column[records] for column in self.codes)
        return EncodedRecords(
            self.values,
            self.statistics,
            self.spelling,
            codes,
            groups,
            self.weights,
            self.nulls_equal,
            None if self.whole is None else self.whole.take(records),
            roles=self.roles,
        )

    def of_values(self, at: int) -> EncodedRecords:
        """Return one key column by itself: a record for each distinct value."""
        return EncodedRecords(
            (self.values[at],),
            (self.statistics[at],),
            (self.spelling[at],),
            (np.arange(len(self.values[at])),),
            None,
            np.ones(1),
        )

    @cached_property
    def by_value(self) -> tuple[EncodedRecords, ...]:
        """Each key column by itself, as of `of_values`; it keeps its search indexes."""
        return tuple(map(self.of_values, range(len(self.values))))

    @property
    def text_fields(self) -> list[int]:
        """Positions of the key columns of text with a weight above 0."""
        return [
            at
            for at, values in enumerate(self.values)
            if isinstance(values, TextValues) and self.weights[at] > 0
        ]

    def normal_texts(self, column: int) -> Sequence[str]:
        """Return the distinct texts of a key column of text, normalised."""
        values = self.values[column]
        assert isinstance(values, TextValues)
        return values.normal

    @cached_property
    def meaning(self) -> KeptVectors:
        """Phrase vectors of each record's text columns, scaled by the root of their weight.

        float32 of shape (n_records, n_text_fields * dim): the product of two rows is the weighted
        sum of the columns' cosines. Rounded where they are those of one column.
        """
        blocks = []
        for at in self.text_fields:
            values = self.values[at]
            assert isinstance(values, TextValues)
            blocks.append(_rows(values.vectors, self.codes[at], self._scale(at)))
        return blocks[0] if len(blocks) == 1 else stack_columns(blocks)

    @cached_property
    def meaning_index(self) -> VectorIndex:
        """The search index of `meaning`, for the records of a reference."""
        known = self.known_indexes
        return build_index(self.meaning, plan=known.plan, lists=known.lists)

    @cached_property
    def spelling_matrix(self) -> csr_matrix:
        """Tf-idf vectors, likewise: sparse, of shape (n_records, n_text_fields * n_columns)."""
        return as_matrix(self._spelled)

    @property
    def _spelled(self) -> TfidfRows:
        """The same vectors; those of many texts are weighted row by row, when rows are read."""
        blocks = []
        for at in self.text_fields:
            vectors = self.spelling[at]
            assert vectors is not None
            blocks.append((vectors, self.codes[at], self._scale(at)))
        if len(blocks) == 1 and _is_as_it_is(*blocks[0]):
            return blocks[0][0]
        found = [sparse_rows(*block) for block in blocks]
        return found[0] if len(found) == 1 else csr_matrix(hstack(found))

    @cached_property
    def spelling_index(self) -> tfidf.Index:
        """The search index of `spelling_matrix`, for the records of a reference."""
        return tfidf.Index(self._spelled, postings=self.known_indexes.postings)

    def build_indexes(self) -> KnownIndexes:
        """Return what the search indexes are made of; they are built, unless they are."""
        if not self.text_fields:
            return NO_INDEXES
        meaning, spelling = self.meaning_index, self.spelling_index
        return KnownIndexes(meaning.plan, meaning.lists, spelling.postings)

    @cached_property
    def by_group(self) -> tuple[IntVector, IntVector]:
        """The records in order of their groups, and the groups in that order."""
        assert self.groups is not None
        order = np.argsort(self.groups, kind="stable").astype(np.int64)
        return order, self.groups[order]

    @cached_property
    def value_shares(self) -> tuple[ValueShares, ...]:
        """For each key column, how often its values occur among these records."""
        columns = zip(self.values, self.codes, strict=True)
        return tuple(
            ValueShares.among(values, codes, nulls_equal=self.nulls_equal)
            for values, codes in columns
        )

    @cached_property
    def equal_as_is(self) -> EqualityIndex:
        """Index of these records by keys that are not normalised."""
        return self._equality_index(normalised=False)

    @cached_property
    def equal_normalised(self) -> EqualityIndex:
        """Index of these records by normalised keys."""
        return self._equality_index(normalised=True)

    def first_equals(self, records: IntVector) -> IntVector:
        """Return the first record with equal keys and equal brackets for each.

        Normalised keys leave out text in brackets, which is a feature of its own.

        Parameters
        ----------
        records
            int64 of shape (n,).
        """
        found = self.equal_normalised.first_equals(records)
        at = np.flatnonzero(found != records)
        for values, codes in zip(self.values, self.codes, strict=True):
            if isinstance(values, TextValues) and len(values.texts):
                ends = zip(codes[found[at]].tolist(), codes[records[at]].tolist(), strict=True)
                brackets = values.brackets
                same = [brackets[one] == brackets[other] for one, other in ends]
                other = at[~np.array(same, dtype=bool)]
                found[other] = records[other]
        return found

    def _equality_index(self, *, normalised: bool) -> EqualityIndex:
        return EqualityIndex(
            self.values,
            self.codes,
            self.groups,
            nulls_equal=self.nulls_equal,
            normalised=normalised,
        )

    def _scale(self, field: int) -> float:
        return float(np.sqrt(self.weights[field] / self.weights[self.text_fields].sum()))

    def similarities(self, reference: EncodedRecords) -> FloatMatrix:
        """Similarity of every record to every reference record, as `score` gives it for pairs.

        float32 of shape (n_records, n_reference_records), for blocks that fit into memory.
        """
        total = np.zeros((len(self), len(reference)), dtype=np.float32)
        counted = np.zeros_like(total)
        for at, values in enumerate(self.values):
            if self.weights[at] == 0:
                continue
            left_codes, right_codes = self.codes[at], reference.codes[at]
            left, left_position = np.unique(np.maximum(left_codes, 0), return_inverse=True)
            right, right_position = np.unique(np.maximum(right_codes, 0), return_inverse=True)
            spelling = self.spelling[at], reference.spelling[at]
            table = value_table(
                values, reference.values[at], spelling, left, right, self.statistics[at].spread
            )
            expanded = np.ix_(left_position, right_position)
            part = table[expanded] if table.size else np.zeros_like(total)
            left_null, right_null = left_codes == NULL, right_codes == NULL
            part[left_null] = 0
            part[:, right_null] = 0
            part[np.ix_(left_null, right_null)] = self.nulls_equal
            total += np.float32(self.weights[at]) * part
            compared = columns_compared(
                left_codes[:, None], right_codes[None, :], nulls_equal=self.nulls_equal
            )
            counted += np.float32(self.weights[at]) * compared
        return _mean(total, counted)

    def score(
        self, reference: EncodedRecords, left_records: IntVector, right_records: IntVector
    ) -> FloatVector:
        """Weighted mean of the columns' similarities: float32 of shape (n_pairs,), in [0, 1].

        A column with a null on either side does not count, unless nulls are equal.
        """
        total, counted = np.zeros((2, len(left_records)), dtype=np.float64)
        for at in range(len(self.values)):
            left_codes = self.codes[at][left_records]
            right_codes = reference.codes[at][right_records]
            similarity = ((left_codes == NULL) & (right_codes == NULL)).astype(np.float32)
            both = columns_compared(left_codes, right_codes, nulls_equal=False)
            similarity[both] = self.similarity(reference, at, left_codes[both], right_codes[both])
            compared = columns_compared(left_codes, right_codes, nulls_equal=self.nulls_equal)
            total += self.weights[at] * similarity * compared
            counted += self.weights[at] * compared
        return _mean(total, counted)

    def similarity(
        self,
        reference: EncodedRecords,
        at: int,
        left_values: IntVector,
        right_values: IntVector,
    ) -> FloatVector:
        """Similarity of pairs of distinct values of one key column: float32, shape (n_pairs,).

        0 where nothing is known in common of two values.
        """
        left, right = self.values[at], reference.values[at]
        if isinstance(left, TextValues):
            assert isinstance(right, TextValues)
            left_spelling, right_spelling = self.spelling[at], reference.spelling[at]
            assert left_spelling is not None
            assert right_spelling is not None
            spelling = left_spelling, right_spelling
            return left.similarity(right, spelling, left_values, right_values)
        if isinstance(left, NumberValues):
            assert isinstance(right, NumberValues)
            spread = self.statistics[at].spread
            return left.similarity(right, left_values, right_values, spread)
        assert isinstance(right, ExactValues)
        return np.nan_to_num(left.similarity(right, left_values, right_values))


def _mean(total: NDArray[Any], counted: NDArray[Any]) -> NDArray[np.float32]:
    """Divide the total by the weights that count; 0 where none does."""
    found = np.divide(total, counted, out=np.zeros_like(total), where=counted > 0)
    return np.asarray(np.minimum(found, 1), dtype=np.float32)


def _rows(matrix: KeptVectors, codes: IntVector, scale: float) -> KeptVectors:
    """Rows of a matrix by code, scaled; zeros for null.

    Returns the matrix itself, not a copy, where that is the same.
    """
    n_values = matrix.shape[0]
    if not n_values and not is_sparse(matrix):
        return np.zeros((len(codes), matrix.shape[1]), dtype=np.float32)
    if _is_as_it_is(matrix, codes, scale):
        return matrix
    if is_sparse(matrix):
        return sparse_rows(matrix, codes, scale)
    if isinstance(matrix, RoundedVectors) and scale == 1 and (codes != NULL).all():
        return matrix.take(codes)
    rows = matrix[np.maximum(codes, 0)] * np.float32(scale)
    rows[codes == NULL] = 0
    return rows


def _is_as_it_is(matrix: KeptVectors | WeighedRows, codes: IntVector, scale: float) -> bool:
    """Whether codes select all rows of a matrix in order, without scaling."""
    n_values = matrix.shape[0]
    return scale == 1 and len(codes) == n_values and bool((codes == np.arange(n_values)).all())


def sparse_rows(vectors: TfidfRows, codes: IntVector, scale: float) -> csr_matrix:
    """Rows of a sparse matrix by code, scaled, as of `_rows`."""
    if not vectors.shape[0]:
        return csr_matrix(([], ([], [])), shape=(len(codes), vectors.shape[1]), dtype=np.float32)
    if _is_as_it_is(vectors, codes, scale):
        return as_matrix(vectors)
    rows: csr_matrix = vectors[np.maximum(codes, 0)]
    present = (codes != NULL).astype(np.float32) * np.float32(scale)
    rows.data = rows.data * np.repeat(present, np.diff(rows.indptr))
    return rows
