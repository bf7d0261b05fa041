"""Slips in written text: typing, reading machines, hearing, abbreviating, words lost or moved."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from random import Random

from pearljoin_train.augment.character import misspell
from pearljoin_train.augment.people import SLIPS as HEARD_ALIKE
from pearljoin_train.augment.token import swap_words

__all__ = [
    "abbreviate",
    "change_case",
    "change_digit",
    "cut_off",
    "drop_word",
    "join_words",
    "lose_accents",
    "mishear",
    "misread",
    "misspell",
    "punctuate",
    "split_word",
    "swap_digits",
    "swap_words",
]

READ_ALIKE = (
    ("rn", "m"), ("m", "rn"), ("l", "1"), ("l", "I"), ("i", "l"), ("o", "0"), ("O", "0"),
    ("0", "O"), ("1", "l"), ("1", "I"), ("5", "S"), ("S", "5"), ("8", "B"), ("B", "8"),
    ("cl", "d"), ("e", "c"), ("h", "b"), ("u", "v"), ("w", "vv"), ("g", "q"), ("ri", "n"),
    ("f", "t"), ("Z", "2"), ("6", "b"),
)  # fmt: skip
"""What a reading machine takes for what."""


def misread(text: str, rng: Random) -> str:
    """Replace a letter or two as a reading machine does.

    Examples
    --------
    >>> misread("Barnes", Random(1))
    'Bames'
    """
    return _replace_one(text, text, READ_ALIKE, rng)


def mishear(text: str, rng: Random) -> str:
    """Replace letters by others that sound alike.

    Examples
    --------
    >>> mishear("Philip Nickson", Random(0))
    'Phillip Nickson'
    """
    # A single first letter is heard rightly; "ph" and "mac" are not.
    heard = _replace_one(text, text.lower(), HEARD_ALIKE, rng, first=1)
    is_title = text[:1].isupper() and not text.isupper()
    return heard[:1].upper() + heard[1:] if is_title else heard


def _replace_one(
    text: str, searched: str, table: Sequence[tuple[str, str]], rng: Random, first: int = 0
) -> str:
    """Replace one of the keys of a table that occur in the text; a single letter from `first` on.

    `searched` is the text in the case of the keys.
    """
    found = [
        (old, new) for old, new in table if searched.find(old, first if len(old) == 1 else 0) >= 0
    ]
    # "İ" is two letters in lower case, so that places in one text are not those in the other.
    if not found or len(searched) != len(text):
        return text
    old, new = rng.choice(found)
    least = first if len(old) == 1 else 0
    at = rng.choice([at for at in range(least, len(text)) if searched.startswith(old, at)])
    return text[:at] + (new.upper() if text.isupper() else new) + text[at + len(old) :]


def drop_word(text: str, rng: Random) -> str:
    """Leave out one word, not a number."""
    words = text.split()
    loose = [at for at, word in enumerate(words) if not any(map(str.isdigit, word))]
    if len(words) < 2 or not loose:
        return text
    del words[rng.choice(loose)]
    return " ".join(words)


def abbreviate(text: str, rng: Random) -> str:
    """Cut one long word short, with or without a dot, or leave out its vowels.

    Examples
    --------
    >>> abbreviate("International Paper", Random(3))
    'In Paper'
    """
    words = text.split()
    long = [at for at, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not long:
        return text
    at = rng.choice(long)
    word = words[at]
    if rng.random() < 0.3:
        words[at] = word[0] + "".join(letter for letter in word[1:] if letter not in "aeiouAEIOU")
    else:
        words[at] = word[: rng.randint(1, 4)] + rng.choice((".", ""))
    return " ".join(words)


def join_words(text: str, rng: Random) -> str:
    """Leave out one space."""
    words = text.split()
    if len(words) < 2:
        return text
    at = rng.randrange(len(words) - 1)
    return " ".join([*words[:at], words[at] + words[at + 1], *words[at + 2 :]])


def split_word(text: str, rng: Random) -> str:
    """Put a space into a long word."""
    words = text.split()
    long = [at for at, word in enumerate(words) if len(word) > 5 and word.isalpha()]
    if not long:
        return text
    at = rng.choice(long)
    place = rng.randint(2, len(words[at]) - 2)
    words[at] = f"{words[at][:place]} {words[at][place:]}"
    return " ".join(words)


def cut_off(text: str, rng: Random) -> str:
    """Leave out the end."""
    least = max(3, len(text) // 3)
    return text[: rng.randint(least, len(text) - 1)].rstrip() if len(text) > least + 1 else text


def lose_accents(text: str, rng: Random) -> str:
    """Leave out accents; without any, nothing changes."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFD", text.replace("ß", "ss").replace("ø", "o"))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def change_case(text: str, rng: Random) -> str:
    """Write in capitals or without."""
    return text.upper() if rng.random() < 0.5 else text.lower()


def punctuate(text: str, rng: Random) -> str:
    """Add, change or leave out punctuation."""
    bare = "".join(" " if letter in "-/" else letter for letter in text if letter not in ".,;:'()")
    if bare != text and rng.random() < 0.7:
        return " ".join(bare.split())
    words = text.split()
    at = rng.randrange(len(words)) if words else 0
    if len(words) > 1 and at + 1 < len(words):
        return " ".join([*words[:at], words[at] + rng.choice((",", " -", ".")), *words[at + 1 :]])
    return text + rng.choice((".", " *", ","))


def change_digit(text: str, rng: Random) -> str:
    """Replace one digit by another.

    Examples
    --------
    >>> change_digit("AB-1234", Random(0))
    'AB-1231'
    """
    places = [at for at, letter in enumerate(text) if "0" <= letter <= "9"]
    if not places:
        return text
    at = rng.choice(places)
    other = str((int(text[at]) + rng.randint(1, 9)) % 10)
    return text[:at] + other + text[at + 1 :]


def swap_digits(text: str, rng: Random) -> str:
    """Swap two digits that stand side by side and differ."""
    places = [
        at
        for at in range(len(text) - 1)
        if "0" <= text[at] <= "9" and "0" <= text[at + 1] <= "9" and text[at] != text[at + 1]
    ]
    if not places:
        return text
    at = rng.choice(places)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
