"""Every command ends with 0, 1 after a wrong input, 2 after a wrong usage, 130 after Ctrl-C."""

import importlib
import json

import pytest

from pearljoin_train.__main__ import COMMANDS, main

WRONG_INPUTS = {
    "evaluate": ["--model", "string-distance", "--tasks", "turney"],
    "plot": ["bar", "nowhere/run.json"],
    "report": ["--page", "nowhere/page.md"],
    "data": ["verify"],
    "scorer": ["--evaluate", "nowhere"],
    "records": ["--out", "out"],
    "record-scorer": ["--out", "nowhere"],
    "background": ["--out", "out.npz"],
    "given-names": ["--out", "out.txt"],
    "word-weights": ["learn", "--pairs", "poems", "--out", "out.json"],
    "corpus": ["build", "nowhere.txt", "--out", "out.parquet"],
    "average": ["--base", "nowhere", "--tuned", "nowhere", "--out", "out"],
    "train": ["--recipe", "nowhere", "--out", "out"],
    "finetune": ["--pairs", "nowhere.csv", "--out", "out"],
    "ablate": ["--recipe", "nowhere", "--out", "out"],
    "sweep": ["--recipe", "nowhere", "--out", "out"],
    "generalize": ["--recipe", "nowhere", "--out", "out"],
    "reproduce": ["--recipe", "nowhere", "--out", "out"],
    "augment": ["--phrases", "nowhere.txt", "--out", "out.parquet"],
    "negatives": ["--phrases", "nowhere.txt", "--out", "out.parquet"],
    "love": ["--vectors", "nowhere", "--words", "nowhere", "--out", "out"],
    "ngrams": ["--model", "nowhere", "--out", "out"],
    "card": ["--folder", "nowhere"],
    "nano": ["--teacher", "nowhere", "--out", "out"],
    "pack": ["--out", "out"],
    "unpack": ["--from", "nowhere", "--out", "out"],
    "gpu-check": ["--model", "nowhere"],
    "export": ["--base", "nowhere", "--out", "out"],
}


@pytest.fixture(autouse=True)
def without_data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "nowhere"))


def test_every_command_has_a_wrong_input():
    assert set(WRONG_INPUTS) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_wrong_input_is_one_line_and_code_1(name, tmp_path, capsys):
    assert main([name, *WRONG_INPUTS[name]]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert sum(line.startswith("error: ") for line in lines) == 1
    assert "Hint: " in lines[-1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_wrong_usage_is_code_2(name, capsys):
    with pytest.raises(SystemExit, match=r"^2$"):
        main([name, "--no-such-option"])
    assert capsys.readouterr().err.startswith("usage: python -m pearljoin_train")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_code_0(name, capsys):
    with pytest.raises(SystemExit, match=r"^0$"):
        main([name, "--help"])
    assert capsys.readouterr().out.startswith(f"usage: python -m pearljoin_train {name}")


@pytest.mark.parametrize("name", COMMANDS)
def test_ctrl_c_is_code_130(name, monkeypatch, capsys):
    def interrupted(arguments):
        raise KeyboardInterrupt

    module = importlib.import_module(f"pearljoin_train.{COMMANDS[name][0]}")
    monkeypatch.setattr(module, "main", interrupted)
    assert main([name]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_an_unknown_command_is_a_wrong_usage(capsys):
    assert main(["nothing"]) == 2
    assert main([]) == 2
    assert main(["--help"]) == 0
    assert "usage: python -m pearljoin_train <command>" in capsys.readouterr().out


@pytest.mark.parametrize("content", ["{", "{}", json.dumps({"files": {"model.onnx": ""}})])
def test_a_folder_that_is_no_model_has_no_card(tmp_path, content, capsys):
    (tmp_path / "config.json").write_text(content)
    assert main(["card", "--folder", str(tmp_path)]) == 1
    assert "--folder wants a model folder" in capsys.readouterr().err
