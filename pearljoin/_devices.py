"""Resolve the `device` option to a device for encoding and one for search.

| device | encodes on | searches on |
|---|---|---|
| "auto" | a GPU, if the model can run there | a GPU, if torch is in use and sees one |
| "cpu" | the CPU | the CPU |
| "cuda" | a GPU, if the model can run there | a GPU |

A model can run on a GPU if it comes from the Hugging Face hub or its folder has
`model.safetensors`. The bundled one has 8-bit weights for the CPU alone: it encodes there, and with
"cuda" its vectors are searched on the GPU. Only a join encodes and searches: `load_encoder` and
`PhraseEncoder` take ``device`` for encoding alone, and refuse "cuda" for a model that cannot run
there.
"""

from __future__ import annotations

from pearljoin._errors import InputError
from pearljoin._search.dense import gpu_by_faiss
from pearljoin._search.dense_torch import gpu_by_torch, torch_in_use

__all__ = ["encoder_device", "search_device"]


def encoder_device(device: str) -> str:
    """Device for `load_encoder`, of a join's option.

    Parameters
    ----------
    device
        ``"auto"``, ``"cpu"`` or ``"cuda"``.

    Returns
    -------
    device
        ``"auto"`` or ``"cpu"``.

    Raises
    ------
    InputError
        If a GPU is asked for and there is none.
    MissingExtraError
        If a GPU is asked for, and torch is not installed to find it.
    """
    _check_gpu(device)
    return "cpu" if device == "cpu" else "auto"


def search_device(device: str) -> str:
    """Device for the search of dense vectors, of a join's option.

    Parameters
    ----------
    device
        ``"auto"``, ``"cpu"``, ``"cuda"`` or a torch device name.

    Returns
    -------
    device
        ``"cpu"`` or a torch device name.

    Raises
    ------
    InputError, MissingExtraError
        As in `encoder_device`.
    """
    if device == "auto":
        # Where torch is not in use, importing it would take longer than most searches.
        return "cuda" if torch_in_use() and gpu_by_torch() else "cpu"
    _check_gpu(device)
    return device


def _check_gpu(device: str) -> None:
    if device.startswith("cuda") and not (gpu_by_faiss() or gpu_by_torch()):
        raise InputError(
            f"device={device!r} needs a GPU that faiss or torch can use. Got none. Hint: "
            "device='auto' uses one where it is there; on a machine with a GPU install torch's "
            "CUDA build."
        )
