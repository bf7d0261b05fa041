"""People: relatives, namesakes and twins; people who marry or move."""

from __future__ import annotations

from random import Random

from pearljoin_train.records.domains.domain import Move, Thing, column
from pearljoin_train.records.domains.located import Located
from pearljoin_train.records.lists import OpenLists, words
from pearljoin_train.records.values.codes import CodeStyle, fill
from pearljoin_train.records.values.contacts import EmailStyle, as_user
from pearljoin_train.records.values.dates import DateStyle, draw_date
from pearljoin_train.records.values.names import CategoryStyle, NameStyle
from pearljoin_train.records.values.people import FamilyStyle, GivenStyle, Person, PersonStyle

__all__ = ["People"]

ID_PATTERNS = ("###-##-####", "########", "@@######", "@#######", "######-####")
SEXES = ("male", "M", "m"), ("female", "F", "f")
MARRIED_RATES = (0.0, 0.02, 0.1)


class People(Located):
    """Customers, patients, voters, members."""

    name = "people"

    def __init__(self, lists: OpenLists, rng: Random) -> None:
        super().__init__(lists, rng)
        self._married_rate = rng.choice(MARRIED_RATES)
        self._id_pattern = rng.choice(ID_PATTERNS)
        listed = [(job, *aliases) for job, aliases in lists.jobs.items() if len(job) < 40]
        self._jobs = [(job,) for job in words("people", "jobs")] + rng.sample(
            listed, min(len(listed), rng.choice((0, 50)))
        )
        self._born = rng.choice(((1920, 2005), (1930, 1990), (1990, 2018)))
        if rng.random() < 0.7:
            names = {
                "given": column("given_name first_name forename fname", "given_name", GivenStyle),
                "family": column("surname last_name family_name lname", "family_name", FamilyStyle),
            }
            self.core = ("given", "family")
            self.moves = (
                *Located.moves,
                Move("given", "family", ""),
                Move("given", "family", ""),
                Move("given", "family", "{source} {target}"),
                Move("family", "given", "{target} {source}"),
            )
        else:
            names = {"person": column("name full_name person customer", "person", PersonStyle)}
            self.core = ("person",)
        self.columns = {
            **names,
            "born": column("date_of_birth dob birth_date born", "date", DateStyle),
            **self._address_columns(),
            "email": column("email e_mail mail", "email", EmailStyle),
            "job": column("occupation job profession", "name", NameStyle),
            "sex": column("sex gender", "category", CategoryStyle),
            "id": column("ssn member_no person_id passport", "code", CodeStyle),
        }

    def _new(self) -> Thing:
        person = self._pool.person()
        return self._complete(person, self._located())

    def _complete(self, person: Person, located: Thing) -> Thing:
        """Give a person at an address all other values."""
        rng = self._rng
        return {
            **located,
            **_named(person),
            "born": draw_date(*self._born, rng),
            "email": self._email(person),
            "job": rng.choice(self._jobs),
            "sex": SEXES[(person.given in words("people", "women")) != (rng.random() < 0.03)],
            "id": fill(self._id_pattern, rng),
        }

    def _email(self, person: Person) -> str:
        rng = self._rng
        given, family = as_user(person.given), as_user(person.family)
        number = str(rng.randint(1, 99))
        user = rng.choice(
            (
                f"{given}.{family}",
                f"{given}.{family}",
                f"{given[:1]}{family}",
                f"{given}{number}",
                f"{family}{number}",
                f"{given}_{family}",
                f"{given[:1]}.{family}{number}",
            )
        )
        return f"{user or 'info'}@{rng.choice(words('people', 'mail'))}"

    def _near(self, thing: Thing) -> Thing:
        """Return a relative in the same house, a namesake, or a parent of the same name."""
        rng = self._rng
        person: Person = thing["person"]
        located = self._same_place(thing)
        way = rng.random()
        if way < 0.6:
            relative = self._pool.person(person.family)
            if rng.random() < 0.15:
                relative = relative._replace(given=person.given[0] + relative.given[1:])
            if rng.random() < 0.4:
                located["phone"] = self._atlas.phone(thing["town"])
            found = self._complete(relative, located)
            if rng.random() < 0.08:
                # Twins.
                found["born"] = thing["born"]
            return found
        if way < 0.75:
            elder, younger = person._replace(suffix="Sr."), person._replace(suffix="Jr.")
            thing.update(_named(younger))
            return self._complete(elder, located)
        namesake = person._replace(middle=self._pool.person().middle)
        is_near = rng.random() < 0.3
        return self._complete(namesake, self._located(thing["town"] if is_near else None))

    def observe(self, thing: Thing, rng: Random) -> Thing:
        """Return a person as one source saw them: before or after a wedding, or a move."""
        seen = super().observe(thing, rng)
        if rng.random() >= self._married_rate:
            return seen
        if "married" not in thing:
            person: Person = thing["person"]
            family = self._pool.family()
            if self._rng.random() < 0.2:
                family = f"{person.family}-{family}"
            married = person._replace(family=family)
            thing["married"] = _named(married)
            if self._rng.random() < 0.5:
                thing["married"]["email"] = self._email(married)
            if self._rng.random() < 0.5:
                thing["married"].update(self._located())
        return {**seen, **thing["married"]}


def _named(person: Person) -> Thing:
    return {"person": person, "given": person, "family": person}
