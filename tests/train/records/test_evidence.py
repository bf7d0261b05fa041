"""Evidence on made records: what is compared."""

from random import Random

import numpy as np

import pearljoin as pj
from pearljoin_train.record_scorer.evidence import compute_evidence
from pearljoin_train.record_scorer.train_networks import count_priors, make_views, with_sorts
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


def test_dates_of_birth_are_counted_by_themselves_and_among_dates() -> None:
    """Networks learn with the mean of all dates; what more is known of births stands beside it."""
    rng = Random(2)
    names = [f"{a} {b}" for a in ("Ann", "Bo", "Cy", "Di", "Ed") for b in ("Ax", "Bell", "Cole")]
    dates = {
        name: [f"{rng.randint(1940, 2000)}-{rng.randint(1, 12):02d}-01" for _ in names]
        for name in ("dob", "joined")
    }
    table, things = {"name": names, **dates}, list(range(len(names)))
    kinds = {"name": "name", "dob": "date", "joined": "date"}
    later = {**table, "joined": dates["joined"][1:] + dates["joined"][:1]}
    made = MadeTables(
        "people", table, later, things, things, kinds, "one_to_one", (0, 0), (RATES, RATES)
    )
    evidence = compute_evidence(made, pj.load_encoder("default"))
    assert evidence.kinds == ("name", "birth_date", "event_date")
    priors = count_priors([evidence])
    assert priors["birth_date"].m[-1] > 0.8 > priors["event_date"].m[-1]
    assert priors["date"].m.tolist() == priors["birth_date"].m.tolist()
    views = [
        make_views(evidence, some)[0].features
        for some in (priors, {**priors, "birth_date": priors["date"]})
    ]
    assert (views[0] == views[1]).all()
    shipped = {"date": {"m": [0.5] * 9, "u": [0.5] * 9}}
    found = with_sorts(shipped, [evidence])
    assert list(found) == ["date", "birth_date"]
    assert found["date"]["m"] == [0.5] * 9
    assert found["birth_date"] == {
        "m": priors["birth_date"].m.tolist(),
        "u": priors["birth_date"].u.tolist(),
    }
    anew = with_sorts(shipped, [evidence], ["date", "event_date"])
    assert list(anew) == ["date", "birth_date", "event_date"]
    assert anew["date"]["m"] == priors["date"].m.tolist()
