"""The time of a long text grows no faster than n log n, whatever it is made of."""

import time
from collections.abc import Callable

import pytest
from odd_texts import SHAPES

import pearljoin as pj
from pearljoin._text.normalise import normalise

SHORT, LONG = 25_000, 100_000
"""Characters: n log n grows by 4.6 from the one to the other, the square by 16."""

MOST_GROWTH = 9

SETTLED = 0.2
"""Seconds of processor time: shorter ones say little."""


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """Load the model first."""
    pj.match(["a"], ["b"]).matches()


def matched(text: str) -> None:
    # A near copy and one that is turned round are candidates, so that every measure is taken.
    result = pj.match([text, "x y"], [text[7:], text[::-1], "x y z"], threshold=0.5)
    assert len(result.matches()) <= 2


def seconds(run: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    run(text)
    return time.process_time() - start


@pytest.mark.filterwarnings("ignore::pearljoin.DuplicateReferenceWarning")
@pytest.mark.parametrize("run", [normalise, matched])
@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_no_faster_than_n_log_n(shape: str, run: Callable[[str], object]) -> None:
    make = SHAPES[shape]
    # First a length at which even the square is soon done.
    assert seconds(run, make(SHORT // 8)) < 2
    short = seconds(run, make(SHORT))
    assert short < 8
    for _ in range(3):  # another process may have disturbed it
        grown = seconds(run, make(LONG)) / max(short, SETTLED)
        if grown < MOST_GROWTH:
            break
        short = seconds(run, make(SHORT))
    assert grown < MOST_GROWTH
