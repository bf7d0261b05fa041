"""Records: rows reduced to distinct combinations of key values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pearljoin._records.missing_keys import (
    NULL,
    columns_compared,
    records_with_null,
    rows_with_keys,
    values_differ,
)
from pearljoin._records.records import Field, Records, factorize

CODES = st.lists(st.tuples(st.integers(-1, 2), st.integers(-1, 2)), max_size=12)


def field(codes) -> Field:
    return Field("text", ["a", "b", "c"], np.array(codes, dtype=np.int64))


def test_factorize_numbers_by_first_appearance() -> None:
    values, codes = factorize(["b", None, "a", "b", "", 0, False])
    assert values == ["b", "a", "", 0]
    assert codes.tolist() == [0, NULL, 1, 0, 2, 3, 3]
    assert factorize([]) == ([], pytest.approx([]))
    assert codes.dtype == np.int64


def test_records_of_one_key() -> None:
    records = Records((field([2, 0, -1, 2, 1]),))
    assert records.of_row.tolist() == [0, 1, NULL, 0, 2]
    assert records.first_row.tolist() == [0, 1, 4]
    assert records.n_records == 3
    assert records.n_rows == 5
    assert records.codes(0).tolist() == [2, 0, 1]
    assert records.group_codes() is None


def test_rows_of_records_ascend() -> None:
    records = Records((field([2, 0, -1, 2, 1, 0]),))
    position, rows = records.rows_of(np.array([1, 0, 1]))
    assert list(zip(position.tolist(), rows.tolist(), strict=True)) == [
        (0, 1),
        (0, 5),
        (1, 0),
        (1, 3),
        (2, 1),
        (2, 5),
    ]


def test_groups_tell_records_apart_and_a_null_group_is_null() -> None:
    records = Records((field([0, 0, 0, 0]),), field([1, 0, 1, -1]))
    assert records.of_row.tolist() == [0, 1, 0, NULL]
    assert records.group_codes().tolist() == [1, 0]


def test_one_value_of_several_is_enough() -> None:
    records = Records((field([0, -1, -1]), field([-1, -1, 0])))
    assert records.of_row.tolist() == [0, NULL, 1]
    grouped = Records(records.fields, field([1, 1, -1]))
    assert grouped.of_row.tolist() == [0, NULL, NULL]


def test_equal_nulls_are_a_value() -> None:
    records = Records((field([0, -1, -1]), field([-1, -1, 0])), nulls_equal=True)
    assert records.of_row.tolist() == [0, 1, 2]
    assert records.codes(1).tolist() == [-1, -1, 0]


@pytest.mark.parametrize("codes", [[], [-1, -1]])
def test_no_usable_rows(codes: list[int]) -> None:
    for records in (Records((field(codes),)), Records((field(codes), field(codes)))):
        assert records.n_records == 0
        assert records.of_row.tolist() == codes
        position, rows = records.rows_of(np.zeros(0, dtype=np.int64))
        assert len(position) == len(rows) == 0


@settings(derandomize=True, deadline=None, max_examples=80)
@given(CODES, st.booleans())
def test_records_are_the_distinct_combinations(codes: list, nulls_equal: bool) -> None:
    first, second = ([pair[at] for pair in codes] for at in (0, 1))
    records = Records((field(first), field(second)), nulls_equal=nulls_equal)
    usable = [pair for pair in codes if nulls_equal or pair != (NULL, NULL)]
    distinct = list(dict.fromkeys(usable))
    wanted = [distinct.index(pair) if pair in distinct else NULL for pair in codes]
    assert records.of_row.tolist() == wanted
    assert records.first_row.tolist() == [codes.index(pair) for pair in distinct]
    position, rows = records.rows_of(np.arange(len(distinct)))
    listed = [(at, row) for at in range(len(distinct)) for row, w in enumerate(wanted) if w == at]
    assert list(zip(position.tolist(), rows.tolist(), strict=True)) == listed


NAMES, NUMBERS, GROUPS = (
    np.array(codes) for codes in ([0, NULL, 1, NULL], [NULL, NULL, 2, 3], [0, 1, NULL, 1])
)


def test_the_missing_keys_of_rows() -> None:
    keys = [NAMES, NUMBERS]
    assert rows_with_keys(keys, None, nulls_equal=False).tolist() == [True, False, True, True]
    assert rows_with_keys(keys, GROUPS, nulls_equal=False).tolist() == [True, False, False, True]
    assert rows_with_keys(keys, GROUPS, nulls_equal=True).tolist() == [True] * 4
    assert records_with_null(keys).tolist() == [0, 1, 3]


def test_the_missing_keys_of_pairs() -> None:
    compared = columns_compared(NAMES, NUMBERS, nulls_equal=False)
    assert compared.tolist() == [False, False, True, False]
    assert columns_compared(NAMES, NUMBERS, nulls_equal=True).tolist() == [True] * 4
    assert columns_compared(NAMES[:, None], GROUPS[None], nulls_equal=False).sum() == 6
    assert values_differ(NAMES, NUMBERS).tolist() == [False, False, True, False]
    assert values_differ(NAMES, NAMES).tolist() == [False] * 4
