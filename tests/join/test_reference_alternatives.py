"""Words that stand in each other's place in a reference, and so tell left rows from its rows."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

import pearljoin as pj

COLOURS, SIZES = ["red", "blue", "green", "black"], ["small", "medium", "large"]
SHIRTS = [
    "Cotton T-Shirt",
    "Linen Shirt",
    "Polo Shirt",
    "Denim Jacket",
    "Rain Coat",
    "Wool Sweater",
]
CELLS = [" ".join(cell) for cell in product(SHIRTS, COLOURS, SIZES)]
MISSING = CELLS[::4]
REFERENCE = [cell for cell in CELLS if cell not in MISSING]
LEFT = [cell.upper() if at % 2 else cell.replace("rt", "r") for at, cell in enumerate(CELLS)]


@pytest.fixture(scope="module")
def matcher() -> pj.Matcher:
    return pj.Matcher().fit(REFERENCE)


def test_a_cell_that_the_reference_lacks_is_not_its_neighbour(matcher) -> None:
    found = dict(matcher.match(LEFT).pairs()[["left", "right"]].itertuples(index=False))
    of_cell = {left: cell for left, cell in zip(LEFT, CELLS, strict=True) if cell not in MISSING}
    assert found == of_cell


def test_without_alternatives_neighbours_are_likelier(matcher, monkeypatch) -> None:
    absent = [left for left, cell in zip(LEFT, CELLS, strict=True) if cell in MISSING]
    told = matcher.match(absent).matches(threshold=0.0).score
    monkeypatch.setattr("pearljoin._scoring.alternatives.LOWERED", 0.0)
    untold = matcher.match(absent).matches(threshold=0.0).score
    assert np.median(untold) > 3 * np.median(told)
    assert untold.max() > told.max()


def test_an_explanation_names_them(matcher) -> None:
    result = matcher.match(LEFT[:1])
    told = [result.explain(0, REFERENCE.index(f"Cotton T-Shirt red {size}")) for size in SIZES[1:]]
    for found in told:
        steps = {step.kind: step.effect for step in found.waterfall()}
        assert steps["alternatives"] == pytest.approx(-6)
        assert 1 / (1 + np.exp(-sum(steps.values()))) == pytest.approx(found.score, abs=1e-4)


def test_rows_in_any_order_teach_the_same(matcher) -> None:
    turned = pj.Matcher().fit(REFERENCE[::-1]).match(LEFT).pairs()
    known = matcher.match(LEFT).pairs()
    assert turned["right"].tolist() == known["right"].tolist()
    np.testing.assert_allclose(turned["score"], known["score"], atol=1e-5)


def test_they_are_frozen_until_refit_and_saved(tmp_path: Path) -> None:
    few = [f"{shirt} {colour}" for shirt, colour in product(SHIRTS[:2], COLOURS[:2])]
    more = [f"{shirt} {colour}" for shirt, colour in product(SHIRTS, COLOURS)]
    asked = ["Raincoat yellow", "Rain Coat green"]
    matcher = pj.Matcher(threshold=0.001).fit(few)

    def alternatives(of: pj.Matcher) -> tuple[tuple[str, str], ...]:
        calibration = of._check_fitted().learned().state.calibration
        assert calibration is not None
        return calibration.alternatives.pairs

    before = alternatives(matcher)
    matcher.add([text for text in more if text not in few])
    assert alternatives(matcher) == before
    matcher.refit()
    assert ("blue", "red") in alternatives(matcher)
    assert alternatives(matcher) != before
    matcher.save(tmp_path / "kept")
    loaded = pj.Matcher.load(tmp_path / "kept")
    assert alternatives(loaded) == alternatives(matcher)
    scores = [of.match(asked).pairs()["score"] for of in (matcher, loaded)]
    np.testing.assert_array_equal(*scores)
