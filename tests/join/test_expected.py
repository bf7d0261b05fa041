"""Expected precision and recall, and thresholds from labels."""

import functools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from frames import FrameMaker, TrigramEncoder, columns_of, match, match_records, pairs_of
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import people
from repetitions import few

import pearljoin as pj
from pearljoin._decision.label_sampling import sample_for_labelling

pytestmark = pytest.mark.every_kind

law = settings(derandomize=True, deadline=None, max_examples=50)


@pytest.fixture(scope="module")
def tables():
    return people(160, seed=7)


@pytest.fixture(scope="module")
def result(tables) -> pj.MatchResult:
    return match_records(tables.left, tables.right, on=tables.keys, threshold=0.5)


@pytest.fixture(scope="module")
def by_constraint(tables) -> Callable[[str], pj.MatchResult]:
    """The tables, matched by a constraint, once each."""
    return functools.cache(
        lambda constraint: match_records(
            tables.left, tables.right, on=tables.keys, constraint=constraint
        )
    )


def plain(n: int = 60, **options) -> pj.MatchResult:
    """Similarities of names of which every second has its answer in the reference."""
    left = [f"{word} lodge {i}" for i in range(n) for word in ("north", "south")]
    return match(left, [f"north lodge no {i}" for i in range(n)] + ["west inn"], **options)


# What is expected of matches --------------------------------------------------------------------


def test_expected_precision_and_recall_are_sums_of_probabilities(result) -> None:
    # Each record is one row here. Under many_to_many, scores answer another question.
    every = result.comparison.candidates
    answers = np.bincount(every.left, weights=every.score)
    for threshold in (0.2, 0.5, 0.9):
        scores = result.matches(threshold=threshold).score.astype(float)
        assert result.expected_precision(threshold) == pytest.approx(scores.mean())
        assert result.expected_recall(threshold) == pytest.approx(
            scores.sum() / np.minimum(answers, 1).sum(), abs=1e-6
        )
    assert result.expected_precision() == result.expected_precision(0.5)


def test_what_is_expected_is_about_what_comes(result, tables) -> None:
    found = pairs_of(result.matches())
    precision = np.mean([pair in tables.gold for pair in found])
    recall = np.mean([pair in set(found) for pair in tables.gold])
    # On people as clean as these the networks are too careful.
    assert precision - 0.15 < result.expected_precision() < precision + 0.05
    assert result.expected_recall() == pytest.approx(recall, abs=0.15)


@pytest.mark.parametrize("constraint", few(["m:1", "1:1", "m:m"], 1))
def test_the_curve_says_what_each_threshold_does(by_constraint, constraint) -> None:
    result = by_constraint(constraint)
    threshold, precision, recall = curve = result.curve()
    assert len(threshold) == len(precision) == len(recall) <= 200
    assert (np.diff(threshold) > 0).all()
    for at in range(0, len(threshold), 40):
        expected = result.expected_precision(threshold[at]), result.expected_recall(threshold[at])
        assert expected == pytest.approx((curve.precision[at], curve.recall[at]), abs=1e-6)
    if constraint != "1:1":
        assert (np.diff(recall) <= 1e-12).all()
        assert (np.diff(precision) >= -1e-6).all()


def test_no_matches_promise_nothing() -> None:
    nothing = pj.match(["tea room"], ["le monde"], threshold=1.0)
    assert np.isnan(nothing.expected_precision())
    assert nothing.expected_recall() == 0
    empty = pj.match(pd.Series([], dtype=str), ["le monde"])
    assert np.isnan(empty.expected_recall())
    assert len(empty.curve().threshold) == 0


def test_rows_count_not_records() -> None:
    keys = {"on": ["x", "n"]}
    once = pd.DataFrame({"x": ["red inn", "blue"], "n": [1, 2]})
    right = pd.DataFrame({"x": ["red in", "bleu"], "n": [1, 7]})
    often = once.iloc[[0, 0, 0, 1]]
    scores = match_records(once, right, **keys, threshold=0.0).matches().score
    found = match_records(often, right, **keys, threshold=0.0)
    repeated = found.matches().score
    assert found.expected_precision() == pytest.approx((3 * repeated[0] + repeated[3]) / 4)
    assert len(scores) == 2


@pytest.mark.parametrize("constraint", few(["m:1", "m:m"], 1))
def test_a_target_is_of_distinct_rows_however_often_one_is_repeated(
    tables, result, by_constraint, constraint
) -> None:
    matches = result.matches()
    doubtful = np.argsort(matches.score)[:20]
    left, right = tables.left, tables.right
    if constraint == "m:1":
        left = pd.concat([left, *[left.iloc[matches.left[doubtful]]] * 20])
    else:
        right = pd.concat([right, *[right.iloc[matches.right[doubtful]]] * 20])
    once = by_constraint(constraint)
    found = match_records(left, right, on=tables.keys, constraint=constraint)
    for precision in (0.8, 0.9, 0.95):
        target = pj.PrecisionTarget(precision)
        assert once.expected_precision(target) >= precision - 1e-6
        of_once, of_rows = once.matches(target).score, found.matches(target).score
        assert of_rows.min() == pytest.approx(of_once.min(), abs=1e-5)
        assert np.unique(of_rows) == pytest.approx(np.unique(of_once), abs=1e-5)
        # What is expected is of rows.
        assert found.expected_precision(target) == pytest.approx(of_rows.mean())


def test_similarities_promise_nothing_and_say_what_to_do() -> None:
    for ask in ("expected_precision", "expected_recall", "curve"):
        with pytest.raises(pj.InputError, match=r"are similarities here.*Hint: label what"):
            getattr(plain(), ask)()
    with pytest.raises(pj.InputError, match=r"An interval needs labelled pairs. Got the thr"):
        plain().precision_interval()


# Which pairs to label ---------------------------------------------------------------------------


def test_pairs_are_suggested_in_the_tables_own_kind(make_frame: FrameMaker) -> None:
    left, right = make_frame({"x": ["red inn", "blue", None]}), make_frame({"y": ["red", "blue"]})
    asked = columns_of(match(left, right).suggest_labels(5))
    assert asked["left_row"] == [0]  # equal keys and nulls teach nothing
    assert asked["right_row"] == [0]
    assert (asked["left"], asked["right"]) == (["red inn"], ["red"])
    assert 0 < asked["score"][0] < 1


def test_suggestions_are_near_the_threshold_and_all_over(result) -> None:
    asked = result.suggest_labels(40)
    assert len(asked) == len(set(zip(asked["left_row"], asked["right_row"], strict=True))) == 40
    near = asked.iloc[::2]["score"]
    all_scores = result.matches(threshold=0.0).score
    # No other best candidate is nearer to the threshold than the farthest one chosen for that.
    reach = np.abs(near - 0.5).max()
    closer = (np.abs(all_scores - 0.5) < reach - 1e-5).sum()
    assert closer <= 40
    assert asked["score"].min() < 0.05
    assert asked["score"].max() > 0.9
    pd.testing.assert_frame_equal(asked.head(15), result.suggest_labels(15))


@law
@given(
    st.lists(st.floats(0, 1, width=32), max_size=30),
    st.floats(0, 1),
    st.integers(1, 40),
    st.integers(1, 40),
)
def test_shorter_lists_begin_longer_ones(scores, threshold, n, more) -> None:
    score = np.array(scores, dtype=np.float32)
    chosen = sample_for_labelling(score, threshold, n)
    assert len(chosen) == len(set(chosen.tolist())) == min(n, len(score))
    longer = sample_for_labelling(score, threshold, n + more)
    assert longer[: len(chosen)].tolist() == chosen.tolist()
    if len(score):
        assert abs(score[chosen[0]] - threshold) == np.abs(score - threshold).min()


@pytest.mark.parametrize("n", [0, -1, 2.5, True, "all"])
def test_a_wrong_number_of_suggestions_is_told(n) -> None:
    with pytest.raises(pj.InputError, match=r"n must be a whole number above 0. Got"):
        plain().suggest_labels(n)


# A threshold from labels --------------------------------------------------------------------------


def answers(asked: pd.DataFrame) -> list[bool]:
    pairs = zip(asked["left"], asked["right"], strict=True)
    return [a.split()[0] == "north" and a.split()[-1] == b.split()[-1] for a, b in pairs]


def labelled(precision: float = 0.9, n: int = 40) -> tuple[pj.MatchResult, pj.LabelledThreshold]:
    result = plain()
    asked = pd.DataFrame(columns_of(result.suggest_labels(n)))
    return result, pj.LabelledThreshold.fit(asked, answers(asked), precision=precision)


def test_labels_turn_similarities_into_matches() -> None:
    result, threshold = labelled()
    found = pairs_of(result.matches(threshold))
    right = [a % 2 == 0 and a // 2 == b for a, b in found]
    assert len(found) > 30
    assert np.mean(right) > 0.85
    assert result.expected_precision(threshold) > 0.9
    low, high = result.precision_interval(threshold)
    assert low < np.mean(right) <= high
    assert 0.02 < high - low < 0.5
    again = plain(threshold=threshold)
    assert pairs_of(again.matches()) == found
    assert again.precision_interval() == (low, high)


def test_a_higher_target_never_lowers_the_threshold() -> None:
    result = plain()
    asked = pd.DataFrame(columns_of(result.suggest_labels(40)))
    fits = [
        pj.LabelledThreshold.fit(asked, answers(asked), precision=p) for p in (0.5, 0.8, 0.9, 0.99)
    ]
    chosen = [len(result.matches(fit)) for fit in fits]
    assert chosen == sorted(chosen, reverse=True)


def test_labels_that_agree_with_the_scores_change_little() -> None:
    rng = np.random.default_rng(0)
    gaps = []
    for _ in range(40):
        scores = rng.random(30).astype(np.float32)
        labels = rng.random(30) < scores
        if 0 < labels.sum() < 30:
            fit = pj.LabelledThreshold.fit(pd.DataFrame({"score": scores}), labels.tolist())
            grid = np.linspace(0.05, 0.95, 19)
            gaps.append(np.abs(fit.probability(grid) - grid).mean())
    assert np.mean(gaps) < 0.08


def test_scores_that_lie_are_corrected() -> None:
    rng = np.random.default_rng(0)
    scores = rng.random(2000)
    truth = 1 / (1 + np.exp(-(2 * np.log(scores / (1 - scores)) - 1.5)))
    labels = (rng.random(2000) < truth).tolist()
    fit = pj.LabelledThreshold.fit(pd.DataFrame({"score": scores}), labels)
    assert fit.slope == pytest.approx(2, abs=0.2)
    assert fit.intercept == pytest.approx(-1.5, abs=0.25)
    assert fit.n_labels == 2000
    np.testing.assert_allclose(fit.probability(scores), truth, atol=0.04)
    assert fit.probability(np.array([1.0])).tolist() == [1.0]


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    held = []
    for _ in range(150):
        scores = rng.random(400).astype(np.float32)
        truth = 1 / (1 + np.exp(-(1.5 * np.log(scores / (1 - scores)) - 0.7)))
        right = rng.random(400) < truth
        asked = rng.choice(400, 60, replace=False)
        fit = pj.LabelledThreshold.fit(
            pd.DataFrame({"score": scores[asked]}), right[asked].tolist()
        )
        kept = scores >= 0.6
        low, high = fit.interval(scores[kept])
        held.append(low <= right[kept].mean() <= high)
    assert 0.9 < np.mean(held) <= 1


@pytest.mark.parametrize("level", [0, 1, 95, np.nan, "0.9", None])
def test_a_level_that_is_none_is_told(level) -> None:
    result, threshold = labelled()
    with pytest.raises(pj.InputError, match=r"The level must be .* Got"):
        result.precision_interval(threshold, level=level)


def test_a_labelled_threshold_of_a_matcher_that_knows_no_left_rows() -> None:
    threshold = labelled()[1]
    names = [f"north lodge no {n}" for n in range(60)]
    matcher = pj.Matcher(encoder=TrigramEncoder(), threshold=threshold).fit(names)
    # The lowest score whose own probability reaches the target.
    assert threshold.probability([matcher.calibration.threshold]) == pytest.approx([0.9])
    one, many = matcher.match(["north lodge 7"]), matcher.match(["north lodge 7", "tea room"])
    assert one.threshold == many.threshold == matcher.calibration.threshold
    assert matcher.calibrate(["north lodge 7", "south lodge 7"]).calibration.threshold <= 1


def test_matches_beyond_the_candidates_are_no_more_than_all_answers() -> None:
    threshold = labelled()[1]
    found = match(["north lodge"], [f"north lodge {n}" for n in range(200)], constraint="m:m",
                  threshold=threshold)  # fmt: skip
    every = found.matches(0.0)
    assert len(every) > len(found.comparison.candidates)
    assert found.curve().recall.max() == 1
    assert found.expected_recall(threshold) <= 1


def test_pairs_of_rows_are_looked_up(make_frame: FrameMaker) -> None:
    result = plain()
    asked = columns_of(result.suggest_labels(40))
    labels = answers(pd.DataFrame(asked))
    wanted = pj.LabelledThreshold.fit(pd.DataFrame(asked), labels)
    rows = list(zip(asked["left_row"], asked["right_row"], strict=True))
    table = {"left_row": asked["left_row"], "right_row": asked["right_row"]}
    matches = pj.Matches(table["left_row"], table["right_row"], np.zeros(40))
    for pairs in (rows, np.array(rows), make_frame(table), matches):
        found = pj.LabelledThreshold.fit(pairs, labels, result=result)
        assert found.slope == pytest.approx(wanted.slope, rel=1e-4)
        assert found.intercept == pytest.approx(wanted.intercept, rel=1e-4)


@pytest.mark.parametrize("constraint", ["m:1", "1:1"])
def test_a_threshold_says_what_it_chooses_for_a_result(constraint: str) -> None:
    result = plain(constraint=constraint)
    asked = pd.DataFrame(columns_of(result.suggest_labels(40)))
    fit = pj.LabelledThreshold.fit(asked, answers(asked), precision=0.8, result=result)
    again = plain(constraint=constraint, threshold=fit)
    assert fit.threshold == again.threshold
    assert fit.expected_precision == result.expected_precision(fit) >= 0.8 - 1e-6
    assert result.matches(fit).score.min() >= np.float32(fit.threshold)
    assert repr(fit) == (
        f"<LabelledThreshold: precision 0.8, from 40 labels; lowest score {fit.threshold:.4g}, "
        f"expected precision {fit.expected_precision:.4g}>"
    )


def test_without_a_result_a_threshold_says_how_to_know_its_lowest_score() -> None:
    fit = pj.LabelledThreshold.fit(SCORES, LABELS)
    assert fit.threshold is fit.expected_precision is None
    assert repr(fit) == (
        "<LabelledThreshold: precision 0.9, from 30 labels; "
        "fit(..., result=result) tells the lowest score>"
    )
    assert fit == replace(fit, threshold=0.5)  # one rule, whatever it chooses somewhere


SCORES = pd.DataFrame({"score": np.linspace(0, 1, 30)})
LABELS = [at > 12 for at in range(30)]


@pytest.mark.parametrize(
    ("pairs", "labels", "message"),
    [
        (SCORES.head(9), LABELS[:9], r"too few labels .* Got 9, of at least 10"),
        (SCORES, [True] * 30, r"labels are of one kind. Got 30 pairs that are all right"),
        (SCORES, [0] * 30, r"labels are of one kind. Got 30 pairs that are all wrong"),
        (SCORES, LABELS[1:], r"a label for each pair. Got 29 labels for 30 pairs"),
        (SCORES, [None, *LABELS[1:]], r"Labels must be True or False, or 1 and 0. Got None"),
        (SCORES, [pd.NA, *LABELS[1:]], r"Labels must be True or False, or 1 and 0. Got <NA>"),
        (SCORES, np.ones((30, 2)), r"Labels must be True or False, or 1 and 0. Got array"),
        (SCORES, ["yes", *LABELS[1:]], r"Labels must be True or False.*Got 'yes'"),
        (SCORES.rename(columns={"score": "s"}), LABELS, r"carry no score. Got columns \['s'\]"),
        ([(0, 1)] * 30, LABELS, r"carry no score. Got a list. Hint: give what result.suggest"),
        (SCORES * 2, LABELS, r"score of a pair must be a number from 0 to 1. Got"),
        (SCORES.replace(0, np.nan), LABELS, r"score of a pair must be .* Got nan"),
    ],
)
def test_labels_that_cannot_be_learned_from_are_told(pairs, labels, message) -> None:
    with pytest.raises(pj.InputError, match=message):
        pj.LabelledThreshold.fit(pairs, labels)


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ((0, 999), r"not in the tables. Got row 999 of a table of"),
        ((0, 41), r"no candidate of the result. Got rows \(0, 41\), and 30 such pairs"),
        ((0.5, 1), r"row positions, whole numbers from 0. Got 0.5"),
        ((0, 1, 2), r"pairs cannot be read. Got a list"),
    ],
)
def test_unknown_pairs_are_told(pair, message) -> None:
    names = [f"{a}{b} {b}{c}" for a in "kptmn" for b in "aeiou" for c in "dgls"]
    result = match(names[:3], names)
    if pair == (0, 41):
        candidates = result.comparison.candidates
        near = set(candidates.right[candidates.left == 0].tolist())
        pair = (0, next(row for row in range(100) if row not in near))
        message = message.replace("41", str(pair[1]))
    with pytest.raises(pj.InputError, match=message):
        pj.LabelledThreshold.fit([pair] * 30, LABELS, result=result)
