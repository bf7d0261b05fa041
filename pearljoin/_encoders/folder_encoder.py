"""What encoders of a model folder say of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pearljoin._encoders.folder_config import TOKENIZER
from pearljoin._encoders.model_folder import (
    ModelFolder,
    portable_path,
    read_folder,
    resolve_path,
)
from pearljoin._encoders.tokenizer import PhraseTokenizer
from pearljoin._errors import InputError

__all__ = ["FolderEncoder", "folder_tokenizer"]


class FolderEncoder:
    """Base of encoders that run a model folder. Pickles and copies as a path.

    Parameters
    ----------
    folder
        A model folder; each of its files is checked.
    batch_size
        Phrases a batch; None picks it.
    threads
        Batches to run side by side; None: one per processor that this process may use.
    verbose
        Progress bar: None on a terminal only, True always, False never.

    Raises
    ------
    ModelError
        If the folder is missing, damaged or hostile.
    InputError
        If `batch_size` or `threads` is below 1.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        batch_size: int | None = None,
        threads: int | None = None,
        verbose: bool | None = None,
    ) -> None:
        for name, value in (("batch_size", batch_size), ("threads", threads)):
            if value is not None and value < 1:
                raise InputError(f"{name} must be at least 1. Got {value}. Hint: leave it at None.")
        self._folder: ModelFolder = read_folder(folder)
        # Files of the package are checked when they are used, and not twice.
        if not self._folder.is_bundled:
            self._folder.verify()
        self._batch_size = batch_size
        self._threads = threads
        self._verbose = verbose

    @property
    def dim(self) -> int:
        """Number of columns that `encode` returns."""
        return self._folder.dim

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._folder.name

    @property
    def folder(self) -> Path:
        """Folder of the model."""
        return self._folder.path

    @property
    def digest(self) -> str:
        """Identifies the model: a sha256 that covers every file of its folder."""
        return self._folder.digest

    @property
    def fallback_threshold(self) -> float | None:
        """Threshold in [0, 1] for tables too small to find one from."""
        return self._folder.fallback_threshold

    @property
    def scorer(self) -> bytes | None:
        """The match scorer of the model folder, as JSON; None without one."""
        return self._folder.scorer

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, dim={self.dim})"

    def __getstate__(self) -> dict[str, Any]:
        return {
            "folder": portable_path(self._folder.path),
            "batch_size": self._batch_size,
            "threads": self._threads,
            "verbose": self._verbose,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        options = dict(state)
        self.__init__(resolve_path(options.pop("folder")), **options)  # type: ignore[misc]


def folder_tokenizer(folder: ModelFolder) -> PhraseTokenizer:
    """Make the tokenizer of a model folder.

    Raises
    ------
    ModelError
        If the file is no tokenizer, or a hostile one.
    """
    return PhraseTokenizer(
        folder.read(TOKENIZER),
        max_length=folder.max_length,
        prefix=folder.prefix,
        where=repr(str(folder.path / TOKENIZER)),
    )
