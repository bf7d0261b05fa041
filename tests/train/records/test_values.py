"""How values are written, rightly and wrongly."""

from collections import Counter
from datetime import date
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pearljoin_train.records.values import addresses, contacts, dates, people, slips
from pearljoin_train.records.values.addresses import (
    Address,
    AddressStyle,
    PostcodeStyle,
    StreetStyle,
)
from pearljoin_train.records.values.authors import AuthorsStyle
from pearljoin_train.records.values.codes import CodeStyle, PagesStyle, fill
from pearljoin_train.records.values.contacts import EmailStyle, Phone, PhoneStyle, WebStyle, as_user
from pearljoin_train.records.values.dates import DateStyle, YearStyle
from pearljoin_train.records.values.descriptions import DescriptionStyle
from pearljoin_train.records.values.names import CategoryStyle, NameStyle
from pearljoin_train.records.values.numbers import (
    CoordinateStyle,
    LengthStyle,
    PriceStyle,
    QuantityStyle,
    WeightStyle,
)
from pearljoin_train.records.values.people import FamilyStyle, GivenStyle, Person, PersonStyle
from pearljoin_train.records.values.style import skewed

DAY = date(1985, 3, 7)
PERSON = Person("Robert", "James", "van den Berg", ("Bob", "Rob"), "Jr.")
PHONE = Phone("44", ("1632", "960", "983"))
HOUSE = Address(
    number="12",
    street="Main",
    types=("Street", "St"),
    direction=("North", "N"),
    unit="4",
    town=("Springfield",),
    region=("Ohio", "OH"),
    postcode="45501",
    country=("United States", "US"),
    street_pattern="{number} {name} {type}",
    town_pattern="{town}, {region} {postcode}",
)
STYLES = [
    (NameStyle, ("The New York Times", "NYT")),
    (CategoryStyle, ("Information Technology", "IT")),
    (GivenStyle, PERSON),
    (FamilyStyle, PERSON),
    (PersonStyle, PERSON),
    (AuthorsStyle, (PERSON, Person("Ada", "", "Doe"))),
    (DateStyle, DAY),
    (YearStyle, 1985),
    (StreetStyle, HOUSE),
    (AddressStyle, HOUSE),
    (PostcodeStyle, "45501"),
    (PhoneStyle, PHONE),
    (EmailStyle, "bob.berg@gmail.com"),
    (WebStyle, "acme.com"),
    (CodeStyle, "AB-1203"),
    (PagesStyle, (115, 142)),
    (QuantityStyle, 1234.5),
    (WeightStyle, 3.25),
    (PriceStyle, 1299.99),
    (LengthStyle, 225),
    (CoordinateStyle, 51.507222),
    (DescriptionStyle, [("2 GB memory", "2GB RAM"), ("weighs 3 kg", "3 kilograms")]),
]
TEXT_SLIPS = [getattr(slips, name) for name in slips.__all__]


@pytest.mark.parametrize(("style", "value"), STYLES)
def test_a_style_writes_alike_from_one_seed(style, value) -> None:
    for seed in range(40):
        written = [style(Random(seed)).write(value, Random(1)) for _ in range(2)]
        wrong = [style(Random(seed)).write_wrongly(value, Random(1)) for _ in range(2)]
        assert written[0] == written[1] != ""
        assert wrong[0] == wrong[1] != ""


@pytest.mark.parametrize(("style", "value"), STYLES)
def test_tables_differ_in_format_and_slips_change_what_is_written(style, value) -> None:
    written, n_wrong = set(), 0
    for seed in range(100):
        drawn = style(Random(seed))
        right = {drawn.write(value, Random(number)) for number in range(20)}
        written |= right
        n_wrong += drawn.write_wrongly(value, Random(seed)) not in right
    assert len(written) > 1
    assert n_wrong >= 80


@given(st.text(max_size=40), st.integers(0, 9))
def test_slips_take_any_text(text, seed) -> None:
    for slip in TEXT_SLIPS:
        changed = slip(text, Random(seed))
        assert isinstance(changed, str)
        assert changed == slip(text, Random(seed))


@given(st.text("0123456789-AB", min_size=1, max_size=12), st.integers(0, 9))
def test_slips_of_digits(text, seed) -> None:
    changed = slips.change_digit(text, Random(seed))
    n_changed = sum(old != new for old, new in zip(text, changed, strict=True))
    assert n_changed == any(letter.isdigit() for letter in text)
    swapped = slips.swap_digits(text, Random(seed))
    assert sorted(swapped) == sorted(text)
    assert sum(old != new for old, new in zip(text, swapped, strict=True)) in (0, 2)


def test_words_are_lost_joined_and_cut() -> None:
    name = "International Paper Company 3"
    for seed in range(30):
        rng = Random(seed)
        assert len(slips.drop_word(name, rng).split()) == 3
        assert "3" in slips.drop_word(name, rng).split()
        assert slips.join_words(name, rng).replace(" ", "") == name.replace(" ", "")
        assert slips.split_word(name, rng).replace(" ", "") == name.replace(" ", "")
        assert name.startswith(slips.cut_off(name, rng))
        short = slips.abbreviate(name, rng).split()
        kept = [old == new for old, new in zip(name.split(), short, strict=True)]
        assert sorted(kept) == [False, True, True, True]
        assert kept[3]
    assert slips.lose_accents("Müller-Høj ß", Random(0)) == "Muller-Hoj ss"


@pytest.mark.parametrize("write", dates.FORMATS)
def test_every_format_of_dates_holds_day_month_and_year(write) -> None:
    text = write(date(1985, 3, 27))
    assert "27" in text
    assert "85" in text
    assert "03" in text or "Mar" in text or "3/" in text or ".3." in text


def test_slips_of_dates() -> None:
    assert dates.swap_day_and_month(DAY, Random(0)) == date(1985, 7, 3)
    assert dates.swap_day_and_month(date(1985, 3, 27), Random(0)) == date(1985, 3, 27)
    moved = [abs((dates.move_a_little(DAY, Random(seed)) - DAY).days) for seed in range(50)]
    assert min(moved) > 0
    assert max(moved) < 366 * 10 + 3
    assert dates.keep_year("27 March 1985", Random(0)) == "1985"
    leap = date(1984, 2, 29)
    assert all(dates.move_a_little(leap, Random(seed)) != leap for seed in range(50))
    drawn = [dates.draw_date(1990, 1992, Random(seed)) for seed in range(200)]
    assert {day.year for day in drawn} == {1990, 1991, 1992}


@pytest.mark.parametrize("write", contacts.WAYS)
def test_every_format_of_phones_holds_the_national_number(write) -> None:
    digits = "".join(filter(str.isdigit, write(PHONE)))
    assert digits.endswith("1632960983")
    assert digits.removesuffix("1632960983") in ("0", "44", "0044")


def test_slips_of_people() -> None:
    rng = Random(0)
    assert people.use_short_form(PERSON, rng).given in ("Bob", "Rob")
    assert people.use_initial(PERSON, rng).given in ("R", "R.")
    assert people.use_middle(PERSON, rng).given == "James"
    families = {people.lose_part_of_family_name(PERSON, Random(at)).family for at in range(40)}
    assert families == {"Berg", "Van", "vandenBerg", "van-den-Berg"}
    assert people.swap_parts("Robert Berg", rng) in ("Berg, Robert", "Berg Robert")


def test_slips_of_addresses() -> None:
    rng = Random(0)
    assert addresses.lose_unit(HOUSE, rng).unit == ""
    assert addresses.change_number(HOUSE, rng).number != "12"
    german = HOUSE._replace(street_pattern="{name}{type} {number}")
    assert addresses.lose_type(german, rng) == german
    assert "Street" not in StreetStyle(rng).write(addresses.lose_type(HOUSE, rng), rng)


def test_user_names_and_codes() -> None:
    assert as_user("O'Brien & Söhne") == "obriensohne"
    code = fill("@@-##", Random(3))
    assert code[:2].isalpha()
    assert code[2] == "-"
    assert code[3:].isdigit()


def test_skewed_draws_favour_the_first() -> None:
    rng = Random(0)
    counts = Counter(skewed("abcd", rng) for _ in range(2000))
    assert counts["a"] > 2 * counts["b"] > 2 * counts["d"] > 0


def test_letters_that_are_two_in_lower_case_are_heard_rightly() -> None:
    for seed in range(20):
        assert slips.mishear("İİİİ Philip", Random(seed)) == "İİİİ Philip"
