"""What only a process of its own shows: pipes, terminals, signals, and what is not installed."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

import pearljoin as pj

termios = pytest.importorskip("termios", reason="signals, pipes and terminals")

PROGRAM = [sys.executable, "-m", "pearljoin"]
LONGEST = 600
"""Seconds after which a process has died, not merely become slow."""

WITHOUT = "import sys; sys.modules[{!r}] = None; from pearljoin._cli import main; sys.exit(main())"


@pytest.fixture
def _names(tmp_path: Path) -> None:
    pl.DataFrame({"name": [f"name {i}" for i in range(3_000)]}).write_csv(tmp_path / "names.csv")


def test_a_join_from_start_to_end(spawn, tmp_path: Path) -> None:
    (tmp_path / "left.csv").write_text("name\nThe Beatles\nnobody\n")
    (tmp_path / "right.jsonl").write_text('{"name": "the beatles", "n": 4}\n')
    done = spawn("join", "left.csv", "right.jsonl", "--on", "name", "--threshold", 1)
    assert done == (
        0,
        "name,name_right,n,match_score\nThe Beatles,the beatles,4,1.0\nnobody,,,\n",
        "pearljoin: joined on name (text); matched 1 of 2 left rows at threshold 1"
        "; an estimated 100 % of these are right; "
        "2 rows to standard output\n",
    )


def test_the_installed_command_is_the_same(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("pearljoin")
    if not script.exists():
        pytest.skip("pearljoin is not installed")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["pearljoin", pj.__version__]


def test_an_error_is_one_line_without_a_traceback(spawn, tmp_path: Path) -> None:
    (tmp_path / "bad.parquet").write_bytes(b"PAR1" + bytes(100) + b"PAR1")
    done = spawn("encode", "bad.parquet", "--on", "name", "--out", "out.csv")
    assert done.code == 1
    assert done.out == ""
    assert done.err.startswith("pearljoin: error: 'bad.parquet' cannot be read as parquet: ")
    assert done.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["bad.parquet"]


@pytest.mark.parametrize(
    ("package", "words"), [("typer", ["info"]), ("polars", ["encode", "a.csv"])]
)
def test_without_the_extra_it_says_how_to_get_it(
    package: str, words: list[str], spawn, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text("name\nx\n")
    done = spawn(*words, program=("-c", WITHOUT.format(package)))
    assert done.code == 1
    assert f"needs the package {package!r}" in done.err
    assert done.err.endswith("Hint: pip install 'pearljoin[cli]'\n")
    assert done.err.count("\n") == 1


@pytest.mark.usefixtures("_names")
@pytest.mark.parametrize(
    ("sent", "code", "said"),
    [(signal.SIGINT, 130, "pearljoin: interrupted\n"), (signal.SIGTERM, 143, "")],
)
def test_a_signal_leaves_no_half_file(
    sent: signal.Signals, code: int, said: str, tmp_path: Path
) -> None:
    (tmp_path / "out.csv").write_text("old")
    with subprocess.Popen(
        [*PROGRAM, "encode", "names.csv", "--out", "out.csv"],
        cwd=tmp_path, stderr=subprocess.PIPE, text=True,
        # As from a shell in the foreground, whatever the test runner was started by.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:  # fmt: skip
        deadline = time.monotonic() + LONGEST
        while not list(tmp_path.glob(".pearljoin-*.part")):
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(sent)
        _, err = process.communicate(timeout=LONGEST)
    assert (process.returncode, err) == (code, said)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["names.csv", "out.csv"]
    assert (tmp_path / "out.csv").read_text() == "old"


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    # Some times what is held back before it is written.
    names = [f"name {i}" for i in range(1_000)]
    pl.DataFrame({"name": names}).write_csv(tmp_path / "names.csv")
    with subprocess.Popen(
        [*PROGRAM, "dedupe", "names.csv", "--quiet", "--threshold", "1", "--encoder", "pearl-nano"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        process.stdout.close()
        err = process.stderr.read()
    assert (process.returncode, err) == (141, b"")


def read_all(terminal: int) -> bytes:
    """Read what a terminal was sent, whose other side is closed."""
    parts = []
    with contextlib.suppress(OSError):  # Linux: EIO at the end
        while part := os.read(terminal, 4_096):
            parts.append(part)
    os.close(terminal)
    return b"".join(parts)


def test_a_progress_bar_on_a_terminal_and_none_in_a_pipe(spawn, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("name\nx\ny\n")
    words = ["encode", "a.csv", "--verbose", "--out", "out.csv"]
    piped = spawn(*words)
    assert piped == (0, "", "pearljoin: encoded 'name' in 576 columns; 2 rows to out.csv\n")

    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    subprocess.run([*PROGRAM, *words], cwd=tmp_path, stderr=theirs, check=True)
    os.close(theirs)
    shown = read_all(ours).decode()
    bar, summary = shown.split("pearljoin: ")
    assert "encoding: " in bar
    assert "%|" in bar
    assert summary == "encoded 'name' in 576 columns; 2 rows to out.csv\r\n"
