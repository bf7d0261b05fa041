"""Pairing the columns of two tables that name them differently, by what they hold.

Texts are compared by their words: in two columns of one fact, much of what one is written in stands
somewhere in the other, whatever share of the rows has an answer. Where a column of one table is
written in the words of several of the other, these are read together, see `Columns`. Codes and
numbers are compared by whole values, and what has a form, such as dates, by that form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, product
from typing import Any, NamedTuple

from pearljoin._cached import cached_property
from pearljoin._kinds.cells import sample_texts
from pearljoin._kinds.column_names import date_part, name_words
from pearljoin._kinds.protocol import Kind
from pearljoin._kinds.recognise import recognise
from pearljoin._kinds.years import DAYS, MONTHS
from pearljoin._tables.cells import as_text
from pearljoin._tables.column_facts import ColumnFacts, Facts
from pearljoin._tables.guess_records import number_rows, tell_rows_apart, why_left_out
from pearljoin._tables.joined_columns import JoinedColumn, joined_name
from pearljoin._text.normalise import mend, normalise

__all__ = ["PairedColumns", "pair_columns"]

SAMPLE = 1_000
"""Distinct values of a column that are read. Values that both columns have are in both samples, as
their hashes choose them."""

LEAST, LEAST_BACK = 0.25, 0.1
"""Shares of the words of one column that the other has, and of the other's that it has, in [0, 1],
where both hold one fact: one of them at least the first, and the other the second."""

PARTS = ((0.6, 0.1), (0.25, 0.5))
"""Where a column holds a part of another one, in [0, 1], one of: the share of its words that stand
in that one at least, and the share of that one's values that have words of it which those lack that
are read with it. Numbers are parts by the first."""

SHARED_VALUES, FEWEST_VALUES = 0.2, 3
"""Share of the distinct codes or numbers of one column, in [0, 1], and how many at least, that the
other has where both hold one fact."""

SHORTEST_VALUE = 3
"""Letters and digits of values that are not in two columns by chance."""

SHORTEST_START = 3
"""Letters of a word that may stand for a longer one that begins with it."""

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
"""A number or a word."""

SAME_FORM, SAME_WORD = 0.3, 0.15
"""How far columns are alike that are of one form, and what a common word of their names adds."""

NAMING = 0.5
"""Share of the cells of a column, in [0, 1], that are distinct where it may name rows."""

AS_ALIKE = 0.99
"""Share of the likeness of a pair from which another column could be meant as well."""

YEARS = range(1800, 2100)
"""What whole numbers are that stand for years beside days and months."""

FORMS: frozenset[Kind] = frozenset({"date", "email", "phone", "postcode"})
"""Kinds whose values are of one form."""

WORDLESS: frozenset[Kind] = FORMS | {"code", "number", "coordinate"}
"""Kinds whose values are not compared by words."""


class Likeness(NamedTuple):
    """How far two columns hold one fact: in [0, 2], and their places."""

    score: float
    left: int
    right: int


class PairedColumns(NamedTuple):
    """Columns of two tables that hold the same facts.

    Attributes
    ----------
    left, right
        Their names, in pairs; of several that are read together, as `joined_name` writes them.
    name_rows
        Whether they say which rows are meant: some are text, and they tell the right rows apart.
    """

    left: tuple[Hashable, ...]
    right: tuple[Hashable, ...]
    name_rows: bool


def pair_columns(left: Facts, right: Facts) -> PairedColumns:
    """Find the columns of two tables that hold the same facts under different names.

    Parameters
    ----------
    left, right
        The columns of the tables, but for those that are used otherwise.
    """
    lefts, rights = _with_dates(left, right), _with_dates(right, left)
    every = {
        (one, other): _likeness(lefts[one], rights[other])
        for one, other in product(range(len(lefts)), range(len(rights)))
    }
    best = sorted(_best_pairs(every), key=lambda each: (each.left, each.right))
    taken_left, taken_right = {each.left for each in best}, {each.right for each in best}
    groups: list[tuple[list[int], list[int]]] = []
    for _, one, other in best:
        parts, wide = [one], [other]
        if lefts[one].name != rights[other].name:
            wide = _read_together(lefts[one], rights, other, taken_right)
            if len(wide) == 1:
                parts = _read_together(rights[other], lefts, one, taken_left)
        taken_left.update(parts)
        taken_right.update(wide)
        groups.append((parts, wide))
    sure = [
        (_together([lefts[at] for at in parts]), _together([rights[at] for at in wide]))
        for each, (parts, wide) in zip(best, groups, strict=True)
        if not _may_be_others(each, every, best, taken_left, taken_right)
    ]
    compared = {other.name: other.facts for _, other in sure}
    return PairedColumns(
        tuple(one.name for one, _ in sure),
        tuple(other.name for _, other in sure),
        any(_names(one) or _names(other) for one, other in sure)
        and tell_rows_apart(compared, list(compared)),
    )


def _may_be_others(
    pair: Likeness,
    every: Mapping[tuple[int, int], float],
    pairs: Sequence[Likeness],
    taken_left: AbstractSet[int],
    taken_right: AbstractSet[int],
) -> bool:
    """Tell whether a column could be meant as well as one of a pair: one that is in no pair, or one
    of another pair, if both pairs exchanged theirs.
    """
    _, one, other = pair
    least = AS_ALIKE * pair.score
    return (
        any(every[at, other] >= least and at not in taken_left for at, _ in every)
        or any(every[one, at] >= least and at not in taken_right for _, at in every)
        or any(
            every[one, each.right] + every[each.left, other] >= AS_ALIKE * (pair.score + each.score)
            for each in pairs
            if each != pair
        )
    )


class _Column:
    """A column, and what its values are written in."""

    def __init__(self, facts: ColumnFacts) -> None:
        self.facts = facts
        self.name = facts.name

    @cached_property
    def texts(self) -> list[str]:
        """Distinct values, a sample of them where there are many."""
        return [as_text(cell) for cell in self._sample]

    @cached_property
    def _sample(self) -> list[Any]:
        known = self.facts.sample
        chosen = set(sample_texts(known, SAMPLE))
        values = zip(self.facts.sampled.to_list(), known, strict=True)
        return [value for value, text in values if text in chosen]

    @cached_property
    def kind(self) -> Kind:
        """What its values are, by their form."""
        return recognise(self._sample, self.name)

    def are_all_in(self, numbers: range) -> bool:
        """Tell whether the values are whole numbers of a range."""
        # The sample is asked first: to read all of a large column takes long.
        if not all(text.isdecimal() and int(text) in numbers for text in self.texts):
            return False
        return all(number in numbers for number in self.facts.whole_numbers)

    @cached_property
    def words_of_values(self) -> list[frozenset[str]]:
        """The words of each text, a number apart from its unit; single letters mean too much."""
        return [
            frozenset(word for word in _WORD.findall(normalise(mend(text))) if _is_telling(word))
            for text in self.texts
        ]

    @cached_property
    def words(self) -> Counter[str]:
        """In how many texts each word stands."""
        return Counter(chain.from_iterable(self.words_of_values))

    @cached_property
    def written_in(self) -> AbstractSet[str]:
        """The words, and what they begin with, as they are abbreviated."""
        return {
            word[:n] for word in self.words for n in {*range(SHORTEST_START, len(word)), len(word)}
        }

    @cached_property
    def values(self) -> frozenset[str]:
        """The values without signs and blanks between their letters and digits."""
        plain = ("".join(filter(str.isalnum, text)).casefold() for text in self.texts)
        return frozenset(text for text in plain if len(text) >= SHORTEST_VALUE)

    @cached_property
    def name_words(self) -> frozenset[str]:
        """Words of its name."""
        words = map(normalise, name_words(self.name))
        return frozenset(word for word in words if len(word) >= SHORTEST_START)

    def share_in(self, known: AbstractSet[str]) -> float:
        """Share of the words that are known, in [0, 1]: the mean of distinct ones and of all."""
        if not self.words:
            return 0.0
        shared = self.words.keys() & known
        n_all = sum(self.words.values())
        return (len(shared) / len(self.words) + sum(self.words[w] for w in shared) / n_all) / 2

    def share_of_values(self, new: AbstractSet[str]) -> float:
        """Share of the values that have one of some words, in [0, 1]."""
        n_values = sum(not new.isdisjoint(words) for words in self.words_of_values)
        return n_values / max(1, len(self.words_of_values))


def _is_telling(word: str) -> bool:
    return len(word) > 1 or word.isdecimal()


def _together(columns: Sequence[_Column]) -> _Column:
    """Read columns together; a single one stays as it is."""
    if len(columns) == 1:
        return columns[0]
    name = str(joined_name([column.name for column in columns]))
    joined = JoinedColumn(name, [column.facts.column for column in columns])
    return _Column(ColumnFacts(joined, name))


def _names(column: _Column) -> bool:
    """Tell whether a column may name the rows of its table: many of its values are distinct."""
    facts = column.facts
    is_category = facts.role == "category" and len(facts.counts) < NAMING * facts.n_filled
    return facts.is_text and not is_category and facts.role not in ("measures", "empty", "codes")


def _with_dates(side: Facts, other: Facts) -> list[_Column]:
    """List the columns of a table; those of a day, a month and a year as one where the other table
    has whole dates.
    """
    columns = [_Column(facts) for facts in side.values() if why_left_out(facts) is None]
    whole = (_Column(facts) for facts in other.values() if why_left_out(facts) is None)
    parts = _date_parts(columns) if any(map(_holds_days, whole)) else []
    if not parts:
        return columns
    return [*(column for column in columns if column not in parts), _together(parts)]


def _date_parts(columns: Sequence[_Column]) -> list[_Column]:
    """Find columns of the days, months and years of dates; none where others could be meant."""
    found: list[_Column] = []
    for part in (DAYS, MONTHS, YEARS):
        fitting = [column for column in columns if column.are_all_in(part)]
        if part is DAYS:
            fitting = [column for column in fitting if not column.are_all_in(MONTHS)]
        named = [column for column in fitting if date_part(column.name) is not None]
        chosen = named if len(fitting) > 1 else fitting
        if len(chosen) != 1:
            return []
        found += chosen
    return found


def _holds_days(column: _Column) -> bool:
    """Tell whether a column holds dates of which more than the year is known."""
    return column.kind == "date" and not column.facts.whole_numbers


def _best_pairs(every: Mapping[tuple[int, int], float]) -> list[Likeness]:
    """Pair columns, the most alike first; each is in one pair at most."""
    found: list[Likeness] = []
    for (left, right), score in sorted(every.items(), key=lambda each: (-each[1], each[0])):
        is_free = all(left != one.left and right != one.right for one in found)
        if score > 0 and is_free:
            found.append(Likeness(score, left, right))
    return found


def _likeness(left: _Column, right: _Column) -> float:
    """How far two columns hold one fact; 0 for not at all."""
    found = max(by(left, right) for by in (_by_words, _by_values, _by_form))
    are_numbers = left.kind == right.kind == "number"
    if (are_numbers or not found) and number_rows(left.facts, right.facts):
        return 0.0
    is_wanted = found or left.name == right.name
    if not is_wanted or not left.facts.may_be_compared(right.facts):
        return 0.0
    if left.name == right.name:
        return found + 1.0
    is_named_alike = not left.name_words.isdisjoint(right.name_words)
    return found + SAME_WORD if found and is_named_alike else found


def _by_words(left: _Column, right: _Column) -> float:
    if left.kind in WORDLESS or right.kind in WORDLESS:
        return 0.0
    shares = left.share_in(right.written_in), right.share_in(left.written_in)
    return sum(shares) / 2 if max(shares) >= LEAST and min(shares) >= LEAST_BACK else 0.0


def _by_values(left: _Column, right: _Column) -> float:
    fewer = min(len(left.values), len(right.values))
    n_shared = len(left.values & right.values)
    if n_shared < max(FEWEST_VALUES, SHARED_VALUES * fewer):
        return 0.0
    return n_shared / fewer


def _by_form(left: _Column, right: _Column) -> float:
    return SAME_FORM if left.kind == right.kind and left.kind in FORMS else 0.0


def _read_together(
    wide: _Column, others: Sequence[_Column], first: int, taken: AbstractSet[int]
) -> list[int]:
    """Places of the columns in whose words another one is written, which have it in parts.

    Parameters
    ----------
    wide
        The column that is written in the words of several.
    others
        The columns of the other table.
    first
        The place of the one that it is paired with.
    taken
        Places of those that are in some pair.
    """
    if wide.kind in WORDLESS or others[first].kind in WORDLESS:
        return [first]
    own = {at: others[at].share_in(wide.written_in) for at in range(len(others)) if at not in taken}
    possible = [at for at, share in own.items() if share >= min(least for least, _ in PARTS)]
    known, found = set(others[first].written_in), [first]
    for at in sorted(possible, key=lambda at: (-wide.share_in(others[at].written_in), at)):
        column = others[at]
        more = wide.share_of_values(column.written_in - known)
        parts = PARTS[:1] if column.kind == "number" else PARTS
        if any(own[at] >= least and more >= least_more for least, least_more in parts):
            known |= column.written_in
            found.append(at)
    return sorted(found)
