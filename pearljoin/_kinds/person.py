"""Comparison of names of people, in one column or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._cached import cached_property
from pearljoin._kinds.cells import cell_text
from pearljoin._kinds.person_names import Part, PersonName, read_person
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
from pearljoin._kinds.spelling import ALIKE, conflict, jaro_winkler, same
from pearljoin._kinds.word_table import hash_words, word_bits
from pearljoin._text.background import bundled_background
from pearljoin._typing import BoolVector, IntVector

__all__ = ["ParsedPeople", "PersonComparer", "is_equivalent"]

MOST_WORDS = 6
"""Words of a name that are looked for in the other name."""

SHORTEST_FORM = 3
"""Letters of a given name that may be short for one that begins with it."""

NOBODY = PersonName((), (), ())


@dataclass(frozen=True, eq=False)
class ParsedPeople(Parsed):
    """Names of people in parts.

    Attributes
    ----------
    given, middle, family, generation
        str of shape (n_values,): the first given name, the first letter of the second, the family
        name without particles, and "jr" or the like; "" where there is none.
    joined, turned
        str of shape (n_values,): all words without blanks, given names first, and family name
        first.
    words
        uint64 of shape (n_values, `MOST_WORDS`): hashes of the words; 0 behind the last.
    letters
        uint32 of the same shape: their first letters. The first is that of `given`, 0 without one.
    is_letter
        bool of the same shape: whether a word is a single letter.
    """

    given: Texts
    middle: Texts
    family: Texts
    generation: Texts
    joined: Texts
    turned: Texts
    words: NDArray[np.uint64]
    letters: NDArray[np.uint32]
    is_letter: NDArray[np.bool_]

    @cached_property
    def bits(self) -> NDArray[np.uint64]:
        """uint64 of shape (n_values,): a bit for each word that is not a single letter."""
        return word_bits(np.where(self.is_letter, np.uint64(0), self.words))


class PersonComparer(Comparer[ParsedPeople]):
    """Compares names of people by given and family names.

    The levels are those of Splink's ForenameSurnameComparison, without its second threshold, and
    two more: initials, and nicknames (`pearljoin._text.background`) with other short forms.
    "Rearranged" are the same words in another order, joined, or without some of them: given and
    family name exchanged, a second given name or a particle left out. "Near" is a Jaro-Winkler
    similarity of 0.88 of both names. Second given names or generations that contradict each other
    are "near" at most.

    Parameters
    ----------
    parts
        What each column holds. A value is a tuple of as many cells; of one column, a cell or a
        tuple. It serves `read` alone, so the two sides may have different columns.
    """

    kind: ClassVar[Kind] = "person"
    levels: ClassVar[tuple[str, ...]] = (
        "different",
        "same given name",
        "same family name",
        "near",
        "initial",
        "nickname",
        "rearranged",
        "equal",
    )

    def __init__(self, parts: Sequence[Part] = ("full",)) -> None:
        self.parts = tuple(parts)

    def read(self, values: Values) -> ParsedPeople:
        """Read names; values without a letter are unparsable.

        Examples
        --------
        >>> PersonComparer().read(["Smith, John", "Jan van der Berg", "-"]).canonical
        array(['john smith', 'jan van der berg', None], dtype=object)
        >>> PersonComparer(("given", "family")).read([("John", "Smith")]).canonical
        array(['john smith'], dtype=object)
        """
        cells = [self._cells(value) for value in values]
        found = [read_person(row, self.parts) for row in cells]
        n_null = sum(all(cell is None for cell in row) for row in cells)
        names = [name or NOBODY for name in found]
        running = [[*name.given, *name.particles, *name.family] for name in names]
        turned = [[*name.particles, *name.family, *name.given] for name in names]
        return ParsedPeople(
            text_array(name and _write(name) for name in found),
            sum(name is None for name in found) - n_null,
            text_array(name.given[0] if name.given else "" for name in names),
            text_array(name.given[1][0] if len(name.given) > 1 else "" for name in names),
            text_array(" ".join(name.family) for name in names),
            text_array(name.generation for name in names),
            text_array(map("".join, running)),
            text_array(map("".join, turned)),
            *_word_table(names),
        )

    def _cells(self, value: Any) -> list[str | None]:
        row = value if isinstance(value, tuple | list) else (value,)
        return [cell_text(cell) for cell in row]

    def _compare_unequal(
        self, left: ParsedPeople, right: ParsedPeople, left_at: IntVector, right_at: IntVector
    ) -> tuple[Levels, Within]:
        given = left.given[left_at], right.given[right_at]
        family = left.family[left_at], right.family[right_at]
        likeness = jaro_winkler(*given), jaro_winkler(*family)
        same_given, same_family = same(*given), same(*family)
        given_missing = [np.asarray(side == "", dtype=bool) for side in given]
        given_whole = ~(left.is_letter[left_at, 0] | right.is_letter[right_at, 0])
        shared = _shared_words(left, right, left_at, right_at)
        # "Madonna" beside "Madonna Ciccone"
        alone = given_missing[0] & same(family[0], given[1])
        alone |= given_missing[1] & same(family[1], given[0])
        family_near = likeness[1] >= ALIKE
        nickname = np.zeros(len(left_at), dtype=bool)
        at = np.flatnonzero(family_near & ~same_given)
        nickname[at] = is_equivalent(given[0][at], given[1][at])
        initial = shared.initial | given_missing[0] | given_missing[1]
        crossed = np.minimum(jaro_winkler(given[0], family[1]), jaro_winkler(family[0], given[1]))
        given_near = (likeness[0] >= ALIKE) | nickname | initial
        contradict = conflict(left.middle[left_at], right.middle[right_at])
        contradict |= conflict(left.generation[left_at], right.generation[right_at])
        rearranged = shared.all_words | _is_rejoined(left, right, left_at, right_at)
        rearranged |= same_given & same_family & given_whole
        level = np.select(
            [
                rearranged & ~contradict,
                nickname & same_family & ~contradict,
                initial & (same_family | shared.all_but_initials) & ~contradict,
                (family_near & given_near) | (crossed >= ALIKE) | rearranged,
                same_family,
                (same_given & given_whole) | alone,
            ],
            [6, 5, 4, 3, 2, 1],
            0,
        )
        return level.astype(np.int8), np.maximum((likeness[0] + likeness[1]) / 2, crossed)


class _SharedWords(NamedTuple):
    """Whether the words of one name are those of the other; bool of shape (n_pairs,) each.

    Attributes
    ----------
    all_words
        All words of one name stand in the other, two at least.
    all_but_initials
        Likewise, where an initial stands for a word that begins with it.
    initial
        The first given names are an initial and a word that begins with it, or one initial.
    """

    all_words: BoolVector
    all_but_initials: BoolVector
    initial: BoolVector


def is_equivalent(left: Texts, right: Texts) -> BoolVector:
    """Mark pairs of given names that are written for each other, or one short for the other.

    Examples
    --------
    >>> is_equivalent(text_array(["bob", "alex", "bob"]), text_array(["robert", "alexandra", "al"]))
    array([ True,  True, False])
    """
    known = bundled_background().equivalents
    nothing: dict[str, float] = {}
    return np.array(
        [
            other in known.get(one, nothing)
            or (
                min(len(one), len(other)) >= SHORTEST_FORM
                and (one.startswith(other) or other.startswith(one))
            )
            for one, other in zip(left.tolist(), right.tolist(), strict=True)
        ],
        dtype=bool,
    )


def _shared_words(
    left: ParsedPeople, right: ParsedPeople, left_at: IntVector, right_at: IntVector
) -> _SharedWords:
    letters = left.letters[left_at, 0], right.letters[right_at, 0]
    single = left.is_letter[left_at, 0] | right.is_letter[right_at, 0]
    initial = (letters[0] == letters[1]) & (letters[0] > 0) & single
    all_words, all_but_initials = np.zeros((2, len(left_at)), dtype=bool)
    # Most pairs share no word, which their bits mostly tell.
    at = np.flatnonzero(left.bits[left_at] & right.bits[right_at])
    one, other = _Words(left, left_at[at]), _Words(right, right_at[at])
    same = (one.words[:, :, None] == other.words[:, None, :]) & one.present[:, :, None]
    same &= ~one.is_letter[:, :, None]
    begins = one.letters[:, :, None] == other.letters[:, None, :]
    begins &= one.present[:, :, None] & (one.is_letter[:, :, None] | other.is_letter[:, None, :])
    some = same.any(axis=(1, 2)) & (np.minimum(one.count, other.count) > 1)
    for found, agree in ((all_words, same), (all_but_initials, same | begins)):
        first = (agree.any(axis=2) | ~one.present).all(axis=1)
        second = (agree.any(axis=1) | ~other.present).all(axis=1)
        found[at] = some & (first | second)
    return _SharedWords(all_words, all_but_initials, initial)


class _Words:
    """The words of some names: hashes, first letters, which there are, and how many."""

    def __init__(self, people: ParsedPeople, at: IntVector) -> None:
        self.words = people.words[at]
        self.letters = people.letters[at]
        self.is_letter = people.is_letter[at]
        self.present = self.words > 0
        self.count = self.present.sum(axis=1)


def _is_rejoined(
    left: ParsedPeople, right: ParsedPeople, left_at: IntVector, right_at: IntVector
) -> BoolVector:
    """Mark pairs of the same letters, once blanks and the order of given and family are gone."""
    one = left.joined[left_at], left.turned[left_at]
    other = right.joined[right_at], right.turned[right_at]
    agree = [same(first, second) for first in one for second in other]
    return agree[0] | agree[1] | agree[2] | agree[3]


def _write(name: PersonName) -> str:
    words = [*name.given, *name.particles, *name.family]
    return " ".join([*words, *filter(None, [name.generation])])


def _word_table(
    names: list[PersonName],
) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.bool_]]:
    """Hashes, first letters, and which are single letters, of the words of names."""
    # A name without a given name leaves the first place empty.
    rows = [[*(name.given or ("",)), *name.family][:MOST_WORDS] for name in names]
    letters = np.zeros((len(names), MOST_WORDS), dtype=np.uint32)
    single = np.zeros((len(names), MOST_WORDS), dtype=bool)
    for row, words in enumerate(rows):
        letters[row, : len(words)] = [ord(word[0]) if word else 0 for word in words]
        single[row, : len(words)] = [len(word) == 1 for word in words]
    return hash_words(rows, MOST_WORDS), letters, single
