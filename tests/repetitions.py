"""Cases of a test beyond the first few, which `make test` leaves to `make test-thorough`."""

from collections.abc import Iterable
from typing import Any

import pytest

__all__ = ["few"]


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
