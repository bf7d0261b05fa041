"""Evidence on made records: what is compared."""

from random import Random

import numpy as np

import pearljoin as pj
from pearljoin_train.record_scorer.evidence import compute_evidence
from pearljoin_train.records.made import MadeTables
from pearljoin_train.records.side import Rates

RATES = Rates({}, {}, ())


def places(exchanged: int) -> MadeTables:
    """Make 20 places, of which the left side exchanges so many coordinates."""
    rng = Random(1)
    names = [
        f"{a}{b}" for a in ("Nor", "Sur", "Ost", "Wes", "Mid") for b in ("ham", "by", "ton", "ley")
    ]
    points = [(f"{rng.uniform(20, 60):.4f}", f"{rng.uniform(100, 170):.4f}") for _ in names]
    seen = [point[::-1] if at < exchanged else point for at, point in enumerate(points)]

    def table(points: list[tuple[str, str]]) -> dict[str, list[str]]:
        latitude, longitude = map(list, zip(*points, strict=True))
        return {"name": names, "latitude": latitude, "longitude": longitude}

    things = list(range(len(names)))
    kinds = {"name": "name", "latitude": "latitude", "longitude": "longitude"}
    return MadeTables(
        "places",
        table(seen),
        table(points),
        things,
        things,
        kinds,
        "one_to_one",
        (0, 0),
        (RATES, RATES),
    )


def test_pairs_of_one_thing_are_matches() -> None:
    found = compute_evidence(places(0), pj.load_encoder("default"))
    assert found.kinds == ("name", "coordinate")
    assert found.is_match.sum() == found.n_answerable == 20


def test_exchanged_coordinates_are_not_compared() -> None:
    found = compute_evidence(places(3), pj.load_encoder("default"))
    assert found is not None
    position = found.pairs.columns[1].position
    exchanged = found.pairs.left < 3
    assert exchanged.any()
    assert np.isnan(position[exchanged]).all()
    assert not np.isnan(position[~exchanged]).any()
