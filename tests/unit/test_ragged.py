"""Ragged arrays, against plain loops."""

import numpy as np
import pytest

from pearljoin._ragged import items_of_rows, row_of_each


@pytest.mark.parametrize("sizes", [[], [0], [3], [2, 0, 1], [0, 0, 4, 1, 0]])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_row_of_each_item(sizes: list[int], dtype: type) -> None:
    bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(dtype)
    found = row_of_each(bounds)
    assert found.dtype == np.int64
    assert found.tolist() == [row for row, size in enumerate(sizes) for _ in range(size)]


@pytest.mark.parametrize("chosen", [[], [1], [4, 0, 0, 2], [3, 3, 1]])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_items_of_rows_in_any_order_and_twice(chosen: list[int], dtype: type) -> None:
    bounds = np.array([0, 2, 2, 5, 9, 10], dtype=dtype)
    rows = np.array(chosen, dtype=np.int64)
    position, item = items_of_rows(bounds[rows], np.diff(bounds)[rows])
    wanted = [
        (place, at)
        for place, row in enumerate(chosen)
        for at in range(bounds[row], bounds[row + 1])
    ]
    assert position.dtype == item.dtype == np.int64
    assert list(zip(position.tolist(), item.tolist(), strict=True)) == wanted
