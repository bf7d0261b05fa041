"""What the names of columns say of whom, or of what, a record is."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pearljoin._kinds.column_names import hints, name_words, person_part
from pearljoin._kinds.person_names import Part
from pearljoin._text.normalise import normalise

__all__ = ["Role", "person_or_thing"]

Role: TypeAlias = (
    Part | Literal["person", "thing", "object", "sex", "generation", "unsaid", "other"]
)
"""Part of the name of the person that a record is of; that the user says that it holds people; that
a record may be of a thing of that name; that a column names a thing that a person may have, as one
who buys a product; the person's sex; that the column's name says nothing of it, so that its values
have to; or that it names somebody who may be another person each time."""

_NAMES = (
    "name names nombre nombres nom noms nome nomi naam namn navn nimi imie nume fullname nm "
    "姓名 名前 氏名 이름 成名 имя фио"
)
_PEOPLE = (
    "person individual customer cust client patient employee emp member student pupil applicant "
    "candidate guest passenger resident tenant user subscriber donor voter participant attendee "
    "beneficiary insured policyholder recipient addressee occupant householder cardholder holder "
    "claimant borrower traveller traveler volunteer player athlete debtor lessee trainee pensioner "
    "kunde kundenname patientin patientenname mitglied mitarbeiter teilnehmer versicherter "
    "cliente paciente socio empleado adherent abonne paziente klient pacjent klant "
    "empfanger destinataire destinatario"
)
_THINGS = (
    "company firm organisation organization org business institution institute school university "
    "hospital clinic facility site shop store supplier vendor agency club product title firma "
    "unternehmen entreprise societe empresa ditta azienda bedrijf"
)
NAMES, PEOPLE, THINGS = (
    frozenset(map(normalise, words.split())) for words in (_NAMES, _PEOPLE, _THINGS)
)
"""Words by which a column names the person that a record is of, and what it may be of instead."""

_OTHERS = (
    "owner contact author writer editor inventor creator designer publisher director manager "
    "ceo chair chairman chairwoman chairperson president head founder principal agent rep "
    "representative broker attorney lawyer judge doctor physician gp surgeon therapist teacher "
    "professor lecturer investigator adviser advisor supervisor boss lead assignee assigned "
    "responsible reviewer approver sponsor spouse partner husband wife father mother parent "
    "guardian kin emergency buyer seller sender salesperson artist singer actor actress composer "
    "performer band coach trainer landlord "
    "inhaber eigentumer besitzer ansprechpartner kontakt kontaktperson autor autorin verfasser "
    "kunstler komponist leiter geschaftsfuhrer vermieter proprietaire auteur artiste titular "
    "propietario dueno contacto artista autore proprietario contatto eigenaar "
)
_NO_PEOPLE = (
    "by brand label retailer merchant marke marque marca model event project department "
    "city town village place district county region province country location ort stadt wohnort "
    "gemeinde ville commune ciudad localidad citta comune cidade plaats miasto"
)
_OBJECTS = (
    "item article artikel produkt produit producto prodotto ship vessel boat schiff navire "
    "buque hotel restaurant bar cafe film movie show book song album track game species plant "
    "flower pflanze plante planta taxon cultivar variety breed animal pet horse dish wine beer "
    "perfume car vehicle make church parish chapel saint king river lake mountain island station "
    "airport stadium building bridge park monument museum road storm cyclone hurricane team "
    "state foundation"
)
OTHERS, NO_PEOPLE, OBJECTS = (frozenset(words.split()) for words in (_OTHERS, _NO_PEOPLE, _OBJECTS))
"""Words by which a column names a person who may be another one each time that a thing is recorded;
something that is named after people, or places; and other things that are."""

SEXES = frozenset(
    ["sex", "gender", "geschlecht", "sexe", "sexo", "genero", "sesso", "plec", "geslacht", "kon"]
)
"""Words by which a column names the sex of a person."""

SUFFIXES = frozenset(["sfx", "suffix", "namesfx", "namesuffix", "suffixname", "generation"])
"""What columns are called that have *Jr.* and *Sr.*"""

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
    "givenname familyname middlename vorname nachname prenom apellido apellidos "
    "forenames firstnames givennames middlenames vornamen prenoms"
)
_OF_NAMES = NAMES | PEOPLE | frozenset(_BESIDE_NAMES.split())
"""Words that the name of a column of people's names may have."""


def person_or_thing(name: object) -> Role | None:
    """Tell what a column says of whom or what a record is of, by the column's name.

    Returns
    -------
    role
        Which part of the name of the person that a record is of; "thing" where it may be of
        something else; "object" where it names a thing that people have, too; "sex" of the sex of
        people, and "generation" of *Jr.* and *Sr.*; "unsaid" where the name does not tell; "other"
        where it is of somebody who may change, as an owner; None for another column, as of where
        something is.

    Examples
    --------
    >>> person_or_thing("first_name"), person_or_thing("Name"), person_or_thing("customer name")
    ('given', 'full', 'full')
    >>> person_or_thing("recorded_by"), person_or_thing("company name"), person_or_thing("contact")
    (None, 'thing', 'other')
    >>> person_or_thing("taxpayer"), person_or_thing("ship"), person_or_thing("birth_date")
    ('unsaid', 'object', None)
    """
    # Numbers behind a name, as in "name_1" and "fname_c1", say nothing.
    read = [normalise(word) for word in name_words(name)]
    words = [word for word in (each.rstrip("0123456789") for each in read) if len(word) > 1]
    if not THINGS.isdisjoint(words):
        return "thing"
    if words and SEXES.issuperset(words):
        return "sex"
    if any(both.issubset(words) for both in _WHOLE_NAMES):
        return "full"
    joined = "".join(words)
    if joined in SUFFIXES:
        return "generation"
    if joined in _PARTS_ALONE:
        return _PARTS_ALONE[joined]
    # Of a customer there is more than the name, and not each first name is that of a customer.
    part = person_part(name)
    if not words or not _OF_NAMES.issuperset(words):
        is_said = part is not None or not hints(name) <= {"person", "text"}
        if is_said or not NO_PEOPLE.isdisjoint(words):
            return None
        if not OTHERS.isdisjoint(words):
            return "other"
        return "unsaid" if OBJECTS.isdisjoint(words) else "object"
    if part is not None:
        return part
    return None if NAMES.isdisjoint(words) and PEOPLE.isdisjoint(words) else "full"
