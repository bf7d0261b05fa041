"""Word lists: small words, legal forms, number words."""

from __future__ import annotations

__all__ = ["GENERATIONS", "LEGAL_FORMS", "LIGHT_WORDS", "NUMBER_WORDS", "SMALL_WORDS"]

_ENGLISH = "the of and for in on at to a an by"
_OTHERS = "y e el de la le les los las du des der die das und del della di do da dos van von et i"
SMALL_WORDS = frozenset(f"{_ENGLISH} {_OTHERS}".split())
"""Words that acronyms and the cores of names leave out."""

_FORMS = (
    "inc incorporated",
    "corp corporation",
    "co company cia compania",
    "ltd limited ltda limitada",
    "plc",
    "llc",
    "llp lp",
    "gmbh mbh",
    "ag aktiengesellschaft",
    "kg kgaa ohg",
    "sa",
    "sas sasu",
    "sarl",
    "srl",
    "spa",
    "bv",
    "nv",
    "ab",
    "as asa",
    "aps",
    "oy oyj",
    "kk",
    "pty",
    "pvt pte",
    "bhd sdn",
    "jsc ojsc pjsc oao ooo pao",
    "sl slu",
    "sab",
    "tbk",
    "doo dd",
    "kft nyrt",
    "se",
)
LEGAL_FORMS = {word: code for code, words in enumerate(_FORMS, 1) for word in words.split()}
"""Legal forms of companies, by the form that they are spellings of; dots and case are gone."""

LIGHT_WORDS = SMALL_WORDS | frozenset(LEGAL_FORMS)
"""Words that hardly distinguish things."""

_ROMAN = (
    "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv"
)
_ORDINAL = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_CARDINAL = "one two three four five six seven eight nine ten eleven twelve"
NUMBER_WORDS = {
    word: n for words in (_ROMAN, _ORDINAL, _CARDINAL) for n, word in enumerate(words.split(), 1)
}
"""Numbers written in letters."""

GENERATIONS = frozenset(["jr", "sr", "junior", "senior", "ii", "iii", "iv"])
"""What follows the family name of a person."""
