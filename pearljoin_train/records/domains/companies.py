"""Companies: listed and made names with their legal forms, branches and sister companies."""

from __future__ import annotations

import re
from random import Random

from pearljoin_train.records.domains.domain import Move, Thing, column
from pearljoin_train.records.domains.located import Located
from pearljoin_train.records.lists import OpenLists, forms, words
from pearljoin_train.records.values.codes import CodeStyle, fill
from pearljoin_train.records.values.contacts import EmailStyle, WebStyle, as_user
from pearljoin_train.records.values.dates import YearStyle
from pearljoin_train.records.values.names import CategoryStyle, NameStyle
from pearljoin_train.records.values.numbers import QuantityStyle

__all__ = ["Companies", "coin"]

SYLLABLES = (
    "ac", "al", "an", "ar", "bel", "bio", "cor", "cy", "da", "del", "do", "el", "en", "ex", "fa",
    "fi", "gen", "ha", "in", "ka", "ko", "lab", "li", "lo", "lu", "ma", "mi", "mo", "na", "ne",
    "nex", "no", "ol", "om", "or", "pa", "per", "pro", "ra", "ri", "ro", "sa", "sol", "sy", "ta",
    "tec", "ti", "to", "tra", "ul", "va", "ver", "vi", "vo", "xa", "ze", "zo",
)  # fmt: skip
ID_PATTERNS = ("##-#######", "@@#########", "########", "@####-#")
LEGAL_END = re.compile(
    r"[,.]?\s+(?:Inc|Incorporated|Corp|Corporation|Ltd|Limited|LLC|Co|Company|GmbH|AG|S\.?A|B\.?V|"
    r"PLC|S\.p\.A|Pty|Group|Holdings?|AB|NV|SE|KK|Oyj|ASA)\.?,?$",
    re.IGNORECASE,
)


def coin(rng: Random) -> str:
    """Make up a word.

    Examples
    --------
    >>> coin(Random(1))
    'Perxa'
    """
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(2, 3))).title()


class Companies(Located):
    """Firms with an address, a web site and a branch of industry."""

    name = "companies"
    core = ("name",)

    def __init__(self, lists: OpenLists, rng: Random) -> None:
        super().__init__(lists, rng)
        self._listed = list(lists.companies)
        self._listed_rate = rng.choice((0.2, 0.6, 0.95))
        self._id_pattern = rng.choice(ID_PATTERNS)
        self._renamed_rate = rng.choice((0.0, 0.0, 0.05))
        self.moves = (*Located.moves, Move("city", "name", "{target} {source}"))
        self.columns = {
            "name": column("company name company_name business supplier", "name", NameStyle),
            **self._address_columns(),
            "industry": column("industry sector branch", "category", CategoryStyle),
            "web": column("web website url homepage", "web", WebStyle),
            "email": column("email contact_email", "email", EmailStyle),
            "founded": column("founded year_founded since", "date", YearStyle),
            "employees": column("employees staff size", "quantity", QuantityStyle),
            "id": column("tax_id registration_no vat company_no", "code", CodeStyle),
        }

    def _new(self) -> Thing:
        return self._complete(self._company_names(), self._located())

    def _complete(self, names: tuple[str, ...], located: Thing) -> Thing:
        """Give a company of some names at an address all other values."""
        rng = self._rng
        site_name = as_user(LEGAL_END.sub("", names[0]))[:24] or coin(rng).lower()
        site = self._atlas.site(site_name, located["town"])
        user = rng.choice(("info", "contact", "sales", "office"))
        return {
            **located,
            "name": names,
            "industry": rng.choice(forms("companies", "industries")),
            "web": site,
            "email": f"{user}@{site}",
            "founded": 2023 - int(120 * rng.random() ** 2),
            "employees": float(int(10 ** rng.uniform(0, 4.5))),
            "id": fill(self._id_pattern, rng),
        }

    def _company_names(self) -> tuple[str, ...]:
        """Return a company's name and its aliases: listed, or made with a legal form."""
        rng = self._rng
        if self._listed and rng.random() < self._listed_rate:
            name = rng.choice(self._listed)
            # Some lists write aliases without capitals, which tables do not.
            aliases = [
                alias.title() if alias.islower() else alias for alias in self._lists.companies[name]
            ]
            return tuple(dict.fromkeys((name, *aliases)))
        return self._with_forms(self._made_name())

    def _made_name(self) -> str:
        rng = self._rng
        family, trade = self._pool.family(), rng.choice(words("companies", "trades"))
        adjective = rng.choice(words("companies", "adjectives"))
        return rng.choice(
            (
                f"{family} & Sons {trade}",
                f"{family} {trade}",
                f"{family} & {self._pool.family()}",
                f"{family} Brothers",
                f"{self._atlas.town().names[0]} {trade}",
                f"{adjective} {trade}",
                f"{adjective} {coin(rng)} {trade}",
                f"{coin(rng)} {trade}",
                f"{coin(rng)}",
                f"{fill('@@@', rng)} {trade}",
                f"{self._pool.given()}'s {trade}",
            )
        )

    def _with_forms(self, core: str) -> tuple[str, ...]:
        """Return a name with a legal form, and other ways to write it."""
        rng = self._rng
        legal = rng.choice(forms("companies", "legal_forms"))
        found = [f"{core} {legal[0]}", core, *(f"{core} {form}" for form in legal[1:])]
        found.append(f"{core}, {legal[0]}")
        if " & " in core:
            found.append(core.replace(" & ", " and ") + f" {legal[0]}")
        initials = "".join(word[0] for word in core.split() if word[0].isalpha())
        if len(initials) > 2:
            found.append(initials)
        if rng.random() < 0.1:
            found.append(f"The {core}")
        return tuple(dict.fromkeys(found))

    def _near(self, thing: Thing) -> Thing:
        """Return a branch in another town, a sister company, or a neighbour of a like name."""
        rng = self._rng
        names: tuple[str, ...] = thing["name"]
        way = rng.random()
        if way < 0.45:
            branch = self._complete(names, self._located())
            keeps = {key: thing[key] for key in ("industry", "web")}
            return {**branch, **keeps}
        core = LEGAL_END.sub("", names[0])
        if way < 0.8:
            mark = rng.choice((*words("companies", "branches"), self._atlas.town().names[0]))
            names = self._with_forms(f"{core} {mark}")
            return self._complete(names, self._next_door(thing))
        first = core.split()[0]
        trade = rng.choice(words("companies", "trades"))
        return self._complete(self._with_forms(f"{first} {trade}"), self._located(thing["town"]))

    def observe(self, thing: Thing, rng: Random) -> Thing:
        """Return a company as one source saw it: before or after it moved or was renamed."""
        seen = dict(super().observe(thing, rng))
        if rng.random() < self._renamed_rate:
            if "renamed" not in thing:
                thing["renamed"] = self._company_names()
            seen["name"] = thing["renamed"]
        # Sources count staff in other years.
        seen["employees"] = float(round(seen["employees"] * rng.lognormvariate(0.0, 0.1)))
        if rng.random() < 0.15:
            seen["industry"] = rng.choice(forms("companies", "industries"))
        return seen
