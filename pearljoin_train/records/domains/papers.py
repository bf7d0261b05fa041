"""Papers: versions of one work, sequels, and columns such as "Editorial" that many issues have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from pearljoin_train.records.domains.companies import coin
from pearljoin_train.records.domains.domain import Domain, Move, Thing, column
from pearljoin_train.records.domains.name_pool import NamePool
from pearljoin_train.records.lists import OpenLists, forms, words
from pearljoin_train.records.values.authors import AuthorsStyle
from pearljoin_train.records.values.codes import CodeStyle, PagesStyle, fill
from pearljoin_train.records.values.dates import YearStyle
from pearljoin_train.records.values.names import CategoryStyle, NameStyle
from pearljoin_train.records.values.numbers import QuantityStyle
from pearljoin_train.records.values.style import skewed

__all__ = ["Papers"]

MARKS = re.compile(r"\{[A-Za-z]+\}")

VERSIONS_ARE_ONE = 0.35
"""Share of tables in which a preprint and the article of the same title are the same thing."""

PREPRINTS = (
    ("arXiv", "CoRR", "CoRR abs", "arXiv preprint"),
    ("Technical Report", "Tech. Rep.", "TR"),
)


class Papers(Domain):
    """Bibliographies with titles, authors, venues and years."""

    name = "papers"
    core = ("title",)
    moves = (
        Move("year", "venue", "{target} {source}"),
        Move("year", "venue", "{target}, {source}"),
        Move("authors", "title", "{source}: {target}"),
        Move("pages", "venue", "{target}, pp. {source}"),
    )

    def __init__(self, lists: OpenLists, rng: Random) -> None:
        super().__init__(lists, rng)
        self._pool = NamePool(lists, rng)
        self._versions_are_one = rng.random() < VERSIONS_ARE_ONE
        self._topics = self._draw_topics()
        self._groups = [
            [self._pool.person() for _ in range(rng.randint(1, 9))]
            for _ in range(rng.choice((10, 60, 300)))
        ]
        self._venues = self._draw_venues()
        self.columns = {
            "title": column("title paper_title name", "name", _title_style),
            "authors": column("authors author creators", "authors", AuthorsStyle),
            "venue": column("venue journal booktitle source", "name", CategoryStyle),
            "year": column("year pub_year date", "date", YearStyle),
            "pages": column("pages page_range", "code", PagesStyle),
            "volume": column("volume vol", "quantity", QuantityStyle),
            "doi": column("doi id key", "code", CodeStyle),
        }

    def _draw_topics(self) -> list[str]:
        """Draw the topics of this table's field; few, so that titles share words."""
        rng, lists = self._rng, self._lists
        field: Sequence[str] = rng.choice(
            (
                (*words("papers", "computing"), *lists.computing),
                (*words("papers", "computing"), *lists.computing),
                lists.biomedicine,
                words("papers", "science"),
                (*words("papers", "science"), *rng.sample(list(lists.concepts), 60)),
            )
        )
        return rng.sample(list(field), min(len(field), rng.choice((15, 60, 200))))

    def _draw_venues(self) -> list[tuple[str, ...]]:
        """Draw journals of the lists, with abbreviations, and conferences."""
        rng, journals = self._rng, self._lists.journals
        names = [name for name in journals if len(name) < 70]
        chosen = rng.sample(names, min(len(names), rng.choice((3, 20, 100))))
        conferences = [
            tuple(form.format(topic=topic, short=short) for form in pattern)
            for topic, short in forms("papers", "conference_topics")
            for pattern in forms("papers", "conference_patterns")
        ]
        found = [(name, *journals[name]) for name in chosen]
        found += rng.sample(conferences, rng.choice((2, 6, 20)))
        rng.shuffle(found)
        return found

    def _title(self) -> str:
        rng = self._rng
        text: str = rng.choice(words("papers", "patterns"))
        for mark in MARKS.findall(text):
            text = text.replace(mark, self._filler(mark), 1)
        return text

    def _filler(self, mark: str) -> str:
        """Return what stands for a mark of a pattern, capital where the mark is."""
        rng = self._rng
        if mark == "{Coined}":
            return coin(rng)
        listed = {"topic": self._topics, "adj": words("papers", "adjectives")}
        name = mark[1:-1].lower()
        filler = rng.choice(listed.get(name) or words("papers", f"{name}s"))
        return _capital(filler) if mark[1].isupper() else filler

    def _new(self) -> Thing:
        rng = self._rng
        if rng.random() < 0.03:
            title = rng.choice(forms("papers", "common_titles")[0])
        else:
            title = self._title()
        group = skewed(self._groups, rng)
        authors = tuple(rng.sample(group, min(len(group), 1 + int(6 * rng.random() ** 2))))
        return self._published({"title": (title,), "authors": authors}, rng)

    def _published(self, work: Thing, rng: Random) -> Thing:
        """Publish a work somewhere."""
        first = rng.randint(1, 900)
        year = 2022 - int(45 * rng.random() ** 1.5)
        return {
            **work,
            "title": _title_forms(work["title"][0]),
            "venue": skewed(self._venues, rng),
            "year": year,
            "pages": (first, first + rng.randint(1, 30)),
            "volume": float(max(1, year - 1970)),
            "doi": f"10.{rng.randint(1000, 9999)}/{fill('@@@', rng).lower()}.{fill('######', rng)}",
        }

    def _version(self, thing: Thing, rng: Random) -> Thing:
        """Return another version: a preprint, or the article of a conference paper."""
        work = {key: thing[key] for key in ("title", "authors")}
        version = self._published(work, rng)
        version["year"] = thing["year"] + rng.choice((-2, -1, 0, 1, 1, 2))
        if rng.random() < 0.4:
            version["venue"] = rng.choice(PREPRINTS)
        return version

    def _near(self, thing: Thing) -> Thing:
        """Return another version, a sequel, or another paper of a like title."""
        rng = self._rng
        title: str = thing["title"][0]
        way = rng.random()
        if way < 0.35 and not self._versions_are_one:
            return self._version(thing, rng)
        if way < 0.6:
            tail = rng.choice(
                (" II", ", Part 2", " Revisited", ": Extended Abstract", " (Demo)", " III")
            )
            return self._published({**thing, "title": (title + tail,)}, rng)
        if way < 0.8:
            topic = next((topic for topic in self._topics if topic in title), "")
            other = title.replace(topic, rng.choice(self._topics), 1) if topic else self._title()
            return self._published({**thing, "title": (other,)}, rng)
        return self._published({**self._new(), "title": thing["title"]}, rng)

    def observe(self, thing: Thing, rng: Random) -> Thing:
        """Return a paper as one source saw it: one of its versions, or a year off by one."""
        seen = thing
        if self._versions_are_one and rng.random() < 0.35:
            if "version" not in thing:
                thing["version"] = self._version(thing, self._rng)
            seen = {**thing, **thing["version"]}
        if rng.random() < 0.04:
            seen = {**seen, "year": seen["year"] + rng.choice((-1, 1))}
        return seen


def _title_style(rng: Random) -> NameStyle:
    return NameStyle(rng, widths=(50, 100))


def _title_forms(title: str) -> tuple[str, ...]:
    """Return a title and how else it is written: with a dot, without what follows a colon."""
    head, _, tail = title.partition(": ")
    others = [f"{title}.", title.lower(), title.replace(": ", " - ").replace("-", " ")]
    return (title, *others, *((f"{head}. {_capital(tail)}", head) if tail else ()))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
