"""The network of records of several columns of one table learns from what deduplication sees."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd

import pearljoin as pj
from pearljoin.scoring import WITHIN_FEATURES, LevelPrior, features_within
from pearljoin_train.record_scorer import train_same_records
from pearljoin_train.record_scorer.evidence import compute_evidence
from pearljoin_train.record_scorer.train_networks import View, learn_weights
from pearljoin_train.record_scorer.train_same_records import UNENCODED, _unencoded, _usual
from pearljoin_train.records.made import MadeDuplicates
from pearljoin_train.records.side import Rates
from pearljoin_train.records.written_tables import WrittenTable


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


def test_tables_without_text_are_learned_from_as_they_are_served() -> None:
    """They are not encoded: what their pairs have in place of a cosine is in training, too."""
    table = pd.DataFrame({"street": [f"{at} Elm Road" for at in range(12)], "zip": ["02138"] * 12})
    found = pj.find_duplicates(table, on=list(table)).comparison
    features = features_within(found.compare(*found.pairs), found.weights)
    for name, value in UNENCODED.items():
        np.testing.assert_array_equal(features[:, WITHIN_FEATURES.index(name)], value)
    view = View(
        source="places",
        left_rows=np.zeros(1, dtype=np.int64),
        is_match=np.ones(1),
        features=np.full((1, len(WITHIN_FEATURES)), 0.5, dtype=np.float32),
        is_calibrated=True,
        is_one_table=True,
        n_records=2,
    )
    told = dict(zip(WITHIN_FEATURES, _unencoded(view).features[0].tolist(), strict=True))
    assert {name: told.pop(name) for name in UNENCODED} == UNENCODED
    assert set(told.values()) == {0.5}


def test_match_rates_above_even_odds_count_as_even() -> None:
    """Rows that are all related look like matches to expectation-maximisation."""
    table = pd.DataFrame(
        {"name": [f"Acme {word}" for word in ("one", "two", "three", "four")], "city": ["Rome"] * 4}
    )
    found = pj.find_duplicates(table, on=list(table)).comparison
    compared = found.compare(*found.pairs)
    at = WITHIN_FEATURES.index("match_rate")
    rates = [
        features_within(compared, replace(found.weights, match_rate=rate))[:, at]
        for rate in (0.1, 0.5, 0.99)
    ]
    assert rates[0].max() < rates[1].min() == rates[1].max() == 0.0
    np.testing.assert_array_equal(rates[1], rates[2])


def test_written_tables_count_several_times(monkeypatch) -> None:
    table = pd.DataFrame({"name": ["Acme Corp", "ACME Corp.", "Borg"], "city": ["Rome"] * 3})
    written = WrittenTable("business", "firms", table, [0, 0, 1])
    encoder = pj.load_encoder("pearl-nano")
    evidence = compute_evidence(written, encoder)
    content = json.loads((encoder.folder / "scorer.json").read_bytes())
    counted = []

    def fit(views, features, *_) -> tuple[dict, None]:
        counted.append(len(views))
        return {}, None

    monkeypatch.setattr(train_same_records, "fit_network", fit)
    monkeypatch.setattr(train_same_records, "UNENCODED_SHARE", 0.0)
    priors = content["records"]["priors"]
    train_same_records.train_same_records([evidence] * 2, priors, written=[evidence] * 3)
    monkeypatch.setattr(train_same_records, "UNENCODED_SHARE", 1.0)
    train_same_records.train_same_records([evidence] * 2, priors, written=[evidence] * 3)
    n_views = 2 + 3 * train_same_records.WRITTEN_TIMES
    assert counted == [n_views, 2 * n_views]
