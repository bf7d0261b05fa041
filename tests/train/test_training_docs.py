"""Every command line in the pages on training is one that the command takes."""

import argparse
import re
import shlex
from pathlib import Path

import pytest

from pearljoin_train.__main__ import COMMANDS, main

PAGES = sorted((Path(__file__).parents[2] / "docs" / "training").glob("*.md"))
COMMAND = re.compile(r"^\s*\$?\s*(?:\$pearl|python -m pearljoin_train) ([a-z].*)$", re.MULTILINE)


class Parsed(Exception):  # noqa: N818 - nothing is wrong
    """A command line was understood."""


def command_lines() -> list[str]:
    texts = (page.read_text(encoding="utf-8").replace("\\\n", " ") for page in PAGES)
    return [line.strip() for text in texts for line in COMMAND.findall(text)]


@pytest.mark.parametrize("line", command_lines())
def test_a_command_line_is_understood(line, monkeypatch) -> None:
    parse = argparse.ArgumentParser.parse_args

    def only_parse(parser, arguments=None, namespace=None):
        parse(parser, arguments, namespace)
        raise Parsed

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", only_parse)
    with pytest.raises(Parsed):
        main(shlex.split(line))


def test_the_pages_show_every_command_of_training() -> None:
    shown = {line.split()[0] for line in command_lines()}
    assert set(COMMANDS) - shown <= {"plot", "report", "word-weights"}
