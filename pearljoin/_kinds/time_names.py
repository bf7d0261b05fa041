"""What the name of a column says of times of day, seasons and months in it, and of codes."""

from __future__ import annotations

from pearljoin._kinds.column_names import hints, name_words
from pearljoin._text.normalise import normalise

__all__ = ["names_thing", "says_day_time", "says_period", "says_season"]

# Normalised.
_WORDS = {
    "day time": "time times clock start starts starting end ends ending begin begins departure "
    "departures dep depart departs arrival arrivals arr arrive arrives std etd eta opens closes "
    "opening closing sunrise sunset hour hours hhmm uhrzeit uhr zeit abfahrt ankunft "
    "beginn ende heure heures debut hora horas "  # codespell:ignore beginn,ende
    "inicio salida llegada ora ore orario inizio tid tijd "  # codespell:ignore ore
    "vertrek aankomst godzina saat",
    "season": "season seasons year years yr jahr annee ano anio anno saison seizoen temporada "
    "stagione sezon sesong",
    "period": "date month months monat mois mes mese maand week weeks woche kw semaine semana "
    "settimana quarter quarters quartal trimestre term when "
    "period periode",  # codespell:ignore periode
    # What is often named by a code.
    "thing": "model modele modelo user username login account part item article artikel artnr "
    "modell product produkt "  # codespell:ignore modell,produkt
    "sample samples probe specimen lot batch case lamp voyage flight question variant version type "
    "label tag unit catalog catalogue inventory name title code",
}
_MEANINGS = {meaning: frozenset(words.split()) for meaning, words in _WORDS.items()}


def says_day_time(name: object) -> bool:
    """Tell whether a column holds times of day by its name.

    Examples
    --------
    >>> says_day_time("departure_time"), says_day_time("Heure de début"), says_day_time("shelf")
    (True, True, False)
    """
    return _has(name, "day time")


def says_season(name: object) -> bool:
    """Tell whether a column holds years or seasons by its name.

    Examples
    --------
    >>> says_season("Season"), says_season("modelyear"), says_season("date")
    (True, True, False)
    """
    return _has(name, "season") or any(word.endswith("year") for word in name_words(name))


def says_period(name: object) -> bool:
    """Tell whether a column holds months, quarters or weeks by its name.

    Examples
    --------
    >>> says_period("fiscal_quarter"), says_period("sku")
    (True, False)
    """
    return "date" in hints(name) or _has(name, "period")


def names_thing(name: object) -> bool:
    """Tell whether a column holds, by its name, what is often named by a code.

    Examples
    --------
    >>> names_thing("username"), names_thing("part_no"), names_thing("month")
    (True, True, False)
    """
    return "code" in hints(name) or _has(name, "thing")


def _has(name: object, meaning: str) -> bool:
    return not _MEANINGS[meaning].isdisjoint(map(normalise, name_words(name)))
