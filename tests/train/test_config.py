"""The training config: from files and command lines, and what it refuses."""

import argparse
import dataclasses
import json

import pytest

from pearljoin._errors import InputError
from pearljoin_train.common.config import Config, load_config, recipe_names
from pearljoin_train.common.config_options import add_config_options, config_from_options

OTHER = {
    "schedule": "exponential",
    "type_head": "linear",
    "type_set": "paper",
    "precision": "float32",
    "negatives_file": "some.parquet",
    "licences": "AB",
}


def other_value(name: str, value: object) -> object:
    """Another value of a field, which is allowed."""
    if name in OTHER:
        return OTHER[name]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value / 2 + 0.01
    return f"{value}other"


def from_command_line(*arguments: str) -> Config:
    parser = argparse.ArgumentParser()
    add_config_options(parser)
    return config_from_options(parser.parse_args(arguments))


@pytest.mark.parametrize("field", dataclasses.fields(Config), ids=lambda field: field.name)
def test_every_field_is_settable_on_the_command_line(field) -> None:
    recipe = load_config("pearl-mini")
    wanted = other_value(field.name, getattr(recipe, field.name))
    flag = field.name.replace("_", "-")
    if isinstance(wanted, bool):
        arguments = [f"--{flag}" if wanted else f"--no-{flag}"]
    else:
        arguments = [f"--{flag}", str(wanted)]
    if field.name == "negatives":
        arguments += ["--negatives-file", "x"]
    changes = {field.name: wanted}
    if field.name == "negatives":
        changes["negatives_file"] = "x"
    assert from_command_line(*arguments) == recipe.replace(**changes)


def test_the_command_line_goes_before_the_recipe(tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("steps = 7\ntemperature = 0.1\n")
    assert from_command_line("--recipe", str(path)) == Config(steps=7, temperature=0.1)
    assert from_command_line("--recipe", str(path), "--steps", "9").steps == 9


@pytest.mark.parametrize("arguments", [["--steps", "many"], ["--wordnet=yes"], ["--step-count=3"]])
def test_a_command_line_of_wrong_types_or_names_is_refused(arguments, capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        from_command_line(*arguments)
    assert arguments[0].split("=")[0] in capsys.readouterr().err


def test_json_and_toml_give_the_config_back(tmp_path) -> None:
    config = Config(steps=5, wordnet=True, prefix='query: "', temperature=0.07, licences="AC")
    (tmp_path / "a.json").write_text(config.to_json())
    values = json.loads(config.to_json())
    assert values["steps"] == 5
    lines = (f"{name} = {json.dumps(value)}" for name, value in values.items())
    (tmp_path / "a.toml").write_text("\n".join(lines))
    assert load_config(str(tmp_path / "a.json")) == config
    assert load_config(str(tmp_path / "a.toml")) == config


def test_every_recipe_is_a_config() -> None:
    assert "pearl-mini" in recipe_names()
    for name in recipe_names():
        assert load_config(name).steps > 0


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"step": 3}, r"no field of that name\. Got 'step'"),
        ({"steps": 3.5}, r"steps has the wrong type\. Got 3\.5.*int"),
        ({"steps": True}, r"steps has the wrong type\. Got True"),
        ({"steps": "3"}, r"steps has the wrong type\. Got '3'"),
        ({"wordnet": 1}, r"wordnet has the wrong type\. Got 1"),
        ({"temperature": None}, r"temperature has the wrong type"),
        ({"base": 3}, r"base has the wrong type"),
        ({"steps": 0}, r"steps is out of range\. Got 0"),
        ({"seed": -1}, r"seed is out of range"),
        ({"temperature": 0.0}, r"temperature is out of range"),
        ({"learning_rate": float("nan")}, r"learning_rate is out of range"),
        ({"learning_rate": float("inf")}, r"learning_rate is out of range"),
        ({"average": 1.5}, r"average is out of range"),
        ({"dropout": -0.1}, r"dropout is out of range"),
        ({"max_tokens": 2}, r"max_tokens is out of range"),
        ({"type_weight": -1}, r"type_weight is out of range"),
        ({"schedule": "cosine"}, r"schedule is not known\. Got 'cosine'.*exponential, stable"),
        ({"precision": "float16"}, r"precision is not known"),
        ({"licences": "A,B"}, r"licences are not known\. Got 'A,B'"),
        ({"licences": ""}, r"licences are not known"),
        ({"negatives": 2}, r"no negatives_file"),
        (
            {"alias_rows": 1, "paraphrase_rows": 0, "typed_rows": 0, "general_rows": 0},
            r"at least 2 rows\. Got 1",
        ),
    ],
)
def test_wrong_values_are_refused(values, message) -> None:
    with pytest.raises(InputError, match=message):
        Config.from_mapping(values)


def test_whole_numbers_may_stand_for_fractions() -> None:
    assert Config.from_mapping({"average": 1}).average == 1


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.toml", "steps = ", "cannot be read"),
        ("a.json", "{", "cannot be read"),
        ("a.json", "[1]", "holds no fields"),
        ("a.toml", "steps = 'x'", "wrong type"),
    ],
)
def test_damaged_files_are_refused(tmp_path, name, content, message) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        load_config(str(tmp_path / name))


def test_a_file_that_is_not_there_is_named(tmp_path) -> None:
    with pytest.raises(InputError, match=r"Got '.*none\.toml'.*pearl-mini"):
        load_config(str(tmp_path / "none.toml"))


def test_a_config_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError, match="steps"):
        Config().steps = 3  # type: ignore[misc]
