"""Clusters in a report: members, weakest link, and where golden values came from."""

import numpy as np

from pearljoin._report.clusters import ClusterLink, TableClusters, cluster_groups

NAMES = ["Acme", "Globex", "ACME Corp", "Initech", "acme", "Initech", "Umbrella"]
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
    assert [(m.text, m.hint) for m in first.weakest] == [("Acme", "row 0"), ("ACME Corp", "row 2")]
    assert first.weakest_text == "score 0.612"
    assert first.golden == [("name", "Acme (row 0)"), ("n", "2.5")]
    assert (second.name, second.weakest, second.weakest_text) == ("Initech", (), "")
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
