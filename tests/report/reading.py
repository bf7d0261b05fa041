"""What a report holds and shows: its data, the cells of its table, the labels that it gives."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect


def data_of(path: Path) -> dict:
    """The data that a report's scripts read."""
    html = path.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="report-data">(.*?)</script>', html)
    assert found is not None
    data = json.loads(found[1])
    data["pairs"] = [dict(zip(data["columns"], cells, strict=True)) for cells in data["pairs"]]
    return data


def cells(page: Page, name: str) -> list[str]:
    return page.locator(f"#table tbody td[data-name={name}]").all_inner_texts()


def press(page: Page, keys: str) -> None:
    """Open the review with the keyboard, press keys, and leave it."""
    page.focus("#start")
    page.keyboard.press("Enter")
    for key in keys:
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    expect(page.locator("#card")).to_be_hidden()


def answer(page: Page, n: int, same: Callable[[str, str], bool]) -> None:
    """Label pairs with the keyboard, as `same` says of both texts."""
    page.focus("#start")
    page.keyboard.press("Enter")
    for _ in range(n):
        left, right = page.locator("#card .text").all_inner_texts()
        page.keyboard.press("y" if same(left, right) else "n")
    page.keyboard.press("Escape")


def download(page: Page, path: Path) -> list[dict[str, str]]:
    """Download the labels to a file, and read it."""
    with page.expect_download() as waiting:
        page.click("#download")
    assert waiting.value.suggested_filename == "labels.csv"
    waiting.value.save_as(path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))
