"""Lists in a cell: authors, tags; split into entries."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from pearljoin._kinds.cells import cell_text
from pearljoin._kinds.person_names import read_person
from pearljoin._text.normalise import mend, normalise

__all__ = ["Entry", "commas_separate", "list_separator", "read_entry", "split_list"]

STRONG = ";|\n"
"""Signs that separate entries wherever they stand."""

ENOUGH = 0.05
"""Share of a column's values with a strong sign, from which commas stand within entries."""

MOST_NAME_WORDS = 6
"""Words of an entry that may be the name of a person."""

_AND = re.compile(r"\s+(?:and|und|et|&)\s+|\s*&\s*", re.IGNORECASE)
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
        One of `STRONG` that some of the values have; None where commas may be separators.

    Examples
    --------
    >>> list_separator(["Smith, John; Doe, Ann", "Lee, Bo"])
    ';'
    """
    listed = [mend(text) for text in texts]
    counts = {sign: sum(sign in text for text in listed) for sign in STRONG}
    sign = max(counts, key=lambda sign: counts[sign])
    return sign if counts[sign] > ENOUGH * len(listed) else None


def commas_separate(texts: Iterable[str]) -> bool:
    """Tell whether commas stand between the entries of a column's lists, and not within names.

    "Smith, John" is one name. Two commas or more, and a comma between parts of two words or more,
    are signs of a list.

    Returns
    -------
    separate
        Whether most of the values that have a comma are lists.

    Examples
    --------
    >>> commas_separate(["Jo Smith, Ann Doe", "Bo Lee"]), commas_separate(["Smith, Jo", "Lee, Bo"])
    (True, False)
    """
    with_comma = [text.split(",") for text in map(mend, texts) if "," in text]
    lists = [len(parts) > 2 or all(" " in part.strip() for part in parts) for parts in with_comma]
    return 2 * sum(lists) > len(lists)


def split_list(value: Any, separator: str | None = None) -> tuple[list[str], bool]:
    """Split a list into entries, and tell whether it says that others are left out ("et al.").

    Parameters
    ----------
    value
        Text, or a tuple or list of entries.
    separator
        The sign between entries; None where it may be any, also a comma.

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
    strong = separator or next((sign for sign in STRONG if sign in text), None)
    if strong is not None:
        return text.split(strong)
    parts = [part.strip() for comma in text.split(",") for part in _AND.split(comma.strip())]
    parts = [part for part in parts if part]
    # "Smith, J., Doe, A.": family names and initials by turns
    if "," in text and len(parts) % 2 == 0 and all(map(_is_initials, parts[1::2])):
        return [f"{family}, {given}" for family, given in zip(parts[::2], parts[1::2], strict=True)]
    return parts


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
