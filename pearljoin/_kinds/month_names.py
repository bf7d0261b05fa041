"""Dates with the names of months in other languages than English, and with their signs."""

from __future__ import annotations

import re

__all__ = ["ENGLISH", "SHORTEST", "month_of_name", "read_named_month"]

ENGLISH = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
SHORTEST = 3
"""Letters of the name of a month that is cut short, at least."""

_NAMES = {
    1: "januar januari janvier janv enero gennaio janeiro jänner января",  # codespell:ignore januar
    2: "februar februari février fevrier "  # codespell:ignore februar
    "févr fevr febrero febbraio fevereiro февраля",
    3: "märz maerz mars marzo março marco maart marts марта",
    4: "avril abril aprile апреля",
    5: "mayo maggio maio мая",
    6: "juni juin junio giugno junho июня",  # codespell:ignore juni
    7: "juli juillet juil julio luglio julho июля",  # codespell:ignore juli
    8: "août aout agosto augustus augusti августа",
    9: "septembre septiembre setiembre settembre setembro sett сентября",
    10: "oktober octobre octubre ottobre outubro октября",  # codespell:ignore oktober
    11: "novembre noviembre novembro ноября",
    12: "dezember desember décembre "  # codespell:ignore dezember
    "decembre diciembre dicembre dezembro декабря",
}
"""Without those that an English month is spelled like as well."""

_SHORT = {
    1: "ene",
    2: "fév",
    3: "mrz mär",
    4: "avr abr",
    5: "mai",
    6: "giu",
    7: "lug",
    10: "okt",
    12: "dez déc dic",
}
_UNCLEAR = {
    1: "gen",
    2: "fev",
    3: "mrt",
    5: "mei maj mag",
    8: "ago",
    9: "set",
    10: "ott out",
    12: "des",
}
"""Short names that may be other words: they stand behind a day."""

MONTHS = {
    name: month
    for some in (_NAMES, _SHORT)
    for month, names in some.items()
    for name in names.split()
}
UNCLEAR_MONTHS = {name: month for month, names in _UNCLEAR.items() for name in names.split()}

_DATE = re.compile(
    r"(?:(\d{1,2})(?:\.|er|º|°)?(?:\s+de\s+|[-/\s]*))?"
    r"([^\W\d_]{3,10})\.?,?(?:\s+del?\s+|[-/\s]+)(\d{4})",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"(\d{4})\s?[年년](?:\s?(\d{1,2})\s?[月월](?:\s?(\d{1,2})\s?[日일])?)?")


def month_of_name(name: str) -> int | None:
    """The number of a month by its name, whole or cut short, in English or another language.

    Examples
    --------
    >>> month_of_name("Sept"), month_of_name("März"), month_of_name("Mar."), month_of_name("Tom")
    (9, 3, 3, None)
    """
    name = name.rstrip(".").lower()
    if len(name) >= SHORTEST:
        for month, english in enumerate(ENGLISH, start=1):
            if english.startswith(name):
                return month
    return MONTHS.get(name)


def read_named_month(text: str) -> tuple[int, int, int] | None:
    """Read year, month and day of a date whose month is named; None for another text.

    Names are those of Germanic and Romance languages and of Russian; "年", "月" and "日" stand
    behind numbers. Month and day are 0 where they are not given.

    Examples
    --------
    >>> read_named_month("14 juillet 1989"), read_named_month("3 de mayo de 2001")
    ((1989, 7, 14), (2001, 5, 3))
    >>> read_named_month("1989年7月14日"), read_named_month("Set 2001")
    ((1989, 7, 14), None)
    """
    found = _DATE.fullmatch(text)
    if found is not None:
        day, name, year = found.groups()
        month = MONTHS.get(name.lower()) or (UNCLEAR_MONTHS.get(name.lower()) if day else None)
        return None if month is None else (int(year), month, int(day or 0))
    found = _SIGNS.fullmatch(text)
    if found is None:
        return None
    parts = [int(part or 0) for part in found.groups()]
    return parts[0], parts[1], parts[2]
