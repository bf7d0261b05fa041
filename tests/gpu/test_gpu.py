"""What runs on a GPU, checked against the processor.

The file stands alone, for a machine with torch and little else::

    python -m pytest --noconftest -m gpu tests/gpu

Every test also runs on the processor, so that it is known to work before there is a GPU.
"""

import json

import numpy as np
import pytest
import torch

from pearljoin_train.common.commands import run_command
from pearljoin_train.models.token_ids import DeviceTokens, TokenIds
from pearljoin_train.portable.gpu_check import check_encoding, check_gradients, check_search
from pearljoin_train.training.accelerators import accelerator_of
from pearljoin_train.training.tiny import tiny_base, tiny_names

pytestmark = pytest.mark.gpu

NEEDS_GPU = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
DEVICES = ["cpu", pytest.param("cuda", marks=NEEDS_GPU)]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_base(tmp_path_factory.mktemp("gpu") / "base", tiny_names()[0])


@pytest.mark.parametrize("device", DEVICES)
def test_vectors_are_the_processors(model, device) -> None:
    phrases = [name for name, _ in tiny_names()[0]["companies"]][:300]
    least, mean, first, again = check_encoding(model, phrases, device)
    assert least.value >= 0.999  # of a random model of 64 dimensions
    assert 0.9995 <= mean.value <= 1.0001
    assert min(first.value, again.value) > 0
    assert not check_encoding(model, phrases[:8], device, least_speed=1e12)[-1].ok


@pytest.mark.parametrize("device", DEVICES)
def test_search_is_exact(device) -> None:
    checks = check_search(400, 1_000, device, dim=24)
    assert len(checks) % 2 == 0
    assert all(check.ok for check in checks)


def test_a_search_that_is_wrong_is_found(monkeypatch) -> None:
    def wrong(queries, reference, k, device):
        return None, np.zeros((len(queries), k), dtype=np.int64)

    monkeypatch.setattr("pearljoin_train.portable.gpu_check.search", wrong)
    assert not check_search(20, 50, "cpu", dim=8)[0].ok


@pytest.mark.parametrize("device", DEVICES)
def test_cached_gradients_are_those_of_kept_graphs(model, device) -> None:
    same, seconds, speed = check_gradients(model, device, rows=48, large=128)
    assert same.ok
    assert seconds.value > 0
    assert speed.value == pytest.approx(128 / seconds.value)


@pytest.mark.parametrize("device", DEVICES)
def test_texts_are_padded_on_the_device(device) -> None:
    tokens = TokenIds.of([[5, 6, 7], [8], [9, 10]])
    found = DeviceTokens(tokens, torch.device(device), padding=0).padded(np.array([2, 0]))
    assert found["input_ids"].tolist() == [[9, 10, 0], [5, 6, 7]]
    assert found["attention_mask"].tolist() == [[1, 1, 0], [1, 1, 1]]
    assert found["input_ids"].device.type == device


def test_the_command_says_what_it_found(model, tmp_path, capsys) -> None:
    sizes = ["--phrases", "64", "--queries", "50", "--reference", "80", "--rows", "32"]
    given = ["--model", str(model), "--device", "cpu", "--out", str(tmp_path / "report.json")]
    code = run_command("gpu-check", [*given, *sizes])
    shown = capsys.readouterr().out
    assert shown.startswith("cpu: a rehearsal, torch ")
    report = json.loads((tmp_path / "report.json").read_text())
    assert code == (0 if all(check["ok"] for check in report["checks"]) else 1)
    assert "50 in 80 vectors" in shown
    assert "pairs a second" in shown


@pytest.mark.skipif(torch.cuda.is_available(), reason="has a GPU")
def test_a_gpu_that_is_not_there_is_said(model, capsys) -> None:
    assert run_command("gpu-check", ["--model", str(model), "--device", "cuda"]) == 1
    assert "torch sees no GPU" in capsys.readouterr().err


@NEEDS_GPU
def test_the_gpu_computes_in_tensorfloat_in_training() -> None:
    assert accelerator_of("cpu").device.type == "cpu"
    assert accelerator_of("cuda").device.type == "cuda"  # not the first one of the process
    assert torch.get_float32_matmul_precision() == "high"
