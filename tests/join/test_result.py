"""MatchResult: deciding again, looking at pairs, joining; and Matches, the arrays between."""

import json

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest
from frames import FrameMaker, TrigramEncoder, columns_of, match, pairs_of, rows_of
from made_up import people
from oracle import text_scores
from repetitions import few

import pearljoin as pj
from pearljoin._encoders import bundled_scorer
from pearljoin._result_parts.probabilities import answer_and_same

pytestmark = pytest.mark.every_kind

PAIR_COLUMNS = ["left_row", "right_row", "left", "right", "score", "runner_up", "margin"]
LEFT = ["red apple", "Red Apple", "green pear", "zzz", None]
RIGHT = ["red apples", "pears, green", "red apple", "blue"]
SCORES = text_scores([text for text in LEFT if text], RIGHT)


def test_deciding_again_never_encodes_again(trigrams: TrigramEncoder) -> None:
    result = match(LEFT, RIGHT, encoder=trigrams, threshold="auto")
    asked = list(trigrams.asked)
    # One phrase is asked for beforehand, to learn the number of columns.
    assert sorted(asked[1:]) == sorted(set(RIGHT) | {text for text in LEFT if text})
    for constraint in ("m:1", "1:1", "m:m"):
        for threshold in (0.0, 0.2, 0.6, "auto", pj.PrecisionTarget(0.5)):
            result.matches(threshold=threshold, constraint=constraint)
    for how in ("left", "inner", "right", "full", "semi", "anti"):
        result.join(how)
    result.pairs()
    result.unmatched()
    assert trigrams.asked == asked


@pytest.mark.parametrize("constraint", ["m:1", "1:1", "m:m"])
@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.6, 1.0])
def test_deciding_again_equals_asking_so_at_first(threshold: float, constraint: str) -> None:
    again = match(LEFT, RIGHT, threshold=0.9).matches(threshold=threshold, constraint=constraint)
    fresh = match(LEFT, RIGHT, threshold=threshold, constraint=constraint).matches()
    assert pairs_of(again) == pairs_of(fresh)
    assert again.score.tolist() == fresh.score.tolist()


def test_k_goes_with_the_constraint_it_is_given_for() -> None:
    result = match(LEFT, RIGHT, constraint="m:m", k=1, threshold=0.2)
    assert pairs_of(result.matches()) == [(0, 2), (1, 2), (2, 1)]
    assert pairs_of(result.matches(k=2)) == [(0, 2), (0, 0), (1, 2), (1, 0), (2, 1)]
    # k=1 was for the constraint asked with, so here there is no limit.
    every = result.matches(constraint="m:m")
    assert set(pairs_of(every)) == set(zip(*map(tuple, np.nonzero(SCORES >= 0.2)), strict=True))
    assert pairs_of(result.matches(constraint="m:1")) == [(0, 2), (1, 2), (2, 1)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 2}, "threshold must be a number from 0 to 1. Got 2"),
        ({"threshold": "best"}, "threshold is not understood. Got 'best'"),
        ({"constraint": "one"}, "constraint= is not understood. Got 'one'"),
        ({"k": 2}, "k limits the matches"),
        ({"constraint": "m:m", "k": -1}, "k must be a whole number above 0"),
    ],
)
def test_wrong_decisions_are_told(options: dict, message: str) -> None:
    with pytest.raises(pj.InputError, match=message):
        match(LEFT, RIGHT).matches(**options)


def test_join_and_unmatched_check_their_arguments() -> None:
    with pytest.raises(pj.InputError, match=r"how= is not understood. Got 'both'"):
        match(LEFT, RIGHT).join("both")
    with pytest.raises(pj.InputError, match=r"side= is not understood. Got 'both'"):
        match(LEFT, RIGHT).unmatched("both")


def test_the_result_says_what_it_holds() -> None:
    result = match(LEFT, RIGHT, constraint="1:1")
    rows = "<MatchResult: 5 left rows against 4 on left = right (text), guessed; one_to_one, "
    assert repr(result).startswith(rows)
    assert repr(result.matches(threshold=1.0)) == "Matches(left=[0], right=[2], score=[1.])"


@pytest.mark.parametrize("number", [np.float32, np.float64])
def test_a_threshold_may_be_a_number_of_numpys(number) -> None:
    result = match(LEFT, RIGHT, threshold=number(0.9))
    assert pairs_of(result.matches()) == [(0, 2), (1, 2)]
    assert pairs_of(result.matches(threshold=number(0.2))) == [(0, 2), (1, 2), (2, 1)]


def test_a_threshold_object_is_asked() -> None:
    class Median:
        def choose(self, evidence) -> float:
            assert evidence.fallback == 0.4
            # "green pear" and "zzz" equal nothing in the reference.
            np.testing.assert_allclose(evidence.best, SCORES[2:].max(axis=1), atol=2e-5)
            return float(np.median(evidence.best))

    result = match(LEFT, RIGHT, threshold=Median())
    assert result.threshold == pytest.approx(np.median(SCORES[2:].max(axis=1)), abs=2e-5)
    assert pairs_of(result.matches()) == [(0, 2), (1, 2), (2, 1)]


def test_a_threshold_object_that_leaves_the_range_is_refused() -> None:
    class High:
        def choose(self, evidence) -> float:
            return 1.5

    with pytest.raises(pj.InputError, match=r"threshold must be a number from 0 to 1. Got 1.5"):
        match(LEFT, RIGHT, threshold=High()).matches()


# Looking at it ----------------------------------------------------------------------------------


def test_pairs_name_the_runner_up_and_the_margin(make_frame: FrameMaker) -> None:
    pairs = match(make_frame({"x": LEFT}), make_frame({"y": RIGHT}), threshold=0.2).pairs()
    found = columns_of(pairs)
    assert list(found) == PAIR_COLUMNS
    assert (found["left_row"], found["right_row"]) == ([0, 1, 2], [2, 2, 1])
    assert found["left"] == ["red apple", "Red Apple", "green pear"]
    assert found["right"] == ["red apple", "red apple", "pears, green"]
    assert found["runner_up"] == ["red apples", "red apples", RIGHT[np.argsort(SCORES[2])[-2]]]
    best = np.sort(SCORES[:3], axis=1)
    np.testing.assert_allclose(found["score"], best[:, -1], atol=2e-5)
    np.testing.assert_allclose(found["margin"], best[:, -1] - best[:, -2], atol=3e-5)


def test_a_pair_that_is_not_the_best_has_a_negative_margin() -> None:
    pairs = match(
        ["red apple"], ["red apples", "red apple"], constraint="m:m", threshold=0.2
    ).pairs()
    assert rows_of(pairs, "right", "runner_up") == [
        ("red apple", "red apples"),
        ("red apples", "red apple"),
    ]
    margin = 1 - text_scores(["red apple"], ["red apples", "red apple"])[0, 0]
    np.testing.assert_allclose(rows_of(pairs, "margin"), [margin, -margin], atol=3e-5)


def test_without_a_rival_there_is_no_margin(make_frame: FrameMaker) -> None:
    pairs = match(make_frame({"x": ["red"]}), make_frame({"y": ["Red"]})).pairs()
    assert rows_of(pairs) == [(0, 0, "red", "Red", 1.0, None, None)]


def test_pairs_of_several_keys_are_put_together(make_frame: FrameMaker) -> None:
    left = make_frame({"x": ["red", "blue"], "n": [1, 2]})
    pairs = match(left, left, on=["x", "n"], threshold=1.0).pairs()
    assert rows_of(pairs, "left", "right") == [("red | 1", "red | 1"), ("blue | 2", "blue | 2")]


@pytest.mark.parametrize(("threshold", "constraint"), [(0.2, None), (None, "1:1"), (0.2, "m:m")])
def test_pairs_are_listed_at_another_threshold_and_constraint(
    threshold: float | None, constraint: str | None
) -> None:
    result = match(LEFT, RIGHT, threshold=0.6)
    pairs, matches = result.pairs(threshold, constraint), result.matches(threshold, constraint)
    listed = zip(pairs["left_row"].to_list(), pairs["right_row"].to_list(), strict=True)
    assert list(listed) == pairs_of(matches)
    assert pairs["score"].to_list() == pytest.approx(matches.score.tolist(), abs=1e-5)
    assert len(result.pairs(0.2, "m:m")) > len(result.pairs(0.2)) > 0
    # The runner-up depends on the constraint, as that of a result asked for with it does.
    asked = {"threshold": threshold or 0.6, "constraint": constraint or "m:1"}
    again = match(LEFT, RIGHT, **asked).pairs()
    assert pairs["runner_up"].to_list() == again["runner_up"].to_list()
    with pytest.raises(pj.InputError, match=r"constraint= is not understood\. Got 'one'"):
        result.pairs(constraint="one")


def test_no_pairs_are_an_empty_table(make_frame: FrameMaker) -> None:
    pairs = match(make_frame({"x": ["red"]}), make_frame({"y": ["blue"]}), threshold=0.9).pairs()
    assert columns_of(pairs) == {name: [] for name in PAIR_COLUMNS}


def test_pairs_have_row_positions_as_whole_numbers(make_frame: FrameMaker) -> None:
    left, right = make_frame({"x": ["zzz", "red"]}), make_frame({"y": ["blue", "sky", "Red"]})
    pairs = match(left, right, threshold=0.9).pairs()
    assert rows_of(pairs, "left_row", "right_row") == [(1, 2)]
    types = nw.from_native(pairs).schema
    assert types["left_row"] == types["right_row"] == nw.Int64


def test_evaluate_reads_the_row_positions_of_pairs() -> None:
    result = match(LEFT, RIGHT, threshold=0.2)
    assert pj.evaluate(result.matches(), result.pairs()).f1 == 1.0


NAMES = ["Acme Corp", "Siemens", "NY Times"]
REFERENCE = ["Acme Corp", "Acme Corporation", "Siemens AG", "The New York Times", "Le Monde"]


def test_pairs_have_both_probabilities_where_scores_are_probabilities() -> None:
    result = pj.match(NAMES, REFERENCE, constraint="m:m", threshold=0.0)
    found = columns_of(result.pairs())
    answer, same, score = (np.array(found[name]) for name in ("p_answer", "p_same", "score"))
    assert answer.tolist() == score.tolist()
    # What is the answer is the same thing; beside an equal name another one may be, too.
    assert (same >= answer).all()
    assert (answer[0], same[0]) == (1, 1)
    double = found["right"].index("Acme Corporation")
    assert same[double] > 0.9
    other = [at for at, name in enumerate(found["right"]) if name == "Le Monde"]
    assert max(same[other]) < 0.05


@pytest.mark.parametrize(
    ("constraint", "name"), few([("m:m", "p_same"), ("m:1", "p_answer"), ("1:1", "p_answer")], 1)
)
def test_the_score_of_several_columns_is_the_probability_of_its_constraint(
    constraint: str, name: str
) -> None:
    tables = people(60, seed=4)
    options = {"on": tables.keys, "constraint": constraint, "threshold": 0.3}
    result = pj.match(tables.left, tables.right, **options)
    pairs = result.pairs()
    assert pairs["score"].tolist() == pairs[name].tolist()
    assert pairs["p_answer"].tolist() != pairs["p_same"].tolist()
    assert pairs[["p_answer", "p_same"]].max().max() <= 1


def test_probabilities_are_those_of_the_candidates_in_any_order() -> None:
    tables = people(40, seed=4)
    comparison = pj.match(tables.left, tables.right, on=tables.keys).comparison
    every = comparison.candidates
    some = np.random.default_rng(0).permutation(len(every))
    answer, same = answer_and_same(comparison, every.left[some], every.right[some])
    assert answer.tolist() == every.score[some].tolist()
    assert same is not None
    assert every.same is not None
    assert same.tolist() == every.same[some].tolist()


def test_without_networks_for_it_pairs_have_no_p_same() -> None:
    bundled = pj.load_encoder("default")
    content = json.loads(bundled_scorer() or b"")
    del content["records"]

    class ForOneColumn:
        dim = bundled.dim
        scorer = json.dumps(content).encode()

        def encode(self, texts):
            return bundled.encode(texts)

    found = columns_of(pj.match(NAMES, REFERENCE, encoder=ForOneColumn()).pairs())
    assert "p_answer" in found
    assert "p_same" not in found


def test_keys_that_are_null_and_equal_are_the_same() -> None:
    pairs = pj.match(["Siemens", None], [None, "Siemens"], nulls_equal=True).pairs()
    assert rows_of(pairs, "right_row", "p_answer", "p_same") == [(1, 1.0, 1.0), (0, 1.0, 1.0)]


def test_unmatched_rows_of_either_side(make_frame: FrameMaker) -> None:
    left = make_frame({"x": LEFT, "n": [1, 2, 3, 4, 5]})
    result = match(left, make_frame({"y": RIGHT, "m": [6, 7, 8, 9]}))
    assert type(result.unmatched()) is type(left)
    assert rows_of(result.unmatched()) == [("zzz", 4), (None, 5)]
    assert rows_of(result.unmatched("right")) == [("red apples", 6), ("blue", 9)]


def test_unmatched_right_rows_are_of_rights_kind() -> None:
    result = match(["red"], pl.DataFrame({"y": ["red", "blue"]}))
    assert result.unmatched("right").to_dict(as_series=False) == {"y": ["blue"]}


# Matches ----------------------------------------------------------------------------------------


@pytest.fixture
def matches() -> pj.Matches:
    return pj.Matches([2, 0, 0, 1, 0], [1, 4, 3, 3, 2], [0.5, 0.7, 0.9, 0.8, 0.9])


def test_matches_are_three_typed_arrays(matches: pj.Matches) -> None:
    assert len(matches) == 5
    assert [a.dtype.name for a in (matches.left, matches.right, matches.score)] == [
        "int64",
        "int64",
        "float32",
    ]


def test_above_keeps_what_reaches_the_threshold(matches: pj.Matches) -> None:
    assert pairs_of(matches.above(0.8)) == [(0, 3), (1, 3), (0, 2)]
    assert pairs_of(matches.above(0.9)) == [(0, 3), (0, 2)]
    assert len(matches.above(1.0)) == 0


def test_best_ranks_and_breaks_ties_by_the_right_row(matches: pj.Matches) -> None:
    assert pairs_of(matches.best()) == [(0, 2), (1, 3), (2, 1)]
    assert pairs_of(matches.best(2)) == [(0, 2), (0, 3), (1, 3), (2, 1)]
    assert pairs_of(matches.ranked()) == [(0, 2), (0, 3), (0, 4), (1, 3), (2, 1)]


def test_one_to_one_uses_each_row_once(matches: pj.Matches) -> None:
    assert pairs_of(matches.one_to_one()) == [(0, 2), (1, 3), (2, 1)]
    crossed = pj.Matches([0, 0, 1], [0, 1, 0], [0.9, 0.8, 0.7])
    assert pairs_of(crossed.one_to_one()) == [(0, 1), (1, 0)]
    assert crossed.one_to_one().score.tolist() == [np.float32(0.8), np.float32(0.7)]


def test_no_matches_stay_none() -> None:
    none = pj.Matches([], [], [])
    for kept in (none.best(), none.above(0.5), none.one_to_one(), none.ranked()):
        assert len(kept) == 0


@pytest.mark.parametrize("columns", [([0], [0, 1], [0.5]), ([0], [0], []), ([[0]], [[0]], [[1]])])
def test_matches_of_unequal_length_are_refused(columns) -> None:
    with pytest.raises(ValueError, match=r"must be one-dimensional and as long as left"):
        pj.Matches(*columns)
