"""Constraints on clusters of rows: each holds, by precedence; contradictions are told."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pearljoin as pj
from pearljoin._clusters.limits import Limits, units_of
from pearljoin._clusters.partition import Partition
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import Field, Records, factorize


def records_of(values: list, veto: list | None = None) -> Records:
    fields = []
    for column in (values, veto):
        if column is not None:
            known, codes = factorize(column)
            fields.append(Field("text", known, codes))
    return Records((fields[0],), vetoes=tuple(fields[1:]))


def pairs(*listed: tuple[int, int]) -> np.ndarray:
    return np.array(listed, dtype=np.int64).reshape(-1, 2)


def cluster(records: Records, odds: dict, limits: Limits, threshold: float = 0.5) -> list[int]:
    ends = pairs(*odds)
    keys = np.arange(records.n_records)
    values = np.array(list(odds.values()), dtype=np.float32)
    made = Partition(records, ends[:, 0], ends[:, 1], values, limits, keys)
    return made.at(threshold).tolist()


ALL_ALIKE = {(0, 1): 3.0, (0, 2): 3.0, (1, 2): 3.0}


@st.composite
def tables(draw: st.DrawFn) -> tuple[Records, dict]:
    n_rows = draw(st.integers(1, 10))
    values = [draw(st.sampled_from(["a", "b", "c", "d", None])) for _ in range(n_rows)]
    records = records_of(values, [draw(st.sampled_from(["x", "y", None])) for _ in range(n_rows)])
    listed = [(i, j) for j in range(records.n_records) for i in range(j)]
    return records, {pair: draw(st.floats(-6, 6)) for pair in listed}


def joined(n_rows: int, must: list[tuple[int, int]]) -> np.ndarray:
    """What must_link alone joins: a number of each row."""
    found = np.arange(n_rows)
    for _ in must:
        for i, j in must:
            found[[i, j]] = found[[i, j]].min()
    return found


@given(tables(), st.data())
def test_every_constraint_holds_by_its_precedence(table, data) -> None:
    records, odds = table
    n_rows = records.n_rows
    rows = st.integers(0, n_rows - 1)
    drawn = st.lists(st.tuples(rows, rows), max_size=3)
    cannot = [pair for pair in data.draw(drawn) if pair[0] != pair[1]]
    must = data.draw(drawn)
    sources = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=n_rows, max_size=n_rows)))
    most = data.draw(st.integers(1, 4))
    limits = Limits(pairs(*cannot), pairs(*must), sources, most)
    together = joined(n_rows, must)
    codes = records.vetoes[0].codes
    values = {(together[row], codes[row]) for row in range(n_rows) if codes[row] != NULL}
    if any(together[i] == together[j] for i, j in cannot) or len(dict(values)) < len(values):
        with pytest.raises(pj.InputError):
            units_of(records, limits)
        return
    labels = np.array(cluster(records, odds, limits))
    assert len(labels) == n_rows
    assert list(dict.fromkeys(labels.tolist())) == list(range(labels.max() + 1))
    assert all(labels[i] != labels[j] for i, j in cannot)
    assert all(labels[i] == labels[j] for i, j in must)
    for label in set(labels.tolist()):
        members = np.flatnonzero(labels == label)
        # What must_link joins may break the constraints after it, and nothing else may.
        assert len(members) <= most or len(set(together[members])) == 1
        for source in set(sources[members].tolist()) - {NULL}:
            assert len(set(together[members[sources[members] == source]])) == 1
        known = codes[members][codes[members] != NULL]
        assert len(set(known.tolist())) <= 1


@given(tables())
def test_equal_rows_stay_together_and_null_rows_alone(table) -> None:
    records, odds = table
    labels = cluster(records, odds, Limits())
    of_row = records.of_row.tolist()
    for i, one in enumerate(of_row):
        for j, other in enumerate(of_row[:i]):
            if NULL in (one, other):
                assert labels[i] != labels[j]
            elif one == other:
                assert labels[i] == labels[j]


def test_cannot_link_parts_equal_rows_and_their_likes() -> None:
    records = records_of(["a", "a", "b", "c"])
    assert cluster(records, ALL_ALIKE, Limits()) == [0, 0, 0, 0]
    found = cluster(records, ALL_ALIKE, Limits(pairs((0, 1))))
    assert found[0] != found[1]
    assert found[2] == found[3]


def test_equal_rows_of_one_source_are_parted() -> None:
    records = records_of(["a", "a", "a", "b"])
    limits = Limits(sources=np.array([0, 0, 1, 1]))
    found = cluster(records, {(0, 1): 5.0}, limits)
    assert found[0] != found[1]
    assert found[2] in (found[0], found[1])
    assert found[3] in (found[0], found[1])
    assert found[2] != found[3]


def test_must_link_prevails_over_one_per_and_max_size() -> None:
    records = records_of(["a", "b", "c"])
    limits = Limits(must_link=pairs((0, 1)), sources=np.array([0, 0, 1]), max_size=1)
    assert cluster(records, ALL_ALIKE, limits) == [0, 0, 1]


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"max_size": 2}, [0, 1, 0, 2]),
        ({"sources": np.array([0, 1, 1, 0])}, [0, 1, 0, 2]),
        ({"cannot_link": pairs((1, 3))}, [0, 0, 0, 1]),
        ({"cannot_link": pairs((1, 2))}, [0, 1, 0, 0]),
    ],
)
def test_must_link_brings_no_equal_rows_that_break_a_constraint(
    limits: dict, expected: list[int]
) -> None:
    records = records_of(["a", "a", "b", "b"])
    found = cluster(records, {(0, 1): -5.0}, Limits(must_link=pairs((0, 2)), **limits))
    assert found == expected


def test_equal_rows_that_may_be_together_are() -> None:
    # Neither may with the first, by which they were once joined.
    records = records_of(["a"] * 4)
    assert cluster(records, {}, Limits(pairs((0, 1), (0, 2)))) == [0, 1, 1, 1]


def test_must_link_joins_rows_without_a_key() -> None:
    records = records_of(["a", None, None])
    assert cluster(records, {}, Limits(must_link=pairs((0, 1)))) == [0, 0, 1]


def test_max_size_parts_equal_rows_too() -> None:
    records = records_of(["a"] * 5)
    found = cluster(records, {}, Limits(max_size=2))
    assert sorted(np.bincount(found).tolist()) == [1, 2, 2]


def test_a_veto_parts_rows_that_a_third_connects() -> None:
    records = records_of(["a", "b", "c"], ["x", None, "y"])
    found = cluster(records, {(0, 1): 3.0, (1, 2): 2.0}, Limits())
    assert found == [0, 0, 1]


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (
            Limits(pairs((0, 2)), pairs((0, 1), (1, 2))),
            r"must and must not share a cluster\. Got rows 0 and 2 in cannot_link=",
        ),
        (
            Limits(must_link=pairs((0, 2))),
            r"differ in a by= or veto= column\. Got rows 0 and 2 with 'x' and 'y'",
        ),
    ],
)
def test_contradictions_are_told(limits: Limits, message: str) -> None:
    with pytest.raises(pj.InputError, match=message):
        units_of(records_of(["a", "b", "c"], ["x", "x", "y"]), limits)
