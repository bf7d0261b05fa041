"""Progress display, seconds of each stage in the log, and the logger of the package.

A join is one piece of work (`work`) in several stages (`stage`): read, encode, search, features,
scoring, decision. The loops inside a stage count what is done (`progress`, `advance`). The display
is one line on standard error: the stage, its loop, and the time since the work began.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

__all__ = ["LOG", "HasOptions", "advance", "as_work", "progress", "stage", "work"]

T = TypeVar("T")
P = ParamSpec("P")
Result = TypeVar("Result")
Owner = TypeVar("Owner", bound="HasOptions")

LOG = logging.getLogger("pearljoin")
"""The only logger of the package."""

SECONDS_BEFORE_SHOWN = 3.0
"""Work that takes less is not shown, unless ``verbose=True``."""

SECONDS_BETWEEN_DRAWS = 0.2

COUNTED = "{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} [{elapsed}]"
UNCOUNTED = "{desc} [{elapsed}]"
"""Formats of the line, with and without a loop that counts."""


@contextmanager
def work(verbose: bool | None) -> Iterator[None]:
    """Show one display for everything that runs inside; nested calls share the outer display.

    Parameters
    ----------
    verbose
        None: only on a terminal, and only after a few seconds. True: always. False: never.
    """
    if not _is_shown(verbose) or _DISPLAY.get() is not None:
        yield
        return
    display = _Display(0.0 if verbose else SECONDS_BEFORE_SHOWN)
    token = _DISPLAY.set(display)
    try:
        yield
    finally:
        _DISPLAY.reset(token)
        display.close()


class HasVerbose(Protocol):
    """Options of a join, as far as its display goes."""

    @property
    def verbose(self) -> bool | None:
        """None: only on a terminal, and only after a few seconds. True: always. False: never."""
        ...


class HasOptions(Protocol):
    """An object whose options say whether its work is shown."""

    @property
    def _options(self) -> HasVerbose: ...


def as_work(
    method: Callable[Concatenate[Owner, P], Result],
) -> Callable[Concatenate[Owner, P], Result]:
    """Run a method as `work`, shown as the ``verbose`` of its object's options says."""

    @wraps(method)
    def run(self: Owner, /, *args: P.args, **kwargs: P.kwargs) -> Result:
        with work(self._options.verbose):
            return method(self, *args, **kwargs)

    return run


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Show the name of a stage, and log its seconds at DEBUG, without those of nested stages.

    Parameters
    ----------
    name
        What is done, such as ``"search"``.
    """
    outer, display = _STAGE.get(), _DISPLAY.get()
    here = _Stage(name)
    token = _STAGE.set(here)
    if display is not None:
        display.show(name)
    try:
        yield
    finally:
        _STAGE.reset(token)
        seconds = time.perf_counter() - here.start
        LOG.debug("%s: %.3f s", name, seconds - here.nested_seconds)
        if outer is not None:
            outer.nested_seconds += seconds
        if display is not None:
            display.show("" if outer is None else outer.name)


def advance(done: int, total: int) -> None:
    """Report how far the loop of the current stage is.

    Parameters
    ----------
    done, total
        Number of items.
    """
    display = _DISPLAY.get()
    if display is not None:
        display.count(done, total)


def progress(
    items: Iterable[T], *, total: int, label: str, unit: str, verbose: bool | None
) -> Iterator[T]:
    """Iterate over `items` and show how far the loop is, on standard error.

    Inside `work` the display of the work shows it; elsewhere a progress bar of its own.

    Parameters
    ----------
    items
        What to iterate over.
    total
        Number of items.
    label, unit
        What is done, and to what: ``"encoding"``, ``"batch"``.
    verbose
        None: only on a terminal, and only after a few seconds. True: always. False: never.
    """
    if _DISPLAY.get() is not None:
        for done, item in enumerate(items, 1):
            yield item
            advance(done, total)
        return
    if not _is_shown(verbose):
        # A bar that shows nothing takes tqdm's lock all the same, which a thread that is
        # interrupted there, and a child forked meanwhile, never give back.
        yield from items
        return
    from tqdm.auto import tqdm

    bar: Iterable[T] = tqdm(
        items,
        total=total,
        desc=label,
        unit=unit,
        leave=False,
        delay=0.0 if verbose else SECONDS_BEFORE_SHOWN,
    )
    yield from bar


def _is_shown(verbose: bool | None) -> bool:
    return _on_a_terminal() if verbose is None else verbose


def _on_a_terminal() -> bool:
    # A program without a console has no standard error.
    stream = sys.stderr
    return stream is not None and not stream.closed and stream.isatty()


class _Stage:
    """A stage that runs: its name, its start, and the seconds of the stages inside it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.start = time.perf_counter()
        self.nested_seconds = 0.0


class _Display:
    """One line on standard error, drawn by a thread of its own while the work runs.

    The work only replaces `_state`, one tuple, so that no lock is needed.
    """

    def __init__(self, delay: float) -> None:
        self._state = ("", 0, 0)
        self._delay = delay
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._draw, name="pearljoin-progress", daemon=True)
        self._thread.start()

    def show(self, name: str) -> None:
        """Show the name of a stage, nothing of which is counted yet."""
        self._state = (name, 0, 0)

    def count(self, done: int, total: int) -> None:
        """Show how far the loop of the stage is."""
        self._state = (self._state[0], done, total)

    def close(self) -> None:
        """Clear the line and end the thread."""
        self._closed.set()
        self._thread.join()

    def _draw(self) -> None:
        if self._closed.wait(self._delay):
            return
        from tqdm.auto import tqdm

        # The delay keeps tqdm from drawing a line that has no stage yet.
        with tqdm(total=0, leave=False, bar_format=UNCOUNTED, delay=1e-9) as bar:
            bar.start_t -= self._delay
            closed = False
            while not closed:
                name, done, total = self._state
                bar.n, bar.total = done, total
                bar.bar_format = COUNTED if total else UNCOUNTED
                bar.set_description_str(f"pearljoin: {name}" if name else "pearljoin")
                closed = self._closed.wait(SECONDS_BETWEEN_DRAWS)


_DISPLAY: ContextVar[_Display | None] = ContextVar("pearljoin_display", default=None)
_STAGE: ContextVar[_Stage | None] = ContextVar("pearljoin_stage", default=None)
