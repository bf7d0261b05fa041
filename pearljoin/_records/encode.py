"""Encoding the records of a table: each distinct value of each key column once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from pearljoin._encoders import Encoder
from pearljoin._progress import stage
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.equality import Values
from pearljoin._records.forecast import encode_announced
from pearljoin._records.missing_keys import NULL
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.records import Field, Records
from pearljoin._records.similarity import ExactValues, NumberValues, PhraseVectors, TextValues
from pearljoin._records.text_forms import forms_beside
from pearljoin._search import approximate
from pearljoin._search.rounded_vectors import KeptVectors, RoundedVectors
from pearljoin._search.vectors import merge_rows, round_dense
from pearljoin._search.weighing import TfidfRows, weighed
from pearljoin._text.normalise import as_encoded
from pearljoin._typing import IntVector

__all__ = ["encode_records", "encode_values"]


@stage("encode")
def encode_values(
    records: Records,
    encoder: Encoder | None,
    known: Sequence[Values | PhraseVectors | None] | None = None,
    *,
    n_reference: int = 0,
    ready: Sequence[Values | None] = (),
) -> tuple[Values, ...]:
    """Encode each distinct value of each key column once.

    Parameters
    ----------
    records
        The records of one table.
    encoder
        Encoder of text; None where no key column is text.
    known
        For each key column the values encoded before, if any; their texts are not encoded again.
    n_reference
        Number of records of the reference, where these are all or a part of them; 0 for left ones.
        The vectors of a large reference are rounded. So are those of any table that is encoded with
        rounded `known` ones: what is found for a row must not depend on how many rows there are.
    ready
        For each key column its values, where they are encoded already. Of texts, those that are
        the same are not encoded again.
    """
    encoded: list[Values] = []
    for position, field in enumerate(records.fields):
        values = ready[position] if ready else None
        if values is not None and _are_all(values, field):
            encoded.append(values)
        elif field.kind == "number":
            encoded.append(NumberValues(cast(list[float], list(field.values))))
        elif field.comparer is not None:
            encoded.append(ParsedValues(field.values, field.comparer))
        elif field.kind == "exact":
            encoded.append(ExactValues(list(field.values)))
        else:
            assert encoder is not None
            encoded_before = None if known is None else known[position]
            texts = [str(value) for value in field.values]
            rounds = n_reference > approximate.EXACT_ROWS or (
                isinstance(encoded_before, PhraseVectors)
                and isinstance(encoded_before.vectors, RoundedVectors)
            )
            encoded.append(_encode_texts(texts, encoder, encoded_before, values, rounds=rounds))
    return tuple(encoded)


def _are_all(values: Values, field: Field) -> bool:
    """Whether encoded values are those of a key column; texts may be read as others by now."""
    return not isinstance(values, TextValues) or values.texts == list(field.values)


def _encode_texts(
    texts: list[str], encoder: Encoder, known: object, more: object = None, *, rounds: bool
) -> TextValues:
    """Encode the texts that are not among the `known` ones, and take over the vectors of those.

    Those of some `more` texts are taken over, too.
    """
    if isinstance(known, PhraseVectors) and texts == known.texts:
        # As they are, not copied: they may be mapped from disk.
        same = round_dense(known.vectors) if rounds else known.vectors
        forms = known.forms if isinstance(known, TextValues) else None
        return TextValues(texts, same, known.covered, forms)
    parts: list[tuple[IntVector, KeptVectors]] = []
    covered = np.ones(len(texts), dtype=bool)
    left, sources = np.arange(len(texts)), []
    for before in (known, more):
        position = before.position if isinstance(before, PhraseVectors) else {}
        source = np.array([position.get(texts[row], -1) for row in left.tolist()], dtype=np.int64)
        sources.append(source)
        if isinstance(before, PhraseVectors) and (source >= 0).any():
            seen, rows = left[source >= 0], source[source >= 0]
            vectors = before.vectors
            some = vectors.take(rows) if isinstance(vectors, RoundedVectors) else vectors[rows]
            parts.append((seen, round_dense(some) if rounds else some))
            covered[seen] = before.covered[rows]
        left = left[source < 0]
    new_texts = [as_encoded(texts[row]) for row in left.tolist()]
    if len(left) == len(texts) > 0:
        return TextValues(texts, *encode_announced(encoder, new_texts, rounds=rounds))
    if len(left):
        vectors, covered[left] = encode_announced(encoder, new_texts, rounds=rounds)
        parts.append((left, vectors))
    merged = merge_rows(len(texts), encoder.dim, parts)
    kept = round_dense(merged) if rounds else merged
    forms = forms_beside(texts, known.forms, sources[0]) if isinstance(known, TextValues) else None
    return TextValues(texts, kept, covered, forms)


def encode_records(
    records: Records,
    values: tuple[Values, ...],
    statistics: tuple[ColumnStatistics, ...],
    reference: Records,
    weights: NDArray[np.float64],
) -> EncodedRecords:
    """Encode the records of one table, by the statistics of the reference.

    Parameters
    ----------
    records, values
        The records, and the distinct values of their key columns.
    statistics
        Of the reference's key columns.
    reference
        The records of the reference, whose groups are numbered.
    weights
        float64 of shape (n_fields,), summing to 1.
    """
    spelling = tuple(map(_weigh, values, statistics))
    codes = tuple(records.codes(field) for field in range(len(records.fields)))
    groups = _group_codes(records, reference)
    known = values, statistics, spelling, codes, groups, weights, records.nulls_equal
    return EncodedRecords(*known, roles=tuple(field.role for field in records.fields))


def _weigh(values: Values, statistics: ColumnStatistics) -> TfidfRows | None:
    """Tf-idf vectors of a column's distinct texts; None for a column that is not text."""
    if not isinstance(values, TextValues):
        return None
    assert statistics.terms is not None
    return weighed(values.counts, statistics.terms)


def _group_codes(records: Records, reference: Records) -> IntVector | None:
    """Group of each record, numbered as in the reference; -2 for a group that it does not have."""
    codes = records.group_codes()
    if codes is None or records.groups is None or reference.groups is None:
        return None
    position = reference.groups.position
    translated = np.array(
        [position.get(value, -2) for value in records.groups.values] + [NULL], dtype=np.int64
    )
    return translated[codes]
