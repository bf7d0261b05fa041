"""Dates in several columns: year, month and day are one key, compared as one date is."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._kinds.column_names import date_part
from pearljoin._kinds.date import DateComparer

PEOPLE = pd.DataFrame(
    {
        "name": ["Anna Smith", "Robert Miller", "Wei Zhang", "Maria Garcia", "John Brown"],
        "birth_date": ["1970-01-02", "1985-07-12", "1990-03-04", "1962-11-30", "1955-05-05"],
    }
)
ASKED = pd.DataFrame(
    {
        "name": ["Anna Smith", "Bob Miller", "Jon Brown", "Maria Garcia"],
        "birth_date": ["1988-06-21", "1985-07-12", "1955-05-06", None],
    }
)
GIVEN = ["Anna", "Bert", "Carl", "Dora", "Emil", "Frida"]
FAMILY = ["Meier", "Smith", "Huber", "Jones", "Wolf"]
PARTS = ["birth_year", "birth_month", "birth_day"]


def apart(table: pd.DataFrame, names: Sequence[str] = PARTS, *, text: bool = False) -> pd.DataFrame:
    """The table with its dates in columns; floats where one is null, as pandas has them."""
    dates = pd.to_datetime(table["birth_date"])
    columns = {
        name: getattr(dates.dt, part)
        for name, part in zip(names, ("year", "month", "day"), strict=True)
    }
    if text:
        columns = {
            name: column.map(lambda number: None if pd.isna(number) else f"{number:.0f}")
            for name, column in columns.items()
        }
    return table[["name"]].assign(**columns)


def answers(result: pj.MatchResult) -> dict[int, int]:
    found = result.matches()
    return dict(zip(found.left.tolist(), found.right.tolist(), strict=True))


@pytest.mark.parametrize("names", [PARTS, ["by", "bm", "bd"], ["yob", "mob", "dob"]])
@pytest.mark.parametrize("text", [False, True])
def test_three_columns_are_one_date(names: list[str], text: bool) -> None:
    whole = pj.match(ASKED, PEOPLE, on=["name", "birth_date"])
    found = pj.match(
        apart(ASKED, names, text=text), apart(PEOPLE, names, text=text), on=["name", *names]
    )
    assert (
        found.matches(threshold=0.0).right.tolist() == whole.matches(threshold=0.0).right.tolist()
    )
    # The record as one text is another: "1985 7 12" for "1985-07-12".
    assert np.allclose(
        found.matches(threshold=0.0).score, whole.matches(threshold=0.0).score, atol=0.1
    )
    assert answers(found) == {1: 1, 2: 4, 3: 3}
    effects = found.explain(1)
    assert " + ".join(names) in str(effects)


def test_duplicates_by_three_columns() -> None:
    both = pd.concat([PEOPLE, ASKED], ignore_index=True)
    whole = pj.find_duplicates(both, on=["name", "birth_date"])
    found = pj.find_duplicates(apart(both), on=["name", *PARTS])
    assert found.clusters().tolist() == whole.clusters().tolist()
    assert np.allclose(found.pairs()["score"], whole.pairs()["score"], atol=0.1)


def test_any_order_of_columns_and_other_left_names() -> None:
    left = apart(ASKED, ["year", "mon", "d"])
    found = pj.match(
        left,
        apart(PEOPLE),
        left_on=["d", "name", "mon", "year"],
        right_on=["birth_day", "name", "birth_month", "birth_year"],
    )
    assert answers(found) == {1: 1, 2: 4, 3: 3}


def test_a_saved_matcher_reads_them_alike(tmp_path: Path) -> None:
    matcher = pj.Matcher(on=["name", *PARTS]).fit(apart(PEOPLE))
    matcher.save(tmp_path / "people")
    loaded = pj.Matcher.load(tmp_path / "people")
    before, after = (m.match(apart(ASKED)).matches(threshold=0.0) for m in (matcher, loaded))
    assert before.right.tolist() == after.right.tolist()
    assert np.array_equal(before.score, after.score, equal_nan=True)


def test_a_given_kind_keeps_a_column_by_itself() -> None:
    found = pj.match(
        apart(ASKED), apart(PEOPLE), on=["name", *PARTS], kinds={"birth_year": "number"}
    )
    assert "birth_year + " not in str(found.explain(1))


@pytest.mark.parametrize(
    ("names", "of"),
    [
        (["birth_year", "birth_month", "birth_day"], "birth"),
        (["BirthYear", "BirthMonth", "BirthDay"], "birth"),
        (["byear", "bmonth", "bday"], "birth"),
        (["by", "bm", "bd"], "birth"),
        (["yob", "mob", "dob"], "birth"),
        (["Geburtsjahr", "Geburtsmonat", "Geburtstag"], "geburt"),
        (["año_nacimiento", "mes_nacimiento", "dia_nacimiento"], "nacimiento"),
        (["issue_yr", "issue_mon", "issue_dd"], "issue"),
    ],
)
def test_names_of_parts(names: list[str], of: str) -> None:
    found = [date_part(name) for name in names]
    assert found == [(part, (of,)) for part in ("year", "month", "day")]


@pytest.mark.parametrize("name", ["name", "city", "company", "model", "year_month", "body"])
def test_names_that_are_no_parts(name: str) -> None:
    assert date_part(name) is None


def test_columns_that_hold_something_else() -> None:
    left = apart(ASKED).assign(birth_day=["Monday", "Friday", "Sunday", "Monday"])
    right = apart(PEOPLE).assign(birth_day=["Monday", "Friday", "Sunday", "Monday", "Friday"])
    shown = str(pj.match(left, right, on=["name", *PARTS]).explain(1))
    assert "birth_year + birth_month" in shown
    assert "birth_month + birth_day" not in shown


def test_reading_parts() -> None:
    cells = [
        (1985, 4, 3),
        ("1985", "April", "3"),
        (1985.0, 4.0, None),
        ("1985", None, "3"),
        ("85", "4", "3"),
        ("1985", "2", "31"),
        ("1985", "13", "3"),
        (None, "4", "3"),
        ("soon", None, "3"),
        ("c. 1985", "Sept.", "3rd"),
        ("1985", "Monday", "3"),
    ]
    read = DateComparer().read(cells)
    assert read.canonical.tolist() == [
        "1985-04-03",
        "1985-04-03",
        "1985-04",
        "1985",
        "'85-04-03",
        "1985-02-31",
        "1985",
        "0000-04-03",
        None,
        "1985-09-03",
        "1985",
    ]
    assert read.n_unparsable == 1
    compared = DateComparer().compare(read, read, np.array([0, 4, 5]), np.array([4, 0, 0]))
    levels = [DateComparer.levels[level] for level in compared.level]
    assert levels[:2] == ["same date"] * 2
    assert levels[2] == "within a month"
    # Without a year, month and day are compared; with nothing in common, nothing is.
    compared = DateComparer().compare(read, read, np.array([0, 7, 7, 7]), np.array([7, 5, 3, 8]))
    assert compared.level.tolist() == [5, 3, -1, -1]
    assert compared.similarity.min() == 0.0


def test_a_missing_year_leaves_month_and_day() -> None:
    rng = np.random.default_rng(0)
    drawn = {
        "name": [f"{rng.choice(GIVEN)} {rng.choice(FAMILY)}" for _ in range(60)],
        "birth_year": rng.integers(1930, 2005, 60).astype(float),
        "birth_month": rng.integers(1, 13, 60).astype(float),
        "birth_day": rng.integers(1, 29, 60).astype(float),
    }
    right = pd.DataFrame(drawn)
    left = right[:30].assign(
        birth_year=np.where(np.arange(30) % 3, right["birth_year"][:30], np.nan)
    )
    found = pj.match(left, right, on=["name", *PARTS])
    assert answers(found) == {row: row for row in range(30)}


def test_names_of_months_beside_their_numbers() -> None:
    names = {1: "Jan", 3: "March", 5: "May", 6: "juin", 7: "July", 11: "Nov.", None: None}
    left = apart(ASKED)
    months = [None if pd.isna(month) else names[int(month)] for month in left["birth_month"]]
    found = pj.match(left.assign(birth_month=np.array(months)), apart(PEOPLE), on=["name", *PARTS])
    assert answers(found) == {1: 1, 2: 4, 3: 3}


def test_nothing_known_in_common_is_no_conflict() -> None:
    right = apart(PEOPLE)
    right.loc[1, "birth_year"] = np.nan
    only_year = apart(ASKED)
    only_year.loc[1, ["birth_month", "birth_day"]] = np.nan
    other_day = only_year.copy()
    other_day.loc[1, ["birth_year", "birth_month", "birth_day"]] = [np.nan, 1.0, 30.0]
    scores = []
    for left in (only_year, other_day):
        best = pj.match(left, right, on=["name", *PARTS]).matches(threshold=0.0)
        assert np.isfinite(best.score).all()
        scores.append(best.score[best.left == 1][0])
    assert scores[0] > scores[1] + 0.2
    assert pj.find_duplicates(right, on=["name", *PARTS]).clusters().tolist() == [0, 1, 2, 3, 4]
