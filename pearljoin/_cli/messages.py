"""Messages of the library in the words of the command line: its options for Python's arguments."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pearljoin._errors import InputError, PearljoinError
from pearljoin._options import JoinOptions, MatchOptions, names_of
from pearljoin._tables.keys import KeyOptions

__all__ = ["UsageError", "from_arguments", "translated"]

NAMES = (
    *(name for kind in (KeyOptions, MatchOptions, JoinOptions) for name in names_of(kind)),
    *("cluster", "canonical", "n_components"),
)
"""Arguments of the functions that the commands call."""

OPTIONS = {"weights": "--weight", "kinds": "--kind", "k": "-k"}
"""Options that are not called as the argument is."""

WITHOUT = {"score": "--no-score"}
"""Options that stand for ``name=None``."""

OF_PYTHON = {
    "result.duplicates lists them; ": "",
    "PhraseEncoder takes text": "encode takes text",
    "leave it to another transformer, or turn it into text with astype(str)": "turn it into text",
}
"""What makes sense in Python only, and what stands in its place."""

QUOTED = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
LISTED = rf"""(?:{QUOTED}|[^\[\](){{}}'"])*"""
VALUE = rf"{QUOTED}|\[{LISTED}\]|\({LISTED}\)|\{{{LISTED}\}}|-?\d+(?:\.\d+)?|None|True|False"
# A word that is no English one, outside a quotation, is an argument's name even without "=".
BARE = "|".join(name for name in NAMES if "_" in name or name == "k")
ARGUMENT = re.compile(
    # A quotation is a user's value, which stays as it is; an apostrophe within a word is none.
    rf"(?<!\w){QUOTED}"
    rf"|(?<![\w-])(?P<name>{'|'.join(NAMES)})=(?P<value>{VALUE})?"
    rf"|(?<![\w-])(?P<bare>{BARE})\b(?!=)"
)


class UsageError(PearljoinError):
    """What the words of a command line say cannot be done, whatever the tables hold."""

    # No ValueError: typer would take it for one of its own and write another message.


@contextmanager
def from_arguments() -> Iterator[None]:
    """Turn what the library finds wrong in the arguments alone into a `UsageError`."""
    try:
        yield
    except InputError as error:
        raise UsageError(str(error)) from error


def translated(message: str) -> str:
    """Write a message's arguments as the options of the command line.

    Examples
    --------
    >>> translated("Hint: set constraint='many_to_many', or leave score=None.")
    'Hint: set --constraint many_to_many, or leave --no-score.'
    >>> translated("Got 'k=2' in left_on=. Hint: weights=[2, 1].")
    "Got 'k=2' in --left-on. Hint: --weight 2 --weight 1."
    >>> translated("Hint: kinds={'zip': 'code'}.")
    'Hint: --kind zip=code.'
    """
    for said, instead in OF_PYTHON.items():
        message = message.replace(said, instead)
    return ARGUMENT.sub(_as_option, message)


def _as_option(found: re.Match[str]) -> str:
    name = found["name"] or found["bare"]
    if name is None:
        return found[0]
    option = OPTIONS.get(name, f"--{name.replace('_', '-')}")
    if not found["value"]:
        return option
    value: Any = ast.literal_eval(found["value"])
    if value is None:
        return WITHOUT.get(name, option)
    if isinstance(value, bool):
        return option
    if isinstance(value, dict):
        value = [f"{column}={kind}" for column, kind in value.items()]
    values = value if isinstance(value, list | tuple) else [value]
    return " ".join(f"{option} {shlex.quote(str(one))}" for one in values)
