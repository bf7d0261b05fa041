"""The data folder: where it is, what is in it, and how its files are read."""

from pearljoin_train.data.folder import (
    DATA_VARIABLE,
    DataDamagedError,
    DataMissingError,
    FileState,
    cache_folder,
    data_folder,
    find,
    manifest,
    sha256_of,
    verify,
)

__all__ = [
    "DATA_VARIABLE",
    "DataDamagedError",
    "DataMissingError",
    "FileState",
    "cache_folder",
    "data_folder",
    "find",
    "manifest",
    "sha256_of",
    "verify",
]
