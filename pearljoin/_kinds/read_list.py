"""Lists in a cell: authors, tags; split into entries."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

from pearljoin._kinds.cells import cell_text
from pearljoin._kinds.person_names import ENDINGS, PARTICLES, read_person
from pearljoin._text.normalise import mend, normalise

__all__ = ["Entry", "commas_separate", "list_separator", "read_entry", "split_list"]

STRONG = ";|\n"
"""Signs that separate entries wherever they stand."""

ENOUGH = 0.05
"""Share of a column's values with a strong sign, from which commas stand within entries."""

NAMES = "and"
"""What separates entries in a column of names such as "Smith, John": words and "&", no comma."""

FEWEST_NAMES = 10
"""Names with a comma, at least, of a column that is recognised by them."""

MOST_SHARED = 0.2
"""Share of family names, or of given names if fewer, that are both, at most."""

SOME_KNOWN = 0.2
"""Share of the parts between commas that are entries elsewhere, from which commas separate."""

MOST_NAME_WORDS = 6
"""Words of an entry that may be the name of a person."""

_AND = re.compile(r"\s+(?:and|und|et|&)\s+|\s*&\s*", re.IGNORECASE)
_WORD_AND = re.compile(r"\s+(?:and|und|et)\s+", re.IGNORECASE)
_LEADING_AND = re.compile(r"^(?:and|und|&)\s+", re.IGNORECASE)
_OTHERS = re.compile(
    r"(?:\b(?:et|and|und|u)\b\.?\s*(?:al(?:ii)?|others|andere|a)\b\.?|…|\.\.\.)[\s,;]*$",
    re.IGNORECASE,
)
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[\s-]*){1,4}")
_JOINED = re.compile(r"[^\W\d_]{2,3}\s")
_BLANKS = re.compile(r"[^\S\n]+")
"""Made one blank first: patterns that try a run from each of its blanks would take its square."""

_FRAME = re.compile(r"^\[(.*)\]$|^\{(.*)\}$", re.DOTALL)


class Entry(NamedTuple):
    """One entry of a list, as text and as a name.

    Attributes
    ----------
    text
        Normalised; names with the given name first.
    given
        The first given name, or initial; "" without one. Of two or three capitals ("EG Fox"), which
        are initials in most lists of authors, the first; `text` has them all.
    family
        The family name; the whole text of an entry that is no name.
    """

    text: str
    given: str
    family: str


def list_separator(texts: Iterable[str]) -> str | None:
    """Find the sign that separates the entries of a column's lists.

    Returns
    -------
    separator
        One of `STRONG` that some of the values have, with a comma behind it where the values
        without the sign are separated by commas; `NAMES` where commas stand within names; None
        where commas may be separators.

    Examples
    --------
    >>> list_separator(["Smith, John; Doe, Ann", "Lee, Bo"])
    ';'
    >>> list_separator(["Jo Smith; Ann Doe", "Bo Lee, Jo Smith"])
    ';,'
    """
    listed = [mend(text) for text in texts]
    counts = {sign: sum(sign in text for text in listed) for sign in STRONG}
    sign = max(counts, key=lambda sign: counts[sign])
    if counts[sign] <= ENOUGH * len(listed):
        return NAMES if _are_names(listed) else None
    entries = [entry.strip() for text in listed if sign in text for entry in text.split(sign)]
    others = [text for text in listed if sign not in text]
    most = sorted(entry.count(",") for entry in entries)[int((1 - ENOUGH) * (len(entries) - 1))]
    # Beside "Smith, John; Doe, Ann" stands "Lee, Bo", and affiliations have commas of their own.
    are_lists = most < 2 and commas_separate(others)
    are_lists |= not most and _are_known(others, entries)
    return f"{sign}," if are_lists else sign


def _are_known(texts: list[str], entries: list[str]) -> bool:
    """Tell whether what stands between commas is often an entry of lists with another sign."""
    parts = {part.casefold() for text in texts if "," in text for part in _comma_parts(text)}
    known = parts & {entry.casefold() for entry in entries}
    return len(known) > SOME_KNOWN * len(parts)


def commas_separate(texts: Iterable[str]) -> bool:
    """Tell whether commas stand between the entries of a column's lists, and not within names.

    "Smith, John" is one name. Two commas or more, and a comma between parts of two words or more,
    are signs of a list; a particle ("van der Berg, Jan Pieter"), initials ("García Márquez, G. J.")
    and what follows a name ("King, Martin Luther, Jr.") are none.

    Returns
    -------
    separate
        Whether most of the values that have a comma are lists.

    Examples
    --------
    >>> commas_separate(["Jo Smith, Ann Doe", "Bo Lee"]), commas_separate(["Smith, Jo", "Lee, Bo"])
    (True, False)
    """
    with_comma = [_comma_parts(text) for text in map(mend, texts) if "," in text]
    return 2 * sum(map(_is_list, with_comma)) > len(with_comma)


def _comma_parts(text: str) -> list[str]:
    """Parts between commas, without what follows a name."""
    parts = [part.strip() for part in text.split(",")]
    return [part for part in parts if part and part.casefold().replace(".", "") not in ENDINGS]


def _is_list(parts: list[str]) -> bool:
    if len(parts) != 2:
        return len(parts) > 2
    are_many = all(" " in part for part in parts)
    is_particle = parts[0].split()[0].casefold() in PARTICLES
    return are_many and not is_particle and not _is_initials(parts[1])


def _is_name(parts: list[str]) -> bool:
    """Tell whether parts between commas are a family name, which no letter is, and given names."""
    return len(parts) == 2 and len(parts[0]) > 1 and _have_capitals(parts)


def _have_capitals(parts: list[str]) -> bool:
    return all(any(map(str.isupper, part)) for part in parts)


def _are_names(texts: list[str]) -> bool:
    """Tell whether a column's values are names with the family name first, one or several.

    Tags may be pairs too. Other than they, names have capitals, family names are many, and few of
    them are given names as well.
    """
    with_comma = [_comma_parts(name) for text in texts for name in _AND.split(text) if "," in name]
    pairs = [parts for parts in with_comma if len(parts) == 2 and not _is_list(parts)]
    named = [parts for parts in pairs if _have_capitals(parts)]
    if len(named) < FEWEST_NAMES or len(named) < (1 - ENOUGH) * len(with_comma):
        return False
    families, given = ({part.casefold() for part in side} for side in zip(*named, strict=True))
    are_apart = len(families & given) <= MOST_SHARED * min(len(families), len(given))
    return are_apart and 2 * len(families) >= len(named)


def split_list(value: Any, separator: str | None = None) -> tuple[list[str], bool]:
    """Split a list into entries, and tell whether it says that others are left out ("et al.").

    Parameters
    ----------
    value
        Text, or a tuple or list of entries.
    separator
        As of `list_separator`; None where it may be any sign, also a comma.

    Returns
    -------
    entries, truncated
        The texts of the entries.

    Examples
    --------
    >>> split_list("Smith, J., Doe, A. et al.")
    (['Smith, J.', 'Doe, A.'], True)
    >>> split_list("Jo Smith, Ann Doe and Bo Lee"), split_list("Smith, Jo; Doe, Ann")
    ((['Jo Smith', 'Ann Doe', 'Bo Lee'], False), (['Smith, Jo', 'Doe, Ann'], False))
    """
    if isinstance(value, tuple | list):
        return [text for cell in value if (text := cell_text(cell))], False
    text = _BLANKS.sub(" ", mend(str(value))).strip()
    frame = _FRAME.fullmatch(text)
    whole = (frame[1] or frame[2] or "") if frame else text
    others = _OTHERS.search(whole)
    kept = whole if others is None else whole[: others.start()].rstrip(" \n,;&")
    parts = [_LEADING_AND.sub("", part.strip()) for part in _split(kept, separator)]
    return [part for part in parts if part], others is not None


def _split(text: str, separator: str | None) -> list[str]:
    if separator == NAMES:
        return _AND.split(text)
    strong = separator or next((sign for sign in STRONG if sign in text), "")
    if strong and (len(strong) == 1 or strong[0] in text):
        return text.split(strong[0])
    names = _AND.split(text)
    people = [_comma_parts(name) for name in names]
    # "Smith, John and Doe, Ann", as in BibTeX; "Rock & Roll, Soul" is none, and beside "&" only
    # initials tell: "Rock, Pop & Jazz, Soul" is no two people.
    if (
        len(names) > 1
        and all(map(_is_name, people))
        and ("&" not in text or all(_is_initials(parts[1]) for parts in people))
    ):
        return names
    commas = [part for comma in text.split(",") if (part := comma.strip())]
    parts = [part for comma in commas for part in _AND.split(comma) if part]
    # "Smith, J., Doe, A.": family names and initials by turns
    if "," in text and len(parts) % 2 == 0 and all(map(_is_initials, parts[1::2])):
        return [f"{family}, {given}" for family, given in zip(parts[::2], parts[1::2], strict=True)]
    if len(commas) < 2 or "&" not in text:
        return parts
    # "Rock, Pop & Jazz, Soul" is three entries; "Rock, Soul & Jazz" too, for it ends the list.
    ends = "&" not in "".join(commas[:-1]) and " & " in commas[-1]
    entries = [_WORD_AND.split(comma) for comma in commas[:-1]]
    return [*chain(*entries), *(_AND if ends else _WORD_AND).split(commas[-1])]


def _is_initials(text: str) -> bool:
    return bool(_INITIALS.fullmatch(text)) and not any(map(str.islower, text))


def read_entry(text: str) -> Entry | None:
    """Read one entry of a list; None without a letter or digit.

    Examples
    --------
    >>> read_entry("Smith, J."), read_entry("3D printing").text
    (Entry(text='j smith', given='j', family='smith'), '3d printing')
    >>> read_entry("EG Fox")
    Entry(text='eg fox', given='e', family='fox')
    """
    bare = text.strip(" \t\"'")
    words = bare.split()
    if len(words) <= MOST_NAME_WORDS and not any(map(str.isdigit, bare)):
        name = read_person([bare], ["full"])
        if name is not None:
            joined = " ".join([*name.given, *name.particles, *name.family])
            given = name.given[0] if name.given else ""
            initials = _JOINED.match(bare)
            if initials and initials[0].isupper() and not bare.isupper():
                given = given[:1]
            return Entry(joined, given, " ".join(name.family))
    normal = normalise(bare)
    if not any(map(str.isalnum, normal)):
        return None
    return Entry(normal, "", normal)
