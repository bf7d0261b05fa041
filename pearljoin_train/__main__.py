"""The training application's commands: `python -m pearljoin_train <command> ...`."""

from __future__ import annotations

import sys

from pearljoin_train.common.commands import COMMANDS, run_command

__all__ = ["COMMANDS", "main"]


def main(arguments: list[str] | None = None) -> int:
    """Run one command with the rest of the arguments; returns the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments or arguments[0] not in COMMANDS:
        lines = [f"  {name:<13} {about}" for name, (_, about) in COMMANDS.items()]
        asked_for_help = arguments[:1] in (["-h"], ["--help"])
        stream = sys.stdout if asked_for_help else sys.stderr
        stream.write("usage: python -m pearljoin_train <command> ...\n\n" + "\n".join(lines) + "\n")
        return 0 if asked_for_help else 2
    return run_command(arguments[0], arguments[1:])


if __name__ == "__main__":
    sys.exit(main())
