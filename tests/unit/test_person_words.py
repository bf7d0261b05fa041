"""Columns whose values are names of people, and others."""

import pytest

from pearljoin._kinds.person_words import are_kin, are_names_of_people, read_words, tell_apart
from pearljoin._text.given_names import are_other_names

PEOPLE = {
    "given names first": ["Rosa Quinn", "Leo Hall", "Emma van der Berg", "Paul Gibson"],
    "family names first": ["Quinn, Rosa", "Hall, Leo", "Gibson, Paul A."],
    "titles": ["Dr. Rosa Quinn", "Mrs. Emma Hall", "Prof. Dr. med. Anna Wolf"],
    "initials among them": ["R. Quinn", "E. Hall", "Hall, L.", "Paul Gibson", "Anna Wolf"],
}
OTHERS = {
    "firms": ["Acme Ltd", "Martin & Söhne GmbH", "Nova Pumps", "Siemens AG", "Bauer Elektro e.K."],
    "firms of families": ["Anna Wolf GmbH & Co. KG", "Peter Koch und Söhne", "Karl Berger / Co"],
    "places": ["San Jose", "Bad Homburg", "Sankt Augustin", "New York", "Stratford upon Avon"],
    "products": ["iPhone 14 128GB", "MX Master 3", "Pegasus 40 M", "Soft Shell Jacket"],
    "films": ["The Godfather", "Dr. Strangelove", "Annie Hall", "Blade Runner", "Taxi Driver"],
    "numbers": ["Anna 12", "Leo 13", "Rosa 14"],
    "initials alone": ["R. Quinn", "L. Hall"],
    "nothing": ["", "-", "?"],
}


def read(names: list[str]) -> list[tuple[str, ...]]:
    return [read_words([name], ["full"]) for name in names]


@pytest.mark.parametrize("case", PEOPLE)
def test_names_of_people_are_known_for_such(case: str) -> None:
    assert are_names_of_people(read(PEOPLE[case]))


@pytest.mark.parametrize("case", OTHERS)
def test_other_names_are_not(case: str) -> None:
    assert not are_names_of_people(read(OTHERS[case]))


def test_a_slip_in_a_family_name_leaves_people_kin() -> None:
    assert are_kin(("ben", "easstwood"), ("y", "eastwood"))
    assert are_kin(("easstwood", "ben"), ("yusuf", "eastwood"))
    assert not are_kin(("mario", "rossi"), ("maria", "verdi"))


@pytest.mark.parametrize("names", ["mario maria", "paolo paola", "francesca francesco"])
def test_names_of_a_woman_and_of_a_man_are_two(names: str) -> None:
    one, other = names.split()
    assert are_other_names(one, other)
    assert tell_apart((one, "rossi"), (other, "rossi"))


@pytest.mark.parametrize("names", ["marco marko", "daniel daniela", "danilo danila"])
def test_slips_and_forms_are_one(names: str) -> None:
    assert not are_other_names(*names.split())
