"""What every comparer of a kind of column does: read values once, then compare pairs of them.

The levels of a comparison are those of Fellegi and Sunter (1969), as Splink's comparison library
(https://moj-analytical-services.github.io/splink/api_docs/comparison_library.html) sets them out
for each kind. Within a level the similarity is continuous, so that few pairs tie.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from pearljoin._cached import cached_property
from pearljoin._kinds.fillers import is_filler
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = [
    "KINDS",
    "MISSING",
    "Compared",
    "Comparer",
    "Kind",
    "Levels",
    "Parsed",
    "Texts",
    "Values",
    "Within",
    "read_each",
    "text_array",
]

Kind: TypeAlias = Literal[
    "name",
    "text",
    "person",
    "address",
    "date",
    "email",
    "phone",
    "postcode",
    "code",
    "number",
    "category",
    "list",
    "coordinate",
]
"""Kind of a key column.

name        names and short text; compared by the match scorer, so it has no comparer here
text        long text: descriptions, comments
person      names of people, in one column or several
address     street addresses
date        dates and times, also a year alone
email       e-mail addresses
phone       phone numbers
postcode    postal codes
code        identifiers and model numbers
number      numbers, quantities with units, prices
category    one of a few values
list        several values in a cell: authors, tags
coordinate  latitude and longitude, two columns
"""

KINDS: tuple[Kind, ...] = get_args(Kind)

Values: TypeAlias = "Iterable[Any] | NDArray[Any]"
"""Distinct values of a column: text, numbers, dates, or tuples of these; None and NaN are null."""

Texts: TypeAlias = NDArray[np.object_]
"""str of shape (n,), as objects: numpy's own strings would take the room of the longest."""

Levels: TypeAlias = NDArray[np.int8]
"""int8 of shape (n_pairs,): index of a comparison level, or `MISSING`."""

Within: TypeAlias = NDArray[np.float64]
"""float64 of shape (n_pairs,), in [0, 1]: how near to the next level a pair is."""

MISSING = -1
"""Level of a pair of which one value is null or cannot be read; also the position of a null."""

BELOW_NEXT = 0.999
"""Part of a level's range that its pairs use, so that similarity 1 is left to equal values."""

Read = TypeVar("Read")


@dataclass(frozen=True, eq=False)
class Parsed:
    """The values of one column, as a comparer reads them.

    Attributes
    ----------
    canonical
        str of shape (n_values,): each value in one way of writing; values are equal where these
        are. None for one that is null or cannot be read.
    n_unparsable
        How many values are not null and cannot be read.
    """

    canonical: Texts
    n_unparsable: int

    def __len__(self) -> int:
        return len(self.canonical)

    @cached_property
    def is_null(self) -> BoolVector:
        """Which values are null, or cannot be read: bool of shape (n_values,)."""
        return np.array([value is None for value in self.canonical], dtype=bool)


ParsedT = TypeVar("ParsedT", bound=Parsed)


class Compared(NamedTuple):
    """How pairs of values compare.

    Attributes
    ----------
    level
        int8 of shape (n_pairs,): index in `Comparer.levels`, or `MISSING`.
    similarity
        float32 of shape (n_pairs,), in [0, 1]: the level, and how near the pair is to the next. It
        ascends with the level, is 1 for equal values alone, and 0 where one is missing.
    """

    level: Levels
    similarity: FloatVector


class Comparer(ABC, Generic[ParsedT]):
    """Compares values of one kind of column. Symmetric in its sides, and frozen.

    What a comparer must know of a table (the order of day and month, term weights) is given when it
    is made, so a pair compares the same whatever else is compared with it.
    """

    kind: ClassVar[Kind]

    levels: ClassVar[tuple[str, ...]]
    """Comparison levels, from no agreement to equality."""

    @property
    def prior_kind(self) -> str:
        """The kind by which match weights of tables at large are kept."""
        return self.kind

    @abstractmethod
    def read(self, values: Values) -> ParsedT:
        """Read the distinct values of a column."""

    @abstractmethod
    def _compare_unequal(
        self, left: ParsedT, right: ParsedT, left_at: IntVector, right_at: IntVector
    ) -> tuple[Levels, Within]:
        """Compare distinct pairs of values that are present and differ.

        `MISSING` is the level of two of which nothing is known in common.
        """

    def compare(
        self, left: ParsedT, right: ParsedT, left_at: IntVector, right_at: IntVector
    ) -> Compared:
        """Compare pairs of values, each distinct pair once.

        Parameters
        ----------
        left, right
            What `read` returned for the columns of both sides.
        left_at, right_at
            int64 of shape (n_pairs,): position of each pair's values; `MISSING` for null.

        Returns
        -------
        compared
            A level and a similarity for each pair.
        """
        level = np.full(len(left_at), MISSING, dtype=np.int8)
        similarity = np.zeros(len(left_at), dtype=np.float32)
        known = np.flatnonzero((left_at != MISSING) & (right_at != MISSING))
        known = known[~(left.is_null[left_at[known]] | right.is_null[right_at[known]])]
        if not len(known):
            return Compared(level, similarity)
        pairs, which = np.unique(left_at[known] * len(right) + right_at[known], return_inverse=True)
        left_values, right_values = np.divmod(pairs, len(right))
        top = len(self.levels) - 1
        same = left.canonical[left_values] == right.canonical[right_values]
        levels = np.full(len(pairs), top, dtype=np.int8)
        scores = np.ones(len(pairs))
        rest = np.flatnonzero(~same.astype(bool))
        if len(rest):
            found, within = self._compare_unequal(
                left, right, left_values[rest], right_values[rest]
            )
            levels[rest] = found
            similar = (found + BELOW_NEXT * np.clip(within, 0, 1)) / top
            scores[rest] = np.where(found == MISSING, 0, similar)
        level[known] = levels[which.reshape(-1)]
        similarity[known] = scores[which.reshape(-1)]
        return Compared(level, similarity)

    def place(self, compared: Compared) -> FloatVector:
        """Place pairs on the scale of match weights: float32 of shape (n_pairs,), in [0, 1].

        That is their similarity, unless values that are written alike are evidence against a match.
        """
        return compared.similarity


def text_array(texts: Iterable[str | None]) -> Texts:
    """Make an array of strings as objects: of shape (n,)."""
    listed = list(texts)
    array: Texts = np.empty(len(listed), dtype=object)
    array[:] = listed
    return array


def read_each(
    texts: list[str | None], read: Callable[[str], Read | None]
) -> tuple[list[Read | None], int]:
    """Read texts one by one, and count those that are not null and cannot be read.

    Parameters
    ----------
    texts
        As of `pearljoin._kinds.cells.cell_texts`.
    read
        Reads one text; returns None where it cannot.

    Returns
    -------
    found, n_unparsable
        What was read, None for null; and the count, in which "N/A" and the like are null.
    """
    found = [None if text is None else read(text) for text in texts]
    unread = (text for text, value in zip(texts, found, strict=True) if value is None and text)
    return found, sum(not is_filler(text) for text in unread)
