"""`train --tiny`: a whole training in a minute, with no data, and its plan; progress of a run."""

import json
import logging
import time
from pathlib import Path

import pytest
from tiny_models import made_up_streams, tiny_config

from pearljoin_train.common.commands import run_command
from pearljoin_train.models.phrase_model import load_phrase_model
from pearljoin_train.training import command
from pearljoin_train.training import tiny as tiny_training
from pearljoin_train.training.accelerators import accelerator_of
from pearljoin_train.training.estimate import estimate
from pearljoin_train.training.run import LOG, Run
from pearljoin_train.training.tiny import tiny_names

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture
def no_data(tmp_path, monkeypatch) -> Path:
    """No data folder, and a folder of its own to work in."""
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "none"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scores(shown: str) -> dict[str, tuple[float, float]]:
    rows = [line.split() for line in shown.splitlines() if line.count(".") == 2]
    return {row[0]: (float(row[1]), float(row[2])) for row in rows}


@pytest.mark.thorough
def test_a_tiny_training_learns_within_a_minute(no_data, capsys) -> None:
    began = time.process_time()
    assert run_command("train", ["--tiny"]) == 0
    assert time.process_time() - began < 60
    shown = capsys.readouterr()
    before, after = scores(shown.out)["mean"]
    assert after > before + 0.05
    assert "step 120 of 120: nt_xent" in shown.err


def test_a_tiny_training_says_what_it_did_and_writes(no_data, monkeypatch, capsys) -> None:
    """With fewer steps and names, so that it has not learned much."""
    with monkeypatch.context() as shortened:
        shortened.setattr(tiny_training, "THINGS", 300)
        shortened.setattr(tiny_training, "HELD_OUT", 60)
        every = ["--checkpoint-every", "5", "--evaluate-every", "5"]
        assert run_command("train", ["--tiny", "--steps", "10", *every]) == 0
    shown = capsys.readouterr()
    assert {*scores(shown.out)} == {"companies", "people", "mean"}
    assert "step 10 of 10: nt_xent" in shown.err
    model = no_data / "run" / "tiny-1" / "model"
    assert f"the model is in {model.relative_to(no_data)}" in shown.out
    assert (model / "model.safetensors").is_file()
    measured = (no_data / "run" / "tiny-1" / "log.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in measured]
    assert [row["step"] for row in rows if row["kind"] == "development"] == [5, 10]
    assert run_command("train", ["--tiny", "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert "makes 3,000 names" in shown
    assert "120 steps of 112 pairs (13,440 pairs): under a minute" in shown
    assert "writes run/tiny-2" in shown
    assert not (no_data / "run" / "tiny-2").exists()
    again = ["--tiny", "--out", "run/tiny-1"]
    assert run_command("train", again) == 1
    assert "already holds a run" in capsys.readouterr().err


def test_held_out_names_are_not_trained_on() -> None:
    trained, held_out = tiny_names()
    for kind, pairs in held_out.items():
        names = {name for name, _ in trained[kind]}
        assert len(names) == 1_500
        assert len({name for name, _ in pairs} - names) == len(pairs) == 300
    assert tiny_names() == tiny_names()
    assert tiny_names(1) != tiny_names()


def test_training_needs_a_folder_unless_it_is_tiny(capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        run_command("train", [])
    assert "arguments are required: --out" in capsys.readouterr().err


def test_a_plan_of_a_training_says_what_and_how_long(tiny, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(command, "read_streams", lambda config, vectors: made_up_streams())
    config = tmp_path / "config.json"
    config.write_text(tiny_config(tiny, steps=500).to_json())
    out = tmp_path / "run"
    assert run_command("train", ["--recipe", str(config), "--out", str(out), "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert "reads 4 sources, 192 phrases" in shown
    assert "500 steps of 20 pairs (10,000 pairs): about" in shown
    assert not out.exists()


def test_an_estimate_is_near_the_time_it_takes(tiny, tmp_path) -> None:
    config, streams = tiny_config(tiny, steps=40, checkpoint_every=1_000), made_up_streams()
    model = load_phrase_model(config)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    found = estimate(config, streams, model, accelerator_of("cpu"))
    assert (found.sources, found.phrases, found.pairs) == (4, 192, 800)
    assert found.encoded == 144  # typed rows have no neighbours
    assert all(value.equal(before[name]) for name, value in model.state_dict().items())
    began = time.perf_counter()
    Run(config, streams, tmp_path / "run", device="cpu").steps()
    took = time.perf_counter() - began
    # Within an order of magnitude: the machine does other things too.
    assert took / 12 < found.training < 12 * took


def test_a_run_says_how_far_it_is(tiny, tmp_path, caplog) -> None:
    run = Run(tiny_config(tiny, steps=3), made_up_streams(), tmp_path, report_seconds=0.0)
    with caplog.at_level(logging.INFO, logger=LOG.name):
        run.steps()
    lines = [record.getMessage() for record in caplog.records]
    assert [line.split(":")[0] for line in lines] == [f"step {n} of 3" for n in (1, 2, 3)]
    assert lines[-1].endswith("about 0 seconds left")
