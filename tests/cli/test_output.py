"""A result appears whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

import pearljoin as pj
from pearljoin._cli.output import replacing


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_file_appears_when_all_went_well(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    with replacing(target) as temporary:
        assert temporary.parent == tmp_path
        temporary.write_text("new")
        assert not target.exists()
    assert names(tmp_path) == ["out.csv"]
    assert target.read_text() == "new"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_whatever_fails_leaves_the_old_file(error: type[BaseException], tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("old")

    def work() -> None:
        with replacing(target) as temporary:
            temporary.write_text("half")
            raise error("stop")

    with pytest.raises(error, match="stop"):
        work()
    assert names(tmp_path) == ["out.csv"]
    assert target.read_text() == "old"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_mode_is_that_of_the_old_file_or_of_any_new_one(tmp_path: Path) -> None:
    old, new, plain = tmp_path / "old.csv", tmp_path / "new.csv", tmp_path / "plain"
    old.touch()
    old.chmod(0o640)
    plain.touch()
    for target in (old, new):
        with replacing(target) as temporary:
            temporary.write_text("x")
    assert mode(old) == 0o640
    assert mode(new) == mode(plain)


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    link = tmp_path / "link.csv"
    link.symlink_to("real.csv")
    with replacing(link) as temporary:
        temporary.write_text("new")
    assert link.is_symlink()
    assert (tmp_path / "real.csv").read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="no /proc")
@pytest.mark.parametrize(
    ("path", "reason"),
    [("missing/out.csv", "No such file"), ("", "it is a folder"), ("/proc/out.csv", "")],
)
def test_what_cannot_be_written_is_an_error_before_the_work(
    path: str, reason: str, tmp_path: Path
) -> None:
    worked = False
    with (
        pytest.raises(pj.InputError, match=f"The output cannot be written. Got '.*': {reason}"),
        replacing(tmp_path / path),
    ):
        worked = True
    assert not worked
