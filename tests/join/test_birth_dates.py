"""Dates of birth: seldom wrong, so that a namesake born on another day is another person."""

import random

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj

GIVEN = "James Mary Robert Patricia Michael Linda David Wei Ana Jose Fatima Ivan Olga Hans".split()
FAMILY = "Smith Johnson Brown Garcia Miller Lopez Wilson Zhang Kumar Singh Petrov Rossi".split()
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


def rates(column: str, n: int = 40, **kinds) -> tuple[float, float]:
    """Precision and recall at default settings, of several tables."""
    n_right = n_found = n_answers = 0
    for seed in range(6):
        left, right, answers = with_namesakes(n, seed, column)
        found = pj.match(left, right, on=["name", column], **kinds).matches()
        n_right += (np.array(answers)[found.left] == found.right).sum()
        n_found += len(found)
        n_answers += sum(answer >= 0 for answer in answers)
    return n_right / n_found, n_right / n_answers


@pytest.mark.parametrize("column", ["dob", "Geburtsdatum"])
def test_namesakes_are_other_people(column: str) -> None:
    precision, recall = rates(column)
    assert precision > 0.88
    assert recall > 0.97


def test_of_other_dates_the_tables_alone_tell() -> None:
    assert rates("changed")[0] < rates("dob")[0] - 0.1


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
