"""Hospitals, schools, universities, libraries: made and listed names, and many namesakes."""

from __future__ import annotations

from random import Random

from pearljoin_train.records.domains.domain import Move, Thing, column
from pearljoin_train.records.domains.located import Located
from pearljoin_train.records.lists import OpenLists, forms, words
from pearljoin_train.records.values.codes import CodeStyle, fill
from pearljoin_train.records.values.contacts import WebStyle, as_user
from pearljoin_train.records.values.names import CategoryStyle, NameStyle
from pearljoin_train.records.values.numbers import QuantityStyle
from pearljoin_train.records.values.people import PersonStyle

__all__ = ["Organisations"]

WITH_DEPARTMENTS = frozenset(
    {"research", "University", "College", "Hospital", "General Hospital", "Medical Center"}
)
"""Types whose departments are listed beside them."""


class Organisations(Located):
    """Organisations of one sort, or research institutions of the open lists."""

    name = "organisations"
    core = ("name",)

    def __init__(self, lists: OpenLists, rng: Random) -> None:
        super().__init__(lists, rng)
        self._listed = list(lists.organisations)
        self._sort = rng.choice(("hospitals", "schools", "civic", "research"))
        self._types = () if self._sort == "research" else forms("organisations", self._sort)
        self.moves = (*Located.moves, Move("city", "name", "{target}, {source}"))
        self.columns = {
            "name": column("name organisation institution facility site_name", "name", NameStyle),
            **self._address_columns(),
            "type": column("type category facility_type", "category", CategoryStyle),
            "head": column("contact principal director manager", "person", PersonStyle),
            "capacity": column("capacity beds seats enrolment", "quantity", QuantityStyle),
            "web": column("website web url", "web", WebStyle),
            "id": column("provider_id licence_no code site_id", "code", CodeStyle),
        }

    def _new(self) -> Thing:
        rng = self._rng
        located = self._located()
        if self._sort == "research":
            name = rng.choice(self._listed)
            names = (name, *self._lists.organisations[name])
            return self._complete(names, ("research", "RES"), located)
        kind = rng.choice(self._types)
        return self._complete(self._made_names(kind, located), kind, located)

    def _complete(self, names: tuple[str, ...], kind: tuple[str, ...], located: Thing) -> Thing:
        """Give an organisation of some names at an address all other values."""
        rng = self._rng
        return {
            **located,
            "name": names,
            "type": kind,
            "head": self._pool.person(),
            "capacity": float(int(10 ** rng.uniform(1, 3.5))),
            "web": self._atlas.site(as_user(names[0])[:20] or "site", located["town"]),
            "id": fill(rng.choice(("######", "@@####")), rng),
        }

    def _made_names(self, kind: tuple[str, ...], located: Thing) -> tuple[str, ...]:
        """Return a name of a type of organisation, and other ways to write it."""
        rng = self._rng
        town = located["city"][0]
        saint = rng.choice(words("organisations", "saints"))
        person = self._pool.person()
        heads = rng.choice(
            (
                (f"St. {saint}'s", f"Saint {saint}'s", f"St {saint}s", f"Saint {saint}"),
                (rng.choice(words("organisations", "heads")),),
                (rng.choice(words("organisations", "heads")),),
                (town,),
                (person.family,),
                (f"{person.given} {person.family}", f"{person.given[0]}. {person.family}"),
            )
        )
        found = [f"{head} {form}" for form in kind for head in heads]
        if rng.random() < 0.3:
            found.append(f"{found[0]} of {town}")
        if kind[0] == "University":
            found += [f"University of {heads[0]}", f"Univ. of {heads[0]}"]
        return tuple(found)

    def _near(self, thing: Thing) -> Thing:
        """Return a namesake elsewhere, a department or branch, or another type next door."""
        rng = self._rng
        names, kind = thing["name"], thing["type"]
        way = rng.random()
        if way < 0.4:
            return self._complete(names, kind, self._located())
        if way < 0.6:
            mark = rng.choice(forms("organisations", "branches")[0])
            branch = (f"{names[0]} {mark}", f"{names[0]} - {mark}", f"{names[0]} ({mark})")
            return self._complete(branch, kind, self._next_door(thing))
        if kind[0] in WITH_DEPARTMENTS and (way < 0.8 or not self._types):
            subject = rng.choice(words("organisations", "subjects"))
            written = [
                form.format(subject=subject)
                for form in rng.choice(forms("organisations", "departments"))
            ]
            department = (
                *(f"{names[0]}, {text}" for text in written),
                *(f"{text}, {names[0]}" for text in written),
            )
            return self._complete(
                department, kind, {**thing, "phone": self._atlas.phone(thing["town"])}
            )
        other = rng.choice(self._types)
        return self._complete(self._made_names(other, thing), other, self._next_door(thing))

    def observe(self, thing: Thing, rng: Random) -> Thing:
        """Return an organisation as one source saw it: other head, another count."""
        seen = dict(super().observe(thing, rng))
        if rng.random() < 0.2:
            seen["head"] = self._pool.person()
        seen["capacity"] = float(round(seen["capacity"] * rng.lognormvariate(0.0, 0.05)))
        return seen
