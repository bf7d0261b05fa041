"""The inverted file: nearly the exact neighbours, whatever is asked beside a query."""

from dataclasses import replace

import numpy as np
import pytest

from pearljoin._search import approximate, dense, product_codes
from pearljoin._search.approximate import ExactIndex, InvertedFile, build_index

N_ROWS, DIM, DEPTH = 4_000, 24, 10


def unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def reference() -> np.ndarray:
    rng = np.random.default_rng(0)
    middles = rng.normal(size=(80, DIM))
    return unit(middles[rng.integers(80, size=N_ROWS)] + 0.4 * rng.normal(size=(N_ROWS, DIM)))


@pytest.fixture(scope="module")
def queries(reference) -> np.ndarray:
    rng = np.random.default_rng(1)
    return unit(reference[::40] + 0.1 * rng.normal(size=(100, DIM)))


@pytest.fixture(scope="module")
def index(reference) -> InvertedFile:
    return InvertedFile(reference, recall=0.99)


def test_it_finds_nearly_all_exact_neighbours(index, reference, queries) -> None:
    rows, cosines = index.nearest(queries, DEPTH)
    exact_rows, exact_cosines = dense.nearest(queries, reference, DEPTH)
    hits = [len(np.intersect1d(*pair)) for pair in zip(rows, exact_rows, strict=True)]
    assert index.plan.recall >= 0.99
    assert np.mean(hits) / DEPTH > 0.97
    assert index.plan.n_probes < len(index.plan.centroids)
    same = rows == exact_rows
    assert np.array_equal(cosines[same], exact_cosines[same])


def test_cosines_are_those_of_the_rows(index, reference, queries) -> None:
    rows, cosines = index.nearest(queries, DEPTH)
    expected = np.einsum("ijk,ik->ij", reference[rows], queries)
    np.testing.assert_allclose(cosines, expected, atol=2e-5)
    assert (np.diff(cosines, axis=1) <= 0).all()


@pytest.mark.parametrize("size", [1, 7, 40])
def test_a_query_finds_the_same_in_any_company(index, queries, size) -> None:
    whole = index.nearest(queries, DEPTH)
    parts = [index.nearest(queries[at : at + size], DEPTH) for at in range(0, 100, size)]
    for found, parted in zip(whole, zip(*parts, strict=True), strict=True):
        assert np.array_equal(found, np.concatenate(parted))


def test_equal_rows_come_in_their_order() -> None:
    rng = np.random.default_rng(2)
    doubled = np.repeat(unit(rng.normal(size=(500, 8))), 2, axis=0)
    rows, cosines = InvertedFile(doubled, recall=0.999).nearest(doubled[::2], 2)
    assert np.array_equal(rows, np.arange(1_000).reshape(500, 2))
    assert (cosines == 1).all()


def test_a_query_of_few_neighbours_is_answered_exactly(reference) -> None:
    plan = replace(InvertedFile(reference).plan, n_probes=1)
    index = InvertedFile(reference, plan=plan)
    query = np.zeros((1, DIM), dtype=np.float32)
    rows, cosines = index.nearest(query, N_ROWS)
    assert np.array_equal(rows[0], np.arange(N_ROWS))
    assert not cosines.any()


def test_no_query_and_no_neighbour(index) -> None:
    assert index.nearest(np.zeros((0, DIM), np.float32), 3)[0].shape == (0, 3)


def test_the_size_of_the_reference_decides(reference, monkeypatch) -> None:
    assert isinstance(build_index(reference), ExactIndex)
    monkeypatch.setattr(approximate, "EXACT_ROWS", N_ROWS - 1)
    assert isinstance(build_index(reference), InvertedFile)


def test_a_higher_recall_looks_into_more_lists(reference) -> None:
    low, high = (InvertedFile(reference, recall=share) for share in (0.5, 0.999))
    assert low.plan.n_probes <= high.plan.n_probes
    assert low.plan.recall <= high.plan.recall


def test_a_plan_is_kept_for_more_rows_and_for_fewer(index, reference, queries) -> None:
    longer = np.concatenate([reference, queries])
    more = build_index(longer, plan=index.plan)
    assert more.plan is index.plan
    rows, _ = more.nearest(queries, 1)
    assert np.array_equal(rows[:, 0], np.arange(N_ROWS, N_ROWS + 100))
    fewer = build_index(reference[::2], plan=index.plan)
    assert np.array_equal(fewer.nearest(reference[:200:2], 1)[0][:, 0], np.arange(100))


def test_a_recall_that_codes_do_not_reach_is_searched_exactly(queries, monkeypatch) -> None:
    monkeypatch.setattr(approximate, "WIDTHS", (1,))
    scattered = unit(np.random.default_rng(3).normal(size=(1_000, DIM)))
    index = InvertedFile(scattered, recall=0.9999)
    assert index.plan.n_probes == len(index.plan.centroids)
    for found, exact in zip(
        index.nearest(queries, DEPTH), dense.nearest(queries, scattered, DEPTH), strict=True
    ):
        assert np.array_equal(found, exact)


def test_columns_that_fill_no_whole_code() -> None:
    rng = np.random.default_rng(4)
    reference = unit(rng.normal(size=(500, 10)))
    rows, cosines = InvertedFile(reference, recall=0.5).nearest(reference, 1)
    assert np.array_equal(rows[:, 0], np.arange(500))
    assert (cosines == 1).all()


def test_rows_on_axes_keep_most_of_their_products(reference, queries) -> None:
    axes = product_codes.principal_axes(reference)
    assert axes.shape == (DIM, DIM)
    one, other = (product_codes.on_axes(side, axes) for side in (queries, reference))
    np.testing.assert_allclose(one @ other.T, queries @ reference.T, atol=0.01)
    flat = unit(reference * np.where(np.arange(DIM) < 9, 1, 1e-3))
    assert product_codes.principal_axes(flat).shape[1] <= 12


def test_a_plan_of_an_earlier_version_codes_rows_as_they_are(index, reference, queries) -> None:
    axes = product_codes.as_they_are(DIM, DIM // 4)
    np.testing.assert_allclose(product_codes.on_axes(queries, axes), queries, atol=1 / 2048)
    codebooks = product_codes.codebooks_of(reference, axes)
    earlier = build_index(reference, plan=replace(index.plan, axes=axes, codebooks=codebooks))
    rows, exact = earlier.nearest(queries, 3)[0], dense.nearest(queries, reference, 3)[0]
    hits = [len(np.intersect1d(*pair)) for pair in zip(rows, exact, strict=True)]
    assert np.mean(hits) / 3 > 0.97


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"n_probes": 0}, "0 lists are searched"),
        ({"width": 0}, "lists are searched"),
        ({"centroids": np.full((3, DIM), np.nan, np.float32)}, "not readable"),
        ({"codebooks": np.zeros((DIM, 16, 1), np.float32)}, "of shape"),
        ({"axes": np.zeros((DIM, 2), np.float32)}, "of shape"),
        ({"axes": np.full((DIM, DIM), np.inf, np.float32)}, "not readable"),
    ],
)
def test_parts_of_a_plan_that_do_not_fit_are_refused(index, change, what) -> None:
    index.plan.check()
    with pytest.raises(ValueError, match=what):
        replace(index.plan, **change).check()
