"""Names of columns in many languages: what they say, beside what the columns hold."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._kinds import column_words
from pearljoin._kinds.column_names import (
    coordinate_part,
    date_part,
    hints,
    person_part,
    person_parts,
    says_amount,
    says_birth,
)
from pearljoin._kinds.column_words import meanings, name_words
from pearljoin._kinds.generations import are_other_generations
from pearljoin._kinds.person_sex import are_other_sexes
from pearljoin._kinds.protocol import KINDS
from pearljoin._kinds.recognise import recognise
from pearljoin._kinds.record_roles import person_or_thing, roles_together
from pearljoin._tables.given_kinds import GivenKinds
from pearljoin._tables.guess_records import is_bookkeeping
from pearljoin._tables.key_kinds import record_kinds
from pearljoin._tables.read_table import as_table
from pearljoin._text.normalise import normalise

LIST = Path(column_words.__file__).with_suffix(".txt").read_text(encoding="utf-8")
LINES = [line for line in LIST.splitlines() if line and not line.startswith("#")]


def split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",")]


SAID = {
    *KINDS, "given", "middle", "family", "full", "first", "last", "middle-word", "names",
    "name-beside-family", "beside-name", "generation", "sex", "people", "thing", "other", "place",
    "object", "birth", "not-birth", "year", "month", "day", "money", "amount", "latitude",
    "longitude", "time", "season", "period", "coded", "blocks", "row", "row-number", "beside-row",
    "change", "creation", "maker", "aside",
}  # fmt: skip


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.partition(":")[0])
def test_a_line_has_known_meanings_a_language_and_normalised_words(line: str) -> None:
    head, _, words = line.partition(": ")
    *said, language = head.split()
    assert said
    assert set(said) <= SAID
    assert language.isalpha()
    listed = words.split()
    assert len(set(listed)) == len(listed)
    assert [normalise(word.strip("=*")) for word in listed] == [w.strip("=*") for w in listed]


VALUES: dict[str, Any] = {
    "text": ["a short note of six words", "another note of just six words"],
    "person": ["John", "Ann"],
    "address": ["Hauptstr. 12", "Rose Cottage", "Elm House"],
    "date": ["1985", "1990", "2001"],
    "phone": np.array([612345678, 698765432, 677123456]),
    "postcode": ["90210", "10115", "20095"],
    "code": np.array([4711, 88, 12345]),
    "number": ["120000", "350000", "210500"],
    "list": ["Anna Holm, Olaf Berg", "Ines Roth, Paul Kern", "Max Lang"],
}
"""Values that are of a kind by the name of their column alone."""

NAMED = {
    "text": "Beschreibung, Bemerkungen, Commentaires, Observaciones, Descrizione, Opmerking, Opis,"
    "Uwagi, Poznámka, Bemærkninger, Beskrivning, Megjegyzés, Observații, Açıklama, Keterangan",
    "person": "Vorname, Rufname, Prénom, Apellidos, Cognome, Sobrenome, Voornaam, Nazwisko,"
    "Příjmení, Priezvisko, Fornavn, Etternavn, Förnamn, Efternamn, Etunimi, Sukunimi, Keresztnév,"
    "Prenume, Soyadı, Prezime, Priimek, Cognoms, Фамилия, Familiya, Επώνυμο, Nama Depan",
    "address": "Straße, Strassenname, Anschrift, Lieferadresse, Rue, Calle, Dirección, Indirizzo,"
    "Via, Endereço, Morada, Straatnaam, Adres, Ulica, Ulice, Adresa, Gade, Gatuadress, Osoite,"
    "Lakcím, Cím, Adresi, Adreça, Адрес, Alamat",
    "date": "Jahr, Baujahr, Bestelldatum, Année, Año, Fecha, Anno, Bouwjaar, Rok,"
    "Data di emissione, Päivämäärä, Vuosi, Tarih, Yıl, Godina, Год, Tanggal, Tahun, year2",
    "phone": "Telefon, Telefonnummer, Tel., Handynr., Rufnummer, Téléphone, Móvil, Celular,"
    "Cellulare, Telemóvel, Telefone, Telefoonnummer, Tel. kom., Mobilní telefon, Tlf., Puhelin,"
    "Matkapuhelin, Telefonszám, Cep Telefonu, Τηλέφωνο, Телефон, No. HP, phone2",
    "postcode": "PLZ, Postleitzahl, Code postal, CP, C.P., Código postal, CAP, Codice postale, CEP,"
    "Kod pocztowy, PSČ, Postnr., Postnummer, Postinumero, Irányítószám, Irsz., Cod poștal,"
    "Posta Kodu, Poštanski broj, Почтовый индекс, Τ.Κ., Kode Pos",
    "code": "Kundennummer, Artikel-Nr., Kennziffer, N° client, Numéro, SIRET, SIREN, Código, NIF,"
    "RFC, P.IVA, Partita IVA, Codice fiscale, Matricola, CNPJ, CPF, KvK-nummer, BSN, NIP, REGON,"
    "KRS, PESEL, Numer, IČO, DIČ, Rodné číslo, CVR, Org.nr, Personnummer, Y-tunnus, Adószám,"
    "Azonosító, CUI, CNP, VKN, TCKN, OIB, Številka, ИНН, ОГРН, ΑΦΜ, NPWP, Kode",
    "number": "Preis, Verkaufspreis, Betrag, Umsatz, Anzahl, Einwohner, Prix, Montant, Effectif,"
    "Precio, Habitantes, Importo, Fatturato, Abitanti, Preço, Prijs, Omzet, Kwota, Cena, Liczba,"
    "Počet, Tržby, Antal, Beløb, Pris, Hinta, Mennyiség, Összeg, Preț, Fiyat, Nüfus, Cijena, Цена,"
    "Harga, number of employees, no. of seats",
    "list": "Autoren, Schlagwörter, Auteurs, Mots-clés, Autores, Palabras clave, Autori, Autorzy,"
    "Klíčová slova, Forfattere, Avainsanat, Szerzők, Yazarlar",
}
CASES = [(name.strip(), kind) for kind, names in NAMED.items() for name in names.split(",") if name]


@pytest.mark.parametrize(("name", "kind"), CASES, ids=lambda text: text)
def test_a_name_lets_in_a_kind_that_the_values_allow(name: str, kind: str) -> None:
    values = VALUES[kind]
    assert recognise(values, "x") != kind
    assert recognise(values, name) == kind


CATEGORIES = (
    "Geschlecht, Sexe, Sexo, Sesso, Płeć, Pohlaví, Køn, Kjønn, Sukupuoli, Nem, Cinsiyet, Spol,"
    "Пол, Jenis Kelamin, Kategorie, Währung, Devise, Moneda, Waluta, Para birimi"
)


@pytest.mark.parametrize("name", split(CATEGORIES))
def test_names_of_categories(name: str) -> None:
    colours = ["red", "green", "blue"]
    assert recognise(colours, "x", n_cells=10) == "name"
    assert recognise(colours, name, n_cells=10) == "category"


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize(
    "name",
    [
        "data", "Data", "dato", "dat", "ad", "ads", "tip", "tips", "cif", "nar", "ur",
        "market_cap", "cap rate", "portable device", "via point", "room area", "house type",
        "num_rooms", "il", "ar", "name_ar", "title_an", "any", "nee", "ne", "NE", "NATO",
        "fnac", "lp", "kelt", "apelido", "broj", "szam", "gate", "roden", "rodent", "update",
        "candidate", "paid", "grid", "place", "stadium", "Ort", "Stadt", "miasto", "kraj", "bonn",
        "Partner", "report", "sort", "general", "import", "value added", "mobility", "streetwear",
        "telescope", "area_name", "codec", "mailer", "hasta", "tag", "lege",
    ],
)  # fmt: skip
def test_words_that_mean_other_things_hint_at_no_kind(name: str, kind: str) -> None:
    values = VALUES[kind]
    assert recognise(values, name) == recognise(values, "x")


@pytest.mark.parametrize(("name", "kind"), CASES, ids=lambda text: text)
def test_firms_are_names_whatever_their_column_is_called(name: str, kind: str) -> None:
    firms = ["Acme Corp", "Smith & Sons", "3M", "Société Générale", "7-Eleven", "IBM"]
    assert recognise(firms, name) in ("name", "person" if kind == "person" else "name")


BIRTHS = (
    "Né(e) le, Né le, Née le, Date de naissance, Date naiss., Geburtsdatum, geb. am, Geb.-Datum,"
    "Geburtstag, GebDat, Fecha de nacimiento, F. nac., Fec. Nac., Nacido el, Data di nascita,"
    "Nato il, Nata il, Nato/a il, Data de nascimento, Dt. Nasc., Nascido em, Geboortedatum,"
    "Data urodzenia, data ur., Ur. data urodz., Datum narození, Dat. nar., Dátum narodenia,"
    "Fødselsdato, Fødselsdag, Fødedato, Født, foedselsdato, Födelsedatum, Född, Syntymäaika,"
    "Syntymäpäivä, Synt.aika, Születési dátum, Szül. idő, Születési idő, Data nașterii,"
    "Doğum Tarihi, Datum rođenja, Datum rojstva, Data de naixement, Дата рождения,"
    "Дата народження, Data rozhdeniya, Ημερομηνία γέννησης, Tanggal Lahir, Tgl Lahir, D.O.B."
)
NO_BIRTHS = (
    "Geburtsort, Geburtsland, Geburtsname, Lieu de naissance, Pays de naissance, birthplace,"
    "Lugar de nacimiento, Luogo di nascita, Comune di nascita, Local de nascimento, Geboorteplaats,"
    "Geboortenaam, Miejsce urodzenia, Místo narození, Miesto narodenia, Fødested, Fødselsnummer,"
    "Födelseort, Syntymäpaikka, Születési hely, Locul nașterii, Doğum Yeri, Mjesto rođenja,"
    "Kraj rojstva, Место рождения, Tempat Lahir, birth weight, Geburtsgewicht, data, Datum, Fecha,"
    "Renaissance, date d'échéance, Gebäude, geboekt op, nacionalidad, nascosto, NATO, née, ne,"
    "natural, rodent, szülő, urdu, narrow, fnac, synth, lahar, gebruiker, born_country"
)


@pytest.mark.parametrize("name", split(BIRTHS))
def test_names_of_dates_of_birth(name: str) -> None:
    assert says_birth(name)
    assert recognise(["19850403", "19991231"], name) == "date"


@pytest.mark.parametrize("name", split(NO_BIRTHS))
def test_names_of_other_things_than_dates_of_birth(name: str) -> None:
    assert not says_birth(name)


@pytest.mark.parametrize("name", ["Né(e) le", "geb. am", "Dat. nar.", "f. nac."])
def test_a_couple_has_two_dates_of_birth(name: str) -> None:
    rows = [
        ("Dupont", "Anne", "03/04/1985"), ("Martin", "Paul", "12/11/1990"),
        ("Petit", "Luc", "01/02/1970"), ("Durand", "Eva", "05/06/1982"),
        ("Moreau", "Léa", "25/12/1999"), ("Dupont", "Anne", "21/09/1988"),
        ("Martin", "Paul", "12/11/1990"), ("Roux", "Jean", "07/08/1961"),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["NOM", "Prénom", name])
    found = pj.find_duplicates(table)
    assert found.keys.kinds == ("text", "text", "date")
    clusters = found.clusters().tolist()
    assert clusters[1] == clusters[6]
    assert clusters[0] != clusters[5]


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        (["Nom", "Prénom"], ["family", "given"]),
        (["Nome", "Cognome"], ["given", "family"]),
        (["Nome", "Sobrenome"], ["given", "family"]),
        (["Nombre", "Apellidos", "Ciudad"], ["given", "family", None]),
        (["Jméno", "Příjmení"], ["given", "family"]),
        (["Meno", "Priezvisko"], ["given", "family"]),
        (["Imię", "Nazwisko"], ["given", "family"]),
        (["Ad", "Soyad"], ["given", "family"]),
        (["Adı", "Soyadı"], ["given", "family"]),
        (["Ime", "Prezime"], ["given", "family"]),
        (["Ime", "Priimek"], ["given", "family"]),
        (["Nume", "Prenume"], ["family", "given"]),
        (["Nom", "Cognoms"], ["given", "family"]),
        (["Фамилия", "Имя", "Отчество"], ["family", "given", "middle"]),
        (["Name", "Vorname"], ["family", "given"]),
        (["name", "surname"], ["given", "family"]),
        (["name", "first_name", "surname"], [None, "given", "family"]),
        (["Nom", "Ville"], [None, None]),
        (["ad", "campaign"], [None, None]),
        (["ad", "vorname"], [None, "given"]),
        (["ship name", "surname"], [None, "family"]),
    ],
)
def test_what_a_bare_name_is_by_the_columns_beside_it(
    names: list[str], parts: list[str | None]
) -> None:
    assert person_parts(names) == parts


def test_roles_of_bare_names() -> None:
    def roles(*names: str) -> Sequence[str | None]:
        return roles_together(names, [person_or_thing(name) for name in names])

    assert roles("Nome", "Cognome", "Città") == ["given", "family", None]
    assert roles("ad", "soyad") == ["given", "family"]
    assert roles("ad", "title") == ["unsaid", "thing"]
    # Of species a family is another thing.
    assert roles("name", "family") == ["full", "family"]
    assert roles("name", "first name", "surname") == ["full", "given", "family"]


@pytest.mark.parametrize(
    "columns",
    [
        ["Příjmení", "Jméno", "Adresa", "Telefon"],
        ["Soyad", "Ad", "Adres", "Tel"],
        ["Cognome", "Nome", "Indirizzo", "Telefono"],
    ],
    ids="-".join,
)
def test_members_of_a_family_are_told_apart_by_a_bare_name(columns: list[str]) -> None:
    rows = [
        ("Rossi", "Anna", "Via Roma 12", "06 5551234"),
        ("Rossi", "Marco", "Via Roma 12", "06 5551234"),
        ("Bianchi", "Luca", "Via Verdi 3", "06 5550001"),
        ("Conti", "Sara", "Via Dante 8", "06 5557777"),
        ("Rossi", "Anna", "Via Roma, 12", "06 555 1234"),
        ("Greco", "Paola", "Corso Italia 4", "06 5559"),
    ]
    table = pd.DataFrame(rows, columns=columns)
    clusters = pj.find_duplicates(table).clusters().tolist()
    assert clusters[0] == clusters[4]
    assert clusters[0] != clusters[1]


def test_columns_given_as_people_are_one_name() -> None:
    table = pd.DataFrame({"Nom": ["Dupont", "Roux"], "Prénom": ["Anne", "Luc"]})
    given = GivenKinds(("person", "person"))
    _, groups = record_kinds(as_table(table, "right"), list(table), given)
    assert groups == ((1, 0),)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("Name, Vorname", "full"), ("Vor- und Nachname", "full"), ("Nom et prénom", "full"),
        ("Cognome e nome", "full"), ("Jméno a příjmení", "full"), ("Imię i nazwisko", "full"),
        ("Adı Soyadı", "full"), ("Ime i prezime", "full"), ("Nume și prenume", "full"),
        ("ФИО", "full"), ("Nama Lengkap", "full"), ("Nom du client", "full"),
        ("Nombre de cliente", "full"), ("Kunde", "full"), ("Pacjent", "full"), ("Müşteri", "full"),
        ("Nom de famille", "family"), ("Nama Depan", "given"), ("Primer apellido", "family"),
        ("Förnamn", "given"), ("Tussenvoegsel", "middle"), ("Отчество", "middle"),
        ("Nazwa firmy", "thing"), ("Název", "thing"), ("Cégnév", "thing"), ("Ünvanı", "thing"),
        ("Raison sociale", "thing"), ("Ragione sociale", "thing"), ("Razón social", "thing"),
        ("Yritys", "thing"), ("Företag", "thing"), ("Naziv", "thing"), ("Perusahaan", "thing"),
        ("Właściciel", "other"), ("Tulajdonos", "other"), ("Jednatel", "other"),
        ("Ville", None), ("Kaupunki", None), ("Obec", None), ("Miasto", None), ("Település", None),
        ("Geburtsort", None), ("Fødested", None), ("name_de", "unsaid"), ("Mieter", "unsaid"),
        ("Knížka", "unsaid"), ("Kniha", "object"), ("Statek", "object"),
    ],
)  # fmt: skip
def test_roles_in_many_languages(name: str, role: str | None) -> None:
    assert person_or_thing(name) == role


@pytest.mark.parametrize(
    "names", ["Breitengrad Längengrad", "latitud longitud", "enlem boylam", "широта долгота"]
)
def test_names_of_coordinates(names: str) -> None:
    found = [coordinate_part(name) for name in names.split()]
    assert found == [("latitude", ()), ("longitude", ())]


@pytest.mark.parametrize(
    "names",
    [
        "rok_nar mesic_nar den_nar", "vuosi kuukausi päivä", "yıl ay gün", "tahun bulan hari",
        "godina mjesec dan", "fødselsaar fødselsmåned fødselsdag", "geboortejaar geboortemaand "
        "geboortedag", "rok miesiąc dzień",
    ],
)  # fmt: skip
def test_names_of_parts_of_dates(names: str) -> None:
    found = [date_part(name) for name in names.split()]
    assert [part and part[0] for part in found] == ["year", "month", "day"]
    assert len({part and part[1] for part in found}) == 1


@pytest.mark.parametrize("name", ["NYTimes", "names", "outcomes", "nano", "an address", "lemon"])
def test_names_that_only_end_as_parts_of_dates_do(name: str) -> None:
    assert date_part(name) is None


def test_dates_in_columns_of_another_language_are_one_key() -> None:
    rows = [(f"osoba {row}", 1950 + row % 40, 1 + row % 12, 1 + row % 28) for row in range(60)]
    table = pd.DataFrame(rows, columns=["jméno", "rok", "měsíc", "den"])
    _, groups = record_kinds(as_table(table, "right"), list(table))
    assert groups == ((1, 2, 3),)


@pytest.mark.parametrize("name", ["Miete", "valeur", "hodnota", "Cena za kus", "vuokra"])
def test_names_of_amounts(name: str) -> None:
    assert says_amount(name)


@pytest.mark.parametrize(
    "name",
    ["lfd. Nr.", "Sıra No", "Nr. crt.", "Poznámka", "Remarques", "geändert am", "Nota bene x"],
)
def test_names_of_bookkeeping(name: str) -> None:
    assert is_bookkeeping(name) == (name != "Nota bene x")


@pytest.mark.parametrize(
    "name", ["Nr.", "erstellt", "erstellt von", "créé", "Rechnungsnummer", "lp"]
)
def test_names_of_no_bookkeeping(name: str) -> None:
    assert not is_bookkeeping(name)


def test_words_are_read_alike_however_accents_are_written() -> None:
    for name in ("Prénom", "Příjmení", "Straße"):
        assert name_words(name) == name_words(pd.Series([name]).str.normalize("NFD")[0])
    assert person_part("Pre\u0301nom") == "given"
    assert hints("N° client") == {"code"}


def test_words_that_count_as_whole_names_alone() -> None:
    assert "postcode" in meanings(["cap"])
    assert "postcode" not in meanings(["market", "cap"])


def test_sexes_and_generations_of_other_languages() -> None:
    assert are_other_sexes("h", "f")
    assert are_other_sexes("k", "m")
    assert are_other_sexes("zena", "muz")
    assert are_other_sexes("м", "ж")
    assert not are_other_sexes("h", "m")
    assert are_other_generations("pere", "fils")
    assert are_other_generations("ml", "st")
