"""Clusters in a report: members, weakest link, and where golden values came from."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from browser import Open
from made_report import HOSTILE, plain_result
from playwright.sync_api import expect

from pearljoin._report.clusters import ClusterLink, TableClusters, cluster_groups
from pearljoin._report.match_report import MatchReport
from pearljoin._report.write import write_report

NAMES = ["Acme", "Globex", "ACME Corp", "Initech", "acme", "Initech", HOSTILE[0]]
LABELS = np.array([0, 1, 0, 2, 0, 2, 3])


def named(rows: np.ndarray) -> list[str]:
    return [NAMES[row] for row in rows.tolist()]


CLUSTERS = TableClusters(
    LABELS,
    named,
    {0: ClusterLink(0, 2, 0.61234)},
    {
        "name": {0: ("Acme", 0), 2: ("Initech", 3)},
        "n": {0: (2.5, -1), 2: (None, -1)},
    },
)


def test_the_most_doubtful_cluster_comes_first_and_single_rows_are_left_out() -> None:
    first, second = cluster_groups(CLUSTERS)
    assert (first.name, first.n_text) == ("Acme", "3 rows")
    assert [(m.text, m.hint) for m in first.members] == [
        ("Acme", "row 0"),
        ("ACME Corp", "row 2"),
        ("acme", "row 4"),
    ]
    assert first.weakest == "Acme – ACME Corp (score 0.612)"
    assert first.golden == [("name", "Acme (row 0)"), ("n", "2.5")]
    assert (second.name, second.weakest) == ("Initech", "")
    assert second.golden == [("name", "Initech (row 3)"), ("n", "")]


def test_large_and_many_clusters_are_cut() -> None:
    labels = np.repeat(np.arange(150), 20)
    links = {at: ClusterLink(at * 20, at * 20 + 1, 1 - at / 1_000) for at in range(150)}
    found = cluster_groups(TableClusters(labels, lambda rows: [f"r{r}" for r in rows], links))
    assert len(found) == 100
    assert [group.name for group in found[:2]] == ["r2980", "r2960"]
    assert (len(found[0].members), found[0].more) == (12, 8)


def test_no_clusters_are_an_empty_list() -> None:
    assert cluster_groups(TableClusters(np.arange(3), named)) == []
    assert cluster_groups(TableClusters(np.zeros(0, dtype=np.int64), named)) == []


@pytest.fixture
def page_with_clusters(tmp_path: Path) -> Path:
    hostile = replace(CLUSTERS, labels=np.array([0, 1, 0, 2, 0, 2, 0]))
    result = plain_result()
    parts = MatchReport(
        result._left,
        result._right,
        result.keys,
        result.comparison,
        result._options,
        result.threshold,
        result.matches(),
    )
    content = replace(
        parts.content("Clusters", ""),
        clusters=cluster_groups(hostile),
        clusters_text="2 clusters of several rows.",
    )
    return write_report(content, tmp_path / "clusters.html")


@pytest.mark.parametrize("width", [1280, 390])
def test_clusters_are_shown(open_page: Open, page_with_clusters: Path, width: int) -> None:
    page = open_page(page_with_clusters, width=width)
    section = page.locator("#clusters")
    first = section.locator("details").first
    expect(first).to_have_attribute("open", "")
    members = first.locator("li bdi").all_inner_texts()
    assert members == ["Acme", "ACME Corp", "acme", HOSTILE[0]]
    expect(first).to_contain_text("Weakest link: Acme – ACME Corp (score 0.612)")
    expect(first.locator("dl")).to_contain_text("Acme (row 0)")
    assert page.locator("img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("link", name="Clusters").click()
    section.locator("summary").nth(1).click()
    expect(section.locator("details").nth(1)).to_have_attribute("open", "")
