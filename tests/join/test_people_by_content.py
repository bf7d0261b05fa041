"""Columns of people that their values tell, whatever the columns are called."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from people import households, written_anew
from repetitions import few

import pearljoin as pj

HEADERS = ["taxpayer", "col_3", "Bewohner", "household_member", "defendant"]
REST = ["street", "phone"]
PEOPLE = [
    "Anna Schmidt",
    "Bernd Müller",
    "Sarah Kelly",
    "Tom Kelly",
    "Anton Müller",
    "Robert Hall",
    "Katherine Wills",
    "Volodymyr Mnih",
]


def named(table: pd.DataFrame, header: str) -> pd.DataFrame:
    return table.assign(**{header: table["first_name"] + " " + table["last_name"]})


def register(seed: int, header: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Left people and a reference that has six tenths of them; indexes say who is who."""
    people = households(seed, n_houses=60)
    known = people.sample(frac=0.6, random_state=seed)
    left = written_anew(people.sample(frac=0.6, random_state=seed + 1), seed)
    return named(left, header), named(known, header)


def quality(left: pd.DataFrame, right: pd.DataFrame, pairs: pd.DataFrame) -> tuple[float, float]:
    who = left.index.to_numpy()[pairs["left_row"]], right.index.to_numpy()[pairs["right_row"]]
    is_right = who[0] == who[1]
    return float(is_right.mean()), is_right.sum() / left.index.isin(right.index).sum()


@pytest.mark.parametrize("header", few(HEADERS, 2))
def test_members_of_households_are_told_apart_whatever_the_header(header: str) -> None:
    left, right = register(0, header)
    precision, recall = quality(left, right, pj.match(left, right, on=[header, *REST]).pairs())
    assert precision >= 0.9
    assert recall >= 0.95


def test_the_order_of_rows_changes_nothing() -> None:
    left, right = register(1, "taxpayer")
    keys = ["taxpayer", *REST]
    mixed = right.sample(frac=1, random_state=5)
    found, other = (
        {
            (left.index[row["left_row"]], table.index[row["right_row"]])
            for _, row in pj.match(left, table, on=keys).pairs().iterrows()
        }
        for table in (right, mixed)
    )
    assert found == other


@pytest.mark.parametrize("header", few(["owner", "taxpayer"], 1))
def test_people_who_are_given_are_treated_so(header: str, tmp_path: Path) -> None:
    left, right = register(2, header)
    keys, kinds = [header, *REST], {header: "person"}
    expected = pj.match(left, right, on=keys, kinds=kinds).pairs()
    precision, recall = quality(left, right, expected)
    assert precision >= 0.9
    assert recall >= 0.85
    matcher = pj.Matcher(on=keys, kinds=kinds).fit(right).calibrate(left)
    matcher.save(tmp_path / "matcher")
    again = pj.Matcher.load(tmp_path / "matcher").match(left).pairs()
    pd.testing.assert_frame_equal(again, matcher.match(left).pairs())
    found = quality(left, right, again)
    assert found[0] >= 0.9
    twice = pd.concat([left, right], ignore_index=True)
    who = np.concatenate([left.index, right.index])
    clusters = pj.find_duplicates(twice, on=keys, kinds=kinds).clusters()
    members = pd.DataFrame({"who": who, "cluster": np.asarray(clusters)})
    # Hardly a cluster has two people.
    assert (members.groupby("cluster")["who"].nunique() > 1).mean() <= 0.05


def test_owners_beside_dates_of_birth_are_who_records_are_of() -> None:
    keys = ["owner", "street", "birth_date"]
    rows = [
        (name, "25 College Street" if at < 4 else f"{at} Dock Street", f"19{60 + at}-03-0{at + 1}")
        for at, name in enumerate(
            ["Oliver Dubois", "Emma Dubois", "Karl Dubois", "Lena Dubois", *PEOPLE[:5]]
        )
    ]
    right = pd.DataFrame(rows, columns=keys)
    asked = pd.DataFrame([("Peter Dubois", "25 College St", None)], columns=keys)
    assert pj.match(asked, right, on=keys).pairs().empty


CHINESE = {
    "Wang Xiao Ming": "Wang Xiaoming",
    "Xiao-Hong Li": "Li Xiaohong",
    "Chen Jian Guo": "Chen Jianguo",
    "Zhou, Hong Yu": "Zhou Hongyu",
    "Ji-sung Park": "Park Jisung",
    "Min-jun Kim": "Kim Minjun",
}


@pytest.mark.parametrize("header", ["n", "name"])
def test_given_names_together_and_apart_are_one(header: str) -> None:
    left, right = pd.DataFrame({header: [*CHINESE]}), pd.DataFrame({header: [*CHINESE.values()]})
    pairs = pj.match(left, right, on=header).pairs()
    assert pairs["left_row"].tolist() == pairs["right_row"].tolist() == [*range(len(left))]
    both = pd.concat([left, right], ignore_index=True)
    clusters = list(pj.find_duplicates(both, on=header).clusters())
    assert clusters[: len(left)] == clusters[len(left) :]


@pytest.mark.parametrize("header", ["brand", "product", "ship"])
def test_a_column_that_names_things_is_of_no_people(header: str) -> None:
    firms = ["Calvin Klein", "Ralph Lauren", "Hugo Boss", "Kate Spade", "Vera Wang", "Paul Smith"]
    left = pd.DataFrame({header: ["Anna Klein", "Hugo Boss"]})
    of_things, of_people = (
        pj.match(left.rename(columns={header: name}), pd.DataFrame({name: firms}), on=name)
        for name in (header, "x")
    )
    assert "given names" not in str(of_things.explain(0, 0))
    assert "given names" in str(of_people.explain(0, 0))


def test_places_named_after_saints_are_of_no_people() -> None:
    right = ["San Jose", "San Francisco", "San Antonio", "Santa Barbara", "Saint Louis", "San Juan"]
    left = ["St. Francisco", "Sto. Antonio", "St Louis"]
    pairs = pj.match(pd.DataFrame({"x": left}), pd.DataFrame({"x": right}), on="x").pairs()
    assert pairs["right_row"].tolist() == [1, 2, 4]


CONTRADICTED = ["A. Mnih", "Müller C.", "Karin Schmidt", "Hall, Peter"]
AGREEING = {"S. Kelly": "Sarah Kelly", "Müller, A.": "Anton Müller", "Bob Hall": "Robert Hall"}


@pytest.mark.parametrize("header", ["col", "name", "author"])
def test_one_column_of_people_has_initials_that_contradict(header: str, tmp_path: Path) -> None:
    left = pd.DataFrame({header: [*CONTRADICTED, *AGREEING]})
    right = pd.DataFrame({header: PEOPLE})
    result = pj.match(left, right, on=header)
    found = result.pairs()
    answers = dict(zip(found["left_row"].tolist(), found["right_row"].tolist(), strict=True))
    known = {left[header][row]: PEOPLE[at] for row, at in answers.items()}
    assert known == AGREEING
    assert "given names" in str(result.explain(2, 0))
    matcher = pj.Matcher(on=header).fit(right)
    matcher.save(tmp_path / "matcher")
    pd.testing.assert_frame_equal(
        pj.Matcher.load(tmp_path / "matcher").match(left).pairs(), matcher.match(left).pairs()
    )


def test_one_column_of_people_is_deduplicated_by_given_names() -> None:
    names = [*PEOPLE, "Karin Schmidt", "A. Müller", "Bob Hall"]
    clusters = list(pj.find_duplicates(pd.DataFrame({"x": names}), on="x").clusters())
    by_name = dict(zip(names, clusters, strict=True))
    assert by_name["A. Müller"] == by_name["Anton Müller"] != by_name["Bernd Müller"]
    assert by_name["Karin Schmidt"] != by_name["Anna Schmidt"]
    assert by_name["Tom Kelly"] != by_name["Sarah Kelly"]
