"""Samples of records that their content decides, so that the order of rows plays no part."""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Sequence

import numpy as np

from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.records import Records
from pearljoin._records.similarity import TextValues
from pearljoin._typing import IntVector

__all__ = ["content_hashes", "content_order", "record_hashes", "sample_records"]


def sample_records(side: EncodedRecords, most: int) -> IntVector:
    """Choose records by a hash of their values.

    Parameters
    ----------
    side
        The records.
    most
        How many to choose; all, where there are no more.

    Returns
    -------
    records
        int64 of shape (min(most, n_records),), ascending.
    """
    if len(side) <= most:
        return np.arange(len(side))
    return np.sort(content_order(side)[:most]).astype(np.int64)


def content_order(side: EncodedRecords) -> IntVector:
    """Order records by a hash of their values: int64 of shape (n_records,)."""
    return np.argsort(content_hashes(side), kind="stable")


def content_hashes(side: EncodedRecords) -> IntVector:
    """Hash the values of each record: int64 of shape (n_records,), 0 or more."""
    listed = [
        values.texts if isinstance(values, TextValues) else values.listed for values in side.values
    ]
    return _hashes(listed, side.codes, len(side))


def record_hashes(records: Records) -> IntVector:
    """Hash records that are not encoded: as `content_hashes` does once they are."""
    listed = [
        field.values if field.comparer is None else field.comparer.read(field.values).canonical
        for field in records.fields
    ]
    codes = [records.codes(at) for at in range(len(records.fields))]
    return _hashes(listed, codes, records.n_records)


def _hashes(
    values: Sequence[Sequence[Hashable]], codes: Sequence[IntVector], n_records: int
) -> IntVector:
    """Hash records by the values of each column and their codes by record."""
    hashes = np.zeros(n_records, dtype=np.int64)
    for listed, of_record in zip(values, codes, strict=True):
        by_value = [zlib.crc32(str(value).encode("utf-8", "surrogatepass")) for value in listed]
        hashes = (hashes * 31 + np.array([*by_value, 0], dtype=np.int64)[of_record]) % (1 << 40)
    return hashes
