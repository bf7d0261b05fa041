"""How names are written in training joins: slips, dirt, editions, and near doubles."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence, Set
from functools import cached_property

import numpy as np

from pearljoin.scoring import LIGHT_WORDS

__all__ = ["Corruption", "Editions", "NearDuplicates", "Qualifiers", "corrupt_name"]


def corrupt_name(name: str, rng: np.random.Generator) -> str:
    """Write a name carelessly: a typo, a word left out or moved, other case or punctuation."""
    words = name.split()
    kind = int(rng.integers(5))
    if kind == 0 and len(words) > 2:
        at = int(rng.integers(len(words)))
        if not any(map(str.isdigit, words[at])):
            del words[at]
        return " ".join(words)
    if kind == 1 and len(words) > 1:
        at = int(rng.integers(len(words) - 1))
        words[at], words[at + 1] = words[at + 1], words[at]
        return " ".join(words)
    if kind == 2:
        return name.upper() if rng.random() < 0.5 else name.lower()
    if kind == 3 and len(words) > 1:
        return f"{words[-1]}, {' '.join(words[:-1])}"
    return _typo(name, rng)


def _typo(name: str, rng: np.random.Generator) -> str:
    """Leave out a letter, or change it about with the next; digits tell things apart and stay."""
    letters = [
        at for at, letter in enumerate(name[:-1]) if not any(map(str.isdigit, name[at : at + 2]))
    ]
    if not letters:
        return name
    at = letters[int(rng.integers(len(letters)))]
    if rng.random() < 0.5:
        return name[:at] + name[at + 1 :] or name
    return name[:at] + name[at + 1 : at + 2] + name[at : at + 1] + name[at + 2 :]


def _shortened(name: str, rng: np.random.Generator) -> str:
    """Cut one long word short, with or without a dot."""
    words = name.split()
    long = [at for at, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not long:
        return name
    at = long[int(rng.integers(len(long)))]
    words[at] = words[at][: int(rng.integers(1, 5))] + str(rng.choice([".", ""]))
    return " ".join(words)


def _joined(name: str, rng: np.random.Generator) -> str:
    """Leave out one space."""
    words = name.split()
    if len(words) < 2:
        return name
    at = int(rng.integers(len(words) - 1))
    return " ".join([*words[:at], words[at] + words[at + 1], *words[at + 2 :]])


def _plain(name: str, rng: np.random.Generator) -> str:
    """Leave out accents."""
    apart = unicodedata.normalize("NFD", name)
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def _bare(word: str) -> str:
    """A word without accents, case and punctuation, in which spellings of one word may differ."""
    apart = unicodedata.normalize("NFD", word.casefold())
    return "".join(filter(str.isalnum, apart))


def _core(name: str) -> list[str]:
    """The words that tell a name from others, in alphabetical order."""
    return sorted(word for word in map(_bare, name.split()) if word not in LIGHT_WORDS)


class Corruption:
    """How one table is dirty: a few kinds of dirt on a share of its rows, a tail on all of them.

    Attributes
    ----------
    tail
        What stands behind every name.
    """

    KINDS: tuple[Callable[[str, np.random.Generator], str], ...] = (
        _typo,
        corrupt_name,
        _shortened,
        _joined,
        _plain,
    )
    TAILS = ("",) * 15 + (" (official)", ", the", " - home", " *", " (new)")

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        n_kinds = int(rng.integers(1, 4))
        chosen = rng.choice(len(self.KINDS), n_kinds, replace=False)
        self._kinds: list[Callable[[str, np.random.Generator], str]] = [
            self.KINDS[at] for at in chosen
        ]
        self._share = float(rng.choice([0.0, 0.0, 0.1, 0.3, 0.6]))
        self.tail = str(rng.choice(self.TAILS))

    def corrupt(self, name: str) -> str:
        """Write a name as this table would, without the tail."""
        if self._rng.random() < self._share:
            return self._kinds[int(self._rng.integers(len(self._kinds)))](name, self._rng)
        return name


class NearDuplicates:
    """Other things that are called nearly the same: one word, or one number, is another.

    Or there is a word more or less, as in the Pacific Cup and the Pacific Nations Cup. The other
    word is any word of the names, or one that looks like it, as Saskatoon looks like Saskatchewan:
    a slip of the pen has to be told from another word.
    """

    LOOKALIKE = 0.3
    """How often the other word is one that looks like it."""

    MORE_OR_LESS = 0.35
    """How often there is a word more or less, in names of several words."""

    def __init__(self, names: Sequence[str], rng: np.random.Generator) -> None:
        self._names = names
        self._rng = rng
        self._share = float(rng.choice([0.2, 0.5, 1.0]))

    def add(self, right: list[str], asked: list[str], known: Set[str]) -> list[str]:
        """Add doubles of some names to the reference, none of them a name that is known.

        Names that are asked for in vain have a third as many: what lies near is no answer. What
        differs from its name in `LIGHT_WORDS` alone, as "3M" does from "3M Company", is no double.
        """
        shares = dict.fromkeys(asked, self._share / 3) | dict.fromkeys(right, self._share)
        chosen = [name for name, share in shares.items() if self._rng.random() < share]
        near_duplicates = [(name, self._double(name)) for name in chosen]
        written = {_bare(name) for name in known}
        others = [
            double
            for name, double in near_duplicates
            if _bare(double) not in written and _core(double) != _core(name)
        ]
        return list(dict.fromkeys([*right, *others]))

    def _double(self, name: str) -> str:
        words = name.split()
        if len(words) > 1 and self._rng.random() < self.MORE_OR_LESS:
            return " ".join(self._more_or_less(words))
        numbers = [at for at, word in enumerate(words) if word.isdecimal() and len(word) < 9]
        if numbers:
            at = numbers[int(self._rng.integers(len(numbers)))]
            words[at] = str(int(words[at]) + int(self._rng.integers(1, 10)))
            return " ".join(words)
        if words and self._rng.random() < self.LOOKALIKE:
            at = int(self._rng.integers(len(words)))
            words[at] = self._lookalike(words[at])
            return " ".join(words)
        other = self._any_words()
        if len(words) < 2:
            return f"{name} {other[0]}"
        words[int(self._rng.integers(len(words)))] = other[int(self._rng.integers(len(other)))]
        return " ".join(words)

    def _more_or_less(self, words: list[str]) -> list[str]:
        """Words without one of them, if it has no digit, or with any other one beside them."""
        at = int(self._rng.integers(len(words)))
        if self._rng.random() < 0.5 and not any(map(str.isdigit, words[at])):
            return words[:at] + words[at + 1 :]
        at, other = int(self._rng.integers(len(words) + 1)), self._any_words()
        return [*words[:at], other[int(self._rng.integers(len(other)))], *words[at:]]

    def _any_words(self) -> list[str]:
        """The words of any name."""
        return self._names[int(self._rng.integers(len(self._names)))].split() or ["II"]

    def _lookalike(self, word: str) -> str:
        """A neighbour of a word among the words of all names, by its beginning or by its end."""
        # Imported here, so that training runs on a machine without it.
        from rapidfuzz.distance import OSA

        backwards = self._rng.random() < 0.5
        listed = self._words[backwards]
        sought = word[::-1] if backwards else word
        at = bisect_left(listed, sought)
        # One letter less or more may be the same word: a plural, a misprint, another spelling.
        near = [
            other
            for other in listed[max(0, at - 2) : at + 3]
            if OSA.distance(_bare(other), _bare(sought), score_cutoff=1) > 1
        ]
        found = near[int(self._rng.integers(len(near)))] if near else sought + "a"
        return found[::-1] if backwards else found

    @cached_property
    def _words(self) -> tuple[list[str], list[str]]:
        """The words of all names in alphabetical order, and again written backwards."""
        words = {word for name in self._names for word in name.split() if word.isalpha()}
        return sorted(words), sorted(word[::-1] for word in words)


def _roman(number: int) -> str:
    tens, ones = divmod(number, 10)
    return "X" * tens + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[ones]


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number // 10 == 1 else ending}"


SMALL_NUMBERS = (str, str, _roman, _ordinal, "{:02d}".format, "no. {}".format)
YEARS = (
    str,
    str,
    lambda year: f"{year}–{(year + 1) % 100:02d}",
    lambda year: f"{year}/{(year + 1) % 100:02d}",
    lambda year: f"{year}-{year + 1}",
)
"""How numbers and years, or spans of two years, are written."""


SAME_NAME = (0.0, 0.3, 0.8)
"""How many rows of a table write the name as the other side does, but for what stands beside it."""


class Editions:
    """Years, numbers or words that tell things of one name apart.

    Each name comes in several editions; the two sides write them in their own styles, and only the
    same edition is right. Many tables write the name itself alike, so that the edition is all that
    differs.
    """

    STYLES = ("{e} {n}", "{n} {e}", "{n} ({e})", "{n}, {e}", "{n}: {e}", "{n} - {e}")
    TAILS = ("", "", " season", " team", " edition", " list", " report")

    def __init__(self, kind: str, names: Sequence[str], rng: np.random.Generator) -> None:
        self._rng = rng
        self._styles = [str(rng.choice(self.STYLES)) for _ in range(2)]
        self._tails = [str(rng.choice(self.TAILS)) for _ in range(2)]
        self._marks = self._numbers() if kind == "editions" else self._words(names)
        # Of one edition each, the only near one is another where the asked one is lost.
        self._most = int(rng.choice([1, 2, 4, 8]))
        self._lost = float(rng.choice([0.0, 0.3, 0.6]))
        self._same = float(rng.choice(SAME_NAME))

    def _numbers(self) -> list[tuple[str, str]]:
        """Twenty numbers or years in a row, as each side writes them."""
        start = int(self._rng.choice([1, 1, 1900, 1990, 2005]))
        ways = SMALL_NUMBERS if start == 1 else YEARS
        own, other = (ways[int(self._rng.integers(len(ways)))] for _ in range(2))
        return [(own(start + at), other(start + at)) for at in range(20)]

    def _words(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Last words of some names, which both sides write alike."""
        lasts = [
            names[at].split()[-1].strip("()[],.;") for at in self._rng.integers(0, len(names), 30)
        ]
        words = list(dict.fromkeys(word for word in lasts if word)) or ["new"]
        return list(zip(words, words, strict=True))

    def decorate(
        self, right: list[str], pairs: list[tuple[str, str]]
    ) -> tuple[list[str], list[tuple[str, str]]]:
        """Give every name editions; returns the new reference and the new (name, shown) pairs."""
        most = min(self._most, len(self._marks))
        editions = {
            name: self._rng.choice(len(self._marks), int(self._rng.integers(1, most + 1)), False)
            for name in dict.fromkeys([*right, *(name for name, _ in pairs)])
        }
        reference = [self.write(0, name, int(at)) for name in right for at in editions[name]]
        asked = []
        for name, shown in pairs:
            # Now and then an edition that the reference lacks.
            own = editions[name]
            lost = self._rng.random() < self._lost
            at = int(self._rng.integers(len(self._marks)) if lost else self._rng.choice(own))
            if self._rng.random() < self._same:
                shown = name
            asked.append((self.write(0, name, at), self.write(1, shown, at)))
        return reference, asked

    def draw(self, most: int) -> list[int]:
        """Draw the numbers of some editions, all different."""
        n = min(most, len(self._marks))
        return [int(at) for at in self._rng.choice(len(self._marks), n, replace=False)]

    def write(self, side: int, name: str, edition: int) -> str:
        """Write an edition of a name as one of the two sides does."""
        mark = self._marks[edition][side]
        return self._styles[side].format(n=name, e=mark) + self._tails[side]


class Qualifiers:
    """What stands in brackets behind names: what kind of thing it is, or where.

    In a third of the tables they tell things of one name apart: both sides write them, a name may
    stand with several, and only the same one is right. In the others each name has one, and either
    side writes it or not, or now and then another.
    """

    WORDS = (
        *("film", "album", "song", "band", "novel", "magazine", "newspaper", "company", "book"),
        *("politician", "footballer", "musician", "wrestler", "British actor", "rugby union"),
        *("museum", "town", "river", "genus", "ship", "sculpture", "TV channel", "software"),
        *("London", "Chicago", "New York", "Australia", "Germany", "France", "Japan", "UK", "US"),
        *("Mahler", "Adele", "Davis", "Smith", "Jones", "García", "Ontario", "Alabama", "planet"),
    )
    STYLES = ("{n} ({q})",) * 4 + ("{n} [{q}]", "{n}, {q}", "{n} - {q}")

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        chosen = rng.choice(len(self.WORDS), int(rng.integers(2, 7)), replace=False)
        self._known = [self.WORDS[at] for at in chosen]
        self._style = str(rng.choice(self.STYLES))
        self._same = float(rng.choice(SAME_NAME))
        self._telling = bool(rng.random() < 1 / 3)
        if self._telling:
            self._shown, self._other = [1.0, 1.0], float(rng.choice([0.1, 0.3, 0.6]))
            self._most = int(rng.integers(1, 4))
        else:
            self._shown = [float(rng.choice([0.1, 0.5, 1.0])) for _ in range(2)]
            self._other, self._most = float(rng.choice([0.0, 0.0, 0.1])), 1

    def decorate(
        self, right: list[str], pairs: list[tuple[str, str]]
    ) -> tuple[list[str], list[tuple[str, str]]]:
        """Qualify some names; returns the new reference and the new (name, shown) pairs."""
        marks = {name: self._some() for name in dict.fromkeys([*right, *(n for n, _ in pairs)])}
        written = {
            name: [self._write(0, name, mark) for mark in own] for name, own in marks.items()
        }
        asked = []
        for name, shown in pairs:
            at = int(self._rng.integers(len(marks[name])))
            mark, meant = marks[name][at], written[name][at]
            if self._rng.random() < self._other:
                mark = self._known[int(self._rng.integers(len(self._known)))]
                if self._telling:
                    meant = self._write(0, name, mark)
            if self._rng.random() < self._same:
                shown = name
            asked.append((meant, self._write(1, shown, mark)))
        return [text for name in right for text in written[name]], asked

    def _some(self) -> list[str]:
        """What the things of one name are told apart by, or the one that a name has."""
        n = int(self._rng.integers(1, min(self._most, len(self._known)) + 1))
        return [self._known[at] for at in self._rng.choice(len(self._known), n, replace=False)]

    def _write(self, side: int, name: str, mark: str) -> str:
        if self._rng.random() >= self._shown[side]:
            return name
        return self._style.format(n=name, q=mark)
