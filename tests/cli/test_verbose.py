"""What --verbose prints: the log of pearljoin, and of nobody else."""

import logging
from pathlib import Path

import pytest

from pearljoin._cli import commands
from pearljoin._progress import LOG

WORDS = ("join", "left.csv", "right.csv", "--on", "name", "--threshold", "1", "--out", "out.csv")
SUMMARY = (
    "pearljoin: joined on name (text); matched 1 of 1 left rows at threshold 1"
    "; an estimated 100 % of these are right; 1 rows to out.csv\n"
)
LINE = (
    "pearljoin: matched on name (text): threshold 1.000, many_to_one, 1 of 1 left rows matched "
    "(100.0 %); blocking recall about 100.0 %\n"
)


@pytest.fixture(autouse=True)
def _tables(tmp_path: Path) -> None:
    (tmp_path / "left.csv").write_text("name\nABBA\n")
    (tmp_path / "right.csv").write_text("name\nabba\n")


def test_verbose_prints_the_log_of_pearljoin_alone(run, monkeypatch: pytest.MonkeyPatch) -> None:
    original = commands.read_table

    def read(*arguments: object, **named: object):
        logging.getLogger("faiss.loader").warning("another library's line")
        logging.getLogger("faiss.loader").info("and another")
        return original(*arguments, **named)

    monkeypatch.setattr(commands, "read_table", read)
    # As in a process of its own, where nobody has set up logging.
    monkeypatch.setattr(logging, "lastResort", None)
    before = LOG.level, list(LOG.handlers)
    for _ in range(2):  # one handler a command
        assert run(*WORDS, "--verbose") == (0, "", LINE + SUMMARY)
        assert (LOG.level, LOG.handlers) == before
    assert run(*WORDS) == (0, "", SUMMARY)
    assert run(*WORDS, "--verbose", "--quiet") == (0, "", LINE)


def test_a_process_of_its_own_says_nothing_of_faiss(spawn) -> None:
    assert spawn(*WORDS, "--verbose") == (0, "", LINE + SUMMARY)
