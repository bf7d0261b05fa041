"""Command-line options for every field of a dataclass or of the config."""

from __future__ import annotations

import argparse
import dataclasses
import inspect
from collections.abc import Collection
from typing import Any, get_type_hints

from pearljoin_train.common.config import Config, load_config, recipe_names

__all__ = [
    "add_config_options",
    "add_fields",
    "chosen_fields",
    "config_from_options",
    "field_help",
    "given_fields",
]


def add_fields(
    parser: argparse.ArgumentParser, kind: type[Any], *, leave_out: Collection[str] = ()
) -> None:
    """Give a command an option for every field of a dataclass whose fields have defaults."""
    types, about = get_type_hints(kind), field_help(kind)
    defaults = kind()
    for name in _names(kind, leave_out):
        flag, default = f"--{name.replace('_', '-')}", getattr(defaults, name)
        if types[name] is bool:
            parser.add_argument(
                flag, action=argparse.BooleanOptionalAction, default=default, help=about[name]
            )
        else:
            text = f"{about[name]} (default: {_shown(default)})"
            parser.add_argument(flag, type=types[name], default=default, help=text)


def chosen_fields(
    options: argparse.Namespace, kind: type[Any], *, leave_out: Collection[str] = ()
) -> dict[str, Any]:
    """Read the values of the options that `add_fields` added."""
    return {name: getattr(options, name) for name in _names(kind, leave_out)}


def field_help(kind: type[Any]) -> dict[str, str]:
    """Return what a dataclass' docstring says of each of its fields, for argparse.

    Parameters
    ----------
    kind
        Its docstring has a numpydoc section "Attributes", of which each entry names a field or
        several.

    Returns
    -------
    texts
        By field, on one line, without markup; "" for a field of which nothing is said.

    Examples
    --------
    >>> field_help(Config)["dropout"]
    'Of the language model.'
    """
    texts = {field.name: "" for field in dataclasses.fields(kind)}
    section = inspect.getdoc(kind) or ""
    section = section.partition("Attributes\n----------\n")[2]
    names: list[str] = []
    for line in section.splitlines():
        if line and not line.startswith(" "):
            names = [name.strip() for name in line.split(",")]
        for name in names:
            if line.startswith(" ") and name in texts:
                texts[name] = f"{texts[name]} {line.strip()}".strip()
    return {name: text.replace("`", "").replace("%", "%%") for name, text in texts.items()}


def _shown(value: object) -> str:
    return str(value).replace("%", "%%") or "none"


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
    types, about = get_type_hints(Config), field_help(Config)
    for field in dataclasses.fields(Config):
        flag = f"--{field.name.replace('_', '-')}"
        if types[field.name] is bool:
            group.add_argument(
                flag, action=argparse.BooleanOptionalAction, default=None, help=about[field.name]
            )
        else:
            kind = types[field.name]
            group.add_argument(
                flag, type=kind, default=None, metavar=kind.__name__.upper(), help=about[field.name]
            )


def given_fields(options: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of the config that the command line names."""
    every = {field.name: getattr(options, field.name) for field in dataclasses.fields(Config)}
    return {name: value for name, value in every.items() if value is not None}


def config_from_options(options: argparse.Namespace) -> Config:
    """Read the config that a command line asks for."""
    return load_config(options.recipe, given_fields(options))
