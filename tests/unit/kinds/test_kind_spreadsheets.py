"""How messy spreadsheets write numbers, codes, phones and years, and what their columns are."""

import json

import pytest
from kind_pairs import level

from pearljoin._kinds.comparers import fit_comparer, settings_of, side_comparer, with_settings
from pearljoin._kinds.decimal_sign import decimal_sign
from pearljoin._kinds.email import read_email
from pearljoin._kinds.fillers import is_filler
from pearljoin._kinds.phone import PhoneNumber, bare_phone, read_phone
from pearljoin._kinds.read_date import read_date
from pearljoin._kinds.read_quantity import NO_UNIT, read_quantity
from pearljoin._kinds.recognise import recognise
from pearljoin._kinds.units import UNITS

THOUSANDS = [f"{number:,}" for number in range(100_000, 500_000, 1_001)]


@pytest.mark.parametrize(
    ("texts", "sign"),
    [
        (["0,125", "0,250"], ","),
        (["1234,567"], ","),
        ([".333", ".250"], "."),
        (["0,125", "1,500", "2,250", "0,750", "12,000"], ","),
        ([*THOUSANDS, "12,50"], None),
        ([*THOUSANDS, "12,50", "n. 3,1"], None),
        ([*THOUSANDS, *("12,5", "7,25", "3,1") * 10], ","),
        ([text.replace(",", ".") for text in THOUSANDS] + ["12,50"], None),
        # Whole numbers below a thousand have no sign, and all others one.
        (["1.299", "2.450", "1.100", "999", "850", "420"], ","),
        (["1.299 €", "2.450 €", "1.100 €", "999 €", "850 €", "420 €", "12,50 €"], ","),
        (["1.299", "2.450", "1.100", "999", "850", "4200"], None),
        (["1.299", "2.450", "1.100", "9", "8", "4"], None),
        (["1.250 l", "1.500 l", "1.750 l", "330 ml", "500 ml", "750 ml"], None),
    ],
)
def test_the_sign_of_decimals_takes_more_than_a_slip(texts: list, sign: str | None) -> None:
    assert decimal_sign(texts) == sign


def test_a_side_departs_from_the_reference_on_several_numbers_alone() -> None:
    assert decimal_sign(["12,50", "1.299"], ".") == "."
    assert decimal_sign(["12,50", "7,95", "3,20", "1.299"], ".") == ","
    assert decimal_sign([*THOUSANDS, "12,50"], ".") == "."
    # These group thousands by commas, whatever the reference does.
    assert decimal_sign(["1,299", "2,450", "1,100", "999", "850", "420"], ",") == "."


def test_a_slip_does_not_turn_how_a_column_is_read() -> None:
    reference = fit_comparer("number", [*THOUSANDS, "12,50"])
    assert reference.read(["850,787", "12,50"]).canonical.tolist() == ["850787", "12.5"]
    assert reference.read(["0,125", "0.125"]).canonical.tolist() == ["0.125", "0.125"]


@pytest.mark.parametrize(
    "text",
    [
        "tel. 030 123456",
        "Tel.: 030/123456",
        "Telefon 030 123456",
        "Téléphone : 030 123456",
        "T: (030) 123456",
        "Home phone: 030 123456",
        "Tel./Fax: 030-123456",
        "Mobile no. 030 123456",
        "Phone # 030 123456",
        "030 123456 (mobile)",
        "030 123456 home",
        "030 123456; 030 123457",
        "030 123456 or 030 123457",
        "030 123456\n030 123457",
    ],
)
def test_what_stands_beside_a_phone_number_is_not_dialled(text: str) -> None:
    assert read_phone(text, None) == PhoneNumber("", "030123456", "")
    assert read_phone(text, "DE") == PhoneNumber("49", "30123456", "")
    assert recognise([text], "phone") == "phone"


def test_letters_and_extensions_of_phone_numbers_stay() -> None:
    assert read_phone("1-800-FLOWERS", "US") == PhoneNumber("1", "8003569377", "")
    assert read_phone("tel:+1-201-555-0123;ext=12345", None) == PhoneNumber(
        "1", "2015550123", "12345"
    )
    assert read_phone("415-555-2671, ext. 12345", "US") == PhoneNumber("1", "4155552671", "12345")
    assert read_phone("Fax +49 (0)2041 / 123456", None) == PhoneNumber("49", "2041123456", "")
    assert read_phone("Office: 415-555-2671 x12", "US") == PhoneNumber("1", "4155552671", "12")
    assert bare_phone("phone me 5") == "phone me 5"


def test_a_column_named_years_holds_little_else() -> None:
    years = [str(year) for year in range(1991, 1998)]
    assert recognise([*years, "Penguin 1991", "Winter", "Penguin"], "year") == "name"
    assert recognise([*years, "Penguin 1991", "-1998", "before 1990"], "year") == "date"
    given = ["Penguin 1991", "-1998", "No. 3, 1991", "Winter", "1450 BC"]
    read = fit_comparer("date", years).read(given)
    assert read.canonical.tolist() == ["1991", "1998", None, None, None]
    assert recognise([*years, "9178", "199?"], "year") == "date"
    assert recognise(["Windows 2000", "Windows 1998", "Winter 1999"], "x") == "name"


@pytest.mark.parametrize(
    ("values", "name", "kind"),
    [
        (["4/5", "3/5", "5/5"], "rating", "number"),
        (["4.5/5", "3/5", "5/5"], "x", "number"),
        (["4 out of 5", "3 out of 5"], "x", "name"),
        (["4/5", "3/5", "5/5"], "x", "code"),
        (["12/14", "3/5", "7", "9/11"], "x", "code"),
        (["128/134", "4/6", "27/32"], "size", "code"),
        (["Fr 12", "Fr 19", "Fr 26"], "x", "name"),
        (["Fr 12", "Fr 19", "Fr 26"], "day", "name"),
        (["Fr. 12", "Fr. 19.50", "Fr. 26"], "x", "number"),
        (["Fr. 12", "Fr. 190", "Fr. 260"], "x", "number"),
        (["Fr. 12", "Fr. 19"], "price", "number"),
        (["Euro 5", "Euro 6"], "norm", "name"),
        (["Pen 3", "Pen 50"], "x", "name"),
        (["PEN 3", "PEN 50.00"], "x", "number"),
        (["12", "12a", "14", "3"], "hausnummer", "code"),
        ([452_600, 358_500], "median_house_value", "number"),
        (["120", "95"], "room_rate", "number"),
        (["<18", "18+", "≥65"], "x", "name"),
        (["<0.5", "0.7", "> 10"], "dose", "number"),
    ],
)
def test_columns_of_what_looks_like_another_kind(values: list, name: str, kind: str) -> None:
    assert recognise(values, name) == kind


def test_ratings_are_shares_of_their_best() -> None:
    comparer = fit_comparer("number", ["4/5", "3/5"])
    assert level(comparer, "4/5", "8/10") == "equal"
    assert level(comparer, "4 out of 5", "80%") == "equal"
    assert level(comparer, "4,5/5", "4.5") == "equal without unit"
    assert level(comparer, "4/5", "3/5") == "within 50 %"
    assert read_quantity("5/4") is None


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("0,125 kg", 0.125, "kg"),
        ("(1,234.50)", -1_234.5, ""),
        ("$(12.50)", -12.5, "usd"),
        ("($12.50)", -12.5, "usd"),
        ("1.234,56-", -1_234.56, ""),
        ("1st", 1, ""),
        ("22nd", 22, ""),
        ("12st", 12, "stone"),
        ("<5", 5, ""),
        ("≤ 5 mg", 5, "mg"),
        ("18+", 18, ""),
        ("ab 12 €", 12, "€"),
        ('1 1/2"', 1.5, "in"),
        ("3/4 in", 0.75, "in"),
        ("2 1/2", 2.5, ""),
        ("1½ l", 1.5, "l"),
        ("850K", 850_000, ""),
        ("₹2.5 lakh", 250_000, "inr"),
        ("9.30 Uhr", 570, ""),
        ("20 °C", 20, "celsius"),
        ("3 Stk", 3, "pcs"),
    ],
)
def test_quantities_of_spreadsheets(text: str, number: float, unit: str) -> None:
    found = read_quantity(text)
    assert found is not None
    assert found.number == pytest.approx(number)
    assert found.unit == UNITS.get(unit, NO_UNIT)


def test_a_capital_m_is_millions_beside_other_multiples() -> None:
    views = fit_comparer("number", ["1.2M", "850K", "3M"])
    assert level(views, "1.2M", "1.2 million") == "equal"
    views = fit_comparer("number", ["1,200,000", "850,000"])
    left = side_comparer(views, ["1.2M", "3M"])
    assert level(left, "1.2M", "1,200,000", views) == "equal"
    loaded = with_settings(views, json.loads(json.dumps(settings_of(left))))
    assert level(loaded, "1.2M", "1,200,000", views) == "equal"
    cables = fit_comparer("number", ["5M", "10M"])
    assert level(side_comparer(cables, ["500 cm", "5 m"]), "5 m", "5M", cables) == "equal"
    # Settings saved before there were any of this.
    old = {name: value for name, value in settings_of(left).items() if name != "millions"}
    assert not with_settings(views, old).millions


@pytest.mark.parametrize("text", ["(12)", "(1991)", "12/24 V", "11/8 x", "5-", "Pen 3", "ab 1234"])
def test_what_is_no_quantity(text: str) -> None:
    assert read_quantity(text) is None


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("10.0.1.12", "10.0.11.2", "different"),
        ("1/12", "11/2", "different"),
        ("11.0.1", "1.10.1", "different"),
        ("v1.2.3", "1.2.3", "equal"),
        ("1.2.3-beta", "1.2.3", "part"),
        ("10.0.0.1/24", "10.0.0.1", "part"),
        ("0x1F40", "8000", "part"),
        ("0x1f40", "0x001F40", "part"),
        ("0x05", "5", "different"),
        ("4.2.6.0", "4.2.6", "part"),
        ("v4.2", "4.2.0", "part"),
        ("4.2.6.10", "4.2.6.1", "different"),
        ("4.2.0", "4.1.0", "different"),
        ("10.0.0.10", "10.0.0.1", "different"),
        ("3/42", "3-42", "equal"),
        ("123/456", "123-456", "equal"),
        ("12.34.56", "12-34-56", "equal"),
        ("12-34", "1234", "part"),
        ("3/42", "3 42", "part"),
        ("No 5", "No. 5", "equal"),
        ("NO 974 760 673", "NO974760673", "equal"),
        ("11-2", "1-12", "different"),
        ("3 / 12", "3/12", "equal"),
        ("3-1", "3-12", "different"),
        ("PP1234", "1234", "part"),
        ("pp. 10--18", "10–18", "equal"),
        ("123-45-6789", "123 45 6789", "equal"),
        ("123.0", "123", "equal"),
        ("0-306-40615-2 (pbk.)", "0306406152", "equal"),
        ("12(3)", "12(4)", "different"),
        ("TZ-5512 (black)", "TZ-5512", "part"),
        ("No. 5", "5", "equal"),
        ("NO123456", "123456", "part"),
        ("00:1A:2B:3C:4D:5E", "001a.2b3c.4d5e", "equal"),
    ],
)
def test_codes_of_spreadsheets(one: str, other: str, expected: str) -> None:
    assert level(fit_comparer("code", []), one, other) == expected


@pytest.mark.parametrize(
    ("values", "name", "kind"),
    [
        (["(1,234.50)", "(12.00)", "500.00", "-"], "amount", "number"),
        (["1.2M", "850K", "12K"], "views", "number"),
        (["12K", "4K"], "x", "code"),
        (["1st", "2nd", "10th"], "place", "number"),
        (["9:30", "14:00", "9.30 Uhr"], "time", "number"),
        (["12/31/1985", "Dez 1985", "00/00/0000"], "dob", "date"),
        (["DE123456789", "DE 123 456 789"], "vat", "code"),
        (["#1001", "#1002"], "order", "code"),
        (["101", "102", "12"], "room", "code"),
        (["12", "12a", "14"], "house", "code"),
        (["No. 5", "No. 12"], "x", "code"),
        (["00:1A:2B:3C:4D:5E", "00-1a-2b-3c-4d-5e"], "x", "code"),
        (["550e8400-e29b-41d4-a716-446655440000"], "x", "code"),
        (["ann@example.org (work)", "bo@x.org; ann@x.org"], "x", "email"),
        (["ja", "nein"], "x", "category"),
        (["1.1523", "1.1987", "1.2034"], "rate", "number"),
        (["1926.1", "2010.9", "1913.2"], "pressure", "number"),
        (["552 100 554", "732 829 320"], "x", "code"),
        (["552 100 554", "1 829 320"], "x", "number"),
        (["01.2015", "12.2018", "03.2020"], "x", "date"),
        (["1.2015", "12.2018", "3.2020"], "x", "date"),
        (["2015.1", "2018.12", "2020.3"], "x", "date"),
        (["1000-01", "1000-02", "2000-01"], "account", "code"),
        (["1000-01", "1000-02", "2000-01"], "date", "date"),
        (["4111 1111 1111 1111", "4111-1111-1111-1112"], "card", "code"),
        (["34", "#REF!", "(blank)", "35"], "age", "number"),
    ],
)
def test_columns_of_spreadsheets(values: list, name: str, kind: str) -> None:
    assert recognise(values, name) == kind


def test_postcodes_behind_the_letters_of_their_country() -> None:
    comparer = fit_comparer("postcode", [])
    assert level(comparer, "DE 10115", "10115") == "equal"
    # In Malta three letters are the town.
    assert level(comparer, "VLT 1117", "SLM 1117") != "equal"


def test_addresses_of_email_with_others_beside() -> None:
    for text in (
        "ann@example.org (work)",
        "E-Mail: ann@example.org",
        "ann@example.org; bo@example.org",
        "ann@example.org, bo@example.org",
    ):
        assert read_email(text) == ("ann", "example.org")
    assert read_email("ann at example (work)") is None


def test_short_months_stand_without_a_day_where_they_are_no_words() -> None:
    assert read_date("Dez. 2001") == read_date("December 2001")
    assert read_date("Mär 2001") == read_date("March 2001")
    assert read_date("Out 2001") is None


def test_errors_of_spreadsheets_are_fillers() -> None:
    assert is_filler("#DIV/0!")
    assert is_filler("k.A.")
    assert fit_comparer("date", []).read(["00.00.0000"]).n_unparsable == 0
