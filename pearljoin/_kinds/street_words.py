"""Words of street addresses and their abbreviations.

English ones are the common ones of USPS Publication 28, "Postal Addressing Standards", appendix C
(https://pe.usps.com/text/pub28), a work of the United States government; those of other languages
are the usual ones of their postal services.
"""

from __future__ import annotations

__all__ = [
    "COMPOUND_ENDS",
    "COUNTED_IN_FLATS",
    "DIRECTIONS",
    "EXPANSIONS",
    "NUMBER_SIGNS",
    "ORDINALS",
    "STREET_TYPES",
    "UNIT_WORDS",
]

# The first word of a line is what the others are written for.
_TYPES = """
alley aly ally
allee
annex anx
arcade arc
avenue ave av aven avenu avn avnue
bend bnd
boulevard blvd boul boulv bd blv bvd
bridge brg brdge
bypass byp byps
causeway cswy
center ctr cent centr centre cntr
circle cir circ circl crcl
close cl
corner cor
court ct crt
courts cts
cove cv
creek crk
crescent cres crsent cresc
crossing xing crssng
drive dr drv driv
estate est
expressway expy expwy exp
extension ext extn
freeway fwy frwy
gardens gdns gdn garden
gate gte
glen gln
green grn
grove grv gro
heights hts ht
highway hwy hiway highwy hway
hill hl
hills hls
hollow holw
island is isle
junction jct jctn
lake lk
landing lndg
lane ln
loop lp
manor mnr
mews mws
motorway mwy
mount mt
mountain mtn
park pk prk
parade pde
parkway pkwy pkway pky parkwy
path pth
pike pk
place pl
plaza plz plza
point pt
quay qy
ridge rdg
road rd
route rte rt
row rw
square sq sqr
station sta stn
street st str strt strasse
terrace ter terr tce
trail trl
turnpike tpke trnpk
valley vly
view vw
village vlg
walk wlk
way wy
wharf whf
platz plz
weg
gasse
damm
ufer
rue
chemin chem che
impasse imp
quai
faubourg fg fbg
calle
avenida avda avd
carretera ctra
paseo pso
plaza pza
camino cno
via
viale vle
piazza
corso cso
strada
vicolo vic
rua
travessa tv
praca pca
alameda
largo lgo
straat
laan
plein
kade
gracht
gatan
vagen
vej
gade
ulica ul
aleja
prospekt
"""

_DIRECTIONS = """
north n
south s
east e
west w
northeast ne
northwest nw
southeast se
southwest sw
"""

_UNITS = """
apartment apt apmt appt
suite ste
unit
flat flt
room rm
floor fl flr
building bldg
department dept
lot
space spc
trailer trlr
"""

_OTHERS = """
saint st
fort ft
broadway bdwy bway
rural rr
"""


def _first_of(table: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in table.split("\n"):
        words = line.split()
        for word in words:
            found.setdefault(word, words[0])
    return found


NUMBER_SIGNS = frozenset(["no", "nr", "nro", "num", "numero", "number"])
"""Words before a number that say that it is one."""

COUNTED_IN_FLATS = frozenset(
    ["bed", "beds", "bedroom", "bedrooms", "br", "bhk", "bath", "baths", "room", "rooms"]
)
"""Words after a number that count what a flat has: an "apartment 2 bed" is not the flat 2."""

STREET_TYPES: dict[str, str] = _first_of(_TYPES)
"""Kinds of streets by their spellings; a spelling of two has the more frequent one."""

DIRECTIONS: dict[str, str] = _first_of(_DIRECTIONS)

UNIT_WORDS: dict[str, str] = _first_of(_UNITS)
"""Parts of a building, before their number."""

EXPANSIONS: dict[str, str] = _first_of(_OTHERS) | STREET_TYPES | DIRECTIONS
"""All words of addresses that are abbreviated, by their spellings."""

COMPOUND_ENDS: dict[str, str] = {
    "str": "street",
    "strasse": "street",
    "straat": "straat",
    "weg": "weg",
    "platz": "platz",
    "gasse": "gasse",
    "allee": "allee",
    "laan": "laan",
    "gatan": "gatan",
    "vagen": "vagen",
}
"""Ends of words that name a street, as in "Hauptstr."."""

_NUMBERS = "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th 11th 12th"
_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
ORDINALS: dict[str, str] = dict(zip(_WORDS.split(), _NUMBERS.split(), strict=True))
"""Ordinal numbers of streets, as digits."""
