"""What must hold of a report and of what a notebook shows."""

from __future__ import annotations

import json
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pearljoin as pj
from fuzz.dedupe_laws import DUPLICATES
from fuzz.join_laws import JOIN_ONLY
from fuzz.promise import law, n_rows_of, pairs_of

N_SCRIPTS = 4
"""Of the page: two of the charts, its own, and the data."""

CARD_TAGS = {"div", "strong", "b", "table", "thead", "tbody", "tr", "th", "td", "bdi", "caption"}
CARD_TAGS |= {"span"}


class Reader(HTMLParser):
    """Collects tags, handlers of events, and the data of the page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.handlers: list[str] = []
        self.data = ""
        self._in_data = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        self._in_data = ("id", "report-data") in attrs

    def handle_data(self, data: str) -> None:
        if self._in_data:
            self.data += data

    def handle_endtag(self, tag: str) -> None:
        self._in_data = False


def check_report(left: Any, right: Any, options: dict[str, Any]) -> None:
    """A join's report, and that of the left table's duplicates."""
    options = {name: value for name, value in options.items() if name not in JOIN_ONLY}
    result = pj.match(left, right, **options)
    data = _read_report(result)
    place = {name: at for at, name in enumerate(data["columns"])}
    n_rows = n_rows_of(left), n_rows_of(right)
    rows = [(cells[place["left_row"]], cells[place["right_row"]]) for cells in data["pairs"]]
    law(len(set(rows)) == len(rows), "a pair twice")
    law(all(i < n_rows[0] and j < n_rows[1] for i, j in rows), "a pair of rows that are not there")
    matched = {
        pair for pair, cells in zip(rows, data["pairs"], strict=True) if cells[place["is_match"]]
    }
    law(matched <= set(pairs_of(result)), "a match that is none")
    for view in (result, *(result.explain(row) for row in range(min(n_rows[0], 2)))):
        law(set(Reader(view._repr_html_()).tags) <= CARD_TAGS, "a notebook shows other tags")
    options = {name: value for name, value in options.items() if name in DUPLICATES}
    found = pj.find_duplicates(left, **options)
    _read_report(found)
    law(set(Reader(found._repr_html_()).tags) <= CARD_TAGS, "a notebook shows other tags")


def _read_report(result: pj.MatchResult | pj.DedupeResult) -> dict[str, Any]:
    """Write a report and read its data; text of the tables adds nothing to the page."""
    with tempfile.TemporaryDirectory() as folder:
        html = result.report(Path(folder) / "report.html").read_text(encoding="utf-8")
    page = Reader(html)
    law(page.tags.count("script") == N_SCRIPTS, "a report with another number of scripts")
    law(page.tags.count("img") == 0 and page.handlers == [], "a report that does something else")
    data: dict[str, Any] = json.loads(page.data)
    return data
