"""A process that has matched may have children that match: forked, spawned, or of joblib."""

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest
from repetitions import few

from pearljoin import _parallel
from pearljoin._parallel import openmp_threads, processors

PROGRAM = Path(__file__).parent / "in_children.py"
METHODS = [*multiprocessing.get_all_start_methods(), "loky"]
LONGEST = 600
"""Seconds. A child that hangs would never end; one that works takes a few, and many times as long
where other work keeps the processors."""


def run(*arguments: str) -> list[str]:
    # Two threads are asked for whatever the tests run under: with one, nothing could hang.
    environment = {**os.environ, "OMP_NUM_THREADS": "2", "TOKENIZERS_PARALLELISM": "false"}
    process = subprocess.Popen(
        [sys.executable, str(PROGRAM), *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, errors = process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)  # its children hang too
        out, _ = process.communicate()
        pytest.fail(f"children hang: {' '.join(arguments)}; before that: {out.splitlines()}")
    assert process.returncode == 0, (out, errors)
    return out.splitlines()


@pytest.mark.parametrize("method", few(METHODS, 1))
def test_children_of_a_process_that_has_matched_give_its_answers(method: str) -> None:
    said = run("default", method)
    assert f"{method} True True" in said


@pytest.mark.thorough
@pytest.mark.skipif("fork" not in METHODS, reason="this system does not fork")
def test_a_forked_child_encodes_with_torch(tmp_path) -> None:
    torch = pytest.importorskip("torch")
    from transformers import BertConfig, BertModel

    from pearljoin._encoders.load import DEFAULT
    from pearljoin._encoders.model_folder import MODELS

    torch.manual_seed(0)
    # Wide enough for torch to share a product among threads.
    config = BertConfig(
        vocab_size=30522, hidden_size=128, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=512, max_position_embeddings=64,
    )  # fmt: skip
    BertModel(config).save_pretrained(tmp_path)
    tokenizer = (MODELS / DEFAULT / "tokenizer.json").read_bytes()
    (tmp_path / "tokenizer.json").write_bytes(tokenizer)
    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "BertTokenizer"}')
    assert run(str(tmp_path), "fork") == ["fork True True"]


@pytest.mark.parametrize(("variable", "most"), [("1", 1), ("3", 3), ("2,4", 2), (" 5 ", 5)])
def test_threads_are_no_more_than_asked_for(monkeypatch, variable: str, most: int) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", variable)
    assert (processors(), openmp_threads()) == (most, most)


@pytest.mark.parametrize("variable", ["", "0", "all", "-1", "99"])
def test_threads_are_no_more_than_the_processors_of_the_process(monkeypatch, variable: str) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {2, 5}, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", variable)
    assert (processors(), openmp_threads()) == (2, 2)


def test_a_forked_child_asks_openmp_for_one_thread(monkeypatch) -> None:
    monkeypatch.setattr(_parallel, "_forked", True)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert (processors(), openmp_threads()) == (8, 1)
