"""Word lists: small words, legal forms, number words."""

from __future__ import annotations

__all__ = [
    "FAMILY_FIRST",
    "GENERATIONS",
    "LEGAL_FORMS",
    "LIGHT_WORDS",
    "NUMBER_WORDS",
    "SMALL_WORDS",
]

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

_VIETNAMESE = "nguyen tran le pham hoang huynh phan vu vo dang bui do ho ngo duong ly"
_CHINESE = (
    "wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo zheng "
    "liang xie song tang deng feng han cao zeng peng xiao cai pan tian dong yuan yu jiang du su ye "
    "lu wei cheng ding ren shen yao fu zhong cui tan liao fan wong chan cheung lau leung chang hsu "
    "tsai"
)
_KOREAN = "kim lee park choi jung jeong kang cho yoon jang lim hwang shin"
_JAPANESE = "sato suzuki takahashi tanaka watanabe ito yamamoto nakamura kobayashi kato yoshida"
_HUNGARIAN = "nagy kovacs toth szabo horvath varga kiss molnar nemeth farkas balogh papp takacs"
FAMILY_FIRST = frozenset(f"{_VIETNAMESE} {_CHINESE} {_KOREAN} {_JAPANESE} {_HUNGARIAN}".split())
"""Family names that stand before the given name, where people write them as at home."""
