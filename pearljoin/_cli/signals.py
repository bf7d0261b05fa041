"""Signals that end a command: Ctrl-C and SIGTERM unwind the stack, so that temporary files go.

Python raises the exception of a signal wherever the program is. In a callback whose exceptions are
dropped (``__del__``, a weak reference's, the import system's), or in a library that catches it,
the command would go on. So a signal is remembered too: `check` raises again.
"""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Any, NoReturn

__all__ = ["INTERRUPTED", "check", "ending_signals"]

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM

_received: ContextVar[Sequence[int]] = ContextVar("_received", default=())
"""Numbers of the signals that the running command received."""


def check() -> None:
    """Raise what ends the command, if it received a signal.

    Raises
    ------
    KeyboardInterrupt
        After SIGINT.
    SystemExit
        After SIGTERM.
    """
    received = _received.get()
    if received:
        raise _ending(received[-1])


@contextlib.contextmanager
def ending_signals() -> Iterator[None]:
    """Make SIGINT and SIGTERM end what runs within, even where their exceptions are dropped.

    A SIGINT that is ignored, or that the caller handles in its own way, stays so. Outside the
    main thread, which alone may set handlers, nothing is done.

    Raises
    ------
    KeyboardInterrupt
        On SIGINT; at the end of what runs within at the latest.
    SystemExit
        The same on SIGTERM.
    """
    received: list[int] = []

    def end(number: int, _: Any) -> NoReturn:
        received.append(number)
        raise _ending(number)

    with contextlib.ExitStack() as restoring:
        token = _received.set(received)
        restoring.callback(_received.reset, token)
        restoring.enter_context(_quiet_when_dropped(received))
        with contextlib.suppress(ValueError):  # not in the main thread
            restoring.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, end))
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                restoring.callback(signal.signal, signal.SIGINT, signal.default_int_handler)
                signal.signal(signal.SIGINT, end)
        try:
            yield
        except Exception:
            # What fails after a signal, such as a library that catches its exception, is no error.
            check()
            raise
        check()


@contextlib.contextmanager
def _quiet_when_dropped(received: Sequence[int]) -> Iterator[None]:
    """Do not report the exception of a signal as dropped, since `check` raises it again."""
    before = sys.unraisablehook

    def report(dropped: Any) -> None:
        if not (received and issubclass(dropped.exc_type, KeyboardInterrupt | SystemExit)):
            before(dropped)

    sys.unraisablehook = report
    try:
        yield
    finally:
        sys.unraisablehook = before


def _ending(number: int) -> BaseException:
    return KeyboardInterrupt() if number == signal.SIGINT else SystemExit(int(TERMINATED))
