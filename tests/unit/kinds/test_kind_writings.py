"""How people's tables write years, durations, prices and codes, alone and mixed in one column."""

import json

import pytest
from kind_pairs import level

from pearljoin._kinds.code_labels import cut_label, is_standard_code
from pearljoin._kinds.comparers import fit_comparer, settings_of, side_comparer, with_settings
from pearljoin._kinds.decimal_sign import decimal_sign
from pearljoin._kinds.email import read_email
from pearljoin._kinds.fillers import is_filler
from pearljoin._kinds.marked_date import read_marked_date
from pearljoin._kinds.number import NumberComparer
from pearljoin._kinds.read_date import read_date
from pearljoin._kinds.read_quantity import NO_UNIT, read_quantity
from pearljoin._kinds.recognise import recognise
from pearljoin._kinds.units import UNITS

MARKED = ["(1991)", "1991.", "[1991]", "1991,", "c1991", "©1991", "1991a", "(1991).", "1991-92"]
MIXED_LENGTHS = ["219", "187000", "3.65", "3:39", "3m 39sec", "245", "00:03:39", "301000", "unk."]


@pytest.mark.parametrize("text", [*MARKED, "1991/1992", "1991–92", "ca. 1991", "1991-", "[1991?]"])
def test_marks_around_a_year_do_not_count(text: str) -> None:
    assert read_marked_date(text) == read_date("1991")
    assert read_date(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(June 1991)", (1991, 6, 0)),
        ("Sep. 1991,", (1991, 9, 0)),
        ("June/July 1991", (1991, 6, 0)),
        ("[3 March 1991].", (1991, 3, 3)),
        ("1999-00", (1999, 0, 0)),
        ("1991-05", (1991, 5, 0)),
        ("1234a", None),
        ("1991-1985", None),
        ("1850-1960", None),
        ("(12)", None),
        ("1991b2", None),
        ("12(1991)", None),
        ("pp. 1991", None),
    ],
)
def test_marked_dates(text: str, expected: tuple | None) -> None:
    found = read_marked_date(text)
    assert (found and found[:3]) == expected


@pytest.mark.parametrize(
    ("values", "name", "kind"),
    [
        (MARKED, "year", "date"),
        (["1991", "(1992)", "1993.", "June 1994."], "Year", "date"),
        (["1992.", "1993.", "1994."], "pub_year", "date"),
        (["1994-95", "1995-96"], "year", "date"),
        (["(1992)", "(1994)", "(1995)"], "x", "date"),
        (["ca. 1850", "1860", "[1875]", "1880"], "x", "date"),
        (["1991", "unknown", "n.d.", "1992"], "year", "date"),
        (["(1992)", "(1994)"], "x", "name"),
        (["(1992)", "(1994)", "(1995)"], "volume", "name"),
        (["(1992)", "(1994)", "(1995)"], "price", "name"),
        (["(2992)", "(1194)", "(2995)", "(1500)"], "x", "name"),
        (["1992.", "1993.", "1994."], "x", "number"),
        (["1901a", "1902b", "1950c", "1960"], "x", "name"),
        (["1901a", "1902b", "1950c", "1960"], "house", "code"),
        (["1234a", "98b", "7"], "number", "code"),
        (["C1901", "C1902", "C1903"], "x", "code"),
        (["1994-95", "1995-96", "1996-97"], "x", "code"),
        (["1850-1860", "1901-1910", "1990-1999"], "pages", "code"),
    ],
)
def test_columns_of_marked_years(values: list, name: str, kind: str) -> None:
    assert recognise(values, name) == kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1er août 2001", (2001, 8, 1)),
        ("3. März 1985", (1985, 3, 3)),
        ("14 de julio de 1989", (1989, 7, 14)),
        ("12 febbraio 1999", (1999, 2, 12)),
        ("3 de março de 1985", (1985, 3, 3)),
        ("12-dez-2001", (2001, 12, 12)),
        ("janvier 2001", (2001, 1, 0)),
        ("1985年3月3日", (1985, 3, 3)),
        ("1985년 3월", (1985, 3, 0)),
        ("30 février 2001", None),
        ("Set 2001", None),
        ("Paris 2001", None),
    ],
)
def test_months_of_other_languages(text: str, expected: tuple | None) -> None:
    found = read_date(text)
    assert (found and found[:3]) == expected


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("Rp 50.000", 50_000, "rp"),
        ("Rp50.000,00", 50_000, "rp"),
        ("¥1,500", 1_500, "¥"),
        ("50.000đ", 50_000, "vnd"),
        ("S/. 25", 25, "pen"),
        ("Fr. 20", 20, "chf"),
        ("CHF 1'299.-", 1_299, "chf"),
        ("1.299,- kr", 1_299, "kr"),
        ("1.299,-€", 1_299, "€"),
        ("50:-", 50, ""),
        ("Rs. 5/-", 5, "rs"),
        ("US$12.99", 12.99, "usd"),
        ("U$S 12", 12, "usd"),
        ("from $5", 5, "usd"),
        ("about 10 kg", 10, "kg"),
        ("$1.99 each", 1.99, "usd"),
        ("15.6-inch", 15.6, "in"),
        ("6-pack", 6, "pack"),
        ("5.5 % vol", 5.5, "%"),
        ("15,6 Zoll", 15.6, "in"),
        ("9:30 pm", 1_290, ""),
        ("12 a.m.", 0, ""),
        ("1h52", 112, "min"),
        ("3:39 min", 219, "s"),
        ("2:15 hrs", 135, "min"),
        ("(3:39)", 219, ""),
    ],
)
def test_quantities_of_many_countries(text: str, number: float, unit: str) -> None:
    found = read_quantity(text)
    assert found is not None
    assert found.number == pytest.approx(number)
    assert found.unit == UNITS.get(unit, NO_UNIT)


@pytest.mark.parametrize(
    "text", ["$5-$10", "FR 75001", "from", "10-20", "13 pm", "12-a", "unk.", "Rm. 12"]
)
def test_no_quantities(text: str) -> None:
    assert read_quantity(text) is None


def test_rates_in_words() -> None:
    assert read_quantity("€5 per kg") == read_quantity("€5/kg")


@pytest.mark.parametrize(
    ("texts", "sign"),
    [
        (["1.299 €", "12,50 €"], ","),
        (["1.299.000", "5"], ","),
        (["1,299.00"], "."),
        (["1,299", "1.299"], None),
        (["1,5", "1.5"], None),
        ([], None),
    ],
)
def test_the_sign_of_decimals(texts: list, sign: str | None) -> None:
    assert decimal_sign(texts) == sign


def test_each_side_has_its_own_sign_of_decimals() -> None:
    reference = fit_comparer("number", ["$1,299.00", "$12.50"])
    left = side_comparer(reference, ["1.299 $", "12,50 $", "1,500 $", "7,95 $", "3,20 $"])
    assert level(left, "1.299 $", "$1,299.00", reference) == "equal"
    assert level(left, "1,500 $", "$1.50", reference) == "equal"
    # One that shows none is read as the reference.
    german = fit_comparer("number", ["1.299 €", "12,50 €"])
    assert level(side_comparer(german, ["2.500 €"]), "2.500 €", "2500,00 €", german) == "equal"


@pytest.mark.parametrize(
    ("reference", "left", "pairs"),
    [
        (MIXED_LENGTHS, ["219", "180"], [("219", "3:39"), ("219", "00:03:39")]),
        (MIXED_LENGTHS, ["219000", "3:39"], [("219000", "3.65"), ("3:39", "3m 39sec")]),
        (["219", "187"], ["3:39", "3:07"], [("3:39", "219")]),
        (["219000", "187000"], ["3:39", "0:03:07"], [("3:39", "219000"), ("0:03:07", "187000")]),
        (["3:39", "3:07"], ["219000", "187000"], [("219000", "3:39")]),
        (["2h 15m", "98 min"], ["135", "2:15", "98"], [("135", "2h 15m"), ("2:15", "2h 15m")]),
        (["135", "98"], ["2h 15m", "1:38"], [("2h 15m", "135"), ("1:38", "98")]),
        (["10:30", "23:15"], ["10:30:00", "11:15 pm"], [("11:15 pm", "23:15")]),
    ],
)
def test_durations_in_several_units(reference: list, left: list, pairs: list) -> None:
    fitted = fit_comparer("number", reference)
    side = side_comparer(fitted, left)
    loaded = with_settings(fitted, json.loads(json.dumps(settings_of(side))))
    for one, other in pairs:
        assert level(side, one, other, fitted) == "equal"
        assert level(loaded, one, other, fitted) == "equal"
    assert side_comparer(fitted, left[::-1]).durations == side.durations


@pytest.mark.parametrize(
    ("reference", "left", "one", "other", "expected"),
    [
        # Ages in years and months are too far from bare numbers of seconds, minutes, thousandths.
        (["5 years", "6 months"], ["5", "24"], "5", "5 years", "equal without unit"),
        (["$219", "$187"], ["219", "3:39"], "219", "$219", "equal without unit"),
        (["219", "187"], ["219000", "187000"], "219000", "219", "different"),
        (["16 GB", "32 GB"], ["16", "0:32"], "16", "16 GB", "equal without unit"),
        (["5 kg", "6 kg"], [], "5", "5 kg", "equal without unit"),
    ],
)
def test_other_numbers_stay_as_they_are(
    reference: list, left: list, one: str, other: str, expected: str
) -> None:
    fitted = fit_comparer("number", reference)
    assert level(side_comparer(fitted, left), one, other, fitted) == expected


def test_settings_saved_before_there_were_any() -> None:
    fitted = fit_comparer("number", MIXED_LENGTHS)
    assert with_settings(fitted, {}) is fitted


def test_a_share_may_lack_its_sign() -> None:
    comparer = NumberComparer()
    assert level(comparer, "5.5%", "0.055") == "equal without unit"
    assert level(comparer, "5.5%", "5.5") == "equal without unit"
    assert level(comparer, "5.5%", "0.55") == "different"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("ISBN 978-0-306-40615-7", "9780306406157", "equal"),
        ("ISBN-13: 978-0-306-40615-7", "9780306406157", "equal"),
        ("0-306-40615-2", "978-0-306-40615-7", "part"),
        ("doi:10.1000/xyz", "https://doi.org/10.1000/XYZ", "equal"),
        ("http://dx.doi.org/10.1000/xyz", "10.1000/xyz", "equal"),
        ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000", "equal"),
        ("N/A", "N/A", "missing"),
        ("unknown", "unknown", "missing"),
        ("ISBN", "ISBN", "equal"),
        ("SKU 124", "SKU-124", "equal"),
        ("SKU124", "124", "equal"),
        ("SKU-123", "SKU-124", "different"),
        ("ISBN-13-9780306406157", "ISBN9780306406157", "equal"),
    ],
)
def test_labels_of_codes(one: str, other: str, expected: str) -> None:
    assert level(fit_comparer("code", []), one, other) == expected


def test_labels_are_cut_and_words_are_not() -> None:
    assert cut_label("https://doi.org/doi:10.1000/xyz") == "10.1000/xyz"
    assert cut_label("Eanfield 12") == "Eanfield 12"
    assert cut_label("doi:" * 5_000 + "10.1000/xyz").endswith("10.1000/xyz")
    assert not is_standard_code("10 Downing Street")


@pytest.mark.parametrize(
    ("values", "name", "kind"),
    [
        (["10.1000/xyz", "https://doi.org/10.1000/abc"], "x", "code"),
        (["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"], "x", "code"),
        (["ISBN 978-3-16-148410-0", "9783161484100"], "x", "code"),
        (["01 42 68 53 00", "+33 1 42 68 53 01"], "x", "phone"),
        (["030/12345678", "+49 30 12345679"], "x", "phone"),
        (["Tel. 201-555-0123", "tel:+1-201-555-0124"], "x", "phone"),
        (["34", "n/a", "-", "56", "unknown"], "age", "number"),
        (["a@x.org", "N/A", "b@x.org", "-"], "x", "email"),
        (["1991-01-02", "0000-00-00", "unknown", "1992-03-04"], "x", "date"),
        (["N/A", "-", "?"], "x", "name"),
        (["M", "F", "NA"], "x", "category"),
        (MIXED_LENGTHS, "length", "number"),
        (["(1991).", "1992.", "[1993]", "1994,", "-1995"], "year", "date"),
        (["(1991).", "1992.", "no year", "none", "-1995"], "year", "name"),
    ],
)
def test_columns_with_gaps_labels_and_forms(values: list, name: str, kind: str) -> None:
    assert recognise(values, name) == kind


def test_what_stands_for_nothing_is_not_unparsable() -> None:
    assert is_filler("Unk.")
    assert not is_filler("NA")
    parsed = fit_comparer("number", ["5"]).read(["5", "N/A", "soon", None])
    assert parsed.n_unparsable == 1
    assert parsed.is_null.tolist() == [False, True, True, True]


def test_addresses_of_email_with_marks() -> None:
    expected = ("ann", "example.org")
    for text in (
        "mailto:ann@example.org",
        "ann@example.org;",
        "Ann(at)example.org",
        "ann [at] example.org",
    ):
        assert read_email(text) == expected
