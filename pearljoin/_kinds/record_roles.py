"""What the names of columns say of whom, or of what, a record is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from pearljoin._kinds.column_names import name_words, person_part
from pearljoin._kinds.person_names import Part
from pearljoin._text.normalise import normalise

__all__ = ["LoneRole", "Role", "person_or_thing", "roles_together"]

Role: TypeAlias = Part | Literal["thing"]
"""Part of the name of the person that a record is of, or that it may be of a thing of that name."""

LoneRole: TypeAlias = Role | Literal["perhaps", "place"]
"""The same of a column by itself: a record may be of that person, if it is of nobody else; or the
column says where something is."""

_NAMES = (
    "name names nombre nombres nom noms nome nomi naam namn navn nimi imie nume fullname nm "
    "姓名 名前 氏名 이름 成名 имя фио"
)
_PEOPLE = (
    "person individual customer cust client patient employee emp member student pupil applicant "
    "candidate guest passenger resident tenant user subscriber donor voter participant attendee "
    "beneficiary insured policyholder recipient cardholder holder "
    "kunde kundenname patientin patientenname mitglied mitarbeiter teilnehmer versicherter "
    "cliente paciente socio empleado adherent abonne paziente klient pacjent klant"
)
_THINGS = (
    "company firm organisation organization org business institution institute school university "
    "hospital clinic facility site shop store supplier vendor agency club product title firma "
    "unternehmen entreprise societe empresa ditta azienda bedrijf"
)
_PERHAPS = (
    "contact addressee occupant householder payee payer debtor signatory "
    "kontakt ansprechpartner empfanger contacto contatto destinataire destinatario"
)
_PLACES = (
    "city town village suburb district borough county state province region country locality "
    "stadt ort wohnort land bundesland ville commune pays departement ciudad municipio provincia "
    "pais citta comune paese cidade estado plaats stad miasto kraj"
)
NAMES, PEOPLE, THINGS, PERHAPS, PLACES = (
    frozenset(map(normalise, words.split()))
    for words in (_NAMES, _PEOPLE, _THINGS, _PERHAPS, _PLACES)
)
"""Words by which a column names the person that a record is of, what it may be of instead, people
whom other records than their own have, too, and where something is."""

_PARTS_ALONE: dict[str, Part] = {
    "first": "given",
    "given": "given",
    "fname": "given",
    "prenom": "given",
    "voornaam": "given",
    "fornavn": "given",
    "fornamn": "given",
    "last": "family",
    "lname": "family",
    "family": "family",
    "achternaam": "family",
    "cognome": "family",
    "nazwisko": "family",
    "efternamn": "family",
    "etternavn": "family",
    "middle": "middle",
}
"""What columns hold of a person's name that have these names, but for digits."""

_WHOLE_NAMES = tuple(
    frozenset(words.split())
    for words in (
        "first last",
        "given family",
        "vor nachname",
        "vorname nachname",
        "nom prenom",
        "nombre apellido",
        "nombre apellidos",
        "nome cognome",
    )
)
"""Words that together name a column of given and family names, as *Nombre y apellidos*."""

_BESIDE_NAMES = (
    "full legal account first last given family middle surname forename firstname lastname "
    "givenname familyname middlename vorname nachname prenom apellido apellidos"
)
_OF_NAMES = NAMES | PEOPLE | frozenset(_BESIDE_NAMES.split())
"""Words that the name of a column of people's names may have."""


def person_or_thing(name: object) -> LoneRole | None:
    """Tell what a column says of whom or what a record is of, by the column's name.

    Returns
    -------
    role
        Which part of the name of the person that a record is of; "thing" where it may be of
        something else; "perhaps" where a record may be of another than that person; "place" of
        towns and the like; None for another column, as of who wrote it.

    Examples
    --------
    >>> person_or_thing("first_name"), person_or_thing("Name"), person_or_thing("customer name")
    ('given', 'full', 'full')
    >>> person_or_thing("recorded_by"), person_or_thing("company name"), person_or_thing("contact")
    (None, 'thing', 'perhaps')
    """
    # Numbers behind a name, as in "name_1" and "fname_c1", say nothing.
    read = [normalise(word) for word in name_words(name)]
    words = [word for word in (each.rstrip("0123456789") for each in read) if len(word) > 1]
    if not THINGS.isdisjoint(words):
        return "thing"
    if any(both.issubset(words) for both in _WHOLE_NAMES):
        return "full"
    joined = "".join(words)
    if joined in _PARTS_ALONE:
        return _PARTS_ALONE[joined]
    if not PLACES.isdisjoint(words):
        return "place"
    # Of a customer there is more than the name, and not each first name is that of a customer.
    if not words or not (_OF_NAMES | PERHAPS).issuperset(words):
        return None
    if not PERHAPS.isdisjoint(words):
        return "perhaps"
    part = person_part(name)
    if part is not None:
        return part
    return None if NAMES.isdisjoint(words) and PEOPLE.isdisjoint(words) else "full"


def roles_together(
    roles: Sequence[LoneRole | None], are_text: Sequence[bool]
) -> tuple[Role | None, ...]:
    """Tell what the key columns say of whom a record is of, beside each other.

    The contact person of a record is whom it is of where no other column may name that, as columns
    of names and of other texts do, but for towns and the like.

    Parameters
    ----------
    roles
        By key column, as of `person_or_thing`.
    are_text
        By key column, whether its values are compared as texts.

    Examples
    --------
    >>> roles_together(["perhaps", "place"], [True, True])
    ('full', None)
    >>> roles_together(["perhaps", None], [True, True])
    (None, None)
    """
    named = [
        role or "thing"
        for role, is_text in zip(roles, are_text, strict=True)
        if role != "place" and (role or is_text)
    ]
    if named == ["perhaps"]:
        return tuple("full" if role == "perhaps" else None for role in roles)
    return tuple(None if role == "perhaps" or role == "place" else role for role in roles)
