"""Texts of odd shapes and any length."""

import random
from collections.abc import Callable

Shape = Callable[[int], str]


def repeated(piece: str) -> Shape:
    return lambda n: (piece * (n // len(piece) + 1))[:n]


def drawn(characters: str) -> Shape:
    return lambda n: "".join(random.Random(n).choices(characters, k=n))


def numbered(n: int) -> str:
    return " ".join(f"w{number}" for number in range(n // 6))


SHAPES: dict[str, Shape] = {
    "digits": repeated("9"),
    "wide digits": repeated("９"),
    "digits apart": repeated("9 "),
    "years": repeated("1999 "),
    "two years": repeated("2008-09 "),
    "digits behind letters": lambda n: "x" * (n // 2) + "1" * (n // 2),
    "digits and letters": repeated("a1"),
    "points and digits": repeated("1."),
    "signs and digits": repeated("-1 "),
    "letters": repeated("a"),
    "letters apart": repeated("a "),
    "initials": repeated("A."),
    "spaced initials": repeated("A. "),
    "blanks behind an initial": lambda n: "a." + " " * (n - 3) + "b",
    "blanks": lambda n: "a" + " " * (n - 2) + "b",
    "line ends": repeated("\r\n"),
    "opening brackets": repeated("("),
    "closing brackets": repeated("]"),
    "brackets": repeated("()"),
    "nested brackets": lambda n: "(" * (n // 2) + ")" * (n // 2),
    "bracketed words": repeated("(a) "),
    "brackets never closed": repeated("(a "),
    "commas": repeated(","),
    "words and commas": repeated("a, "),
    "apostrophes": repeated("o'"),
    "ampersands": repeated("& "),
    "hyphens": repeated("a-"),
    "punctuation": repeated("."),
    "one mark": lambda n: "e" + "\u0301" * (n - 1),
    "marks of two places": repeated("\u0301\u0323"),
    "marked letters": repeated("a\u0315\u0300\u0323"),
    "letters that decompose twice": repeated("ǿ"),
    "ligatures": repeated("ﬃ"),
    # Normalised, each is 18 characters.
    "long ligatures": lambda n: "\ufdfa" * (n // 6),
    "emoji": repeated("😀"),
    "joined emoji": repeated("👨\u200d👩\u200d"),
    "wrongly decoded": repeated("Ã©"),
    "lone surrogates": repeated("\ud800"),
    "control characters": repeated("\0\x1b"),
    "Hangul jamo": repeated("ᄀ"),
    "Chinese": repeated("漢"),
    "Roman numerals": repeated("xvi "),
    "distinct words": numbered,
    "ASCII": drawn("".join(map(chr, range(32, 127)))),
    "numbers and signs": drawn("0123456789.,-() "),
    "many scripts": drawn("".join(map(chr, range(0x20, 0x2FFF)))),
}
"""Makers of a text of about as many characters as they are given."""

SIGNS: dict[str, Shape] = {
    "addresses": repeated("a@b."),
    "angles": repeated("<"),
    "angles and blanks": repeated("< "),
    "an address of marks": lambda n: "a@" + "\u0301\u0323" * (n // 2),
    "quotes": repeated('"'),
    "dates": repeated("1/2/"),
    "telephones": repeated("+1 ("),
    "extensions": repeated("1 x"),
    "lists": repeated("a; b, c and "),
    "units": repeated("1 kg "),
}
"""Signs that readers of single kinds look for."""
