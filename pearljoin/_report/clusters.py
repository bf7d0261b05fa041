"""Clusters of one table: members, weakest link, golden record and where its values came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from pearljoin._report.content import Group, Member, cleaned
from pearljoin._report.groups import MOST_GROUPS, MOST_MEMBERS
from pearljoin._typing import IntVector

__all__ = ["ClusterLink", "TableClusters", "cluster_groups", "doubtful_clusters"]

MOST_BYTES = 900_000
"""Bytes of the clusters in a report."""

MARKUP = 40
"""Bytes of HTML around a text."""


@dataclass(frozen=True)
class ClusterLink:
    """The least probable pair that holds a cluster together.

    Attributes
    ----------
    left_row, right_row
        Row positions.
    score
        In [0, 1].
    """

    left_row: int
    right_row: int
    score: float


@dataclass(frozen=True)
class TableClusters:
    """Clusters of the rows of one table, as the report needs them.

    Attributes
    ----------
    labels
        int64 of shape (n_rows,): the cluster of each row, from 0.
    texts
        Function from row positions to the key values of these rows, as texts.
    weakest
        By cluster, its weakest link; clusters of equal rows have none.
    golden
        By column, by cluster: the value of the golden record, and the row that gave it, -1 where
        no single row did. Only clusters that are listed need one.
    """

    labels: IntVector
    texts: Callable[[IntVector], list[str]]
    weakest: Mapping[int, ClusterLink] = field(default_factory=dict)
    golden: Mapping[str, Mapping[int, tuple[Any, int]]] = field(default_factory=dict)


def cluster_groups(clusters: TableClusters) -> list[Group]:
    """List the clusters of several rows, those with the most doubtful link first.

    Returns
    -------
    groups
        The first `MOST_GROUPS`, and no more than `MOST_BYTES`; clusters without a link, whose rows
        are equal, come last.
    """
    sizes = np.bincount(clusters.labels)
    order = np.argsort(clusters.labels, kind="stable")
    starts = np.cumsum(sizes) - sizes
    groups = []
    for at in doubtful_clusters(clusters.labels, clusters.weakest).tolist():
        rows = order[starts[at] : starts[at] + sizes[at]]
        groups.append(_group(clusters, at, rows))
    n_bytes = np.cumsum([_size(group) for group in groups], dtype=np.int64)
    return groups[: int(np.searchsorted(n_bytes, MOST_BYTES, side="right"))]


def _size(group: Group) -> int:
    """Bytes of a group in the report, where text is escaped."""
    texts = [group.name, group.weakest_text, *(text for cell in group.golden for text in cell)]
    rows = (*group.members, *group.weakest)
    texts += [text for member in rows for text in (member.text, member.hint)]
    return sum(len(escape(text).encode()) + MARKUP for text in texts)


def doubtful_clusters(labels: IntVector, weakest: Mapping[int, ClusterLink]) -> IntVector:
    """Choose the clusters that `cluster_groups` lists, in its order: int64 of shape (n,)."""
    several = np.flatnonzero(np.bincount(labels) > 1)
    doubt = np.array([weakest[c].score if c in weakest else 2.0 for c in several.tolist()])
    return np.asarray(several[np.argsort(doubt, kind="stable")][:MOST_GROUPS], dtype=np.int64)


def _group(clusters: TableClusters, cluster: int, rows: IntVector) -> Group:
    shown = rows[:MOST_MEMBERS]
    members = _members(clusters, shown)
    link = clusters.weakest.get(cluster)
    ends = [] if link is None else [link.left_row, link.right_row]
    return Group(
        name=members[0].text,
        n_text=f"{len(rows):,} rows",
        members=members,
        more=len(rows) - len(shown),
        # Of two rows, both are listed already.
        weakest=_members(clusters, np.array(ends)) if len(rows) > 2 and ends else (),
        weakest_text="" if link is None else f"score {link.score:.3f}",
        golden=[
            (cleaned(name), cleaned(_with_source(*cells[cluster])))
            for name, cells in clusters.golden.items()
        ],
    )


def _members(clusters: TableClusters, rows: IntVector) -> list[Member]:
    listed = zip(clusters.texts(rows), rows.tolist(), strict=True)
    return [Member(cleaned(text), f"row {row}") for text, row in listed]


def _with_source(value: Any, row: int) -> str:
    text = "" if value is None else str(value)
    return f"{text} (row {row})" if row >= 0 else text
