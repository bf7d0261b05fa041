"""Whether values of answers are related, as they are written."""

from __future__ import annotations

import numpy as np
import pytest

from pearljoin._scoring.related_values import are_related

RNG = np.random.default_rng(5)
NUMBERS = RNG.permutation(np.arange(1_000_000, 9_999_999, 150_001)).tolist()
SIZES = [(n % 897 / 10 + 10, n % 1_013 / 10 + 12) for n in NUMBERS]


@pytest.mark.parametrize(
    "answers",
    [
        [(f"MSKU{n}", f"msku {n // 10}-{n % 10}") for n in NUMBERS],
        [(f"{n}", f"Lot {n} B") for n in NUMBERS],
        [(f"{a} x {b} cm", f"{a / 2.54:.1f} by {b / 2.54:.1f} in; {a}, {b}") for a, b in SIZES],
        [(f"{n}", f"{n - 40_000:,} to {n + 50_000:,}") for n in NUMBERS],
        [(f"{n / 453.59:.1f}", f"{n}") for n in NUMBERS],
    ],
)
def test_what_is_related(answers: list[tuple[str, str]]) -> None:
    assert are_related(answers)
    shuffled = RNG.permutation([there for _, there in answers]).tolist()
    assert not are_related(
        [(here, there) for (here, _), there in zip(answers, shuffled, strict=True)]
    )
    assert not are_related(answers[:5])


@pytest.mark.parametrize(
    "answers",
    [
        [(f"B{200 + n % 7}", f"B{100 + n % 9}") for n in NUMBERS],
        [("shop", "catalogue")] * 40,
        [("in 2024", "since 2024")] * 40,
        [(str(row), str(n % 60)) for row, n in enumerate(NUMBERS)],
    ],
)
def test_what_is_not(answers: list[tuple[str, str]]) -> None:
    assert not are_related(answers)
