"""What encoders of a model folder say of it."""

from __future__ import annotations

from pathlib import Path

from pearljoin._encoders.model_folder import ModelFolder, read_folder

__all__ = ["FolderEncoder"]


class FolderEncoder:
    """Base of encoders that run a model folder.

    Parameters
    ----------
    folder
        A model folder; each of its files is checked.

    Raises
    ------
    ModelError
        If the folder is missing, damaged or hostile.
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder: ModelFolder = read_folder(folder)
        self._folder.verify()

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
