"""What the name of a column says of its kind, and which part of a person or place it holds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal, TypeAlias, TypeVar

from pearljoin._kinds.person_names import Part
from pearljoin._kinds.protocol import Kind
from pearljoin._kinds.units import UNITS, NamedUnit, is_money
from pearljoin._text.normalise import normalise

__all__ = [
    "DatePart",
    "coordinate_part",
    "date_part",
    "hints",
    "name_words",
    "named_unit",
    "person_part",
    "say_birth",
    "says_amount",
    "says_birth",
]

DatePart: TypeAlias = Literal["year", "month", "day"]
"""What one of several columns of a date holds."""

PartT = TypeVar("PartT", bound=str)

_BOUNDARY = re.compile(r"(?<=[a-z\d])(?=[A-Z])|[\W_]+")

_HINTS: dict[Kind, str] = {
    "text": "description desc comment comments note notes abstract summary text body bio remarks "
    "beschreibung descripcion",
    "person": "person firstname forename givenname given lastname surname familyname family "
    "fullname author inventor employee patient vorname nachname prenom apellido apellidos "
    "firstnames forenames givennames vornamen prenoms",
    "address": "address addr addr1 address1 address2 street strasse straße adresse direccion rue "
    "domicilio endereco morada logradouro indirizzo adres anschrift",
    "date": "date season quarter birth day year yr datetime timestamp datum "
    "jahr fecha annee année año released published",
    "email": "email mail",
    "phone": "phone telephone tel mobile cell fax telefon telefono handy",
    "postcode": "zip zipcode postcode postal postalcode plz postleitzahl cep pincode "
    "cp codpostal codigopostal codicepostale postale pocztowy kodpocztowy codepostal npa",
    "code": "id ids identifier code sku isbn issn ean upc gtin asin mpn model modelno partno "
    "serial ref reference key ssn vat iban number no nr "
    "houseno housenr housenumber hausnr hausnummer huisnummer",
    "number": "price cost amount quantity qty weight height width length duration runtime size age "
    "salary total "
    "volume vol page pages pp count rating score percent population revenue",
    "category": "gender sex type category status class state currency language lang unit",
    "list": "authors genres tags keywords categories actors cast ingredients members inventors "
    "artists",
}
_KINDS_OF_WORDS = {word: kind for kind, words in _HINTS.items() for word in words.split()}

_PERSON_PARTS: dict[str, Part] = {
    "firstname": "given",
    "forename": "given",
    "givenname": "given",
    "vorname": "given",
    "prenom": "given",
    "firstnames": "given",
    "forenames": "given",
    "givennames": "given",
    "vornamen": "given",
    "prenoms": "given",
    "middlename": "middle",
    "middlenames": "middle",
    "lastname": "family",
    "surname": "family",
    "familyname": "family",
    "nachname": "family",
    "apellido": "family",
    "apellidos": "family",
    "fullname": "full",
}
_WHOLE_NAMES_OF_POSTCODES = (["cap"], ["c", "p"])
"""Those that have more meanings beside other words: *market_cap*."""

_WHOLE_NAMES_OF_CODES = (["house"], ["room"])
"""What has a number by itself, and a value or a rate with more words."""

_BIRTH_WORDS = frozenset(
    {"dob", "yob", "born", "bday", "bdate", "geb", "geboren", "nasc", "nascita"}
)
_BIRTHS = ("birth", "geburt", "naiss", "nacimiento", "nascimento", "geboorte", "fodelse", "fodsel")
"""Words for birth, and what others begin with, normalised."""

_EVENTS = frozenset(
    [
        "registered",
        "registration",
        "issued",
        "updated",
        "verified",
        "created",
        "sent",
        "card",
        "due",
        "certificate",
        "place",
        "country",
        "city",
        "town",
        "weight",
        "order",
    ]
)
"""Words beside them that say of what else the column is."""

_DATE_PARTS: dict[DatePart, str] = {
    "year": "year yr jahr annee ano anio anno jaar aar yyyy yy y",
    "month": "month mon mo monat mois mes mese maand maned mm m",
    "day": "day tag jour dia giorno dag dd d",
}
_PARTS_OF_WORDS = {word: part for part, words in _DATE_PARTS.items() for word in words.split()}
_PARTS_OF_BIRTHS: dict[str, DatePart] = {
    **dict.fromkeys(("yob", "by"), "year"),
    **dict.fromkeys(("mob", "bm"), "month"),
    **dict.fromkeys(("dob", "bd"), "day"),
}
_FUSED_PART = re.compile(
    r"(.+?)s?(" + "|".join(word for word in _PARTS_OF_WORDS if len(word) > 2) + ")"
)
_LETTER_PART = re.compile(r"([a-z])([ymd])")

_UNCLEAR_UNITS = frozenset(["in", "min", "ms", "st", "pt", "mo", "ps", "std", "second"])
"""Units that stand for something else at the end of a name, such as a minimum, as any letter may:
*revenue_m* is in millions."""

_POWERS = {
    "kw": UNITS["kw"],
    "mw": UNITS["megawatt"],
    "gw": UNITS["gw"],
    "kwh": UNITS["kwh"],
    "mwh": UNITS["megawatthour"],
    "gwh": UNITS["gwh"],
}
"""Units that are a name by themselves, and that names have in small letters."""

_MONEY_WORDS = (
    "money price prices cost costs revenue revenues sales turnover income profit earnings ebit "
    "ebitda budget salary wage wages fee fees assets debt equity capex funding fund donation grant "
    "loan spending expense expenses payment preis preise kosten umsatz gewinn gehalt prix montant "
    "salaire precio importe prezzo"
)
_MONEY = frozenset(_MONEY_WORDS.split())

_AMOUNT_WORDS = (
    "value rent premium estimate valuation worth balance tax bid bonus deposit discount proceeds "
    "attendance visitors voters votes views downloads employees headcount inhabitants circulation "
    "wert miete valeur loyer valor alquiler"
)
_AMOUNTS = _MONEY.union(_AMOUNT_WORDS.split())
"""What has an amount, of money or of something that is counted, whatever stands before it."""

_COORDINATES = {
    "lat": "latitude",
    "latitude": "latitude",
    "lon": "longitude",
    "lng": "longitude",
    "long": "longitude",
    "longitude": "longitude",
}


def name_words(name: object) -> list[str]:
    """Words of a column's name, in lower case.

    Examples
    --------
    >>> name_words("birthDate"), name_words("ZIP_code")
    (['birth', 'date'], ['zip', 'code'])
    """
    return [word.lower() for word in _BOUNDARY.split(str(name)) if word]


def hints(name: object) -> set[Kind]:
    """Kinds that a column's name hints at.

    Examples
    --------
    >>> hints("author"), hints("colour")
    ({'person'}, set())
    """
    words = name_words(name)
    spellings = {*words, *map(normalise, words)}
    found = {_KINDS_OF_WORDS[word] for word in spellings if word in _KINDS_OF_WORDS}
    if words in _WHOLE_NAMES_OF_CODES:
        found.add("code")
    if words in _WHOLE_NAMES_OF_POSTCODES:
        found.add("postcode")
    if any(word.endswith("year") for word in words) or says_birth(name):
        found.add("date")
    if person_part(name) is not None:
        found.add("person")
    return found


def says_amount(name: object) -> bool:
    """Tell whether a column holds amounts by its name, if it holds numbers.

    Examples
    --------
    >>> says_amount("Annual rent"), says_amount("price"), says_amount("fee_id")
    (True, True, False)
    """
    hinted = hints(name)
    words = {*map(normalise, name_words(name))}
    return "number" in hinted or ("code" not in hinted and not words.isdisjoint(_AMOUNTS))


def person_part(name: object) -> Part | None:
    """Tell which part of a person's name a column holds by its name; None for another column.

    Examples
    --------
    >>> person_part("first_name"), person_part("Surname"), person_part("name")
    ('given', 'family', None)
    >>> person_part("first_name + last_name")
    'full'
    """
    words = name_words(name)
    joined = ["".join(pair) for pair in pairwise(words)]
    found = [_PERSON_PARTS[word] for word in [*joined, *words] if word in _PERSON_PARTS]
    if {"given", "family"} <= {*found}:
        return "full"
    return found[0] if found else None


def say_birth(names: Sequence[object]) -> bool:
    """Tell whether columns hold dates of birth by their names, if they hold dates.

    Parameters
    ----------
    names
        Of one column of dates, or of several that hold the parts of one.

    Examples
    --------
    >>> say_birth(["dob"]), say_birth(["by", "bm", "bd"]), say_birth(["by"])
    (True, True, False)
    """
    parts = [date_part(name) for name in names] if len(names) > 1 else []
    return any(map(says_birth, names)) or any(part and "birth" in part[1] for part in parts)


def says_birth(name: object) -> bool:
    """Tell whether a column holds dates of birth by its name, if it holds dates.

    Examples
    --------
    >>> says_birth("date_of_birth"), says_birth("Geburtsdatum"), says_birth("birth_registered_on")
    (True, True, False)
    """
    composed = unicodedata.normalize("NFC", str(name))
    words = [normalise(word) for word in name_words(composed)]
    # "D.O.B." is one word, and so is "d_o_b".
    words = ["".join(words)] if all(len(word) == 1 for word in words) else words
    is_birth = any(word in _BIRTH_WORDS or word.startswith(_BIRTHS) for word in words)
    return is_birth and _EVENTS.isdisjoint(words)


def named_unit(name: object) -> NamedUnit | None:
    """Return the unit with which a column's name ends; None for another name.

    Only another unit of the same dimension, in the cells or in the name of the column beside it,
    tells that it is one: *price_min* is no time. One letter is no clear unit, and nor is any at the
    end of a name that speaks of money, or that is the whole name: *mw*, *kw* and the like.

    Examples
    --------
    >>> named_unit("height_cm")
    NamedUnit(unit=Unit(dimension='length in m', factor=0.01), is_clear=True)
    >>> named_unit("elevation_m").is_clear, named_unit("revenue_mm").is_clear, named_unit("minutes")
    (False, False, None)
    """
    words = name_words(name)
    last = words[-1] if words and "per" not in words else ""
    unit = _POWERS.get(last) or (UNITS.get(last) if len(words) > 1 else None)
    if unit is None:
        return None
    is_sum = any(
        normalise(word) in _MONEY or (word in UNITS and is_money(UNITS[word])) for word in words
    )
    is_letter = len(last) == 1 and last.isalpha()
    is_other = is_letter or last in _UNCLEAR_UNITS or is_sum or len(words) == 1
    return NamedUnit(unit, is_money(unit) or not is_other)


def coordinate_part(name: object) -> tuple[str, tuple[str, ...]] | None:
    """Tell whether a column holds a latitude or a longitude by its name, and of what.

    Examples
    --------
    >>> coordinate_part("shop_lat"), coordinate_part("name")
    (('latitude', ('shop',)), None)
    """
    return _only_part(name_words(name), _COORDINATES)


def date_part(name: object) -> tuple[DatePart, tuple[str, ...]] | None:
    """Tell whether a column holds the year, month or day of a date by its name, and of which.

    Parts of *byear*, *by* and *yob* are read, too.

    Examples
    --------
    >>> date_part("birth_year"), date_part("bd"), date_part("address")
    (('year', ('birth',)), ('day', ('birth',)), None)
    """
    words = [normalise(word) for word in name_words(name)]
    found = _only_part(words, _PARTS_OF_WORDS)
    if found is not None:
        return found[0], tuple("birth" if word == "b" else word for word in found[1])
    word = words[0] if len(words) == 1 else ""
    if word in _PARTS_OF_BIRTHS:
        return _PARTS_OF_BIRTHS[word], ("birth",)
    fused = _FUSED_PART.fullmatch(word) or _LETTER_PART.fullmatch(word)
    if fused is None:
        return None
    start, part = fused.groups()
    return _PARTS_OF_WORDS[part], ("birth" if start == "b" else start,)


def _only_part(
    words: Sequence[str], parts: Mapping[str, PartT]
) -> tuple[PartT, tuple[str, ...]] | None:
    """The part that one word alone names, and the other words."""
    found = [word for word in words if word in parts]
    if len(found) != 1:
        return None
    return parts[found[0]], tuple(word for word in words if word != found[0])
