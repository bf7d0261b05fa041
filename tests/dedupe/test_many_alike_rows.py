"""Rows that are one thing by the thousand, and tables of very many columns."""

import time
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from frames import TrigramEncoder

import pearljoin as pj
from pearljoin._candidates import blocking
from pearljoin._clusters import incremental


def alike(n: int, end: str = "") -> list[str]:
    """Distinct texts that are "a b" once normalised."""
    return ["a" + "." * (at // 40 + 2) + "b" + "-" * (at % 40 + 1) + end for at in range(n)]


def test_many_that_are_alike_take_no_memory_or_time_by_their_square() -> None:
    def run(n: int) -> None:
        assert not pj.find_duplicates(alike(n), encoder="pearl-nano").clusters().any()

    def seconds(n: int) -> float:
        start = time.process_time()
        run(n)
        return time.process_time() - start

    def peak(n: int) -> int:
        tracemalloc.start()
        run(n)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    run(100)  # what is loaded once
    # The square would be 16 times.
    assert peak(1_600) < 9 * peak(400)
    for _ in range(3):  # another process may have disturbed it
        grown = seconds(1_600) / max(seconds(400), 0.3)
        if grown < 10:
            break
    assert grown < 10


@pytest.fixture
def few_pairs(monkeypatch) -> None:
    for module in (blocking, incremental):
        monkeypatch.setattr(module, "MOST_PAIRS", 3_000)


@pytest.mark.usefixtures("few_pairs")
def test_too_many_pairs_by_similarity_are_refused() -> None:
    assert not pj.find_duplicates(alike(40), encoder=TrigramEncoder()).clusters().any()
    with pytest.raises(pj.InputError, match=r"too many pairs .* of at most 3,000\. Hint: raise"):
        pj.find_duplicates(alike(100), encoder=TrigramEncoder()).clusters()


@pytest.mark.usefixtures("few_pairs")
def test_too_many_pairs_of_added_rows_are_refused_and_change_nothing() -> None:
    grown = pj.Deduplicator(encoder="pearl-nano").fit(alike(10))
    assert not grown.add(alike(20, end=" ")).any()
    with pytest.raises(pj.InputError, match=r"too many pairs .* of at most 3,000\."):
        grown.add(alike(120, end="  "))
    assert len(grown.ids) == len(grown.clusters()) == 30
    assert not grown.add(["a b"]).any()


def test_thousands_of_equal_rows_are_one_record() -> None:
    result = pj.find_duplicates(["Acme"] * 9_000, encoder="pearl-nano")
    assert not result.clusters().any()
    assert len(result.golden()) == 1
    with pytest.raises(pj.InputError, match=r"too many pairs to return\. Got 40,495,500 above"):
        result.pairs()
    grown = pj.Deduplicator(encoder="pearl-nano").fit(["Acme"] * 9_000)
    assert not grown.add(["Acme"] * 3_000).any()
    with pytest.raises(pj.InputError, match=r"too many pairs to return"):
        grown.pairs()


@pytest.mark.thorough
def test_many_key_columns_take_memory_by_their_values() -> None:
    rng = np.random.default_rng(0)
    words = np.array(["red", "green", "blue", "black", "white"])
    table = pd.DataFrame({f"c{at}": rng.choice(words, 60) for at in range(50)})
    on = list(table.columns)
    tracemalloc.start()
    result = pj.find_duplicates(pd.concat([table, table]), on=on, encoder="pearl-nano")
    labels = result.clusters()
    assert labels[:60].tolist() == labels[60:].tolist()
    assert labels.max() > 50
    grown = pj.Deduplicator(on=on, encoder="pearl-nano").fit(table)
    assert grown.add(table).tolist() == grown.clusters()[:60].tolist()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # The weights of all 2**21 hashed terms would take 8 MB a column and table; pairs of all columns
    # would take gigabytes more.
    assert peak < 1e8
