"""What the columns of a table look like: names, codes, categories, and values that two share.

Each column is read once. What its values look like is told of a sample of the distinct ones, how
many there are of all.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, Literal, TypeAlias

from pearljoin._cached import cached_property
from pearljoin._kinds.cells import sample_texts
from pearljoin._kinds.code import unpadded
from pearljoin._kinds.column_names import hints
from pearljoin._kinds.protocol import Kind
from pearljoin._kinds.recognise import recognise
from pearljoin._tables.cells import REFUSED, ColumnKind
from pearljoin._tables.column_likeness import SAMPLE, are_measures, are_of_one_kind, share_words
from pearljoin._tables.columns import Cells, column_kind, is_plain_text, is_text, present_cells
from pearljoin._tables.joint_kind import may_be_compared
from pearljoin._tables.read_table import PlainColumn, Table

__all__ = ["LIKELY", "MOSTLY_DISTINCT", "ColumnFacts", "Facts", "Role", "facts_of"]

MOSTLY_DISTINCT = 0.8
"""Share of a column's filled cells, in [0, 1], that are distinct where it names things."""

FEWEST_CELLS = 10
"""Below so many filled cells, the share of distinct ones is no evidence."""

SHARED_VALUES = 0.2
"""Share of the distinct values of one column, in [0, 1], that the other has where both mean one."""

FEWEST_VALUES = 10
"""Distinct values of a column, from which it is asked whether the other has words of them."""

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
"""Letters of languages that are written without blanks between words, and of Korean."""

CODE = re.compile(rf"(?!.*[{UNSPACED}]{{3}})(?:(?=\S*\d)\S+( (?=\S*\d)\S+)*|[A-Z]{{1,5}})")
"""Words with a digit in each, such as "A-1201" or "2024-05-01 12:30", or a few capitals; but three
Chinese letters in a row are words, as in the address "中山路12号"."""

NO_CODES: frozenset[Kind] = frozenset({"date", "email", "phone", "postcode"})
"""Kinds of values that are written as codes are, and say something of what a row is about."""

MOST_DIGITS = 18
"""Longer texts of digits are no whole numbers."""

Role: TypeAlias = Literal[
    "names", "identifiers", "measures", "distinct", "repeated", "category", "codes", "empty"
]
"""What a text column's values look like.

names        mostly distinct
identifiers  mostly distinct codes
measures     mostly distinct numbers, dates or sizes
distinct     all distinct, in too few rows to tell
repeated     some of them repeated, in too few rows to tell
category     few distinct values
codes        every value is a code, in too few rows to tell
empty        no values
"""

LIKELY: tuple[Role, ...] = ("names", "distinct", "repeated")
"""Roles of columns that may be keys by their values alone."""


class ColumnFacts:
    """What a column looks like.

    Parameters
    ----------
    column, name
        The column, and its name, which tells dates and sizes.
    """

    def __init__(self, column: Cells, name: Hashable) -> None:
        self._column = column
        self.name = name

    @cached_property
    def column(self) -> Cells:
        """The column, whose cells have been read."""
        return _like(self._column, self._column.to_list())

    @property
    def n_rows(self) -> int:
        """Number of cells."""
        return len(self.column.to_list())

    @cached_property
    def counts(self) -> Counter[str]:
        """Number of cells by value, as text; null ones are not counted."""
        cells = self.column.to_list()
        if not is_plain_text(cells):
            return Counter(map(str, self.filled))
        counts = Counter(cells)
        for null in [text for text in counts if not text or text.isspace()]:
            del counts[null]
        return counts

    @cached_property
    def filled(self) -> list[Any]:
        """The cells that are not null."""
        return list(present_cells(self.column))

    @property
    def n_filled(self) -> int:
        """Number of cells that are not null."""
        return len(self.filled)

    @cached_property
    def sample(self) -> list[str]:
        """The distinct values as text, of which there are many those of the lowest hashes.

        The order of rows plays no part.
        """
        return sample_texts(list(self.counts), SAMPLE)

    @cached_property
    def sampled(self) -> Cells:
        """A column of the sample."""
        if is_plain_text(self.column.to_list()):
            return _like(self._column, list(self.sample))
        value = {str(cell): cell for cell in self.filled}
        return _like(self._column, [value[text] for text in self.sample])

    @cached_property
    def kind(self) -> ColumnKind:
        """How it compares by itself."""
        return column_kind(self.column)

    @cached_property
    def is_text(self) -> bool:
        """Whether it holds text."""
        return is_text(self.column)

    @cached_property
    def has_values(self) -> bool:
        """Whether it has values of a type that can be compared, as lists cannot.

        That of a table without rows may have.
        """
        cells = self.column.to_list()
        if not self.is_text and self.kind == "text":
            return False
        if any(issubclass(cell_type, REFUSED) for cell_type in set(map(type, cells))):
            return False
        return next(present_cells(self.column), None) is not None or not cells

    @cached_property
    def role(self) -> Role:
        """What the values look like, where they are text."""
        n_filled, n_distinct = self.n_filled, len(self.counts)
        if not n_filled:
            return "empty"
        if n_distinct < MOSTLY_DISTINCT * n_filled >= MOSTLY_DISTINCT * FEWEST_CELLS:
            return "category"
        is_codes = all(map(CODE.fullmatch, self.sample))
        if n_filled < FEWEST_CELLS:
            if is_codes:
                return "codes"
            return "distinct" if n_distinct == n_filled else "repeated"
        if is_codes:
            return "identifiers"
        return "measures" if are_measures(self.sample, self.name) else "names"

    @cached_property
    def are_codes(self) -> bool:
        """Whether the values are mostly distinct codes, or whole numbers that are all distinct.

        Few values do not tell, and years, amounts and sizes are no codes, as text neither.
        """
        if "date" in hints(self.name) or self.kind not in ("text", "number"):
            return False
        if self.kind == "text":
            if self.n_filled < FEWEST_CELLS or self.role != "identifiers":
                return False
            kind = recognise(self.sample, self.name)
            return bool(self.whole_numbers) if kind == "number" else kind not in NO_CODES
        return FEWEST_CELLS <= self.n_filled == len(self.whole_numbers)

    @property
    def are_distinct(self) -> bool:
        """Whether no value stands in two cells."""
        is_whole = self.kind == "number" and self.whole_numbers
        return len(self.whole_numbers if is_whole else self.counts) == self.n_filled

    @cached_property
    def whole_numbers(self) -> frozenset[int]:
        """The distinct values, where all are whole numbers, as text or not; else none."""
        if self.kind == "number" and all(map(_is_whole, self.filled)):
            return frozenset(map(int, self.filled))
        texts = [text.strip() for text in self.counts] if self.kind == "text" else []
        is_short = max(map(len, texts), default=0) <= MOST_DIGITS
        is_digits = is_short and all(map(str.isdecimal, texts))
        return frozenset(map(int, texts)) if is_digits else frozenset()

    def is_run_beside(self, other: ColumnFacts) -> bool:
        """Tell whether the values are consecutive whole numbers.

        A few are only where they begin as those of the other column do.
        """
        numbers = self.whole_numbers
        if not numbers or max(numbers) - min(numbers) + 1 != len(numbers):
            return False
        begin_alike = min(numbers) == min(other.whole_numbers, default=None)
        return len(numbers) >= FEWEST_CELLS or begin_alike

    def shares_most_numbers(self, other: ColumnFacts) -> bool:
        """Tell whether most whole numbers of the column of fewer stand in the other one."""
        fewer, more = sorted((self.whole_numbers, other.whole_numbers), key=len)
        return 2 * len(fewer & more) > len(fewer)

    def shares_values(self, other: ColumnFacts) -> bool:
        """Tell whether two columns have values in common, but for case and spaces around them.

        Of codes, separators and zeros before their numbers do not count.
        """
        fewer, more = sorted((self, other), key=lambda column: len(column.counts))
        write = unpadded if self.are_codes and other.are_codes else _folded
        asked, known = ({*map(write, texts)} for texts in (fewer.sample, more.counts))
        return len(asked & known) >= max(1, SHARED_VALUES * min(len(asked), len(known)))

    def may_be_compared(self, other: ColumnFacts) -> bool:
        """Tell whether this column, on the left, and another one have something to compare."""
        return self.kind == other.kind or may_be_compared(self.sampled, other.sampled)

    def may_name_the_same(self, other: ColumnFacts) -> bool:
        """Tell whether columns are of one kind that has a form, or have values of the same words.

        So they may where one has too few values to tell.
        """
        fewer, more = sorted((self, other), key=lambda column: len(column.counts))
        return (
            len(fewer.counts) < FEWEST_VALUES
            or are_of_one_kind((fewer.sample, fewer.name), (more.sample, more.name))
            or share_words(fewer.sample, more.counts.keys())
        )


Facts: TypeAlias = dict[Hashable, ColumnFacts]
"""What the columns of a table look like, by their names."""


def facts_of(table: Table, without: Sequence[Hashable] = ()) -> Facts:
    """Prepare to tell what the columns of a table look like, but for some; nothing is read yet.

    A single column is what is meant, whatever else it is used for.
    """
    return {
        name: ColumnFacts(column, name)
        for name, column in table.columns.items()
        if table.single or name not in without
    }


def _like(column: Cells, cells: list[Any]) -> Cells:
    """A column of these cells, of the type of another one."""
    made = PlainColumn(column.name, cells)
    made.dtype = column.dtype
    return made


def _folded(text: str) -> str:
    return text.strip().casefold()


def _is_whole(number: float) -> bool:
    return math.isfinite(number) and number == number // 1
