"""What the name of a column says of times of day, seasons and months in it, and of codes."""

from __future__ import annotations

from pearljoin._kinds.column_names import hints
from pearljoin._kinds.column_words import meanings, name_words

__all__ = ["names_thing", "says_day_time", "says_period", "says_season"]


def says_day_time(name: object) -> bool:
    """Tell whether a column holds times of day by its name.

    Examples
    --------
    >>> says_day_time("departure_time"), says_day_time("Heure de début"), says_day_time("shelf")
    (True, True, False)
    """
    return _has(name, "time")


def says_season(name: object) -> bool:
    """Tell whether a column holds years or seasons by its name.

    Examples
    --------
    >>> says_season("Season"), says_season("modelyear"), says_season("date")
    (True, True, False)
    """
    return _has(name, "season")


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
    return "code" in hints(name) or _has(name, "coded")


def _has(name: object, meaning: str) -> bool:
    return meaning in meanings(name_words(name))
