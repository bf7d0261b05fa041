"""Training in real processes: killed and resumed, and two that share the work."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from tiny_models import made_up_streams, tiny_config
from train_tiny import run_tiny

from pearljoin_train.training.checkpoint import latest_checkpoint
from pearljoin_train.training.run import train

HERE = Path(__file__).parent
LONGEST = 600
"""Seconds after which a process has died, not merely become slow."""


pytestmark = pytest.mark.usefixtures("one_thread")


def logged(out: Path) -> list[dict[str, float]]:
    """The whole lines of a run's log, without their times."""
    lines = (out / "log.jsonl").read_text().splitlines(keepends=True)
    rows = [json.loads(line) for line in lines if line.endswith("\n")]
    return [{k: v for k, v in row.items() if k != "time"} for row in rows]


@pytest.mark.thorough
def test_a_killed_run_loses_at_most_one_checkpoint_interval(tiny, tmp_path) -> None:
    config = tiny_config(tiny, steps=400, checkpoint_every=3, cooldown=0.0)
    (tmp_path / "config.json").write_text(config.to_json())
    out = tmp_path / "run"
    process = subprocess.Popen(
        [sys.executable, HERE / "train_tiny.py", "train", str(tmp_path)],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    deadline = time.monotonic() + LONGEST
    while not (out / "log.jsonl").exists() or len(logged(out)) < 8:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    done = len(logged(out))
    checkpoint = latest_checkpoint(out)
    assert checkpoint is not None
    saved = json.loads((checkpoint / "facts.json").read_text())["step"]
    assert done - 3 <= saved < 400
    (out / ".pearljoin-killed.part").mkdir()
    steps = saved + 4
    resumed = train(config.replace(steps=steps), made_up_streams(), out, development=False)
    whole = train(config.replace(steps=steps), made_up_streams(), tmp_path / "b", development=False)
    assert list(out.glob(".*")) == []
    assert logged(out) == logged(tmp_path / "b")
    one, two = resumed.state_dict(), whole.state_dict()
    torch.testing.assert_close(one, two, rtol=0, atol=0)


@pytest.mark.thorough
def test_two_processes_give_the_gradients_of_one(tiny, tmp_path) -> None:
    config = tiny_config(tiny, dropout=0.1, steps=3)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "config.json").write_text(config.to_json())
    started = [
        subprocess.Popen(
            [sys.executable, HERE / "train_tiny.py", "gradients", str(tmp_path)],
            env=os.environ
            | {
                "MASTER_ADDR": "127.0.0.1",
                "MASTER_PORT": str(port),
                "WORLD_SIZE": "2",
                "RANK": str(rank),
                "LOCAL_RANK": str(rank),
                "OMP_NUM_THREADS": "1",
            },
        )
        for rank in range(2)
    ]
    after, losses, expected, steps = run_tiny(config)
    assert [process.wait(LONGEST) for process in started] == [0, 0]
    for rank in range(2):
        found = torch.load(tmp_path / f"rank-{rank}.pt", weights_only=True)
        assert found["processes"] == 2
        assert found["losses"] == pytest.approx(losses)
        assert found["gradients"].keys() == expected.keys()
        for name, value in expected.items():
            torch.testing.assert_close(found["gradients"][name], value, rtol=1e-4, atol=1e-6)
        assert found["steps"][-1] == pytest.approx(steps[-1], rel=1e-3)
        for name, value in after.state_dict().items():
            if name.endswith("key.bias"):
                continue  # its gradient is 0 but for rounding, which Adam makes large
            torch.testing.assert_close(found["weights"][name], value, rtol=1e-3, atol=1e-4)
