"""Samples of records by hashes of their values, so that the order of rows plays no part."""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Sequence

import numpy as np

from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Records
from pearljoin._records.similarity import TextValues
from pearljoin._typing import IntVector

__all__ = [
    "content_hashes",
    "content_order",
    "content_ranks",
    "hash_rows",
    "lowest_hashes",
    "mix",
    "record_hashes",
    "sample_records",
]


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
    return lowest_hashes(content_hashes(side), most)


def lowest_hashes(hashes: IntVector, most: int) -> IntVector:
    """Choose at most so many records, those of the lowest hashes: int64, ascending."""
    return np.sort(np.argsort(hashes, kind="stable")[:most])


def mix(hashes: IntVector) -> IntVector:
    """Mix the bits of hashes, so that those of the lowest are a fair sample.

    Hashes of records of two or three columns are low where that of the first column is, and a
    sample by them would hold few of its values.

    Parameters
    ----------
    hashes
        int64 of shape (n,), 0 or more.

    Returns
    -------
    mixed
        int64 of shape (n,), 0 or more: by the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
    """
    mixed = hashes.astype(np.uint64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(1)).astype(np.int64)


def content_order(side: EncodedRecords) -> IntVector:
    """Order records by a hash of their values, equal ones by the other records of their group.

    int64 of shape (n_records,).
    """
    hashes = content_hashes(side)
    if side.groups is None or not len(side):
        return np.argsort(hashes, kind="stable")
    _, group = np.unique(side.groups, return_inverse=True)
    # The codes of groups depend on the order of rows; whole numbers are summed exactly in any.
    totals = np.zeros(int(group.max()) + 1, dtype=np.int64)
    np.add.at(totals, group, hashes)
    return np.lexsort((totals[group], hashes))


def content_hashes(side: EncodedRecords) -> IntVector:
    """Hash the values of each record: int64 of shape (n_records,), 0 or more."""
    return hash_rows(_listed(side), side.codes, len(side))


def content_ranks(side: EncodedRecords, records: IntVector) -> IntVector:
    """Rank some records by their values, and read no others: int64 of shape (len(records),)."""
    rows: list[tuple[str, ...]] = [()] * len(records)
    for listed, codes in zip(_listed(side), side.codes, strict=True):
        texts = ("" if code == NULL else str(listed[code]) for code in codes[records].tolist())
        rows = [(*row, text) for row, text in zip(rows, texts, strict=True)]
    ranks = np.zeros(len(records), dtype=np.int64)
    ranks[sorted(range(len(rows)), key=rows.__getitem__)] = np.arange(len(rows))
    return ranks


def record_hashes(records: Records) -> IntVector:
    """Hash records that are not encoded: as `content_hashes` does once they are."""
    listed = [
        field.values if field.comparer is None else field.comparer.read(field.values).canonical
        for field in records.fields
    ]
    codes = [records.codes(at) for at in range(len(records.fields))]
    return hash_rows(listed, codes, records.n_records)


def _listed(side: EncodedRecords) -> list[Sequence[Hashable]]:
    return [
        values.texts if isinstance(values, TextValues) else values.listed for values in side.values
    ]


def hash_rows(
    values: Sequence[Sequence[Hashable]], codes: Sequence[IntVector], n_records: int
) -> IntVector:
    """Hash records by the values of each column and their codes by record."""
    hashes = np.zeros(n_records, dtype=np.int64)
    for listed, of_record in zip(values, codes, strict=True):
        by_value = [zlib.crc32(str(value).encode("utf-8", "surrogatepass")) for value in listed]
        hashes = (hashes * 31 + np.array([*by_value, 0], dtype=np.int64)[of_record]) % (1 << 40)
    return hashes
