"""Made towns: streets, postcodes, phones and coordinates that depend on each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from pearljoin_train.records.domains.name_pool import NamePool
from pearljoin_train.records.lists import OpenLists, countries, forms, words
from pearljoin_train.records.values.addresses import Address
from pearljoin_train.records.values.codes import fill
from pearljoin_train.records.values.contacts import Phone
from pearljoin_train.records.values.style import skewed

__all__ = ["Atlas", "Town"]

FILE = "countries.toml"
DIRECTIONS = (("North", "N"), ("South", "S"), ("East", "E"), ("West", "W"))
WEIGHTS = {"us": 5, "gb": 3, "de": 3, "fr": 2, "ca": 2, "au": 2, "es": 1, "it": 1, "nl": 1}
"""How often tables are of a country."""


@dataclass(frozen=True)
class Country:
    """How a country writes addresses."""

    names: tuple[str, ...]
    street_pattern: str
    town_pattern: str
    street_types: tuple[tuple[str, ...], ...]
    street_names: tuple[str, ...]
    directions: float
    """Share of streets with North and the like."""
    units: float
    """Share of addresses with a flat."""
    postcode: str
    fixed: int
    """First characters of a postcode that belong to the town."""
    phone: str
    regions: tuple[tuple[str, ...], ...]
    town_heads: tuple[str, ...]
    town_tails: tuple[str, ...]
    town_patterns: tuple[str, ...]
    town_words: tuple[str, ...]
    domains: tuple[str, ...]
    """Ends of web sites."""
    latitude: tuple[float, float]
    longitude: tuple[float, float]


@cache
def read_countries() -> dict[str, Country]:
    """Read the countries kept here, by their two letters."""
    return {code: _country(code, settings) for code, settings in countries()}


def _country(code: str, settings: Mapping[str, Any]) -> Country:
    return Country(
        names=tuple(settings["names"].split("|")),
        street_pattern=settings["street"],
        town_pattern=settings["town_line"],
        street_types=forms(code, "street_types", FILE),
        street_names=words(code, "street_names", FILE),
        directions=settings["directions"],
        units=settings["units"],
        postcode=settings["postcode"],
        fixed=settings["fixed"],
        phone=settings["phone"],
        regions=forms(code, "regions", FILE),
        town_heads=words(code, "town_heads", FILE),
        town_tails=words(code, "town_tails", FILE),
        town_patterns=words(code, "town_patterns", FILE),
        town_words=words(code, "town_words", FILE),
        domains=words(code, "domains", FILE),
        latitude=tuple(settings["latitude"]),
        longitude=tuple(settings["longitude"]),
    )


@dataclass(frozen=True)
class Town:
    """A town: its names, and what its addresses have in common."""

    names: tuple[str, ...]
    """The name and its aliases."""
    region: tuple[str, ...]
    country: Country
    postcodes: tuple[str, ...]
    area: str
    """First digits of its phone numbers."""
    streets: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
    """Name, forms of the type, and forms of North and the like."""
    latitude: float
    longitude: float


class Atlas:
    """The towns of one table, the first ones large.

    Parameters
    ----------
    lists
        Names and words.
    pool
        Names of people, after whom towns and streets are called.
    rng
        Draws countries and towns, and then addresses.
    """

    def __init__(self, lists: OpenLists, pool: NamePool, rng: Random) -> None:
        self._rng = rng
        self._pool = pool
        self._places = lists.places
        self._place_names = list(lists.places)
        known = read_countries()
        n_countries = rng.choice((1, 1, 1, 1, 2, 4))
        codes = rng.choices(list(WEIGHTS), weights=list(WEIGHTS.values()), k=n_countries)
        self._countries = [known[code] for code in dict.fromkeys(codes)]
        n_towns = int(rng.choice((1, 5, 20, 60, 150)))
        self.towns = [self._town(rng.choice(self._countries)) for _ in range(n_towns)]

    def _town(self, country: Country) -> Town:
        rng = self._rng
        region = skewed(country.regions, rng)
        head = fill(country.postcode[: country.fixed], rng)
        tails = [fill(country.postcode[country.fixed :], rng) for _ in range(rng.randint(1, 6))]
        return Town(
            names=self._town_names(country),
            region=region,
            country=country,
            postcodes=tuple(head + tail for tail in tails),
            area=str(rng.randint(2, 9)) + fill(country.phone.split()[1][1:], rng),
            streets=tuple(self._street(country) for _ in range(rng.choice((5, 20, 60)))),
            latitude=rng.uniform(*country.latitude),
            longitude=rng.uniform(*country.longitude),
        )

    def _town_names(self, country: Country) -> tuple[str, ...]:
        rng = self._rng
        if self._place_names and rng.random() < 0.08:
            name = rng.choice(self._place_names)
            return (name, *self._places[name])

        def made() -> str:
            return rng.choice(country.town_heads) + rng.choice(country.town_tails)

        pattern = rng.choice(country.town_patterns)
        while "{made}" in pattern:
            pattern = pattern.replace("{made}", made(), 1)
        name = pattern.format(
            word=rng.choice(country.town_words),
            family=self._pool.family().split()[-1],
            given=self._pool.given(),
        )
        return (name,)

    def _street(self, country: Country) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        rng = self._rng
        types = skewed(country.street_types, rng)
        name = skewed(country.street_names, rng)
        if rng.random() < 0.2:
            name = self._pool.family()
        # Numbered streets come in many more numbers than the list has.
        if name[0].isdigit() and name[1:3] == "th":
            name = f"{rng.randint(4, 20)}th"
        has_direction = rng.random() < country.directions
        return name, types, rng.choice(DIRECTIONS) if has_direction else ()

    def town(self) -> Town:
        """Draw a town, large ones more often."""
        return skewed(self.towns, self._rng)

    def address(self, town: Town | None = None) -> tuple[Address, Town]:
        """Draw an address in a town, by default in any."""
        rng = self._rng
        town = town or self.town()
        country = town.country
        name, types, direction = skewed(town.streets, rng)
        number = str(int(rng.choice((20, 100, 400, 4000)) * rng.random() ** 2) + 1)
        if rng.random() < 0.04:
            number += rng.choice("ABC")
        address = Address(
            number=number,
            street=name,
            types=types,
            direction=direction,
            unit=str(rng.randint(1, 60)) if rng.random() < country.units else "",
            town=town.names,
            region=town.region,
            postcode=skewed(town.postcodes, rng),
            country=country.names,
            street_pattern=country.street_pattern,
            town_pattern=country.town_pattern,
        )
        return address, town

    def near(self, address: Address) -> Address:
        """Return another house in the same street, or another flat in the house."""
        rng = self._rng
        if address.unit and rng.random() < 0.5:
            return address._replace(unit=str(int(address.unit) + rng.randint(1, 9)))
        digits = "".join(letter for letter in address.number if letter.isdigit())
        return address._replace(number=str(int(digits) + rng.choice((1, 2, 2, 4, 10))))

    def phone(self, town: Town) -> Phone:
        """Draw a phone number of a town, or a mobile one."""
        rng = self._rng
        country, first, *rest = town.country.phone.split()
        area = town.area if rng.random() < 0.7 else "7" + fill(first[1:], rng)
        return Phone(country, (area, *(fill(group, rng) for group in rest)))

    def site(self, name: str, town: Town) -> str:
        """Return a web site's name with an ending of the country of a town."""
        return f"{name}.{self._rng.choice(town.country.domains)}"
