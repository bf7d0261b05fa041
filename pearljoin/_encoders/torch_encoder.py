"""The encoder that runs a transformer through torch: hub models, local folders, GPUs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pearljoin._encoders.model_folder import ModelFolder, portable_path, read_folder, resolve_path
from pearljoin._encoders.transformer import load_folder, load_transformer
from pearljoin._encoders.unit_vectors import unit_rows
from pearljoin._errors import ModelError
from pearljoin._optional import require
from pearljoin._progress import progress
from pearljoin._typing import BoolVector, FloatMatrix

_TOKENS_PER_BATCH = {"cpu": 512, "cuda": 32768}
_PHRASES_AT_ONCE = 131072


class TorchEncoder:
    """Encode phrases with a transformer in torch.

    Weights come from safetensors only, never from a pickle, and no code of a model's is run.
    On a GPU products run in bfloat16, on the CPU in float32. Pickles and copies as a name or a
    path.

    Parameters
    ----------
    source
        A hub id, a folder in Hugging Face's layout, or a model folder with `model.safetensors`.
    device
        ``"auto"``, ``"cpu"`` or ``"cuda"``.
    batch_size
        Phrases a batch; None picks it by the number of tokens.
    verbose
        Progress bar: None on a terminal only, True always, False never.

    Raises
    ------
    MissingExtraError
        If torch or transformers is not installed.
    ModelError
        If the model cannot be found or read, or is refused as unsafe.
    """

    def __init__(
        self,
        source: str | Path | ModelFolder,
        *,
        device: str = "auto",
        batch_size: int | None = None,
        verbose: bool | None = None,
    ) -> None:
        for module in ("torch", "transformers"):
            require(module, extra="torch", purpose="A transformer in torch")
        self._source = source
        self._device = _pick_device(device)
        self._batch_size = batch_size
        self._verbose = verbose
        self._loaded = (
            load_folder(source, self._device)
            if isinstance(source, ModelFolder)
            else load_transformer(source, self._device)
        )

    @property
    def dim(self) -> int:
        """Number of columns that `encode` returns."""
        ngrams = self._loaded.ngrams
        return self._loaded.dim + (0 if ngrams is None else ngrams.dim)

    @property
    def scorer(self) -> bytes | None:
        """The model folder's calibrated match scorer, as JSON; None where there is none."""
        return self._source.scorer if isinstance(self._source, ModelFolder) else None

    @property
    def fallback_threshold(self) -> float | None:
        """Score in [0, 1] to match from where a table is too small to judge by; None: unknown."""
        return self._source.fallback_threshold if isinstance(self._source, ModelFolder) else None

    def __repr__(self) -> str:
        name = self._source.name if isinstance(self._source, ModelFolder) else str(self._source)
        return f"TorchEncoder({name!r}, dim={self.dim}, device={self._device!r})"

    def encode(self, phrases: Sequence[str]) -> FloatMatrix:
        """Encode phrases.

        Parameters
        ----------
        phrases
            Any strings, the empty one included.

        Returns
        -------
        vectors
            float32 of shape (n_phrases, dim), rows of unit length, in the order given.

        Raises
        ------
        ModelError
            If the model gives numbers that are not finite.
        """
        vectors = np.zeros((len(phrases), self.dim), dtype=np.float32)
        for start in range(0, len(phrases), _PHRASES_AT_ONCE):
            stop = start + _PHRASES_AT_ONCE
            self._encode_into(phrases[start:stop], vectors[start:stop])
        return vectors

    def _encode_into(self, phrases: Sequence[str], vectors: FloatMatrix) -> None:
        tokens = self._loaded.tokenizer(phrases)
        budget = _TOKENS_PER_BATCH[self._device]
        batches = list(tokens.batches(tokens=budget, phrases=self._batch_size))
        for rows in progress(
            batches, total=len(batches), label="encoding", unit="batch", verbose=self._verbose
        ):
            output = self._loaded.run(tokens.rectangle(rows))
            if not np.isfinite(output).all():
                raise ModelError(
                    f"{self!r} gave numbers that are not finite. Hint: device='cpu', or fetch the "
                    "model again."
                )
            vectors[rows, : self._loaded.dim] = unit_rows(output)
        if self._loaded.ngrams is not None:
            self._loaded.ngrams.extend(vectors, phrases)

    def covers(self, phrases: Sequence[str]) -> BoolVector:
        """Tell where the vector stands for the whole text.

        Returns
        -------
        covered
            bool of shape (n_phrases,). False where a token is unknown to the model, where the
            text was cut at the maximum length, and where it has no content at all.
        """
        return self._loaded.tokenizer(phrases).covered

    def __getstate__(self) -> dict[str, Any]:
        source: tuple[str, str]
        if isinstance(self._source, ModelFolder):
            source = portable_path(self._source.path)
        elif isinstance(self._source, Path):
            source = ("transformer", str(self._source.resolve()))
        else:
            source = ("hub", self._source)
        options = {"batch_size": self._batch_size, "verbose": self._verbose}
        return {"source": source, **options}

    def __setstate__(self, state: dict[str, Any]) -> None:
        options = dict(state)
        kind, name = options.pop("source")
        source: str | Path | ModelFolder = name
        if kind == "transformer":
            source = Path(name)
        elif kind != "hub":
            source = read_folder(resolve_path((kind, name)))
        # The machine that reads the pickle may have no GPU, or the only one.
        self.__init__(source, **options)  # type: ignore[misc]


def _pick_device(device: str) -> str:
    import torch

    available = torch.cuda.is_available()
    if device == "cuda" and not available:
        raise ModelError(
            "device='cuda' needs a GPU that torch can use. Got a torch without one "
            f"({torch.__version__}). Hint: device='cpu', or install torch's CUDA build."
        )
    return "cuda" if available and device in ("auto", "cuda") else "cpu"
