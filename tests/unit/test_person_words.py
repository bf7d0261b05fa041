"""Columns whose values are names of people, and others."""

import pytest

from pearljoin._kinds.people_columns import are_names_of_people
from pearljoin._kinds.person_words import are_kin, read_words, tell_apart
from pearljoin._text.given_names import are_other_names

PEOPLE = {
    "given names first": ["Rosa Quinn", "Leo Hall", "Emma van der Berg", "Paul Gibson"],
    "family names first": ["Quinn, Rosa", "Hall, Leo", "Gibson, Paul A."],
    "titles": ["Dr. Rosa Quinn", "Mrs. Emma Hall", "Prof. Dr. med. Anna Wolf"],
    "Chinese names, given names first": ["Xiaoming Huang", "Hongyu Zhou", "Jing Chen", "Yi Wang"],
    "one family": ["Rosa Quinn", "Leo Quinn", "Anna Quinn", "Karl Quinn"],
    "initials among them": ["R. Quinn", "E. Hall", "Hall, L.", "Paul Gibson", "Anna Wolf"],
}
OTHERS = {
    "firms": ["Acme Ltd", "Martin & Söhne GmbH", "Nova Pumps", "Siemens AG", "Bauer Elektro e.K."],
    "firms of families": ["Anna Wolf GmbH & Co. KG", "Peter Koch und Söhne", "Karl Berger / Co"],
    "places": ["San Jose", "Bad Homburg", "Sankt Augustin", "New York", "Stratford upon Avon"],
    "products": ["iPhone 14 128GB", "MX Master 3", "Pegasus 40 M", "Soft Shell Jacket"],
    "places named after saints": ["San Jose", "Santa Barbara", "Saint Louis", "St. Mary"],
    "kings": ["King George", "Queen Anne", "Prince William", "Pope Francis", "Queen Mary"],
    "hotels": ["Hotel Maria", "Villa Rosa", "Hotel Anna", "Casa Julia"],
    "schools": ["John Adams School", "Marie Curie Gymnasium", "Sophie Scholl Schule"],
    "streets": ["Charles Street", "Mary Street", "Albert Road", "Karl Marx Allee"],
    "cities and states": ["Austin Texas", "Charlotte Michigan", "Eugene Oregon", "Houston Texas"],
    "roses": ["Rosa canina", "Rosa rugosa", "Rosa gallica", "Rosa glauca", "Rosa moyesii"],
    "jewels": ["Ruby Ring", "Jade Pendant", "Amber Bracelet", "Ruby Earrings"],
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


ONE = [
    "Wang Xiaoming | Wang Xiao Ming",
    "Li Xiaohong | Xiao-Hong Li",
    "Park Jisung | Ji-sung Park",
    "Kim Minjoon | Min-jun Kim",
    "Meier Hans-Peter | Hanspeter Meier",
    "Rossi Anna Maria | Annamaria Rossi",
    "Lt. J. Smith | John Smith",
    "Captain Cook | James Cook",
    "Wachtmeister Maier | Johann Maier",  # in no list
    "Obst. J. Maier | Johann Maier",
    "Hans P. Braun | Peter Braun",
    "Mary A. Smith | Ann Smith",
    "Scott Fitzgerald | Francis S. Fitzgerald",
    "Geo. Smith | George Smith",
    "Jno. Adams | John Adams",
    "Lupe Perez | Guadalupe Perez",
    "Gitte Schulz | Brigitte Schulz",
    "St. Francisco | San Francisco",
    "RMS Elizabeth | Queen Elizabeth",
    "Duke William | Prince William",
]
TWO = [
    "Wang Xiaoming | Wang Xiao Hong",
    "Xiaohong Li | Li Xiaoming",
    "Lt. Anna Wolf | Major Karl Wolf",
    "Mary J. Smith | John A. Smith",
    "Patrcia Hall | Robert Hall",
    "Hall Patrcia | Robert Hall",
    "Haruki Tanaka | Akira Tanaka",
    "Queen Anne | Queen Mary",
    "Dean Martin | Peter Martin",
    "JANKOWSKI, AMELIA | Kwame Jankowski",
]


def are_two(names: str) -> bool:
    one, other = read([name.strip() for name in names.split("|")])
    return tell_apart(one, other) or tell_apart(other, one)


@pytest.mark.parametrize("names", ONE)
def test_words_together_titles_and_initials_that_fit_are_no_other_people(names: str) -> None:
    assert not are_two(names)


@pytest.mark.parametrize("names", TWO)
def test_two_given_names_are_of_two_people(names: str) -> None:
    assert are_two(names)


def test_in_a_column_of_given_names_a_word_that_no_list_has_is_a_name() -> None:
    one, other = ("akinyi", "otieno"), ("mary", "otieno")
    assert not tell_apart(one, other)
    assert tell_apart(one, other, are_given=True)


@pytest.mark.parametrize("given", ["Duke", "Prince", "Gen", "Sen", "Col", "Bishop", "Nurse"])
def test_titles_that_are_given_names_stay_in_a_column_of_these(given: str) -> None:
    one, other = (read_words([name, "Jones"], ["given", "family"]) for name in (given, "Mary"))
    assert one == (given.casefold(), "jones")
    assert tell_apart(one, other, are_given=True)
    assert read_words([f"Dr {given}", "Jones"], ["given", "family"])[-1] == "jones"


def test_a_rank_that_is_the_only_given_name_stays() -> None:
    assert tell_apart(("santo", "jones"), ("mary", "jones"))
    assert not tell_apart(("queen", "anne"), ("anne",))
