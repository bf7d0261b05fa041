"""Running a command in this process, which is fast, and in one of its own, which is real."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from pearljoin._cli import main
from pearljoin._cli.messages import NAMES

# Of Python, outside what is quoted.
ARGUMENT = re.compile(rf"(?<![\w-])(?:{'|'.join(NAMES)})=")
QUOTED = re.compile(r"(?<!\w)'[^']*'")


class Done(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process, in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)

    def call(*words: object) -> Done:
        capfd.readouterr()
        code = main([str(word) for word in words])
        return Done(code, *capfd.readouterr())

    return call


@pytest.fixture
def refused(run: Run) -> Callable[..., str]:
    """Run a command that must fail; its message, after the checks that hold for all of them."""

    def call(*words: object, code: int = 1) -> str:
        done = run(*words)
        assert done.code == code
        assert done.out == ""
        assert done.err.startswith("pearljoin: error: ")
        assert done.err.count("\n") == 1
        assert ARGUMENT.search(QUOTED.sub("", done.err)) is None
        assert list(Path().glob(".pearljoin-*")) == []
        return done.err.removeprefix("pearljoin: error: ").rstrip("\n")

    return call


@pytest.fixture
def spawn(tmp_path: Path) -> Run:
    """Run a command in a process of its own."""

    def call(*words: object, program: tuple[str, ...] = ("-m", "pearljoin")) -> Done:
        done = subprocess.run(
            [sys.executable, *program, *map(str, words)],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return Done(done.returncode, done.stdout, done.stderr)

    return call
