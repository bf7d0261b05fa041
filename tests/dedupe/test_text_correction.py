"""The correction of the log odds of texts of one table."""

from dataclasses import replace

import numpy as np
import pytest

import pearljoin as pj
from pearljoin._scoring.correction import KNOTS
from pearljoin._scoring.scorer_file import record_networks_of
from pearljoin._scoring.text_correction import (
    INTERVAL_FEATURES,
    ScoredTexts,
    correct_texts,
    describe_intervals,
)

MODELS = ["pearl-nano", "pearl-mini"]


def scored(pairs: dict[float, int], decoys: dict[float, int], donor: float) -> ScoredTexts:
    """A table with so many pairs, and pairs of decoys, at each log odds."""
    log_odds, of_decoys = (
        np.repeat(np.array([*counts], dtype=np.float32), [*counts.values()])
        for counts in (pairs, decoys)
    )
    return ScoredTexts(
        n_records=500,
        n_sampled=500,
        n_equal=0,
        log_odds=log_odds,
        of_decoys=of_decoys,
        of_donors=np.full(len(of_decoys), donor, dtype=np.float32),
        a_decoy=1.0,
    )


def corrected(texts: ScoredTexts, model: str) -> np.ndarray:
    networks = record_networks_of(pj.load_encoder(model))
    assert networks is not None
    return correct_texts(texts, networks.text_correction)


@pytest.mark.parametrize("model", MODELS)
def test_pairs_that_no_decoy_resembles_rise(model):
    likely = {-0.5: 90, 0.5: 120, 1.5: 120, 2.5: 100}
    alone = corrected(scored(likely, {}, -np.inf), model)
    explained = corrected(scored(likely, likely, -np.inf), model)
    at = (KNOTS > -1) & (KNOTS < 3)
    assert (alone[at] > explained[at] + 1).all()
    assert alone[KNOTS == 0.5] > 1
    assert explained[KNOTS == -0.5] < 0
    assert (np.diff(alone) >= 0).all()
    assert (np.diff(explained) >= 0).all()


@pytest.mark.parametrize("model", MODELS)
def test_decoys_near_a_duplicate_of_their_donor_do_not_count(model):
    likely = {-0.5: 90, 0.5: 120, 1.5: 120, 2.5: 100}
    met = {-0.5: 60, 0.5: 30}
    of_others = corrected(scored(likely, met, -8.0), model)
    of_duplicates = corrected(scored(likely, met, 4.0), model)
    assert of_duplicates[KNOTS == -0.5] > of_others[KNOTS == -0.5] + 0.5


def test_intervals_are_described_by_counts():
    texts = scored({0.5: 9, 1.5: 19}, {0.5: 4}, 0.5)
    features = describe_intervals(replace(texts, n_equal=3))
    assert features.shape == (len(KNOTS), len(INTERVAL_FEATURES))
    found = dict(zip(INTERVAL_FEATURES, features[KNOTS == 0.5][0].tolist(), strict=True))
    assert found["log_odds"] == 0.5
    assert found["pairs_a_record"] == pytest.approx(np.log(10 / 500))
    assert found["pairs_above_a_record"] == pytest.approx(np.log(29 / 500))
    assert found["pairs_to_above"] == pytest.approx(np.log(10 / 20))
    assert found["to_decoys_0"] == pytest.approx(np.log(10 / 5))
    assert found["to_decoys_1"] == pytest.approx(np.log(10 / 5))
    assert found["to_decoys_2"] == pytest.approx(np.log(10))
    assert found["above_to_decoys_0"] == pytest.approx(np.log(29 / 5))
    assert found["equal_a_record"] == pytest.approx(np.log(4 / 500))
    assert found["of_related"] == found["near_of_related"] == 1


@pytest.mark.parametrize("model", MODELS)
def test_a_table_without_candidates_is_corrected(model):
    assert np.isfinite(corrected(scored({}, {}, 0.0), model)).all()
