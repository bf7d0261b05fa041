"""Joins of one column of text, made of written tables, whose rows have siblings.

Lists of names hold few things that differ in one size, flavour or edition alone, as articles,
documents and places do. So the things of a written table are split in two: of a thing with several
rows one is asked for, and another is in the reference; of the others some are asked for as another
office would write them.

Chinese, Japanese, Korean and Thai texts are left out, since there are few of them: a scorer would
learn of these languages what happens to be in a dozen tables.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from random import Random
from zlib import crc32

from pearljoin_train.data.join import Join
from pearljoin_train.records.values import slips
from pearljoin_train.records.written_tables import WrittenTable, as_texts
from pearljoin_train.scorer.joins import distinct_names, letters_of

__all__ = ["make_written_joins"]

FEWEST_THINGS, FEWEST_TEXTS = 8, 3
"""Things of a table that a join is made of, and texts of each side of it, at least."""

TOLD_APART = 0.9
"""Share of the things that the texts of a join tell from all others, at least."""

WORDED = 0.9
"""Share of the texts that have letters, and in columns that are drawn a word, at least."""

WORD = re.compile(r"[^\W\d_]{3}")

RARE_LETTERS = re.compile(r"[\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Thai, Chinese, Japanese and Korean letters, which few tables have."""

MOST_RARE = 0.1
"""Share of the right texts with such letters, at most."""

SAME_DIGITS = 0.8
"""Share of the things with several rows whose digits are the same in a column of numbers, at least.
Prices and dates of records differ, and nobody joins by texts that hold them."""

MOST_COLUMNS, TRIES = 4, 20
"""Columns that are written together, at most, and how often some are drawn."""

ASKED_SHARES, ABSENT_SHARES = (0.4, 0.7, 1.0), (0.0, 0.0, 0.1, 0.3, 0.5)
"""Shares of the things that are asked for, and that the reference lacks."""

SHORT_SHARES, SEVERITIES = (0.0, 0.0, 0.1, 0.3, 0.6), (0.0, 0.2, 0.5, 1.0)
"""Shares of the words that an office writes short, and how many slips it makes."""

SEPARATORS: tuple[tuple[tuple[str, str], ...], ...] = (
    (), (), (("-", " "),), ((" ", "  "),), ((", ", " "),), ((",", ""), ("/", " ")),
)  # fmt: skip
"""What an office writes in place of what stands between words."""

CASES = (str, str, str, str.upper, str.lower)

SLIPS = (
    slips.abbreviate,
    slips.cut_off,
    slips.drop_word,
    slips.join_words,
    slips.lose_accents,
    slips.misread,
    slips.misspell,
    slips.punctuate,
    slips.split_word,
    slips.swap_words,
)

Row = tuple[str, ...]
Texts = Mapping[int, Sequence[str]]
"""How things are written."""

Owners = Mapping[str, set[int]]
"""Things by how they are written."""


def make_written_joins(
    tables: Iterable[WrittenTable], *, a_table: int, seed: int
) -> Iterator[Join]:
    """Make joins of each table whose things some columns of text tell apart.

    Parameters
    ----------
    tables
        The tables.
    a_table
        Joins made of each, at most.
    seed
        The same seed gives the same joins.
    """
    for written in tables:
        things = _Things.of(written)
        for number in range(a_table):
            name = f"{written.domain}/{written.name}/{number}/{seed}"
            join = _make_join(f"written_{written.domain}", things, Random(crc32(name.encode())))
            if join is not None:
                yield join


@dataclass(frozen=True)
class _Things:
    """The rows of each thing of a table, as texts by column; empty where a value is missing."""

    rows: Mapping[int, Sequence[Row]]

    @cached_property
    def columns(self) -> list[int]:
        """Places of the columns but those of numbers that change."""
        n_columns = len(next(iter(self.rows.values()))[0])
        return [at for at in range(n_columns) if not self._is_of_changing_numbers(at)]

    def _is_of_changing_numbers(self, column: int) -> bool:
        texts = [[row[column] for row in rows if row[column]] for rows in self.rows.values()]
        letters = "".join(filter(str.isalnum, "".join("".join(some) for some in texts)))
        if 2 * sum(map(str.isdigit, letters)) < len(letters):
            return False
        several = [{_digits(text) for text in some} for some in texts if len(some) > 1]
        return sum(len(digits) == 1 for digits in several) < SAME_DIGITS * len(several)

    @classmethod
    def of(cls, written: WrittenTable) -> _Things:
        rows: dict[int, list[Row]] = defaultdict(list)
        for thing, row in zip(written.clusters, written.rows(), strict=True):
            rows[thing].append(as_texts(row))
        return cls(rows)

    def are_told_apart(self, texts: Texts) -> bool:
        """Whether texts tell most things apart, and have letters."""
        if len(texts) < max(FEWEST_THINGS, len(self.rows) // 2):
            return False
        owners: dict[str, set[int]] = defaultdict(set)
        for thing, written in texts.items():
            for text in written:
                owners[letters_of(text)].add(thing)
        n_apart = sum(
            all(len(owners[letters_of(text)]) == 1 for text in written)
            for written in texts.values()
        )
        n_lettered = sum(any(map(str.isalpha, text)) for text in owners)
        return n_apart >= TOLD_APART * len(texts) and n_lettered >= WORDED * len(owners)

    def texts(self, columns: Sequence[int]) -> Texts:
        """The distinct texts of each thing that has any, of some columns in this order."""
        found = {
            thing: [text for text in dict.fromkeys(_joined(row, columns) for row in rows) if text]
            for thing, rows in self.rows.items()
        }
        return {thing: texts for thing, texts in found.items() if texts}


class _Office:
    """Writes texts its own way: some words short, in capitals or without, with slips."""

    def __init__(self, texts: Texts, rng: Random) -> None:
        share = rng.choice(SHORT_SHARES)
        words = sorted(
            {word for text in chain.from_iterable(texts.values()) for word in text.split()}
        )
        self._short = {word: slips.abbreviate(word, rng) for word in words if rng.random() < share}
        self._case = rng.choice(CASES)
        self._severity = rng.choice(SEVERITIES)
        self._separators = rng.choice(SEPARATORS)
        self._rng = rng

    def write(self, text: str) -> str:
        found = " ".join(self._short.get(word, word) for word in text.split())
        for old, new in self._separators:
            found = found.replace(old, new)
        while self._rng.random() < self._severity / 2:
            found = self._rng.choice(SLIPS)(found, self._rng)
        return self._case(found).strip()


def _make_join(source: str, things: _Things, rng: Random) -> Join | None:
    """Make one join of columns that tell the things apart; None where few texts are left."""
    columns = _draw_columns(things, rng)
    if columns is None:
        return None
    there, here = (
        columns if rng.random() < 0.6 else _varied(things, columns, rng) for _ in range(2)
    )
    office = _Office(things.texts(columns), rng)
    names = sorted(things.rows)
    rng.shuffle(names)
    asked_share, absent_share = rng.choice(ASKED_SHARES), rng.choice(ABSENT_SHARES)
    are_copied = rng.random() < 0.8
    n_absent = round(absent_share * len(names))
    right: dict[str, set[int]] = defaultdict(set)
    left: dict[str, set[int]] = defaultdict(set)
    for place, thing in enumerate(names):
        rows = rng.sample(things.rows[thing], len(things.rows[thing]))
        is_written_twice = len(rows) > 1
        if place >= n_absent and (text := _joined(rows[0], there)):
            right[text].add(thing)
        if rng.random() < asked_share and (is_written_twice or are_copied):
            text = _joined(rows[-1], here)
            if not is_written_twice or rng.random() < 0.3:
                text = office.write(text)
            if text:
                left[text].add(thing)
    return _joined_sides(source, left, _by_first_text(right), rng)


def _draw_columns(things: _Things, rng: Random) -> Sequence[int] | None:
    """Draw columns of words that tell the things apart, a few rather than many."""
    most = min(MOST_COLUMNS, len(things.columns))
    if not most:
        return None
    for _ in range(TRIES):
        size = min(rng.randint(1, most), rng.randint(1, most))
        columns = sorted(rng.sample(things.columns, size))
        texts = things.texts(columns)
        if _are_words(texts) and things.are_told_apart(texts):
            return columns
    return None


def _are_words(texts: Texts) -> bool:
    """Whether most texts have a word."""
    every = list(chain.from_iterable(texts.values()))
    return sum(bool(WORD.search(text)) for text in every) >= WORDED * len(every)


def _varied(things: _Things, columns: Sequence[int], rng: Random) -> Sequence[int]:
    """Columns as another office writes them: in another order, one more or one less."""
    others = [at for at in things.columns if at not in columns]
    varied = list(columns)
    if rng.random() < 0.5:
        rng.shuffle(varied)
    if others and rng.random() < 0.4:
        varied.insert(rng.randint(0, len(varied)), rng.choice(others))
    elif len(varied) > 1 and rng.random() < 0.4:
        varied.pop(rng.randrange(len(varied)))
    return varied if things.are_told_apart(things.texts(varied)) else columns


def _joined_sides(source: str, left: Owners, right: Owners, rng: Random) -> Join | None:
    """Make a join of both sides; a text with the letters of a right one asks for that, too.

    Texts of which slips have left no word are not asked for.
    """
    if len(left) < FEWEST_TEXTS or len(right) < FEWEST_TEXTS:
        return None
    if sum(map(_has_rare_letters, right)) > MOST_RARE * len(right):
        return None
    texts: dict[int, set[str]] = defaultdict(set)
    for text, owners in right.items():
        for thing in owners:
            texts[thing].add(text)
    by_letters = {letters_of(text): {text} for text in right}
    asked = sorted(left)
    rng.shuffle(asked)
    asked = [text for text in asked if WORD.search(text) and not _has_rare_letters(text)]
    if not asked:
        return None
    answers = [
        by_letters.get(letters_of(text), set()).union(*(texts[thing] for thing in left[text]))
        for text in asked
    ]
    return Join(source, asked, sorted(right), [frozenset(answer) for answer in answers])


def _by_first_text(owners: Owners) -> Owners:
    """Things by the first of the texts with the same letters and digits."""
    first = distinct_names(owners)
    found: dict[str, set[int]] = defaultdict(set)
    for text, things in owners.items():
        found[first[text]] |= things
    return found


def _has_rare_letters(text: str) -> bool:
    return RARE_LETTERS.search(text) is not None


def _joined(row: Row, columns: Sequence[int]) -> str:
    return " ".join(" ".join(row[at] for at in columns).split())


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))
