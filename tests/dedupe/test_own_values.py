"""People of one table who share what hardly two people share."""

import pandas as pd
import pytest

import pearljoin as pj

COLUMNS = ["first_name", "last_name", "suffix", "birth_date", "email", "firm"]
NAMES = [
    ("Anna", "Weiss"), ("Thomas", "Lehmann"), ("Petra", "Haas"), ("Norbert", "Wenzel"),
    ("Ilona", "Maier"), ("Frank", "Koehler"), ("Birgit", "Jaeger"), ("Uwe", "Neumann"),
    ("Nadine", "Pfeiffer"), ("Bernd", "Thieme"), ("Martina", "Roesler"), ("Lothar", "Mayer"),
]  # fmt: skip
FIRMS = ["Vogel Software AG", "Klinikum Lahn", "Kroeger Landtechnik"]
PEOPLE = [
    (given, family, None, f"19{50 + 3 * at}-0{at % 9 + 1}-1{at % 9}",
     f"{given[0]}.{family}@mail.example".lower(), FIRMS[at % 3])
    for at, (given, family) in enumerate(NAMES)
]  # fmt: skip


def are_one(one: tuple, other: tuple) -> bool:
    table = pd.DataFrame([*PEOPLE, one, other], columns=COLUMNS)
    clusters = pj.deduplicate(table, on=COLUMNS, encoder="pearl-nano")["cluster"].tolist()
    return clusters[-1] == clusters[-2]


@pytest.mark.parametrize("given", ["V.", "Volker"])
def test_one_name_and_one_address_are_one_person(given: str) -> None:
    one = ("Volker", "Strauss", None, None, "v.strauss@vogel.example", "Vogel Software AG")
    assert are_one(one, (given, "Strauss", None, None, "V.STRAUSS@vogel.example", None))


@pytest.mark.parametrize(
    ("suffixes", "births"),
    [(("Jr", "Sr"), (None, None)), ((None, None), ("1980-02-03", "1950-05-06"))],
)
def test_a_father_and_a_son_who_share_an_address_are_two(suffixes, births) -> None:
    one, other = (
        ("John", "Smith", suffix, birth, "smith@mail.example", "Klinikum Lahn")
        for suffix, birth in zip(suffixes, births, strict=True)
    )
    assert not are_one(one, other)


def test_colleagues_are_many_people() -> None:
    """A list of people with a column of a few firms is one of people."""
    table = pd.DataFrame(PEOPLE * 1, columns=COLUMNS).drop(columns=["suffix", "birth_date"])
    result = pj.find_duplicates(table, encoder="pearl-nano")
    assert not len(result.pairs())
