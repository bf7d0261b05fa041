"""Given names: what ships, and which words name other people."""

from itertools import product

import pytest

from pearljoin._kinds.record_roles import person_or_thing
from pearljoin._text.given_names import are_other_names, is_given_name, may_be_initial
from pearljoin._text.normalise import normalise

WRITTEN_ALIKE = [
    ("Robert", "Bob"), ("Elizabeth", "Liz"), ("Jon", "John"), ("Sergei", "Sergey"),
    ("J", "John"), ("Alex", "Alexandra"), ("Kathryn", "Catherine"), ("Jose", "José"),
    ("Hans", "Johannes"), ("Kasia", "Katarzyna"), ("Paco", "Francisco"), ("Sasha", "Alexander"),
    ("Steph", "Stefanie"), ("Yusuf", "Youssef"), ("AJ", "Anthony"), ("Srah", "Sarah"),
]  # fmt: skip
CHINESE = ["Ping", "Qiang", "Xia", "Xiuying", "Xiulan", "Yan", "Wei", "Guiying", "Haoran", "Zixuan"]
OTHERS = ["Alice", "Peter", "Fatima", "Wei-Lun", "Siobhan", "Giuseppe"]


def test_the_list_knows_given_names_of_many_languages_and_no_mere_family_names() -> None:
    given = ["Anna", "Peter", "Fátima", "Giuseppe", "Siobhán", "Agnieszka", "Thiago", "Сергей"]
    given += ["Haruki", "Rajesh", "Nnamdi", "Jisoo", "Wayan"]
    assert [name for name in given if not is_given_name(normalise(name))] == []
    other = ["smith", "clark", "hall", "street", "gmbh", "", "a"]
    assert [name for name in other if is_given_name(name)] == []


@pytest.mark.parametrize("names", WRITTEN_ALIKE, ids="-".join)
def test_ways_of_writing_one_name_are_no_other_names(names: tuple[str, str]) -> None:
    one, other = map(normalise, names)
    assert not are_other_names(one, other)
    assert not are_other_names(other, one)


@pytest.mark.parametrize(
    ("initial", "name", "fits"),
    [
        ("w", "william", True), ("b", "william", True), ("p", "margaret", True),
        ("k", "catherine", True), ("c", "kristina", True), ("f", "philippa", True),
        ("e", "jekaterina", True), ("u", "omar", True), ("и", "ivan", True),
        ("e", "oliver", False), ("a", "oliver", False), ("o", "o", True), ("o", "e", False),
        ("c", "k", False), ("и", "петр", False), ("m", "誠", True),
    ],
)  # fmt: skip
def test_initials_are_those_of_forms_and_of_what_sounds_alike(
    initial: str, name: str, *, fits: bool
) -> None:
    assert may_be_initial(initial, name) == fits


def test_names_in_two_scripts_may_be_one() -> None:
    assert not are_other_names("sasha", normalise("Саша"))
    assert are_other_names(normalise("Сергей"), normalise("Наталья"))


@pytest.mark.parametrize("names", [OTHERS, CHINESE], ids=["many languages", "Chinese"])
def test_two_names_are_other_names_in_any_order(names: list[str]) -> None:
    names = [normalise(name).split()[0] for name in names]
    for one, other in product(names, names):
        assert are_other_names(one, other) == (one != other)
    assert not are_other_names("", "peter")


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("name", "full"), ("Name", "full"), ("customerName", "full"), ("Kundenname", "full"),
        ("Nombre y apellidos", "full"), ("account holder", "full"), ("name_1", "full"),
        ("first_name", "given"), ("Vorname", "given"), ("prénom", "given"), ("fname_c1", "given"),
        ("surname", "family"), ("last_name", "family"), ("achternaam", "family"),
        ("company name", "thing"), ("school", "thing"),
        ("claimant", "full"), ("player name", "full"),
        ("customer_id", None), ("author first name", None), ("contact", "other"),
        ("director", "other"), ("entered by", None), ("customer rep", "other"), ("brand", None),
        ("owner", "other"), ("author", "other"), ("town", None), ("street", None),
        ("Vertragspartner", "unsaid"), ("taxpayer", "unsaid"), ("household member", "unsaid"),
        ("Mieter", "unsaid"),
        ("ship", "object"), ("product name", "thing"), ("song writer", "other"),
        ("sex", "sex"), ("Geschlecht", "sex"),
        (3, "unsaid"),
    ],
)  # fmt: skip
def test_columns_name_the_person_that_a_record_is_of(name: object, role: str | None) -> None:
    assert person_or_thing(name) == role
