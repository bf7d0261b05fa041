"""The page on things of a series shows what it says."""

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "series.md"
BLOCK = re.compile(r"^```\{run\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_a_veto_keeps_things_of_a_series_apart(capsys) -> None:
    names: dict[str, Any] = {}
    for block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        exec(compile(block, str(PAGE), "exec"), names)
    assert names["alone"]["cluster"].nunique() == names["apart"]["cluster"].nunique() == 20
    found = {how: result.matches() for how, result in names["checked"].items()}
    assert (
        len(found["on= alone"]) > len(found["veto="]) == len(found["by="]) == len(names["ledger"])
    )
    assert "of the same day" in capsys.readouterr().out
