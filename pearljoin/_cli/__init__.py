"""The command line: tables in files, in and out.

__init__   main(): runs a command and turns an error into one line and an exit code
commands   join, dedupe, encode and info
options    the options that several commands share
files      tables from and to CSV, TSV, Parquet, JSON Lines and Arrow IPC
info       what is installed
near       names near to one that does not exist
signals    Ctrl-C and SIGTERM: an interrupted command ends, and leaves no half-written file
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from pearljoin._cli.signals import INTERRUPTED, ending_signals
from pearljoin._errors import PearljoinError, PearljoinWarning
from pearljoin._optional import require

__all__ = ["main"]

FAILED = 1
"""Bad input: a table, a column, an option's value, a file."""

BAD_USAGE = 2
"""A command, an option or an argument that the command line does not know, or lacks."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    arguments
        The words after ``pearljoin``; None: those of this process.

    Returns
    -------
    code
        What the process should exit with: 0 where all went well; after one line on standard error
        1 for a `PearljoinError` or a file that cannot be used, 2 for a command line that is not
        understood, 130 if interrupted; 141 where the reader of standard output left.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with _one_line_warnings(), ending_signals():
            return _run(words or ["--help"])
    except PearljoinError as error:
        return _fail(error, FAILED)
    except OSError as error:
        named = f": {error.filename!r}" if error.filename else ""
        return _fail(f"{error.strerror or error}{named}.", FAILED)
    except KeyboardInterrupt:
        print("pearljoin: interrupted", file=sys.stderr)  # noqa: T201
        return int(INTERRUPTED)


def _run(words: list[str]) -> int:
    typer = require("typer", extra="cli", purpose="The command line")
    from pearljoin._cli.commands import app

    # typer may bring its own copy of click, so the class is found by way of one it exports.
    usage_error = typer.BadParameter.__bases__[0]
    try:
        result: Any = typer.main.get_command(app).main(
            args=words, prog_name="pearljoin", standalone_mode=False
        )
    except usage_error as error:
        command = getattr(getattr(error, "ctx", None), "command_path", "pearljoin")
        hint = f"Hint: {command} --help lists what there is."
        return _fail(f"{error.format_message()} {hint}", BAD_USAGE)
    except typer.Abort:
        raise KeyboardInterrupt from None
    # By its version, typer raises or returns when it was interrupted.
    if result == INTERRUPTED:
        raise KeyboardInterrupt
    return int(result or 0)


def _fail(error: Exception | str, code: int) -> int:
    message = " ".join(str(error).split())
    print(f"pearljoin: error: {message}", file=sys.stderr)  # noqa: T201
    return code


@contextlib.contextmanager
def _one_line_warnings() -> Iterator[None]:
    """Show this package's warnings in one line each, and nobody else's."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        text = " ".join(str(message).split())
        print(f"pearljoin: warning: {text}", file=sys.stderr)  # noqa: T201

    with warnings.catch_warnings():
        if not sys.warnoptions:
            warnings.simplefilter("ignore")
        warnings.simplefilter("default", PearljoinWarning)
        warnings.showwarning = show
        yield
