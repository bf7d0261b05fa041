"""explain: words and evidence for and against, as data and as a few lines of text."""

import functools
import math
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest
from frames import FrameMaker, columns_of, match
from made_up import people
from repetitions import few
from scipy.special import expit, logit

import pearljoin as pj
from pearljoin._comparison.comparison import Comparison
from pearljoin._explain import group_effects, record_effects
from pearljoin._explain.attribution import Reason, Word
from pearljoin._features.registry import REGISTRY
from pearljoin._records.similarity import BELOW_EQUAL
from pearljoin._search.tfidf import word_columns
from pearljoin._text.background import bundled_background

LEFT = ["red apple", "Apple, green", "zzz", None]
RIGHT = ["red apples", "green apple", "apple tart"]


def word_weight(word: str) -> float:
    n_texts = sum(word in text.split() for text in RIGHT)
    # The background counts for fifty texts.
    share = float(bundled_background().shares(word_columns([word]))[0])
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
    left, right = (pd.DataFrame({"n": ["a", "b"], "c": [c, "x"]}) for c in (None, "x"))
    grouped = match(left, right, on="n", by="c")
    assert grouped.explain(0).outcome == "no match, a by value is null"
    taken = match(["red apple", "Red apple"], ["red apple"], constraint="1:1", threshold=0.5)
    assert taken.explain(0).outcome == "match"
    assert taken.explain(1).outcome == "no match, the right row goes to another left row"
    other = match(["red apple", "Red apple"], ["red apple", "red appels"], constraint="1:1")
    assert other.explain(1, 0).outcome == "no match, the right row goes to another left row"
    alone = match(pd.DataFrame({"x": ["red"], "b": [1]}), pd.DataFrame({"x": ["red"], "b": [2]}),
                  on="x", by="b")  # fmt: skip
    assert alone.explain(0).outcome == "no match, no right row has the same by value (1)"
    assert math.isnan(alone.explain(0).score)
    assert match(["red"], []).explain(0).outcome == "no match, no right row is near"


@pytest.mark.filterwarnings("ignore::pearljoin.PearljoinWarning")
def test_a_by_value_that_differs_in_case_or_blanks_is_named() -> None:
    left = pd.DataFrame({"x": ["red", "blue"], "b": ["US", "DE"], "c": [1, 2]})
    right = pd.DataFrame({"x": ["red", "blue"], "b": [" us", "DE"], "c": [1, 2]})
    for by, value, other in (("b", "'US'", "' us'"), (["b", "c"], "('US', 1)", "(' us', 1)")):
        said = match(left, right, on="x", by=by, threshold=0.5).explain(0).outcome
        assert said == (
            f"no match, no right row has the same by value ({value}; a right row has {other}, "
            "which differs in case or blanks)"
        )


def test_by_is_told_of_the_row_that_is_asked_for() -> None:
    left = pd.DataFrame({"x": ["red", "blue"], "b": ["US", "DE"]})
    right = pd.DataFrame({"x": ["red", "blue"], "b": ["United States", "DE"]})
    result = match(left, right, on="x", by="b", threshold=0.5)
    outcomes = [result.explain(row).outcome for row in (0, 1)]
    assert outcomes == ["no match, no right row has the same by value ('US')", "match"]
    vetoed = match(left[:1], right[:1], on="x", veto="b").explain(0)
    assert vetoed.outcome == "no match, every right row that is near conflicts in a veto column"


def test_any_candidate_can_be_asked_for() -> None:
    result = match(LEFT, RIGHT, threshold=0.2)
    second = result.explain(0, 1)
    assert second.outcome == "no match, another right row scores more"
    assert second.runner_up == "red apples"
    assert second.margin < 0
    assert f"  better: 'red apples' ({-second.margin:.2f} ahead)" in str(second).splitlines()
    assert f"red apples ({-second.margin:.2f} ahead)" in second._repr_html_()
    assert f" ({result.explain(0).margin:.2f} behind)" in str(result.explain(0))
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
    assert set(effects) == {"x", "n", "whole record", "rivals", "all values"}
    shown = str(explanation).splitlines()
    assert any(line.split()[:1] == ["n"] and float(line.split()[1]) < 0 for line in shown)


def test_the_steps_of_one_column_add_up_to_the_log_odds_of_the_scorer() -> None:
    result = pj.match(["red apple", "tea room"], ["red apples", "blue inn", "tea rooms", "x"])
    pairs = result.comparison.compute_features()
    steps = result.comparison.score_steps(pairs)
    for at in range(len(pairs.left)):
        told = result.explain(int(pairs.left[at]), int(pairs.right[at]))
        total = sum(step.effect for step in told.waterfall())
        assert total == pytest.approx(steps.final[at], abs=1e-4)
        assert told.score == pytest.approx(expit(total), abs=2e-6)
    assert told.waterfall()[0] == Reason("base", told.base)
    assert told.waterfall()[1:] == told.reasons
    sizes = [abs(reason.effect) for reason in told.reasons]
    assert sizes == sorted(sizes, reverse=True)
    assert {reason.kind for reason in told.reasons} == {
        *REGISTRY.groups,
        "rivals",
        "words",
        "tables",
    }


@functools.cache
def joined_people(constraint: str) -> pj.MatchResult:
    tables = people(80, seed=9)
    return pj.match(tables.left, tables.right, on=tables.keys, constraint=constraint, threshold=0.0)


@pytest.mark.parametrize("constraint", few(["m:1", "m:m"], 1))
def test_the_steps_of_several_columns_add_up_to_the_log_odds_of_the_score(constraint: str) -> None:
    keys, only_pairs = people(80, seed=9).keys, constraint == "m:m"
    result = joined_people(constraint)
    last = {"tables"} if only_pairs else {"rivals"}
    compared = 0
    for told in map(result.explain, range(40)):
        if told.score in (0, 1):
            continue
        parts = {*keys, "whole record", "all values"}
        assert {reason.kind for reason in told.reasons} == parts | last
        total = sum(step.effect for step in told.waterfall())
        # 1 is for equal keys alone.
        assert told.score == pytest.approx(min(expit(total), BELOW_EQUAL), abs=2e-6)
        compared += 1
    assert compared > 20


@pytest.mark.thorough
def test_steps_are_finite_where_all_scores_are_certain(monkeypatch) -> None:
    scored = record_effects.score_records

    def certain(*args):
        found = scored(*args)
        ones = np.ones_like(found.answer, dtype=np.float32)
        return found._replace(answer=ones, same=ones)

    result = joined_people("m:1")
    monkeypatch.setattr(record_effects, "score_records", certain)
    told = next(told for told in map(result.explain, range(40)) if told.score not in (0, 1))
    effects = {step.kind: step.effect for step in told.waterfall()}
    assert effects["all values"] == 0
    assert np.isfinite(list(effects.values())).all()


def test_a_missing_value_brings_nothing_and_a_conflict_speaks_against() -> None:
    tables = people(80, seed=9)
    lacking = int(np.flatnonzero(tables.left["city"].isna())[0])
    effects = {r.kind: r.effect for r in joined_people("m:1").explain(lacking).reasons}
    assert effects["city"] == pytest.approx(0, abs=1e-6)
    left, right = tables.left.head(40).copy(), tables.right
    (row, match_row) = next(pair for pair in sorted(tables.gold) if 0 < pair[0] < 40)
    left.loc[row, "born"] = right.loc[match_row, "born"]
    agrees = pj.match(left, right, on=tables.keys, threshold=0.0).explain(row, match_row)
    left.loc[row, "born"] = "1801-11-30"
    differs = pj.match(left, right, on=tables.keys, threshold=0.0).explain(row, match_row)
    born = [{r.kind: r.effect for r in told.reasons}["born"] for told in (agrees, differs)]
    assert born[0] > 0 > born[1]


def test_rules_are_steps_of_their_own() -> None:
    equal = pj.match(["Red apple", "x"], ["red apple", "tart"]).explain(0)
    assert equal.waterfall()[-1] == Reason("equal keys", math.inf)
    assert sum(step.effect for step in equal.waterfall()) == math.inf
    null = pj.match(["x", None], [None, "x"], nulls_equal=True).explain(1)
    assert null.waterfall() == (Reason("base", 0.0), Reason("equal keys", math.inf))
    alike = match(["red apple"], ["Red Apple", "tart"], weights=[1], threshold=0.1).explain(0)
    assert sum(step.effect for step in alike.waterfall()) == pytest.approx(1)
    assert match([None], ["x"]).explain(0).waterfall() == ()
    left = pd.DataFrame({"x": ["ann", None], "y": ["rome", "oslo"]})
    right = pd.DataFrame({"x": ["ann", "bo"], "y": ["rome", None]})
    nothing = pj.match(left, right, on=["x", "y"], threshold=0.0).explain(1, 1)
    assert nothing.score == 0
    assert nothing.waterfall() == (Reason("nothing compared", -math.inf),)


def test_explaining_a_pair_compares_its_row_alone(monkeypatch) -> None:
    names = [f"{a}{b} {c}" for a in "bcdfg" for b in ("an", "el", "ir") for c in ("inn", "road")]
    result = pj.match([f"{name}s" for name in names] * 30, names, threshold=0.0)
    result.matches()
    monkeypatch.setattr(group_effects, "SAMPLE", 2)
    asked, compute_features = [], Comparison.compute_features

    def counted(self, records=None):
        pairs = compute_features(self, records)
        asked.append(len(pairs.left))
        return pairs

    monkeypatch.setattr(Comparison, "compute_features", counted)
    result.explain(3)
    assert max(asked) <= 2 * len(names)


def test_the_bundled_scorer_says_what_speaks_for_and_against() -> None:
    papers = ["The New York Times", "Le Monde", "New York Post", "Die Zeit", "The Times"]
    result = pj.match(["New York Timess", "Tea room"], papers, threshold=0.5)
    yes, no = result.explain(0), result.explain(1)
    assert (yes.unit, yes.matched, no.matched) == ("log odds", True, False)
    assert logit(yes.score) > 0.5
    assert logit(no.score) < -0.5
    # What weighs most: it is spelled alike but for a letter, and there, that nothing is alike.
    assert yes.reasons[0].kind == "spelling"
    assert no.reasons[0].kind in ("meaning", "spelling")
    assert yes.reasons[0].effect > 1
    assert no.reasons[0].effect < -1
    lines = str(yes).splitlines()
    assert lines[0].startswith("'New York Timess' = 'The New York Times': match (")
    assert "  in both: york, new" in lines
    assert any(line.startswith("  next best: 'The Times' (") for line in lines)
    steps = lines[lines.index("  log odds:") + 1 :]
    assert steps[0].split() == ["base", f"{yes.base:+.2f}"]
    # What is printed adds up, too.
    printed = sum(float(line.split()[-1]) for line in steps)
    assert printed == pytest.approx(logit(yes.score), abs=0.01 * len(steps))
    assert repr(yes) == str(yes)
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


@pytest.mark.thorough
def test_one_to_one_is_explained_by_the_scores_it_was_decided_by() -> None:
    tables = people(30, seed=3)
    result = pj.match(tables.left, tables.right, on=tables.keys, constraint="1:1", threshold=0.0)
    matches = result.matches()
    assert len(matches) > 20
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


# Rows without a match -----------------------------------------------------------------------------

UNMATCHED_COLUMNS = ["left_row", "right_row", "left", "right", "score", "outcome"]


@pytest.mark.parametrize("constraint", ["m:1", "1:1", "m:m"])
@pytest.mark.parametrize("options", [{}, {"by": "c"}, {"veto": "c"}], ids=["keys", "by", "veto"])
def test_unmatched_rows_are_listed_as_explain_tells_them(
    make_frame: FrameMaker, options: dict, constraint: str
) -> None:
    names = ["red apple", "Red apple", "green pear", "zzz", None, "red apples", "red apple"]
    left = make_frame({"x": names, "c": ["a", "a", "b", "a", "a", None, "d"]})
    right = make_frame({"x": ["red apple", "pears, green"], "c": ["a", "b"]})
    result = match(left, right, on="x", constraint=constraint, threshold=0.9, **options)
    listed = result.unmatched(explain=True)
    assert type(listed) is type(result.pairs())
    found = columns_of(listed)
    assert list(found) == UNMATCHED_COLUMNS
    matched = set(result.matches().left.tolist())
    assert found["left_row"] == [row for row in range(len(names)) if row not in matched]
    for at, row in enumerate(found["left_row"]):
        told = result.explain(row)
        assert found["outcome"][at] == told.outcome
        assert (found["left"][at] or "", found["right"][at]) == (told.left, told.right)
        assert found["right_row"][at] == (-1 if told.right_row is None else told.right_row)
        if told.right is not None:
            assert found["score"][at] == pytest.approx(told.score, abs=1e-5)
        else:
            assert found["score"][at] is None


def test_each_reason_why_a_row_is_unmatched_is_listed() -> None:
    def reasons(left: dict, right: dict, **options) -> list[str]:
        result = match(pd.DataFrame(left), pd.DataFrame(right), on="x", threshold=0.9, **options)
        outcomes = result.unmatched(explain=True)["outcome"]
        return [outcome.removeprefix("no match, ") for outcome in outcomes]

    below, null = "the score is below the threshold", "the key is null"
    assert reasons({"x": ["zzz", None]}, {"x": ["red"]}) == [below, null]
    taken = reasons({"x": ["red", "Red"]}, {"x": ["red"]}, constraint="1:1")
    assert taken == ["the right row goes to another left row"]
    vetoed = reasons({"x": ["red"], "c": [1]}, {"x": ["red"], "c": [2]}, veto="c")
    assert vetoed == ["every right row that is near conflicts in a veto column"]
    left = {"x": ["red", "blue", "blue"], "c": ["it", None, "FR"]}
    with pytest.warns(pj.PearljoinWarning):  # of the case, and of no match
        apart = reasons(left, {"x": ["red"], "c": ["IT"]}, by="c")
    none = "no right row has the same by value"
    assert apart == [
        f"{none} ('it'; a right row has 'IT', which differs in case or blanks)",
        "a by value is null",
        f"{none} ('FR')",
    ]


def test_right_rows_are_not_looked_up_so_not_explained() -> None:
    with pytest.raises(pj.InputError, match=r"Left rows alone are looked up.*side='right'"):
        match(LEFT, RIGHT).unmatched("right", explain=True)


def test_where_all_match_no_row_is_listed() -> None:
    listed = match(["red"], ["red"]).unmatched(explain=True)
    assert columns_of(listed) == {name: [] for name in UNMATCHED_COLUMNS}
