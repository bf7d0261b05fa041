"""Words that a reference has with and without, and so tell left rows from its rows."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

import pearljoin as pj

KINDS = ["Park", "Reserve", "Trailhead", "Lookout", "Lodge"]
PLACES = [" ".join(name) for name in product(["Blue", "Old", "Long"], ["Bay", "Ridge"], KINDS)]
MISSING = PLACES[::3]
REFERENCE = [*(p for p in PLACES if p not in MISSING), *(f"{place} East" for place in PLACES)]
LEFT = [place.upper() if at % 2 else place.replace("e", "ee") for at, place in enumerate(PLACES)]


@pytest.fixture(scope="module")
def matcher() -> pj.Matcher:
    return pj.Matcher().fit(REFERENCE)


def test_a_place_that_the_reference_lacks_is_not_the_one_with_a_word_more(matcher) -> None:
    found = matcher.match(LEFT).pairs()
    of_place = dict(zip(LEFT, PLACES, strict=True))
    assert not any(right.endswith("East") for right in found["right"])
    assert (found["left"].map(of_place) == found["right"]).sum() >= 18


def test_without_qualifiers_it_is(matcher, monkeypatch) -> None:
    unlowered = "pearljoin._scoring.qualifiers.lowered"
    monkeypatch.setattr(unlowered, lambda log_odds, pairs: log_odds)
    found = matcher.match(LEFT).pairs()
    assert sum(right.endswith("East") for right in found["right"]) >= 5


def test_an_explanation_names_them(matcher) -> None:
    at = PLACES.index(MISSING[1])
    told = matcher.match(LEFT).explain(at, REFERENCE.index(f"{PLACES[at]} East"))
    steps = {step.kind: step.effect for step in told.waterfall()}
    assert steps["alternatives"] == pytest.approx(-6)


def test_a_score_depends_on_its_row_alone(matcher) -> None:
    all_of_them = {"threshold": 0.001, "constraint": "many_to_many"}
    whole = matcher.match(LEFT).matches(**all_of_them)
    alone = matcher.match(LEFT[:1]).matches(**all_of_them)
    is_first = np.asarray(whole.left) == 0
    assert np.asarray(alone.right).tolist() == np.asarray(whole.right)[is_first].tolist()
    np.testing.assert_allclose(alone.score, np.asarray(whole.score)[is_first], atol=1e-5)


def test_rows_in_any_order_teach_the_same(matcher) -> None:
    turned = pj.Matcher().fit(REFERENCE[::-1]).match(LEFT).pairs()
    known = matcher.match(LEFT).pairs()
    assert turned["right"].tolist() == known["right"].tolist()
    np.testing.assert_allclose(turned["score"], known["score"], atol=1e-5)


def test_they_are_frozen_until_refit_and_saved(tmp_path: Path) -> None:
    matcher = pj.Matcher(threshold=0.001).fit(PLACES)

    def qualifiers(of: pj.Matcher) -> tuple[str, ...]:
        calibration = of._check_fitted().learned().state.calibration
        assert calibration is not None
        return calibration.qualifiers.phrases

    before = qualifiers(matcher)
    matcher.add([f"{place} East" for place in PLACES[:20]])
    assert "east" not in before
    assert qualifiers(matcher) == before
    matcher.refit()
    assert "east" in qualifiers(matcher)
    matcher.save(tmp_path / "kept")
    loaded = pj.Matcher.load(tmp_path / "kept")
    assert qualifiers(loaded) == qualifiers(matcher)
    scores = [of.match(LEFT[:9]).pairs()["score"] for of in (matcher, loaded)]
    np.testing.assert_array_equal(*scores)
