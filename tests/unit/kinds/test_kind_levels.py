"""At which level pairs of values of each kind compare."""

import datetime as dt

import numpy as np
import pytest
from kind_pairs import level, similarity

from pearljoin._errors import InputError
from pearljoin._kinds.address import AddressComparer
from pearljoin._kinds.category import CategoryComparer
from pearljoin._kinds.code import CodeComparer
from pearljoin._kinds.coordinate import CoordinateComparer, check_limits, kilometres
from pearljoin._kinds.date import DateComparer, EventDateComparer
from pearljoin._kinds.email import EmailComparer
from pearljoin._kinds.lists import ListComparer
from pearljoin._kinds.number import NumberComparer
from pearljoin._kinds.person import PersonComparer
from pearljoin._kinds.phone import PhoneComparer
from pearljoin._kinds.postcode import PostcodeComparer
from pearljoin._kinds.protocol import text_array
from pearljoin._kinds.spelling import LONGEST, edits
from pearljoin._kinds.text import TextComparer, learn_term_weights


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("kdl-40 V2500", "KDL40V2500", "equal"),
        ("TZ5K", "TZ-5S", "sibling"),
        ("TZ5", "TZ5K", "part"),
        ("DE123456789", "123456789", "part"),
        ("00123", "123", "part"),
        ("11,368,614", "US11368614B2", "part"),
        ("11368614", "US113686140B2", "different"),
        ("EP11368614A1", "US11368614B2", "different"),
        ("ABC123", "ABC132", "one character off"),
        ("ABC123", "ABD123", "one character off"),
        ("A1", "A2", "different"),
        (123.0, "123", "equal"),
        ("--", "123", "missing"),
        # Numbers of documents under another name of these.
        ("Rechnung 2024-1029", "RE-2024-1029", "part"),
        ("Invoice No. 137", "INV-2024-0137", "part"),
        ("Kunde 4711", "CUST-04711", "part"),
        ("Order 1029", "RE-2024-1029", "different"),
        ("Invoice 1029", "RE-2024-11029", "different"),
        ("Invoice 137", "RE-2024-1370", "different"),
        ("Rechnung 2023-1029", "RE-2024-1029", "different"),
        # Blocks in another order, and zeros left out.
        ("TT-20005A", "20-TT-005A", "part"),
        ("TT20005A", "20-TT-005A", "part"),
        ("TT-20-5A", "20-tt-005A", "part"),
        ("20 TT 5", "20-TT-005", "part"),
        ("20TT5", "20-TT-005", "part"),
        ("2024-RE-17", "RE-2024-017", "part"),
        ("INV 0012/24", "INV 12/24", "part"),
        ("Ü-20005", "20-ü-005", "part"),
        ("3-42", "03-42", "part"),
        ("3-42", "42-3", "different"),
        ("2024/1234", "1234/2024", "different"),
        ("A-12-3", "A-3-12", "different"),
        ("A1-B2", "A2-B1", "different"),
        ("R12-C3", "R3-C12", "different"),
        ("AB-CD-12", "CD-AB-12", "different"),
        ("A-12-345", "1-A-2345", "one character off"),
        ("20-TT-050", "20-TT-005", "one character off"),
        ("20-TT-50", "20-TT-05", "one character off"),
        ("v1.05", "v1.5", "different"),
        ("A-1", "1-A", "different"),
        ("1-B-2-C-3", "B-C-1-2-3", "different"),
    ],
)
def test_codes(one, other, expected: str) -> None:
    assert level(CodeComparer(), one, other) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("SW1A 1AA", "sw1a1aa", "equal"),
        ("SW1A 1AA", "SW1A 1AB", "same sector"),
        ("SW1A 1AA", "SW1A 9QZ", "same district"),
        ("SW1A 1AA", "SW9 9QZ", "same area"),
        ("B1 1AA", "B11 1AA", "one character off"),
        ("B1 1AA", "B11 2BB", "same area"),
        ("SW1A 1AA", "SW1A", "part"),
        ("02138", 2138, "part"),
        ("90210", "90210-1234", "part"),
        ("90210-1234", "90210-9876", "same sector"),
        ("90210", "80210", "one character off"),
        ("90210", "92010", "one character off"),
        ("90210", "90284", "same district"),
        ("10115", "D-10115", "equal"),
        ("90210", "10115", "different"),
        ("unknown", "10115", "missing"),
    ],
)
def test_postcodes(one, other, expected: str) -> None:
    assert level(PostcodeComparer(), one, other) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Jo Smith <Jo@Example.org>", "mailto:jo@example.org", "equal"),
        ("jo+news@example.org", "jo@example.org", "equal"),
        ("j.o.smith@gmail.com", "josmith@googlemail.com", "equal"),
        ("j.o@example.org", "jo@example.org", "one character off"),
        ("jo@gmial.com", "jo@gmail.com", "one character off"),
        ("j.roberts@x.org", "e.roberts@x.org", "same domain"),
        ("jroberts@x.org", "eroberts@y.org", "different"),
        ("1roberts@x.org", "jroberts@x.org", "one character off"),
        ("j.roberts@x.org", ".roberts@x.org", "one character off"),
        ("j.roberts@x.org", "j.robert@x.org", "one character off"),
        ("jo.smith@one.org", "jo.smith@another.com", "same user"),
        ("john.smith@one.org", "joan.smyth@one.org", "near user, same domain"),
        ("john.smith@one.org", "john.smyth@another.com", "near user"),
        ("info@one.org", "bob@one.org", "same domain"),
        ("info@one.org", "bob@another.com", "different"),
        ("info at one.org", "info@one.org", "missing"),
        ("a@b@c", "a@b", "missing"),
    ],
)
def test_emails(one: str, other: str, expected: str) -> None:
    assert level(EmailComparer(), one, other) == expected


@pytest.mark.parametrize(
    ("region", "one", "other", "expected"),
    [
        ("US", "(415) 555-2671", "+1 415 555 2671", "equal"),
        ("us", "1-800-FLOWERS", "18003569377", "equal"),
        ("GB", "020 7946 0958", "0044 20 7946 0958", "equal"),
        ("US", "(415) 555-2671", "555-2671", "part"),
        ("US", "(415) 555-2671", "415 555 2671 ext. 4", "equal nationally"),
        ("US", "415 555 2671 x5", "415 555 2671 x4", "part"),
        ("US", "(415) 555-2671", "(415) 555-2617", "one digit off"),
        ("US", "(415) 555-2671", "(212) 736-5000", "different"),
        (None, "(415) 555-2671", "+1 415 555 2671", "equal nationally"),
        (None, "415 555 2671", "(415) 555-2671", "equal"),
        (None, "020 7946 0958", "+44 20 7946 0958", "part"),
        ("GB", "(415) 555-2671", "+1 415 555 2671", "part"),
        ("US", "none", "+1 415 555 2671", "missing"),
    ],
)
def test_phones(region: str | None, one: str, other: str, expected: str) -> None:
    assert level(PhoneComparer(region), one, other) == expected


def test_an_unknown_region_is_refused() -> None:
    with pytest.raises(InputError, match=r"phone_region= is no region.*'USA'.*Hint: did you mean"):
        PhoneComparer("USA")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("1985-04-03", "3 April 1985", "equal"),
        ("1985-04-03", dt.date(1985, 4, 3), "equal"),
        (dt.datetime(1985, 4, 3), np.datetime64("1985-04-03T00:00", "ns"), "equal"),
        ("19850403", "03.04.1985", "equal"),
        ("2024-01-01T01:30+02:00", "2023-12-31 23:30", "equal"),
        ("2024-01-01 10:00", "2024-01-01 10:05", "same date"),
        ("2024-01-01 10:00", "2024-01-01", "same date"),
        ("1985-04-03", "1985-03-04", "one slip"),
        ("1985-04-03", "1985-04-08", "one slip"),
        ("1985-04-03", "1985-04-13", "one slip"),
        ("1985-04-03", "1958-04-03", "one slip"),
        ("1985-04-03", "1895-04-03", "one slip"),
        ("1985-04-03", "'85-04-03", "missing"),
        ("1985", "'85", "same date"),
        ("1885", "'85", "agree as far as known"),
        ("1985", "'86", "within a year"),
        ("1985-04-03", "04/03/85", "same date"),
        ("2003-04-03", "04/03/03", "same date"),
        ("1885-04-03", "04/03/85", "agree as far as known"),
        ("04/03/03", "1903-04-03", "agree as far as known"),
        ("1985-04-03", 1985, "agree as far as known"),
        ("1985-04-03", "April 1985", "agree as far as known"),
        ("1985-04-00", "April 1985", "equal"),
        ("1985-04-28", "1985-05-01", "within a week"),
        ("1985-04-28", "1985-05-11", "within a month"),
        ("1985-04-28", "1985-11-11", "within a year"),
        ("1985", "1986", "within a year"),
        ("1985-04-28", "1992-11-11", "within ten years"),
        ("1985-04-28", "1937-11-11", "different"),
        ("1/1/00", "12/31/99", "within a week"),
        ("1/1/2000", "12/31/99", "within a week"),
        ("1985-02-30", "1985-02-28", "missing"),
        ("1985-04-03", "soon", "missing"),
    ],
)
def test_dates(one, other, expected: str) -> None:
    assert level(DateComparer(), one, other) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("2024-04-03", "2024-04-08", "within a week"),
        ("2024-04-03", "2024-04-13", "one slip"),
        ("2024-04-03", "2024-03-04", "one slip"),
        ("2024-04-03", "04/03/24", "same date"),
    ],
)
def test_dates_of_events(one: str, other: str, expected: str) -> None:
    assert level(EventDateComparer(), one, other) == expected


def test_some_days_later_is_nearer_than_a_slip_for_events_alone() -> None:
    days = ["2024-04-03", "2024-04-05", "2024-05-03"]
    for comparer, later_is_nearer in ((EventDateComparer(), True), (DateComparer(), False)):
        later, slip = (similarity(comparer, days[0], day) for day in days[1:])
        assert later > slip
        swapped = similarity(comparer, "2024-04-03", "2024-03-04")
        assert (similarity(comparer, "2024-04-28", "2024-05-01") > swapped) == later_is_nearer


def test_the_order_of_day_and_month_is_that_of_the_column() -> None:
    assert DateComparer(True).read(["03/04/1985"]).canonical.tolist() == ["1985-04-03"]
    assert DateComparer(False).read(["03/04/1985"]).canonical.tolist() == ["1985-03-04"]
    # Of this there is no doubt.
    assert DateComparer(False).read(["23/04/1985"]).canonical.tolist() == ["1985-04-23"]


def test_nearer_dates_are_more_similar() -> None:
    days = ["2000-01-01", "2000-01-29", "2000-03-30", "2003-08-27", "2050-11-28", "2300-12-29"]
    found = [similarity(DateComparer(), days[0], day) for day in days]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("16 GB", "16gb", "equal"),
        ("1.5 kg", "1,500 g", "equal"),
        ("$1,299.00", "1299 USD", "equal"),
        ("1.299,00 €", "€1299", "equal"),
        (5, 5.0, "equal"),
        (np.float64(0.1) + 0.2, "0.3", "equal"),
        (0, -0.0, "equal"),
        ("16 GB", 16, "equal without unit"),
        ("3:45", 225, "equal"),
        ("3:45", "03:45", "equal"),
        ("3:45", "3m 45s", "equal without unit"),
        ("0:03:45", "3 min 45 s", "equal"),
        ("1:52", "112 min", "equal without unit"),
        ("1h 52m", "112 min", "equal"),
        ("3:45", "3:46", "within 1 %"),
        ("$1.2M", "1200000", "equal without unit"),
        ("$5", "5 €", "different"),
        ("5 kg", "5 m", "different"),
        (100, 99.5, "within 1 %"),
        (100, 95, "within 10 %"),
        (100, 85, "within 20 %"),
        (100, 60, "within 50 %"),
        (100, 40, "different"),
        (-5, 5, "different"),
        (0, 5, "different"),
        ("a few", 5, "missing"),
        ("10-20", 10, "missing"),
        (float("inf"), 10, "missing"),
    ],
)
def test_numbers(one, other, expected: str) -> None:
    assert level(NumberComparer(), one, other) == expected


def test_arrays_of_numbers_are_read_as_such() -> None:
    doubles = NumberComparer().read(np.array([0.1, np.nan, np.inf]))
    singles = NumberComparer().read(np.array([0.1, 2], dtype=np.float32))
    assert doubles.canonical.tolist() == ["0.1", None, None]
    assert doubles.n_unparsable == 1
    assert singles.canonical.tolist() == ["0.1", "2"]
    assert NumberComparer().read(np.array([3, 4])).canonical.tolist() == ["3", "4"]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Red", "red ", "equal"),
        (True, "true", "equal"),
        ("M", "male", "short form"),
        ("F", "male", "different"),
        ("male", "female", "different"),
    ],
)
def test_categories(one, other, expected: str) -> None:
    assert level(CategoryComparer(), one, other) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Smith, J.; Doe, A.", "A. Doe and J. Smith", "equal"),
        (("b", "a"), "a; b", "equal"),
        ("John Smith; Ann Doe", "J. Smith, A. Doe", "all in common"),
        ("Jon Stonebraker", "Jon Stonebreaker", "all in common"),
        ("J Smith et al.", "J Smith, A Doe, B Lee", "one within the other"),
        ("J Smith", "J Smith, A Doe, B Lee", "one within the other"),
        ("J Smith; X Yo", "J Smith, A Doe, B Lee", "half in common"),
        ("J Smith; X Yo; Z Zo", "J Smith, A Doe, B Lee", "some in common"),
        ("John Smith", "Jane Smith", "different"),
        ("Edward G. Fox, Danilo Olms", "EG Fox, DA Olms", "all in common"),
        ("E. G. Fox", "EG Fox", "all in common"),
        ("Edward Fox", "LG Fox", "different"),
        ("EDWARD FOX", "ERNEST FOX", "different"),
        ("Li Wei", "LI Wei", "equal"),
        ("Carol M. Gibson", "CM Gibsn", "all in common"),
        ("Martha H. Reynolds", "M. Reymolds", "all in common"),
        ("Carol M. Gibson", "CM Gilmore", "different"),
        ("Klaus Lowe, Ann Doe", "K Lowe, &hellip;", "one within the other"),
        ("John Smith; Ann Doe", "Bo Lee", "different"),
        ("...", "Bo Lee", "missing"),
    ],
)
def test_lists(one, other, expected: str) -> None:
    assert level(ListComparer(), one, other) == expected


def test_an_entry_counts_once() -> None:
    # Two of one list are no more than the one of the other.
    assert level(ListComparer(), "J Smith; J Smith; A Doe", "J Smith; B Lee") == "half in common"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((48.85, 2.35), ("48.850000", "2.35"), "equal"),
        ((0, 180), (0, -180), "equal"),
        ((48.85, 2.35), (48.8505, 2.35), "within 100 m"),
        ((48.85, 2.35), (48.855, 2.35), "within 1 km"),
        ((48.85, 2.35), (48.90, 2.35), "within 10 km"),
        ((48.85, 2.35), (49.5, 2.35), "within 100 km"),
        ((48.85, 2.35), (51.5, -0.13), "different"),
        ((48.85, None), (48.85, 2.35), "missing"),
        ((48.85, "east"), (48.85, 2.35), "missing"),
    ],
)
def test_coordinates(one, other, expected: str) -> None:
    assert level(CoordinateComparer(), one, other) == expected


def test_distances_are_great_circles() -> None:
    quarter = 6371.0088 * np.pi / 2
    points = np.array([[0.0, 0.0], [90, 0], [0, 90], [0, 180]])
    found = kilometres(np.repeat(points[:1], 4, axis=0), points)
    np.testing.assert_allclose(found, [0, quarter, quarter, 2 * quarter], rtol=1e-12)


@pytest.mark.parametrize(
    ("point", "message"),
    [
        (
            (91.0, 0.0),
            r"latitude outside ±90\. Got \(91, 0\), the first of 1\. Hint: latitude.*exchanged",
        ),
        ((0.0, 181.0), r"longitude outside ±180\. Got \(0, 181\).*Hint: coordinates are degrees"),
    ],
)
def test_coordinates_out_of_range(point, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_limits([(1.0, 1.0), point])
    parsed = CoordinateComparer().read([(1.0, 1.0), point])
    assert parsed.is_null.tolist() == [False, True]
    assert parsed.n_unparsable == 1


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("John Smith", "SMITH, John", "equal"),
        ("Jan van der Berg", "Berg, Jan van der", "equal"),
        ("Dr. Jane O'Neill, PhD", "Jane ONeill", "equal"),
        ("Tolkien, J.R.R.", "J. R. R. Tolkien", "equal"),
        ("Smith JA", "J. A. Smith", "equal"),
        ("John Smith", "Smith John", "rearranged"),
        ("Maryann Smith", "Mary Ann Smith", "rearranged"),
        ("Jan van der Berg", "Jan Vanderberg", "rearranged"),
        ("Jan van der Berg", "Jan Berg", "rearranged"),
        ("John A. Smith", "John Smith", "rearranged"),
        ("John A. Smith", "John Adam Smith", "rearranged"),
        ("John Smith Jr.", "John Smith", "rearranged"),
        ("Gabriel García", "Gabriel García Márquez", "rearranged"),
        ("Bob Smith", "Robert Smith", "nickname"),
        ("Alex Smith", "Alexander Smith", "nickname"),
        ("J. Smith", "John Smith", "initial"),
        ("J. Smith", "John Adam Smith", "initial"),
        ("Smith", "John Smith", "initial"),
        ("Jhon Smiht", "John Smith", "near"),
        ("Bob Smyth", "Robert Smith", "near"),
        ("Smiht Jhon", "John Smith", "near"),
        ("John A. Smith", "John B. Smith", "near"),
        ("John Smith Jr.", "John Smith Sr.", "near"),
        ("John Smith", "Mary Smith", "same family name"),
        ("K. Smith", "John Smith", "same family name"),
        ("John Smith", "John Jones", "same given name"),
        ("Madonna", "Madonna Ciccone", "same given name"),
        ("J. Smith", "J. Jones", "different"),
        ("John Smith", "Mary Jones", "different"),
        ("123", "John Smith", "missing"),
    ],
)
def test_people(one: str, other: str, expected: str) -> None:
    assert level(PersonComparer(), one, other) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (("John", "Smith"), ("Smith", "John"), "rearranged"),
        (("John", None), ("John", "Smith"), "same given name"),
        ((None, "Smith"), ("John", "Smith"), "initial"),
        (("J.R.", "Smith"), ("John Ronald", "Smith"), "initial"),
        (("Jan", "van der Berg"), ("Jan van der", "Berg"), "equal"),
        ((None, " "), ("John", "Smith"), "missing"),
    ],
)
def test_people_in_two_columns(one: tuple, other: tuple, expected: str) -> None:
    assert level(PersonComparer(("given", "family")), one, other) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("123 N. Main St, Apt 4", "Apartment 4, 123 North Main Street", "equal"),
        ("123 Main St #5", "123 Main Street, Unit 5", "equal"),
        ("Hauptstr. 12a", "12 a, Haupt Straße", "equal"),
        ("12 5th Ave", "12 Fifth Avenue", "equal"),
        ("P.O. Box 12", "Post Office Box 12", "equal"),
        ("Springfield, 123 Main St", "123 Main St Springfield", "equal"),
        ("Millbrook Rd 3", "3 Mill Brook Road", "part"),
        ("123 Main St", "123 Main St Apt 4", "part"),
        ("123 Main St", "123 Main St, Springfield, IL 62704", "part"),
        ("123 Main", "123 Main St", "part"),
        ("123 Main St #5", "123 Main St #4", "same building"),
        ("123 Main St", "124 Main St", "same street"),
        ("123 Main St", "143 Main St", "same street"),
        ("123 Main St", "153 Main St", "near"),
        ("12A Main St", "12B Main St", "same street"),
        ("12 Main St", "12A Main St", "near"),
        ("34-12 Main St", "34-52 Main St", "near"),
        (f"{'9' * 40} Main St", f"{'9' * 39} Main St", "near"),
        ("123 Main St", "Main St", "near"),
        ("123 Main St", "123 Mian St", "near"),
        ("123 Main St", "123 Main Ave", "near"),
        ("123 N Main St", "123 S Main St", "near"),
        ("123 Main St, Springfield", "123 Main St, Chicago", "near"),
        ("123 Main St", "9 Main St", "same street"),
        ("123 Main St", "9 Main Ave", "street alike"),
        ("12 5th Ave", "12 6th Ave", "different"),
        ("123 Main St", "123 Oak St", "different"),
        ("---", "123 Oak St", "missing"),
    ],
)
def test_addresses(one: str, other: str, expected: str) -> None:
    assert level(AddressComparer(), one, other) == expected


DESCRIPTIONS = [
    "Sony DMC-TZ5K digital camera with a 9 megapixel sensor and a 10x zoom lens in black",
    "Canon A530 digital camera with a 5 megapixel sensor and a 4x zoom lens in silver",
    "A red bike with three gears",
]


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [
        (DESCRIPTIONS[0], DESCRIPTIONS[0].upper(), "equal", "equal"),
        (DESCRIPTIONS[0], "Sony camera 10x zoom lens", "half covered", "nearly all covered"),
        (DESCRIPTIONS[0], DESCRIPTIONS[2], "different", "different"),
        (DESCRIPTIONS[0], DESCRIPTIONS[1], "a quarter covered", "half covered"),
    ],
)
def test_long_texts(one: str, other: str, least: str, most: str) -> None:
    comparer = TextComparer(learn_term_weights(DESCRIPTIONS))
    found = comparer.levels.index(level(comparer, one, other))
    assert comparer.levels.index(least) <= found <= comparer.levels.index(most)


def test_numbers_and_codes_count_in_long_texts() -> None:
    comparer = TextComparer(learn_term_weights(DESCRIPTIONS))
    same = similarity(comparer, "drill of 500 watts", "drill with 500 turns")
    other = similarity(comparer, "drill of 500 watts", "drill with 600 turns")
    assert same > other
    joined = similarity(comparer, "camera DMC-TZ5K", "compact DMCTZ5K")
    apart = similarity(comparer, "camera DMC-TZ5K", "compact DMCTZ7K")
    assert joined > apart + 0.2


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("KDL40", "KLD40", 1),
        ("a" * LONGEST, "b" + "a" * (LONGEST - 1), 1),
        ("x" + "a" * LONGEST, "y" + "a" * LONGEST, 1),
        ("a" * LONGEST + "bcd", "a" * LONGEST + "bce", 3),
        ("a" * LONGEST + "bcd", "a" * LONGEST, 3),
    ],
)
def test_edits_are_counted_in_the_beginning_of_long_texts(
    one: str, other: str, expected: int
) -> None:
    assert edits(text_array([one]), text_array([other])).tolist() == [expected]
