"""Every option of every command of training says what it is; long ones have a dry run."""

import argparse
from collections.abc import Iterator

import pytest

from pearljoin_train.common.commands import COMMANDS, run_command

LINES = [[name] for name in COMMANDS] + [["reproduce", "--from", "x"]]


class Captured(Exception):  # noqa: N818 - nothing is wrong
    """A command's parser, before it parses."""


@pytest.fixture
def parser_of(monkeypatch):
    def capture(parser, arguments=None, namespace=None):
        raise Captured(parser)

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", capture)

    def parser_of(line: list[str]) -> argparse.ArgumentParser:
        with pytest.raises(Captured) as caught:
            run_command(line[0], line[1:])
        return caught.value.args[0]

    return parser_of


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and those of its subcommands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from parsers(inner)


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_every_option_has_help(line, parser_of) -> None:
    silent = [
        action.option_strings or action.dest
        for parser in parsers(parser_of(line))
        for action in parser._actions
        if not isinstance(action, argparse._SubParsersAction) and not (action.help or "").strip()
    ]
    assert silent == []


SHORT = {
    "plot", "report", "data", "average", "unpack", "card", "export", "gpu-check",
    "corpus shares", "word-weights speed", "word-weights plot",
}  # fmt: skip
"""Commands that read little and end within a minute or two; all others have a dry run."""


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_long_commands_have_a_dry_run(line, parser_of) -> None:
    for parser in parsers(parser_of(line)):
        name = parser.prog.removeprefix("python -m pearljoin_train ")
        has_commands = any(isinstance(a, argparse._SubParsersAction) for a in parser._actions)
        if not has_commands and name not in SHORT and line[0] not in SHORT:
            assert "--dry-run" in parser._option_string_actions, name


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_help_can_be_shown(line, parser_of) -> None:
    for parser in parsers(parser_of(line)):
        assert parser.prog.split()[-1] in parser.format_help()
