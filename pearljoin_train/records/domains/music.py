"""Songs or albums: covers, live versions and remixes; lengths that differ by seconds."""

from __future__ import annotations

from random import Random

from pearljoin_train.records.domains.companies import coin
from pearljoin_train.records.domains.domain import Domain, Move, Thing, column
from pearljoin_train.records.domains.name_pool import NamePool
from pearljoin_train.records.lists import OpenLists, forms, words
from pearljoin_train.records.values.codes import CodeStyle, fill
from pearljoin_train.records.values.dates import YearStyle
from pearljoin_train.records.values.descriptions import DescriptionStyle
from pearljoin_train.records.values.names import CategoryStyle, NameStyle
from pearljoin_train.records.values.numbers import LengthStyle
from pearljoin_train.records.values.style import skewed

__all__ = ["Music"]

VARIOUS = ("Various", "Various Artists", "VA", "V.A.")


class Music(Domain):
    """A collection of songs, or of albums with their tracks."""

    name = "music"
    core = ("title", "artist")
    moves = (
        Move("artist", "title", "{source} - {target}"),
        Move("artist", "title", "{source} / {target}"),
        Move("artist", "title", ""),
        Move("album", "title", "{target} ({source})"),
        Move("year", "title", "{target} ({source})"),
    )

    def __init__(self, lists: OpenLists, rng: Random) -> None:
        super().__init__(lists, rng)
        self._pool = NamePool(lists, rng)
        self._is_albums = rng.random() < 0.4
        self._titles = [*lists.songs, *lists.songs, *lists.clauses]
        self._artists = [self._artist() for _ in range(rng.choice((5, 40, 400)))]
        title = "album title disc" if self._is_albums else "title song track name"
        self.columns = {
            "title": column(title, "name", NameStyle),
            "artist": column("artist performer band", "name", NameStyle),
            "year": column("year released", "date", YearStyle),
            "genre": column("genre style", "category", CategoryStyle),
            "id": column("catalogue_no isrc barcode", "code", CodeStyle),
        }
        if self._is_albums:
            self.columns["tracks"] = column("tracks tracklist", "description", DescriptionStyle)
        else:
            self.columns["album"] = column("album release", "name", NameStyle)
            self.columns["length"] = column("length duration time", "duration", LengthStyle)

    def _artist(self) -> tuple[str, ...]:
        """Return an artist's name and how else it is written."""
        rng = self._rng
        if rng.random() < 0.3:
            name = rng.choice(self._lists.artists)
        elif rng.random() < 0.5:
            person = self._pool.person()
            name = f"{person.given} {person.family}"
        else:
            name = rng.choice(words("music", "bands")).format(
                Noun=rng.choice(words("music", "nouns")),
                Adj=rng.choice(words("music", "adjectives")),
                family=self._pool.family(),
                given=self._pool.given(),
                Coined=coin(rng),
            )
        first, _, rest = name.partition(" ")
        if first == "The":
            return name, f"{rest}, The", rest
        last = name.split()[-1]
        has_comma = rest and "&" not in name and rng.random() < 0.5
        inverted = (f"{last}, {name.removesuffix(last).strip()}",) if has_comma else ()
        return (name, *inverted)

    def _title(self) -> str:
        rng = self._rng
        if rng.random() < 0.5:
            return rng.choice(self._titles)
        nouns, adjectives = words("music", "title_nouns"), words("music", "title_adjectives")
        return rng.choice(words("music", "titles")).format(
            noun=rng.choice(nouns), other=rng.choice(nouns), adj=rng.choice(adjectives)
        )

    def _new(self) -> Thing:
        return self._complete((self._title(),), skewed(self._artists, self._rng))

    def _complete(self, title: tuple[str, ...], artist: tuple[str, ...]) -> Thing:
        """Give a song or an album of an artist all other values."""
        rng = self._rng
        if self._is_albums and rng.random() < 0.1:
            title = (rng.choice(forms("music", "compilations")[0]),)
        if self._is_albums and rng.random() < 0.05:
            artist = VARIOUS
        return {
            "title": title,
            "artist": artist,
            "year": 2022 - int(60 * rng.random() ** 1.3),
            "genre": (rng.choice(forms("music", "genres")[0]),),
            "id": fill("@@-###-######", rng),
            "tracks": [(self._title(),) for _ in range(rng.randint(3, 14))],
            "album": (self._title(),),
            "length": int(rng.gauss(220, 60)) % 900 + 30,
        }

    def _near(self, thing: Thing) -> Thing:
        """Return another version, a cover, or another work of the same artist."""
        rng = self._rng
        way = rng.random()
        if way < 0.4:
            version = rng.choice(forms("music", "versions")[0])
            if self._is_albums:
                version = rng.choice(("Disc 2", "Deluxe Edition", "Vol. 2", "CD 1", version))
            title = thing["title"][0].split(" (")[0]
            titles = (f"{title} ({version})", f"{title} - {version}", f"{title} [{version}]")
            found = self._complete(titles, thing["artist"])
            keeps = ("year", "genre", "album") if rng.random() < 0.5 else ("genre",)
            return {**found, **{key: thing[key] for key in keeps}}
        if way < 0.6:
            return self._complete(thing["title"], rng.choice(self._artists))
        found = self._complete((self._title(),), thing["artist"])
        return {**found, **{key: thing[key] for key in ("album", "year", "genre")}}

    def observe(self, thing: Thing, rng: Random) -> Thing:
        """Return a recording as one source has it: another release, a few seconds more."""
        seen = dict(thing)
        seen["length"] = max(20, seen["length"] + int(rng.gauss(0.0, 1.5)))
        if rng.random() < 0.2:
            seen["genre"] = (rng.choice(forms("music", "genres")[0]),)
        if rng.random() < 0.12:
            seen["year"] += rng.choice((-1, 1, 1, 2, 5, 20))
        guest = name = ""
        if rng.random() < 0.1:
            guest, name = rng.choice(self._artists)[0], seen["artist"][0]
        if guest not in ("", name):
            seen["artist"] = (f"{name} feat. {guest}", f"{name} ft. {guest}", f"{name} & {guest}")
        return seen
