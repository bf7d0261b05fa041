"""Floors, doors and flats of Spanish, German, French and Italian addresses.

They are read only where the words for both the street and the unit are of one of these languages
(*Calle Mayor 8, 2º B*), so that English addresses with a word of them (*Via Rodeo Dr 5*, *123 Calle
Ocho Apt 4*) stay what they are.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pearljoin._kinds.address_units import Unit
from pearljoin._text.normalise import normalise

__all__ = ["take_units_abroad"]

_IZDA = r"izquierda|izqda|izda|izq|dere?cha|dcha|dcho|dch|centro|ctro"
_DOOR = rf"(?:(?:{_IZDA})\b\.?|\d{{1,2}}\s?[ªa](?!\w)|[a-z](?=\s*(?:[,;\n|-]|$)))"
_LI = r"(?:links|li|rechts|re|mitte|mi|gauche|gche|droite|dte|face)(?!\w)\.?"
_NO_ROOMS = (
    r"(?![\s-]*(?:pi[eè]ces?|chambres?|zimmer|habitaciones|hab|dormitorios?|ambientes|quartos|locali|"
    r"vani|camere|m2|m²|qm)(?!\w))"
)
"""Not before what counts rooms: *Appartement 3 pièces*."""
_NO_WORD = r"(?!(?-i:[ay])\s+[^\W\d_]{2})"
"""Not the words *a* and *y*: *Apartamento a estrenar*."""
_VALUE = rf"(?:\d{{1,4}}(?:[-/]?[a-z])?|{_NO_WORD}[a-z])(?!\w){_NO_ROOMS}"
_SHORT = r"(?:\d{1,2}|[a-z])(?!\w)"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


class Language(NamedTuple):
    """How addresses are written in a language.

    Attributes
    ----------
    street
        Matches an address with a street, anywhere in a text.
    units
        Matches units; its groups begin with their parts: "floor", "floor1".
    rewritten
        What is written for abbreviations of the street, in such addresses alone.
    """

    street: re.Pattern[str]
    units: re.Pattern[str]
    rewritten: tuple[tuple[re.Pattern[str], str], ...] = ()


_SPANISH = Language(
    _any(
        r"(?:^|[,;\n|])\s*(?:calle|cl\.?|avda\.?|avenida|av\.?|paseo|pza\.?|plza\.?|plaza|ronda|"
        r"trav(?:es[ií]a)?\.?|camino|ctra\.?|carretera|glorieta|carrer|passeig|carrera|cra\.?|rua|"
        r"pra[cç]a|largo|rambla|alameda|cuesta|costanilla)\s+\w"
    ),
    _any(
        rf"(?<!\w)(?P<floor>\d{{1,2}})\s?\.?\s?[ºª°]\s*[-,]?\s*(?P<door>{_DOOR})?",
        rf"(?<=\d),?\s+(?P<floor1>\d{{1,2}})o\s+(?P<door1>{_DOOR})",
        rf"(?<!\w)(?:piso|planta|plta\.?)\s*(?P<floor2>\d{{1,2}}|baja)(?:\s?[ºª°])?(?!\w){_NO_ROOMS}"
        rf"[,\s]*(?P<door2>{_DOOR})?",
        # The house number stands before them.
        rf"(?<=\d)[a-z]?(?:,\s*|\s+)(?P<floor3>bajos?|bjo?|entresuelo|entlo|principal|pral|[aá]tico|"
        rf"s[oó]tano)(?!\w)\.?[,\s]*(?P<door3>{_DOOR})?",
        rf"(?<=\d),\s*(?P<floor4>\d{{1,2}})\s{{0,2}}-?\s?(?P<door4>(?:{_IZDA})\b\.?|"
        r"[a-h](?=\s*(?:,|$)))",
        rf"(?<!\w)(?:puerta|pta|porta)\.?\s*(?P<door5>{_VALUE})",
        rf"(?<!\w)(?:escalera|esc|portal|bloque|blq|bloco|torre)\.?\s*"
        rf"(?P<building>(?:{_IZDA})\b|{_SHORT})",
        rf"(?<!\w)(?:apartamento|apto|departamento|depto|dpto)\.?\s*(?P<flat>{_VALUE})",
    ),
    ((_any(r"(?:^|(?<=,))\s*(?:av|avda)\b\.?"), " avenida "),),
)

_GERMAN = Language(
    _any(
        r"(?:stra(?:ß|ss)e|str\.?|weg|platz|allee|gasse|damm|ufer|(?<!\bsp)ring|markt|chaussee|graben)"
        r"\s*\d{1,4}\s?[a-z]?(?!\w)"
    ),
    _any(
        rf"(?<!\w)(?P<floor>\d{{1,2}})\s?\.?\s?(?:og|obergescho(?:ß|ss)|etage|stock(?:werk)?)"
        rf"(?!\w)\.?[,\s]*(?P<door>{_LI})?",
        rf"(?<!\w)(?P<floor1>eg|erdgescho(?:ß|ss)|(?:hoch)?parterre|dg|dachgescho(?:ß|ss)|ug|"
        rf"untergescho(?:ß|ss)|souterrain)(?!\w)\.?[,\s]*(?P<door1>{_LI})?",
        rf"(?<!\w)(?:whg|wohnungs?|top)[.\s-]*(?:nr\b\.?\s*)?(?P<flat>{_VALUE})",
        r"(?<!\w)(?P<building>vorderhaus|vh|hinterhaus|hh|seitenfl(?:ü|ue)gel|sf)(?!\w)",
        rf"(?<!\w)(?:stiege|aufgang)\s*(?P<building1>{_SHORT})",
    ),
)

_FRENCH = Language(
    _any(
        r"(?<!\w)(?:rue|avenue|av\.?|boulevard|boul\.?|bd\.?|all[ée]e|chemin|impasse|quai|place|"
        r"cours|square|passage|faubourg|fbg|route)\s+\w"
    ),
    _any(
        rf"(?<!\w)(?P<floor>\d{{1,2}})\s?(?:er|e|è|i?[eè]me|nd)?\s+[ée]tage(?!\w)[,\s]*"
        rf"(?P<door>{_LI})?",
        rf"(?<!\w)(?P<floor1>rdc|rez[- ]de[- ]chauss[ée]e)(?!\w)[,\s]*(?P<door1>{_LI})?",
        rf"(?<!\w)(?:appartement|appart|appt)\.?\s*(?:n[°ºo]\s*)?(?P<flat>{_VALUE})",
        rf"(?<!\w)porte\s*(?P<door2>{_VALUE})",
        rf"(?<!\w)(?:b[âa]t(?:iment)?|esc(?:alier)?)\.?\s*(?P<building>{_SHORT})",
    ),
    (
        (_any(r"(?<!\w)bd\b\.?"), " boulevard "),
        (_any(r"(?<!\w)av\b\.?"), " avenue "),
    ),
)

_ITALIAN = Language(
    _any(
        r"(?:^|[,;\n|])\s*(?:via|viale|v\.le|piazza|p\.zz?a|corso|c\.so|vicolo|largo|strada)"
        r"\s+\w[^,;\n|]*?,?\s*\d"
    ),
    _any(
        r"(?<!\w)(?P<floor>\d{1,2})\s?[°ºo]?\s+piano(?!\w)",
        r"(?<!\w)piano\s*(?P<floor1>\d{1,2}|terra|rialzato)(?!\w)[°º]?",
        rf"(?<!\w)(?:interno|int\.?)\s*(?P<flat>{_VALUE})",
        rf"(?<!\w)(?:scala|sc\.)\s*(?P<building>{_SHORT})",
    ),
)

_LANGUAGES = (_SPANISH, _GERMAN, _FRENCH, _ITALIAN)

_SAME = """
left izquierda izqda izda izq links li gauche gche
right derecha dercha dcha dcho dch rechts re droite dte
middle centro ctro mitte mi face
bajo bajos bj bjo baja
eg erdgeschoss parterre hochparterre
dg dachgeschoss
ug untergeschoss souterrain
vorderhaus vh
hinterhaus hh
seitenfluegel sf seitenflugel
entresuelo entlo
principal pral
rdc rezdechaussee
"""
_WORDS = {word: line.split()[0] for line in _SAME.strip().split("\n") for word in line.split()}
_ORDINAL_DOOR = re.compile(r"(\d+)a")
_STREET_SIGNS = (
    (re.compile(r"(?:^|(?<=,))\s*c\s?/\s?(?=[^\W\d_]{2})", re.IGNORECASE), " calle "),
    (re.compile(r"(?<!\w)p\.?º\s", re.IGNORECASE), " paseo "),
    (re.compile(r"(?<!\w)n\.?\s?[º°]\s?(?=\d)", re.IGNORECASE), " "),
)
_SIGN = re.compile(r"[º°/]")
_FLAT_OF_FLOOR = re.compile(r"(\d{1,2})([a-z])")


def take_units_abroad(text: str) -> tuple[tuple[Unit, ...], str]:
    """Take the units out of an address abroad; give them and what is left of the text.

    Examples
    --------
    >>> take_units_abroad("Calle Mayor 8, 2º B")
    ((Unit(part='floor', value='2'), Unit(part='door', value='b')), 'Calle Mayor 8,  ')
    >>> take_units_abroad("Apt 3, 12 Main St")
    ((), 'Apt 3, 12 Main St')
    """
    if _SIGN.search(text):
        for pattern, word in _STREET_SIGNS:
            text = pattern.sub(word, text)
    for language in _LANGUAGES:
        found: list[Unit] = []

        def take_out(at: re.Match[str], found: list[Unit] = found) -> str:
            parts = at.groupdict()
            found += [
                Unit(part.rstrip("12345"), _plain(parts[part])) for part in parts if parts[part]
            ]
            return " "

        # Units are the rarer ones of the two, and looked for first.
        if language.units.search(text) and language.street.search(text):
            text = language.units.sub(take_out, text)
            for pattern, word in language.rewritten:
                text = pattern.sub(word, text)
            return _of_floors(found), text
    return (), text


def _plain(value: str) -> str:
    """A value without signs, of several words for one the first: "left" for "izda."."""
    word = normalise(value).replace(" ", "")
    ordinal = _ORDINAL_DOOR.fullmatch(word)
    return ordinal[1] if ordinal else _WORDS.get(word, word)


def _of_floors(units: list[Unit]) -> tuple[Unit, ...]:
    """Make a floor and a door of a flat such as "2b"; a letter alone is the door of its floor."""
    has_floor = any(unit.part == "floor" for unit in units)
    made: list[Unit] = []
    for part, value in units:
        split = _FLAT_OF_FLOOR.fullmatch(value) if part == "flat" and not has_floor else None
        if split is not None:
            made += [Unit("floor", split[1]), Unit("door", split[2])]
        else:
            is_door = part == "flat" and has_floor and value.isalpha()
            made.append(Unit("door" if is_door else part, value))
    return tuple(made)
