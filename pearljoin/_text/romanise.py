"""Write names of Cyrillic, Greek, Armenian and Georgian letters in Latin ones, as English does.

Not by ISO 9 and its like, which keep each letter apart: what names of another script are compared
with are spellings of passports, newspapers and maps (*Хрущёв*, Khrushchev; *Πειραιάς*, Peiraias).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from pearljoin._text.normalise import cut_marks, mend

__all__ = ["is_latin", "is_romanised", "romanise"]

FEWEST_LETTERS = 2
"""Letters of another script from which a text is a name: "Ω" and "µ" are signs."""

_GREEK_LETTER = "[\u0370-\u0373\u0376\u0377\u037b-\u037d\u0386-\u03e1\u1f00-\u1fff]"
_CYRILLIC_LETTER = "[\u0400-\u0482\u048a-\u052f]"
_OTHER_LETTER = "[\u0531-\u0556\u0560-\u0588\u10a0-\u10ff\u1c90-\u1cbf]"
_FOREIGN = re.compile(f"{_GREEK_LETTER}|{_CYRILLIC_LETTER}|{_OTHER_LETTER}")
_GREEK, _CYRILLIC = re.compile(_GREEK_LETTER), re.compile(_CYRILLIC_LETTER)
_ARMENIAN_LETTER = re.compile("[\u0531-\u0588]")
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]")
_MARKS = re.compile("[\u0300-\u036f]+")
_CAPITALS = re.compile("[^\\W\\d_a-zά-ώа-џա-ևა-ჿ]{2}")
"""What any word in capitals has; in it, what a letter becomes hangs on the one beside."""

_MAY_BE_DECODED = re.compile(
    "[ÐÑÎÏ][^\x00-\x7f]|[РС][\x80-\xbf\u0402-\u040f\u0452-\u045f\u2010-\u2122]"
)
"""What Cyrillic and Greek letters become by a wrong decoding, which is looked for in few texts."""


def _table(pairs: str) -> dict[int, str]:
    """Read small letters and what they become, and capital ones: "ж zh з z"; "-" is nothing."""
    listed = pairs.split()
    latin = [written.strip("-") for written in listed[1::2]]
    small = dict(zip(listed[::2], latin, strict=True))
    capital = {
        letter.upper(): written[:1].upper() + written[1:]
        for letter, written in small.items()
        if len(letter.upper()) == 1
    }
    return str.maketrans(capital | small)


_GREEK_LETTERS = _table(
    "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch "
    "ψ ps ω o "
    # Given up before there were small letters, but for numerals; and signs.
    "ϐ v ϑ th ϒ y ϕ f ϖ p ϗ ke ͻ s ͼ s ͽ s ͱ h ͳ ss ͷ w ϙ k ϛ st ϝ w ϟ k ϡ ss"
)
_ARMENIAN = _table(
    "ա a բ b գ g դ d ե e զ z է e ը y թ t ժ zh ի i լ l խ kh ծ ts կ k հ h ձ dz ղ gh ճ ch մ m յ y ն n "
    "շ sh ո o չ ch պ p ջ j ռ r ս s վ v տ t ր r ց ts ւ v փ p ք k օ o ֆ f և ev ՠ a ֈ yi"
)
_GEORGIAN = _table(
    "ა a ბ b გ g დ d ე e ვ v ზ z თ t ი i კ k ლ l მ m ნ n ო o პ p ჟ zh რ r ს s ტ t უ u ფ p ქ k ღ gh "
    "ყ q შ sh ჩ ch ც ts ძ dz წ ts ჭ ch ხ kh ჯ j ჰ h "
    # Old ones, and those of Svan and Mingrelian: ISO 9984 without its marks.
    "ჱ e ჲ y ჳ w ჴ h ჵ o ჶ f ჷ e ჸ - ჹ g ჺ - ჼ n ჽ ae ჾ - ჿ w"
)
_GEORGIAN |= {  # capital letters of inscriptions, in the same order
    at - 0x30: latin.capitalize() for at, latin in _GEORGIAN.items() if 0x10D0 <= at <= 0x10FD
}
_OTHERS = _GREEK_LETTERS | _ARMENIAN | _GEORGIAN
_RUSSIAN = _OTHERS | _table(
    "а a б b в v г g д d е e ё e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh "
    "ц ts ч ch ш sh щ shch ъ - ы y ь - э e ю yu я ya "
    # Letters of other Slavic languages, and those that were given up in 1918 and before.
    "і i ї yi є ye ґ g ў u ђ dj ј j љ lj њ nj ћ c џ dz ѓ gj ќ kj ѕ dz ѐ e ѝ i ѣ e ѳ f ѵ i ѷ i ѡ o "
    "ѥ ye ѧ ya ѩ ya ѫ u ѭ yu ѯ ks ѱ ps ѹ u ѻ o ѽ o ѿ ot ҁ -"  # codespell:ignore ot
)
_NOT_SLAVIC = _table(
    # BGN/PCGN romanisations without their marks, and as Russian ones where these are in use.
    "ә a ғ g қ k ң n ө o ұ u ү u һ h ӣ i ӯ u ҳ h ҷ j "  # Kazakh, Kyrgyz, Tajik, Mongolian
    "ҙ z ҡ k ҫ s җ j ҝ g ҹ j ӑ a ӗ e ӳ u ҕ g ҥ ng "  # Bashkir, Tatar, Azeri, Chuvash, Yakut
    "ӓ a ӧ o ӱ u ӹ y ӝ j ӟ dz ӥ i ӵ ch ӕ ae ӂ g ӛ a ӫ o ӭ e "  # Mari, Udmurt, Komi, Ossetian
    "ӏ - ҟ k ҧ p ԥ p ҩ o ҭ t ҵ ts ҽ ch ҿ ch ӡ dz ӷ g "  # of the Caucasus
    "ҋ y ҍ - ҏ r ӄ k ӆ l ӈ ng ӊ n ӌ ch ӎ m ӻ g ӽ kh ӿ kh ԑ e ԓ l ԕ l ԗ r ԙ ya ԛ q ԝ w ԟ k ԡ l "
    "ԣ ng ԧ h ԩ n ԫ dzh ԭ ch ԯ l "  # of the North and Siberia, Kurdish
    "ԁ d ԃ dj ԅ z ԇ dz ԉ lj ԋ nj ԍ s ԏ t"  # Komi until 1938
)
_RUSSIAN |= _NOT_SLAVIC
_UKRAINIAN = _RUSSIAN | _table("г h и y є ie ї i ю iu я ia")
_BELARUSIAN = _RUSSIAN | _table("г h")
_BULGARIAN = _RUSSIAN | _table("щ sht ъ a х h")
_SERBIAN = _RUSSIAN | _table("х h ц c ч c ш s ж z")
_MACEDONIAN = _RUSSIAN | _table("х h ц c")

_NON_SLAVIC_LETTER = re.compile(f"[{''.join(chr(at) for at in _NOT_SLAVIC)}]")
_TELLING = (
    (_MACEDONIAN, re.compile("[ѓќѕ]")),
    (_SERBIAN, re.compile("[ђјљњћџ]")),
    (_BELARUSIAN, re.compile("ў")),
    (_UKRAINIAN, re.compile("[іїєґ]")),
    # In Russian it stands before a vowel that begins with a y alone.
    (_BULGARIAN, re.compile("^(?!.*[ыэё]).*ъ(?![еёюяи])", re.DOTALL)),
)
"""Letters that one language has and Russian has not, or not there."""

_ENDINGS = (
    (re.compile(r"(?<=[^\W_])[иы](?=й(?![^\W_]))", re.I), ""),  # Василий, Vasily; Белый, Bely
    (re.compile(r"(?<=[иі])я(?![^\W_])"), "а"),  # Мария, Maria
    (re.compile(r"(?<=[ИІ])Я(?![^\W_])"), "А"),
    (re.compile(r"[ьъ](?=[еёио])"), "й"),  # Васильев, Vasilyev
    (re.compile(r"[ЬЪ](?=[ЕЁИО])"), "Й"),
)
_UKRAINIAN_ENDING = re.compile(r"(?<=и)й(?![^\W_])", re.I)
_BEGINNINGS = tuple(
    (re.compile(rf"(?<![^\W_]){letter}", re.I), latin)
    for letter, latin in (("є", "ye"), ("ї", "yi"), ("ю", "yu"), ("я", "ya"))
)

_NO_VOICE = "[θκξπσςτφχψ]"
# On decomposed text, where an accent on the first of two vowels, or two dots on the second, stand
# between what is no pair then.
_GREEK_PAIRS = (
    (re.compile("(?<=ο)υ(?!\u0308)", re.I), "u"),
    (re.compile(f"(?<=[αεη])υ(?!\u0308)(?=\u0301?(?:{_NO_VOICE}|(?!\u0301|[^\\W_])))", re.I), "f"),
    (re.compile("(?<=[αεη])υ(?!\u0308)", re.I), "v"),
    (re.compile(r"(?<![^\W_])μπ", re.I), "b"),
    (re.compile(r"(?<![^\W_])ντ", re.I), "d"),
    (re.compile(r"(?<![^\W_])γκ", re.I), "g"),
    (re.compile("γ(?=[γξχ])", re.I), "n"),
)

_ARMENIAN_PAIRS = (
    (re.compile("ու", re.I), "u"),
    (re.compile(r"(?<![^\W_])ո(?!վ)", re.I), "vo"),
    (re.compile(r"(?<![^\W_])ե", re.I), "ye"),
)


def romanise(text: str) -> str:
    """Write a name of Cyrillic, Greek, Armenian or Georgian letters in Latin ones.

    Of Cyrillic letters, those that a language alone has tell it, else they are read as Russian.

    Parameters
    ----------
    text
        Any text; one that is not mostly of these letters stays as it is.

    Returns
    -------
    romanised
        The text in Latin letters, as it would be spelled in English.

    Examples
    --------
    >>> romanise("Василий Хрущёв"), romanise("ГУП «Щит»"), romanise("α-Tocopherol")
    ('Vasily Khrushchev', 'GUP «Shchit»', 'α-Tocopherol')
    >>> romanise("Київ"), romanise("Търговище"), romanise("Ђоковић")
    ('Kyiv', 'Targovishte', 'Djokovic')
    >>> romanise("Ηράκλειο Εύβοιας"), romanise("თბილისი"), romanise("Երևան")
    ('Irakleio Evvoias', 'tbilisi', 'Yerevan')
    """
    if text.isascii():
        return text
    mended = _mended(text)
    return _written(mended) if _is_mostly(_FOREIGN, mended) else text


def is_romanised(text: str) -> bool:
    """Tell whether a text is of the letters that `romanise` writes in Latin ones."""
    return not text.isascii() and _is_mostly(_FOREIGN, _mended(text))


def is_latin(text: str) -> bool:
    """Tell whether a text is mostly of Latin letters."""
    if text.isascii():  # as most are
        return _LATIN.search(text) is not None
    return _is_mostly(_LATIN, text)


def _mended(text: str) -> str:
    return mend(text) if _MAY_BE_DECODED.search(text) else text


def _is_mostly(letters: re.Pattern[str], text: str) -> bool:
    if letters.search(text) is None:
        return False
    n_letters = len(letters.findall(text))
    return n_letters >= FEWEST_LETTERS and 2 * n_letters > sum(map(str.isalpha, text))


def _written(text: str) -> str:
    """Write all letters of other scripts in Latin ones."""
    text = unicodedata.normalize("NFC", cut_marks(text))
    table: Mapping[int, str] = _OTHERS
    if _CYRILLIC.search(text):
        text, table = _of_cyrillic(text)
    if _GREEK.search(text):
        text = _of_greek(text)
    if _ARMENIAN_LETTER.search(text):
        for pattern, latin in _ARMENIAN_PAIRS:
            text = _replaced(pattern, latin, text)
    if _CAPITALS.search(text):
        return "".join(_in_case(text, at, table.get(ord(one))) for at, one in enumerate(text))
    return text.translate(table)


def _of_cyrillic(text: str) -> tuple[str, Mapping[int, str]]:
    """Write what hangs on more than one letter; return the text, and a table for all others."""
    lower = text.lower()
    table = _RUSSIAN
    if not _NON_SLAVIC_LETTER.search(lower):
        table = next((found for found, letters in _TELLING if letters.search(lower)), _RUSSIAN)
    if table is _UKRAINIAN:
        text = _replaced(_UKRAINIAN_ENDING, "i", text)  # Кривий, Kryvyi
        for pattern, latin in _BEGINNINGS:
            text = _replaced(pattern, latin, text)
    for pattern, other in _ENDINGS:
        text = pattern.sub(other, text)
    return text, table


def _of_greek(text: str) -> str:
    """Write pairs of letters, and leave out accents."""
    text = unicodedata.normalize("NFD", text)
    for pattern, latin in _GREEK_PAIRS:
        text = _replaced(pattern, latin, text)
    return unicodedata.normalize("NFC", _MARKS.sub("", text))


def _replaced(pattern: re.Pattern[str], latin: str, text: str) -> str:
    """Replace what is found, in its case."""
    return pattern.sub(lambda found: _in_case(text, found.start(), latin), text)


def _in_case(text: str, at: int, latin: str | None) -> str:
    """What a letter of a text becomes, in capitals where it and one beside it are; None: itself."""
    letter = text[at]
    if latin is None or not letter.isupper():
        return letter if latin is None else latin
    before, after = text[max(at - 1, 0) : at], text[at + 1 : at + 2]
    beside = after if after.isalpha() else before
    return latin.upper() if beside.isupper() else latin[:1].upper() + latin[1:]
