"""Members of one household in one table are several people."""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pair_quality import quality
from people import households, written_anew
from repetitions import one_in

import pearljoin as pj

KEYS = ["first_name", "last_name", "street", "phone"]


def contacts(seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """People, some of whom have two rows; and who each row is."""
    people = households(seed)
    both = pd.concat([people, written_anew(people.sample(20, random_state=seed), seed)])
    return both.reset_index(drop=True), both.index.to_numpy()


@pytest.mark.parametrize(
    ("kinds", "seed"),
    one_in(product([None, {"first_name": "person", "last_name": "person"}], range(3)), 4),
)
def test_they_are_kept_apart(seed: int, kinds: dict[str, str] | None) -> None:
    table, who = contacts(seed)
    result = pj.find_duplicates(table, on=KEYS, kinds=kinds)
    precision, recall = quality(result.clusters(), who)
    assert precision >= 0.85
    assert recall >= 0.9
    assert abs(result.expected_precision() - precision) <= 0.15


@pytest.mark.parametrize(
    ("column", "turned"), [("name", False), ("name", True), ("addressee", False)]
)
def test_also_where_one_column_has_the_whole_name(column: str, turned: bool) -> None:
    table, who = contacts(4)
    names = ["last_name", "first_name"] if turned else ["first_name", "last_name"]
    table[column] = table[names[0]] + " " + table[names[1]]
    labels = pj.find_duplicates(table, on=[column, "street", "phone"]).clusters()
    precision, recall = quality(labels, who)
    assert precision >= 0.8
    assert recall >= 0.9


def test_a_number_of_ones_own_outweighs_another_name() -> None:
    table, who = contacts(5)
    table["ssn"] = [f"{100 + 7919 * at % 900}-{10 + 31 * at % 90}-{1000 + at}" for at in who]
    twice = pd.Series(who).duplicated(keep="first")
    renamed = np.flatnonzero(twice)[:4]
    table.loc[renamed, "first_name"] = ["Agnes", "Hector", "Beatrix", "Cuthbert"]
    labels = pj.find_duplicates(table, on=[*KEYS, "ssn"]).clusters()
    assert all(labels[at] == labels[np.flatnonzero(who == who[at])[0]] for at in renamed)
    # An account of the family says nothing of who of it one is.
    table["account"] = table["phone"].str[-4:]
    labels = pj.find_duplicates(table, on=[*KEYS, "account"]).clusters()
    assert quality(labels, who)[0] >= 0.8


def test_who_wrote_a_record_may_be_anybody() -> None:
    rng = np.random.default_rng(6)
    firms = [f"{a} {b} Ltd" for a in ("Acme", "Orion", "Nova", "Delta") for b in ("Pumps", "Tools")]
    towns = ["Leeds", "York", "Hull", "Bath", "Derby", "Crewe", "Ely", "Ripon"]
    rows = [
        (firm, town, str(rng.choice(["Anna Bell", "Peter Ray"])))
        for firm, town in zip(firms, towns, strict=True)
    ]
    table = pd.DataFrame(rows * 2, columns=["company", "town", "recorded_by"])
    table.loc[len(firms) :, "recorded_by"] = "Ruth Clay"
    table.loc[len(firms) :, "company"] = table["company"][: len(firms)].str.upper().to_list()
    labels = pj.find_duplicates(table, on=list(table)).clusters()
    truth = np.tile(np.arange(len(firms)), 2)
    assert quality(labels, truth)[1] >= 0.7


def test_rows_that_are_added_later_are_told_apart_and_explained(tmp_path: Path) -> None:
    table, _ = contacts(7)
    first = table.iloc[0]
    sibling = pd.DataFrame([{**first, "first_name": "Beatrix"}])
    again = pd.DataFrame([{**first, "street": first["street"].replace("Street", "Str")}])
    deduplicator = pj.Deduplicator(on=KEYS).fit(table)
    deduplicator.save(tmp_path / "people")
    for some in (deduplicator, pj.Deduplicator.load(tmp_path / "people")):
        labels = some.clusters()
        other, same = some.add(sibling)[0], some.add(again)[0]
        assert other not in labels
        assert same == labels[0]
    both = pd.concat([table, sibling], ignore_index=True)
    result = pj.find_duplicates(both, on=KEYS)
    assert "given names" in str(result.explain(0, len(table)))
