"""Model folders: their files, read without trusting them.

    config.json         what the model is, and the sha256 of every other file
    tokenizer.json      as the tokenizers package writes it
    model.onnx          8-bit weights, for the CPU
    model.safetensors   optional, half precision, for torch
    tokens.npz          in their place, of a static model: word pieces, 8-bit, read without pickles
    ngrams.npz          optional, the character encoder, 8-bit, read without pickles
    scorer.json         optional, the calibrated match scorer, as plain numbers

Nothing in it can run code: pickles are refused, only files that `config.json` lists are read, and
each is checked against its sha256 before a byte of it is used.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pearljoin._encoders.folder_config import (
    NGRAMS,
    ONNX,
    SAFETENSORS,
    TOKENIZER,
    TOKENS,
    ConfigChecker,
)
from pearljoin._encoders.ngrams import NgramPart
from pearljoin._errors import ModelError

__all__ = [
    "CONFIG",
    "MODELS",
    "NGRAMS",
    "ONNX",
    "SAFETENSORS",
    "SCORER",
    "TOKENIZER",
    "TOKENS",
    "ModelFolder",
    "read_folder",
]

FORMAT = 1
CONFIG = "config.json"
MODELS = Path(__file__).resolve().parent.parent / "_models"
"""Folder of the bundled model folders."""
SCORER = "scorer.json"
POOLINGS = ("mean", "cls")

_CHECKED: dict[str, tuple[str, tuple[int, ...]]] = {}
"""The sha256 of files that were read, and their `_stamp` before that, by path."""

_SCORERS: dict[str, tuple[tuple[str, tuple[int, ...]], bytes]] = {}
"""Scorer files that were read, as `_CHECKED`: every join asks for one, and a small one takes less
time than to read it."""

_SCORERS_KEPT = 4

_SETTLED_NS = 2 * 10**9
"""Age of a file from which a later write changes its times, however coarse these are."""

_MAX_BYTES = {CONFIG: 2**20, NGRAMS: 2**28, SCORER: 2**22, TOKENIZER: 2**27, TOKENS: 2**28}
_MAX_WEIGHT_BYTES = 2**32
_MAX_DIM = 8192
_MAX_LENGTH = 8192


@dataclass(frozen=True)
class ModelFolder:
    """A model folder, its `config.json` read and checked.

    Parameters
    ----------
    path
        The folder.
    name
        Name of the model.
    dim
        Number of columns of its vectors, 1 to 8192, the character encoder's included.
    pooling
        ``"mean"`` or ``"cls"``: how token vectors become a phrase's vector.
    prefix
        Put before every phrase.
    max_length
        Tokens a phrase may have, special ones included; the rest is cut.
    graph_inputs
        What `model.onnx` is fed: ``input_ids``, maybe ``attention_mask``, ``token_type_ids``.
    fallback_threshold
        Threshold in [0, 1] for tables too small to find one from; None: unknown.
    architecture
        The transformer's configuration, for `model.safetensors`; empty without one.
    files
        sha256 of each file, by name.
    digest
        sha256 of `config.json`, and so of the whole folder.
    """

    path: Path
    name: str
    dim: int
    pooling: str
    prefix: str
    max_length: int
    graph_inputs: tuple[str, ...]
    fallback_threshold: float | None
    architecture: Mapping[str, Any] = field(repr=False)
    files: Mapping[str, str] = field(repr=False)
    digest: str = field(repr=False)

    @property
    def is_bundled(self) -> bool:
        """Whether it came with the package."""
        return self.path.resolve().parent == MODELS

    def has(self, name: str) -> bool:
        """Whether `config.json` lists the file."""
        return name in self.files

    def read(self, name: str) -> bytes:
        """Read a file and check its sha256.

        Returns
        -------
        content
            The bytes that were checked: there is no second read, which could differ.

        Raises
        ------
        ModelError
            If it is not listed, missing, too large, or differs from its sha256.
        """
        if name not in self.files:
            raise ModelError(
                f"The model folder {str(self.path)!r} lists no {name}. Got {sorted(self.files)}. "
                f"Hint: {_MISSING_HINT.get(name, 'use a folder that was exported with one.')}"
            )
        stamp = _stamp(self.path / name)
        content = _read_bytes(self.path / name)
        found = hashlib.sha256(content).hexdigest()
        if found != self.files[name]:
            raise ModelError(
                f"{str(self.path / name)!r} is damaged or was changed: its sha256 differs from "
                f"the one in {CONFIG}. Got {found}, expected {self.files[name]} "
                f"({len(content):,} bytes). Hint: fetch or export the folder again."
            )
        if stamp is not None:
            _CHECKED[str(self.path / name)] = found, stamp
        return content

    @property
    def scorer(self) -> bytes | None:
        """The calibrated match scorer as JSON, checked against its sha256; None without one.

        One that this process has read, and that was not written since, is not read again.
        """
        if not self.has(SCORER):
            return None
        stamp, expected = _stamp(self.path / SCORER), self.files[SCORER]
        if stamp is None:
            return self.read(SCORER)
        known = _SCORERS.get(str(self.path))
        if known is None or known[0] != (expected, stamp):
            known = (expected, stamp), self.read(SCORER)
            if len(_SCORERS) >= _SCORERS_KEPT:
                _SCORERS.clear()
            _SCORERS[str(self.path)] = known
        return known[1]

    def ngrams(self) -> NgramPart | None:
        """Read the character encoder; None without one.

        Raises
        ------
        ModelError
            If it is damaged, or leaves no column of `dim` to the transformer.
        """
        if not self.has(NGRAMS):
            return None
        where = repr(str(self.path / NGRAMS))
        part = NgramPart.from_bytes(self.read(NGRAMS), where)
        if part.dim >= self.dim:
            raise ModelError(
                f"{where} is too wide for the model. Got {part.dim} columns of {self.dim}. "
                "Hint: export the folder again."
            )
        return part

    def verify(self) -> None:
        """Check every listed file against its sha256; raises ModelError.

        One that this process has read, and that was not written since, is not read again.
        """
        for name, expected in self.files.items():
            stamp = _stamp(self.path / name)
            if stamp is None or _CHECKED.get(str(self.path / name)) != (expected, stamp):
                self.read(name)


_MISSING_HINT = {
    ONNX: "pass device='cuda' or 'cpu' with pearljoin[torch] installed to use its safetensors, "
    "or export the folder again.",
    SAFETENSORS: "use device='cpu', or a folder exported with half-precision weights.",
}


def read_folder(path: str | Path) -> ModelFolder:
    """Read and check a model folder's `config.json`.

    Parameters
    ----------
    path
        The folder.

    Returns
    -------
    folder
        Its configuration, checked. The other files are checked as they are read.

    Raises
    ------
    ModelError
        If the folder, or a value in its configuration, cannot be used.
    """
    path = Path(path)
    if not path.is_dir():
        raise ModelError(
            f"There is no model folder at {str(path)!r}. Hint: check the path; a model folder "
            f"holds {CONFIG}, {TOKENIZER} and {ONNX}."
        )
    content = _read_bytes(path / CONFIG)
    raw = _parse(path / CONFIG, content)
    check = ConfigChecker(path / CONFIG, raw)
    if raw.get("format") != FORMAT or isinstance(raw.get("format"), bool):
        check.fail("format", f"must be {FORMAT}", "update pearljoin, or export the folder again")
    return ModelFolder(
        path=path,
        name=check.text("name", longest=200),
        dim=check.integer("dim", highest=_MAX_DIM),
        pooling=check.choice("pooling", POOLINGS),
        prefix=check.text("prefix", longest=200, empty=True),
        max_length=check.integer("max_length", lowest=3, highest=_MAX_LENGTH),
        graph_inputs=check.graph_inputs("graph_inputs"),
        fallback_threshold=check.fraction("fallback_threshold"),
        architecture=check.mapping("architecture"),
        files=check.files("files"),
        digest=hashlib.sha256(content).hexdigest(),
    )


def portable_path(path: Path) -> tuple[str, str]:
    """Return a path that names the same folder in another installation."""
    if path.resolve().parent == MODELS:
        return ("bundled", path.name)
    return ("folder", str(path.resolve()))


def resolve_path(where: tuple[str, str]) -> Path:
    """Undo `portable_path`."""
    kind, name = where
    return MODELS / Path(name).name if kind == "bundled" else Path(name)


def read_json(path: Path) -> dict[str, Any]:
    """Read one JSON object from a folder; raises ModelError."""
    return _parse(path, _read_bytes(path))


def _stamp(path: Path) -> tuple[int, ...] | None:
    """What changes when a file is written; None for one that was written just now, or not found."""
    try:
        found = path.stat()
    except OSError:
        return None
    last = max(found.st_mtime_ns, found.st_ctime_ns)
    # A clock that was set back says nothing.
    if not 0 <= last <= time.time_ns() - _SETTLED_NS:
        return None
    times = found.st_mtime_ns, found.st_ctime_ns
    return found.st_dev, found.st_ino, found.st_size, *times


def _read_bytes(path: Path) -> bytes:
    limit = _MAX_BYTES.get(path.name, _MAX_WEIGHT_BYTES)
    try:
        # A device or a pipe could be read for ever.
        if not path.is_file():
            raise ModelError(
                f"The model folder {str(path.parent)!r} has no {path.name}. Got "
                f"{_listing(path.parent)}. Hint: fetch or export the folder again."
            )
        size = path.stat().st_size
        if size > limit:
            raise ModelError(
                f"{str(path)!r} is too large to be a model file. Got {size:,} bytes, at most "
                f"{limit:,} are read. Hint: check that this is the right folder."
            )
        return path.read_bytes()
    except OSError as error:
        raise ModelError(
            f"{str(path)!r} cannot be read. Got {error}. Hint: check its permissions."
        ) from error


def _listing(path: Path) -> str:
    names = sorted(entry.name for entry in path.iterdir())
    shown = ", ".join(names[:8]) or "an empty folder"
    return shown + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _parse(path: Path, content: bytes) -> dict[str, Any]:
    try:
        raw = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ModelError(
            f"{str(path)!r} is not JSON. Got {error}. Hint: fetch or export the folder again."
        ) from error
    if not isinstance(raw, dict):
        raise ModelError(
            f"{str(path)!r} does not hold an object. Got a {type(raw).__name__}. "
            "Hint: export the folder again."
        )
    return raw
