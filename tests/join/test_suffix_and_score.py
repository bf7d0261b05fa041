"""Names of columns in the result, and the score among them."""

import pytest
from frames import FrameMaker, columns_of, join, match, rows_of

import pearljoin as pj

LEFT = {"x": ["red", "green"], "n": [1, 2]}
RIGHT = {"x": ["RED", "blue"], "n": [3, 4], "m": [5, 6]}


def names(make_frame: FrameMaker, left=LEFT, right=RIGHT, **options) -> list[str]:
    return list(columns_of(join(make_frame(left), make_frame(right), on="x", **options)))


def test_clashing_columns_of_the_right_get_the_suffix(make_frame: FrameMaker) -> None:
    assert names(make_frame) == ["x", "n", "x_right", "n_right", "m", "match_score"]
    assert names(make_frame, suffix="2") == ["x", "n", "x2", "n2", "m", "match_score"]


@pytest.mark.parametrize("suffix", [("_l", "_r"), ["_l", "_r"]])
def test_a_pair_of_suffixes_names_both_sides(make_frame: FrameMaker, suffix) -> None:
    assert names(make_frame, suffix=suffix) == ["x_l", "n_l", "x_r", "n_r", "m", "match_score"]


@pytest.mark.parametrize("suffix", [("_l", None), ("_l", "")])
def test_half_a_pair_may_be_left_out(make_frame: FrameMaker, suffix) -> None:
    joined = join(make_frame(LEFT), make_frame(RIGHT), on="x", suffix=suffix, how="inner")
    assert rows_of(joined) == [("red", 1, "RED", 3, 5, 1.0)]
    assert list(columns_of(joined)) == ["x_l", "n_l", "x", "n", "m", "match_score"]


@pytest.mark.parametrize("suffix", ["", ("_z", "_z"), (None, None)])
def test_suffixes_that_leave_a_clash_are_refused(make_frame: FrameMaker, suffix) -> None:
    with pytest.raises(pj.InputError, match=r"would have one name. Got \['x_?z?', 'n_?z?'\] twice"):
        names(make_frame, suffix=suffix)


def test_a_suffixed_name_that_is_taken_is_refused(make_frame: FrameMaker) -> None:
    with pytest.raises(pj.InputError, match=r"one name. Got \['n_right'\] twice"):
        names(make_frame, left={**LEFT, "n_right": [0, 0]})


@pytest.mark.parametrize("suffix", [None, 3, ("_a",), ("_a", "_b", "_c"), ("_a", 3), {"_a"}])
def test_what_is_no_suffix_is_refused(suffix) -> None:
    with pytest.raises(pj.InputError, match=r"suffix= must be a string or a pair of strings. Got"):
        join(["a"], ["a"], suffix=suffix)


@pytest.mark.parametrize("how", ["semi", "anti"])
def test_semi_and_anti_have_no_clashes(make_frame: FrameMaker, how: str) -> None:
    assert names(make_frame, suffix="", how=how) == ["x", "n"]


# The score --------------------------------------------------------------------------------------


def test_the_score_can_be_renamed_or_left_out(make_frame: FrameMaker) -> None:
    joined = join(make_frame(LEFT), make_frame(RIGHT), on="x", score="how alike")
    assert rows_of(joined, "how alike") == [1.0, None]
    assert names(make_frame, score=None) == ["x", "n", "x_right", "n_right", "m"]


@pytest.mark.parametrize("score", ["x", "n_right", "m"])
def test_a_score_whose_name_is_taken_is_refused(make_frame: FrameMaker, score: str) -> None:
    with pytest.raises(pj.InputError, match=f"score column's name is taken. Got score='{score}'"):
        names(make_frame, score=score)


def test_a_table_that_was_joined_before_is_joined_with_the_names_that_the_error_says(
    make_frame: FrameMaker,
) -> None:
    first = join(make_frame(LEFT), make_frame(RIGHT), on="x")
    third = make_frame({"x": ["red"], "n": [7]})
    with pytest.raises(pj.InputError) as told:
        join(first, third, on="x")
    assert str(told.value) == (
        "Two columns of the result would have one name. Got ['x_right', 'n_right'] twice with "
        "suffix='_right'. Hint: choose another suffix, such as '_right2', or a pair, "
        "suffix=('_left', '_right'). The score column's name is taken, too: "
        "score='match_score_2', or score=None to leave the score out."
    )
    with pytest.raises(
        pj.InputError, match=r"was joined before has one; score='match_score_2', or"
    ):
        join(first, third, on="x", suffix="_right2")
    names = {"suffix": "_right2", "score": "match_score_2"}
    second = join(first, third, on="x", **names)
    assert list(columns_of(second)) == [
        *("x", "n", "x_right", "n_right", "m", "match_score"),
        *("x_right2", "n_right2", "match_score_2"),
    ]
    with pytest.raises(pj.InputError, match=r"such as '_right3'.* score='match_score_3', or"):
        join(second, third, on="x", **names)


@pytest.mark.parametrize("how", ["semi", "anti"])
def test_without_a_score_column_its_name_is_free(make_frame: FrameMaker, how: str) -> None:
    left = {"x": ["red", "green"], "match_score": [1, 2]}
    joined = join(make_frame(left), make_frame(RIGHT), on="x", how=how)
    assert rows_of(joined) == {"semi": [("red", 1)], "anti": [("green", 2)]}[how]


def test_scores_are_those_of_the_matches(make_frame: FrameMaker) -> None:
    result = match(
        make_frame({"x": ["red", "green pear"]}), make_frame({"y": ["green pears", "Red"]})
    )
    scores = result.matches().score
    assert scores[0] == 1
    assert 0.5 < scores[1] < 1
    assert rows_of(result.join(), "match_score") == [1, pytest.approx(scores[1], abs=6e-6)]
    assert rows_of(result.join(), "match_score")[1] == pytest.approx(
        round(float(scores[1]), 5), abs=1.1e-5
    )
