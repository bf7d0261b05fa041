"""One list of options: every function spells the same names, in one order, with one default."""

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import fields

import numpy as np
import pytest
import typer

import pearljoin as pj
from pearljoin._cli import arguments, commands, verbosity
from pearljoin._dedupe.deduplicate import deduplicate
from pearljoin._dedupe.find import find_duplicates
from pearljoin._options import (
    DeduplicateArguments,
    JoinArguments,
    JoinOptions,
    MatchArguments,
    MatchOptions,
    names_of,
    read_k,
)
from pearljoin._tables.keys import KeyOptions

CLASSES = (KeyOptions, MatchOptions, JoinOptions)
GIVEN = {"threshold": "auto"}
"""Defaults that a class holds as what they mean."""

DEFAULTS = {
    field.name: GIVEN.get(field.name, field.default) for kind in CLASSES for field in fields(kind)
}
JOINING = list(inspect.signature(pj.fuzzy_join).parameters)[2:]
MATCHING = [name for name in JOINING if name not in names_of(JoinOptions)]

FUNCTIONS = {
    "fuzzy_join": (pj.fuzzy_join, ["left", "right"], JOINING),
    "match": (pj.match, ["left", "right"], MATCHING),
    "Matcher": (pj.Matcher, [], MATCHING),
    "FuzzyJoiner": (pj.FuzzyJoiner, ["reference"], JOINING),
}


def test_the_list_is_that_of_the_classes() -> None:
    assert sorted(JOINING) == sorted(DEFAULTS)
    assert len(JOINING) == 23
    for kind in CLASSES:
        assert [name for name in JOINING if name in names_of(kind)] == list(names_of(kind))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures(name: str) -> None:
    function, first, names = FUNCTIONS[name]
    parameters = inspect.signature(function).parameters
    assert list(parameters) == [*first, *names]
    assert {option: parameters[option].default for option in names} == {
        option: DEFAULTS[option] for option in names
    }
    assert {parameters[option].kind for option in names} == {inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize(
    ("function", "typed"),
    [
        (pj.fuzzy_join, (MatchArguments, JoinArguments)),
        (pj.match, (MatchArguments,)),
        (pj.Matcher, (MatchArguments,)),
        (pj.FuzzyJoiner, (MatchArguments, JoinArguments)),
        (deduplicate, (DeduplicateArguments,)),
    ],
)
def test_types(function: Callable, typed: tuple[type, ...]) -> None:
    keywords = {
        name: parameter.annotation
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }
    listed = {name: hint.__forward_arg__ for t in typed for name, hint in t.__annotations__.items()}
    assert listed == keywords


def documented(docstring: str | None) -> list[str]:
    """Names in the section of the parameters, in order."""
    section = re.search(
        r"Parameters\n *-+\n(.*?)(\n\n *\w+\n *-+\n|\Z)", docstring or "", re.DOTALL
    )
    assert section is not None
    lines = inspect.cleandoc("\n" + section.group(1)).splitlines()
    return [name for line in lines if re.match(r"\w", line) for name in re.split(r", ", line)]


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "Matcher"])
def test_docstrings(name: str) -> None:
    function, first, names = FUNCTIONS[name]
    found = documented(function.__doc__)
    if name == "FuzzyJoiner":  # where they are listed without words of their own
        assert sorted(found) == sorted([*first, *names])
    else:
        assert found == [*first, *names]


def test_parameters_of_the_transformer() -> None:
    joiner = pj.FuzzyJoiner(["x"])
    assert joiner.get_params() == {"reference": ["x"], **DEFAULTS}


# The command line ---------------------------------------------------------------------------------

RENAMED = {"weight": "weights", "kind": "kinds"}
OF_FILES = {
    *("left", "right", "table", "out", "encoding", "delimiter", "escape_formulas"),
    *("quiet", "no_score", "report", "labels"),
}


def shown(command: str, without: Iterable[str] = ()) -> dict[str, object]:
    """Options of a command by pearljoin's name, and their defaults."""
    parameters = typer.main.get_command(commands.app).commands[command].params
    return {
        RENAMED.get(p.name, p.name): p.default
        for p in parameters
        if p.name not in OF_FILES and p.name not in without
    }


def test_the_command_line() -> None:
    found = shown("join")
    assert list(found) == JOINING
    # A flag, and an option that is given once or twice.
    assert (found.pop("verbose"), found.pop("suffix")) == (False, None)
    assert verbosity.progress(quiet=False, verbose=False) is DEFAULTS["verbose"]
    assert arguments.suffixes(None) == DEFAULTS["suffix"]
    assert found == {name: DEFAULTS[name] for name in found}


def test_dedupe_on_the_command_line() -> None:
    found = set(shown("dedupe", without=("golden", "pairs")))
    short, long = (set(inspect.signature(f).parameters) for f in (deduplicate, find_duplicates))
    assert short - {"table"} <= found <= short | long
    assert found >= {"precision", "veto", "one_per", "max_size"}


# Reading them -------------------------------------------------------------------------------------


def test_short_forms_are_read_once() -> None:
    options = MatchOptions(threshold=0.5, constraint="m:m", k=3, batch_size=8)  # type: ignore[arg-type]
    assert options.constraint == "many_to_many"
    assert options.threshold == pj.FixedThreshold(0.5)
    assert options.with_decision(None, 2).k == 2
    assert options.with_decision("1:1", None).k is None
    assert MatchOptions(**options.to_dict() | {"encoder": "auto"}) == options


@pytest.mark.parametrize("name", names_of(JoinOptions))
def test_an_option_of_the_joined_table_is_refused_with_a_hint(name: str) -> None:
    message = (
        rf"^match\(\) got an unexpected keyword argument '{name}'\. Hint: fuzzy_join\(\) takes "
        rf"{name}=, and so does match\(\.\.\.\)\.join\(\)\.$"
    )
    with pytest.raises(TypeError, match=message):
        pj.match(["a"], ["a"], **{name: "inner"})


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'hwo'$"):
        pj.match(["a"], ["a"], hwo="inner")


def test_any_k_that_is_a_row_count_is_taken() -> None:
    largest = np.iinfo(np.int64).max
    assert read_k(largest, "many_to_many") == largest
    assert read_k(np.uint64(largest), "many_to_many") == largest
    with pytest.raises(
        pj.InputError, match=r"k is too large\. Got np.uint64\(9223372036854775808\)"
    ):
        read_k(np.uint64(largest + 1), "many_to_many")
