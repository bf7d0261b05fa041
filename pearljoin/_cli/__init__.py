"""The command line: tables in files, in and out.

__init__    main(): runs a command and turns an error into one line and an exit code
commands    join, dedupe, encode and info
options     the options that several commands share
arguments   what the options say, checked before anything is read
files       tables from and to CSV, TSV, Parquet, JSON Lines and Arrow IPC, and pipes
csv_tables  CSV and TSV
excel_tables  Excel workbooks
repeated    the command that ran, with labels
info        what is installed
messages    the library's messages in the words of the command line
verbosity   the log and the progress bar
signals     Ctrl-C and SIGTERM: an interrupted command ends, and leaves no half-written file
"""

from __future__ import annotations

import contextlib
import shlex
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from pearljoin._cli.messages import UsageError, translated
from pearljoin._cli.signals import INTERRUPTED, ending_signals
from pearljoin._errors import PearljoinError, PearljoinWarning
from pearljoin._optional import require

__all__ = ["main"]

FAILED = 1
"""A file, a table, a column or a model that cannot be used."""

BAD_USAGE = 2
"""A command line that cannot be used, whatever the files hold: found before anything is read."""


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
        1 for what is found while reading, matching and writing, 2 for a command line that cannot
        be used, 130 if interrupted; 141 where the reader of standard output left.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with _one_line_warnings(), ending_signals():
            return _run(words or ["--help"])
    except UsageError as error:
        return _fail(translated(str(error)), BAD_USAGE)
    except PearljoinError as error:
        return _fail(translated(str(error)), FAILED)
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
        message = error.format_message()
        stop = "" if message.endswith((".", "?", "!")) else "."
        hint = f"Hint: {_option_again(words, message) or f'{command} --help lists what there is.'}"
        return _fail(f"{message}{stop} {hint}", BAD_USAGE)
    except typer.Abort:
        raise KeyboardInterrupt from None
    # By its version, typer raises or returns when it was interrupted.
    if result == INTERRUPTED:
        raise KeyboardInterrupt
    return int(result or 0)


def _option_again(words: list[str], message: str) -> str:
    """Say how an option takes several columns where the second one has none; "" elsewhere."""
    if "extra argument" not in message:
        return ""
    # Nothing is loaded for other errors.
    from pearljoin._cli.arguments import COLUMNS

    of_columns = {f"--{name.replace('_', '-')}" for name in COLUMNS}
    for option, first, second in zip(words, words[1:], words[2:], strict=False):
        if option in of_columns and not second.startswith("-"):
            again = shlex.join([option, first, option, second])
            return f"give the option again for each column: {again}."
    return ""


def _fail(message: str, code: int) -> int:
    message = " ".join(message.split())
    print(f"pearljoin: error: {message}", file=sys.stderr)  # noqa: T201
    return code


@contextlib.contextmanager
def _one_line_warnings() -> Iterator[None]:
    """Show this package's warnings in one line each, and nobody else's."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        text = " ".join(translated(str(message)).split())
        print(f"pearljoin: warning: {text}", file=sys.stderr)  # noqa: T201

    with warnings.catch_warnings():
        if not sys.warnoptions:
            warnings.simplefilter("ignore")
        warnings.simplefilter("default", PearljoinWarning)
        warnings.showwarning = show
        yield
