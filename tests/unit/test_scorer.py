"""The match scorer: probabilities by hand, files that are refused, and the threshold they give."""

import json
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from math import e, exp, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pearljoin as pj
from pearljoin._encoders import bundled_scorer
from pearljoin._features.compute import CandidateFeatures
from pearljoin._features.context import (
    CONTEXT_FEATURES,
    TABLE_FEATURES,
    USUAL_RIVAL,
    table_features,
)
from pearljoin._features.rival_groups import Groups
from pearljoin._features.unmatched_tokens import PairTokens, SideTokens
from pearljoin._records.records import Field, Records
from pearljoin._scoring import network as network_module
from pearljoin._scoring import scorer_file
from pearljoin._scoring.network import Network
from pearljoin._scoring.scorer import without_matches
from pearljoin._scoring.scorer_file import record_networks_of, scorer_of
from pearljoin.scoring import (
    FEATURES,
    UNMATCHED_FEATURES,
    Calibration,
    NullPairs,
    Scorer,
    lowest_for_mean,
    read_scorer,
)

N, M, T = len(FEATURES), len(CONTEXT_FEATURES) + len(UNMATCHED_FEATURES), len(TABLE_FEATURES)


def network(n: int, layers: list[dict[str, Any]] | None = None, **changes: Any) -> dict[str, Any]:
    """A network that looks at its first two inputs: mean 0.5 and scale 0.25 each."""
    hidden = np.zeros((n, 2))
    hidden[0] = [2.0, 0.0]
    hidden[1] = [0.0, -1.0]
    sound = {
        "mean": [0.5] * n,
        "scale": [0.25] * n,
        "members": [
            [
                {"weights": hidden.tolist(), "biases": [0.5, 0.0]},
                {"weights": [[1.0], [-3.0]], "biases": [-1.0]},
            ]
        ],
    }
    return {**sound, **({} if layers is None else {"members": [layers]}), **changes}


def passing(n: int) -> dict[str, Any]:
    """A network that gives back its first input, within 6 of zero."""
    weights = [[1.0]] + [[0.0]] * (n - 1)
    layers = [{"weights": weights, "biases": [0.0]}]
    return {"mean": [0.0] * n, "scale": [1.0] * n, "members": [layers]}


def content(**changes: Any) -> dict[str, Any]:
    """A scorer whose later steps leave the first one's judgement as it is."""
    sound = {
        "format": 10,
        "features": list(FEATURES),
        "pair": network(N),
        "context": passing(M),
        "middle": [0.0] * 4,
        "usual_scores": [0.75, 0.25],
        "table": {
            "mean": [0.0] * T,
            "scale": [1.0] * T,
            "slope": [0.0] * (1 + T),
            "shift": [0.0] * (1 + T),
        },
    }
    return {**sound, **changes}


def table(**changes: Any) -> dict[str, Any]:
    return content(table={**content()["table"], **changes})


def read(raw: Any) -> Scorer:
    return read_scorer(raw if isinstance(raw, bytes) else json.dumps(raw).encode(), "a test")


NOTHING = Calibration(table_features(*[np.zeros(0, np.float32)] * 3, 2))
"""Of a reference of two records, of which nothing more is known."""


def arrays_of(read: Any) -> Iterator[np.ndarray]:
    """All arrays of what was read from a scorer file."""
    if isinstance(read, np.ndarray):
        yield read
    elif is_dataclass(read):
        yield from arrays_of([getattr(read, field.name) for field in fields(read)])
    elif isinstance(read, Mapping):
        yield from arrays_of(list(read.values()))
    elif isinstance(read, list | tuple):
        for part in read:
            yield from arrays_of(part)


def test_what_matchers_share_is_read_once_and_cannot_be_written_to(monkeypatch) -> None:
    parsed: list[str] = []
    parse = scorer_file._parsed
    monkeypatch.setattr(
        scorer_file, "_parsed", lambda *given: parsed.append(given[1]) or parse(*given)
    )
    records = Records((Field("text", ["a"], np.array([0])),))

    class Encoder:
        """One with the bundled scorer."""

        dim, name, scorer = 576, "one of this test", bundled_scorer()

    shared = scorer_of(Encoder(), records), record_networks_of(Encoder())
    again = scorer_of(Encoder(), records), record_networks_of(Encoder())
    assert all(one is other for one, other in zip(shared, again, strict=True))
    assert parsed == ["one of this test"]
    for read, n_priors in zip(shared, (0, 10), strict=True):
        arrays = list(arrays_of(read))
        assert len(arrays) > 10 + 2 * n_priors
        assert not any(array.flags.writeable for array in arrays)


def probability(scorer: Scorer, features: np.ndarray, left=None) -> np.ndarray:
    """Of pairs without rivals, unless said otherwise."""
    alone = np.arange(len(features))
    return scorer.steps(features, alone if left is None else left, None, NOTHING).probability


def rows_of(*pairs: tuple[float, float]) -> np.ndarray:
    features = np.full((len(pairs), N), 0.5, dtype=np.float32)
    features[:, :2] = pairs
    return features


def logistic(logit: float) -> float:
    """The logistic function."""
    return 1 / (1 + exp(-logit))


@pytest.mark.parametrize(
    ("first", "second", "logit"),
    [
        # Standardised 2 and 1: units max(0, 2 * 2 + 0.5) = 4.5 and max(0, -1) = 0.
        (1.0, 0.75, 4.5 - 1),
        # -2 and -1: units max(0, -3.5) = 0 and 1.
        (0.0, 0.25, -3 - 1),
        (0.5, 0.5, 0.5 - 1),
        # Far beyond what is known: cut at 6 and -6, which makes 12.5 - 18 - 1, cut again.
        (1000.0, -1000.0, -6),
    ],
)
def test_probability_is_the_networks(first: float, second: float, logit: float) -> None:
    found = probability(read(content()), rows_of((first, second)))
    assert found.dtype == np.float32
    assert found == pytest.approx([logistic(logit)], rel=1e-5)


def test_a_network_of_one_layer_is_a_logistic_regression() -> None:
    weights = [[0.05 * at] for at in range(N)]
    raw = network(N, [{"weights": weights, "biases": [0.25]}])
    features = np.random.default_rng(0).random((5, N)).astype(np.float32)
    logits = (features - 0.5) / 0.25 @ np.array(weights)[:, 0] + 0.25
    wanted = [logistic(logit) for logit in np.clip(logits, -6, 6)]
    assert probability(read(content(pair=raw)), features) == pytest.approx(wanted, rel=1e-4)


def test_the_mean_of_several_networks_counts() -> None:
    one = passing(N)
    weights = [[0.0], [3.0], *[[0.0]] * (N - 2)]
    other = [{"weights": weights, "biases": [1.0]}]
    scorer = read(content(pair={**one, "members": [*one["members"], other]}))
    logit = scorer.pair.logit(rows_of((0.5, 0.25)))
    assert logit == pytest.approx([(0.5 + (1 + 3 * 0.25)) / 2])


def test_a_pair_is_scored_by_its_rivals_too() -> None:
    # What counts is the lead in the row.
    weights = [[0.0]] * M
    weights[CONTEXT_FEATURES.index("left_margin")] = [1.0]
    context = {**passing(M), "members": [[{"weights": weights, "biases": [0.0]}]]}
    features = rows_of((1.0, 0.5), (0.75, 0.5), (0.5, 0.5))  # Logits 3.5, 1.5 and -0.5.
    scorer = read(content(context=context))
    steps = scorer.steps(features, np.array([0, 0, 1]), None, NOTHING)
    assert steps.context == pytest.approx([2.0, -2.0, -0.5 - USUAL_RIVAL], rel=1e-5)


def test_the_table_scales_and_shifts_all_logits() -> None:
    view = TABLE_FEATURES.index("reference")
    slope, shift = [0.5, *[0.0] * T], [-1.0, *[0.0] * T]
    shift[1 + view] = 0.25
    features = rows_of((1.0, 0.5), (0.5, 0.5))  # Logits 3.5 and -0.5, of two right records.
    found = probability(read(table(slope=slope, shift=shift)), features)
    moved = -1 + 0.25 * log(2)
    wanted = [logistic(exp(0.5) * logit + moved) for logit in (3.5, -0.5)]
    assert found == pytest.approx(wanted, rel=1e-5)


def test_a_table_stretches_by_e_at_most_and_changes_no_order() -> None:
    for slope, stretch in ((50.0, e), (-50.0, 1 / e)):
        scorer = read(table(slope=[slope, *[0.0] * T]))
        found = probability(scorer, rows_of((1.0, 0.5), (0.5, 0.5)))
        assert found == pytest.approx([logistic(3.5 * stretch), logistic(-0.5 * stretch)], rel=1e-4)


# Calibration ------------------------------------------------------------------------------------


def as_pairs(logits: np.ndarray) -> CandidateFeatures:
    """Candidates of rows, by log odds of shape (n_rows, n_candidates)."""
    features = rows_of(*[(logit, 0.5) for logit in logits.reshape(-1)])
    left, right = np.arange(logits.size) // logits.shape[1], np.arange(logits.size)
    return CandidateFeatures(features, left, right, no_tokens(logits.size), right)


def no_tokens(n_pairs: int) -> PairTokens:
    nothing = np.zeros(0, np.float32)
    side = SideTokens(
        np.zeros(n_pairs + 1, np.int64), nothing.astype(np.int64), nothing, nothing, 1
    )
    return PairTokens(side, side)


def null_of(logits: np.ndarray) -> NullPairs:
    """Null pairs, by log odds of shape (n_rows, n_candidates)."""
    left = np.arange(logits.size) // logits.shape[1]
    return NullPairs(logits.reshape(-1).astype(np.float32), left, no_tokens(logits.size))


NOBODY = np.zeros(0, dtype=np.float32)


def test_a_table_is_known_by_its_best_pairs_and_two_kinds_of_null_scores() -> None:
    # The third row probably has no match, and the fourth two that nothing tells apart.
    logits = np.array([[2.0, -4.0], [-1.0, 3.0], [-2.0, -3.0], [1.0, 1.0]])
    null = np.array([[-1.0, -2.0], [-5.0, 0.5]])
    found = read(content(pair=passing(N))).calibrate(as_pairs(logits), null_of(null), 4)
    best, others = np.array([2, 3, -2, 1], np.float32), np.array([-4, -1], np.float32)
    wanted = table_features(best, np.array([-1, 0.5], np.float32), others, 4)
    assert found.table == pytest.approx(wanted)
    assert found.n_left == 4


def test_a_name_that_is_written_again_is_no_rival_of_its_match() -> None:
    pairs = as_pairs(np.array([[2.0, 1.0, -4.0]]))._replace(things=np.array([5, 5, 6]))
    scorer = read(content(pair=passing(N)))
    rest = without_matches(pairs, scorer.pair.logit(pairs.features), Groups(pairs.left))
    assert rest.right.tolist() == [2]


def test_rows_are_compared_again_without_their_matches() -> None:
    """Leads over the match would make what is left look far worse than it is."""
    pairs = as_pairs(np.array([[2.0, 1.0, -4.0]]))
    lead, cosine = FEATURES.index("cosine_lead"), FEATURES.index("cosine")
    pairs.features[:, cosine] = [0.9, 0.8, 0.5]
    pairs.features[:, lead] = [0.1, -0.1, -0.4]
    rest = without_matches(pairs, np.array([2, 1, -4], np.float32), Groups(pairs.left))
    assert rest.right.tolist() == [1, 2]
    assert rest.features[:, lead] == pytest.approx([0.3, -0.3])


def test_without_left_rows_the_reference_alone_says_something() -> None:
    scorer, null = read(content(pair=passing(N))), np.array([[-1.0, -2.0], [-5.0, 0.5]])
    for pairs in (None, as_pairs(np.zeros((1, 1))).take(np.zeros(0, dtype=np.int64))):
        learned = scorer.calibrate(pairs, null_of(null), 4)
        wanted = table_features(NOBODY, np.array([-1, 0.5], np.float32), NOBODY, 4)
        assert learned.table.tolist() == wanted.tolist()
        assert learned.n_left == 0
        assert len(learned.counts.left.column) == 0
    alone = scorer.calibrate(None, null_of(np.zeros((0, 1))), 1)
    assert alone.table.tolist() == table_features(NOBODY, NOBODY, NOBODY, 1).tolist()


def test_a_score_depends_on_its_row_and_what_was_learned_alone() -> None:
    rng = np.random.default_rng(0)
    scorer, pairs = read(content(pair=passing(N))), as_pairs(rng.normal(0, 2, (200, 3)))
    null = null_of(rng.normal(-2, 1, (50, 3)))
    learned = scorer.calibrate(pairs, null, 300)
    steps = scorer.calibrate_and_score(pairs, null, 300)[1]
    again = scorer.steps(pairs.features, pairs.left, pairs.tokens, learned, pairs.things)
    for one, other in zip(steps, again, strict=True):
        np.testing.assert_array_equal(one, other)
    every = scorer.steps(pairs.features, pairs.left, None, learned).final
    for row in (0, 7, 199):
        at = np.flatnonzero(pairs.left == row)
        alone = scorer.steps(pairs.features[at], pairs.left[at], None, learned).final
        assert alone == pytest.approx(every[at], abs=1e-6)
    order = rng.permutation(600)
    mixed = scorer.steps(pairs.features[order], pairs.left[order], None, learned).final
    assert mixed == pytest.approx(every[order], abs=1e-6)


def test_a_scorer_is_of_vectors_of_one_dimension() -> None:
    class Four:
        dim, name, scorer = 4, "four", json.dumps(content()).encode()

    class Five(Four):
        dim = 5

    records = Records((Field("text", ["a"], np.array([0])),))
    assert scorer_of(Four(), records).middle.tolist() == [0] * 4
    message = r"scorer of four cannot be used: it is for vectors of dimension 4, not 5. Hint: upd"
    with pytest.raises(pj.ModelError, match=message):
        scorer_of(Five(), records)


@pytest.mark.parametrize("chunk", [1, 3, 7, 100])
def test_chunks_change_nothing(monkeypatch, chunk: int) -> None:
    scorer = read(content())
    features = np.random.default_rng(1).random((7, N)).astype(np.float32)
    whole = probability(scorer, features)
    monkeypatch.setattr(network_module, "CHUNK", chunk)
    assert len(set(whole.tolist())) > 5
    assert probability(scorer, features) == pytest.approx(whole, rel=1e-6)


def test_no_pairs_have_no_probability() -> None:
    assert probability(read(content()), np.zeros((0, N), dtype=np.float32)).shape == (0,)


# Reading ----------------------------------------------------------------------------------------


def test_what_is_read_is_what_was_written() -> None:
    slope = [float(at) for at in range(1 + T)]
    scorer = read(table(slope=slope))
    assert scorer.pair.mean.tolist() == [0.5] * N
    assert scorer.pair.scale.tolist() == [0.25] * N
    (layers,) = scorer.pair.members
    assert [weights.shape for weights, _ in layers] == [(N, 2), (2, 1)]
    assert layers[1][0].tolist() == [[1.0], [-3.0]]
    assert layers[0][1].tolist() == [0.5, 0.0]
    assert scorer.context.scale.tolist() == [1.0] * M
    assert scorer.table.slope.tolist() == slope
    assert scorer.middle.tolist() == [0] * 4
    assert scorer.usual_scores.tolist() == [0.25, 0.75]
    assert {array.dtype for pair in layers for array in pair} == {np.dtype("float32")}


OUT = {"weights": [[1.0], [-3.0]], "biases": [-1.0]}
SOUND = network(N)["members"][0][0]
NO_FORM = r"The match scorer of a test cannot be used: it is not of the form expected"
OTHER_VERSION = r"The match scorer of a test cannot be used: it was made for another version. Hint"
NO_FIT = r"The match scorer of a test cannot be used: its arrays do not fit together. Hint: update"


def pair(layers: Any = None, **changes: Any) -> dict[str, Any]:
    return content(pair=network(N, layers, **changes))


REFUSED = {
    "nothing": (b"", NO_FORM),
    "no JSON": (b"{'format': 1}", NO_FORM),
    "no text": (b"\xff\xfe\x00\xd8", NO_FORM),
    "a list": ([1, 2], NO_FORM),
    "a number": (3, NO_FORM),
    "null": (None, NO_FORM),
    "nothing in it": ({}, NO_FORM),
    "the format before": (content(format=6), OTHER_VERSION),
    "fewer features": (content(features=FEATURES[1:]), OTHER_VERSION),
    "features in another order": (content(features=FEATURES[::-1]), OTHER_VERSION),
    "features nested": (content(features=[list(FEATURES)]), OTHER_VERSION),
    "features a number": (content(features=3), NO_FORM),
    "no network": (content(pair=None), NO_FORM),
    "a network that is a list": (content(context=[1.0]), NO_FORM),
    "networks changed about": (content(pair=passing(M), context=network(N)), NO_FIT),
    "mean too short": (pair(mean=[0.5] * (N - 1)), NO_FIT),
    "mean nested": (pair(mean=[[0.5] * N]), NO_FORM),
    "mean ragged": (pair(mean=[[0.5], [0.5, 0.5]]), NO_FORM),
    "mean a number": (pair(mean=0.5), NO_FORM),
    "mean of words": (pair(mean=["half"] * N), NO_FORM),
    "mean of objects": (pair(mean=[{}] * N), NO_FORM),
    "mean with null": (pair(mean=[None] * N), NO_FORM),
    "mean NaN": (pair(mean=[float("nan")] * N), NO_FORM),
    "mean infinite": (pair(mean=[float("inf")] * N), NO_FORM),
    "scale zero": (pair(scale=[0.25] * (N - 1) + [0.0]), NO_FIT),
    "scale negative": (pair(scale=[-0.25] * N), NO_FIT),
    "scale too long": (pair(scale=[0.25] * (N + 1)), NO_FIT),
    "no layers": (pair([]), NO_FIT),
    "layers null": (pair(members=[None]), NO_FORM),
    "layers by name": (pair(members=[{"weights": []}]), NO_FORM),
    "no members": (pair(members=[]), NO_FIT),
    "members null": (pair(members=None), NO_FORM),
    "too many members": (pair(members=network(N)["members"] * 17), NO_FIT),
    "a member that does not fit": (pair(members=[*network(N)["members"], [OUT]]), NO_FIT),
    "a layer without biases": (pair([{"weights": [[1.0]] * N}]), NO_FORM),
    "a layer that is a list": (pair(members=[[[[1.0]] * N]]), NO_FORM),
    "weights NaN": (pair([{"weights": [[float("nan")]] * N, "biases": [0.0]}]), NO_FORM),
    "weights flat": (pair([{"weights": [1.0] * N, "biases": [0.0]}]), NO_FORM),
    "weights turned": (pair([{"weights": [[1.0] * N], "biases": [0.0]}]), NO_FIT),
    "two outputs": (pair([SOUND]), NO_FIT),
    "layers that do not meet": (pair([SOUND, SOUND, OUT]), NO_FIT),
    "biases that do not fit": (pair([{**SOUND, "biases": [0.5]}, OUT]), NO_FIT),
    "too wide": (
        pair(
            [
                {"weights": [[0.0] * 1025] * N, "biases": [0.0] * 1025},
                {"weights": [[0.0]] * 1025, "biases": [0.0]},
            ]
        ),
        NO_FIT,
    ),
    "no middle": (content(middle=None), NO_FORM),
    "middle nested": (content(middle=[[0.0]]), NO_FORM),
    "middle NaN": (content(middle=[float("nan")]), NO_FORM),
    "usual scores of words": (content(usual_scores=["high"]), NO_FORM),
    "no usual scores": ({k: v for k, v in content().items() if k != "usual_scores"}, NO_FORM),
    "no table": (content(table=None), NO_FORM),
    "a table without slope": (content(table={"mean": [], "scale": [], "shift": []}), NO_FORM),
    "table too short": (table(mean=[0.0] * (T - 1)), NO_FIT),
    "table scale zero": (table(scale=[0.0] * T), NO_FIT),
    "table slope too short": (table(slope=[0.0] * T), NO_FIT),
    "table shift too long": (table(shift=[0.0] * (T + 2)), NO_FIT),
    "table shift infinite": (table(shift=[float("inf")] * (T + 1)), NO_FORM),
    "too large": (b" " * (2**22 + 1), r"it is too large \(4,194,305 bytes\)"),
}


@pytest.mark.parametrize("raw,message", REFUSED.values(), ids=REFUSED)  # noqa: PT006
def test_what_cannot_be_used_is_refused(raw: Any, message: str) -> None:
    with pytest.raises(pj.ModelError, match=message):
        read(raw)


# The threshold ----------------------------------------------------------------------------------

CHANCES = st.lists(
    st.sampled_from([n / 16 for n in range(17)]) | st.floats(0, 1, width=32), max_size=12
)


def by_trying(chances: list[float], target: float) -> float:
    """Every chance in turn as the threshold, from the lowest."""
    for threshold in sorted(set(chances)):
        kept = [chance for chance in chances if chance >= threshold]
        if threshold >= 0.3 and sum(sorted(kept, reverse=True)) / len(kept) >= target:
            return threshold
    return 1.0


@settings(derandomize=True, deadline=None, max_examples=60)
@given(CHANCES, st.sampled_from([n / 16 for n in range(17)]) | st.floats(0, 1))
def test_it_is_the_lowest_that_will_do(chances: list[float], target: float) -> None:
    assert lowest_for_mean(np.array(chances, dtype=np.float32), target) == by_trying(
        chances, target
    )


@settings(derandomize=True, deadline=None, max_examples=60)
@given(CHANCES, st.floats(0, 1), st.floats(0, 1))
def test_a_higher_target_never_lowers_it(chances: list[float], one: float, two: float) -> None:
    low, high = sorted([one, two])
    probability = np.array(chances, dtype=np.float32)
    assert 0.3 <= lowest_for_mean(probability, low) <= lowest_for_mean(probability, high) <= 1


def test_equal_chances_stand_or_fall_together() -> None:
    chances = np.array([1.0, 0.75, 0.75, 0.5], dtype=np.float32)
    assert lowest_for_mean(chances, 0.875) == 1.0  # One of the two alone would have done.
    assert lowest_for_mean(chances, 2.5 / 3) == 0.75
    assert lowest_for_mean(chances, 0.75) == 0.5
    assert lowest_for_mean(chances, 0.0) == 0.5
    assert lowest_for_mean(chances, 0.75, np.array([1, 1, 1, 2])) == 0.75


def test_the_order_of_chances_does_not_count_and_they_are_left_alone() -> None:
    chances = np.array([0.2, 0.99, 0.8, 0.9], dtype=np.float32)
    assert lowest_for_mean(chances, 0.9) == lowest_for_mean(chances[::-1], 0.9)
    assert lowest_for_mean(chances, 0.89) == float(np.float32(0.8))
    assert chances.tolist() == np.array([0.2, 0.99, 0.8, 0.9], dtype=np.float32).tolist()


@pytest.mark.parametrize("chances", [[], [0.4, 0.49], [0.5, 0.6]])
def test_where_none_will_do_it_is_one(chances: list[float]) -> None:
    assert lowest_for_mean(np.array(chances, dtype=np.float32), 0.9) == 1.0


# Found in odd files -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        b"[" * 100_000,
        json.dumps(pair(mean=[10**400] * N)).encode(),
        json.dumps(pair(mean=["0.5"] * N)).encode(),
        json.dumps(pair(mean=[1e39] * N)).encode(),
    ],
    ids=[
        "nested too deeply",
        "whole numbers too large",
        "numbers as text",
        "too large for float32",
    ],
)
def test_odd_files_are_refused_without_a_warning(raw: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(pj.ModelError, match=r"it is not of the form expected"):
            read(raw)


def test_certain_pairs_make_no_warning() -> None:
    layers = [{"weights": [[1000.0]] + [[0.0]] * (N - 1), "biases": [0.0]}]
    certain = {
        **passing(M),
        "members": [[{"weights": [[100.0]] + [[0.0]] * (M - 1), "biases": [0.0]}]],
    }
    scorer = read(content(pair=network(N, layers), context=certain))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = probability(scorer, rows_of((-9, 0.5), (0.5, 0.5), (9, 0.5)))
    assert found.tolist() == [0.0, 0.5, 1.0]


def test_a_row_of_a_network_does_not_depend_on_those_beside_it() -> None:
    rng = np.random.default_rng(3)
    layers = tuple(
        (rng.normal(size=(n_in, n_out)).astype(np.float32), np.zeros(n_out, dtype=np.float32))
        for n_in, n_out in ((46, 64), (64, 1))
    )
    network = Network(np.zeros(46, dtype=np.float32), np.ones(46, dtype=np.float32), (layers,))
    features = rng.normal(size=(3_000, 46)).astype(np.float32)
    whole = network.logit(features)
    for size in (1, 2, 5, 10, 31, 32, 33, 100, 2_049):
        rows = rng.permutation(3_000)[:size]
        assert np.array_equal(network.logit(features[rows]), whole[rows])
