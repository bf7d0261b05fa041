"""Samples of records that their content decides, so that the order of rows plays no part."""

from __future__ import annotations

import zlib

import numpy as np

from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.similarity import TextValues
from pearljoin._typing import IntVector

__all__ = ["content_hashes", "content_order", "sample_records"]


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
    hashes = np.zeros(len(side), dtype=np.int64)
    for values, codes in zip(side.values, side.codes, strict=True):
        listed = values.texts if isinstance(values, TextValues) else values.listed
        by_value = [zlib.crc32(str(value).encode("utf-8", "surrogatepass")) for value in listed]
        hashes = (hashes * 31 + np.array([*by_value, 0], dtype=np.int64)[codes]) % (1 << 40)
    return hashes
