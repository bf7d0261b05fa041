"""Guessed keys of tables that call their columns otherwise: columns that hold the same facts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from firm_columns import CODES, COUNTRIES, LEGAL, NAMES, NOTES, TOWNS, N
from frames import FrameMaker, match

import pearljoin as pj

GIVEN = ["Ann", "Robert", "Cyril", "Diana", "Edwin", "Fiona", "Gareth", "Helen"] * 5
FAMILY = [
    *("Abbott", "Barlow", "Carver", "Dalton", "Eldridge", "Foster", "Garland", "Hobson"),
    *("Ingram", "Jarvis", "Keating", "Lowell", "Maddox", "Norwood", "Osborne", "Pickard"),
    *("Quinton", "Ridley", "Sawyer", "Thorne", "Upton", "Vickers", "Whitby", "Yardley"),
    *("Ashdown", "Bramwell", "Cotter", "Denholm", "Everett", "Fairfax", "Gilmore", "Harding"),
    *("Iveson", "Jessop", "Kirkham", "Langdon", "Mercer", "Newbold", "Oakley", "Prescott"),
]
STREETS = [f"{number + 3} {name} Street" for number, name in enumerate(FAMILY[::-1])]
DAYS = [(number % 28 + 1, number % 12 + 1, 1950 + number) for number in range(N)]

PAIRED = {
    "names and a category that both have": (
        {"name": NAMES, "country": COUNTRIES},
        {"country": COUNTRIES, "legal_name": LEGAL},
        (("name", "country"), ("legal_name", "country")),
    ),
    "names and short codes that both have": (
        {"land": ["FR", "IT", "ES", "TD"] * 10, "name": NAMES},
        {"land": ["FR", "IT", "ES", "TD"] * 10, "legal_name": LEGAL},
        (("land", "name"), ("land", "legal_name")),
    ),
    "codes that both have, and categories of the same values": (
        {"ticker": CODES, "country": COUNTRIES},
        {"ticker": CODES[::-1], "state": COUNTRIES},
        (("ticker", "country"), ("ticker", "state")),
    ),
    "tables of two rows": (
        {"company": NAMES[:2], "country": ["IT", "US"]},
        {"legal_name": LEGAL[:2], "country": ["IT", "US"]},
        (("company", "country"), ("legal_name", "country")),
    ),
    "one row": (
        {"name": NAMES[:1], "country": COUNTRIES[:1]},
        {"legal_name": LEGAL, "country": COUNTRIES},
        (("name", "country"), ("legal_name", "country")),
    ),
    "codes that both have beside names": (
        {"ticker": CODES, "company": NAMES},
        {"ticker": CODES[::-1], "legal_name": LEGAL[::-1]},
        (("ticker", "company"), ("ticker", "legal_name")),
    ),
    "names among other text": (
        {"firm": NAMES, "town": TOWNS},
        {"legal": LEGAL},
        (("firm",), ("legal",)),
    ),
    "descriptions beside names": (
        {"name": NAMES, "description": NOTES},
        {"title": LEGAL, "text": NOTES},
        (("name", "description"), ("title", "text")),
    ),
    "too few rows to tell a category": (
        {"name": ["Acme", "Globex", "Initech"], "country": ["Italy", "Italy", "Chad"]},
        {"legal_name": ["Acme Ltd", "Globex Ltd"], "country": ["Italy", "Chad"]},
        (("name", "country"), ("legal_name", "country")),
    ),
    "postal codes with and without a blank": (
        {"who": NAMES, "pc": [f"57{n}8AB" for n in range(10, 50)]},
        {"customer": LEGAL, "postcode": [f"57{n}8 AB" for n in range(10, 50)]},
        (("who", "pc"), ("customer", "postcode")),
    ),
    "given and family names apart": (
        {
            "author": [f"{b}, {a}" for a, b in zip(GIVEN, FAMILY, strict=True)],
            "living in": COUNTRIES,
        },
        {"orcid": CODES, "given": GIVEN, "family": FAMILY, "country": COUNTRIES},
        (("author", "living in"), ("given + family", "country")),
    ),
    "street and town in one, on the right": (
        {"firm": NAMES, "street": STREETS, "town": TOWNS[:20] * 2},
        {
            "company": LEGAL,
            "address": [f"{a}, {b}" for a, b in zip(STREETS, TOWNS[:20] * 2, strict=True)],
        },
        (("firm", "street + town"), ("company", "address")),
    ),
    "days, months and years apart": (
        {"name": NAMES, "dob": [f"{day:02}/{month:02}/{year}" for day, month, year in DAYS]},
        {
            "full name": LEGAL,
            "y": [year for _, _, year in DAYS],
            "m": [month for _, month, _ in DAYS],
            "d": [day for day, _, _ in DAYS],
        },
        (("name", "dob"), ("full name", "d + m + y")),
    ),
}


@pytest.mark.parametrize("case", PAIRED)
def test_columns_that_hold_the_same_facts_are_paired(case: str, make_frame: FrameMaker) -> None:
    left, right, keys = PAIRED[case]
    found = match(make_frame(left), make_frame(right)).keys
    assert (found.left, found.right, found.guessed) == (*keys, True)


REFUSED = {
    "a column that goes with two": (
        {"firm": NAMES, "town": NAMES, "n": range(N)},
        {"legal": LEGAL},
    ),
    "tables that have nothing in common": (
        {"item": [f"{word} screws" for word in FAMILY], "price": range(N), "unit": CODES},
        {"who": [f"Miss {word}" for word in GIVEN], "room": COUNTRIES, "since": range(100, 140)},
    ),
    "rows of the right table that are not told apart": (
        {"ad": [f"{name} with radio" for name in NAMES[:8]], "paint": ["red", "blue"] * 4},
        {"model": NAMES[:4] * 10, "trim": ["radio", "plain"] * 20, "colour": ["red"] * N},
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_paired(case: str, make_frame: FrameMaker) -> None:
    left, right = ({name: list(cells) for name, cells in side.items()} for side in REFUSED[case])
    with pytest.raises(pj.InputError, match="cannot be guessed"):
        match(make_frame(left), make_frame(right))


def test_an_error_names_what_seems_to_go_together() -> None:
    left, right = (
        pd.DataFrame(side) for side in REFUSED["rows of the right table that are not told apart"]
    )
    with pytest.raises(pj.InputError, match=r"perhaps left_on=\['ad', .*\], right_on=\['model"):
        match(left, right)


PEOPLE = pd.DataFrame({"first": GIVEN, "last": FAMILY, "born": [1950 + n for n in range(N)]})
ASKED = [f"{last}, {first}" for first, last in zip(GIVEN, FAMILY, strict=True)]


def test_columns_are_read_together_where_they_are_named_so(tmp_path) -> None:
    matcher = pj.Matcher(left_on="name", right_on="first + last").fit(PEOPLE)
    asked = pd.DataFrame({"name": ASKED})
    assert matcher.match(asked).matches().right.tolist() == list(range(N))
    matcher.save(tmp_path / "people")
    opened = pj.Matcher.load(tmp_path / "people")
    assert opened.match(asked[:1]).matches().right.tolist() == [0]
    opened.add(pd.DataFrame({"first": ["Zachary"], "last": ["Zimmer"], "born": [1990]}))
    assert opened.match(pd.DataFrame({"name": ["Zimmer, Zachary"]})).matches().right.tolist() == [N]


@pytest.mark.parametrize("library", [pd, pl])
def test_they_stay_as_they_are_in_the_joined_table(library) -> None:
    left, right = library.DataFrame({"name": ASKED}), library.DataFrame(PEOPLE.to_dict("list"))
    joined = pj.fuzzy_join(left, right, left_on="name", right_on="first + last")
    assert list(joined.columns) == ["name", "first", "last", "born", "match_score"]
    assert list(joined["last"]) == FAMILY


def test_duplicates_are_found_by_columns_that_are_read_together() -> None:
    table = pd.DataFrame({"first": ["Ann", "Bo", "Ann"], "last": ["Abbott", "Barlow", "Abott"]})
    assert pj.find_duplicates(table, on="first + last").clusters().tolist() == [0, 1, 0]


def test_numbers_and_nulls_are_left_out_or_written_plainly() -> None:
    right = pd.DataFrame({"street": ["Mill Road", None, None], "no": [12.0, 7.5, None]})
    pairs = pj.match(["Mill Road 12", "7.5"], right, right_on="street + no", threshold=0).pairs()
    assert pairs["right"].tolist() == ["Mill Road 12", "7.5"]


def test_a_column_of_that_name_comes_first() -> None:
    right = pd.DataFrame({"a": ["x"], "b": ["y"], "a + b": ["Acme Corporation"]})
    assert len(pj.match(["Acme Corporation"], right, right_on="a + b").matches().left) == 1


def test_each_of_them_must_be_there() -> None:
    with pytest.raises(pj.InputError, match=r"no column 'first \+ middle'"):
        pj.match(["Ann"], PEOPLE, right_on="first + middle")


def test_cells_that_cannot_be_read_are_refused_by_the_name_of_their_column() -> None:
    right = pl.DataFrame({"name": ["Ann"], "tags": [["x"]]})
    with pytest.raises(pj.InputError, match="'tags' holds a value that cannot be compared"):
        pj.match(["Ann"], right, right_on="name + tags")


def test_rows_that_are_added_need_each_of_them() -> None:
    matcher = pj.Matcher(on="first + last").fit(PEOPLE)
    for rows in (["Zachary Zimmer"], pd.DataFrame({"first + last": ["Zachary Zimmer"]})):
        with pytest.raises(pj.InputError, match=r"need each of the columns \['first', 'last'\]"):
            matcher.add(rows)
    matcher.add({"first": "Zachary", "last": "Zimmer"})
    found = matcher.match({"first": "Zachary", "last": "Zimmer"}).matches()
    assert found.right.tolist() == [N]
    assert matcher.match(["Zachary Zimmer"]).matches().right.tolist() == [N]
    matcher.remove({"first": "Zachary", "last": "Zimmer"})
    assert len(matcher.match(["Zachary Zimmer"]).matches().left) == 0


def test_deduplication_shows_what_was_read() -> None:
    table = pd.DataFrame({"first": ["Ann", "Bo", "Ann"], "last": ["Abbott", "Barlow", "Abott"]})
    found = pj.deduplicate(table, on="first + last")
    assert found["canonical"].tolist() == ["Ann Abbott", "Bo Barlow", "Ann Abbott"]


def test_columns_that_must_be_equal_are_not_read_together() -> None:
    with pytest.raises(pj.InputError, match=r"by=\['first', 'last'\]"):
        pj.match(PEOPLE, PEOPLE, on="born", by="first + last")


def test_a_name_that_stands_for_others_is_not_made() -> None:
    asked = pd.DataFrame({"author": ASKED, "land": COUNTRIES})
    taken = PEOPLE.assign(**{"first + last": range(100, 140)})
    plus = PEOPLE.rename(columns={"first": "first + middle"})
    numbered = PEOPLE.rename(columns={"first": 0, "last": 1})
    for right in (taken, plus, numbered):
        found = match(asked, right).keys.right
        assert all(name in right.columns for name in found)


def test_numbers_of_rows_and_of_one_range_are_not_paired() -> None:
    left = pd.DataFrame({"who": NAMES, "nr": range(1, N + 1), "cust": range(1000, 1200, 5)})
    right = pd.DataFrame({"customer": LEGAL, "num": range(1, N + 1), "no.": range(1000, 1160, 4)})
    assert match(left, right).keys.left == ("who",)


def test_a_form_alone_pairs_nothing() -> None:
    left = {"order": CODES, "date": [f"2024-05-{n % 28 + 1:02}" for n in range(N)], "item": NOTES}
    right = {"staff": ASKED, "birthday": [f"{1960 + n}-11-02" for n in range(N)]}
    with pytest.raises(pj.InputError, match="cannot be guessed"):
        match(pd.DataFrame(left), pd.DataFrame(right))


def test_the_order_of_rows_plays_no_part() -> None:
    left, right, keys = PAIRED["street and town in one, on the right"]
    shuffled = [pd.DataFrame(side).sample(frac=1, random_state=3) for side in (left, right)]
    found = match(*shuffled).keys
    assert (found.left, found.right) == keys


@pytest.mark.parametrize("named", ["ref", "inventory no"])
@pytest.mark.parametrize(
    ("here", "there"), [("P {} F", "P{:06d}F"), ("K{}", "K-{:05d}"), ("{:04d}/X", "{}X")]
)
def test_codes_padded_with_zeros_are_those_without(here: str, there: str, named: str) -> None:
    numbers = [at * 7919 % 9973 + 1 for at in range(N)]  # no series
    result = match(
        pd.DataFrame({"ref": [here.format(each) for each in numbers], "item": NAMES}),
        pd.DataFrame({"item": LEGAL, named: [there.format(each) for each in numbers]}),
    )
    assert result.keys.left[result.keys.right.index(named)] == "ref"
    assert result.matches().best().left.tolist() == list(range(N))


def test_unrelated_categories_are_no_keys() -> None:
    """Of sixty rows few are equal in three categories, but none is meant by them."""
    rng = np.random.default_rng(0)
    columns = [sorted({*COUNTRIES}), ["Food", "Toys", "Books", "Garden"], ["open", "closed"]]
    left, right = (
        pd.DataFrame(
            {name: rng.choice(some, 60) for name, some in zip(names, columns, strict=True)}
        )
        for names in (["country", "category", "status"], ["nation", "segment", "state"])
    )
    with pytest.raises(pj.InputError, match="cannot be guessed"):
        match(left, right)


def test_columns_that_tell_rows_apart_together_are_compared() -> None:
    """Each pupil is entered for several exams, so that neither column names an entry."""
    subjects = ["Mathematics", "Physics", "French", "Biology"]
    entries = [
        (f"{a} {b}", subject) for a, b in zip(GIVEN, FAMILY, strict=False) for subject in subjects
    ]
    left = pd.DataFrame(entries, columns=["pupil", "exam"])
    right = pd.DataFrame(
        [(", ".join(name.split()[::-1]).upper(), subject.upper()) for name, subject in entries],
        columns=["candidate", "title"],
    )
    result = match(left, right.sample(frac=1, random_state=0))
    assert (result.keys.left, result.keys.right) == (("pupil", "exam"), ("candidate", "title"))
    with pytest.raises(pj.InputError, match="cannot be guessed"):
        match(left, right.assign(title="MATHEMATICS"))


def test_words_without_blanks_between_are_compared() -> None:
    """One office writes hospitals in short, the other in full, with its town."""
    left = pd.DataFrame(
        {
            "采购单位": ["中医院", "第二医院", "图书馆", "博物馆", "环卫处", "第一中学"],
            "项目": ["CT机", "超声设备", "图书采购二期", "展柜", "垃圾清运车", "宿舍空调"],
        }
    )
    right = pd.DataFrame(
        {
            "采购人名称": [f"滨江市{name}" for name in left["采购单位"]],
            "项目名称": [
                *("螺旋CT采购", "彩色超声设备采购", "图书采购项目"),
                *("展柜制作", "垃圾清运车采购", "宿舍空调安装"),
            ],
            "中标供应商": ["东软公司", "恒风公司", "文博公司", "宏达厂", "味佳公司", "海信公司"],
        }
    )  # fmt: skip
    keys = match(left, right).keys
    assert (keys.left, keys.right) == (("采购单位", "项目"), ("采购人名称", "项目名称"))
