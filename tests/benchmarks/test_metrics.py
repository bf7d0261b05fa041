"""Each measure beside a value worked out by hand."""

import pytest

from benchmarks.autofj.metrics import (
    PairScores,
    average_precision,
    macro,
    pair_scores,
    top1_accuracy,
)


def test_top1_counts_labelled_rows_only():
    answers = {"a": {"A"}, "b": {"B", "B2"}, "c": {"C"}}
    queries = ["a", "b", "c", "unlabelled"]
    assert top1_accuracy(queries, ["A", "B2", "X", "A"], answers) == pytest.approx(2 / 3)


def test_top1_of_a_repeated_query_title_counts_every_row():
    assert top1_accuracy(["a", "a", "b"], ["A", "A", None], {"a": {"A"}, "b": {"B"}}) == (
        pytest.approx(2 / 3)
    )


def test_top1_without_labelled_rows_is_no_number():
    assert top1_accuracy(["a"], ["A"], {}) is None


def test_pair_scores_by_hand():
    returned = [("A", "a"), ("B", "x"), ("C", "c"), ("D", "nobody")]
    true = [("A", "a"), ("B", "b"), ("C", "c"), ("E", "e"), ("F", "f")]
    # 2 of 4 returned are true: 1/2. 2 of 5 true ones are found: 2/5. F1 = 2/5 : 9/10 = 4/9.
    scores = pair_scores(returned, true)
    assert scores.precision == 0.5
    assert scores.recall == pytest.approx(0.4)
    assert scores.f1 == pytest.approx(4 / 9)


def test_a_match_for_a_row_without_one_counts_against_precision():
    true = [("A", "a")]
    assert pair_scores([("A", "a")], true).precision == 1.0
    assert pair_scores([("A", "a"), ("A", "has none")], true).precision == 0.5


def test_pairs_of_duplicate_titles_count_once():
    twice = [("A", "a"), ("A", "a"), ("B", "x")]
    assert pair_scores(twice, [("A", "a"), ("A", "a")]) == PairScores(0.5, 1.0, 2 / 3)


@pytest.mark.parametrize(
    ("returned", "true", "expected"),
    [
        ([], [("A", "a")], PairScores(0.0, 0.0, 0.0)),
        ([], [], PairScores(1.0, 1.0, 1.0)),
        ([("A", "a")], [], PairScores(0.0, 1.0, 0.0)),
        ([("A", "x")], [("A", "a")], PairScores(0.0, 0.0, 0.0)),
    ],
)
def test_pair_scores_of_empty_sides(returned, true, expected):
    assert pair_scores(returned, true) == expected


def test_average_precision_by_hand():
    ranked = [("right1", 0.9), ("wrong1", 0.8), ("right2", 0.7), ("wrong2", 0.6)]
    # 4 true pairs, two of them ranked: (1/1 + 2/3) / 4 = 5/12.
    true = {"right1", "right2", "missed1", "missed2"}
    assert average_precision(ranked, true) == pytest.approx(5 / 12)


def test_average_precision_takes_ties_together_in_any_order():
    ranked = [("right1", 0.9), ("wrong1", 0.5), ("right2", 0.5), ("wrong2", 0.5)]
    # After 0.9: precision 1, recall 1/2. After 0.5: precision 2/4, recall 1. 1/2 + 1/2·1/2 = 3/4.
    true = {"right1", "right2"}
    assert average_precision(ranked, true) == pytest.approx(0.75)
    assert average_precision(ranked[::-1], true) == pytest.approx(0.75)


def test_average_precision_keeps_the_higher_score_of_a_duplicate():
    ranked = [("right", 0.1), ("wrong", 0.5), ("right", 0.9)]
    assert average_precision(ranked, {"right"}) == 1.0


def test_average_precision_at_the_ends():
    assert average_precision([], {"right"}) == 0.0
    assert average_precision([("wrong", 0.5)], {"right"}) == 0.0
    assert average_precision([("wrong", 0.5)], set()) is None


def test_macro_leaves_out_what_has_no_value():
    assert macro([0.5, None, 1.0]) == 0.75
    assert macro([None]) is None
    assert macro([]) is None
