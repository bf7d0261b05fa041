"""Comparison of lists: authors, tags."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pearljoin._kinds.cells import cell_text
from pearljoin._kinds.protocol import (
    Comparer,
    Kind,
    Levels,
    Parsed,
    Texts,
    Values,
    Within,
    text_array,
)
from pearljoin._kinds.read_list import Entry, read_entry, split_list
from pearljoin._kinds.spelling import jaro_winkler
from pearljoin._kinds.word_table import hash_words
from pearljoin._ragged import bounds_of
from pearljoin._typing import BoolVector, IntVector

__all__ = ["ListComparer", "ParsedLists"]

SLIP = 0.95
"""Jaro-Winkler similarity of two spellings of one entry. Lists have many entries to choose from, so
it is higher than for a single name."""

MOST_ENTRIES = 50
"""Entries of a list that are compared: papers of physics have thousands of authors."""

MOST_CELLS = 4_000_000
"""Pairs of entries that are compared at a time."""


@dataclass(frozen=True, eq=False)
class ParsedLists(Parsed):
    """Lists of entries, one list after the other.

    Attributes
    ----------
    bounds
        int64 of shape (n_values + 1,): where the entries of each list start, and the last end.
    text
        str of shape (n_entries,): the entries, normalised.
    short
        str of shape (n_entries,): first letter of the given name, and the family name.
    hashes
        uint64 of shape (n_entries, 3): of the text, the family and the given name; 0 for "".
    first
        uint32 of shape (n_entries, 2): first letters of family and given name; 0 for "".
    is_initial
        bool of shape (n_entries,): whether the given name is a single letter.
    """

    bounds: IntVector
    text: Texts
    short: Texts
    hashes: NDArray[np.uint64]
    first: NDArray[np.uint32]
    is_initial: BoolVector


class ListComparer(Comparer[ParsedLists]):
    """Compares lists by the entries that they share, in any order.

    Entries are the same where their text is, where they are names of equal family and compatible
    given names ("Smith, J.", "John Smith"), or spelled alike. "One within the other" is for lists
    cut short, by "et al." or silently.

    Splink's ArrayIntersectAtSizes counts common entries likewise, by equality.

    Parameters
    ----------
    separator
        The sign between entries (`pearljoin._kinds.read_list.list_separator`). It serves `read`
        alone, so the two sides may be written differently.
    """

    kind: ClassVar[Kind] = "list"
    levels: ClassVar[tuple[str, ...]] = (
        "different",
        "some in common",
        "half in common",
        "one within the other",
        "all in common",
        "equal",
    )

    def __init__(self, separator: str | None = None) -> None:
        self.separator = separator

    def read(self, values: Values) -> ParsedLists:
        """Read lists: text, or tuples of entries; values without a letter or digit are unparsable.

        Examples
        --------
        >>> ListComparer().read(["Smith, J.; Doe, A.", "A. Doe and J. Smith"]).canonical
        array(['a doe; j smith', 'a doe; j smith'], dtype=object)
        """
        cells = [
            value if isinstance(value, tuple | list) and value else cell_text(value or None)
            for value in values
        ]
        split = [None if cell is None else split_list(cell, self.separator) for cell in cells]
        known: dict[str, Entry | None] = {}  # Most entries stand in many lists.
        lists: list[list[Entry]] = []
        written: list[str | None] = []
        for found in split:
            texts, truncated = found or ([], False)
            for text in texts:
                if text not in known:
                    known[text] = read_entry(text)
            entries = [entry for text in texts[:MOST_ENTRIES] if (entry := known[text])]
            lists.append(entries)
            names = [*sorted(entry.text for entry in entries), *["et al"] * truncated]
            written.append("; ".join(names) if entries else None)
        flat = list(chain.from_iterable(lists))
        first = [[ord((part or "\0")[0]) for part in (e.family, e.given)] for e in flat]
        return ParsedLists(
            text_array(written),
            sum(text is None for text in written) - sum(cell is None for cell in cells),
            bounds_of(np.array([len(entries) for entries in lists], dtype=np.int64)),
            text_array(entry.text for entry in flat),
            text_array(f"{entry.given[:1]} {entry.family}" for entry in flat),
            hash_words([(entry.text, entry.family, entry.given) for entry in flat], 3),
            np.array(first, dtype=np.uint32).reshape(-1, 2),
            np.array([len(entry.given) == 1 for entry in flat], dtype=bool),
        )

    def _compare_unequal(
        self, left: ParsedLists, right: ParsedLists, left_at: IntVector, right_at: IntVector
    ) -> tuple[Levels, Within]:
        sizes = np.diff(left.bounds)[left_at], np.diff(right.bounds)[right_at]
        common = np.empty(len(left_at), dtype=np.int64)
        ends = np.cumsum(sizes[0] * sizes[1])
        start = 0
        while start < len(left_at):
            most = (ends[start - 1] if start else 0) + MOST_CELLS
            end = max(start + 1, int(np.searchsorted(ends, most, side="right")))
            part = slice(start, end)
            common[part] = _common_entries(left, right, left_at[part], right_at[part])
            start = end
        shorter, longer = np.minimum(*sizes), np.maximum(*sizes)
        level = np.select(
            [common == longer, common == shorter, 2 * common >= shorter, common > 0],
            [4, 3, 2, 1],
            0,
        )
        return level.astype(np.int8), common / (shorter + longer - common)


def _common_entries(
    left: ParsedLists, right: ParsedLists, left_at: IntVector, right_at: IntVector
) -> IntVector:
    """Count the entries that the lists of each pair share: int64 of shape (n_pairs,)."""
    n_left, n_right = np.diff(left.bounds)[left_at], np.diff(right.bounds)[right_at]
    pair = np.repeat(np.arange(len(left_at)), n_left * n_right)
    within = np.arange(len(pair)) - np.repeat(
        np.cumsum(n_left * n_right) - n_left * n_right, n_left * n_right
    )
    place = np.divmod(within, n_right[pair])
    one, other = left.bounds[left_at][pair] + place[0], right.bounds[right_at][pair] + place[1]
    at = np.flatnonzero(_is_same_entry(left, right, one, other))
    # An entry counts once, however many of the other list it goes with.
    counts = []
    for size, of_side in ((n_left, place[0]), (n_right, place[1])):
        offsets = np.cumsum(size) - size
        slots = np.unique(offsets[pair[at]] + of_side[at])
        owner = np.searchsorted(np.cumsum(size), slots, side="right")
        counts.append(np.bincount(owner, minlength=len(size)))
    return np.minimum(*counts)


def _is_same_entry(
    left: ParsedLists, right: ParsedLists, one: IntVector, other: IntVector
) -> BoolVector:
    """Mark pairs of entries that are the same."""
    text = left.hashes[one, 0] == right.hashes[other, 0]
    family = left.hashes[one, 1] == right.hashes[other, 1]
    letters = left.first[one], right.first[other]
    initials = left.is_initial[one] | right.is_initial[other]
    no_given = (letters[0][:, 1] == 0) | (letters[1][:, 1] == 0)
    given = (left.hashes[one, 2] == right.hashes[other, 2]) | no_given
    given |= initials & (letters[0][:, 1] == letters[1][:, 1])
    same = np.asarray(text | (family & given), dtype=bool)
    # Two slips in the first letters of both names are too many to look for.
    alike = ~same & (letters[0] == letters[1]).all(axis=1) & ~family
    at = np.flatnonzero(alike)
    if len(at):
        size = len(right.text)
        entries, which = np.unique(one[at] * size + other[at], return_inverse=True)
        ends = np.divmod(entries, size)
        # Beside an initial a whole given name would look like many slips.
        is_short = left.is_initial[ends[0]] | right.is_initial[ends[1]]
        written = [
            np.where(is_short, side.short[at], side.text[at])
            for side, at in zip((left, right), ends, strict=True)
        ]
        same[at] = (jaro_winkler(*written) >= SLIP)[which.reshape(-1)]
    return same
