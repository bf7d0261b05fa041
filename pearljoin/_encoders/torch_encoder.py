"""TorchEncoder: a transformer through torch, of the hub or a folder, on the CPU or a GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pearljoin._encoders.batched_encoder import BatchedEncoder, TokenModel
from pearljoin._encoders.model_folder import ModelFolder, portable_path, read_folder, resolve_path
from pearljoin._encoders.transformer import load_folder, load_transformer
from pearljoin._errors import ModelError
from pearljoin._optional import require

_TOKENS_PER_BATCH = {"cpu": 512, "cuda": 32768}
"""About, by device."""


class TorchEncoder(BatchedEncoder):
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
        super().__init__(batch_size, verbose)
        self._source = source
        self._device = _pick_device(device)
        self._loaded = (
            load_folder(source, self._device)
            if isinstance(source, ModelFolder)
            else load_transformer(source, self._device)
        )

    @property
    def scorer(self) -> bytes | None:
        """The match scorer of the model folder, as JSON; None without one."""
        return self._source.scorer if isinstance(self._source, ModelFolder) else None

    @property
    def fallback_threshold(self) -> float | None:
        """Threshold in [0, 1] for tables too small to find one from; None: unknown."""
        return self._source.fallback_threshold if isinstance(self._source, ModelFolder) else None

    def __repr__(self) -> str:
        name = self._source.name if isinstance(self._source, ModelFolder) else str(self._source)
        return f"TorchEncoder({name!r}, dim={self.dim}, device={self._device!r})"

    def _model(self) -> TokenModel:
        return self._loaded

    def _tokens_per_batch(self) -> int:
        return _TOKENS_PER_BATCH[self._device]

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
