"""An output never takes the place of an input."""

import os
from pathlib import Path

import pytest

from pearljoin._cli import commands

TABLE = "name\nABBA\nabba\n"


@pytest.fixture(autouse=True)
def _tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "left.csv").write_text(TABLE)
    (tmp_path / "right.csv").write_text(TABLE)
    (tmp_path / "folder").mkdir()

    def read(*_: object, **__: object) -> None:
        raise AssertionError("nothing is read")

    monkeypatch.setattr(commands, "read_table", read)


@pytest.mark.parametrize("out", ["left.csv", "./left.csv", "folder/../left.csv", "right.csv"])
def test_an_input_is_not_overwritten(out: str, refused, tmp_path: Path) -> None:
    for same in (out, tmp_path / out):
        message = refused("join", "left.csv", "right.csv", "--out", same, code=2)
        name = Path(out).name
        assert message == (
            f"The output would overwrite an input. Got --out {str(Path(same))!r}, which is the "
            f"file {name!r}. Hint: give --out another name; the input can be replaced once the "
            "result has been looked at."
        )
    assert Path("left.csv").read_text() == Path("right.csv").read_text() == TABLE


@pytest.mark.parametrize("link", [os.symlink, os.link])
@pytest.mark.parametrize("command", ["dedupe", "encode"])
def test_nor_by_a_link(link, command: str, refused) -> None:
    link("left.csv", "other.csv")
    assert "which is the file 'left.csv'" in refused(
        command, "left.csv", "--out", "other.csv", code=2
    )
    assert "which is the file 'other.csv'" in refused(
        command, "other.csv", "-o", "left.csv", code=2
    )
    assert Path("left.csv").read_text() == TABLE


def test_nor_by_a_link_to_what_is_not_there(refused) -> None:
    Path("other.csv").symlink_to("none.csv")
    assert "would overwrite an input" in refused("dedupe", "none.csv", "--out", "other.csv", code=2)


def test_standard_input_is_given_once(refused) -> None:
    assert refused("join", "-", "-", code=2) == (
        "Standard input holds one table. Got - twice. Hint: give one of them as a file."
    )
