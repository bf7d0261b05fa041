"""Stages of the work: one display on a terminal, none elsewhere, and seconds in the log."""

import io
import logging
import re
import sys
import threading
import time
from contextlib import redirect_stderr

import pytest

from pearljoin import _progress
from pearljoin._progress import advance, progress, stage, work


class Terminal(io.StringIO):
    """Standard error on a terminal, or in a pipe."""

    def __init__(self, *, is_terminal: bool = True) -> None:
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal

    def drawn(self) -> list[str]:
        return [line.strip() for line in re.split(r"[\r\n]", self.getvalue()) if line.strip()]


@pytest.fixture
def terminal(monkeypatch) -> Terminal:
    monkeypatch.setattr(_progress, "SECONDS_BEFORE_SHOWN", 0.0)
    monkeypatch.setattr(_progress, "SECONDS_BETWEEN_DRAWS", 0.01)
    return Terminal()


def displays() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "pearljoin-progress"]


def do_work() -> None:
    with stage("encode"):
        for _ in progress("abcd", total=4, label="encoding", unit="batch", verbose=None):
            time.sleep(0.1)
    with stage("search"):
        time.sleep(0.3)


@pytest.mark.parametrize("verbose", [None, True])
def test_one_display_shows_all_stages_of_the_work(terminal: Terminal, verbose) -> None:
    with redirect_stderr(terminal), work(verbose):
        do_work()
    drawn = terminal.drawn()
    assert any(re.match(r"pearljoin: encode:  75%\|.*\| 3/4 \[00:00\]", line) for line in drawn)
    assert any(re.match(r"pearljoin: search \[00:0[01]\]", line) for line in drawn)
    # One line, drawn over and over, and cleared at the end.
    assert "\n" not in terminal.getvalue()
    assert terminal.getvalue().rsplit("\r", 2)[1].strip() == ""
    assert displays() == []


def test_it_is_silent_in_pipes(terminal: Terminal) -> None:
    terminal.is_terminal = False
    with redirect_stderr(terminal), work(None):
        assert displays() == []
        do_work()
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("verbose", [None, False])
def test_a_silent_loop_waits_for_no_lock_of_other_bars(verbose: bool | None) -> None:
    from tqdm.auto import tqdm

    done: list[str] = []

    def loop() -> None:
        done.extend(progress("abc", total=3, label="encoding", unit="batch", verbose=verbose))

    with redirect_stderr(Terminal(is_terminal=False)), tqdm.get_lock():
        thread = threading.Thread(target=loop, daemon=True)
        thread.start()
        thread.join(10)
        assert done == ["a", "b", "c"]


def test_it_is_silent_where_asked(terminal: Terminal) -> None:
    with redirect_stderr(terminal), work(False), stage("search"):
        assert displays() == []
        advance(1, 2)
    assert terminal.getvalue() == ""


def test_a_pipe_shows_it_where_asked(terminal: Terminal) -> None:
    terminal.is_terminal = False
    with redirect_stderr(terminal), work(True), stage("search"):
        pass
    assert terminal.drawn() != []


def test_short_work_is_not_shown(terminal: Terminal, monkeypatch) -> None:
    monkeypatch.setattr(_progress, "SECONDS_BEFORE_SHOWN", 60.0)
    start = time.perf_counter()
    with redirect_stderr(terminal), work(None):
        do_work()
    assert terminal.getvalue() == ""
    assert time.perf_counter() - start < 30


@pytest.mark.parametrize("stream", [None, "closed"])
def test_a_program_without_standard_error_works(monkeypatch, stream) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed if stream else None)
    with work(None), stage("search"):
        assert displays() == []


def test_nested_work_shares_the_display(terminal: Terminal) -> None:
    with redirect_stderr(terminal), work(True):
        (outer,) = displays()
        with work(True), stage("search"):
            assert displays() == [outer]
        assert outer.is_alive()
    assert displays() == []


def test_an_error_ends_the_display(terminal: Terminal) -> None:
    def fail() -> None:
        with redirect_stderr(terminal), work(True), stage("search"):
            raise ValueError("no such thing")

    with pytest.raises(ValueError, match="no such thing"):
        fail()
    assert displays() == []
    assert _progress._DISPLAY.get() is _progress._STAGE.get() is None


def test_threads_have_displays_of_their_own(terminal: Terminal) -> None:
    shown: dict[str, object] = {}
    both = threading.Barrier(2, timeout=20)

    def run(name: str) -> None:
        with work(True), stage(name):
            both.wait()
            advance(len(name), 10)
            both.wait()
            shown[name] = _progress._DISPLAY.get()._state

    threads = [threading.Thread(target=run, args=(name,)) for name in ("encode", "search by")]
    with redirect_stderr(terminal):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert shown == {"encode": ("encode", 6, 10), "search by": ("search by", 9, 10)}
    assert displays() == []


def test_after_a_nested_stage_the_outer_one_is_shown(terminal: Terminal) -> None:
    with redirect_stderr(terminal), work(True), stage("scoring"):
        with stage("search"):
            advance(1, 2)
        assert _progress._DISPLAY.get()._state == ("scoring", 0, 0)


def test_seconds_of_a_stage_leave_out_nested_ones(caplog) -> None:
    with caplog.at_level(logging.DEBUG, "pearljoin"), stage("scoring"):
        time.sleep(0.05)
        with stage("search"):
            time.sleep(0.2)
    seconds = {}
    for record in caplog.records:
        name, _, took = record.getMessage().partition(": ")
        seconds[name] = float(took.removesuffix(" s"))
    assert list(seconds) == ["search", "scoring"]
    assert seconds["search"] >= 0.2
    assert 0.05 <= seconds["scoring"] < 0.2


def test_seconds_of_three_nested_stages_are_each_counted_once(caplog, monkeypatch) -> None:
    now = 0.0
    monkeypatch.setattr(_progress.time, "perf_counter", lambda: now)
    with caplog.at_level(logging.DEBUG, "pearljoin"), stage("outer"):
        now += 1
        for _ in range(2):
            with stage("middle"):
                now += 10
                with stage("inner"):
                    now += 100
                with stage("beside"):
                    now += 1000
                now += 10
        now += 1
    inside = ["inner: 100.000 s", "beside: 1000.000 s", "middle: 20.000 s"]
    messages = [record.getMessage() for record in caplog.records]
    assert messages == [*inside, *inside, "outer: 2.000 s"]


def test_outside_of_work_a_loop_has_a_bar_of_its_own(terminal: Terminal) -> None:
    with redirect_stderr(terminal):
        done = list(progress("ab", total=2, label="training", unit="step", verbose=True))
    assert done == ["a", "b"]
    assert "training" in terminal.getvalue()
    assert displays() == []
