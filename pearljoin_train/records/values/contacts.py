"""Phone numbers, e-mail addresses and web sites."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from pearljoin_train.records.lists import words
from pearljoin_train.records.values.slips import (
    change_digit,
    cut_off,
    lose_accents,
    misread,
    misspell,
    swap_digits,
)
from pearljoin_train.records.values.style import Style

__all__ = ["EmailStyle", "Phone", "PhoneStyle", "WebStyle", "as_user"]


class Phone(NamedTuple):
    """A phone number."""

    country: str
    """Digits of the country, such as 44."""
    groups: tuple[str, ...]
    """The national number in groups, without a leading zero; the first is the area."""


def _national(phone: Phone, between: str) -> str:
    trunk = "" if phone.country in ("1", "39", "34") else "0"
    return trunk + between.join(phone.groups)


WAYS: tuple[Callable[[Phone], str], ...] = (
    lambda phone: f"+{phone.country} {' '.join(phone.groups)}",
    lambda phone: f"+{phone.country}{''.join(phone.groups)}",
    lambda phone: f"+{phone.country}-{'-'.join(phone.groups)}",
    lambda phone: f"00{phone.country} {' '.join(phone.groups)}",
    lambda phone: _national(phone, "-"),
    lambda phone: _national(phone, "-"),
    lambda phone: _national(phone, " "),
    lambda phone: _national(phone, ""),
    lambda phone: _national(phone, "."),
    lambda phone: (
        f"({_national(phone._replace(groups=phone.groups[:1]), '')}) " + "-".join(phone.groups[1:])
    ),
    lambda phone: (
        f"{_national(phone._replace(groups=phone.groups[:1]), '')}/" + " ".join(phone.groups[1:])
    ),
)
"""How tables write phone numbers."""


def lose_area(phone: Phone, rng: Random) -> Phone:
    """Leave out the area."""
    return phone._replace(groups=phone.groups[1:]) if len(phone.groups) > 2 else phone


def other_extension(phone: Phone, rng: Random) -> Phone:
    """Give another number of the same house: the last two digits differ."""
    last = phone.groups[-1]
    other = last[:-2] + f"{rng.randrange(100):02d}"
    return phone._replace(groups=(*phone.groups[:-1], other))


def add_extension(text: str, rng: Random) -> str:
    """Append an extension."""
    return text + rng.choice((" x", " ext. ", "-", " #")) + str(rng.randint(1, 999))


class PhoneStyle(Style[Phone]):
    """Phone numbers in one format; some tables mix two."""

    slips = (lose_area, other_extension)
    text_slips = (change_digit, change_digit, swap_digits, add_extension, cut_off)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._ways = rng.choice(WAYS), rng.choice(WAYS)
        self._mixed = rng.choice((0.0, 0.0, 0.2, 0.5))

    def write(self, value: Phone, rng: Random) -> str:
        """Write the number."""
        return self._ways[rng.random() < self._mixed](value)


def as_user(text: str) -> str:
    """Write a text as it may stand in an e-mail address or a web site.

    Examples
    --------
    >>> as_user("O'Brien & Söhne")
    'obriensohne'
    """
    plain = lose_accents(text.lower(), Random(0))
    return "".join(letter for letter in plain if letter.isascii() and letter.isalnum())


def other_provider(email: str, rng: Random) -> str:
    """Give the same user at another provider."""
    return email.split("@")[0] + "@" + rng.choice(words("people", "mail"))


def misspell_address(text: str, rng: Random) -> str:
    """Misspell what stands before or after the sign; in capitals or with a space it is no slip."""
    user, _, domain = text.partition("@")
    if domain and rng.random() < 0.5:
        return f"{user}@" + domain.replace(".com", rng.choice((".con", ".co", "com", ".cm")))
    return misspell(user.replace(".", " "), rng).replace(" ", ".") + f"@{domain}"


class EmailStyle(Style[str]):
    """E-mail addresses."""

    slips = (other_provider,)
    text_slips = (misspell_address, misspell_address, change_digit, misread)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._is_upper = rng.random() < 0.05

    def write(self, value: str, rng: Random) -> str:
        """Write the address."""
        return value.upper() if self._is_upper else value


class WebStyle(Style[str]):
    """Web sites: with and without what stands before and after the name."""

    text_slips = (misspell, cut_off)
    WAYS = (
        "{site}",
        "www.{site}",
        "http://www.{site}",
        "https://{site}/",
        "http://www.{site}/index.html",
    )

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._way = rng.choice(self.WAYS)
        self._mixed = rng.choice((0.0, 0.3))

    def write(self, value: str, rng: Random) -> str:
        """Write the site."""
        way = rng.choice(self.WAYS) if rng.random() < self._mixed else self._way
        return way.format(site=value)
