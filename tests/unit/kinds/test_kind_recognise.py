"""Kinds recognised from values and names, and the errors of kinds that a user gives."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pearljoin._errors import InputError
from pearljoin._kinds.category import CategoryComparer
from pearljoin._kinds.checks import check_fits, check_geo, check_kinds, unparsable_note
from pearljoin._kinds.column_names import hints, person_part
from pearljoin._kinds.coordinate import CoordinateComparer
from pearljoin._kinds.date import DateComparer
from pearljoin._kinds.recognise import recognise, recognise_coordinates
from pearljoin._kinds.years import recognise_years
from pearljoin._tables import key_kinds
from pearljoin._tables.columns import present_cells
from pearljoin._tables.key_kinds import record_kinds
from pearljoin._tables.read_table import as_table

COMPANIES = ["Acme Corp", "Smith & Sons", "3M", "Société Générale", "7-Eleven", "IBM"]


@pytest.mark.parametrize(
    ("values", "name", "kind"),
    [
        (COMPANIES, "company", "name"),
        (COMPANIES, "phone", "name"),
        (COMPANIES, "address", "name"),
        (COMPANIES, "zip", "name"),
        (COMPANIES, "date", "name"),
        (["iPhone 4", "iPhone 5s", "Galaxy S3"], "model", "name"),
        (["Paris", "London", "Pairs"], "city", "name"),
        (["John Smith", "Ann Lee"], "name", "name"),
        (["1984", "Dune", "Emma"], "title", "name"),
        ([], "x", "name"),
        ([None, float("nan"), " "], "x", "name"),
        (["John", "Ann"], "first_name", "person"),
        (["Smith, J.", "Lee"], "author", "person"),
        (["Smith, J.; Doe, A.", "Lee, B."], "authors", "list"),
        (["Jo Smith, Ann Doe", "Bo Lee"], "authors", "list"),
        (["rock; pop", "jazz; soul"], "x", "list"),
        (["Simon &amp; Schuster", "Barnes &amp; Noble"], "x", "name"),
        ([("a", "b"), ("c",)], "x", "list"),
        (["ann@example.org", "bo@example.org"], "x", "email"),
        (["2020-01-31", "3 March 1999", "2/3/2001"], "x", "date"),
        (["1985", "1990"], "year", "date"),
        (["1985", "1990"], "x", "number"),
        (["(415) 555-2671", "(415) 555-2672"], "x", "phone"),
        (["+44 20 7946 0958", "+44 20 7946 0959"], "x", "phone"),
        (["4155552671", "4155552672"], "phone", "phone"),
        (["123-45-6789", "987-65-4321"], "ssn", "code"),
        (["SW1A 1AA", "B1 1AA"], "x", "postcode"),
        (["90210", "10115"], "zip", "postcode"),
        (["90210", "02138"], "x", "code"),
        (["16 GB", "32 GB"], "x", "number"),
        (["$5", "$7.50"], "x", "number"),
        (["3:45", "4:02", "12:10"], "length", "number"),
        (["225", "3:45", "3m 45sec", "00:03:45"], "length", "number"),
        (["225123", "198004"], "duration", "number"),
        (["10 mg/mL", "100 mcg/dose", "5 mg"], "strength", "number"),
        (["1972", "'81", "'07"], "year", "date"),
        (["PS 5", "PS 4"], "x", "name"),
        (["RM101", "RM102"], "room", "code"),
        ([*map(str, range(9_100_000, 9_100_020)), "IMO9811000"], "imo", "code"),
        ([*map(str, range(9_100_000, 9_100_020)), "98110001A"], "imo", "code"),
        ([*map(str, range(9_100_000, 9_100_020)), "98.5"], "people", "number"),
        ([*range(100_003, 250_000, 7_001), "no data yet"], "people", "number"),
        ([*range(100_003, 250_000, 7_001), "150000-200000"], "people", "number"),
        (["12", "500", "4711", "88", "3", "7", "812", "43", "65", "99", "0.5"], "x", "number"),
        (["TL84", "RS232"], "x", "code"),
        (["RM 101", "RM 102"], "x", "name"),
        (["RM101", "RM102"], "price", "number"),
        (["RM 5", "RM 7.50"], "x", "number"),
        (["kr 100", "Rs. 500", "R$ 5"], "x", "number"),
        (["3:16", "1:1", "119:105", "23:4"], "verse", "name"),
        (["3:1", "2:0", "10:12"], "result", "name"),
        (["225", "3:45", "225123", "3m 45sec"], "x", "number"),
        (["12 Main St", "5 Oak Avenue", "Hauptstr. 12"], "x", "address"),
        (["12 Main St", "Rose Cottage", "Hauptstr. 12"], "address", "address"),
        (["pothole outside 12 Main St", "graffiti on the wall at 5 Oak Avenue"], "x", "name"),
        (["A12-B", "TZ5K"], "x", "code"),
        (["4e39f0526745", "B0-2B-3D-C6-66-F4", "b02b.3dc6.66f5"], "mac", "code"),
        (["9e107d9", "e4d909c", "da39a3e"], "commit", "code"),
        (["9e107d9", "e4d909c", "da39a3e8"], "x", "name"),
        (["defaced", "effaced", "acceded"], "x", "name"),
        (["FR", "DE"], "x", "category"),
        (["yes", "No"], "x", "category"),
        (["word " * 20, "text " * 15], "x", "text"),
        (["a short note of six words", "another note of just six words"], "comment", "text"),
        ([dt.date(2020, 1, 1), None], "x", "date"),
        ([3, 4.5, None], "x", "number"),
        ([True, False], "x", "category"),
        (np.array([1.5, np.nan]), "x", "number"),
        (np.array([1, 2]), "x", "number"),
        (np.array([1, 2]), "id", "code"),
        (np.array([1985, 1990]), "birthYear", "date"),
        (np.array([90210, 2138]), "zip", "postcode"),
        (np.array([4155552671]), "phone", "phone"),
        (np.array([5, 7]), "price_id", "number"),
        (np.array(["2020-01-01", "NaT"], dtype="datetime64[ns]"), "x", "date"),
        (np.array([True]), "x", "category"),
    ],
)
def test_kinds(values, name: str, kind: str) -> None:
    assert recognise(values, name) == kind


PARCELS = [f"{at % 39 + 1:04d}-{at * 11 % 420 + 1:05d}" for at in range(40)]
ABROAD = [f"0049-30-{number}" for number in range(1_000_000, 9_000_000, 400_003)]
AT_HOME = [f"0{201 + at} {100_000 + at * 20_011}" for at in range(40)]


@pytest.mark.parametrize(
    ("values", "name", "kind"),
    [
        (PARCELS, "cadastral_ref", "code"),
        ([text + "-1" * (at % 3 == 0) for at, text in enumerate(PARCELS)], "parcel", "code"),
        ([text[5:] + "/" + text[:4] for text in PARCELS], "x", "code"),
        (PARCELS, "phone", "phone"),
        (ABROAD, "x", "phone"),
        (AT_HOME, "x", "phone"),
        (["0044 0207 946 4123", "0044 0161 496 0007", "0044 0113 496 5120"], "x", "phone"),
        (
            [f"01 {at:02d} {at * 7 % 100:02d} 07 {at * 3 % 100:02d}" for at in range(40)],
            "x",
            "phone",
        ),
    ],
)
def test_blocks_filled_up_with_zeros_are_no_phone_numbers(values, name: str, kind: str) -> None:
    assert recognise(values, name) == kind


def test_few_values_that_repeat_are_a_category() -> None:
    colours = ["red", "green", "blue"]
    assert recognise(colours, "colour") == "name"
    assert recognise(colours, "colour", n_cells=149) == "name"
    assert recognise(colours, "colour", n_cells=150) == "category"
    assert recognise(colours, "status", n_cells=10) == "category"
    # Misspelt values are for the match scorer.
    assert recognise([*colours, "greeen"], "colour", n_cells=1_000) == "name"


def test_slips_do_not_change_the_kind() -> None:
    mails = [f"user{n}@example.org" for n in range(30)]
    assert recognise([*mails, "none"]) == "email"
    assert recognise([*mails, *COMPANIES]) == "name"


def test_the_order_of_rows_plays_no_part() -> None:
    values = [f"user{n}@example.org" for n in range(900)] + [f"Name {n}" for n in range(100)]
    assert recognise(values) == recognise(values[::-1])


def test_coordinates_need_both_names_and_ranges() -> None:
    lat, lon = np.array([48.9, np.nan]), ["2.4", "181"]
    assert recognise_coordinates({"lat": lat, "lon": lat}) == [("lat", "lon")]
    assert recognise_coordinates({"shop_long": lat, "x": lat, "shopLat": lat}) == [
        ("shopLat", "shop_long")
    ]
    assert recognise_coordinates({"lat": lat, "lon": lon}) == []
    assert recognise_coordinates({"lat": lat, "home_lon": lat}) == []
    assert recognise_coordinates({"lat": [None], "lon": lat}) == []
    assert recognise_coordinates({"latitude": ["north"], "longitude": lat}) == []


def test_names_of_columns() -> None:
    assert hints("Phone-Number") == {"phone", "code"}
    assert hints("colour") == set()
    assert [person_part(name) for name in ("firstName", "family name", "SURNAME", "name", 5)] == [
        "given",
        "family",
        "family",
        None,
        None,
    ]


def test_unknown_kinds_and_columns_are_refused() -> None:
    check_kinds({"zip": "code"}, ["zip", "name"])
    with pytest.raises(InputError, match=r"no key\. Got 'zpi'\. Hint: did you mean 'zip'"):
        check_kinds({"zpi": "code"}, ["zip", "name"])
    with pytest.raises(InputError, match=r"there is not\. Got 'codes'\. Hint: did you mean 'code'"):
        check_kinds({"zip": "codes"}, ["zip", "name"])
    with pytest.raises(InputError, match=r"Got 'xyzzy'\. Hint: one of name, text, person"):
        check_kinds({"zip": "xyzzy"}, ["zip", "name"])
    for slip, meant in (("strin", "name"), ("interger", "number"), ("quantity", "number")):
        with pytest.raises(InputError, match=rf"Got '{slip}'\. Hint: did you mean '{meant}'\?"):
            check_kinds({"zip": slip}, ["zip", "name"])


def years_of(columns: list[list[Any]]) -> list[int]:
    return recognise_years([Counter(cells) for cells in columns])


def test_the_cells_of_a_key_column_are_gone_through_once(monkeypatch) -> None:
    rows = range(400)
    frame = pd.DataFrame(
        {
            "what": [f"{row} things" for row in rows],
            "a": [1920 + row % 80 for row in rows],
            "b": [1 + row % 12 for row in rows],
            "c": [1 + row % 28 for row in rows],
        }
    )
    asked: list[str] = []

    def present(column: Any) -> Iterator[Any]:
        asked.append(column.name)
        return present_cells(column)

    monkeypatch.setattr(key_kinds, "present_cells", present)
    kinds, _ = record_kinds(as_table(frame, "right"), list(frame))
    assert kinds[1] == "parsed_date"
    assert asked == list(frame)


@pytest.mark.parametrize("cell", [int, str])
def test_years_are_recognised_beside_months_and_days(cell) -> None:
    years = [cell(1920 + row % 80) for row in range(400)]
    months, days = ([cell(1 + row % n) for row in range(400)] for n in (12, 28))
    slips = [cell(number) for number in (1462, 2967, 197, 19)]
    assert years_of([years, months, days]) == [0]
    assert years_of([days, [*years, *years, *slips], months]) == [1]
    assert years_of([years, months, days[:20]]) == []
    assert years_of([years, days]) == []
    assert years_of([years, months, months]) == []
    assert years_of([years[:399], months, days]) == []
    assert years_of([[cell(1800 + row) for row in range(400)], months, days]) == []
    assert years_of([[None] * 400, months, days]) == []
    assert years_of([[], [], []]) == []


def test_a_rent_is_no_year_and_a_year_is_whatever_its_name() -> None:
    rows = range(400)
    table = {
        "name": [f"flat {row}" for row in rows],
        "y": [1920 + row % 80 for row in rows],
        "m": [1 + row % 12 for row in rows],
        "d": [1 + row % 28 for row in rows],
    }
    assert record_kinds(as_table(pd.DataFrame(table), "right"), list(table))[0][1] == "parsed_date"
    priced = {("price" if name == "y" else name): cells for name, cells in table.items()}
    assert (
        record_kinds(as_table(pd.DataFrame(priced), "right"), list(priced))[0][1] == "parsed_number"
    )
    alone = {"name": table["name"], "rent": table["y"], "floor": [row % 7 for row in rows]}
    assert (
        record_kinds(as_table(pd.DataFrame(alone), "right"), list(alone))[0][1] == "parsed_number"
    )


def test_a_kind_that_no_value_fits_is_refused() -> None:
    comparer = DateComparer()
    check_fits(comparer.read(["1985", "soon"]), "date", "born")
    check_fits(comparer.read([None]), "date", "born")
    check_fits(comparer.read([]), "date", "born")
    with pytest.raises(
        InputError,
        match=r"No value of the column 'born' can be read as the kind 'date'\. Got 2 values, such "
        r"as 'soon'\. Hint: values such as '1985-04-03'",
    ):
        check_fits(comparer.read(["soon", "late", None]), "date", "born", "soon")


@pytest.mark.parametrize("geo", [("lat",), ("lat", "lat"), ("a", "b", "c"), "lat", 5])
def test_geo_is_two_columns(geo) -> None:
    with pytest.raises(InputError, match=r"geo= takes two columns.*Hint: geo=\('lat', 'lon'\)"):
        check_geo(geo)


def test_geo_of_two_columns_passes() -> None:
    assert check_geo(["lat", "lon"]) == ("lat", "lon")


def test_unparsable_values_are_counted() -> None:
    note = unparsable_note(DateComparer().read(["1985", "soon", None]), "date", "born")
    assert note == "1 of 2 values of 'born' cannot be read as the kind 'date' and count as null"
    assert unparsable_note(CategoryComparer().read(["a", None]), "category", "c") is None
    assert CoordinateComparer().read([("x", 1.0), (None, 1.0)]).n_unparsable == 1
