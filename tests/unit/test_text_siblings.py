"""What is said of two texts of one table, and of the table, to tell siblings from one thing."""

from types import SimpleNamespace

import numpy as np

from pearljoin._features.registry import REGISTRY
from pearljoin._scoring.text_siblings import (
    TEXT_PAIR_FEATURES,
    TEXT_TABLE_FEATURES,
    describe_texts,
    text_pair_features,
    trust,
)

NAMES = list(REGISTRY.names)


def features(n: int, **columns: list[float]) -> np.ndarray:
    found = np.zeros((n, len(NAMES)), dtype=np.float32)
    for name, values in columns.items():
        found[:, NAMES.index(name)] = values
    return found


def swapped(whole: np.ndarray) -> np.ndarray:
    """The same pairs, the other text first."""
    other = {"left_": "right_", "right_": "left_"}
    places = [
        NAMES.index(other[side] + name.removeprefix(side))
        if (side := name[: name.index("_") + 1] if "_" in name else "") in other
        and other[side] + name.removeprefix(side) in NAMES
        else at
        for at, name in enumerate(NAMES)
    ]
    return whole[:, places]


def test_which_text_is_first_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    whole = rng.random((5, len(NAMES))).astype(np.float32)
    log_odds, table = np.linspace(-2, 4, 5).astype(np.float32), np.zeros(5, dtype=np.float32)
    one, other = (
        text_pair_features(log_odds, SimpleNamespace(whole=some, whole_logit=log_odds / 2), table)
        for some in (whole, swapped(whole))
    )
    assert not np.array_equal(whole, swapped(whole))
    np.testing.assert_array_equal(one, other)
    assert one.shape == (5, len(TEXT_PAIR_FEATURES))
    np.testing.assert_array_equal(one[:, :2], np.column_stack([log_odds, log_odds / 2]))


def test_pairs_are_counted_by_how_they_differ() -> None:
    whole = features(6, left_lacks=[0, 0, 0.9, 0, 0.9, 0.9], right_lacks=[0, 0.1, 0, 0.9, 0.9, 0.9])
    log_odds = np.array([9, 2, 1, 0, 3, -2], dtype=np.float32)
    is_equal = np.array([True, False, False, False, False, False])
    table = describe_texts(log_odds, whole, is_equal, 40, 20)
    said = dict(zip(TEXT_TABLE_FEATURES, np.exp(table) * 20 - 1, strict=True))
    assert {
        name: round(float(count), 3) for name, count in said.items() if name != "n_records"
    } == {
        "equal_a_record": 1,
        "alike_a_record": 1,
        "adding_a_record": 2,
        "differing_a_record": 1,  # the other one is unlikely
    }
    assert abs(np.exp(table[0]) - 40) < 1e-3


def test_a_table_without_pairs_is_described() -> None:
    nothing = np.zeros(0, dtype=np.float32)
    table = describe_texts(nothing, features(0), np.zeros(0, dtype=bool), 3, 3)
    assert np.isfinite(table).all()


def test_a_handful_of_names_says_little_of_siblings() -> None:
    none = np.zeros(0)
    shares = [
        trust(describe_texts(none, features(0), np.zeros(0, dtype=bool), n, n))
        for n in (2, 10, 100, 1_000, 1_000_000)
    ]
    assert shares == sorted(shares)
    assert shares[0] < 0.2
    assert shares[3] == shares[4] > 0.7
