"""Joins by the match scorer: probabilities, what they order, and where they do not apply."""

import hashlib
import json
import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from frames import TrigramEncoder, columns_of, decided, pairs_of

import pearljoin as pj
from pearljoin._decision.thresholds import LEAST_PROBABILITY, USUAL_ROWS
from pearljoin.scoring import FEATURES, read_scorer

MODEL = Path(pj.load_encoder("default").folder)

LEFT = ["NY Times", "The Guardian (UK)", "le monde", "Sueddeutsche Zeitung", "Le Monde", "Tea room"]
RIGHT = [
    "Guardian",
    "The New York Times",
    "Le Monde",
    "Süddeutsche Zeitung",
    "The Washington Post",
    "New York Post",
    "Die Zeit",
]
ALL = {"threshold": 0.0, "constraint": "m:m"}


class Wrapped:
    """The bundled encoder's vectors, as an encoder of the user's."""

    def __init__(self, encoder) -> None:
        self._encoder = encoder
        self.dim = encoder.dim

    def encode(self, phrases) -> np.ndarray:
        return self._encoder.encode(phrases)

    def covers(self, phrases) -> np.ndarray:
        return self._encoder.covers(phrases)


@pytest.fixture(scope="module")
def bundled():
    return pj.load_encoder("default")


@pytest.fixture(scope="module")
def scored(bundled) -> pj.MatchResult:
    return pj.match(LEFT, RIGHT, encoder=bundled)


def all_scores(left, right, **options) -> dict[tuple[str, str], float]:
    """Score of every candidate pair, by the two texts."""
    matches = pj.match(left, right, **{**ALL, **options}).matches()
    return {
        (left[own], right[other]): score
        for (own, other), score in zip(pairs_of(matches), matches.score.tolist(), strict=True)
    }


# Where scores are probabilities -----------------------------------------------------------------


def test_one_key_column_of_text_is_calibrated_by_default() -> None:
    assert pj.match(LEFT, RIGHT).calibrated is True
    matcher = pj.Matcher(encoder="default").fit(RIGHT)
    assert matcher.match(LEFT[:2]).calibrated is True


def test_anything_else_is_not(bundled) -> None:
    assert pj.match(LEFT, RIGHT, encoder=TrigramEncoder()).calibrated is False
    left = pd.DataFrame({"name": LEFT, "city": LEFT, "n": range(len(LEFT))})
    right = pd.DataFrame({"name": RIGHT, "city": RIGHT, "n": range(len(RIGHT))})
    for keys in (["name", "city"], ["name", "n"]):
        assert pj.match(left, right, on=keys, encoder=bundled, weights=[1, 1]).calibrated is False
        assert pj.match(left, right, on=keys, encoder=TrigramEncoder()).calibrated is False
        assert pj.match(left, right, on=keys, encoder=bundled).calibrated is True
    assert pj.match(left, right, on="n", encoder=bundled).calibrated is False


def test_a_key_of_text_with_groups_is(bundled) -> None:
    left = pd.DataFrame({"name": LEFT, "city": "x"})
    right = pd.DataFrame({"name": RIGHT, "city": "x"})
    assert pj.match(left, right, on="name", by="city", encoder=bundled).calibrated is True


def test_the_same_vectors_without_a_scorer_give_similarities(bundled) -> None:
    without = pj.match(LEFT, RIGHT, encoder=Wrapped(bundled), **ALL)
    assert without.calibrated is False
    evidence = without.evidence()
    scores = dict(zip(pairs_of(without.matches()), without.matches().score.tolist(), strict=True))
    for at, pair in enumerate(zip(evidence["left"], evidence["right"], strict=True)):
        spelling = (evidence["ngrams"][at] + evidence["words"][at]) / 2
        mean = (max(evidence["cosine"][at], 0) + spelling) / 2
        if evidence["vector_known"][at] and scores[pair] < 1:
            assert scores[pair] == pytest.approx(mean, abs=1e-5)


def test_a_scorer_that_cannot_be_used_is_told(tmp_path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(MODEL, folder)
    (folder / "scorer.json").write_bytes(b"{}")
    with pytest.raises(pj.ModelError, match=r"scorer.json.* is damaged or was changed"):
        pj.match(LEFT, RIGHT, encoder=str(folder))
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["files"]["scorer.json"] = hashlib.sha256(b"{}").hexdigest()
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(pj.ModelError, match=r"The match scorer of \S+ cannot be used"):
        pj.match(LEFT, RIGHT, encoder=str(folder))
    # Only where it is asked for.
    assert len(pj.load_encoder(str(folder)).encode(["a"])) == 1


def test_a_saved_matcher_scores_as_before(bundled, tmp_path) -> None:
    matcher = pj.Matcher(encoder="default", threshold=0.5).fit(RIGHT)
    matcher.save(tmp_path / "matcher")
    loaded = pj.Matcher.load(tmp_path / "matcher").match(LEFT)
    assert loaded.calibrated is True
    assert decided(loaded) == decided(matcher.match(LEFT))


# Evidence ---------------------------------------------------------------------------------------


def test_evidence_goes_with_the_scores(bundled, scored: pj.MatchResult) -> None:
    evidence = scored.evidence()
    assert list(evidence) == ["left", "right", *FEATURES]
    assert {len(column) for column in evidence.values()} == {len(LEFT) * len(RIGHT)}
    table = np.stack([evidence[name] for name in FEATURES], axis=1)
    comparison = scored.comparison
    chances = (
        read_scorer(bundled.scorer, "the default")
        .steps(
            table,
            evidence["left"],
            comparison.compute_features().tokens,
            comparison.state.calibration,
        )
        .probability
    )
    found = all_scores(LEFT, RIGHT, encoder=bundled)
    for own, other, chance in zip(evidence["left"], evidence["right"], chances, strict=True):
        score = found[LEFT[own], RIGHT[other]]
        if score < 1:
            assert score == pytest.approx(min(chance, 1 - 1e-5), abs=6e-6)


def test_evidence_is_of_the_pair_it_stands_by(bundled, scored: pj.MatchResult) -> None:
    evidence = scored.evidence()
    own, other = evidence["left"], evidence["right"]
    assert own.dtype == other.dtype == np.int64
    vectors = bundled.encode(LEFT), bundled.encode(RIGHT)
    cosines = np.einsum("ij,ij->i", vectors[0][own], vectors[1][other])
    assert evidence["cosine"] == pytest.approx(cosines, abs=2e-3)
    equal = [LEFT[a].casefold() == RIGHT[b].casefold() for a, b in zip(own, other, strict=True)]
    assert evidence["compact_equal"].tolist() == equal
    assert evidence["right_words"] == pytest.approx(
        [np.log(len(RIGHT[row].split())) for row in other]
    )


def test_evidence_names_the_first_rows_of_distinct_keys(trigrams: TrigramEncoder) -> None:
    result = pj.match(["b", "a", "b", "a"], ["c", "c", "d"], encoder=trigrams)
    evidence = result.evidence()
    pairs = zip(evidence["left"].tolist(), evidence["right"].tolist(), strict=True)
    assert list(pairs) == [(0, 0), (0, 2), (1, 0), (1, 2)]


def test_evidence_is_of_one_key_column_of_text(trigrams: TrigramEncoder) -> None:
    table = pd.DataFrame({"a": ["x", "y"], "b": ["x", "z"]})
    with pytest.raises(pj.InputError, match=r"one key column of text. Got \['a', 'b'\]"):
        pj.match(table, table, on=["a", "b"], encoder=trigrams).evidence()


def test_nothing_has_no_evidence(bundled) -> None:
    evidence = pj.match([], ["a"], encoder=bundled).evidence()
    assert {len(column) for column in evidence.values()} == {0}
    assert len(pj.match(["a"], [], encoder=bundled).matches()) == 0


# Scores -----------------------------------------------------------------------------------------


def test_one_is_kept_for_equal_texts(bundled) -> None:
    found = all_scores(LEFT, RIGHT, encoder=bundled)
    equal = {pair for pair, score in found.items() if score == 1}
    assert equal == {("le monde", "Le Monde"), ("Le Monde", "Le Monde")}
    assert all(0 <= score <= 1 for score in found.values())


def test_the_right_names_are_the_likely_ones(bundled) -> None:
    found = all_scores(LEFT, RIGHT, encoder=bundled)
    for own, other in [
        ("NY Times", "The New York Times"),
        ("The Guardian (UK)", "Guardian"),
        ("Sueddeutsche Zeitung", "Süddeutsche Zeitung"),
    ]:
        rivals = [score for (left, right), score in found.items() if left == own and right != other]
        assert found[own, other] > 0.5 > max(rivals)
    assert max(score for (left, _), score in found.items() if left == "Tea room") < 0.5


def test_equal_texts_win(bundled) -> None:
    right = ["Le Monde diplomatique", "le monde", "LE MONDE", "Le Monde"]
    matches = pj.match(["Le Monde", "le  monde"], right, encoder=bundled).matches()
    assert pairs_of(matches) == [(0, 3), (1, 1)]
    assert matches.score.tolist() == [1, 1]


def test_a_higher_precision_never_adds_a_match(bundled) -> None:
    kept = [
        set(pairs_of(pj.match(LEFT, RIGHT, encoder=bundled, precision=precision).matches()))
        for precision in (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 1.0)
    ]
    assert len(kept[0]) > len(kept[-1])
    for lower, higher in pairwise(kept):
        assert higher <= lower


def test_the_threshold_reaches_the_precision_on_the_means_of_these_and_usual_scores(
    bundled,
) -> None:
    result = pj.match(LEFT, RIGHT, encoder=bundled, threshold=0.0)
    scores, usual = result.matches().score, result.comparison.scorer.usual_scores
    below_one = np.concatenate([scores[scores < 1], usual]).astype(float)
    # Scores of tables at large count for some rows.
    weight = np.repeat([1, USUAL_ROWS / max(1, len(usual))], [(scores < 1).sum(), len(usual)])
    for precision in (0.6, 0.9):
        threshold = pj.match(LEFT, RIGHT, encoder=bundled, precision=precision).threshold
        good = [
            t
            for t in below_one
            if t >= LEAST_PROBABILITY
            and np.average(below_one[below_one >= t], weights=weight[below_one >= t]) >= precision
        ]
        assert threshold == pytest.approx(min(good, default=1.0))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_order_of_the_reference_changes_nothing(bundled, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(RIGHT))
    turned = [RIGHT[at] for at in order]
    plain, other = (all_scores(LEFT, right, encoder=bundled) for right in (RIGHT, turned))
    assert plain.keys() == other.keys()
    assert [other[pair] for pair in plain] == pytest.approx(list(plain.values()), abs=2e-5)
    matches = pj.match(LEFT, turned, encoder=bundled).matches()
    wanted = pj.match(LEFT, RIGHT, encoder=bundled).matches()
    assert order[matches.right].tolist() == wanted.right.tolist()


# Nulls, groups and clusters ---------------------------------------------------------------------


def test_nulls_match_nulls_alone(bundled) -> None:
    options = {"encoder": bundled, "nulls_equal": True, **ALL}
    matches = pj.match([*LEFT, None], [None, *RIGHT], **options).matches()
    scores = dict(zip(pairs_of(matches), matches.score.tolist(), strict=True))
    null = len(LEFT)
    assert scores[null, 0] == 1
    assert {s for (a, b), s in scores.items() if (a == null) != (b == 0)} <= {0.0}
    without = pj.match([*LEFT, None], [None, *RIGHT], encoder=bundled, **ALL).matches()
    assert null not in without.left.tolist()
    assert 0 not in without.right.tolist()


def test_nulls_change_no_other_score(bundled) -> None:
    plain = all_scores(LEFT, RIGHT, encoder=bundled)
    options = {"encoder": bundled, "nulls_equal": True}
    found = all_scores([*LEFT, None], [None, *RIGHT], **options)
    assert [found[pair] for pair in plain] == pytest.approx(list(plain.values()), abs=2e-5)


def test_a_side_of_nulls_alone(bundled) -> None:
    options = {"encoder": bundled, "nulls_equal": True, "threshold": 0.5}
    assert pairs_of(pj.match([None], [None, "a"], **options).matches()) == [(0, 0)]
    assert pairs_of(pj.match(["a", None], [None], **options).matches()) == [(1, 0)]


def test_groups_are_joined_each_by_itself(bundled) -> None:
    left = pd.DataFrame({"name": [*LEFT, *LEFT], "land": ["a"] * 6 + ["b"] * 6})
    right = pd.DataFrame({"name": [*RIGHT, "NYT", "Monde"], "land": ["a"] * 7 + ["b"] * 2})
    options = {"on": "name", "by": "land", "encoder": bundled, **ALL}
    matches = pj.match(left, right, **options).matches()
    assert (left["land"].to_numpy()[matches.left] == right["land"].to_numpy()[matches.right]).all()
    best = matches.best()
    partner = {int(a): right["name"][b] for a, b in pairs_of(best)}
    assert partner[0] == "The New York Times"
    assert partner[6] == "NYT"
    assert partner[8] == partner[10] == "Monde"
    assert partner[4] == "Le Monde"
    evidence = pj.match(left, right, **options).evidence()
    assert len(evidence["left"]) == 6 * 7 + 6 * 2


def test_leads_are_sought_within_the_group(bundled) -> None:
    left = pd.DataFrame({"name": ["Le Monde, Paris"], "land": ["a"]})
    right = pd.DataFrame({"name": ["Le Monde", "Le Monde (Paris)"], "land": ["a", "b"]})
    evidence = pj.match(left, right, on="name", by="land", encoder=bundled).evidence()
    assert evidence["right"].tolist() == [0]
    # Alone in its group, it is compared with what a rival usually reaches.
    assert evidence["cosine_lead"] == pytest.approx(evidence["cosine"] - 0.4, abs=1e-6)


def test_deduplication_by_weights_uses_similarities(bundled) -> None:
    table = pd.DataFrame({"name": [*LEFT, *RIGHT, "NY Times"]})
    options = {"on": "name", "threshold": 0.6}
    with_one = pj.deduplicate(table, encoder=bundled, weights=[1.0], **options)
    without = pj.deduplicate(table, encoder=Wrapped(bundled), **options)
    assert columns_of(with_one) == columns_of(without)
    assert with_one["cluster"].nunique() < len(set(table["name"]))


def bracket_evidence(left: list[str], right: list[str]) -> dict[tuple[str, str], dict[str, float]]:
    """The bracket features of every candidate pair, by the pair's texts."""
    found = pj.match(left, right, threshold=0.0, constraint="m:m").evidence()
    names = [name for name in found if name.startswith(("bracket", "bare"))]
    assert len(names) == 5
    return {
        (left[own], right[other]): {name: float(found[name][at]) for name in names}
        for at, (own, other) in enumerate(zip(found["left"], found["right"], strict=True))
    }


def test_what_stands_in_brackets_is_evidence() -> None:
    songs = ["Hello (Lionel Richie)", "Hello (adele (live))", "Hello", "(Hello)"]
    found = bracket_evidence(["Hello (Adele)", "MontrÃ©al [Canada]"], [*songs, "Montreal (Canada)"])
    of_hello = {right: evidence for (left, right), evidence in found.items() if left[0] == "H"}
    assert of_hello["Hello (Lionel Richie)"]["brackets_conflict"] == 1
    assert of_hello["Hello (adele (live))"]["brackets_agree"] > 0.5
    assert of_hello["Hello"]["brackets_missing"] == 1
    assert all(of_hello[song]["bare_equal"] for song in songs)
    city = found["MontrÃ©al [Canada]", "Montreal (Canada)"]
    assert city["brackets_agree"] == city["bare_token_sort"] == 1


def test_a_text_never_conflicts_with_itself() -> None:
    texts = [
        "Sensor (-5)",
        "Hello (???)",
        "(a]",
        "A (b (c)) d",
        "()",
        "((",
        "x (İ) (ﬁ)",
        "-5",
        "???",
    ]
    found = bracket_evidence(texts, texts)
    same = [evidence for (left, right), evidence in found.items() if left == right]
    assert len(same) == len(texts)
    assert all(one["brackets_conflict"] == one["brackets_missing"] == 0 for one in same)
    assert all(one["bare_equal"] == 1 for one in same)


def test_brackets_speak_in_explanations() -> None:
    result = pj.match(["Hello (Adele)"], ["Hello (Lionel Richie)", "Oslo"], threshold=0.0)
    effects = {reason.kind: reason.effect for reason in result.explain(0, 0).reasons}
    assert effects["brackets"] < 0


def test_brackets_say_little_where_there_are_none() -> None:
    result = pj.match(["New York Tims"], ["The New York Times", "Oslo"], threshold=0.0)
    effects = {reason.kind: reason.effect for reason in result.explain(0, 0).reasons}
    assert abs(effects.get("brackets", 0)) < 0.2 < effects["spelling"]
