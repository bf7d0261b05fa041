"""Calls as other libraries have them are refused with what to write instead."""

import re

import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._options import JoinOptions, names_of

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


def matcher(table, **given):
    return pj.Matcher(**given)


def joiner(table, **given):
    return pj.FuzzyJoiner(table, **given)


def deduplicator(table, **given):
    return pj.Deduplicator(**given)


def clusterer(table, **given):
    return pj.DuplicateClusterer(**given)


@pytest.mark.parametrize("make", [matcher, joiner])
@pytest.mark.parametrize("name", ["limit", "top_k", "n_matches", "max_matches", "n_neighbors"])
def test_several_matches_of_a_row_are_a_constraint(make, name: str) -> None:
    with pytest.raises(TypeError, match=rf"'{name}'. Hint: constraint='many_to_many' keeps .* k="):
        make(LEFT, **{name: 5})


@pytest.mark.parametrize("name", ["limit", "k", "top_k"])
@pytest.mark.parametrize("make", [pj.find_duplicates, pj.deduplicate, deduplicator, clusterer])
def test_duplicates_have_no_number_of_matches(make, name: str) -> None:
    with pytest.raises(TypeError, match=rf"argument '{name}'. Hint: find_duplicates\(.*max_size="):
        make(LEFT, **{name: 5})


@pytest.mark.parametrize(
    "make",
    [
        *(pj.find_duplicates, pj.deduplicate, pj.fuzzy_join, pj.match),
        *(matcher, joiner, deduplicator, clusterer),
    ],
)
@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("cutoff", "threshold= is the lowest"),
        ("score_cutoff", "threshold= is the lowest"),
        ("min_score", "threshold= is the lowest"),
        ("scorer", "encoder= is what compares"),
        ("columns", "on= names the key columns"),
        ("treshold", "did you mean 'threshold'"),
    ],
)
def test_wherever_rows_are_compared_arguments_have_a_hint(make, name: str, hint: str) -> None:
    tables = [LEFT, LEFT] if make in (pj.fuzzy_join, pj.match) else [LEFT]
    with pytest.raises(TypeError, match=rf"unexpected keyword argument '{name}'. Hint: {hint}"):
        make(*tables, **{name: 1})


@pytest.mark.parametrize("name", names_of(JoinOptions))
def test_options_of_a_join_are_none_of_a_matcher(name: str) -> None:
    with pytest.raises(TypeError, match=rf"^Matcher\(\) got .* '{name}'. Hint: .*join\(\)\.$"):
        pj.Matcher(on="name", **{name: "x"})


def test_the_short_form_says_what_the_long_one_takes() -> None:
    for name in ("cannot_link", "one_per", "max_size", "sources"):
        with pytest.raises(TypeError, match=rf"Hint: find_duplicates\(\) takes {name}="):
            pj.deduplicate(LEFT, **{name: "zip"})


def test_a_class_is_called_by_its_name() -> None:
    with pytest.raises(
        TypeError, match=r"^Matcher\(\) takes 0 positional .* Got 1. Hint: .*on='a'"
    ):
        pj.Matcher("name")
    with pytest.raises(TypeError, match=r"^PhraseEncoder\(\) got an .* 'encoder'. Hint: model= is"):
        pj.PhraseEncoder(encoder="pearl-mini")
    with pytest.raises(TypeError, match=r"PhraseEncoder.*'n_component'. Hint: did you mean"):
        pj.PhraseEncoder(n_component=2)
    assert pj.PhraseEncoder("pearl-nano", 5).get_params()["n_components"] == 5


def test_what_nothing_is_known_of_is_refused_as_python_does() -> None:
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'xyzzy'$"):
        pj.Matcher(on="name", xyzzy=1)


@pytest.mark.parametrize("names", ["name", ["name"], ["name", "city"]])
def test_key_columns_by_position_are_to_be_named(names) -> None:
    message = re.escape(f"Hint: on={names!r} names the key columns.")
    for call in (
        lambda: pj.deduplicate(LEFT, names),
        lambda: pj.find_duplicates(LEFT, names),
        lambda: pj.fuzzy_join(LEFT, LEFT, names),
    ):
        with pytest.raises(TypeError, match=message):
            call()


def test_several_tables_are_deduplicated_otherwise() -> None:
    with pytest.raises(TypeError, match=r"takes 1 positional argument. .*find_duplicates\(\["):
        pj.deduplicate(LEFT, RIGHT)


@pytest.mark.parametrize(
    ("kind", "meant"), [("integer", "number"), ("datetime", "date"), ("str", "name")]
)
def test_a_type_is_told_as_a_kind(kind: str, meant: str) -> None:
    with pytest.raises(pj.InputError, match=rf"did you mean '{meant}'\? The kinds are name, text,"):
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
        pj.Matcher().fit(table)
