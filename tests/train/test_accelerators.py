"""The device that a run is asked for is the one that it gets."""

import pytest
import torch
from accelerate.state import AcceleratorState, PartialState

from pearljoin import InputError
from pearljoin_train.training.accelerators import accelerator_of


def test_a_process_that_used_a_gpu_can_use_the_processor(monkeypatch) -> None:
    first = accelerator_of("cpu")
    assert first.device.type == "cpu"
    monkeypatch.setitem(PartialState._shared_state, "device", torch.device("cuda"))
    assert AcceleratorState().device.type == "cuda"
    assert accelerator_of("cpu").device.type == "cpu"


@pytest.mark.skipif(torch.cuda.is_available(), reason="has a GPU")
def test_a_gpu_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="torch sees no GPU"):
        accelerator_of("cuda")
