"""explain: words and evidence for and against, as data and as one line."""

import math
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest
from frames import FrameMaker, match
from made_up import people
from scipy.special import logit

import pearljoin as pj
from pearljoin._explain.attribution import Reason, Word
from pearljoin._features.registry import REGISTRY
from pearljoin._features.rival_groups import Groups
from pearljoin._search.tfidf import word_columns
from pearljoin._text.background import bundled_background

LEFT = ["red apple", "Apple, green", "zzz", None]
RIGHT = ["red apples", "green apple", "apple tart"]


def word_weight(word: str) -> float:
    n_texts = sum(word in text.split() for text in RIGHT)
    # The background counts for fifty texts.
    share = float(bundled_background().shares[word_columns([word])[0]])
    return round(1 - math.log((n_texts + 300 * share) / (len(RIGHT) + 300)), 3)


def test_words_are_shared_or_on_one_side_and_weighed_by_rarity(make_frame: FrameMaker) -> None:
    explanation = match(make_frame({"x": LEFT}), make_frame({"y": RIGHT}), threshold=0.2).explain(1)
    assert (explanation.left_row, explanation.right_row) == (1, 1)
    assert (explanation.left, explanation.right) == ("Apple, green", "green apple")
    assert explanation.matched
    assert explanation.outcome == "match"
    assert explanation.shared == (
        Word("green", word_weight("green")),
        Word("apple", word_weight("apple")),
    )
    assert explanation.left_only == explanation.right_only == ()
    other = match(LEFT, RIGHT, threshold=0.2).explain(0, 2)
    assert [word.text for word in other.left_only] == ["red"]
    assert [word.text for word in other.right_only] == ["tart"]


def test_a_row_without_a_match_is_told_why() -> None:
    result = match(LEFT, RIGHT, threshold=0.9)
    below, null = result.explain(0), result.explain(3)
    assert not below.matched
    assert below.outcome == "no match, the score is below the threshold"
    assert (below.right, below.threshold) == ("red apples", 0.9)
    assert below.score == result.all_matches().score[0]
    assert (null.right, null.right_row, null.reasons) == (None, None, ())
    assert null.outcome == "no match, the key is null"
    assert str(null) == "'': no match, the key is null"
    taken = match(["red apple", "Red apple"], ["red apple"], constraint="1:1", threshold=0.5)
    assert taken.explain(0).outcome == "match"
    assert taken.explain(1).outcome == "no match, the right row goes to another left row"
    other = match(["red apple", "Red apple"], ["red apple", "red appels"], constraint="1:1")
    assert other.explain(1, 0).outcome == "no match, the right row goes to another left row"
    alone = match(pd.DataFrame({"x": ["red"], "b": [1]}), pd.DataFrame({"x": ["red"], "b": [2]}),
                  on="x", by="b")  # fmt: skip
    assert alone.explain(0).outcome == "no match, no right row is near"
    assert math.isnan(alone.explain(0).score)


def test_any_candidate_can_be_asked_for() -> None:
    result = match(LEFT, RIGHT, threshold=0.2)
    second = result.explain(0, 1)
    assert second.outcome == "no match, another right row scores more"
    assert second.runner_up == "red apples"
    assert second.margin < 0
    assert result.explain(0).margin > 0
    twice = match(["red apple"], ["red apple", "red apple", "Red Apple"])
    outcome = "no match, another right row scores as much and comes first"
    assert [twice.explain(0, row).outcome for row in range(3)] == ["match", outcome, outcome]


def test_similarities_are_made_of_their_columns() -> None:
    left = pd.DataFrame({"x": ["red apple"], "n": [1.0], "c": [None]})
    right = pd.DataFrame({"x": ["red apples", "pear"], "n": [2.0, 9.0], "c": ["A1", "B2"]})
    explanation = match(left, right, on=["x", "n", "c"], weights=[2, 1, 1], threshold=0.1).explain(
        0
    )
    assert explanation.unit == "score"
    assert {reason.kind for reason in explanation.reasons} == {"x", "n"}  # null says nothing
    assert sum(reason.effect for reason in explanation.reasons) == pytest.approx(
        explanation.score, abs=2e-5
    )


def test_learned_columns_tell_their_log_odds() -> None:
    names = [
        f"{a} {b}" for a in ("north", "south") for b in ("inn", "road", "hill", "gate", "lodge")
    ]
    right = pd.DataFrame({"x": names * 4, "n": np.arange(40.0)})
    left = pd.DataFrame({"x": ["north gate"], "n": [39.0]})
    result = pj.match(left, right, on=["x", "n"], threshold=0.5)
    explanation = result.explain(0, 3)
    effects = {reason.kind: reason.effect for reason in explanation.reasons}
    assert explanation.unit == "log odds"
    assert effects["x"] > 0 > effects["n"]
    assert "for x +" in str(explanation)
    assert "against n -" in str(explanation)


def test_a_scorers_evidence_is_the_change_when_put_back_to_neutral() -> None:
    result = pj.match(["red apple", "tea room"], ["red apples", "blue inn", "tea rooms", "x"])
    pairs = result.comparison.compute_features()
    features, left, right = pairs.features, pairs.left, pairs.right
    scorer = result.comparison.scorer
    steps = scorer.steps(features, left, pairs.tokens, result.comparison.state.calibration)
    likely = steps.final >= 0
    neutral = (np.median(features[likely], axis=0) + np.median(features[~likely], axis=0)) / 2
    place = np.flatnonzero((left == 0) & (right == 0))[0]
    effects = {reason.kind: reason.effect for reason in result.explain(0, 0).reasons}
    kinds = set(REGISTRY.groups)
    assert kinds <= set(effects)
    usual = [np.median(steps.words[part], axis=0) for part in (likely, ~likely)]
    words = np.tile(np.mean(usual, axis=0), (len(left), 1))
    beside = scorer.in_context(steps.pair, Groups(left), words)
    later = {
        "rivals": beside - steps.pair,
        "words": steps.context - beside,
        "tables": steps.final - steps.context,
    }
    for kind in kinds | set(later):
        without = features[[place]].copy()
        chosen = [feature.group == kind for feature in REGISTRY.features]
        without[0, chosen] = neutral[chosen]
        effect = float(steps.pair[place] - scorer.pair.logit(without)[0])
        added = float(later[kind][place]) if kind in later else 0.0
        assert effects[kind] == pytest.approx(effect + added, abs=1e-4)
    sizes = [abs(effect) for effect in effects.values()]
    assert sizes == sorted(sizes, reverse=True)


def test_the_bundled_scorer_says_what_speaks_for_and_against() -> None:
    papers = ["The New York Times", "Le Monde", "New York Post", "Die Zeit", "The Times"]
    result = pj.match(["New York Timess", "Tea room"], papers, threshold=0.5)
    yes, no = result.explain(0), result.explain(1)
    assert (yes.unit, yes.matched, no.matched) == ("log odds", True, False)
    assert logit(yes.score) > 0.5
    assert logit(no.score) < -0.5
    # What weighs most: it lies far ahead of its rivals, and there, that nothing is alike.
    assert yes.reasons[0].kind in ("meaning", "rivals")
    assert no.reasons[0].kind in ("meaning", "spelling")
    assert yes.reasons[0].effect > 1
    assert no.reasons[0].effect < -1
    line = str(yes)
    assert line.startswith("'New York Timess' = 'The New York Times': match (")
    assert "in both york, new" in line
    assert "next best 'The Times'" in line
    assert "\n" not in line
    assert str(no).startswith("'Tea room' ≠ ")


def test_every_feature_is_in_one_group() -> None:
    groups = {feature.name: feature.group for feature in REGISTRY.features}
    assert groups["cosine_lead"] == groups["numbers_lead"] == "rivals"
    assert groups["cosine"] == "meaning"
    listed = np.concatenate(list(REGISTRY.groups.values()))
    assert sorted(listed.tolist()) == list(range(len(REGISTRY.names)))
    for group, columns in REGISTRY.groups.items():
        assert {groups[REGISTRY.names[column]] for column in columns} == {group}
    assert set(REGISTRY.groups) == {
        "meaning", "spelling", "words", "initials", "numbers", "legal form", "brackets", "length",
        "rivals", "people", "codes", "siblings",
    }  # fmt: skip


def test_an_explanation_is_frozen_data() -> None:
    explanation = match(LEFT, RIGHT).explain(0)
    with pytest.raises(FrozenInstanceError):
        explanation.score = 1
    assert explanation == match(LEFT, RIGHT).explain(0)
    assert isinstance(explanation.reasons[0], Reason)


@pytest.mark.parametrize("row", [-1, 4, 1.0, True, "red apple", None])
def test_a_row_that_is_not_there_is_told(row) -> None:
    with pytest.raises(pj.InputError, match=r"There is no such left row. Got .* of 4 rows"):
        match(LEFT, RIGHT).explain(row)


def test_a_pair_that_was_not_compared_is_told() -> None:
    with pytest.raises(pj.InputError, match=r"no such right row. Got 3, of 3 rows"):
        match(LEFT, RIGHT).explain(0, 3)
    left = pd.DataFrame({"x": ["red"], "b": [1]})
    right = pd.DataFrame({"x": ["red", "red"], "b": [1, 2]})
    with pytest.raises(pj.InputError, match=r"were not compared. Got left row 0 and right row 1"):
        match(left, right, on="x", by="b").explain(0, 1)


def test_one_to_one_is_explained_by_the_scores_it_was_decided_by() -> None:
    tables = people(150, seed=3)
    result = pj.match(tables.left, tables.right, on=tables.keys, constraint="1:1", threshold=0.0)
    matches = result.matches()
    for row, right_row, score in zip(matches.left, matches.right, matches.score, strict=True):
        explanation = result.explain(row, right_row)
        assert explanation.matched
        assert explanation.score == score
        assert explanation == result.explain(row)
    assert result.expected_recall() <= 1


def test_matches_beyond_the_candidates_are_explained() -> None:
    right = [f"red apple {n}" for n in range(90)]
    result = match(["red apple"], right, constraint="m:m", threshold=0.1)
    matches = result.matches()
    assert len(matches) > len(result.comparison.candidates)
    explanations = [result.explain(0, int(row)) for row in matches.right]
    assert all(one.matched for one in explanations)
    assert [one.score for one in explanations] == matches.score.tolist()
