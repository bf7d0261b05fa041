"""Words for the parts of a building outside English: stairs, floors, doors and sides.

They are the usual ones of the postal services and land registers of Spain and Latin America,
Portugal and Brazil, Italy, France, the German-speaking countries, the Netherlands, Poland, Czechia
and Russia, normalised.
"""

from __future__ import annotations

from types import MappingProxyType

__all__ = [
    "ALONE",
    "BLOCKS",
    "CLEAR_FLATS",
    "CLEAR_FLOORS",
    "DOORS",
    "FLATS",
    "FLOORS",
    "GROUND",
    "SIDES",
]


def _first_of(table: str) -> dict[str, str]:
    """Each word of a line stands for the line's first."""
    lines = (line.split() for line in table.strip().split("\n"))
    return {word: words[0] for words in lines for word in words}


CLEAR_FLOORS = frozenset(["og", "obergeschoss", "etage", "verdieping"])
"""Before or behind the number of a floor; no words or names in English."""

FLOORS = CLEAR_FLOORS | frozenset(
    [
        "floor",
        "piso",
        "planta",
        "plta",
        "andar",
        "piano",
        "pietro",
        "stock",
        "stockwerk",
        "geschoss",
        "etaz",
        "etazh",
        "этаж",
        "эт",
    ]
)

CLEAR_FLATS = frozenset(
    [
        "wohnung",
        "whg",
        "mieszkanie",
        "kvartira",
        "кв",
        "квартира",
        "appartement",
        "apartamento",
        "apto",
        "appto",
        "departamento",
        "depto",
        "dpto",
        "bte",
        "boite",
        "lokal",
        "byt",
    ]
)
"""Before the number of a flat; no words or names in English."""

FLATS = CLEAR_FLATS | frozenset(
    [
        "apt",
        "ap",
        "apart",
        "apartment",
        "apartament",
        "appt",
        "app",
        "int",
        "interno",
        "interior",
        "sala",
        "conjunto",
        "conj",
        "cj",
        "loja",
        "local",
        "oficina",
        "of",
        "lok",
        "m",
        "kv",
        "bt",
        "top",
        "bus",
        "unit",
        "suite",
        "flat",
        "dto",
        "dep",
        "casa",
    ]
)

DOORS = frozenset(["puerta", "pta", "pt", "porta", "porte", "tur", "tuer", "drzwi", "door"])
"""Before the number or letter of a door, one of a floor."""

BLOCKS = MappingProxyType(
    _first_of(
        """
stair escalera esc escalier scala sc stiege stg klatka kl escada
block bloque bloco blq bl batiment bat korpus korp корпус корп к
gate portal
tower torre
"""
    )
)
"""Before the number or letter of stairs or a block, of which each has its own floors."""

GROUND = MappingProxyType(
    _first_of(
        """
bajo bajos bj baja erdgeschoss eg parterre parter rdc rc terra terreo pb
entresuelo entlo ent
principal pral
atico at dachgeschoss dg
sobreatico
sotano untergeschoss ug
"""
    )
)
"""Floors without a number, by a word for each."""

SIDES = MappingProxyType(
    _first_of(
        """
left izquierda izq izqda izda iz esquerdo esquerda esq gauche gche links li lks sinistra sx
right derecha dcha dcho der drcha dch direito direita dto drt dir droite dte rechts re destra dx
middle centro ctro cto mitte centre
front frente fte vorderhaus
back fundos fundo tras hinterhaus contrafrente
"""
    )
)
"""What tells the flats of a floor apart instead of a letter."""

ALONE = frozenset(["vorderhaus", "hinterhaus", "huis"])
"""Sides without a floor before them, wherever they stand."""
