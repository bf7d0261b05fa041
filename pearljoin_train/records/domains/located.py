"""What people, companies and organisations share: an address and ways to reach them."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from pearljoin_train.records.domains.atlas import Atlas, Town
from pearljoin_train.records.domains.domain import Column, Domain, Move, Thing, column
from pearljoin_train.records.domains.name_pool import NamePool
from pearljoin_train.records.lists import OpenLists
from pearljoin_train.records.values.addresses import (
    Address,
    AddressStyle,
    PostcodeStyle,
    StreetStyle,
)
from pearljoin_train.records.values.contacts import PhoneStyle
from pearljoin_train.records.values.names import CategoryStyle, NameStyle

__all__ = ["Located"]


class Located(Domain):
    """A domain whose things have addresses.

    A table shows the address in parts, or whole in one column. Town, region and postcode depend on
    each other. A share of things has moved between what two sources saw.
    """

    MOVED_RATES: ClassVar[tuple[float, ...]] = (0.0, 0.02, 0.1, 0.25)

    moves: tuple[Move, ...] = (
        Move("postcode", "city", "{source} {target}"),
        Move("postcode", "city", "{target} {source}"),
        Move("city", "street", "{target}, {source}"),
        Move("city", "region", ""),
    )

    def __init__(self, lists: OpenLists, rng: Random) -> None:
        super().__init__(lists, rng)
        self._pool = NamePool(lists, rng)
        self._atlas = Atlas(lists, self._pool, rng)
        self._moved_rate = rng.choice(self.MOVED_RATES)

    def _address_columns(self) -> dict[str, Column]:
        """Return the columns of this table's addresses, whole or in parts."""
        phone = {"phone": column("phone telephone phone_number tel", "phone", PhoneStyle)}
        if self._rng.random() < 0.15:
            return {"address": column("address full_address", "address", AddressStyle), **phone}
        return {
            "street": column(
                "street address address_1 street_address addr", "address", StreetStyle
            ),
            "city": column("city town suburb locality", "name", NameStyle),
            "region": column("state region county province", "category", CategoryStyle),
            "postcode": column("postcode zip zip_code postal_code", "postcode", PostcodeStyle),
            "country": column("country country_name nation", "category", CategoryStyle),
            **phone,
        }

    def _located(self, town: Town | None = None) -> Thing:
        """Return the values of an address in a town, by default in any."""
        address, town = self._atlas.address(town)
        return {**_values(address), "phone": self._atlas.phone(town), "town": town}

    def _same_place(self, thing: Thing) -> Thing:
        """Return the values of a thing's own address and phone."""
        return {**_values(thing["address"]), "phone": thing["phone"], "town": thing["town"]}

    def _next_door(self, thing: Thing) -> Thing:
        """Return the values of an address near that of a thing, with another phone."""
        address: Address = thing["address"]
        return {
            **_values(self._atlas.near(address)),
            "phone": self._atlas.phone(thing["town"]),
            "town": thing["town"],
        }

    def observe(self, thing: Thing, rng: Random) -> Thing:
        """Return a thing as one source saw it, perhaps at its other address."""
        if rng.random() >= self._moved_rate:
            return thing
        if "moved" not in thing:
            is_far = self._rng.random() < 0.5
            thing["moved"] = self._located(None if is_far else thing["town"])
            if self._rng.random() < 0.5:
                # Mobile numbers move along.
                thing["moved"]["phone"] = thing["phone"]
        return {**thing, **thing["moved"]}


def _values(address: Address) -> Thing:
    return {
        "address": address,
        "street": address,
        "city": address.town,
        "region": address.region,
        "postcode": address.postcode,
        "country": address.country,
    }
