"""Records that are equal, as they stand or after normalisation, against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pearljoin._records.equality import EqualityIndex
from pearljoin._records.records import factorize
from pearljoin._records.similarity import ExactValues, NumberValues, TextValues
from pearljoin._records.value_shares import ValueShares
from pearljoin._text.normalise import mend, normalise

CELLS = st.none() | st.sampled_from(["Red", "red", " red", "RED!", "blue", "Blé", "ble", ""])
NUMBERS = st.none() | st.sampled_from([1.0, 2.0, float("inf")])
SIDE = st.lists(st.tuples(CELLS, NUMBERS, st.integers(-1, 2)), max_size=8)


def encoded(rows: list, *, grouped: bool) -> tuple:
    """Values, codes and groups of two columns."""
    texts, text_codes = factorize([row[0] for row in rows])
    numbers, number_codes = factorize([row[1] for row in rows])
    vectors = np.zeros((len(texts), 1), dtype=np.float32)
    values = (
        TextValues(list(map(str, texts)), vectors, np.ones(len(texts), dtype=bool)),
        NumberValues(list(map(float, numbers))),
    )
    groups = np.array([row[2] for row in rows], dtype=np.int64) if grouped else None
    return values, (text_codes, number_codes), groups


def are_equal(one, other, *, normalised: bool, nulls_equal: bool, grouped: bool) -> bool:
    if grouped and one[2] != other[2]:
        return False
    for a, b in zip(one[:2], other[:2], strict=True):
        if a is None or b is None:
            if not (nulls_equal and a is None and b is None):
                return False
        elif isinstance(a, str) and normalised:
            if normalise(mend(a)) != normalise(mend(b)):
                return False
        elif a != b:
            return False
    return True


@settings(derandomize=True, deadline=None, max_examples=60)
@given(SIDE, SIDE, st.booleans(), st.booleans(), st.booleans())
def test_all_equal_pairs_are_listed(
    left, right, normalised: bool, nulls_equal: bool, grouped: bool
) -> None:
    index = EqualityIndex(
        *encoded(right, grouped=grouped), nulls_equal=nulls_equal, normalised=normalised
    )
    keys = index.keys_of(*encoded(left, grouped=grouped))
    options = {"normalised": normalised, "nulls_equal": nulls_equal, "grouped": grouped}
    wanted = [
        (a, b)
        for a, one in enumerate(left)
        for b, other in enumerate(right)
        if are_equal(one, other, **options)
    ]
    found = index.pairs(keys)
    assert list(zip(*(part.tolist() for part in found), strict=True)) == wanted
    own = index.pairs(index.keys)
    firsts = np.arange(len(right))
    firsts[own[0][::-1]] = own[1][::-1]  # Pairs are in order, so the first one is written last.
    assert index.first_equals(np.arange(len(right))).tolist() == firsts.tolist()
    # Equal records have equal keys, and records without an equal one have none.
    for a, key in enumerate(keys.tolist()):
        equals = [b for row, b in wanted if row == a]
        assert (key >= 0) == bool(equals)
        assert all(index.keys[b] == key for b in equals)


def test_no_records() -> None:
    nothing = encoded([], grouped=False)
    some = encoded([("red", 1.0, 0)], grouped=False)
    for values, other in ((nothing, some), (some, nothing), (nothing, nothing)):
        index = EqualityIndex(*values, nulls_equal=False, normalised=True)
        left, right = index.pairs(index.keys_of(*other))
        assert len(left) == len(right) == 0


def test_values_are_numbered_as_those_of_a_reference() -> None:
    left, right = ExactValues(["a", 1, "b", "d", "b"]), ExactValues([1, "c", "a", "c"])
    assert right.numbers.tolist() == [0, 1, 2, 1, -1]
    assert left.numbers_among(right).tolist() == [2, 0, 3, 4, 3, -1]
    assert left.numbers_among(left).tolist() == left.numbers.tolist() == [0, 1, 2, 3, 2, -1]
    assert left.numbers_among(ExactValues(["b"])).tolist() == [1, 2, 0, 3, 0, -1]


@pytest.mark.parametrize("nulls_equal", [False, True])
def test_shares_of_values(nulls_equal: bool) -> None:
    counted = ExactValues(["a", "b", "a"])
    shares = ValueShares.among(counted, np.array([0, 1, 2, -1, 0]), nulls_equal=nulls_equal)
    total = 5 + nulls_equal  # with the half records of one more
    found = shares.of(ExactValues(["b", "z", "a"]), np.array([0, 1, 2, -1, 2]))
    assert (found * total).tolist() == pytest.approx([1.5, 0.5, 3.5, 0.5 + nulls_equal, 3.5])
    squares = 3 * 3.5 + 1.5 + nulls_equal * 1.5
    assert shares.usual == pytest.approx(squares / total / (total - 1))
