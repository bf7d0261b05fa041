"""Dates, quantities, names, addresses and lists, as they are written."""

from itertools import combinations, pairwise

import pytest
from kind_pairs import level

from pearljoin._kinds.comparers import fit_comparer, settings_of, with_settings
from pearljoin._kinds.coordinate import CoordinateComparer
from pearljoin._kinds.degrees import read_degrees
from pearljoin._kinds.lists import ListComparer
from pearljoin._kinds.person_names import read_person
from pearljoin._kinds.read_address import read_address
from pearljoin._kinds.read_date import NO_TIME, day_stands_first, read_date
from pearljoin._kinds.read_list import commas_separate, list_separator, split_list
from pearljoin._kinds.read_quantity import NO_UNIT, read_quantity
from pearljoin._kinds.recognise import recognise_coordinates
from pearljoin._kinds.units import UNITS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1985-4-3", (1985, 4, 3)),
        ("1985/04", (1985, 4, 0)),
        ("04/1985", (1985, 4, 0)),
        ("3.4.1985", (1985, 4, 3)),
        ("3/4/1985", (1985, 3, 4)),
        ("3. 4. 1985", (1985, 4, 3)),
        ("29/02/00", (0, 2, 29)),
        ("29.2.01", None),
        ("31/02/2000", None),
        ("13/13/2000", None),
        ("0000-00-00", None),
        ("1985-00-00", (1985, 0, 0)),
        ("March '85", (85, 3, 0)),
        ("'85", (85, 0, 0)),
        ("’07", (7, 0, 0)),
        ("85", None),
        ("Sunday, 3 March 1985", (1985, 3, 3)),
        ("3 March", None),
        ("20231345", None),
        ("12", None),
        ("12:30", None),
        ("hello", None),
        ("iPhone 4 of March 2020", None),
        ("2024-W03-1", (2024, 1, 15)),
    ],
)
def test_dates(text: str, expected: tuple | None) -> None:
    found = read_date(text)
    assert (found and found[:3]) == expected


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("01/02/2024 3:30 PM", 15.5 * 3600),
        ("2024-01-02 12:05 am", 300),
        ("2024-01-02T10:00:01.5Z", 36_001),
        ("2024-01-02 00:00", NO_TIME),
        ("2 Jan 2024 10:00", 36_000),
    ],
)
def test_times(text: str, seconds: float) -> None:
    found = read_date(text)
    assert found is not None
    assert found.seconds == seconds


def test_a_short_year_does_not_depend_on_today() -> None:
    assert read_date("3 Mar 30")[0] == 30
    assert read_date("3 Mar 30").short
    assert not read_date("3 Mar 2030").short


def test_the_order_of_day_and_month() -> None:
    assert day_stands_first(["03/04/1985", "13/04/1985"]) is True
    assert day_stands_first(["03/04/1985", "04/13/1985"]) is False
    assert day_stands_first(["03/04/1985", "1985-04-13"]) is None
    assert day_stands_first(["13/04/1985", "04/13/1985"]) is None
    assert day_stands_first([*["13/04/1985"] * 20, "04/13/1985"]) is True


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 299,00", (1299, "")),
        ("1'299.50 CHF", (1299.5, "chf")),
        ("1,00,000", (100_000, "")),
        ("1,500", (1500, "")),
        ("1.500", (1.5, "")),
        ("1.500.000", (1_500_000, "")),
        ("1,5", (1.5, "")),
        (".5", (0.5, "")),
        ("5.", (5, "")),
        ("-$5.00", (-5, "$")),
        ("−4", (-4, "")),
        ("+3.2e5", (320_000, "")),
        ('13.3"', (13.3, '"')),
        ("7 fl. oz.", (7, "floz")),
        ("25 sq ft", (25, "sqft")),
        ("Rs. 500", (500, "rs")),
        ("US $12.99", (12.99, "usd")),
        ("$9.99 USD", (9.99, "usd")),
        ("12,- €", (12, "€")),
        ("12.–", (12, "")),
        ("$1.2M", (1_200_000, "usd")),
        ("3.5bn EUR", None),
        ("€3.5 bn", (3_500_000_000, "€")),
        ("1.2 million", (1_200_000, "")),
        ("100 km/h", (100, "km/h")),
        ("5 ft 11 in", (71, "in")),
        ("5'11\"", (71, "in")),
        ("6 lb, 4 oz", (100, "oz")),
        ("kr 129", (129, "kr")),
        ("RM 5", (5, "rm")),
        ("R$ 5", (5, "r$")),
        ("Rm. 12", None),
        ("Cent 5", None),
        ("50 cent", (50, "cent")),
        ("'85", None),
        ("PS 5", None),
        ("A 4", None),
        ("10 20", None),
        ("1.2.3", None),
        ("1,2,3", None),
        ("10-20", None),
        ("iPhone 4", None),
        ("3 apples", None),
        ("5 ft 13 in", None),
        ("500 mg/125 mg", None),
        ("1e400", None),
        ("nan", None),
        ("", None),
    ],
)
def test_quantities(text: str, expected: tuple | None) -> None:
    found = read_quantity(text)
    assert (found is None) == (expected is None)
    if found is not None:
        assert found == (expected[0], UNITS.get(expected[1], NO_UNIT))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0:03:45", 225),
        ("00:03:45.5", 225.5),
        ("03:45.25", 225.25),
        ("3m 45s", 225),
        ("3 min. 45 sec", 225),
        ("1h52m", 6720),
        ("1 hour and 52 minutes", 6720),
        ("2 days 3 hours", 183_600),
        ("1 day, 2:03:04", 93_784),
        ("0 days 00:03:45", 225),
        ("PT3M45S", 225),
        ("P1DT2H", 93_600),
    ],
)
def test_durations(text: str, seconds: float) -> None:
    found = read_quantity(text)
    assert found is not None
    assert found.unit.dimension == "time in s"
    assert found.number * found.unit.factor == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text", ["16:9", "2:1", "3:75", "45s 3m", "P", "PT", "1:2:3", "3m 45 apples"]
)
def test_no_durations(text: str) -> None:
    assert read_quantity(text) is None


def test_what_a_clock_shows_without_hours_may_be_of_either_unit() -> None:
    assert read_quantity("3:45") == (225, NO_UNIT)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("100 mg/mL", "0.1 g/ml"),
        ("250 mg/5 mL", "50mg/mL"),
        ("100 mcg/dose", "0.1mg / dose"),
        ("60 mi/h", "60 mph"),
        ("10 m/s", "36 km/h"),
    ],
)
def test_rates(one: str, other: str) -> None:
    units = [read_quantity(text) for text in (one, other)]
    assert units[0].unit.dimension == units[1].unit.dimension
    base = [found.number * found.unit.factor for found in units]
    assert base[0] == pytest.approx(base[1])
    assert read_quantity("€12.50/kg").unit.dimension == "EUR / mass in g"


@pytest.mark.parametrize("text", ["12a/12b", "13a/13b", "12 A/B", "3 a/5 doors"])
def test_codes_with_a_stroke_are_no_rates(text: str) -> None:
    assert read_quantity(text) is None


def test_units_are_consistent() -> None:
    assert UNITS["lb"].factor == pytest.approx(16 * UNITS["oz"].factor, rel=1e-12)
    assert UNITS["gal"].factor == pytest.approx(128 * UNITS["floz"].factor, rel=1e-12)
    assert UNITS["mi"].factor == pytest.approx(5280 * UNITS["ft"].factor, rel=1e-12)
    assert all(unit == unit.lower() and " " not in unit for unit in UNITS)


@pytest.mark.parametrize(
    ("text", "given", "particles", "family", "generation"),
    [
        ("Van Morrison", "van", "", "morrison", ""),
        ("Al Gore", "al", "", "gore", ""),
        ("King, Martin Luther, Jr.", "martin luther", "", "king", "jr"),
        ("William Gates III", "william", "", "gates", "iii"),
        ("Jr", "", "", "jr", ""),
        ("Dr. No", "", "", "no", ""),
        ('Robert "Bob" Jones', "robert", "", "jones", ""),
        ("LI Wei", "li", "", "wei", ""),
        ("Abd al-Rahman ibn Khaldun", "abd rahman", "al ibn", "khaldun", ""),
        ("García Márquez, Gabriel", "gabriel", "", "garcia marquez", ""),
        ("王小明", "", "", "王小明", ""),
    ],
)
def test_people(text: str, given: str, particles: str, family: str, generation: str) -> None:
    name = read_person([text], ["full"])
    parts = (given, particles, family)
    assert name == (*(tuple(part.split()) for part in parts), generation)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("34-12 85th St", ("34-12", "85th", "street", "", "")),
        ("12 N Park Ave", ("12", "park", "avenue", "north", "")),
        ("12 North Ave", ("12", "north", "avenue", "", "")),
        ("12 A St", ("12", "a", "street", "", "")),
        ("12 St James St", ("12", "saint james", "street", "", "")),
        ("12 Sunset Park Way", ("12", "sunset park", "way", "", "")),
        ("350 Fifth Avenue, 34th Floor", ("350", "5th", "avenue", "", "floor34")),
        ("12, rue de la Paix", ("12", "rue paix", "", "", "")),
        ("Kerkstraat 10-2, Amsterdam", ("10-2", "kerk", "straat", "", "")),
        ("10115 Berlin, Hauptstr. 12", ("12", "haupt", "street", "", "")),
        ("1200 Highway 61", ("1200", "highway 61", "", "", "")),
        ("Unit 7", ("", "", "", "", "7")),
    ],
)
def test_addresses(text: str, expected: tuple) -> None:
    found = read_address(text)
    assert found is not None
    number, street, kind, directions, unit, _ = found
    assert (number, " ".join(street), kind, " ".join(directions), unit) == expected


@pytest.mark.parametrize(
    ("text", "entries", "truncated"),
    [
        ("J. Smith, A. Doe, and B. Lee", ["J. Smith", "A. Doe", "B. Lee"], False),
        ("Smith, J., Doe, A. & Lee, B.", ["Smith, J.", "Doe, A.", "Lee, B."], False),
        ("Smith JA; Doe AB and others", ["Smith JA", "Doe AB"], True),
        ("Joe E Smith", ["Joe E Smith"], False),
        ("J M&uuml;ller, A Doe, &hellip;", ["J Müller", "A Doe"], True),
        (
            "Smith, John and García Márquez, Gabriel",
            ["Smith, John", "García Márquez, Gabriel"],
            False,
        ),
        ("['a', 'b']", ["'a'", "'b'"], False),
        ("", [], False),
    ],
)
def test_lists(text: str, entries: list, truncated: bool) -> None:
    assert split_list(text) == (entries, truncated)


def test_the_separator_of_a_column() -> None:
    assert list_separator(["Smith, John; Doe, Ann", "Lee, Bo"]) == ";"
    assert list_separator(["a|b", "c|d"]) == "|"
    assert list_separator(["Smith, John", "Lee, Bo"]) is None
    assert list_separator([]) is None
    assert split_list("rock, pop; jazz", ";,") == (["rock, pop", "jazz"], False)
    assert split_list("rock, pop", ";,") == (["rock", "pop"], False)
    # The sign at the end of a character reference separates nothing.
    assert list_separator(["J Smith, A Doe, &hellip;", "B Lee"]) is None
    assert split_list("Lee, Bo", ";") == (["Lee, Bo"], False)


def test_commas_separate_lists_and_stand_within_names() -> None:
    assert commas_separate(["Jo Smith, Ann Doe, Bo Lee", "Bo Lee"])
    assert commas_separate(["Smith, J., Doe, A.", "Lee, B."] * 2 + ["Fox, E., Ash, C."])
    assert commas_separate(["jazz, rock", "folk, jazz, blues"] * 2 + ["a, b, c"])
    assert not commas_separate(["Smith, Jo", "Lee, Bo", "Garcia Molina, Hector J."])
    assert not commas_separate(["Bo Lee"])


@pytest.mark.parametrize(
    "names",
    [
        ["van der Berg, Jan Pieter", "de la Cruz, Ana Maria", "Lee, Bo"],
        ["García Márquez, Gabriel", "Vargas Llosa, Mario", "Garcia Molina, H. J."],
        ["King, Martin Luther, Jr.", "Smith, Jo, PhD", "Lee, Bo"],
    ],
)
def test_commas_within_names_of_several_words_separate_nothing(names: list) -> None:
    assert not commas_separate(names)


@pytest.mark.parametrize(
    ("texts", "separator"),
    [
        (["Jo Smith; Ann Doe", "Bo Lee, Jo Smith", "Cy Fox"], ";,"),
        (["Smith, J.; Doe, A.", "Jo Smith, Ann Doe, Bo Lee"], ";,"),
        (["rock; pop", "jazz, rock", "pop, folk, rock"], ";,"),
        (["Smith, J.; Doe, A.", "Lee, Bo", "van der Berg, Jan Pieter"], ";"),
        (["Jo Smith; Ann Doe", "Lee, Bo", "Acme, Inc."], ";"),
        (["A, B University, York; C, D University, Rome", "E, F University, Bonn"], ";"),
    ],
)
def test_commas_in_values_without_the_separator(texts: list, separator: str) -> None:
    assert list_separator(texts) == separator


FAMILIES = [
    "Smith",
    "Jones",
    "Brown",
    "Taylor",
    "Wilson",
    "Davies",
    "Evans",
    "Thomas",
    "Roberts",
    "Walker",
    "Wright",
    "Hall",
]
GIVEN = [
    "John",
    "Ann",
    "Mary",
    "Peter",
    "Paul",
    "Jane",
    "Thomas",
    "Lucy",
    "Mark",
    "Eve",
    "Adam",
    "Ruth",
]


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("Rock, R&B, Soul", ["Rock", "R&B", "Soul"]),
        ("Rock, Pop & Jazz, Soul", ["Rock", "Pop & Jazz", "Soul"]),
        ("Rock & Roll, Soul", ["Rock & Roll", "Soul"]),
        ("Drum & Bass, Pop & Jazz", ["Drum & Bass", "Pop & Jazz"]),
        ("Rock, Soul, R&B", ["Rock", "Soul", "R&B"]),
        ("Rock, Soul & Jazz", ["Rock", "Soul", "Jazz"]),
        ("Jo Smith, Ann Doe, & Bo Lee", ["Jo Smith", "Ann Doe", "Bo Lee"]),
        ("red, green and blue, black", ["red", "green", "blue", "black"]),
        ("Smith, J., Doe, A. & Lee, B.", ["Smith, J.", "Doe, A.", "Lee, B."]),
        ("Smith, J. and Doe, A.", ["Smith, J.", "Doe, A."]),
    ],
)
def test_what_is_joined_by_and_is_names_where_it_looks_like_them(text: str, entries: list) -> None:
    assert split_list(text) == (entries, False)


def test_single_names_and_names_joined_by_and() -> None:
    names = [f"{family}, {given}" for family, given in zip(FAMILIES, GIVEN, strict=True)]
    joined = [f"{one} and {other}" for one, other in pairwise(names)]
    assert list_separator(names) == list_separator(joined) == "and"
    assert split_list(joined[0], "and") == (names[:2], False)
    assert split_list(names[0], "and") == (names[:1], False)
    assert list_separator(names[:9]) is None
    tags = ["Rock", "Pop", "Jazz", "Soul", "Folk", "Blues"]
    assert list_separator([f"{one}, {other}" for one, other in combinations(tags, 2)]) is None
    assert list_separator([f"Books, {name}" for name in GIVEN]) is None
    comparer = fit_comparer("list", names)
    assert level(comparer, "Smith, John", "John Smith") == "equal"
    assert with_settings(ListComparer(), settings_of(comparer)).separator == "and"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("48°51'24\"N", 48.856667),
        ("48° 51′ 24″ N", 48.856667),
        ("2°21'07''O", -2.351944),
        ("W 2.35°", -2.35),
        ("48,8566", 48.8566),
        ("-2.3522", -2.3522),
        ("48.8566 N", 48.8566),
        ("48°61'N", None),
        ("N 48.8 S", None),
        ("48 51 24", None),
        ("5 m", None),
        ("north", None),
    ],
)
def test_degrees(text: str, expected: float | None) -> None:
    found = read_degrees(text)
    assert found == (None if expected is None else pytest.approx(expected, abs=1e-5))


def test_points_in_degrees_and_minutes() -> None:
    columns = {"lat": ["48°51'24\"N", "51°30'N"], "lon": ["2°21'07\"E", "0°07'W"]}
    assert recognise_coordinates(columns) == [("lat", "lon")]
    read = CoordinateComparer().read(list(zip(columns["lat"], columns["lon"], strict=True)))
    assert read.canonical.tolist() == ["48.85667 2.35194", "51.50000 -0.11667"]
