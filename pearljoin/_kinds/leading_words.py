"""Kinds of streets that stand before the street's name, as in Romance and Slavic languages."""

from __future__ import annotations

__all__ = [
    "BEHIND_NUMBER",
    "DUTCH_ENDS",
    "FOLLOWED_KINDS",
    "LEADING",
    "MONTHS",
    "NAME_WORDS",
    "SLASHED_FLATS",
    "UNCLEAR_LEADING",
]

_KINDS = """
calle c cl cll clle
avenida avda avd av ave avenue
paseo po pso
plaza pza plza plz pl
plazuela plzla
ronda rda
travesia trv trva
camino cno cmno
carretera ctra crta
carrera cra kr cr crr
diagonal diag dg
transversal tv transv
callejon cjon
glorieta gta
urbanizacion urb
poligono pol
rambla rbla
pasaje pje psje
autopista
prolongacion
boulevard bulevar blvd bd
cuesta
costanilla
barrio
carrer
passeig pg
rua r
travessa
praca pca
alameda
largo lgo
estrada estr
rodovia rod
quadra
beco
via
viale vle
piazza
piazzale
corso cso
vicolo vico
strada
contrada
localita loc
lungomare
rue
chemin che chem
impasse imp
allee
quai
faubourg fbg fg
venelle
ulica ul ulitsa улица ул
aleja al aleje
osiedle os
plac
prospekt пр проспект пркт
pereulok переулок пер
bulvar бульвар
shosse шоссе ш
"""


def _first_of(table: str) -> dict[str, str]:
    """Each word of a line stands for the line's first."""
    lines = (line.split() for line in table.strip().split("\n"))
    return {word: words[0] for words in lines for word in words}


LEADING: dict[str, str] = _first_of(_KINDS)
"""Kinds of streets by their spellings."""

UNCLEAR_LEADING = frozenset(
    [
        "c",
        "cl",
        "cr",
        "dg",
        "kr",
        "po",
        "pl",
        "r",
        "al",
        "os",
        "pol",
        "rod",
        "loc",
        "via",
        "corso",
        "largo",
        "plaza",
        "plz",
        "strada",
        "avenue",
        "av",
        "ave",
        "blvd",
        "bd",
        "boulevard",
        "tv",
        "estr",
        "pg",
        "urb",
        "imp",
        "che",
        "barrio",
        "ronda",
        "diagonal",
        "diag",
        "transversal",
        "autopista",
        "loc",
        "alameda",
        "estrada",
        "localita",
        "camino",
        "paseo",
        "rua",
        "prospekt",
    ]
)
"""Those that are other words as well; without a number behind them they are no kinds."""

BEHIND_NUMBER = frozenset(
    ["rue", "chemin", "che", "impasse", "imp", "quai", "faubourg", "fbg", "allee", "venelle", "r"]
)
"""Those that may stand behind the house number, French ones: "12 rue de la Paix"."""

FOLLOWED_KINDS = frozenset(
    [
        "strasse",
        "str",
        "straat",
        "laan",
        "allee",
        "gasse",
        "weg",
        "platz",
        "plein",
        "gracht",
        "kade",
        "damm",
        "ufer",
    ]
)
"""Kinds that stand between the street's name and the house number."""

DUTCH_ENDS = ("straat", "laan", "gracht", "kade", "plein", "dijk", "singel")
"""Ends of streets whose house numbers have a floor behind them: "10-II"."""

SLASHED_FLATS = frozenset(
    ["ulica", "aleja", "osiedle", "plac", "prospekt", "pereulok", "bulvar", "shosse"]
)
"""Kinds of streets whose house numbers have the number of the flat behind a slash."""

NAME_WORDS: dict[str, str] = {
    "ntra": "nuestra",
    "ntro": "nuestro",
    "nra": "nuestra",
    "sra": "senora",
    "sr": "senor",
    "sta": "santa",
    "sto": "santo",
    "st": "saint",
    "ste": "sainte",
    "dr": "doctor",
    "dra": "doctora",
    "prof": "profesor",
    "gral": "general",
    "gal": "general",
    "gen": "general",
    "mal": "marechal",
    "cel": "coronel",
    "cnel": "coronel",
    "cdte": "comandante",
    "cap": "capitan",
    "pres": "presidente",
    "pte": "presidente",
    "hnos": "hermanos",
    "hnas": "hermanas",
    "mons": "monsenor",
    "fco": "francisco",
    "ing": "ingeniero",
    "av": "avenida",
}
"""Words of names of streets that are abbreviated."""

MONTHS = frozenset(
    [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "setiembre",
        "octubre",
        "noviembre",
        "diciembre",
        "janeiro",
        "fevereiro",
        "marco",
        "maio",
        "junho",
        "julho",
        "setembro",
        "outubro",
        "novembro",
        "dezembro",
        "gennaio",
        "febbraio",
        "aprile",
        "maggio",
        "giugno",
        "luglio",
        "settembre",
        "ottobre",
        "dicembre",
        "janvier",
        "fevrier",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "aout",
        "septembre",
        "octobre",
        "novembre",
        "decembre",
        "stycznia",
        "lutego",
        "marca",
        "kwietnia",
        "maja",
        "czerwca",
        "lipca",
        "sierpnia",
        "wrzesnia",
        "pazdziernika",
        "listopada",
        "grudnia",
    ]
)
"""Months in names of streets, whose day is no house number: "Via 25 Aprile 12"."""
