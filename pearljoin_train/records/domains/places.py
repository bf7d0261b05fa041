"""Places: names with aliases, coordinates of differing exactness, namesakes and neighbours."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from pearljoin_train.records.domains.atlas import Atlas
from pearljoin_train.records.domains.domain import Domain, Move, Thing, column
from pearljoin_train.records.domains.name_pool import NamePool
from pearljoin_train.records.lists import OpenLists, forms, words
from pearljoin_train.records.values.codes import CodeStyle, fill
from pearljoin_train.records.values.names import CategoryStyle, NameStyle
from pearljoin_train.records.values.numbers import CoordinateStyle, QuantityStyle
from pearljoin_train.records.values.style import skewed

__all__ = ["Places"]

DEGREES_A_KILOMETRE = 1 / 111


class Land(NamedTuple):
    """A country with its middle, which is made."""

    names: tuple[str, ...]
    latitude: float
    longitude: float


class Places(Domain):
    """Gazetteers: name, coordinates, country, sort of place."""

    name = "places"
    core = ("name",)
    together = (("latitude", "longitude"),)
    moves = (
        Move("latitude", "longitude", ""),
        Move("country", "name", "{target}, {source}"),
    )

    def __init__(self, lists: OpenLists, rng: Random) -> None:
        super().__init__(lists, rng)
        self._listed = list(lists.places)
        self._listed_rate = rng.choice((0.5, 0.9)) if self._listed else 0.0
        self._atlas = Atlas(lists, NamePool(lists, rng), rng)
        listed = list(forms("places", "countries"))
        self._lands = [
            Land(names, rng.uniform(-50, 65), rng.uniform(-170, 175))
            for names in rng.sample(listed, rng.choice((1, 5, len(listed))))
        ]
        # Sources locate a place by its centre, its station, or a rounded degree.
        self._off = rng.choice((0.0, 0.3, 2.0, 8.0)) * DEGREES_A_KILOMETRE
        self.columns = {
            "name": column("name place label toponym", "name", NameStyle),
            "latitude": column("latitude lat y", "latitude", CoordinateStyle),
            "longitude": column("longitude lon lng x", "longitude", CoordinateStyle),
            "country": column("country country_code nation", "category", CategoryStyle),
            "sort": column("type feature_class kind", "category", CategoryStyle),
            "population": column("population inhabitants pop", "quantity", QuantityStyle),
            "id": column("geo_id code locode", "code", CodeStyle),
        }

    def _new(self) -> Thing:
        rng = self._rng
        if rng.random() < self._listed_rate:
            land, name = skewed(self._lands, rng), rng.choice(self._listed)
            names: tuple[str, ...] = (name, *self._lists.places[name])
        else:
            town = self._atlas.town()
            land, names = Land(town.country.names, town.latitude, town.longitude), town.names
        spread = rng.choice((0.1, 3.0))
        latitude = land.latitude + rng.uniform(-spread, spread)
        return self._placed(names, land, latitude, land.longitude + rng.uniform(-spread, spread))

    def _placed(
        self, names: tuple[str, ...], land: Land, latitude: float, longitude: float
    ) -> Thing:
        """Give a place of some names all other values."""
        rng = self._rng
        return {
            "name": names,
            "latitude": latitude,
            "longitude": longitude,
            "country": land.names,
            "sort": rng.choice(forms("places", "features")[: rng.choice((2, 10))]),
            "population": float(int(10 ** rng.uniform(1.5, 6))),
            "id": fill("@@-@@@", rng),
            "land": land,
        }

    def _near(self, thing: Thing) -> Thing:
        """Return a namesake far away, or a neighbour with a like name or another."""
        rng = self._rng
        names = thing["name"]
        way = rng.random()
        if way < 0.35:
            land = rng.choice(self._lands)
            latitude = land.latitude + rng.uniform(-5.0, 5.0)
            longitude = land.longitude + rng.uniform(-5.0, 5.0)
            return self._placed(names, land, latitude, longitude)
        if way < 0.75:
            part, tail = rng.choice(words("places", "parts")), rng.choice(words("places", "tails"))
            names = rng.choice(((f"{part} {names[0]}",), (f"{names[0]} {tail}",)))
        else:
            names = self._new()["name"]
        step = rng.choice((0.5, 3.0, 15.0)) * DEGREES_A_KILOMETRE
        latitude = thing["latitude"] + rng.uniform(-step, step)
        longitude = thing["longitude"] + rng.uniform(-step, step)
        return self._placed(names, thing["land"], latitude, longitude)

    def observe(self, thing: Thing, rng: Random) -> Thing:
        """Return a place as one source located and counted it."""
        seen = dict(thing)
        seen["latitude"] += rng.gauss(0.0, self._off)
        seen["longitude"] += rng.gauss(0.0, self._off)
        seen["population"] = float(round(seen["population"] * rng.lognormvariate(0.0, 0.1)))
        if rng.random() < 0.15:
            seen["sort"] = rng.choice(forms("places", "features"))
        return seen
