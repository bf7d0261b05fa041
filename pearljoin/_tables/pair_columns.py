"""Pairing the columns of two tables that name them differently, by what they hold.

Texts are compared by their words: in two columns of one fact, much of what one is written in stands
somewhere in the other, whatever share of the rows has an answer. Where a column of one table is
written in the words of several of the other, these are read together, see `Columns`. Codes and
numbers are compared by whole values, and what has a form, such as dates, by that form.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import product
from typing import NamedTuple

from pearljoin._kinds.column_names import date_part, say_birth
from pearljoin._kinds.protocol import Kind
from pearljoin._kinds.years import DAYS, MONTHS
from pearljoin._tables.column_facts import ColumnFacts, Facts, Role
from pearljoin._tables.guess_records import number_rows, tell_rows_apart, why_left_out
from pearljoin._tables.joined_columns import JoinedColumn, column_parts, joined_name
from pearljoin._tables.written_column import FORMS, WrittenColumn

__all__ = ["AlikeColumns", "PairedColumns", "pair_columns"]

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

FEW = 20
"""Rows of a table that may have a small part of what the other one has."""

SAME_FORM, SAME_WORD = 0.3, 0.15
"""How far columns are alike that are of one form, and what a common word of their names adds."""

FEWEST_PHRASES = 12
"""Distinct values of several words from which a column may hold names that rows repeat."""

NAMING = 0.5
"""Share of the cells of a column, in [0, 1], that are distinct where it may name rows."""

AS_ALIKE = 0.99
"""Share of the likeness of a pair from which another column could be meant as well."""

YEARS = range(1800, 2100)
"""What whole numbers are that stand for years beside days and months."""

NOT_SURE, UNSHARED = "not surely the same as", "no values in common with"
"""Why columns are not compared, which the name of the right one follows."""

NAMELESS: frozenset[Role] = frozenset(["measures", "empty", "codes"])
"""Roles of columns that hold no names."""

WORDLESS: frozenset[Kind] = frozenset({*FORMS, "code", "number", "coordinate"})
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
        Whether they say which rows are meant: one names rows, and they tell the right ones apart.
    tell_rows
        Whether several that hold words tell these apart, some of them names, though none may name
        rows by itself: pupils and their subjects in a list of entries.
    alike
        Others that may hold the same facts, too, the most alike first.
    """

    left: tuple[Hashable, ...]
    right: tuple[Hashable, ...]
    name_rows: bool
    tell_rows: bool
    alike: tuple[AlikeColumns, ...]


class AlikeColumns(NamedTuple):
    """Columns of other names that seem to hold the same facts: their names, and why they are not
    compared, which the right name completes.
    """

    left: Hashable
    right: Hashable
    reason: str


def pair_columns(left: Facts, right: Facts) -> PairedColumns:
    """Find the columns of two tables that hold the same facts under different names.

    Parameters
    ----------
    left, right
        The columns of the tables, but for those that are used otherwise.
    """
    plain = [
        [WrittenColumn(facts) for facts in side.values() if why_left_out(facts) is None]
        for side in (left, right)
    ]
    lefts, rights = _with_dates(*plain), _with_dates(*plain[::-1])
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
    worded = [(one, other) for one, other in sure if _has_words(one) and _has_words(other)]
    of_words = [other.name for _, other in worded]
    return PairedColumns(
        tuple(one.name for one, _ in sure),
        tuple(other.name for _, other in sure),
        any(_names(one) or _names(other) for one, other in sure)
        and tell_rows_apart(compared, list(compared)),
        len(worded) > 1
        and any(_has_phrases(one) and _has_phrases(other) for one, other in worded)
        and tell_rows_apart(compared, of_words),
        _alike(every, lefts, rights),
    )


def _alike(
    every: Mapping[tuple[int, int], float],
    lefts: Sequence[WrittenColumn],
    rights: Sequence[WrittenColumn],
) -> tuple[AlikeColumns, ...]:
    """List pairs of columns by their likeness, and those of one form or of codes that have none."""
    ranked = sorted(every.items(), key=lambda each: (-each[1], each[0]))
    found = []
    for (at, there), score in ranked:
        left, right = lefts[at], rights[there]
        if score or _are_of_one_sort(left, right):
            reason = NOT_SURE if score else UNSHARED
            found.append(AlikeColumns(left.name, right.name, reason))
    return tuple(found)


def _are_of_one_sort(left: WrittenColumn, right: WrittenColumn) -> bool:
    """Tell whether columns are of one form, or both of codes; whole numbers are of any sort."""
    if left.kind != right.kind:
        return False
    has_numbers = left.facts.whole_numbers or right.facts.whole_numbers
    return left.kind in FORMS or (left.kind == "code" and not has_numbers)


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
    lefts, rights = ({place[side] for place in every} for side in (0, 1))
    return (
        any(every[at, other] >= least for at in lefts - taken_left)
        or any(every[one, at] >= least for at in rights - taken_right)
        or any(
            every[one, each.right] + every[each.left, other] >= AS_ALIKE * (pair.score + each.score)
            for each in pairs
            if each != pair
        )
    )


def _together(columns: Sequence[WrittenColumn]) -> WrittenColumn:
    """Read columns together; a single one stays as it is."""
    if len(columns) == 1:
        return columns[0]
    name = str(joined_name([column.name for column in columns]))
    joined = JoinedColumn(name, [column.facts.column for column in columns])
    return WrittenColumn(ColumnFacts(joined, name))


def _may_be_joined(parts: Sequence[WrittenColumn], columns: Sequence[WrittenColumn]) -> bool:
    """Tell whether a name can be made of those of some columns that stands for these alone."""
    names = [column.name for column in parts]
    joined = joined_name(names)
    is_free = all(column.name != joined for column in columns)
    return is_free and column_parts(joined) == tuple(names)


def _names(column: WrittenColumn) -> bool:
    """Tell whether a column may name the rows of its table: many of its values are distinct."""
    facts = column.facts
    if column.kind in WORDLESS and column.kind != "code":
        return False
    is_category = facts.role == "category" and len(facts.counts) < NAMING * facts.n_filled
    return facts.is_text and not is_category and facts.role not in NAMELESS


def _has_words(column: WrittenColumn) -> bool:
    """Tell whether a column holds words, be they names or categories."""
    return column.kind not in WORDLESS and column.facts.role not in NAMELESS


def _has_phrases(column: WrittenColumn) -> bool:
    """Tell whether many values are of several words each, as names are and categories seldom."""
    several = sum(len(words) > 1 for words in column.words_of_values)
    return several >= FEWEST_PHRASES and several >= NAMING * len(column.words_of_values)


def _with_dates(
    columns: list[WrittenColumn], others: Sequence[WrittenColumn]
) -> list[WrittenColumn]:
    """Read columns of a day, a month and a year together where the other table has whole dates."""
    parts = _date_parts(columns)
    if not parts or not any(map(_holds_days, others)) or not _may_be_joined(parts, columns):
        return columns
    return [*(column for column in columns if column not in parts), _together(parts)]


def _date_parts(columns: Sequence[WrittenColumn]) -> list[WrittenColumn]:
    """Find columns of the days, months and years of dates; none where others could be meant."""
    found: list[WrittenColumn] = []
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


def _holds_days(column: WrittenColumn) -> bool:
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


def _likeness(left: WrittenColumn, right: WrittenColumn) -> float:
    """How far two columns hold one fact; 0 for not at all."""
    found = max(by(left, right) for by in (_by_words, _by_values, _by_form))
    are_whole = left.facts.whole_numbers and right.facts.whole_numbers
    if (are_whole or not found) and number_rows(left.facts, right.facts):
        return 0.0
    is_named_so = left.name == right.name
    if not (found or is_named_so) or not left.facts.may_be_compared(right.facts):
        return 0.0
    if is_named_so:
        return found + 1.0
    return found if left.name_words.isdisjoint(right.name_words) else found + SAME_WORD


def _by_words(left: WrittenColumn, right: WrittenColumn) -> float:
    if left.kind in WORDLESS or right.kind in WORDLESS:
        return 0.0
    shares = left.share_in(right.written_in), right.share_in(left.written_in)
    if max(shares) < LEAST:
        return 0.0
    # What a table has in a few rows is a small part of the other's.
    are_few = min(left.facts.n_rows, right.facts.n_rows) < FEW
    return sum(shares) / 2 if are_few or min(shares) >= LEAST_BACK else 0.0


def _by_values(left: WrittenColumn, right: WrittenColumn) -> float:
    return _shared(left.values, right.values, _by_chance(left, right))


def _by_form(left: WrittenColumn, right: WrittenColumn) -> float:
    if left.kind != right.kind or left.kind not in FORMS:
        return 0.0
    if say_birth([left.name]) and say_birth([right.name]):
        return SAME_FORM
    if not left.name_words.isdisjoint(right.name_words):
        return SAME_FORM
    return _shared(left.forms, right.forms)


def _shared(left: AbstractSet[str], right: AbstractSet[str], by_chance: float = 0.0) -> float:
    """Share of the fewer values that both columns have; 0 where they are too few to tell."""
    fewer = min(len(left), len(right))
    n_shared = len(left & right)
    least = by_chance + (1 - by_chance) * SHARED_VALUES
    return n_shared / fewer if n_shared >= max(FEWEST_VALUES, least * fewer) else 0.0


def _by_chance(left: WrittenColumn, right: WrittenColumn) -> float:
    """Share of the whole numbers of one column that the other has by chance."""
    numbers = left.facts.whole_numbers | right.facts.whole_numbers
    if not left.facts.whole_numbers or not right.facts.whole_numbers:
        return 0.0
    more = max(len(left.facts.whole_numbers), len(right.facts.whole_numbers))
    return min(1.0, 2 * more / (max(numbers) - min(numbers) + 1))


def _read_together(
    whole: WrittenColumn, others: Sequence[WrittenColumn], first: int, taken: AbstractSet[int]
) -> list[int]:
    """Places of the columns in whose words another one is written, which have it in parts.

    Parameters
    ----------
    whole
        The column that is written in the words of several.
    others
        The columns of the other table.
    first
        The place of the one that it is paired with.
    taken
        Places of those that are in some pair.
    """
    if whole.kind in WORDLESS or others[first].kind in WORDLESS:
        return [first]
    own = {
        at: others[at].share_in(whole.written_in) for at in range(len(others)) if at not in taken
    }
    possible = [at for at, share in own.items() if share >= min(least for least, _ in PARTS)]
    known, found = set(others[first].written_in), [first]
    for at in sorted(possible, key=lambda at: (-whole.share_in(others[at].written_in), at)):
        column = others[at]
        more = whole.share_of_values(column.written_in - known)
        parts = PARTS[:1] if column.kind == "number" else PARTS
        is_part = any(own[at] >= least and more >= least_more for least, least_more in parts)
        if is_part and _may_be_joined([others[each] for each in sorted([*found, at])], others):
            known |= column.written_in
            found.append(at)
    return sorted(found)
