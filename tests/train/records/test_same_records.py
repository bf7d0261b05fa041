"""The network of records of several columns of one table learns from what deduplication sees."""

import json

import numpy as np
import pandas as pd

import pearljoin as pj
from pearljoin.scoring import LevelPrior
from pearljoin_train.record_scorer.evidence import compute_evidence
from pearljoin_train.record_scorer.train_networks import learn_weights
from pearljoin_train.record_scorer.train_same_records import _usual
from pearljoin_train.records.made import MadeDuplicates
from pearljoin_train.records.side import Rates


def test_weights_in_training_are_those_of_deduplication() -> None:
    """The network sees the same features, sorts of columns being left out in both."""
    rng = np.random.default_rng(0)
    words = ["Acme", "Borg", "Cern", "Dell", "Enel", "Fiat", "Gazprom", "Haier", "Ikea", "Jolt"]
    things = [(f"{a} {b} Ltd", str(rng.integers(10**8))) for a in words for b in words]
    rows = [*things, *[(name.upper(), code) for name, code in things[::3]]]
    table = {name: [row[at] for row in rows] for at, name in enumerate(("firm", "code"))}
    clusters = [*range(len(things)), *range(0, len(things), 3)]
    rates = Rates({}, {}, ())
    made = MadeDuplicates("companies", table, clusters, {"firm": "name", "code": "code"}, rates)
    evidence = compute_evidence(made, pj.load_encoder("pearl-nano"))
    assert evidence is not None
    content = json.loads((pj.load_encoder("pearl-nano").folder / "scorer.json").read_bytes())
    priors = content["records"]["priors"]
    usual = {kind: LevelPrior(*_usual(each)) for kind, each in priors.items()}
    trained = learn_weights(evidence, usual)
    found = pj.find_duplicates(pd.DataFrame(table), on=list(table), encoder="pearl-nano")
    served = found.comparison.weights
    for name in ("columns", "usual"):
        for one, other in zip(getattr(trained, name), getattr(served, name), strict=True):
            np.testing.assert_allclose(one.weight, other.weight, atol=0.35)
