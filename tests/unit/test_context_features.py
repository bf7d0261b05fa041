"""Where pairs stand among their rivals: against brute force, and by hand."""

from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pearljoin._features.context import (
    CONTEXT_FEATURES,
    TABLE_FEATURES,
    USUAL_RIVAL,
    context_features,
    table_features,
)
from pearljoin._features.rival_groups import EQUAL, Groups

PAIRS = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from([-1.5, 0.0, 0.25, 0.5, 2.0])), max_size=12
)


def floats(values) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def among_rivals(logit: np.ndarray, rows: Groups) -> np.ndarray:
    return context_features(logit, rows, np.zeros((len(logit), 0), dtype=np.float32))


@settings(derandomize=True, deadline=None, max_examples=80)
@given(PAIRS)
def test_groups_are_as_by_looking_through_them(pairs: list[tuple[int, float]]) -> None:
    numbers = np.array([number for number, _ in pairs], dtype=np.int64)
    values = floats([value for _, value in pairs])
    groups = Groups(numbers)
    others = [
        [values[b] for b in range(len(pairs)) if numbers[b] == numbers[a] and b != a]
        for a in range(len(pairs))
    ]
    assert len(groups) == len(set(numbers.tolist()))
    wanted = [max(rest, default=9.0) for rest in others]
    assert groups.best_other(values, 9.0).tolist() == wanted
    assert groups.margin(values, 9.0) == pytest.approx(values - floats(wanted))
    for number, at in zip(sorted(set(numbers.tolist())), groups.best(values), strict=True):
        inside = np.flatnonzero(numbers == number)
        assert at == inside[np.argmax(values[inside])]
    wanted = [values[a] >= max(rest, default=-9) - EQUAL for a, rest in enumerate(others)]
    assert groups.is_best(values).tolist() == wanted
    odds = np.exp(values)
    rest = [1 + sum(np.exp(other)) for other in others]
    assert groups.share(odds) == pytest.approx(np.log(odds / rest), abs=1e-5)


def test_values_are_left_as_they_are() -> None:
    values = floats([1, 2, 3])
    Groups(np.array([0, 0, 1])).best_other(values, 0.0)
    assert values.tolist() == [1, 2, 3]


def test_standing_by_hand() -> None:
    rows = Groups(np.array([0, 0, 1]))
    found = dict(zip(CONTEXT_FEATURES, among_rivals(floats([2, -1, 1]), rows).T, strict=True))
    assert found["logit"].tolist() == [2, -1, 1]
    assert found["left_rival"].tolist() == [-1, 2, USUAL_RIVAL]
    assert found["left_margin"].tolist() == [3, -3, 1 - USUAL_RIVAL]
    wanted = [2 - log(1 + exp(-1)), -1 - log(1 + exp(2)), 1]
    assert found["left_share"] == pytest.approx(wanted, abs=1e-5)


def test_extreme_logits_stand_finitely() -> None:
    groups = Groups(np.array([0, 0, 1]))
    found = among_rivals(floats([1e30, -1e30, 300]), groups)
    assert np.isfinite(found).all()
    assert found[:, 0].tolist() == [12, -12, 12]


def test_unmatched_tokens_are_appended() -> None:
    words = np.arange(6, dtype=np.float32).reshape(3, 2)
    found = context_features(floats([2, -1, 1]), Groups(np.array([0, 0, 1])), words)
    assert found.shape == (3, len(CONTEXT_FEATURES) + 2)
    assert np.array_equal(found[:, -2:], words)


def test_a_row_stands_as_it_does_by_itself() -> None:
    logit, left = floats([2, -1, 1, 0.5, -3]), np.array([0, 0, 1, 1, 1])
    every = among_rivals(logit, Groups(left))
    for row in (0, 1):
        alone = among_rivals(logit[left == row], Groups(left[left == row]))
        assert alone == pytest.approx(every[left == row])


def test_a_table_is_described_by_its_rows_best_pairs_and_null_scores() -> None:
    best, null = floats([30.0, *[1.0] * 59]), floats([-30.0, *[-2.0] * 38, 0.5])
    view = dict(zip(TABLE_FEATURES, table_features(best, null, null / 2, 2), strict=True))
    trust = 60 / 80
    mean = (59 / (1 + exp(-1)) + 1 / (1 + exp(-8))) / 60
    assert view["mean_best"] == pytest.approx(mean * trust + 0.4 * (1 - trust), abs=1e-6)
    assert view["median_best"] == pytest.approx(trust)
    assert view["reference"] == pytest.approx(log(2))
    null_trust = 40 / 60
    null_mean = (-8 - 2 * 38 + 0.5) / 40
    wanted = null_mean * null_trust - 4 * (1 - null_trust)
    assert view["mean_null"] == pytest.approx(wanted, abs=1e-5)
    assert view["high_null"] == pytest.approx(-2 * null_trust - 1 * (1 - null_trust), abs=1e-5)


def test_null_scores_of_left_records_are_described_likewise() -> None:
    none, null = floats([]), floats([-1.0, -3.0])
    one = table_features(none, null, none, 2)
    other = table_features(none, none, null, 2)
    assert one[3:5] == pytest.approx(other[5:7])
    assert one[5:7] == pytest.approx([-4, -1]) == other[3:5]


def test_no_pairs() -> None:
    none = Groups(np.zeros(0, dtype=np.int64))
    assert among_rivals(floats([]), none).shape == (0, len(CONTEXT_FEATURES))
    assert none.best(floats([])).shape == (0,)
    # A table of which nothing is known is a usual one.
    assert table_features(*[floats([])] * 3, 1) == pytest.approx([0.4, 0, 0, -4, -1, -4, -1, 0])
    assert table_features(*[floats([])] * 3, 0) == pytest.approx([0.4, 0, 0, -4, -1, -4, -1, 0])


def test_values_that_hardly_differ_are_best_together() -> None:
    values = np.array([1.0, 1.0 - 5e-6, 1.0 - 3e-5, 0.5, 0.5 + 2e-6], dtype=np.float32)
    groups = Groups(np.array([0, 0, 0, 1, 1]))
    assert groups.is_best(values).tolist() == [True, True, False, True, True]


def test_the_match_rate_is_read_off_the_null_scores() -> None:
    rate = TABLE_FEATURES.index("match_rate")
    null = np.linspace(-3, 1, 400, dtype=np.float32)
    answered, unanswered = np.full(300, 4, dtype=np.float32), null[::4]
    every = table_features(answered, null, null, 50)[rate]
    some = table_features(np.concatenate([answered, unanswered]), null, null, 50)[rate]
    none = table_features(null, null, null, 50)[rate]
    assert none < 0 < some < every
    # Three in four have an answer.
    assert some == pytest.approx(np.log(3), abs=0.25)
    assert table_features(answered[:2], null, null, 50)[rate] == pytest.approx(0, abs=0.3)
