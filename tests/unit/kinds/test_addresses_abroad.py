"""Addresses outside English, in which the number and the unit stand behind the street."""

import pytest
from kind_pairs import level

from pearljoin._kinds.address import AddressComparer
from pearljoin._kinds.column_names import hints
from pearljoin._kinds.read_address import read_address
from pearljoin._kinds.read_quantity import read_quantity
from pearljoin._kinds.recognise import recognise


def parts(text: str) -> tuple[str, str, str, str]:
    found = read_address(text)
    assert found is not None
    return found.number, " ".join(found.street), found.kind, found.unit


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C/ Mayor nº 8, 2º B, 28013 Madrid", ("8", "calle mayor", "", "2-b")),
        ("AVDA. BLASCO IBANEZ, 50, 2O A", ("50", "avenida blasco ibanez", "", "2-a")),
        ("Avda. Blasco Ibáñez, 50, 2º B", ("50", "avenida blasco ibanez", "", "2-b")),
        ("Calle Mayor 8, 2º B", ("8", "calle mayor", "", "2-b")),
        ("C/ Mayor nº 8, Bajo", ("8", "calle mayor", "", "floorbajo")),
        ("Paseo del Prado, 64, 2º A", ("64", "paseo prado", "", "2-a")),
        (
            "C/ NTRA. SRA. DEL CARMEN, 43, 3O DCHA, 28808 Alcalá de Henares",
            ("43", "calle nuestra senora carmen", "", "3-right"),
        ),
        ("Travesía del Conde Duque nº 13, 3  izda", ("13", "travesia conde duque", "", "3-left")),
        (
            "Calle Nuestra Señora del Carmen 74, 4  C, Madrid",
            ("74", "calle nuestra senora carmen", "", "4-c"),
        ),
        ("Pza. de España nº 55, esc. B, 2º A", ("55", "plaza espana", "", "stairb 2-a")),
        ("Calle Mayor 8, piso 3, pta 2", ("8", "calle mayor", "", "3-2")),
        ("Calle Mayor 8, 1º 2ª", ("8", "calle mayor", "", "1-2")),
        ("Calle 27 de Febrero 12", ("12", "calle 27 febrero", "", "")),
        ("Calle Alcalá s/n", ("sn", "calle alcala", "", "")),
        ("Carrera 7 No. 71-21, Oficina 302, Bogotá", ("71-21", "carrera 7", "", "302")),
        ("Calle 45 # 12-30 Apto 501", ("12-30", "calle 45", "", "501")),
        (
            "Av. Corrientes 1234, Piso 5, Depto. B, Buenos Aires",
            ("1234", "avenida corrientes", "", "5-b"),
        ),
        (
            "Av. Paulista, 1578 - Apto 12, Bloco B - Bela Vista, São Paulo - SP",
            ("1578", "avenida paulista", "", "blockb 12"),
        ),
        ("Rua Augusta, 100, 3º andar, sala 5", ("100", "rua augusta", "", "floor3 5")),
        ("R. Augusta 100 apto 12", ("100", "rua augusta", "", "12")),
        ("Rua 25 de Março, 100", ("100", "rua 25 marco", "", "")),
        ("Rua da Prata 12, 2º Esq., 1100-420 Lisboa", ("12", "rua prata", "", "2-left")),
        ("Rua da Prata 12-2º Dto", ("12", "rua prata", "", "2-right")),
        ("Via Roma 12, int. 4, 00184 Roma", ("12", "via roma", "", "4")),
        ("Via Garibaldi 12/A, scala B, int. 3", ("12a", "via garibaldi", "", "stairb 3")),
        ("Viale XX Settembre 5, 2° piano", ("5", "viale xx settembre", "", "floor2")),
        ("Via 25 Aprile 12", ("12", "via 25 aprile", "", "")),
        ("12 rue de la Paix, 3ème étage, 75002 Paris", ("12", "rue paix", "", "floor3")),
        ("12 bis rue Victor Hugo, bât. C, appt 5", ("12b", "rue victor hugo", "", "blockc 5")),
        ("12B R. Victor Hugo", ("12b", "rue victor hugo", "", "")),
        ("12, rue du 8 mai 1945, 69002 Lyon", ("12", "rue 8 mai 1945", "", "")),
        ("Rue de la Loi 16, bte 3, 1000 Bruxelles", ("16", "rue loi", "", "3")),
        ("Hauptstr. 12, 3. OG", ("12", "haupt", "street", "floor3")),
        ("Hauptstraße 12a, EG links", ("12a", "haupt", "street", "bajo-left")),
        ("Lange Straße 5, Whg. 7, 10115 Berlin", ("5", "lange", "street", "7")),
        ("Mariahilfer Straße 12/2/5", ("12", "mariahilfer", "street", "stair2 5")),
        (
            "Landstraßer Hauptstraße 12, Stiege 2, Top 5",
            ("12", "landstrasser haupt", "street", "stair2 5"),
        ),
        ("Bahnhofstrasse 3, 2. Stock rechts, 8001 Zürich", ("3", "bahnhof", "street", "2-right")),
        ("Keizersgracht 10-II, Amsterdam", ("10-2", "keizers", "gracht", "")),
        ("Kerkstraat 10 hs", ("10-hs", "kerk", "straat", "")),
        ("ul. Długa 12/5, 00-238 Warszawa", ("12", "ulica dluga", "", "5")),
        ("ul. Długa 12 m. 5", ("12", "ulica dluga", "", "5")),
        ("al. Jana Pawła II 12 lok. 3", ("12", "aleja jana pawla ii", "", "3")),
        ("os. Bohaterów 5/12", ("5", "osiedle bohaterow", "", "12")),
        ("ул. Ленина, д. 5, кв. 12, Москва", ("5", "ulica ленина", "", "12")),
        ("ul. Lenina 5, kv. 12", ("5", "ulica lenina", "", "12")),
        ("Via Roma", ("", "via roma", "", "")),
        ("C/ Mayor, 8-2º B", ("8", "calle mayor", "", "2-b")),
        ("Av. da Liberdade 110, r/c Esq", ("110", "avenida liberdade", "", "bajo-left")),
        ("Avenida Juárez 20, int. 3, Centro, CDMX", ("20", "avenida juarez", "", "3")),
        ("Plaza Mayor 3, Ático B", ("3", "plaza mayor", "", "atico-b")),
        ("Calle Serrano 21, bajo dcha", ("21", "calle serrano", "", "bajo-right")),
        ("Calle Mayor 8, 2B", ("8", "calle mayor", "", "2-b")),
        ("ul. Piękna 3A/7", ("3a", "ulica piekna", "", "7")),
        ("pl. Wolności 3 m. 12", ("3", "plaza wolnosci", "", "12")),
        ("Via Dante 7, piano 3, int. B", ("7", "via dante", "", "3-b")),
        ("Corso Buenos Aires 15, Milano", ("15", "corso buenos aires", "", "")),
        ("Piazza San Marco 1", ("1", "piazza san marco", "", "")),
        ("Chemin des Lilas 5, 1er étage", ("5", "chemin lilas", "", "floor1")),
        ("5 ter rue du Bac", ("5t", "rue bac", "", "")),
        ("Goethestr. 4, Whg. 12", ("4", "goethe", "street", "12")),
        ("Nieuwstraat 12-III", ("12-3", "nieuw", "straat", "")),
        ("Vodičkova 12, byt 3", ("12", "vodickova", "", "3")),
    ],
)
def test_number_behind_the_street(text: str, expected: tuple) -> None:
    assert parts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 Main St, Apt 4, Frankfurt am Main", ("12", "main", "street", "4")),
        ("Via Verde Plaza, 12 Main St", ("12", "main", "street", "")),
        ("500 Via Roma Dr", ("500", "via roma", "drive", "")),
        ("12 R St NW", ("12", "r", "street", "")),
        ("1 Plaza Dr", ("1", "plaza", "drive", "")),
        ("Plaza Building, 350 5th Ave, Suite 12", ("350", "5th", "avenue", "12")),
        ("123 Camino Real, Apt 4", ("123", "camino real", "", "4")),
        ("1200 Avenida de las Americas", ("1200", "avenida americas", "", "")),
        ("34-12 85th St", ("34-12", "85th", "street", "")),
        ("123 N. Main St, Apt 4", ("123", "main", "street", "4")),
        ("350 Fifth Avenue, 34th Floor", ("350", "5th", "avenue", "floor34")),
        ("12 Floor Street", ("12", "floor", "street", "")),
        ("100 Avenue A", ("100", "avenue a", "", "")),
        ("1 Plaza", ("1", "plaza", "", "")),
        ("12 Stock Rd", ("12", "stock", "road", "")),
        ("10 Casa Dr, Unit B", ("10", "casa", "drive", "b")),
        ("77 Via Lido Soud, Newport Beach", ("77", "via lido soud", "", "")),
        ("Flat 3, 12 High St", ("12", "high", "street", "3")),
    ],
)
def test_english_ones_stay(text: str, expected: tuple) -> None:
    assert parts(text) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("AVDA. BLASCO IBANEZ, 50, 2O A", "Avda. Blasco Ibáñez, 50, 2º B", "same building"),
        ("C/ Mayor nº 8, Bajo", "Calle Mayor 8, 2º B", "same building"),
        ("Paseo del Prado, 64, 2º A", "Paseo del Prado 66, 5º D", "same street"),
        ("C/ Mayor nº 8, 2º B", "CALLE MAYOR, 8, 2  B", "equal"),
        ("C/ Mayor 8, 3º izda", "Calle Mayor nº 8, piso 3, izquierda", "equal"),
        ("C/ Mayor 8, esc. B, 2º A", "Calle Mayor 8, 2º A", "part"),
        ("Calle Mayor 8", "Calle Mayor 8, 2º A", "part"),
        ("Mayor 8", "Calle Mayor 8", "part"),
        ("ul. Długa 12/5", "ul. Długa 12 m. 5", "equal"),
        ("ul. Długa 12/5", "ul. Długa 12 lok. 6", "same building"),
        ("Hauptstr. 12, 3. OG", "Hauptstraße 12, 3. Etage", "equal"),
        ("Hauptstr. 12, 3. OG", "Hauptstr. 12, EG", "same building"),
        ("Rua Augusta, 100, apto 12, bloco B", "R. Augusta 100 Bloco B - Apto 12", "equal"),
        ("Av. Corrientes 1234, piso 5, depto B", "Av. Corrientes 1234 5º B", "equal"),
        ("12 bis rue du Bac", "12B, R. du Bac", "equal"),
    ],
)
def test_levels(one: str, other: str, expected: str) -> None:
    assert level(AddressComparer(), one, other) == expected


def test_columns_of_kinds_that_stand_first() -> None:
    texts = ["Calle Mayor 8, 2º B", "Avda. Blasco Ibáñez, 50", "Paseo del Prado 66"]
    assert recognise(texts, "x") == "address"


@pytest.mark.parametrize(
    "name", ["cp", "código postal", "C.P.", "codice postale", "CAP", "PLZ", "kod pocztowy"]
)
def test_names_of_postcodes(name: str) -> None:
    assert "postcode" in hints(name)


def test_other_caps() -> None:
    assert "postcode" not in hints("market_cap")


@pytest.mark.parametrize(
    ("text", "number"), [("79 kW (107 PS)", 79), ("34.4 in (87.4 cm)", 34.4), ("79 (107)", None)]
)
def test_quantities_with_another_unit_in_brackets(text: str, number: float | None) -> None:
    found = read_quantity(text)
    assert (found and found.number) == number
