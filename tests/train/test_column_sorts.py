"""Sorts of columns of one kind, found by how their values compare."""

import numpy as np

from pearljoin_train.record_scorer.column_sorts import fit_sorts

SORTS_M = np.array([[0.02, 0.08, 0.9], [0.8, 0.15, 0.05]])
SORTS_U = np.array([[0.9, 0.09, 0.01], [0.5, 0.3, 0.2]])
SMOOTHING = 5e-3, 2e-4


def test_the_sorts_that_columns_were_drawn_from_are_found() -> None:
    rng = np.random.default_rng(0)
    of_column = (rng.random(200) < 0.3).astype(int)
    matches, among = (
        np.stack([rng.multinomial(50, sorts[at]) for at in of_column]).astype(float)
        for sorts in (SORTS_M, SORTS_U)
    )
    sorts_m, sorts_u, shares = fit_sorts(matches, among, SMOOTHING, most=2)
    order = np.argsort(sorts_m[:, 0])
    np.testing.assert_allclose(sorts_m[order], SORTS_M, atol=0.02)
    np.testing.assert_allclose(sorts_u[order], SORTS_U, atol=0.02)
    np.testing.assert_allclose(shares[order], [0.7, 0.3], atol=0.07)


def test_few_columns_are_of_one_sort() -> None:
    counts = np.array([[1.0, 2, 7]] * 9)
    sorts_m, _, shares = fit_sorts(counts, counts, SMOOTHING)
    assert shares.tolist() == [1.0]
    np.testing.assert_allclose(sorts_m, [[0.1034, 0.202, 0.6946]], atol=1e-3)


def test_no_knot_is_impossible() -> None:
    counts = np.tile([0.0, 0, 10], (40, 1))
    for part in fit_sorts(counts, counts, SMOOTHING):
        assert (part > 0).all()
