"""Floors, doors and flats of addresses, and how they compare."""

import time

import pytest
from kind_pairs import compare, level

from pearljoin._kinds.address import OTHER_UNIT, AddressComparer
from pearljoin._kinds.read_address import read_address, read_with_units


@pytest.mark.parametrize(
    ("text", "number", "street", "unit"),
    [
        ("Calle Mayor 8, 2º B", "8", "calle mayor", "floor2 doorb"),
        ("C/ Mayor nº 8, 2 B, 28013 Madrid", "8", "calle mayor", "floor2 doorb"),
        ("CALLE MAYOR, 8, piso 2, B", "8", "calle mayor", "floor2 doorb"),
        ("Avda. Blasco Ibáñez, 50, 2O A", "50", "avenida blasco ibanez", "floor2 doora"),
        ("Pº del Prado 64, 3º izda.", "64", "paseo prado", "floor3 doorleft"),
        ("Paseo del Prado, 64, piso 3, izquierda", "64", "paseo prado", "floor3 doorleft"),
        ("Calle Serrano 21, bajo dcha", "21", "calle serrano", "floorbajo doorright"),
        ("Calle Mayor 8, 1º 2ª", "8", "calle mayor", "floor1 door2"),
        ("C/ Mayor 8, esc. B, 2º A", "8", "calle mayor", "buildingb floor2 doora"),
        ("Av. Corrientes 1234, Piso 5, Depto. B", "1234", "avenida corrientes", "floor5 doorb"),
        ("Hauptstr. 12, 3. OG links", "12", "haupt", "floor3 doorleft"),
        ("HAUPTSTR. 12, 3. Etage li.", "12", "haupt", "floor3 doorleft"),
        ("Hauptstraße 12a, EG rechts", "12a", "haupt", "flooreg doorright"),
        ("Lange Straße 5, Whg. 7, 10115 Berlin", "5", "lange", "7"),
        ("Goethestr. 4 Wohnung Nr. 12", "4", "goethe", "12"),
        ("12 rue de la Paix, 3e étage", "12", "rue paix", "floor3"),
        ("12, RUE DE LA PAIX, 3ème ETAGE, appt 4", "12", "rue paix", "floor3 4"),
        ("12 bd Voltaire, appartement 4", "12", "boulevard voltaire", "4"),
        ("Appartement 3 pièces, 12 rue du Bac, appt 4-B", "12", "rue bac", "floor4 doorb"),
        ("Piso 2 habitaciones, Calle Mayor 8, 3º B", "8", "calle mayor", "floor3 doorb"),
        ("Apartamento a estrenar, Calle Mayor 8, 3º B", "8", "calle mayor", "floor3 doorb"),
        ("Via Roma 12, 2° piano, scala B", "12", "via roma", "buildingb floor2"),
        ("Viale Dante 7, int. 4", "7", "viale dante", "4"),
    ],
)
def test_units_are_read(text: str, number: str, street: str, unit: str) -> None:
    found = read_address(text)
    assert found is not None
    assert (found.number, " ".join(found.street), found.unit) == (number, street, unit)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("C/ Mayor 8, 2º B", "Calle Mayor, nº 8, piso 2, B", "equal"),
        ("C/ Mayor 8, 2º B", "Calle Mayor 8, 4º A", "same building"),
        ("C/ Mayor 8, 2º B", "Calle Mayor 8", "part"),
        ("Hauptstr. 12, 3. OG links", "HAUPTSTR. 12, 3. Etage li.", "equal"),
        ("Hauptstr. 12, Whg. 3", "Hauptstraße 12, Wohnung 5", "same building"),
        ("12 rue du Bac, 1er étage", "12, rue du Bac, 2ème étage", "same building"),
        ("Building B, Unit 5, 48 Elm St", "Unit 5, Building B, 48 Elm Street", "equal"),
        ("Building B, Unit 5, 48 Elm St", "Building B, Unit 6, 48 Elm St", "same building"),
        ("Building B, 48 Elm St", "Unit 5, 48 Elm St", "part"),
        ("Suite 210, 2nd Floor, 48 Elm St", "2nd Floor, 48 Elm St", "part"),
        ("Apt 01, 48 Elm St", "Apt 1, 48 Elm St", "equal"),
        ("Apt 4-B, 48 Elm St", "Apt 4B, 48 Elm St", "equal"),
        ("48 Elm St Apt 4 B", "48 Elm St #4/b", "equal"),
        ("48 Elm St Apt B-4", "48 Elm St #B4", "equal"),
        ("48 Elm St Apt 4-B", "48 Elm St #4-C", "same building"),
        ("Hauptstr. 12, Whg. 4-B", "Hauptstr. 12, Whg. 4b", "equal"),
        ("Flat no. 4, 48 Elm St", "Flat 4, 48 Elm St", "equal"),
        ("123 Main St #5", "123 Mian St #4", "same building"),
        ("Main St #5", "123 Main St #4", "same street"),
    ],
)
def test_levels_of_units(one: str, other: str, expected: str) -> None:
    assert level(AddressComparer(), one, other) == expected


@pytest.mark.parametrize(
    "words",
    ["Flat to let", "Bright flat", "Room in a house", "Apartment 2 bedrooms", "Lot of space"],
)
def test_words_of_listings_are_no_units(words: str) -> None:
    found = read_with_units(f"{words}, Flat 12, 34 Chapel Lane, London")
    assert found is not None
    assert found[1] == (("flat", "12"),)


def test_two_units_weigh_as_two_house_numbers() -> None:
    comparer, top = AddressComparer(), len(AddressComparer.levels) - 1
    flats = [("12 Elm St #5", "12 Elm St #4"), ("12 Elm St #5", "12 Elm St")]
    found = comparer.place(compare(comparer, flats))
    assert found[0] * top == pytest.approx(OTHER_UNIT)
    assert comparer.levels[int(OTHER_UNIT)] == "same street"
    assert found[1] * top > comparer.levels.index("part")


def test_many_words_for_units_are_read_at_once() -> None:
    start = time.perf_counter()
    found = read_with_units("apt " * 20_000 + "4")
    assert found is not None
    assert found[0].unit == "4"
    assert read_address("apt " * 2500) is not None
    assert time.perf_counter() - start < 20
