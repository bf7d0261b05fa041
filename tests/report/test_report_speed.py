"""A report of a million rows: how soon it is painted, and how large it is."""

from pathlib import Path

import polars as pl
import pytest
from browser import Open

import pearljoin as pj

SECONDS = 2.0
ROWS = 1_000_000


@pytest.mark.timing
def test_a_report_of_a_million_rows_paints_within_two_seconds(
    open_page: Open, tmp_path: Path
) -> None:
    # Distinct names alone cost time to join, and the report holds 5,000 pairs of them.
    syllables = ["ba", "cor", "den", "fil", "gar", "hom", "jun", "kel", "lin", "pel", "ros"]
    names = [f"{a}{b}{c}".title() for a in syllables for b in syllables for c in syllables]
    distinct = [f"{kind} {name}" for name in names for kind in ("The", "New", "Old", "Café", "Gut")]
    left = pl.DataFrame({"name": distinct * (ROWS // len(distinct) + 1)}).head(ROWS)
    right = pl.DataFrame({"name": [f"{name} Holdings Limited" for name in names]})
    path = pj.match(left, right).report(tmp_path / "report.html")
    assert path.stat().st_size < 5_000_000
    times: list[float] = []
    # Again where other work held it up: a page that is slow in itself stays slow.
    while len(times) < 10 and (not times or min(times) >= SECONDS):
        page = open_page(path)
        page.wait_for_function("performance.getEntriesByType('paint').length > 0")
        assert page.evaluate("report.pairs.length") == 5_000
        paints = page.evaluate("performance.getEntriesByType('paint').map((p) => p.startTime)")
        times.append(max(paints) / 1000)
    assert min(times) < SECONDS, times
