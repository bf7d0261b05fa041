"""The minutes of a run: how many steps fit, and when to stop."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from statistics import median

from pearljoin._errors import InputError

__all__ = ["Clock"]

FEWEST, TIMED = 5, 20
"""Last steps whose median is the time of a step: at least, at most."""
MARGIN = 0.97
"""Of the time that is left, what steps may take by the present pace."""


class Clock:
    """Counts a run's minutes over all its sittings, and keeps some for what follows the training.

    Parameters
    ----------
    minutes
        Of the whole run.
    reserve
        Seconds at the end that are not trained in: averaging, evaluation, writing.
    sitting
        Minutes until this process has to stop, to be gone on with by another; None: no bound.
    spent
        Seconds of sittings before this one.
    now
        Returns seconds; for tests.

    Raises
    ------
    InputError
        If no time is left to train in.

    Examples
    --------
    >>> clock = Clock(10, reserve=60, now=iter([0.0, 100.0]).__next__)
    >>> clock.left()
    440.0
    """

    def __init__(
        self,
        minutes: float,
        *,
        reserve: float,
        sitting: float | None = None,
        spent: float = 0.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        if not 0 <= reserve < 60 * minutes or (sitting is not None and sitting <= 0):
            raise InputError(
                f"A run needs time to train in. Got {minutes:g} minutes, of which "
                f"{reserve / 60:.1f} are kept for the evaluation, and a sitting of {sitting}. "
                "Hint: --minutes 20."
            )
        self._now = now
        self._began = now()
        self._seconds = 60 * minutes
        self._reserve = reserve
        self._sitting = sitting
        self._before = spent
        self._steps: deque[float] = deque(maxlen=TIMED)

    def resume(self, spent: float) -> None:
        """Count what earlier sittings took."""
        self._before = spent

    def spent(self) -> float:
        """Return the seconds of all sittings so far."""
        return self._before + self._now() - self._began

    def left(self) -> float:
        """Return the seconds that are left to train in."""
        return self._seconds - self._reserve - self.spent()

    def left_in_all(self) -> float:
        """Return the seconds that are left until the minutes end."""
        return self._seconds - self.spent()

    def sitting_is_over(self) -> bool:
        """Whether this process has to stop, though the run has not ended."""
        return self._sitting is not None and self._now() - self._began >= 60 * self._sitting

    def step_took(self, seconds: float) -> None:
        """Count a step."""
        self._steps.append(seconds)

    def knows_its_pace(self) -> bool:
        """Whether enough steps were timed to say how many fit."""
        return len(self._steps) >= FEWEST

    def affordable(self) -> int:
        """Return how many further steps fit into the time that is left, by the last ones' pace."""
        if not self._steps:
            return 0
        return max(0, int(MARGIN * self.left() / max(median(self._steps), 1e-9)))
