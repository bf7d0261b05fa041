"""Every writer, with every file operation failing in turn: old or new, and nothing beside it."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from failing_files import FOLDER_OPERATIONS, FailingAt
from frames import TrigramEncoder

import pearljoin as pj
from pearljoin._atomic import remove_unfinished
from pearljoin._cli import main
from pearljoin_train.common.cached_encoder import CachedEncoder
from pearljoin_train.training.checkpoint import (
    latest_checkpoint,
    load_checkpoint,
    save_checkpoint,
)

MOST_OPERATIONS = 400


def write_matcher(place: Path, content: str) -> None:
    pj.Matcher(encoder=TrigramEncoder(), threshold=0.5).fit([content, "other"]).save(place / "m")


def read_matcher(place: Path) -> str:
    matcher = pj.Matcher.load(place / "m", encoder=TrigramEncoder())
    return matcher.match(["old", "new"]).pairs()["right"].dropna().tolist()[0]


def write_checkpoint(place: Path, content: str) -> None:
    import torch

    # As a run does: a checkpoint that could not be moved into its place is kept until then.
    (place / "run").mkdir(exist_ok=True)
    remove_unfinished(place / "run")
    module = torch.nn.Linear(1, 1)
    step = {"old": 1, "new": 2}[content]
    optimiser = torch.optim.SGD(module.parameters(), lr=0.1)
    save_checkpoint(place / "run", step, {"m": module}, optimiser, {}, {"content": content})


def read_checkpoint(place: Path) -> str:
    import torch

    module, newest = torch.nn.Linear(1, 1), latest_checkpoint(place / "run")
    assert newest is not None
    optimiser = torch.optim.SGD(module.parameters(), lr=0.1)
    return load_checkpoint(newest, {"m": module}, optimiser)[0]["content"]


def write_cache(place: Path, content: str) -> None:
    CachedEncoder(TrigramEncoder(), folder=place / "cache").encode([content])


def read_cache(place: Path) -> str:
    cached = CachedEncoder(TrigramEncoder(), folder=place / "cache")
    n_kept = cached.n_kept
    phrases = ["old", "new"][:n_kept]
    np.testing.assert_array_equal(cached.encode(phrases), TrigramEncoder().encode(phrases))
    return phrases[-1]


def write_output(place: Path, content: str) -> None:
    (place / "l.csv").write_bytes(b"name\n" + content.encode() + b"\n")
    words = ["join", place / "l.csv", place / "l.csv", "--on", "name", "--out", place / "out.csv"]
    code = main([str(word) for word in words])
    if code:
        raise pj.InputError(f"exit code {code}")


def read_output(place: Path) -> str:
    header, row = (place / "out.csv").read_text().splitlines()
    assert header.startswith("name,")
    return row.split(",")[0]


WRITERS: dict[str, tuple[Callable[[Path, str], None], Callable[[Path], str]]] = {
    "matcher": (write_matcher, read_matcher),
    "checkpoint": (write_checkpoint, read_checkpoint),
    "cache": (write_cache, read_cache),
    "output of the command line": (write_output, read_output),
}


@pytest.mark.parametrize("name", WRITERS)
def test_whichever_operation_fails_the_old_or_the_new_is_there(
    monkeypatch, tmp_path: Path, name: str
) -> None:
    write, read = WRITERS[name]
    failed: list[str] = []
    for n in range(1, MOST_OPERATIONS):
        place = tmp_path / str(n)
        place.mkdir()
        write(place, "old")
        refused = False
        with monkeypatch.context() as patched:
            failing = FailingAt(patched, n, FOLDER_OPERATIONS)
            try:
                write(place, "new")
            except (pj.PearljoinError, OSError):
                refused = True
            finally:
                failing.on = False
        assert read(place) == ("old" if refused else "new")
        # What is left beside it is swept by the next write at the latest.
        write(place, "new")
        assert read(place) == "new"
        assert [path.name for path in place.rglob(".*")] == []
        assert list(place.rglob("*.part")) == []
        if not failing.failed:
            break
        failed.append(failing.failed)
    assert n < MOST_OPERATIONS - 1
    assert {"open", "fsync"} <= set(failed), json.dumps(failed)
