"""The feature registry: one entry is all that a new feature needs."""

import json
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from pearljoin._features.pair_features import PairBlock, Similarities
from pearljoin._features.registry import REGISTRY, Feature, FeatureRegistry, RivalMargin
from pearljoin._features.rival_margins import SPELLING
from pearljoin._features.text_profiles import Texts, text_profiles
from pearljoin._features.token_alignment import align
from pearljoin._search import tfidf
from pearljoin._text.term_weights import TermWeights
from pearljoin.scoring import FEATURES


def same_length(pairs: PairBlock) -> np.ndarray:
    return pairs.left.length[pairs.left_at] == pairs.right.length[pairs.right_at]


ADDED = Feature("same_length", "shape", same_length)
ADDED_MARGIN = Feature("spelling_lead_again", "rivals", RivalMargin(SPELLING))


def block() -> PairBlock:
    """Two left texts with two right ones, all pairs."""
    left, right = ["red inn", "blue note"], ["red inns", "red inn"]
    left_at, right_at = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    numbers = np.arange(20, dtype=np.float32).reshape(5, 4) / 20
    similarities = Similarities(*numbers[:4], np.ones(4, dtype=bool), numbers[4])
    sides = (Texts(texts, texts, ["", ""], [0, 0]) for texts in (left, right))
    profiles = text_profiles(*sides, TermWeights.of(tfidf.count(right)))
    tokens = align(*profiles, left_at, right_at)
    return PairBlock(*profiles, similarities, left_at, right_at, *tokens)


@pytest.mark.parametrize("place", [0, 3, 39, len(REGISTRY)])
def test_an_entry_anywhere_is_a_column_there(place: int) -> None:
    pairs = block()
    before = REGISTRY.compute(pairs, pairs.left_at)
    features = (*REGISTRY.features[:place], ADDED, *REGISTRY.features[place:])
    registry = FeatureRegistry(features)
    after = registry.compute(pairs, pairs.left_at)
    assert registry.names[place] == "same_length"
    assert registry.groups["shape"].tolist() == [place]
    assert after[:, place].tolist() == [0, 1, 0, 0]
    assert np.array_equal(np.delete(after, place, axis=1), before)


def test_a_margin_is_an_entry_too() -> None:
    pairs = block()
    registry = FeatureRegistry((ADDED_MARGIN, *REGISTRY.features))
    found = registry.compute(pairs, pairs.left_at)
    spelling = (pairs.similarities.ngrams + pairs.similarities.words) / 2
    rivals = spelling[[1, 0, 3, 2]]
    assert found[:, 0] == pytest.approx(spelling - rivals)
    assert np.array_equal(found[:, 1:], REGISTRY.compute(pairs, pairs.left_at))


def test_names_are_distinct_and_public() -> None:
    assert REGISTRY.names == FEATURES
    assert len(set(FEATURES)) == len(FEATURES) == 57


SCRIPT = textwrap.dedent("""
    import json, sys
    from pearljoin._features import registry

    def same_length(pairs):
        return pairs.left.length[pairs.left_at] == pairs.right.length[pairs.right_at]

    entry = registry.Feature("same_length", "shape", same_length)
    registry.REGISTRY = registry.FeatureRegistry((*registry.REGISTRY.features, entry))

    import pearljoin as pj
    from pearljoin.scoring import (
        CONTEXT_FEATURES, FEATURES, FORMAT, TABLE_FEATURES, UNMATCHED_FEATURES, read_scorer,
    )

    def network(n, at, weight):
        weights = [[0.0]] * n
        weights[at] = [weight]
        layers = [{"weights": weights, "biases": [0.0]}]
        return {"mean": [0.0] * n, "scale": [1.0] * n, "members": [layers]}

    n = len(TABLE_FEATURES)
    zeros = [0.0] * (1 + n)
    table = {"mean": zeros[1:], "scale": [1.0] * n, "slope": zeros, "shift": [-1.0, *zeros[1:]]}
    scorer = {
        "format": FORMAT,
        "features": FEATURES,
        "pair": network(len(FEATURES), FEATURES.index("same_length"), 3.0),
        "context": network(len(CONTEXT_FEATURES) + len(UNMATCHED_FEATURES), 0, 1.0),
        "table": table,
        "middle": [0.0] * pj.load_encoder("default").dim,
        "usual_scores": [0.5],
    }

    from pearljoin._comparison import reference

    made = read_scorer(json.dumps(scorer).encode(), "a test")
    reference.scorer_of = lambda *_: made
    # The networks that ship take the features that ship.
    reference.record_networks_of = lambda *_: None
    result = pj.match(["red inn", "blue"], ["red inns", "red ink"])
    evidence = result.evidence()
    json.dump(
        {
            "features": FEATURES,
            "column": evidence["same_length"].tolist(),
            "pairs": [evidence["left"].tolist(), evidence["right"].tolist()],
            "groups": [[r.kind for r in result.explain(0, at).reasons] for at in (0, 1)],
            "effects": [dict((r.kind, r.effect) for r in result.explain(0, at).reasons)["shape"]
                        for at in (0, 1)],
        },
        sys.stdout,
    )
""")


def test_one_entry_reaches_the_public_names_the_evidence_and_the_explanation() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert found["features"] == [*FEATURES, "same_length"]
    assert found["pairs"] == [[0, 0, 1, 1], [0, 1, 0, 1]]
    assert found["column"] == [0, 1, 0, 0]
    assert all("shape" in groups for groups in found["groups"])
    # One pair of four has it: neutral is half way between it and the others.
    assert found["effects"] == pytest.approx([-1.5, 1.5])
