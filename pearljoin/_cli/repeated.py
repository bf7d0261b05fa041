"""The command that is running, written again with a file of labels."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

__all__ = ["with_labels"]


LABELS = "labels.csv"
"""The file that the report downloads labels to."""


def with_labels(context: typer.Context) -> str:
    """Write the command that is running, with labels to learn the threshold from."""
    words = context.command_path.split()
    for parameter in context.command.params:
        name = str(parameter.name)
        source = context.get_parameter_source(name)
        if source is None or source.name != "COMMANDLINE" or name in ("labels", "threshold"):
            continue
        value = context.params[name]
        option = parameter.opts[0] if parameter.param_type_name == "option" else None
        for one in value if isinstance(value, list | tuple) else [value]:
            words += [] if option is None else [option]
            words += [] if one is True else [str(one)]
    return shlex.join([*words, "--labels", LABELS])
