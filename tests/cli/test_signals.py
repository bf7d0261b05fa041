"""A signal ends a command wherever it arrives, also where its exception is dropped or caught."""

import contextlib
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import pearljoin as pj
from pearljoin._cli import commands, main

Arrive = Callable[[signal.Signals], None]
ENCODE = ("encode", "names.csv", "--out", "out.csv")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "names.csv").write_text("name\nx\ny\n")
    (tmp_path / "out.csv").write_text("old")


@pytest.fixture(autouse=True)
def _default_handlers():
    """Set the handlers of a process started from a shell, whatever the test runner has."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


class Collected:
    """Receives a signal while it is collected; Python drops what is raised there."""

    def __init__(self, sent: signal.Signals) -> None:
        self.sent = sent

    def __del__(self) -> None:
        signal.raise_signal(self.sent)


def collected(sent: signal.Signals) -> None:
    Collected(sent)


def caught(sent: signal.Signals) -> None:
    with contextlib.suppress(KeyboardInterrupt, SystemExit):
        signal.raise_signal(sent)


def turned_into_an_error(sent: signal.Signals) -> None:
    try:
        signal.raise_signal(sent)
    except (KeyboardInterrupt, SystemExit) as error:
        raise pj.InputError("The operation failed.") from error


@pytest.fixture
def ends(run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    """Run a command that receives a signal before a step of it; the code and what it printed."""

    def call(words: tuple[str, ...], step: str, sent: signal.Signals, arrive: Arrive):
        original = getattr(commands, step)

        def received(*arguments: object, **named: object):
            arrive(sent)
            return original(*arguments, **named)

        monkeypatch.setattr(commands, step, received)
        if sent == signal.SIGINT:
            return run(*words)
        with pytest.raises(SystemExit, match="143"):
            run(*words)
        return None

    return call


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("step", ["read_table", "write_table"])
@pytest.mark.parametrize("arrive", [signal.raise_signal, collected, caught, turned_into_an_error])
def test_a_signal_leaves_the_old_output(ends, step, sent, arrive: Arrive, capfd) -> None:
    hook = sys.unraisablehook
    done = ends(ENCODE, step, sent, arrive)
    if done is not None:
        assert done == (130, "", "pearljoin: interrupted\n")
    else:
        assert tuple(capfd.readouterr()) == ("", "")
    assert sorted(path.name for path in Path().iterdir()) == ["names.csv", "out.csv"]
    assert Path("out.csv").read_text() == "old"
    assert sys.unraisablehook is hook
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


@pytest.mark.parametrize("arrive", [signal.raise_signal, collected, caught])
def test_nothing_goes_to_standard_output_after_a_signal(ends, arrive: Arrive) -> None:
    done = ends(("encode", "names.csv"), "read_table", signal.SIGINT, arrive)
    assert done == (130, "", "pearljoin: interrupted\n")


def test_a_signal_after_the_output_is_no_success(ends) -> None:
    done = ends(ENCODE, "_summary", signal.SIGINT, collected)
    assert done.code == 130
    assert done.err.endswith("pearljoin: interrupted\n")
    assert Path("out.csv").read_text().startswith("name,")


def test_the_next_command_is_not_interrupted(ends, run, monkeypatch) -> None:
    original = commands.read_table
    assert ends(ENCODE, "read_table", signal.SIGINT, collected).code == 130
    monkeypatch.setattr(commands, "read_table", original)
    assert run(*ENCODE).code == 0


def test_an_ignored_signal_stays_ignored(ends) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    assert ends(ENCODE, "read_table", signal.SIGINT, collected).code == 0
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_other_dropped_exceptions_are_reported(run, monkeypatch) -> None:
    class Broken:
        def __del__(self) -> None:
            raise ValueError("broken")

    seen: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda dropped: seen.append(dropped.exc_type))
    original = commands.read_table

    def read(*arguments: object, **named: object):
        Broken()
        return original(*arguments, **named)

    monkeypatch.setattr(commands, "read_table", read)
    assert run(*ENCODE).code == 0
    assert seen == [ValueError]


def test_a_command_runs_in_a_thread(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(main([*ENCODE, "--quiet"])))
    thread.start()
    thread.join()
    assert codes == [0]
