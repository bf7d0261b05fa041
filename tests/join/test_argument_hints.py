"""Calls as other libraries have them are refused with what to write instead."""

import pandas as pd
import pytest

import pearljoin as pj

LEFT = pd.DataFrame({"name": ["York", "Kyoto"], "zip": ["12345", "54321"], "year": [1, 2]})
RIGHT = LEFT.rename(columns={"name": "title"})


@pytest.mark.parametrize("function", [pj.fuzzy_join, pj.match])
def test_columns_are_named(function) -> None:
    with pytest.raises(TypeError, match=r"takes 2 positional arguments. Got 4. Hint: .*left_on="):
        function(LEFT, RIGHT, "name", "title")


@pytest.mark.parametrize("function", [pj.fuzzy_join, pj.match])
@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("limit", "k="),
        ("suffixes", "suffix="),
        ("max_dist", "threshold="),
        ("score_cutoff", "threshold="),
        ("method", "encoder="),
    ],
)
def test_arguments_of_other_libraries_have_a_hint(function, name: str, hint: str) -> None:
    with pytest.raises(TypeError, match=rf"unexpected keyword argument '{name}'. Hint: .*{hint}"):
        function(LEFT, LEFT, on="name", **{name: 1})


def test_several_tables_are_deduplicated_otherwise() -> None:
    with pytest.raises(TypeError, match=r"takes 1 positional argument. .*find_duplicates\(\["):
        pj.deduplicate(LEFT, RIGHT)


@pytest.mark.parametrize(
    ("kind", "meant"), [("integer", "number"), ("datetime", "date"), ("str", "name")]
)
def test_a_type_is_told_as_a_kind(kind: str, meant: str) -> None:
    with pytest.raises(pj.InputError, match=rf"did you mean '{meant}'\? They are name, text,"):
        pj.match(LEFT, LEFT, on=["name", "year"], kinds={"year": kind})


def test_columns_with_a_comma_between_are_a_list() -> None:
    with pytest.raises(pj.InputError, match=r"by itself, left_on=\['name', 'zip'\]\.$"):
        pj.match(LEFT, RIGHT, left_on="name, zip", right_on="title,zip")


def test_pairs_of_names_are_two_lists() -> None:
    with pytest.raises(pj.InputError, match=r"no column \('name', 'title'\).*Hint: left_on= and"):
        pj.match(LEFT, RIGHT, on=[("name", "title")])


def test_several_columns_may_be_named_where_none_is_guessed() -> None:
    table = pd.concat([LEFT[["name", "zip"]]] * 6)
    with pytest.raises(pj.InputError, match=r"Several are on=\['name', 'zip'\]. Hint: name it"):
        pj.deduplicate(table)
