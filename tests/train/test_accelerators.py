"""The device that a run is asked for is the one that it gets."""

import pytest
import torch
from accelerate.state import PartialState

from pearljoin import InputError
from pearljoin_train.training.accelerators import accelerator_of


def test_a_process_that_used_a_gpu_can_use_the_processor(monkeypatch) -> None:
    first = accelerator_of("cpu")
    assert first.device.type == "cpu"
    monkeypatch.setitem(PartialState._shared_state, "device", torch.device("cuda"))
    assert accelerator_of("cpu").device.type == "cpu"


@pytest.mark.skipif(torch.cuda.is_available(), reason="has a GPU")
def test_a_gpu_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="torch sees no GPU"):
        accelerator_of("cuda")


def test_what_computes_elsewhere_than_asked_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr("pearljoin_train.training.accelerators.Accelerator", _OnTheProcessor)
    with pytest.raises(InputError, match=r"does not compute on the GPU here. Got device='cuda'"):
        accelerator_of("cuda")


class _OnTheProcessor:
    """What accelerate gives where its settings keep it to the processor."""

    device = torch.device("cpu")

    def __init__(self, *, cpu: bool) -> None:
        pass
