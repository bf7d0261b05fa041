"""Command-line options for every field of a dataclass or of the config."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Collection
from typing import Any, get_type_hints

from pearljoin_train.common.config import Config, load_config, recipe_names

__all__ = ["add_config_options", "add_fields", "chosen_fields", "config_from_options", "given_fields"]


def add_fields(
    parser: argparse.ArgumentParser, kind: type[Any], *, leave_out: Collection[str] = ()
) -> None:
    """Give a command an option for every field of a dataclass whose fields have defaults."""
    types = get_type_hints(kind)
    defaults = kind()
    for name in _names(kind, leave_out):
        flag, default = f"--{name.replace('_', '-')}", getattr(defaults, name)
        if types[name] is bool:
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=default)
        else:
            parser.add_argument(flag, type=types[name], default=default)


def chosen_fields(
    options: argparse.Namespace, kind: type[Any], *, leave_out: Collection[str] = ()
) -> dict[str, Any]:
    """Read the values of the options that `add_fields` added."""
    return {name: getattr(options, name) for name in _names(kind, leave_out)}


def _names(kind: type[Any], leave_out: Collection[str]) -> list[str]:
    return [field.name for field in dataclasses.fields(kind) if field.name not in leave_out]


def add_config_options(parser: argparse.ArgumentParser) -> None:
    """Give a command an option for every field of the config, and `--recipe`."""
    parser.add_argument(
        "--recipe",
        default="pearl-mini",
        help=f"a TOML or JSON file, or one of {', '.join(recipe_names())}",
    )
    group = parser.add_argument_group("fields of the config, each overriding the recipe's")
    types = get_type_hints(Config)
    for field in dataclasses.fields(Config):
        flag = f"--{field.name.replace('_', '-')}"
        if types[field.name] is bool:
            group.add_argument(flag, action=argparse.BooleanOptionalAction, default=None)
        else:
            kind = types[field.name]
            group.add_argument(flag, type=kind, default=None, metavar=kind.__name__.upper())


def given_fields(options: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of the config that the command line names."""
    every = {field.name: getattr(options, field.name) for field in dataclasses.fields(Config)}
    return {name: value for name, value in every.items() if value is not None}


def config_from_options(options: argparse.Namespace) -> Config:
    """Read the config that a command line asks for."""
    return load_config(options.recipe, given_fields(options))
