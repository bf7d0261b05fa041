"""Rows that are one thing by the thousand, and tables of very many columns."""

import time
import tracemalloc
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from frames import TrigramEncoder

import pearljoin as pj


def alike(n: int, end: str = "") -> list[str]:
    """Distinct texts that are "a b" once normalised."""
    return ["a" + "." * (at // 40 + 2) + "b" + "-" * (at % 40 + 1) + end for at in range(n)]


def found(n: int) -> None:
    assert not pj.find_duplicates(alike(n), encoder="pearl-nano").clusters().any()


def found_by_similarity(n: int) -> None:
    assert not pj.find_duplicates(alike(n), encoder=TrigramEncoder()).clusters().any()


def added(n: int) -> None:
    grown = pj.Deduplicator(encoder="pearl-nano").fit(alike(n // 2))
    assert not grown.add(alike(n // 2, end=" ")).any()
    assert not grown.clusters().any()


@pytest.mark.parametrize("run", [found, found_by_similarity, added])
def test_many_that_are_alike_take_no_memory_or_time_by_their_square(
    run: Callable[[int], None],
) -> None:
    run(100)  # what is loaded once
    peaks, seconds = [], []
    for n in (500, 2_000):
        start = time.process_time()
        run(n)
        seconds.append(time.process_time() - start)
        tracemalloc.start()
        run(n)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # The square would be 16 times.
    assert peaks[1] < 9 * peaks[0], peaks
    assert seconds[1] < 10 * max(seconds[0], 0.3), seconds


def test_thousands_of_equal_rows_are_one_record() -> None:
    result = pj.find_duplicates(["Acme"] * 9_000, encoder="pearl-nano")
    assert not result.clusters().any()
    assert len(result.golden()) == 1
    with pytest.raises(pj.InputError, match=r"too many pairs to return\. Got 40,495,500 above"):
        result.pairs()
    grown = pj.Deduplicator(encoder="pearl-nano").fit(["Acme"] * 9_000)
    assert not grown.add(["Acme"] * 9_000).any()
    with pytest.raises(pj.InputError, match=r"too many pairs to return"):
        grown.pairs()


def test_many_key_columns_take_memory_by_their_values() -> None:
    rng = np.random.default_rng(0)
    words = np.array(["red", "green", "blue", "black", "white"])
    table = pd.DataFrame({f"c{at}": rng.choice(words, 60) for at in range(50)})
    on = list(table.columns)
    tracemalloc.start()
    result = pj.find_duplicates(pd.concat([table, table]), on=on, encoder="pearl-nano")
    assert result.clusters().tolist() == [*range(60), *range(60)]
    grown = pj.Deduplicator(on=on, encoder="pearl-nano").fit(table)
    assert grown.add(table).tolist() == list(range(60))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # 50 columns of 2**21 hashed terms: tables of them would take a gigabyte and more.
    assert peak < 800e6
