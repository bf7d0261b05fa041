"""Guessed keys: which columns are compared where none are named."""

import logging
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from firm_columns import CODES, COUNTRIES, LEGAL, NAMES, NOTES, TOWNS, N
from frames import FrameMaker, TrigramEncoder, join, match

import pearljoin as pj
from pearljoin._tables.column_facts import facts_of
from pearljoin._tables.guess_records import is_bookkeeping
from pearljoin._tables.read_table import as_table

EXAMPLES = Path(__file__).parents[2] / "examples"
EMPTY = [None] * N
NUMBERS = list(range(N))

GUESSED = {
    "the only text column of each, of few distinct values": (
        {"land": COUNTRIES, "n": NUMBERS},
        {"state": COUNTRIES, "n": NUMBERS},
        ("land", "state"),
    ),
    "the only text column, beside a reference of names and categories": (
        {"customer": NAMES[:4] * 10},
        {"customer_name": NAMES, "country": COUNTRIES},
        ("customer", "customer_name"),
    ),
    "the only text column goes by its name": (
        {"firm": NAMES},
        {"memo": NOTES, "firm": NAMES[:4] * 10},
        ("firm", "firm"),
    ),
    "a name that both have": (
        {"name": NAMES, "town": TOWNS},
        {"note": NOTES, "name": LEGAL},
        ("name", "name"),
    ),
    "a name that both have, distinct on the right alone": (
        {"customer": NAMES[:4] * 10, "product": LEGAL},
        {"customer": NAMES, "town": TOWNS},
        ("customer", "customer"),
    ),
    "a name that both have, distinct on the left alone": (
        {"firm": NAMES, "town": TOWNS},
        {"firm": NAMES[:4] * 10, "memo": NOTES},
        ("firm", "firm"),
    ),
    "names rather than codes that both have, of other values": (
        {"id": CODES, "name": NAMES},
        {"id": [f"B-{number}" for number in range(N)], "legal_name": LEGAL},
        ("name", "legal_name"),
    ),
    "names rather than codes that both have, with a few values of both": (
        {"id": CODES, "name": NAMES},
        {"id": [*CODES[:7], *(f"B-{n}" for n in range(N - 7))], "legal_name": LEGAL},
        ("name", "legal_name"),
    ),
    "names rather than numbers of rows, as text": (
        {"id": [str(number) for number in NUMBERS], "name": NAMES},
        {"id": [str(number) for number in NUMBERS], "name": LEGAL},
        ("name", "name"),
    ),
    "names rather than codes of rows and remarks": (
        {"id": CODES, "name": NAMES, "notes": NOTES},
        {"id": CODES, "name": LEGAL, "notes": NOTES},
        ("name", "name"),
    ),
    "codes of rows where there are no names that both have": (
        {"id": CODES, "name": NAMES},
        {"id": CODES, "country": COUNTRIES},
        ("id", "id"),
    ),
    "codes that both have, beside names on one side": (
        {"ticker": CODES, "company": NAMES},
        {"ticker": [code.lower() for code in CODES], "sector": COUNTRIES},
        ("ticker", "ticker"),
    ),
    "codes that repeat on the left, of a reference of them": (
        {"ticker": CODES[:4] * 10, "side": ["bought", "sold"] * 20},
        {"ticker": CODES, "sector": COUNTRIES},
        ("ticker", "ticker"),
    ),
    "codes that repeat on the left, beside names on the right": (
        {"ticker": CODES[:4] * 10, "note": NOTES},
        {"ticker": CODES, "company": NAMES},
        ("ticker", "ticker"),
    ),
    "a category and names of its values": (
        {"country": COUNTRIES, "n": NUMBERS},
        {"state": [*COUNTRIES[:4], *TOWNS[4:]], "code": CODES},
        ("country", "state"),
    ),
    "codes where there is no other text": (
        {"sku": CODES, "n": NUMBERS},
        {"article": CODES, "n": NUMBERS},
        ("sku", "article"),
    ),
    "names rather than notes that were never filled in": (
        {"name": NAMES, "note": EMPTY},
        {"legal_name": LEGAL, "note": EMPTY},
        ("name", "legal_name"),
    ),
    "names rather than the time of the last change": (
        {"name": NAMES, "updated": [f"2024-05-01 12:{n:02}:07" for n in range(N)]},
        {"name": LEGAL, "updated": [f"2023-11-02 09:{n:02}:41" for n in range(N)]},
        ("name", "name"),
    ),
    "an empty table": ({"name": []}, {"title": NAMES, "n": NUMBERS}, ("name", "title")),
    "a name that both have, in one row": (
        {"name": NAMES[:1], "town": TOWNS[:1]},
        {"name": LEGAL, "note": NOTES},
        ("name", "name"),
    ),
    "tables without rows": (
        {"name": [], "town": []},
        {"name": [], "note": []},
        ("name", "name"),
    ),
}


@pytest.mark.parametrize("case", GUESSED)
def test_what_is_guessed(case: str, make_frame: FrameMaker) -> None:
    left, right, (left_key, right_key) = GUESSED[case]
    result = match(make_frame(left), make_frame(right))
    assert (result.keys.left, result.keys.right) == ((left_key,), (right_key,))
    assert result.keys.guessed


REFUSED = {
    "a category that is the only text": (
        {"country": COUNTRIES, "n": NUMBERS},
        {"name": NAMES, "n": NUMBERS},
        r"\['country'\] on the left and \['name'\] on the right; .* are \[\] and \['name'\]",
    ),
    "a category of codes that is the only text": (
        {"land": ["FR", "IT", "ES", "TD"] * 10},
        {"name": NAMES, "kind": COUNTRIES},
        r"text columns \['land'\] on the left and \['name', 'kind'\] on the right",
    ),
    "two categories of other names and values": (
        {"country": COUNTRIES},
        {"sector": ["Banks", "Oil", "Tea", "Steel"] * 10},
        r"text columns \['country'\] on the left and \['sector'\] on the right",
    ),
    "categories alone, beside other text": (
        {"kind": COUNTRIES, "country": COUNTRIES},
        {"sort": COUNTRIES, "country": COUNTRIES},
        r"distinct values are \[\] and \[\]",
    ),
    "a category that both have, beside names on one side": (
        {"name": NAMES, "country": COUNTRIES},
        {"kind": COUNTRIES, "country": COUNTRIES},
        r"\['name', 'country'\]",
    ),
    "no text": ({"n": NUMBERS}, {"n": NUMBERS}, r"\[\] on the left and \[\] on the right"),
    "no text on one side": ({"name": NAMES}, {"n": NUMBERS}, r"\['name'\] on the left and \[\]"),
    "an empty column beside a category": (
        {"note": EMPTY, "country": COUNTRIES},
        {"legal_name": LEGAL, "country": COUNTRIES},
        r"\['note', 'country'\] on the left",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_guessed(case: str, make_frame: FrameMaker) -> None:
    left, right, message = REFUSED[case]
    with pytest.raises(pj.InputError, match=rf"cannot be guessed. .*{message}.*Hint: name them"):
        match(make_frame(left), make_frame(right))


def test_single_columns_are_compared_whatever_they_hold(make_frame: FrameMaker) -> None:
    names = make_frame({"name": NAMES})
    for left, right in ((COUNTRIES, NAMES), (NAMES, COUNTRIES), (COUNTRIES, names)):
        assert match(left, right).keys.guessed
    with pytest.raises(pj.InputError, match="cannot be guessed"):
        match(NAMES, make_frame({"country": COUNTRIES}))


def test_the_example_tables_are_joined_by_their_names() -> None:
    left, right = (pl.read_csv(EXAMPLES / f"{name}.csv") for name in ("everyday", "official"))
    keys = match(left, right).keys
    assert keys.guessed
    assert (keys.left, keys.right) == (("name", "country"), ("legal_name", "country"))


def test_named_keys_are_not_guessed(make_frame: FrameMaker) -> None:
    table = make_frame({"name": NAMES, "country": COUNTRIES})
    assert not match(table, table, on="country").keys.guessed
    assert not match(table, table, left_on="name", right_on="name").keys.guessed


def test_columns_used_otherwise_are_no_keys(make_frame: FrameMaker) -> None:
    left = make_frame({"name": NAMES, "town": TOWNS})
    right = make_frame({"title": LEGAL, "town": TOWNS})
    for options in ({"by": "town"}, {"veto": "town"}):
        assert match(left, right, **options).keys.left == ("name",)
    alone = make_frame({"name": NAMES})
    assert match(alone, alone, veto="name").keys.left == ("name",)


def test_a_matcher_guesses_by_the_reference(make_frame: FrameMaker) -> None:
    right = make_frame({"legal_name": LEGAL, "country": COUNTRIES, "id": CODES})
    matcher = pj.Matcher(encoder=TrigramEncoder(), threshold=0.5).fit(right)
    keys = matcher.match(make_frame({"name": NAMES, "n": NUMBERS})).keys
    assert (keys.left, keys.right, keys.guessed) == (("name",), ("legal_name",), True)
    # What the left table holds plays no part: a row alone is treated as many are.
    for left in ({"name": NAMES, "land": COUNTRIES}, {"name": NAMES[:1], "land": COUNTRIES[:1]}):
        with pytest.raises(pj.InputError, match=r"left table's key column cannot be guessed"):
            matcher.match(make_frame(left))
    both = {"name": NAMES, "legal_name": TOWNS}
    assert matcher.match(make_frame(both)).keys.left == ("legal_name",)


def test_a_matcher_guesses_neither_numbers_of_rows_nor_remarks(make_frame: FrameMaker) -> None:
    right = make_frame({"id": CODES, "legal_name": LEGAL, "notes": NOTES})
    matcher = pj.Matcher(encoder=TrigramEncoder(), threshold=0.5).fit(right)
    for n in (1, N):
        left = make_frame({"id": CODES[:n], "name": NAMES[:n], "notes": NOTES[:n]})
        keys = matcher.match(left).keys
        assert (keys.left, keys.right) == (("name",), ("legal_name",))


@pytest.mark.parametrize("how", ["left", "inner"])
def test_an_empty_table_of_floats_is_one_of_texts(how: str) -> None:
    names = pd.DataFrame({"name": NAMES[:3], "land": COUNTRIES[:3]})
    empty = pd.DataFrame({"name": [], "land": []}, dtype=float)
    options = {"encoder": TrigramEncoder(), "threshold": 0.5, "how": how}
    for columns in (["name"], ["name", "land"]):
        few, none = names[columns], empty[columns]
        assert len(pj.fuzzy_join(none, few, **options)) == 0
        assert len(pj.fuzzy_join(none, none, **options)) == 0
        joined = pj.fuzzy_join(few, none, **options)
        assert joined["name"].tolist() == (NAMES[:3] if how == "left" else [])
        assert pj.find_duplicates(none).clusters().tolist() == []


def test_a_joiner_keeps_what_it_guessed() -> None:
    right = pd.DataFrame({"legal_name": LEGAL, "country": COUNTRIES})
    left = pd.DataFrame({"name": NAMES, "country": COUNTRIES})
    joiner = pj.FuzzyJoiner(right, encoder=TrigramEncoder(), threshold=0.5).fit(left)
    assert joiner.transform(left[:1])["legal_name"].tolist() == LEGAL[:1]
    assert joiner.matcher_.match(left[:1]).keys.guessed


def test_a_guess_is_named_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    table = pd.DataFrame({"name": NAMES, "country": COUNTRIES})
    with caplog.at_level(logging.INFO, "pearljoin"):
        join(table, table.rename(columns={"name": "title"}))
        join(table, table, on="name")
    guessed, named = (record.getMessage() for record in caplog.records)
    assert guessed.startswith(
        "matched on name = title (text), country (text), guessed: threshold 0.350,"
    )
    assert named.startswith("matched on name (text): threshold 0.350,")


@pytest.mark.parametrize(("distinct", "role"), [(32, "names"), (31, "category")])
def test_four_in_five_distinct_values_are_names(distinct: int, role: str) -> None:
    # 32 of 40 cells are just enough.
    left = as_table(pd.DataFrame({"title": (NAMES[:distinct] * 2)[:N]}), "left")
    assert facts_of(left)["title"].role == role


SITES = [f"{kind} {letter}" for kind in ("Retail Park", "Leisure Centre") for letter in TOWNS[:20]]
ADDRESSES = [f"{number} Priory Court, {letter}wick" for number, letter in enumerate("abcde" * 8)]
SIZES = [f"{number}.5 x {90 - number} cm" for number in range(N)]
DIMENSIONS = [f"{number} by {60 - number}in.; {2 * number} by 9cm" for number in range(N)]
WEIGHTS = [f"{number},250 kg" for number in range(N)]
DAYS = [f"{number % 28 + 1} May {1960 + number}" for number in range(N)]

NOTHING_IN_COMMON = {
    "places and addresses": ({"site": SITES}, {"full_address": ADDRESSES}),
    "sizes": ({"size": SIZES}, {"dimensions": DIMENSIONS}),
    "weights": ({"gross": WEIGHTS}, {"net": WEIGHTS}),
    "dates": ({"opened": DAYS}, {"since": DAYS}),
}


@pytest.mark.parametrize("case", NOTHING_IN_COMMON)
def test_columns_of_other_names_have_something_in_common(case: str, make_frame: FrameMaker) -> None:
    left, right = ({**columns, "land": COUNTRIES} for columns in NOTHING_IN_COMMON[case])
    with pytest.raises(pj.InputError, match=r"cannot be guessed"):
        match(make_frame(left), make_frame(right))


def test_columns_of_other_names_may_be_of_one_kind(make_frame: FrameMaker) -> None:
    left = {"address": [f"{number} Station Road" for number in range(N)], "land": COUNTRIES}
    right = {"full_address": ADDRESSES, "country": COUNTRIES}
    assert "full_address" in match(make_frame(left), make_frame(right)).keys.right


def test_a_few_names_in_common_are_enough(make_frame: FrameMaker) -> None:
    names = [*NAMES[:6], *TOWNS[: N - 6]]
    left, right = {"firm": names, "land": CODES}, {"company": LEGAL, "country": COUNTRIES}
    assert match(make_frame(left), make_frame(right)).keys.left == ("firm",)


PRICES = [number * 1.25 for number in range(N)]
GIVEN = ["Ann", "Bob", "Cy", "Di", "Ed"] * 8
BOOKKEEPING = {"id": CODES, "row": PRICES, "createdAt": DAYS, "notes": NOTES}
TOGETHER = {
    "two names that both have": (
        {"name": NAMES, "town": TOWNS},
        {"town": TOWNS, "name": LEGAL},
        ("name", "town"),
    ),
    "names, a category and a price": (
        {"name": NAMES, "country": COUNTRIES, "price": PRICES, "stock": NUMBERS},
        {"name": LEGAL, "country": COUNTRIES, "price": PRICES, "sold": NUMBERS},
        ("name", "country", "price"),
    ),
    "codes that both have beside names that both have": (
        {"ticker": CODES, "name": NAMES},
        {"ticker": [*CODES[:8], *(f"B-{n}" for n in range(N - 8))], "name": LEGAL},
        ("ticker", "name"),
    ),
    "categories that tell rows apart together": (
        {
            "given": ["Ann", "Bob", "Cy", "Di", "Ed"] * 8,
            "family": [f"Ray {n // 5}" for n in range(N)],
        },
        {
            "given": ["Ann", "Bob", "Cy", "Di", "Ed"] * 8,
            "family": [f"Roy {n // 5}" for n in range(N)],
        },
        ("given", "family"),
    ),
    "too few rows to tell a category": (
        {"name": ["Acme", "Globex", "Initech"], "land": ["Chad", "Chad", "Mali"]},
        {"name": LEGAL[:3], "land": ["Chad", "Mali", "Mali"]},
        ("name", "land"),
    ),
    "names rather than numbers of rows, remarks and changes": (
        {
            "id": CODES,
            "row": PRICES,
            "name": NAMES,
            "land": COUNTRIES,
            "createdAt": DAYS,
            "notes": NOTES,
        },
        {
            "id": CODES,
            "row": PRICES,
            "name": LEGAL,
            "land": COUNTRIES,
            "createdAt": DAYS,
            "notes": NOTES,
        },
        ("name", "land"),
    ),
    "names rather than codes of other values, and consecutive numbers": (
        {"sku": CODES, "name": NAMES, "land": COUNTRIES, "line": NUMBERS},
        {"sku": [f"B-{n}" for n in range(N)], "name": LEGAL, "land": COUNTRIES, "line": NUMBERS},
        ("name", "land"),
    ),
    "names rather than what has no values or cannot be compared": (
        {"name": NAMES, "land": COUNTRIES, "memo_1": EMPTY, "seen": PRICES},
        {"name": LEGAL, "land": COUNTRIES, "memo_1": COUNTRIES, "seen": COUNTRIES},
        ("name", "land"),
    ),
    "tables without rows": (
        {"name": [], "land": []},
        {"name": [], "land": []},
        ("name", "land"),
    ),
}


@pytest.mark.parametrize("case", TOGETHER)
def test_columns_that_both_have_are_compared_together(case: str, make_frame: FrameMaker) -> None:
    left, right, keys = TOGETHER[case]
    found = match(make_frame(left), make_frame(right)).keys
    assert (found.left, found.right, found.guessed) == (keys, keys, True)


def test_one_table_is_compared_by_what_tells_its_rows_apart(make_frame: FrameMaker) -> None:
    table = {"id": NUMBERS, "name": NAMES, "code": CODES, "country": COUNTRIES, "fee": PRICES}
    options = {"encoder": TrigramEncoder(), "threshold": 0.5}
    keys = pj.find_duplicates(make_frame(table), **options).keys
    assert (keys.left, keys.guessed) == (("name", "country", "fee"), True)
    born = make_frame(table | {"born": [f"19{n + 30}-05-04" for n in range(N)]})
    assert pj.find_duplicates(born, **options).keys.left[-1] == "born"
    alone = pj.find_duplicates(make_frame({"id": NUMBERS, "name": NAMES}), **options).keys
    assert alone.left == ("name",)


def test_codes_stay_where_nothing_else_tells_rows_of_one_table_apart() -> None:
    streets = np.repeat(["Church Lane", "Mill Hill", "High Street", "Park Row"], 4).tolist()
    places = pd.DataFrame({"street": streets, "number": [3, 17, 22, 48] * 4, "city": "York"})
    assert pj.find_duplicates(places).keys.left == ("street", "number", "city")
    models = [f"KDL-{40 + 3 * at}W" for at in range(16)]
    sold = pd.DataFrame({"title": streets, "id": range(16), "model": models})
    assert pj.find_duplicates(sold).keys.left == ("title", "model")


def test_where_rows_are_from_is_not_compared() -> None:
    tables = [pd.DataFrame({"name": names}) for names in (NAMES, NAMES[:5])]
    assert pj.find_duplicates(tables).keys.left == ("name",)


def test_columns_with_values_that_cannot_be_compared_are_left_out() -> None:
    left = pd.DataFrame({"name": NAMES, "tags": [["x"], "u"] * (N // 2) + ["u"] * (N % 2)})
    assert pj.match(left, pd.DataFrame({"name": NAMES, "tags": "u"})).keys.left == ("name",)


@pytest.mark.parametrize("n", [1, 2, 12])
def test_few_rows_are_compared_by_what_many_are(n: int) -> None:
    films = pd.DataFrame({"title": np.repeat(["King Kong", "Hamlet", "Dune", "Carrie"], 3)})
    films["year"] = [1933, 1976, 2005, 1948, 1990, 1996, 1984, 2000, 2021, 1974, 2002, 2013]
    seen = films.iloc[[1, 4, *range(2, 12)][:n]].reset_index(drop=True)
    result = pj.match(seen, films)
    assert result.keys.left == ("title", "year")
    assert seen.equals(films.iloc[result.matches().right].reset_index(drop=True))


def test_guessed_columns_of_one_table_are_those_of_later_rows() -> None:
    table = pd.DataFrame({"name": NAMES, "country": COUNTRIES})
    grown = pj.Deduplicator().fit(table)
    added = grown.add(pd.DataFrame({"country": ["Chad"], "name": [NAMES[3]]}))
    assert added.tolist() == [grown.clusters()[3]]
    with pytest.raises(pj.InputError, match="has no column 'country'"):
        grown.add(pd.DataFrame({"name": [NAMES[3]]}))


@pytest.mark.parametrize(
    "name",
    ["ID", "row_number", "Unnamed: 0", "created_at", "dateModified", "Remarks", "source"],
)
def test_bookkeeping_is_told_by_names(name: object) -> None:
    assert is_bookkeeping(name)


@pytest.mark.parametrize(
    "name",
    [
        "item id",
        "phone number",
        "release notes",
        "année",
        "key stage",
        "number",
        "level",
        "created_by",
        0,
    ],
)
def test_other_names_are_no_bookkeeping(name: object) -> None:
    assert not is_bookkeeping(name)


# What is left out ---------------------------------------------------------------------------------

PHONES = [f"+49 30 {200_000 + 37 * number}" for number in range(N)]
OTHER_PHONES = [f"+49 89 {500_000 + 41 * number}" for number in range(N)]
VATS = [f"DE{100_000_000 + 7919 * number}" for number in range(N)]
OTHER_VATS = [f"DE{300_000_000 + 7919 * number}" for number in range(N)]

LEFT_OUT = {
    "no values in common, whatever the names": (
        {"firm": NAMES, "Phone": PHONES, "VAT": VATS, "tax no": VATS, "id": NUMBERS},
        {"name": LEGAL, "telephone": OTHER_PHONES, "VAT": OTHER_VATS, "no": NUMBERS},
        {
            "Phone": "no values in common with telephone",
            "VAT": "no values in common",
        },
    ),
    "one of several that it could be": (
        {"firm": NAMES, "Phone": PHONES},
        {"name": LEGAL, "phone 1": PHONES, "phone 2": PHONES},
        {"Phone": "not surely the same as phone 1"},
    ),
    "of another name beside shared ones": (
        {"firm": NAMES, "town": TOWNS, "Phone": PHONES, "vat id": VATS, "seen": NOTES},
        {"firm": LEGAL, "town": TOWNS, "telephone": PHONES, "vat_no": VATS, "day": NOTES},
        {"Phone": "not named as telephone", "vat id": "not named as vat_no"},
    ),
    "of another name beside the only text": (
        {"firm": NAMES, "phone": NUMBERS},
        {"firm": LEGAL, "telephone": PHONES},
        {"phone": "not named as telephone"},
    ),
    "bookkeeping, row numbers and empty columns": (
        {"firm": NAMES, "town": TOWNS, "notes": NOTES, "row": NUMBERS, "nr": NUMBERS, "e": EMPTY},
        {"firm": LEGAL, "town": TOWNS, "notes": NOTES, "row": NUMBERS, "nr": NUMBERS, "e": EMPTY},
        {
            "notes": "bookkeeping by its name",
            "row": "bookkeeping by its name",
            "nr": "numbers the rows of each table",
            "e": "no values to compare",
        },
    ),
    "scores of earlier joins, and none of games": (
        {"firm": NAMES, "town": TOWNS, "match_score": [0.5] * N, "match score": [2.5] * N},
        {"firm": LEGAL, "town": TOWNS, "match_score": [0.7] * N, "match score": [1.5] * N},
        {"match_score": "scores of an earlier join"},
    ),
    "nothing": ({"firm": NAMES, "n": NUMBERS}, {"name": LEGAL, "size": [0.5] * N}, {}),
}


@pytest.mark.parametrize("case", LEFT_OUT)
def test_what_could_be_a_key_and_is_none_is_told(
    case: str, make_frame: FrameMaker, caplog: pytest.LogCaptureFixture
) -> None:
    left, right, reasons = LEFT_OUT[case]
    with caplog.at_level(logging.INFO, "pearljoin"):
        result = match(make_frame(left), make_frame(right))
    assert result.keys.left_out == reasons
    assert not set(reasons) & set(result.keys.left)
    listed = ", ".join(f"{name} ({reason})" for name, reason in reasons.items())
    said = [record.getMessage() for record in caplog.records]
    expected = [f"left out of the guessed key columns: {listed}"] if reasons else []
    assert [message for message in said if message.startswith("left out")] == expected


def test_of_named_keys_nothing_is_left_out(make_frame: FrameMaker) -> None:
    left, right, _ = LEFT_OUT["no values in common, whatever the names"]
    result = match(make_frame(left), make_frame(right), left_on="firm", right_on="name")
    assert result.keys.left_out == {}


def test_columns_that_are_read_together_are_not_left_out() -> None:
    first, last = zip(*(name.split(" ", 1) for name in NAMES), strict=True)
    left = pd.DataFrame({"whole": NAMES})
    right = pd.DataFrame({"first": first, "last": last, "town": TOWNS})
    assert match(right, left).keys.left_out == {}
