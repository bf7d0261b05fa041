"""Vectors in 16 bits, and counts that are weighed when rows are taken out."""

import numpy as np
import pytest

from pearljoin._search import dense, tfidf, vectors, weighing
from pearljoin._search import pair_products as pair_products_module
from pearljoin._search.pair_products import FEW_ENTRIES, half_products, pair_products
from pearljoin._search.rounded_vectors import RoundedVectors

STEP = 1 / 32_767


def unit_rows(n: int, dim: int = 24, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((n, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_entries_are_rounded_once() -> None:
    given = np.vstack([unit_rows(40), np.eye(24, dtype=np.float32) * np.float32(1 + 1e-6)])
    rounded = RoundedVectors.of(given)
    assert rounded.shape == given.shape
    assert np.abs(rounded[:] - given).max() <= 0.51 * STEP
    assert np.array_equal(RoundedVectors.of(rounded[:]).steps, rounded.steps)
    assert rounded[40:].max() == 1


def test_a_row_is_the_same_in_any_company() -> None:
    rounded = RoundedVectors.of(unit_rows(40))
    some = np.array([7, 3, 3])
    assert np.array_equal(rounded[some], rounded[:][some])
    assert np.array_equal(rounded.take(some)[:], rounded[some])
    np.testing.assert_allclose(vectors.mean_row(rounded), rounded[:].mean(axis=0), atol=1e-6)


@pytest.mark.parametrize("n_queries", [1, 30, 600])
def test_a_search_of_rounded_rows_finds_what_one_of_floats_does(monkeypatch, n_queries) -> None:
    monkeypatch.setattr(dense, "ROUNDED_ROWS", 100)
    reference = RoundedVectors.of(np.vstack([unit_rows(450), unit_rows(30)]))
    queries = unit_rows(n_queries, seed=1)
    rows, cosines = dense.nearest(queries, reference, 5)
    expected_rows, expected = dense.nearest(queries, reference[:], 5)
    assert np.array_equal(rows, expected_rows)
    assert np.array_equal(cosines, expected)


def test_pairs_above_a_threshold_are_those_of_floats(monkeypatch) -> None:
    monkeypatch.setattr(dense, "ROUNDED_ROWS", 100)
    queries, reference = RoundedVectors.of(unit_rows(50)), RoundedVectors.of(unit_rows(250, seed=1))
    found = vectors.above(queries, reference, 0.4)
    expected = vectors.above(queries[:], reference[:], 0.4)
    assert len(found[0]) > 100
    assert all(map(np.array_equal, found, expected))


def test_cosines_of_pairs_are_those_of_floats(monkeypatch) -> None:
    monkeypatch.setattr(dense, "PAIRS_TURNED", 7)
    left, right = unit_rows(50), RoundedVectors.of(unit_rows(60, seed=1))
    pairs = np.repeat(np.arange(50), 60), np.tile(np.arange(60), 50)
    expected = dense.pair_cosines(left, right[:], *pairs)
    assert np.array_equal(dense.pair_cosines(left, right, *pairs), expected)
    both = dense.pair_cosines(RoundedVectors.of(left), right, *pairs)
    np.testing.assert_allclose(both, expected, atol=1e-4)


def test_they_are_put_together_from_arrays_of_a_file() -> None:
    rounded = RoundedVectors.of(unit_rows(9))
    read = vectors.from_arrays(vectors.to_arrays(rounded, "v"), "v")
    assert isinstance(read, RoundedVectors)
    assert np.array_equal(read.steps, rounded.steps)
    with pytest.raises(ValueError, match="rounded vectors are of int16"):
        vectors.from_arrays({"v": np.zeros(3, dtype=np.int16)}, "v")


def test_parts_are_joined_as_they_are_kept() -> None:
    given = unit_rows(20)
    parts = [vectors.round_dense(given[:8]), vectors.round_dense(given[8:])]
    joined = vectors.joined_rows(parts)
    assert isinstance(joined, RoundedVectors)
    assert np.array_equal(joined.steps, RoundedVectors.of(given).steps)
    assert np.array_equal(vectors.joined_rows([given[:8], given[8:]]), given)


TEXTS = ["north lodge", "a", "", "the old inn inn", "ab ab ab c", "北京 大学", "c++", "x " * 300]


def test_rows_of_counts_are_weighed_as_all_are() -> None:
    counts = tfidf.count(TEXTS)
    idf = np.linspace(1, 9, counts.shape[1], dtype=np.float32)
    whole, rows = tfidf.weigh(counts, idf), weighing.WeighedRows(counts, idf)
    for some in (slice(None), slice(2, 5), np.array([6, 2, 7, 7])):
        assert np.array_equal(rows[some].data, whole[some].data)
        assert np.array_equal(rows[some].indices, whole[some].indices)
    pairs = np.repeat(np.arange(8), 8), np.tile(np.arange(8), 8)
    assert np.array_equal(pair_products(rows, rows, *pairs), pair_products(whole, whole, *pairs))


def test_an_index_of_counts_is_that_of_vectors(monkeypatch) -> None:
    monkeypatch.setattr(weighing, "ROWS_AT_ONCE", 3)
    counts = tfidf.count(TEXTS)
    idf = np.linspace(1, 9, counts.shape[1], dtype=np.float32)
    whole, rows = tfidf.weigh(counts, idf), weighing.WeighedRows(counts, idf)
    found, expected = (tfidf.Index(each).nearest(whole, 3) for each in (rows, whole))
    assert all(map(np.array_equal, found, expected))


def test_counts_take_eight_bits_where_they_can() -> None:
    assert tfidf.count(TEXTS[:-1]).data.dtype == np.uint8
    many = tfidf.count(["x " * 300])
    assert many.data.dtype == np.float32
    assert many.data.max() >= 300


def test_products_of_pairs_do_not_depend_on_how_many_pairs_there_are(monkeypatch) -> None:
    rng = np.random.default_rng(0)
    syllables = ["ran", "sto", "mer", "lin", "vak", "dol", "pex", "nor"]
    texts = [" ".join("".join(rng.choice(syllables, 3)) for _ in range(4)) for _ in range(80)]
    counts = tfidf.count(texts)
    idf = (rng.random(counts.shape[1]) + 0.5).astype(np.float32)
    whole, rows = tfidf.weigh(counts, idf), weighing.WeighedRows(counts, idf)
    left, right = np.repeat(np.arange(80), 80), np.tile(np.arange(80), 80)
    entries = np.diff(counts.indptr)
    some = [slice(at, None, 160) for at in range(160)]
    assert all(2 * (entries[left[part]]).sum() < FEW_ENTRIES for part in some)
    assert len(left) * entries.min() > FEW_ENTRIES
    for table in (whole, rows):
        together = pair_products(table, table, left, right)
        for part in some:
            few = pair_products(table, table, left[part], right[part])
            assert np.array_equal(together[part], few)
    halves = half_products(whole, whole, left, right)
    for part in some:
        few_halves = half_products(whole, whole, left[part], right[part])
        assert all(
            np.array_equal(one[part], few) for one, few in zip(halves, few_halves, strict=True)
        )
    monkeypatch.setattr(pair_products_module, "ENTRIES_AT_ONCE", 5_000)
    again = half_products(whole, whole, left, right)
    assert all(map(np.array_equal, halves, again))
    assert np.array_equal(pair_products(rows, rows, left, right), together)
