"""One side of a comparison: its records with everything that scoring and searching look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from pearljoin._encoders import CoverageEncoder, Encoder
from pearljoin._records.records import NULL, Records
from pearljoin._records.similarity import (
    FADE,
    ExactValues,
    NumberValues,
    PhraseVectors,
    TextValues,
    exact_vectors,
    number_vectors,
    spread,
    value_table,
)
from pearljoin._search import tfidf
from pearljoin._text.normalise import mend
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = [
    "EncodedRecords",
    "Values",
    "encode_both",
    "encode_values",
    "sparse_matrices",
]

TIE_BREAK = 1e-7

Values: TypeAlias = TextValues | NumberValues | ExactValues


def encode_values(
    records: Records,
    encoder: Encoder | None,
    known: Sequence[Values | PhraseVectors | None] | None = None,
) -> tuple[Values, ...]:
    """Encode the distinct values of each key column, each of them once.

    Parameters
    ----------
    records
        What to encode.
    encoder
        Needed where a key column is text.
    known
        For each key column what is encoded already: a text that stands there is not encoded again.
    """
    encoded: list[Values] = []
    for position, field in enumerate(records.fields):
        if field.kind == "number":
            encoded.append(NumberValues(cast(list[float], list(field.values))))
        elif field.kind == "exact":
            encoded.append(ExactValues(list(field.values)))
        else:
            assert encoder is not None
            other = None if known is None else known[position]
            texts = [str(value) for value in field.values]
            encoded.append(_encode_texts(texts, encoder, other))
    return tuple(encoded)


def _encode_texts(texts: list[str], encoder: Encoder, known: object) -> TextValues:
    place = known.place if isinstance(known, PhraseVectors) else {}
    source = np.array([place.get(text, NULL) for text in texts], dtype=np.int64)
    fresh = np.flatnonzero(source == NULL)
    new_texts = [mend(texts[row]) for row in fresh]
    vectors = np.zeros((len(texts), encoder.dim), dtype=np.float32)
    covered = np.ones(len(texts), dtype=bool)
    if len(fresh):
        vectors[fresh] = encoder.encode(new_texts)
        if isinstance(encoder, CoverageEncoder):
            covered[fresh] = encoder.covers(new_texts)
    if isinstance(known, PhraseVectors) and len(fresh) < len(texts):
        seen = np.flatnonzero(source != NULL)
        vectors[seen] = known.vectors[source[seen]]
        covered[seen] = known.covered[source[seen]]
    return TextValues(texts, vectors, covered)


@dataclass(frozen=True)
class EncodedRecords:
    """Records of one side, ready to be compared with the other's.

    Attributes
    ----------
    values
        The distinct values of each key column.
    spelling
        For each key column of text its tf-idf vectors, by distinct value; None for others.
    codes
        For each key column, int64 of shape (n_records,): which value, or `NULL`.
    groups
        int64 of shape (n_records,): only records of one group may match. Codes of both sides mean
        the same; None without exact-match columns.
    weights
        float64 of shape (n_fields,): what each key column counts for; they sum to 1.
    nulls_equal
        Whether null is a value like any other; else a null says nothing.
    """

    values: tuple[Values, ...]
    spelling: tuple[csr_matrix | None, ...]
    codes: tuple[IntVector, ...]
    groups: IntVector | None
    weights: NDArray[np.float64]
    nulls_equal: bool = False

    def __len__(self) -> int:
        return len(self.codes[0])

    def take(self, records: IntVector) -> EncodedRecords:
        """The same side, of some records only."""
        groups = None if self.groups is None else self.groups[records]
        codes = tuple(column[records] for column in self.codes)
        return EncodedRecords(
            self.values, self.spelling, codes, groups, self.weights, self.nulls_equal
        )

    @property
    def text_fields(self) -> list[int]:
        """Positions of the key columns of text that count for something."""
        return [
            at
            for at, values in enumerate(self.values)
            if isinstance(values, TextValues) and self.weights[at] > 0
        ]

    def meaning_matrix(self) -> FloatMatrix:
        """Phrase vectors by record, key columns side by side, scaled by the root of their weight.

        float32 of shape (n_records, n_text_fields * dim): a product of two rows is the weighted sum
        of the columns' cosines.
        """
        blocks = []
        for at in self.text_fields:
            values = self.values[at]
            assert isinstance(values, TextValues)
            blocks.append(_rows(values.vectors, self.codes[at], self._scale(at)))
        return blocks[0] if len(blocks) == 1 else np.hstack(blocks)

    def spelling_matrix(self) -> csr_matrix:
        """The same of tf-idf vectors: sparse, of shape (n_records, n_text_fields * n_columns)."""
        blocks = []
        for at in self.text_fields:
            vectors = self.spelling[at]
            assert vectors is not None
            blocks.append(_sparse_rows(vectors, self.codes[at], self._scale(at)))
        return blocks[0] if len(blocks) == 1 else csr_matrix(hstack(blocks))

    def _scale(self, field: int) -> float:
        return float(np.sqrt(self.weights[field] / self.weights[self.text_fields].sum()))

    def similarities(self, reference: EncodedRecords) -> FloatMatrix:
        """Score every record against every one of the reference, as `score` does pairs.

        float32 of shape (n_records, n_reference_records): for blocks that fit into memory.
        """
        total = np.zeros((len(self), len(reference)), dtype=np.float32)
        counted = np.zeros_like(total)
        for at, values in enumerate(self.values):
            if self.weights[at] == 0:
                continue
            own_codes, other_codes = self.codes[at], reference.codes[at]
            own, own_place = np.unique(np.maximum(own_codes, 0), return_inverse=True)
            other, other_place = np.unique(np.maximum(other_codes, 0), return_inverse=True)
            spelling = self.spelling[at], reference.spelling[at]
            table = value_table(values, reference.values[at], spelling, own, other)
            part = table[np.ix_(own_place, other_place)] if table.size else np.zeros_like(total)
            own_null, other_null = own_codes == NULL, other_codes == NULL
            part[own_null] = 0
            part[:, other_null] = 0
            part[np.ix_(own_null, other_null)] = self.nulls_equal
            total += np.float32(self.weights[at]) * part
            told = self.nulls_equal | ~(own_null[:, None] | other_null[None, :])
            counted += np.float32(self.weights[at]) * told
        return _mean(total, counted)

    def score(self, reference: EncodedRecords, own: IntVector, others: IntVector) -> FloatVector:
        """Weighted mean of the columns' similarities: float32 of shape (n_pairs,), in [0, 1].

        Columns of which either value is null do not count, unless nulls are equal.
        """
        total, counted = np.zeros((2, len(own)), dtype=np.float64)
        for at in range(len(self.values)):
            own_codes, other_codes = self.codes[at][own], reference.codes[at][others]
            similarity = ((own_codes == NULL) & (other_codes == NULL)).astype(np.float32)
            both = (own_codes != NULL) & (other_codes != NULL)
            pairs = own_codes[both], other_codes[both]
            similarity[both] = self.similarity(reference, at, *pairs)
            total += self.weights[at] * similarity * (self.nulls_equal | both)
            counted += self.weights[at] * (self.nulls_equal | both)
        return _mean(total, counted)

    def similarity(
        self, reference: EncodedRecords, at: int, own: IntVector, others: IntVector
    ) -> FloatVector:
        """Score pairs of distinct values of one key column: float32 of shape (n_pairs,)."""
        values, other_values = self.values[at], reference.values[at]
        if isinstance(values, TextValues):
            assert isinstance(other_values, TextValues)
            spelling, other_spelling = self.spelling[at], reference.spelling[at]
            assert spelling is not None
            assert other_spelling is not None
            return values.similarity(other_values, (spelling, other_spelling), own, others)
        if isinstance(values, NumberValues):
            assert isinstance(other_values, NumberValues)
            return values.similarity(other_values, own, others)
        assert isinstance(other_values, ExactValues)
        return values.similarity(other_values, own, others)


def _mean(total: NDArray[Any], counted: NDArray[Any]) -> NDArray[np.float32]:
    """Total over what counted; 0 where nothing did."""
    found = np.divide(total, counted, out=np.zeros_like(total), where=counted > 0)
    return np.asarray(np.minimum(found, 1), dtype=np.float32)


def _rows(matrix: FloatMatrix, codes: IntVector, scale: float) -> FloatMatrix:
    """Rows of a matrix by code, scaled; zeros for null. The matrix itself where nothing changes."""
    if not len(matrix):
        return np.zeros((len(codes), matrix.shape[1]), dtype=np.float32)
    if scale == 1 and len(codes) == len(matrix) and np.array_equal(codes, np.arange(len(codes))):
        return matrix
    rows = matrix[np.maximum(codes, 0)] * np.float32(scale)
    rows[codes == NULL] = 0
    return rows


def _sparse_rows(vectors: csr_matrix, codes: IntVector, scale: float) -> csr_matrix:
    """Rows of a sparse matrix by code, scaled; zeros for null."""
    if not vectors.shape[0]:
        return csr_matrix(([], ([], [])), shape=(len(codes), vectors.shape[1]), dtype=np.float32)
    rows = csr_matrix(vectors[np.maximum(codes, 0)])
    present = (codes != NULL).astype(np.float32) * np.float32(scale)
    rows.data = rows.data * np.repeat(present, np.diff(rows.indptr))
    return rows


def sparse_matrices(left: EncodedRecords, right: EncodedRecords) -> tuple[csr_matrix, csr_matrix]:
    """Every key column as sparse vectors, side by side, scaled by the root of its weight.

    A product of two rows is about the weighted sum of the columns' similarities: of text by
    spelling, of exact values and numbers as `exact_vectors` and `number_vectors` say.

    Returns
    -------
    left_vectors, right_vectors
        Sparse float32 of shape (n_records, n_columns) each.
    """
    blocks: tuple[list[csr_matrix], list[csr_matrix]] = ([], [])
    for at, (own, other) in enumerate(zip(left.values, right.values, strict=True)):
        if left.weights[at] == 0:
            continue
        if isinstance(own, NumberValues) and isinstance(other, NumberValues):
            scale = FADE * spread(own, other)
            vectors = number_vectors(own, scale, at), number_vectors(other, scale, at)
        elif isinstance(own, ExactValues) and isinstance(other, ExactValues):
            vectors = exact_vectors(own, other), exact_vectors(other, other)
        else:
            vectors = _present(left.spelling[at]), _present(right.spelling[at])
        root = float(np.sqrt(left.weights[at]))
        for part, side, found in zip(vectors, (left, right), blocks, strict=True):
            found.append(_sparse_rows(part, side.codes[at], root))
    # A last column settles ties for the earlier row, in float64, where it changes nothing else.
    blocks[0].append(csr_matrix(np.ones((len(left), 1))))
    blocks[1].append(csr_matrix(TIE_BREAK * np.linspace(1, 0, len(right))[:, None]))
    return csr_matrix(hstack(blocks[0])), csr_matrix(hstack(blocks[1]))


def encode_both(
    left: Records,
    left_values: tuple[Values, ...],
    right: Records,
    right_values: tuple[Values, ...],
    weights: NDArray[np.float64],
) -> tuple[EncodedRecords, EncodedRecords]:
    """Put both sides on common ground: one idf a text column, group codes that mean the same."""
    spellings = [
        _weigh_both(own, other) for own, other in zip(left_values, right_values, strict=True)
    ]
    sides = []
    for at, (records, values) in enumerate(((left, left_values), (right, right_values))):
        codes = tuple(records.codes(field) for field in range(len(records.fields)))
        spelling = tuple(pair[at] for pair in spellings)
        groups = _group_codes(records, right)
        sides.append(EncodedRecords(values, spelling, codes, groups, weights, records.nulls_equal))
    return sides[0], sides[1]


def _present(spelling: csr_matrix | None) -> csr_matrix:
    assert spelling is not None
    return spelling


def _weigh_both(left: Values, right: Values) -> tuple[csr_matrix | None, csr_matrix | None]:
    if not (isinstance(left, TextValues) and isinstance(right, TextValues)):
        return None, None
    idf = tfidf.inverse_document_frequency(left.counts, right.counts)
    return tfidf.weigh(left.counts, idf), tfidf.weigh(right.counts, idf)


def _group_codes(records: Records, reference: Records) -> IntVector | None:
    """Group of each record in the reference's numbering; -2 where the reference has no such one."""
    own = records.group_codes()
    if own is None or records.groups is None or reference.groups is None:
        return None
    place = {value: code for code, value in enumerate(reference.groups.values)}
    translated = np.array(
        [place.get(value, -2) for value in records.groups.values] + [NULL], dtype=np.int64
    )
    return translated[own]
