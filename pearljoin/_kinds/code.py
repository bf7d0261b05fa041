"""Comparison of codes: identifiers, article and model numbers."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pearljoin._cached import cached_property
from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.code_blocks import have_same_blocks
from pearljoin._kinds.code_labels import LABELS, Document, cut_label, read_document
from pearljoin._kinds.fillers import is_filler
from pearljoin._kinds.protocol import (
    Comparer,
    Kind,
    Levels,
    Parsed,
    Texts,
    Values,
    Within,
    read_each,
    text_array,
)
from pearljoin._kinds.spelling import edits, is_affix, lengths, same
from pearljoin._text.normalise import cut_marks
from pearljoin._typing import BoolVector, IntVector

__all__ = ["CodeComparer", "ParsedCodes", "compact", "unpadded"]

SHORTEST = 4
"""Characters of a code that may be a slip of another: "A1" and "A2" just differ."""

SHORTEST_STEM = 3
"""Characters that two siblings share at least, and a code with its part."""

SHORTEST_INSIDE = 6
"""Digits of a number that is a code by itself inside of another one, at least."""

ISBN_DIGITS = (10, 13)
"""Digits of an ISBN until 2007, and since then."""

HYPHENS = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")

_SEPARATORS = re.compile(r"[\W_]+")
_PARTED = re.compile(
    r"(?!\d{3}\s?/\s?\d{3}$)(\d{1,3})\s?/\s?(\d{1,3})|(\d{1,2})\s?--?\s?(\d{1,2})"
    r"|[vV]?((?!\d\d\.\d\d\.\d\d$)(?:\d{1,2}\.){2}\d{1,2}|(?:\d{1,3}\.){3}\d{1,3})"
)
"""Short numbers side by side, as in results, versions and addresses of computers: 1-12 is not 11-2.
"""

_SIGNS = str.maketrans("", "", "-.")
"""What stands between them, in one way of writing."""

_VERSION = re.compile(r"[vV]?(\d{1,5}(?:\.\d{1,5}){1,4})")
_HEXADECIMAL = re.compile(r"0X[0-9A-F]{3,16}")
_NUMBERS = re.compile(r"\d+")
_PADDING = re.compile(r"(?<!\d)0+(?=\d)")
_LAST_ZEROS = re.compile(r"(?:\.0+)+$")
_LAST_LETTERS = re.compile(r"(.*\d)[^\W\d_]+")


def compact(text: str) -> str | None:
    """Write a code in capitals and without separators; None where nothing is left.

    Between short numbers a separator is kept, as without it others would be the same.

    Examples
    --------
    >>> compact("kdl-40 v2500"), compact("10.0.0.1"), compact("1–12"), compact("1/12")
    ('KDL40V2500', '10.0.0.1', '1-12', '1-12')
    """
    text = _plain(text)
    parted = _PARTED.fullmatch(text)
    if parted is not None:
        return "-".join(part for part in parted.groups() if part)
    return _SEPARATORS.sub("", text).upper() or None


def unpadded(text: str) -> str:
    """Write a code in small letters, without separators and without zeros before its numbers.

    Examples
    --------
    >>> unpadded("P 8100 F"), unpadded("P008100F"), unpadded("12-007"), unpadded("00-0")
    ('p8100f', 'p8100f', '127', '00')
    """
    return "".join(filter(str.isalnum, _PADDING.sub("", text))).casefold()


@dataclass(frozen=True, eq=False)
class ParsedCodes(Parsed):
    """Codes without separators.

    Attributes
    ----------
    stem
        str of shape (n_values,): each code without the letters after its last digit; "" for one
        that has none there, or too little before them.
    bare
        str of shape (n_values,): each code without leading zeros, and one such as 0x1F40 in decimal
        digits.
    parted
        bool of shape (n_values,): whether each is of short numbers with a sign between, of which
        one that begins another is no part of it, and one that differs in a digit no slip.
    written
        str of shape (n_values,): each code with its separators.
    version
        str of shape (n_values,): each code of numbers with points between, as of a version, without
        zeros at its end; "" for other codes.
    signs
        str of shape (n_values,): each code's letters and digits but zeros, sorted: those of codes
        that are made of the same blocks.
    """

    stem: Texts
    bare: Texts
    parted: BoolVector
    written: Texts
    version: Texts
    signs: Texts

    @cached_property
    def documents(self) -> list[Document | None]:
        """The numbers of documents among the codes."""
        return list(map(read_document, self.written.tolist()))

    @cached_property
    def ends(self) -> Texts:
        """Of what each of these is, and its last block; "" for other codes."""
        ends = (f"{each.kind} {each.blocks[-1]}" if each else "" for each in self.documents)
        return text_array(ends)


class CodeComparer(Comparer[ParsedCodes]):
    """Compares identifiers and model numbers.

    Separators and case do not count, but for a sign between short numbers ("1/12", "10.0.0.1"): a
    code without it is a part of one with it. Two codes that differ in the letters after their last
    digit are siblings ("TZ5K", "TZ5S"): variants of one model rather than slips. One that begins or
    ends with the other is a part of it ("DE123456789" without its country; "00123" without its
    zeros), or is a number inside it ("11368614" of "US11368614B2"), and so is an ISBN of ten digits
    of that of thirteen, a version without zeros at its end ("4.2" of "4.2.0"), a number in
    hexadecimal digits ("0x1F40" and 8000), and one with its blocks in another order or without
    zeros in them ("TT-20005A", "20-TT-5A", "20-TT-005A": see `pearljoin._kinds.code_blocks`). What
    names the kind of a code ("ISBN") is no part of it, and a number is the same under another name
    of what it is of ("Rechnung 137", "INV-2024-0137").

    Splink has exact and Levenshtein levels for such columns.
    """

    kind: ClassVar[Kind] = "code"
    levels: ClassVar[tuple[str, ...]] = (
        "different",
        "sibling",
        "one character off",
        "part",
        "equal",
    )

    def read(self, values: Values) -> ParsedCodes:
        """Read codes; one without a letter or digit is unparsable.

        Examples
        --------
        >>> CodeComparer().read(["kdl-40v", "#1", "--"]).canonical
        array(['KDL40V', '1', None], dtype=object)
        """
        texts = cell_texts(values)
        found, n_unparsable = read_each(texts, compact)
        for at, code in enumerate(found):
            text = texts[at] or ""
            if code is not None and (code[:2] in LABELS or code.isalpha() or text[-1:] == ")"):
                texts[at] = None if is_filler(text) else cut_label(text)
                found[at] = compact(texts[at] or "")
        codes = [code or "" for code in found]
        stems = [_LAST_LETTERS.fullmatch(code) for code in codes]
        kept = [stem[1] if stem and len(stem[1]) >= SHORTEST_STEM else "" for stem in stems]
        bare = text_array(map(_bare, codes))
        parted = np.array(["-" in code or "." in code for code in codes], dtype=bool)
        written = text_array(_plain(text or "") for text in texts)
        signs = text_array("".join(sorted(code.replace("0", ""))) for code in codes)
        version = text_array(map(_version, written.tolist()))
        rest = text_array(kept), bare, parted, written, version, signs
        return ParsedCodes(text_array(found), n_unparsable, *rest)

    def _compare_unequal(
        self, left: ParsedCodes, right: ParsedCodes, left_at: IntVector, right_at: IntVector
    ) -> tuple[Levels, Within]:
        codes = left.canonical[left_at], right.canonical[right_at]
        shorter, longer = lengths(*codes)
        changed = edits(*codes)
        is_sibling = same(left.stem[left_at], right.stem[right_at])
        is_part = is_affix(*codes, SHORTEST_STEM)
        parted = left.parted[left_at], right.parted[right_at]
        are_whole = ~(parted[0] | parted[1])
        is_part &= are_whole
        # Of one side the signs may be left out, or were cut as those of a longer code.
        mixed = np.flatnonzero(parted[0] != parted[1])
        bare = _without_signs(codes[0][mixed]), _without_signs(codes[1][mixed])
        is_part[mixed] = same(*bare) | is_affix(*bare, SHORTEST_STEM)
        tens = np.flatnonzero((shorter == ISBN_DIGITS[0]) & (longer == ISBN_DIGITS[1]))
        is_part[tens] |= _are_one_isbn(codes[0][tens], codes[1][tens])
        is_part |= same(left.bare[left_at], right.bare[right_at])
        is_part |= same(left.version[left_at], right.version[right_at])
        near = np.flatnonzero(same(left.signs[left_at], right.signs[right_at]) & ~is_part)
        written = left.written[left_at[near]], right.written[right_at[near]]
        is_part[near] = have_same_blocks(codes[0][near], codes[1][near], *written)
        is_part |= _are_one_document(left, right, left_at, right_at)
        long = np.flatnonzero((shorter >= SHORTEST_INSIDE) & (longer > shorter) & ~is_part)
        is_part[long] = _have_one_inside(codes[0][long], codes[1][long])
        level = np.select(
            [is_part, is_sibling, (changed == 1) & (shorter >= SHORTEST) & are_whole],
            [3, 1, 2],
            0,
        )
        return level.astype(np.int8), 1 - changed / longer


def _are_one_document(
    left: ParsedCodes, right: ParsedCodes, left_at: IntVector, right_at: IntVector
) -> BoolVector:
    """Mark pairs of numbers of one kind of document of which one has the other at its end."""
    marked = same(left.ends[left_at], right.ends[right_at])
    for pair in np.flatnonzero(marked).tolist():
        one, other = left.documents[left_at[pair]], right.documents[right_at[pair]]
        assert one is not None
        assert other is not None
        marked[pair] = one.is_part_of(other) or other.is_part_of(one)
    return marked


def _have_one_inside(left: Texts, right: Texts) -> BoolVector:
    """Mark pairs of which one is a number that stands in the other between letters."""
    pairs = (sorted(pair, key=len) for pair in zip(left.tolist(), right.tolist(), strict=True))
    marked = [
        short.isdecimal() and short in long and short in _NUMBERS.findall(long)
        for short, long in pairs
    ]
    return np.array(marked, dtype=bool)


def _plain(text: str) -> str:
    """A text without marks on its letters, and with one sign for all hyphens."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", cut_marks(text)).translate(HYPHENS)


def _bare(code: str) -> str:
    """A code without leading zeros, and a hexadecimal number in decimal digits."""
    return str(int(code, 16)) if _HEXADECIMAL.fullmatch(code) else code.lstrip("0")


def _version(text: str) -> str:
    """A version without zeros at its end: 4.2.6.0 is 4.2.6; "" for another code."""
    found = _VERSION.fullmatch(text)
    return "" if found is None else _LAST_ZEROS.sub("", found[1])


def _without_signs(codes: Texts) -> Texts:
    return text_array(code.translate(_SIGNS) for code in codes.tolist())


def _are_one_isbn(left: Texts, right: Texts) -> BoolVector:
    """Mark pairs of ten and thirteen characters that are one ISBN but for the digit that checks."""
    pairs = (sorted(pair, key=len) for pair in zip(left.tolist(), right.tolist(), strict=True))
    marked = [long[:3] == "978" and long[3:-1] == short[:-1] for short, long in pairs]
    return np.array(marked, dtype=bool)
