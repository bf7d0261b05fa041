"""Checkpoints: whole, or never taken for one."""

import os
import shutil

import pytest
import torch
from torch import nn

from pearljoin._errors import InputError
from pearljoin_train.training import checkpoint
from pearljoin_train.training.checkpoint import latest_checkpoint, load_checkpoint, save_checkpoint


def trained(seed: int, steps: int = 3) -> tuple[dict[str, nn.Module], torch.optim.Optimizer]:
    torch.manual_seed(seed)
    modules = {"model": nn.Linear(3, 2), "model_head": nn.Linear(2, 2)}
    optimiser = torch.optim.AdamW([p for m in modules.values() for p in m.parameters()], lr=0.1)
    for _ in range(steps):
        optimiser.zero_grad()
        modules["model_head"](modules["model"](torch.ones(1, 3))).sum().backward()
        optimiser.step()
    return modules, optimiser


def save(folder, step=3, seed=0, average=None):
    modules, optimiser = trained(seed)
    return save_checkpoint(folder, step, modules, optimiser, average or {}, {"config": {"a": 1}})


def test_everything_comes_back(tmp_path) -> None:
    modules, optimiser = trained(0)
    average = {"w": torch.randn(2)}
    path = save_checkpoint(tmp_path, 3, modules, optimiser, average, {"config": {"a": 1}})
    others, other_optimiser = trained(1, steps=0)
    facts, found = load_checkpoint(path, others, other_optimiser)
    assert facts == {"step": 3, "config": {"a": 1}}
    assert torch.equal(found["w"], average["w"])
    for name, module in modules.items():
        torch.testing.assert_close(others[name].state_dict(), module.state_dict(), rtol=0, atol=0)
    one, two = optimiser.state_dict()["state"], other_optimiser.state_dict()["state"]
    torch.testing.assert_close(one, two, rtol=0, atol=0)


def test_without_an_average_none_comes_back(tmp_path) -> None:
    assert load_checkpoint(save(tmp_path), *trained(1))[1] == {}


def test_the_newest_is_taken_and_two_are_kept(tmp_path) -> None:
    assert latest_checkpoint(tmp_path) is None
    for step in (2, 10, 9_000, 100_000):
        save(tmp_path, step)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "checkpoint-0009000",
        "checkpoint-0100000",
    ]
    assert latest_checkpoint(tmp_path) == tmp_path / "checkpoint-0100000"


@pytest.mark.parametrize("dies_at", ["save_file", "rename"])
def test_one_that_is_half_written_is_never_taken(tmp_path, monkeypatch, dies_at) -> None:
    class KilledError(Exception):
        pass

    def die(*_: object) -> None:
        raise KilledError("killed")

    whole = save(tmp_path, 3)
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint if dies_at == "save_file" else os, dies_at, die)
        with pytest.raises(KilledError, match="killed"):
            save(tmp_path, 6)
    assert latest_checkpoint(tmp_path) == whole
    assert save(tmp_path, 6) == latest_checkpoint(tmp_path)  # over what the dead one left


def test_a_folder_that_is_being_removed_is_never_taken(tmp_path) -> None:
    path = save(tmp_path, 3)
    (path / "facts.json").unlink()
    assert latest_checkpoint(tmp_path) is None


def test_a_damaged_one_is_refused(tmp_path) -> None:
    path = save(tmp_path)
    weights = path / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-9])
    with pytest.raises(InputError, match=r"checkpoint-0000003 does not fit.*one before"):
        load_checkpoint(path, *trained(1))


def test_another_models_is_refused(tmp_path) -> None:
    modules, optimiser = trained(1)
    modules["model"] = nn.Linear(4, 2)
    with pytest.raises(InputError, match="does not fit this run"):
        load_checkpoint(save(tmp_path), modules, optimiser)


def test_a_missing_file_is_refused(tmp_path) -> None:
    path = save(tmp_path)
    shutil.copytree(path, tmp_path / "copy")
    (path / "optimiser.safetensors").unlink()
    with pytest.raises(InputError, match="does not fit this run"):
        load_checkpoint(path, *trained(1))
    assert load_checkpoint(tmp_path / "copy", *trained(1))[0]["step"] == 3
