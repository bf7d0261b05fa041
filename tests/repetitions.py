"""Cases of a test beyond the first few, which `make test` leaves to `make test-thorough`."""

from collections.abc import Iterable
from typing import Any

import pytest

__all__ = ["few", "one_in"]


def few(cases: Iterable[Any], n: int) -> list[Any]:
    """Return the cases, those after the first `n` marked ``thorough``.

    A case that is a tuple holds several arguments.
    """
    listed = list(cases)
    more = (
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.thorough)
        for case in listed[n:]
    )
    return [*listed[:n], *more]


def one_in(cases: Iterable[Any], n: int, first: int = 0) -> list[Any]:
    """Return the cases, one of `n` from the `first` on as they are, the others ``thorough``."""
    listed = list(cases)
    listed = listed[first:] + listed[:first]
    return few([case for at in range(n) for case in listed[at::n]], len(listed[::n]))
