"""Where a run computes: the processor or a GPU, of one process or several."""

from __future__ import annotations

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState, PartialState

from pearljoin._errors import InputError

__all__ = ["accelerator_of"]


def accelerator_of(device: str) -> Accelerator:
    """Return where a run computes.

    Parameters
    ----------
    device
        "cpu", "cuda", or "auto": a GPU where torch finds one. On a GPU products of float32 are
        made in TensorFloat-32. A device that is named holds for the whole process: accelerators
        that were made for another one change to it.

    Raises
    ------
    InputError
        If a GPU is asked for and there is none.
    """
    has_gpu = torch.cuda.is_available()
    if device not in ("auto", "cpu", "cuda") or (device == "cuda" and not has_gpu):
        raise InputError(
            f"There is no such device here. Got device={device!r}"
            f"{'' if has_gpu else ', and torch sees no GPU'}. Hint: auto or cpu, or install "
            "torch's CUDA build."
        )
    on_gpu = has_gpu and device != "cpu"
    if on_gpu:
        torch.set_float32_matmul_precision("high")
    held = PartialState._shared_state.get("device")
    if device != "auto" and held is not None and (held.type == "cuda") != on_gpu:
        # accelerate keeps a process to the device that was asked for first: without a word where
        # that is the processor, by an error where it is the GPU.
        AcceleratorState._reset_state(reset_partial_state=True)
    accelerator = Accelerator(cpu=not on_gpu)
    if device == "cuda" and accelerator.device.type != "cuda":
        raise InputError(
            "accelerate does not compute on the GPU here. Got device='cuda', and "
            f"{accelerator.device} of accelerate. Hint: ACCELERATE_USE_CPU, and the --cpu of "
            "`accelerate launch`, keep it to the processor."
        )
    return accelerator
