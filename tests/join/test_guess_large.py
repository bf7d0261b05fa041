"""Guessed keys of large tables: columns are read once, and judged by a sample of their values."""

import random
from typing import Any

import pandas as pd
import polars as pl
import pytest

from pearljoin._kinds.cells import sample_texts, text_hash
from pearljoin._tables.column_facts import ColumnFacts, facts_of
from pearljoin._tables.column_likeness import SAMPLE, share_words
from pearljoin._tables.guess_keys import guess_keys
from pearljoin._tables.guess_records import guess_own
from pearljoin._tables.read_table import FrameColumn, as_table

N = 3 * SAMPLE
WORDS = [
    one + two + three
    for one in ("ba", "de", "ki", "lo", "mu", "ra", "so", "tu", "ve", "zi")
    for two in ("bran", "dol", "gast", "mir", "nor", "pel", "rin", "stom", "tek", "vald")
    for three in ("a", "en", "ic", "os", "um", "ya", "eth", "ild", "orf", "une")
]


def made(seed: int) -> dict[str, list[Any]]:
    """Columns of random words and numbers."""
    draw = random.Random(seed)
    return {
        "name": [" ".join(draw.choices(WORDS, k=3)) for _ in range(N)],
        "city": draw.choices(WORDS, k=N),
        "opened": [f"{draw.randint(1950, 2020)}-{draw.randint(1, 12):02}-07" for _ in range(N)],
        "price": [draw.randint(100, 90000) / 100 for _ in range(N)],
        "code": [f"{seed}-{draw.randint(0, 10**9):09}" for _ in range(N)],
    }


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_each_column_is_read_once(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def to_list(column: FrameColumn) -> list[Any]:
        read.append(column.name)
        return column._series.to_list()

    monkeypatch.setattr(FrameColumn, "to_list", to_list)
    facts = [facts_of(as_table(library(made(seed)), "left")) for seed in (1, 2)]
    for columns in facts:
        assert guess_own(columns) == ("name", "city", "opened", "price")
    assert sorted(read) == sorted([*made(1)] * 2)


def test_the_order_of_rows_plays_no_part() -> None:
    column = pd.DataFrame(made(1))
    for some in (column, column[::-1]):
        sample = facts_of(as_table(some, "left"))["name"].sample
        assert len(sample) == pytest.approx(SAMPLE, abs=2)
        assert set(sample) == set(facts_of(as_table(column, "left"))["name"].sample)


def test_repeated_names_are_told_by_all_rows() -> None:
    # In a sample of rows, most customers would be there once.
    customers = made(1)["name"][: N // 2] * 2
    facts = facts_of(as_table(pl.DataFrame({"customer": customers}), "left"))
    assert facts["customer"].role == "category"


def test_large_tables_are_guessed_as_small_ones() -> None:
    left, right = made(1), made(2)
    tables = [as_table(pd.DataFrame(columns), "left") for columns in (left, right)]
    few = [as_table(pd.DataFrame(columns)[:500], "left") for columns in (left, right)]
    assert guess_keys(*tables, (), ()) == guess_keys(*few, (), ())
    assert guess_keys(*tables, (), ())[0] == ("name", "city", "opened", "price")


@pytest.mark.parametrize(("n_known", "expected"), [(0.2, True), (0.02, False)])
def test_names_of_other_names_are_found_among_many(n_known: float, *, expected: bool) -> None:
    names = [f"{name}, unit of {at}" for at, name in enumerate(made(1)["name"])]
    known = int(n_known * N)
    others = {name.upper() for name in names[:known]} | {f"plot {at} 7" for at in range(N)}
    columns = ({"firm": names, "kind": "a"}, {"company": sorted(others), "sort": "b"})
    left, right = (
        ColumnFacts(as_table(pl.DataFrame(table), "left").columns[name], name)
        for table, name in zip(columns, ("firm", "company"), strict=True)
    )
    assert left.may_name_the_same(right) is expected
    assert share_words(left.sample, right.counts.keys()) is expected


def test_texts_of_the_lowest_hashes_are_chosen() -> None:
    texts = ["Acme", "", "Łódź", "\ud800"]
    lowest = sorted(texts, key=text_hash)
    for most in range(1, len(texts)):
        for some in (texts, texts[::-1]):
            assert sorted(sample_texts(some, most), key=text_hash) == lowest[:most]
    assert sample_texts(texts, len(texts)) == texts
