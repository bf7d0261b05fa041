"""Reports on odd tables in a browser: long names of columns, nothing to count."""

from pathlib import Path

import polars as pl
import pytest
from browser import Open
from playwright.sync_api import expect
from repetitions import few

import pearljoin as pj

HOSTILE = "</script><img src=x onerror='window.hacked = 1'>"
LONG = "registered name of the company in the language of its country"


@pytest.mark.parametrize("width", few([390, 1280], 1))
def test_long_and_hostile_names_of_columns_fit_and_stay_text(
    open_page: Open, tmp_path: Path, width: int
) -> None:
    left = pl.DataFrame({HOSTILE: ["Acme Corp", "Globex"], "__proto__": ["Oslo", "Rome"]})
    right = pl.DataFrame({LONG: ["ACME Corporation", "Globex AG"], "town": ["Oslo", "Rome"]})
    result = pj.match(left, right, left_on=[HOSTILE, "__proto__"], right_on=[LONG, "town"])
    page = open_page(result.report(tmp_path / "report.html"), width=width)
    heads = page.locator("#table thead button")
    expect(heads.first).to_have_text(f"Left: {HOSTILE} | __proto__")
    expect(heads.nth(1)).to_have_text(f"Right: {LONG} | town")
    for at in range(2):
        button, head = heads.nth(at).bounding_box(), heads.nth(at).locator("..").bounding_box()
        assert button["x"] + button["width"] <= head["x"] + head["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("window.hacked") is None


@pytest.mark.parametrize("left", [[], [None, None], ["Acme Corp"]])
def test_counts_are_whole_numbers(open_page: Open, tmp_path: Path, left: list[str | None]) -> None:
    tables = pl.DataFrame({"name": left}, schema={"name": pl.String}), ["ACME Corporation"]
    page = open_page(pj.match(tables[0]["name"], tables[1]).report(tmp_path / "report.html"))
    expect(page.locator("#histogram svg")).to_be_visible()
    ticks = page.locator("#histogram .role-axis-label").last.locator("text").all_text_contents()
    assert ticks[0] == "0"
    assert all(tick.isdigit() for tick in ticks)
