"""Dates of birth: seldom wrong, so that a namesake born on another day is another person."""

import random
from functools import cache

import numpy as np
import pandas as pd
import pytest
from repetitions import few

import pearljoin as pj
from pearljoin._kinds.column_names import says_birth

GIVEN = [
    "James",
    "Mary",
    "Robert",
    "Patricia",
    "Michael",
    "Linda",
    "David",
    "Wei",
    "Ana",
    "Jose",
    "Fatima",
    "Ivan",
    "Olga",
    "Hans",
]
FAMILY = [
    "Smith",
    "Johnson",
    "Brown",
    "Garcia",
    "Miller",
    "Lopez",
    "Wilson",
    "Zhang",
    "Kumar",
    "Singh",
    "Petrov",
    "Rossi",
]
PEOPLE = pd.DataFrame(
    {
        "name": ["Anna Smith", "Robert Miller", "Wei Zhang", "Maria Garcia", "John Brown"],
        "dob": ["1970-01-02", "1985-07-12", "1990-03-04", "1962-11-30", "1955-05-05"],
    }
)
ASKED = pd.DataFrame(
    {
        "name": ["Anna Smith", "Bob Miller", "Jon Brown"],
        "dob": ["1988-06-21", "1985-07-12", "1955-05-05"],
    }
)


def born(rng: random.Random) -> str:
    return f"{rng.randrange(1930, 2005)}-{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}"


def with_namesakes(n: int, seed: int, column: str) -> tuple[pd.DataFrame, pd.DataFrame, list[int]]:
    """Left rows of which a third are people of the reference, and a third their namesakes."""
    rng = random.Random(seed)
    right = [(f"{rng.choice(GIVEN)} {rng.choice(FAMILY)}", born(rng)) for _ in range(n)]
    left, answers = [], []
    for at, (name, date) in enumerate(right):
        way = rng.randrange(3)
        other = f"{rng.choice(GIVEN)} {rng.choice(FAMILY)}"
        left.append([(name, date), (name, born(rng)), (other, born(rng))][way])
        answers.append(at if way == 0 else -1)
    columns = ["name", column]
    return pd.DataFrame(left, columns=columns), pd.DataFrame(right, columns=columns), answers


@cache
def rates(column: str, n: int = 40) -> tuple[float, float]:
    """Precision and recall at default settings, of several tables."""
    n_right = n_found = n_answers = 0
    for seed in range(6):
        left, right, answers = with_namesakes(n, seed, column)
        found = pj.match(left, right, on=["name", column]).matches()
        n_right += (np.array(answers)[found.left] == found.right).sum()
        n_found += len(found)
        n_answers += sum(answer >= 0 for answer in answers)
    return n_right / n_found, n_right / n_answers


@pytest.mark.parametrize("column", few(["dob", "Geburtsdatum"], 1))
def test_namesakes_are_other_people(column: str) -> None:
    precision, recall = rates(column)
    assert precision > 0.88
    assert recall > 0.97


def test_of_other_dates_the_tables_alone_tell() -> None:
    assert rates("changed")[0] < rates("dob")[0] - 0.05


def test_few_rows_and_one_row_tell_namesakes_apart() -> None:
    matcher = pj.Matcher(on=["name", "dob"]).fit(PEOPLE)
    for result in (pj.match(ASKED, PEOPLE, on=["name", "dob"]), matcher.match(ASKED)):
        assert list(zip(result.matches().left, result.matches().right, strict=True)) == [
            (1, 1),
            (2, 4),
        ]
    assert not len(matcher.match(ASKED[:1]).matches())


def test_a_date_of_birth_with_a_slip_or_none_at_all_is_no_obstacle() -> None:
    left = pd.DataFrame(
        {
            "name": ["Anna Smith", "Robert Miller", "Maria Garcia"],
            "dob": ["1970-02-01", "1985-07-21", None],
        }
    )
    found = pj.match(left, PEOPLE, on=["name", "dob"]).matches()
    assert found.left.tolist() == [0, 1, 2]
    assert found.right.tolist() == [0, 1, 3]


def test_what_is_known_of_births_is_saved_with_a_matcher(tmp_path) -> None:
    matcher = pj.Matcher(on=["name", "dob"]).fit(PEOPLE).calibrate(ASKED)
    matcher.save(tmp_path / "people")
    loaded = pj.Matcher.load(tmp_path / "people")
    before, after = (one.match(ASKED).matches(threshold=0.0) for one in (matcher, loaded))
    assert after.score.tolist() == before.score.tolist()
    calibrated = loaded.calibrate(ASKED).match(ASKED).matches(threshold=0.0)
    np.testing.assert_allclose(calibrated.score, before.score, atol=1e-5)
    again = loaded.refit().match(ASKED).matches(threshold=0.0)
    fresh = pj.Matcher(on=["name", "dob"]).fit(PEOPLE).match(ASKED).matches(threshold=0.0)
    np.testing.assert_allclose(again.score, fresh.score, atol=1e-5)


def test_the_explanation_says_what_another_day_of_birth_takes_away() -> None:
    told = pj.match(ASKED, PEOPLE, on=["name", "dob"]).explain(0)
    effects = {reason.kind: reason.effect for reason in told.reasons}
    assert effects["dob"] < -2
    assert 1 / (1 + np.exp(-sum(step.effect for step in told.waterfall()))) == pytest.approx(
        told.score, abs=1e-5
    )


def test_whatever_else_a_record_matches_a_namesake_is_another_person() -> None:
    options = {"on": ["name", "dob"], "constraint": "many_to_many"}
    found = pj.match(ASKED, PEOPLE, **options).matches()
    assert list(zip(found.left, found.right, strict=True)) == [(1, 1), (2, 4)]
    renamed = [table.rename(columns={"dob": "changed"}) for table in (ASKED, PEOPLE)]
    options["on"] = ["name", "changed"]
    by_name = pj.match(*renamed, **options).matches(threshold=0.0)
    known = pj.match(ASKED, PEOPLE, on=["name", "dob"], constraint="many_to_many")
    of_namesake = [
        one.score[(one.left == 0) & (one.right == 0)][0]
        for one in (known.matches(threshold=0.0), by_name)
    ]
    assert of_namesake[0] < of_namesake[1] / 2


def test_the_day_first_makes_no_difference() -> None:
    european = [
        table.assign(dob=[f"{date[8:]}.{date[5:7]}.{date[:4]}" for date in table["dob"]])
        for table in (ASKED, PEOPLE)
    ]
    found = pj.match(*european, on=["name", "dob"]).matches()
    assert list(zip(found.left, found.right, strict=True)) == [(1, 1), (2, 4)]


def of_namesakes(table: pd.DataFrame) -> float:
    """The score of the two people of one name, in one table."""
    pairs = pj.find_duplicates(table, on=list(table)).pairs(0.0)
    listed = (pairs["left_row"] == 0) & (pairs["right_row"] == 5)
    return float(pairs["score"][listed].iloc[0])


def test_in_one_table_namesakes_are_other_people() -> None:
    table = pd.concat([PEOPLE, ASKED], ignore_index=True)
    clusters = pj.find_duplicates(table, on=["name", "dob"]).clusters().tolist()
    assert clusters[1] == clusters[6]
    assert clusters[4] == clusters[7]
    assert len(set(clusters)) == len(table) - 2
    assert of_namesakes(table) < of_namesakes(table.rename(columns={"dob": "changed"})) / 2


def test_a_year_of_birth_says_less_in_one_table() -> None:
    table = pd.concat([PEOPLE, ASKED], ignore_index=True)
    years = table.assign(dob=table["dob"].str[:4])
    assert of_namesakes(years) == of_namesakes(years.rename(columns={"dob": "year"}))


@pytest.mark.parametrize(
    "name",
    [
        "dob",
        "DOB",
        "D.O.B.",
        "birthDate",
        "date_of_birth",
        "birth_year",
        "Geb_Datum",
        "födelsedatum",
    ],
)
def test_names_of_birth_dates(name: str) -> None:
    assert says_birth(name)


@pytest.mark.parametrize(
    "name",
    [
        "order_date",
        "birthplace_city",
        "date_de_connaissance",
        "renaissance_date",
        "dob_verified_on",
        "birth registered",
        "joined",
    ],
)
def test_names_of_other_dates(name: str) -> None:
    assert not says_birth(name)
