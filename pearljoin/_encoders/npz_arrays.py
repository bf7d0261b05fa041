"""Arrays in an npz archive, read without trusting it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

__all__ = ["Arrays", "pack_arrays", "quantise_rows", "unpack_arrays"]

Arrays = Mapping[str, np.ndarray[Any, Any]]


def pack_arrays(arrays: Arrays) -> bytes:
    """Return the bytes of an npz archive, not compressed."""
    content = io.BytesIO()
    named: dict[str, Any] = dict(arrays)
    np.savez(content, **named)
    return content.getvalue()


def unpack_arrays(content: bytes, names: Sequence[str]) -> dict[str, np.ndarray[Any, Any]]:
    """Read arrays from an archive; no code in it is run, and it takes no more than its size.

    Raises
    ------
    Exception
        Of zipfile, zlib, numpy or Python, which share no base, if it is no such archive.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
        if unpacked > len(content):
            raise ValueError(f"{unpacked:,} bytes packed into {len(content):,}")
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return {name: file[name] for name in names}


def quantise_rows(table: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
    """Write rows in 8 bits: ``codes``, int8 of the same shape, and a float32 scale for each row."""
    scales = (np.abs(table).max(axis=1) / 127).astype(np.float32)
    with np.errstate(invalid="ignore"):
        codes = np.rint(table / np.where(scales > 0, scales, 1)[:, None])
    return {"codes": np.nan_to_num(codes).astype(np.int8), "scales": scales}
