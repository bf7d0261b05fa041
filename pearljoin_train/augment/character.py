"""Character-level augmentation: misspellings of one word (PEARL, section 3.1).

Every rule is total: it takes any string, raises for none, and makes none empty. Where it has
nothing to do it returns the text as it came. What it edits is a *letter*: a character with the
marks, joiners and variation selectors that follow it, so that no accent is left without its base.

Words with digits are left alone, and so are Roman numerals: "2009 final" and "2010 final", or
Henry VII and VIII, are no misspellings of each other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from string import ascii_lowercase, ascii_uppercase

from pearljoin_train.augment.rules import Chance, Rule, pick, place

__all__ = [
    "CHARACTER_RULES",
    "drop_letter",
    "insert_letter",
    "misspell",
    "misspell_code",
    "press_neighbour",
    "swap_letters",
]

WORDS = re.compile(r"(?<!\S)(?![IVXLCDM]+(?!\S))[^\s\d]+(?!\S)")
"""Words that may be edited: between white space, without a digit, and no Roman numeral."""

CODES = re.compile(r"(?<!\S)(?=\S*\d)[^\W\d_]\S{5,}(?!\S)")
"""Long words of a letter first and digits behind, such as model numbers; sizes seldom are."""

JOINER = "\u200d"

KEYBOARDS = (
    ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    ("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
    (" ςερτυθιοπ", "ασδφγηξκλ", "ζχψωβνμ"),
    ("  קראטוןםפ", "שדגכעיחלךף", "זסבהנמצתץ"),
    ("ضصثقفغعهخحجد", "شسيبلاتنمكط", "ئءؤر ىةوزظ"),
)
"""Rows of letters as they lie on the keyboard, from the key of Q, A and Z on, each row half a key
right of the one above it; a space is a key without a letter. Latin, Cyrillic, Greek, Hebrew,
Arabic."""


def _neighbours(rows: tuple[str, ...]) -> Iterable[tuple[str, str]]:
    for depth, row in enumerate(rows):
        below = rows[depth + 1] if depth + 1 < len(rows) else ""
        for column, key in enumerate(row):
            near = [*row[column + 1 : column + 2], *below[max(0, column - 1) : column + 1]]
            for other in near:
                yield key, other
                yield other, key


def _keys() -> Mapping[str, str]:
    beside: dict[str, str] = {}
    for rows in KEYBOARDS:
        for key, other in _neighbours(rows):
            if " " not in (key, other):
                beside[key] = beside.get(key, "") + other
    upper = {key.upper(): near.upper() for key, near in beside.items() if len(key.upper()) == 1}
    return upper | beside


BESIDE = _keys()
"""The keys beside a key, as one string, in upper case for an upper-case one."""


def _letters(word: str) -> list[str]:
    """Split a word into letters, each with what belongs to it."""
    if word.isascii():
        return list(word)
    letters: list[str] = []
    for character in word:
        joined = bool(letters) and (character == JOINER or letters[-1][-1] == JOINER)
        if letters and (joined or unicodedata.category(character) in {"Mn", "Mc", "Me", "Sk"}):
            letters[-1] += character
        else:
            letters.append(character)
    return letters


def _edit(
    text: str,
    rng: Chance,
    change: Callable[[list[str], Chance], list[str]],
    words: re.Pattern[str] = WORDS,
) -> str:
    """Change the letters of one word; a long word is as much likelier as it is longer."""
    spans = [found.span() for found in words.finditer(text)]
    at = place(sum(end - start for start, end in spans), rng)
    for start, end in spans:
        at -= end - start
        if at < 0:
            letters = _letters(text[start:end])
            return text[:start] + "".join(change(letters, rng)) + text[end:]
    return text


def swap_letters(text: str, rng: Chance) -> str:
    """Swap two letters that stand side by side and differ.

    Parameters
    ----------
    text
        Any string.
    rng
        Draws the word and the letters.

    Returns
    -------
    swapped
        The text with one word changed, or as it was where no word has two different letters.

    Examples
    --------
    >>> from random import Random
    >>> swap_letters("The New York Times", Random(5))
    'The New Yokr Times'
    """
    return _edit(text, rng, _swap)


def _swap(letters: list[str], rng: Chance) -> list[str]:
    pairs = [at for at in range(len(letters) - 1) if letters[at] != letters[at + 1]]
    if pairs:
        at = pick(pairs, rng)
        letters[at], letters[at + 1] = letters[at + 1], letters[at]
    return letters


def drop_letter(text: str, rng: Chance) -> str:
    """Drop one letter of a word that has two or more; returns as `swap_letters`.

    Examples
    --------
    >>> from random import Random
    >>> drop_letter("The New York Times", Random(3))
    'The Nw York Times'
    """
    return _edit(text, rng, _drop)


def _drop(letters: list[str], rng: Chance) -> list[str]:
    if len(letters) > 1:
        del letters[place(len(letters), rng)]
    return letters


def insert_letter(text: str, rng: Chance) -> str:
    """Insert a letter into a word; returns as `swap_letters`.

    A word of ASCII gets any of a to z, in its own case; another one a second copy of one of its
    own letters, which is of its script whatever that is.

    Examples
    --------
    >>> from random import Random
    >>> insert_letter("The New York Times", Random(3))
    'The Nejw York Times'
    """
    return _edit(text, rng, _insert)


def _insert(letters: list[str], rng: Chance) -> list[str]:
    word = "".join(letters)
    alphabet: str | list[str] = letters
    if word.isascii():
        alphabet = ascii_uppercase if len(word) > 1 and word.isupper() else ascii_lowercase
    letters.insert(place(len(letters) + 1, rng), pick(alphabet, rng))
    return letters


def press_neighbour(text: str, rng: Chance) -> str:
    """Replace a letter by one beside it on the keyboard; returns as `swap_letters`.

    Five keyboards are known; a word of other scripts is left as it is.

    Examples
    --------
    >>> from random import Random
    >>> press_neighbour("The New York Times", Random(3))
    'The Nrw York Times'
    """
    return _edit(text, rng, _press)


def _press(letters: list[str], rng: Chance) -> list[str]:
    known = [at for at, letter in enumerate(letters) if letter in BESIDE]
    if known:
        at = pick(known, rng)
        letters[at] = pick(BESIDE[letters[at]], rng)
    return letters


CHARACTER_RULES: tuple[Rule, ...] = (swap_letters, drop_letter, insert_letter, press_neighbour)
"""The four rules of section 3.1."""


def misspell(text: str, rng: Chance) -> str:
    """Apply one of the four rules, or the next of them where that one has nothing to do.

    Parameters
    ----------
    text
        Any string.
    rng
        Draws the rule, the word and the letters.

    Returns
    -------
    misspelt
        The text with one word changed; as it was where none may be (`CHARACTER_RULES`).

    Examples
    --------
    >>> from random import Random
    >>> misspell("The New York Times", Random(1))
    'The New York Timse'
    >>> misspell("1984", Random(1))
    '1984'
    """
    first = place(len(CHARACTER_RULES), rng)
    for rule in CHARACTER_RULES[first:] + CHARACTER_RULES[:first]:
        changed = rule(text, rng)
        if changed != text:
            return changed
    return text


def misspell_code(text: str, rng: Chance) -> str:
    """Swap, drop or insert a letter or digit of a word that has both; returns as `swap_letters`.

    Examples
    --------
    >>> from random import Random
    >>> misspell_code("Makita DDF484Z drill", Random(3))
    'Makita DD4F84Z drill'
    """
    return _edit(text, rng, pick((_swap, _drop, _insert), rng), CODES)
