"""Normalise text for comparison, str to str. Results hold the texts as given."""

from __future__ import annotations

import re
import unicodedata
from html import unescape
from html.entities import html5

from pearljoin._text.amounts import level_amounts, with_points
from pearljoin._text.sizes import level_sizes, with_points_in_sizes

__all__ = ["as_encoded", "cut_marks", "mend", "normalise", "split_brackets"]

_ACCENTS = re.compile("[\u0300-\u036f]+")
"""Accents of Latin, Greek and Cyrillic only: marks of other scripts change the word itself."""

_PICTURE = "[\u2194\u2195\u2600-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff]"
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0100-\U000e01ef]+"
    f"|(?<!{_PICTURE})(?<!{_PICTURE}\ufe0f)\u200d|\u200d(?!{_PICTURE})"
)
"""Characters that are not seen: blanks and joiners of no width, soft hyphens, signs of direction.

They are those that case folding for identifiers leaves out (NFKC_Casefold, section 3.13 of the
Unicode Standard; the property Default_Ignorable_Code_Point), but for what emoji are made of: tags,
and joiners between pictures.
"""

_ARABIC = "[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefc]"
_NON_JOINER = re.compile(f"(?<={_ARABIC})\u200c+(?={_ARABIC})")
"""What keeps two letters of Arabic apart, as a blank does, and is written for one in Persian."""

_CHILLU = re.compile("[\u0d15\u0d23\u0d28\u0d30-\u0d33]\u0d4d\u200d")
_CHILLUS = dict(zip("\u0d15\u0d23\u0d28\u0d30\u0d31\u0d32\u0d33", "ൿൺൻർർൽൾ", strict=True))
"""Letters of Malayalam without a vowel: Unicode had none of their own before version 5.1."""

_UNDECOMPOSED = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d", "ħ": "h"}
)
_APOSTROPHES = re.compile("['`´ʹʻʼʾʿˈ‘’‛′]")
_WEB_ADDRESS = re.compile(
    r"(?<![^\s(<\[\"',;])(?:(?:https?|ftp)://(?:www\.)?|www\.)(?=[^\W_][\w-]*\.[^\W\d_])"
)
"""What stands before the name in a web address, and is mostly left out."""

_SPACED_INITIALS = re.compile(
    r"(?<![^\W_])([^\W\d_]\.)(?:(?<![^\W\d_]\.[^\W\d_]\.)\s+|\s+(?!v\.))(?=[^\W\d_]\.)"
)
"""*J. V. Smith*, but not *U.S. v. Nixon*: after letters without blanks, that is *versus*."""

_DOT_AFTER_INITIAL = re.compile(r"(?<![^\W_])([^\W\d_])\.(?=[^\W\d_](?![^\W_])|\s|$)")
_WITH = re.compile(r"(?<![^\s(\[,;])w/(o)?(?= ?[^\W\d_]{3})")
"""*With* and *without*; *w/e* is a weekend, and *w/o 4711* an order."""

_VERSION = re.compile(
    r"(?<=\S )(?:(?:v|ver|vers|version) )*(?:v|ver|vers|version) ?(?=\d{1,4}\.\d)"
)
"""What stands between a name and the number of its version. One without a point may be an engine,
or a part."""

_NON = re.compile(r"(?<!\S)(?<! non )(?:non )+(?=[^\W\d_]{4})")
"""*Non-sterile* is one word, as *nonsterile* is. A row of *non* is looked at from its first one
alone: from each it would take quadratic time."""

_PER_CENT = re.compile(r"(?<=\d) %(?!\S)")

_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]\w{1,30});")
"""A character by its name or number, as in HTML."""

_MAY_BE_WRONG = re.compile("[^\x00-\x7f]{2}|[\x80-\x9fÂÃŒœ]")
"""What every text has that ftfy takes for wrongly decoded, and few of one accent here and there:
two letters in a row that are not ASCII, or one of those that it also knows by a blank beside it."""

MOST_ESCAPES = 3
"""How often a text may have been escaped, each time over again ("R&amp;amp;D")."""

_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_NUMERIC_SIGN = re.compile(r"(?<=\d)\.(?=\d)|(?<!\S)-(?=\d)")
_VULGAR = re.compile(r"(\d?) ?([\u00bc-\u00be\u2150-\u215e])")
_MOST_MARKS = 30
"""Combining marks in a row that are kept. Text has no more (Unicode Standard Annex 15, section 13,
"Stream-Safe Text Format"), and putting them in order takes the square of their number."""
_OPENING, _CLOSING = r"(\[（［【", r")\]）］】"
_BRACKETED = re.compile(f"[{_OPENING}]([^{_OPENING}{_CLOSING}]*)[{_CLOSING}]")
_OPENS = re.compile(f"[{_OPENING}]")
_DEEPEST = 4
_KEPT_PUNCTUATION = frozenset("#%@*&\ue000\ue001")
"""Punctuation that names use as letters: "C#", "50%", "@home", "M*A*S*H"."""


def mend(text: str) -> str:
    """Undo a wrong decoding ("mojibake"), and write out character references of HTML.

    Other texts stay as they are.

    Examples
    --------
    >>> mend("SÃ£o Paulo"), mend("S&atilde;o Paulo"), mend("São Paulo")
    ('São Paulo', 'São Paulo', 'São Paulo')
    >>> mend("R&amp;amp;D"), mend("Smith &LTD; Co")
    ('R&D', 'Smith &LTD; Co')
    """
    for _ in range(MOST_ESCAPES):
        before = text
        if "&" in text and ";" in text:
            text = _REFERENCE.sub(_written_out, text)
        if text == before:
            break
    if text.isascii() or _MAY_BE_WRONG.search(text) is None:
        return text
    # Imported here: it takes as long as the rest of a small join, and few texts need it.
    from ftfy import fix_encoding
    from ftfy.badness import is_bad

    return fix_encoding(text) if is_bad(text) else text


def _written_out(found: re.Match[str]) -> str:
    """The character that a reference names; what no reference names stays as it is."""
    # `unescape` alone would write out the beginning of a longer name ("&LTD;").
    return unescape(found[0]) if found[0][1] == "#" or found[0][1:] in html5 else found[0]


def as_encoded(text: str) -> str:
    """Write a text as encoders take it: mended, and its sizes in one way.

    Examples
    --------
    >>> as_encoded("M&ouml;bel 40 X 80 cm")
    'Möbel 40x80 cm'
    """
    return level_sizes(with_points_in_sizes(mend(text)))


def split_brackets(text: str) -> tuple[str, str]:
    """Split a text into what stands outside brackets and inside; "" where nothing does.

    Brackets are round or square, nested up to four deep; one without its partner is no bracket.

    Examples
    --------
    >>> split_brackets("Hello (Adele) [live]")
    ('Hello', 'Adele live')
    """
    if not _OPENS.search(text):
        return " ".join(text.split()), ""
    inside: list[str] = []
    for _ in range(_DEEPEST):
        found = _BRACKETED.findall(text)
        if not found:
            break
        inside = [*found, *inside]
        text = _BRACKETED.sub(" ", text)
    return " ".join(text.split()), " ".join(" ".join(inside).split())


def _is_content(character: str) -> bool:
    """Tell whether a character belongs to a word rather than separating words."""
    if character.isalnum() or character in _KEPT_PUNCTUATION or character == "\u200d":
        return True
    category = unicodedata.category(character)
    return category[0] in "LNMS" or category == "Cs"


_ASCII_SEPARATORS = {code: " " for code in range(128) if not _is_content(chr(code))}


def normalise(text: str) -> str:
    """Normalise a text for comparison.

    Compatibility forms (NFKC), case, accents, punctuation and white space are levelled, and
    characters that are not seen, such as blanks of no width, are left out; the one that keeps
    letters of Arabic apart is a blank. Symbols that carry meaning stay ("C++" and "C#" differ), and
    so do decimal points and minus signs. A text without a letter or digit keeps all of it, so that
    "???" and "!!!", or ">" and "->", remain different.

    Parameters
    ----------
    text
        Any string; lone surrogates and control characters are allowed.

    Returns
    -------
    normalised
        The text to compare. Normalising twice changes nothing.

    Examples
    --------
    >>> normalise("  Café “U.S.A.” & Sons, Ltd. ")
    'cafe usa and sons ltd'
    >>> normalise('Pipe 1½"'), normalise("pipe, 1 1/2 in"), normalise("Flat 1/2, Elm Road")
    ('pipe 1.5', 'pipe 1.5 in', 'flat 1 2 elm road')
    """
    if text.isascii():
        return _normalise(text)
    # Where an accent or an apostrophe is removed, what is left may be levelled further: "ǿ" becomes
    # "ø" and then "o". ASCII text has settled.
    return _normalise(_normalise(_without_ignorable(text)))


def _without_ignorable(text: str) -> str:
    """Leave out characters that are not seen, unless nothing else is there."""
    if text.isprintable() and max(text) < "\u034f":  # a quick test that most names pass
        return text
    if "\u200d" in text:
        text = _CHILLU.sub(lambda found: _CHILLUS[found[0][0]], text)
    if "\u200c" in text:
        text = _NON_JOINER.sub(" ", text)
    seen = _IGNORABLE.sub("", text)
    return seen if seen.strip() else text


def _normalise(text: str) -> str:
    folded = _fold(text)
    if not _LETTER_OR_DIGIT.search(folded):
        return " ".join(folded.split()) or " ".join(text.casefold().split())
    # Patterns are sought where their sign is: most of a million names have none.
    if "w/" in folded:
        folded = _WITH.sub(lambda found: "without " if found[1] else "with ", folded)
    if "." in folded:
        folded = _WEB_ADDRESS.sub("", folded)
    folded = marked = with_points(with_points_in_sizes(folded))
    if "." in folded or "-" in folded:
        # Signs that matter are moved out of punctuation's way, to the private use area and back.
        marked = _NUMERIC_SIGN.sub(lambda found: "\ue000" if found[0] == "." else "\ue001", folded)
        marked = _DOT_AFTER_INITIAL.sub(r"\1", _SPACED_INITIALS.sub(r"\1", marked))
    spaced = _APOSTROPHES.sub("", marked).translate(_ASCII_SEPARATORS)
    if not spaced.isascii():
        spaced = "".join(letter if _is_content(letter) else " " for letter in spaced)
    words = spaced.replace("&", " and ").replace("\ue000", ".").replace("\ue001", "-").split()
    # Of apostrophes that are letters to Unicode, such as "ʼ", alone no word is left.
    spaced = " ".join(words)
    if "." in spaced:
        spaced = _VERSION.sub("", spaced)
    if " %" in spaced:
        spaced = _PER_CENT.sub("%", spaced)
    if "non " in spaced:
        spaced = _NON.sub("non", spaced)
    return level_amounts(level_sizes(spaced)) or " ".join(folded.split())


def _fold(text: str) -> str:
    """Level compatibility forms, case and accents."""
    if text.isascii():
        return text.lower()
    # One and a half is no eleven halves.
    text = _VULGAR.sub(r"\1 \2", cut_marks(text))
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_UNDECOMPOSED)
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", folded))
    return unicodedata.normalize("NFKC", bare)


def cut_marks(text: str) -> str:
    """Leave out the combining marks of each row beyond `_MOST_MARKS`."""
    if len(text) <= _MOST_MARKS:
        return text
    kept, n_marks = [], 0
    for character in text:
        n_marks = n_marks + 1 if unicodedata.combining(character) else 0
        if n_marks <= _MOST_MARKS:
            kept.append(character)
    return text if len(kept) == len(text) else "".join(kept)
