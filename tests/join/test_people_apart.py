"""Left people who are not in the reference, while others of their household are."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from people import GIVEN, households, written_anew
from repetitions import few

import pearljoin as pj
from pearljoin._fitted.state_file import read_state, write_state
from pearljoin._scoring.other_people import People

KEYS = ["first_name", "last_name", "street", "phone"]


def register(seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Left people and a reference that has six tenths of them; indexes say who is who."""
    people = households(seed, n_houses=60)
    known = people.sample(frac=0.6, random_state=seed)
    return written_anew(people.sample(frac=0.6, random_state=seed + 1), seed), known


def quality(left: pd.DataFrame, right: pd.DataFrame, pairs: pd.DataFrame) -> tuple[float, float]:
    who = left.index.to_numpy()[pairs["left_row"]], right.index.to_numpy()[pairs["right_row"]]
    is_right = who[0] == who[1]
    return float(is_right.mean()), is_right.sum() / left.index.isin(right.index).sum()


@pytest.mark.parametrize("seed", few(range(3), 1))
def test_they_find_no_match(seed: int) -> None:
    left, right = register(seed)
    result = pj.match(left, right, on=KEYS)
    precision, recall = quality(left, right, result.pairs())
    assert precision >= 0.9
    assert recall >= 0.95
    assert abs(result.expected_precision() - precision) <= 0.12


@pytest.mark.parametrize("n_left", few([3, 1], 1))
def test_also_a_few_at_a_time_by_a_matcher_that_knows_the_reference_alone(n_left: int) -> None:
    left, right = register(4)
    matcher = pj.Matcher(on=KEYS).fit(right)
    parts = [left.iloc[at : at + n_left] for at in range(0, 60, n_left)]
    found = [matcher.match(part).pairs().assign(part=at) for at, part in enumerate(parts)]
    pairs = pd.concat(found)
    pairs["left_row"] += pairs["part"] * n_left
    precision, recall = quality(left[:60], right, pairs)
    assert precision >= 0.85
    assert recall >= 0.9


def test_explanations_name_the_step_only_where_it_counts() -> None:
    left, right = register(5)
    result = pj.match(left, right, on=KEYS)
    left, right = (table.assign(home=table["phone"].str[-4:]) for table in (left, right))
    absent = ~left.index.isin(right.index) & left["home"].isin(right["home"])
    row = int(np.flatnonzero(absent)[0])
    sibling = int(np.flatnonzero(right["home"] == left["home"].iloc[row])[0])
    assert "given names" in str(result.explain(row, sibling))
    found = result.pairs().iloc[0]
    assert "given names" not in str(result.explain(int(found["left_row"]), int(found["right_row"])))


def test_by_which_columns_people_are_known_is_saved_and_bounded(tmp_path: Path) -> None:
    left, right = register(6)
    matcher = pj.Matcher(on=KEYS).fit(right).calibrate(left)
    state = matcher._fitted.learned().state
    assert state.match_weights is not None
    assert state.match_weights.people == People(True)
    expected = matcher.match(left).pairs()
    matcher.save(tmp_path / "matcher")
    pd.testing.assert_frame_equal(
        pj.Matcher.load(tmp_path / "matcher").match(left).pairs(), expected
    )
    content, arrays = write_state(state)
    content = json.loads(json.dumps(content))
    assert read_state(content, arrays).match_weights.people == People(True)
    content["match_weights"]["people"] = {"are_named": True, "own": [len(KEYS)]}
    with pytest.raises(ValueError, match="a column of one's own is 4"):
        read_state(content, arrays)


@pytest.mark.parametrize("columns", few([KEYS, KEYS[:3], ["name", *KEYS[2:]]], 1), ids="-".join)
def test_initials_are_no_other_names(columns: list[str]) -> None:
    left, right = register(7)
    is_short = np.random.default_rng(7).random(len(right)) < 0.1
    short = right["first_name"].where(~is_short, right["first_name"].str[0])
    right = right.assign(first_name=short)
    left, right = (
        table.assign(name=table["first_name"] + " " + table["last_name"]) for table in (left, right)
    )
    pairs = pj.match(left, right, on=columns).pairs()
    precision, recall = quality(left, right, pairs)
    assert precision >= 0.9
    assert recall >= 0.93
    found = right.index[pairs["right_row"]]
    asked = right.index[is_short & right.index.isin(left.index)]
    assert np.isin(asked, found).mean() >= 0.75


INITIALS = {
    "E. Dubois": False,
    "Dubois, E.": False,
    "E. M. Dubois": False,
    "Emma Dubois": False,
    "O. Dubois": True,
    "Dubois O": True,
    "E. O. Dubois": True,
    "Oliver K. Dubois": True,
}


@pytest.mark.parametrize("name", INITIALS)
def test_an_initial_that_fits_no_given_name_is_of_another_member(name: str) -> None:
    keys = ["name", "address", "phone"]
    rows = [
        ("Oliver J. Dubois", "25 College Street", "555-937-7754"),
        ("Anna Silva", "3 Dock Street", "555-222-1111"),
        ("Ivan Novak", "8 Pine Court", "555-333-4444"),
    ]
    asked = pd.DataFrame([(name, "25 College St", "555-937-7754")], columns=keys)
    pairs = pj.match(asked, pd.DataFrame(rows, columns=keys), on=keys).pairs()
    assert len(pairs) == INITIALS[name]


def test_members_of_a_household_are_no_doubles_of_each_other() -> None:
    keys = ["name", "address", "phone"]
    at = ["25 College Street", "555-937-7754"]
    rows = [("Oliver Dubois", *at), ("Emma Dubois", *at), ("Anna Silva", "3 Dock Street", None)]
    asked = pd.DataFrame([("Dubois", *at)], columns=keys)
    result = pj.match(asked, pd.DataFrame(rows, columns=keys), on=keys)
    assert result.doubles == ()
    # They share one unit of probability, but for what is left that both are one.
    assert sum(result.explain(0, member).score for member in (0, 1)) <= 1.01


def test_names_of_a_single_character_are_no_initials() -> None:
    keys = ["name", "address", "phone"]
    at = ["東京都新宿区1-2", "03-5321-1111"]
    rows = pd.DataFrame(
        [("田中 誠", *at), ("山本 花子", "大阪市北区3", "06-6208-8181")], columns=keys
    )
    asked = pd.DataFrame([("田中 まこと", *at)], columns=keys)
    assert pj.match(asked, rows, on=keys).pairs()["right_row"].tolist() == [0]


WRITTEN = {
    "titles": lambda given, family: f"Dr. {given} {family}",
    "commas": lambda given, family: f"{family}, {given}",
    "family first": lambda given, family: f"{family} {given}",
}


@pytest.mark.parametrize("way", few(WRITTEN, 1))
def test_in_whichever_way_names_are_written(way: str) -> None:
    left, right = register(8)
    for table, write in ((left, WRITTEN[way]), (right, lambda given, family: f"{given} {family}")):
        names = table["first_name"], table["last_name"]
        table["name"] = [write(*both) for both in zip(*names, strict=True)]
    result = pj.match(left, right, on=["name", "street", "phone"])
    precision, recall = quality(left, right, result.pairs())
    assert precision >= 0.9
    assert recall >= 0.95


def test_who_directs_a_company_may_change() -> None:
    left, right = register(9)
    tables = []
    for at, table in enumerate((left, right)):
        firms = table["street"].str.split().str[1] + " " + table["phone"].str[-4:] + " Ltd"
        directors = [f"{GIVEN[(3 * row + 7 * at) % 24]} Smith" for row in range(len(table))]
        of_firms = table.assign(company=firms, name=directors)
        tables.append(of_firms.drop_duplicates("company"))
    left, right = tables
    pairs = pj.match(left, right, on=["company", "name", "phone"]).pairs()
    found = left["company"].to_numpy()[pairs["left_row"]]
    same = found == right["company"].to_numpy()[pairs["right_row"]]
    assert same.mean() >= 0.95
    assert same.sum() >= 0.9 * left["company"].isin(right["company"]).sum()


def test_the_contact_of_a_shop_may_change() -> None:
    left, right = (table.drop_duplicates("phone").copy() for table in register(10))
    for at, table in enumerate((left, right)):
        table.index = table["phone"].str[-4:]  # which shop it is
        table["contact"] = [f"{GIVEN[(3 * row + 7 * at) % 24]} Smith" for row in range(len(table))]
        table["chain"] = [f"{name} Market" for name in table["last_name"]]
    pairs = pj.match(left, right, on=["chain", "contact", "street", "phone"]).pairs()
    precision, recall = quality(left, right, pairs)
    assert precision >= 0.95
    assert recall >= 0.9


@pytest.mark.parametrize("sexes", ["F M", "Female m", "weiblich männlich"])
def test_a_brother_and_a_sister_of_one_day_of_birth_are_two(sexes: str) -> None:
    female, male = sexes.split()
    keys = ["name", "birth_date", "sex", "phone"]
    people = households(11, n_houses=40)
    names = people["first_name"] + " " + people["last_name"]
    days = pd.to_datetime("1950-01-01") + pd.to_timedelta(np.arange(len(people)) * 97, unit="D")
    right = pd.DataFrame(
        {
            "name": names,
            "birth_date": days.strftime("%Y-%m-%d"),
            "sex": "F",
            "phone": people["phone"],
        }
    )
    # The reference lacks the brother; another has only got another given name.
    asked = right.iloc[:2].assign(name=["KWAME " + names.iloc[0].split()[1].upper(), names.iloc[1]])
    asked["sex"] = [male, female]
    right["sex"] = [female, *right["sex"][1:]]
    result = pj.match(asked, right, on=keys)
    assert result.pairs()["left_row"].tolist() == [1]
    assert "given names" in str(result.explain(0, 0))


@pytest.mark.parametrize("header", ["text", "description", "n"])
def test_a_column_of_texts_may_be_of_people(header: str) -> None:
    names = (
        "Leo Quinn,Maria Hall,Peter Hall,Anna Brooks,James Brooks,Laura Stone,Simon Stone,"
        "Helen Marsh,David Marsh,Julia Ford,Martin Ford"
    )
    matcher = pj.Matcher(on=header).fit(pd.DataFrame({header: names.split(",")}))
    assert not len(matcher.match(pd.DataFrame({header: ["Rosa Quinn"]})).matches())
