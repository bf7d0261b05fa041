"""Cardinality: how many partners a row may have."""

import numpy as np
import pandas as pd
import pytest
from frames import FrameMaker, join, match, pairs_of, rows_of
from oracle import text_scores
from scipy.optimize import linear_sum_assignment

import pearljoin as pj

# Greedy would give "red apple pie" its best, "red apple pie tart", and leave the tart the worst.
LEFT = ["red apple pie", "pie tart"]
RIGHT = ["red apple pie tart", "red apple"]


def test_many_to_one_takes_each_left_rows_best(make_frame: FrameMaker) -> None:
    left = make_frame({"x": ["Acme Corp", "ACME", "Globex", "acme co"]})
    right = make_frame({"y": ["globex inc", "acme", "initech"]})
    joined = join(left, right, how="inner")
    assert rows_of(joined, "x", "y") == [
        ("Acme Corp", "acme"),
        ("ACME", "acme"),
        ("Globex", "globex inc"),
        ("acme co", "acme"),
    ]


def test_one_to_one_is_the_best_assignment_and_not_a_greedy_one(make_frame: FrameMaker) -> None:
    scores = text_scores(LEFT, RIGHT)
    greedy = scores.max() + scores[1 - scores.argmax() // 2, 1 - scores.argmax() % 2]
    rows, columns = linear_sum_assignment(scores, maximize=True)
    assert scores[rows, columns].sum() > greedy + 0.2
    result = match(
        make_frame({"x": LEFT}), make_frame({"y": RIGHT}), constraint="1:1", threshold=0.1
    )
    found = result.matches()
    assert pairs_of(found) == list(zip(rows.tolist(), columns.tolist(), strict=True))
    np.testing.assert_allclose(found.score, scores[rows, columns], atol=2e-5)


def test_one_to_one_pairs_repeated_rows_in_order(make_frame: FrameMaker) -> None:
    left = make_frame({"x": ["red", "red", "Red", "red"]})
    right = make_frame({"x": ["RED", "red", "blue", "red", "red"]})
    found = match(left, right, on="x", constraint="1:1").matches()
    # Equal as they stand first, in the order of rows; then equal after normalisation.
    assert pairs_of(found) == [(0, 1), (1, 3), (2, 0), (3, 4)]
    assert found.score.tolist() == [1, 1, 1, 1]


def test_equal_texts_are_paired_though_the_sum_would_be_greater_without() -> None:
    left, right = ["red apples", "red apple"], ["red apple", "red appl"]
    scores = text_scores(left, right)
    assert scores[1, 0] == 1
    assert pairs_of(match(left, right, constraint="1:1", threshold=0.1).matches()) == [
        (0, 1),
        (1, 0),
    ]


def test_many_to_many_takes_all_above_the_threshold(make_frame: FrameMaker) -> None:
    left, right = make_frame({"x": [*LEFT, "zzz"]}), make_frame({"y": [*RIGHT, "red apple tart"]})
    scores = text_scores([*LEFT, "zzz"], [*RIGHT, "red apple tart"])
    threshold = float(np.sort(scores[:2].ravel())[1]) - 1e-3
    found = match(left, right, constraint="m:m", threshold=threshold).matches()
    assert set(pairs_of(found)) == set(
        zip(*map(tuple, np.nonzero(scores >= threshold)), strict=True)
    )
    np.testing.assert_allclose(found.score, scores[found.left, found.right], atol=2e-5)
    assert (np.diff(found.left) >= 0).all()


@pytest.mark.parametrize("k", [1, 2, 3, 100])
def test_k_keeps_each_left_rows_best(make_frame: FrameMaker, k: int) -> None:
    left = make_frame({"x": ["red apple", "RED", "green pear"]})
    right = make_frame({"y": ["red", "Red apple", "apple", "red", "pear", "red apples", None]})
    every = match(left, right, constraint="m:m", threshold=0.05).matches()
    found = match(left, right, constraint="m:m", threshold=0.05, k=k).matches()
    wanted = [pair for at in range(3) for pair in [p for p in pairs_of(every) if p[0] == at][:k]]
    assert pairs_of(found) == wanted
    assert np.bincount(found.left).max() == min(k, np.bincount(every.left).max())


def test_k_equal_rows_leave_room_for_no_others() -> None:
    found = match(["red"], ["reds", "red", "red", "red"], constraint="m:m", threshold=0.1, k=2)
    assert pairs_of(found.matches()) == [(0, 1), (0, 2)]


@pytest.mark.parametrize(
    ("short", "long"),
    [("m:1", "many_to_one"), ("1:1", "one_to_one"), ("m:m", "many_to_many")],
)
def test_short_names_mean_the_long_ones(short: str, long: str) -> None:
    one, two = (match(LEFT, RIGHT, constraint=c, threshold=0.1).matches() for c in (short, long))
    assert pairs_of(one) == pairs_of(two)
    assert one.score.tolist() == two.score.tolist()


@pytest.mark.parametrize("constraint", ["m:1", "one_to_one"])
def test_k_without_many_to_many_is_an_error(constraint: str) -> None:
    with pytest.raises(pj.InputError, match=r"at most one. Got k=2"):
        match(LEFT, RIGHT, constraint=constraint, k=2)


def test_too_many_pairs_are_refused_rather_than_held() -> None:
    column = pd.Series(["same"] * 20_000)
    result = match(column, column, constraint="m:m")
    with pytest.raises(pj.InputError, match=r"too many pairs to return. Got 400,000,000"):
        result.matches()


# Ties -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_right", [3, 120])
def test_equal_scores_go_to_the_right_row_that_stands_first(n_right: int) -> None:
    right = ["aaaa bbbb", *["xyz xyz"] * n_right, "bbbb aaaa", "aaaa bbbb"]
    assert pairs_of(match(["xyz"], right, threshold=0.1).matches()) == [(0, 1)]
    assert pairs_of(match(["AAAA  bbbb"], right).matches()) == [(0, 0)]


@pytest.mark.parametrize("filler", [0, 100])
def test_raw_equality_beats_equality_after_normalisation(filler: int) -> None:
    right = ["ACME.", *[f"filler {n}" for n in range(filler)], "acme", "Acme", "Acme"]
    assert pairs_of(match(["Acme", "acmé"], right).matches()) == [(0, filler + 2), (1, 0)]
    found = match(["Acme"], right, constraint="m:m", threshold=0.9).matches()
    assert [right[row] for row in found.right] == ["Acme", "Acme", "ACME.", "acme"]
    assert found.score.tolist() == [1, 1, 1, 1]


def test_texts_that_differ_never_score_one() -> None:
    class Constant:
        def encode(self, phrases):
            return np.ones((len(phrases), 2))

    # One word over and over, so that spelling says equal too, with another number of words.
    found = match(["boo boo"], ["boo boo boo boo"], encoder=Constant(), threshold=0.5).matches()
    assert found.score.tolist() == [np.float32(1 - 1e-5)]
    assert (
        len(match(["boo boo"], ["boo boo boo boo"], encoder=Constant(), threshold=1.0).matches())
        == 0
    )


def test_k_spares_the_pairs_that_it_leaves_out() -> None:
    names = ["red apple"] * 20_000  # 400 million pairs, of which 40,000 are wanted
    matches = match(names, names, constraint="m:m", k=2).matches()
    assert matches.left.tolist() == np.repeat(np.arange(20_000), 2).tolist()
    assert matches.right.tolist() == [0, 1] * 20_000
