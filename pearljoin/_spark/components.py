"""Connected components on a cluster, by iterative joins."""

from __future__ import annotations

from typing import Any

from pyspark.sql import functions as sf

__all__ = ["components"]

MOST_ROUNDS = 60
"""Rounds after which something is wrong: each halves the longest way, or nearly."""


def components(edges: Any) -> Any:
    """Find the connected components of a graph.

    Each node takes the lowest label of its neighbours, and then the label of the node that its
    label names, until nothing changes. Labels are materialised each round, so that a plan does not
    grow with the rounds.

    Parameters
    ----------
    edges
        ``first`` and ``second``: int64.

    Returns
    -------
    labels
        ``node`` and ``component``, the lowest node of its component; nodes without an edge are not
        listed.
    """
    both = edges.select("first", "second").union(edges.select("second", "first"))
    both = both.toDF("node", "other").distinct().localCheckpoint()
    labels = both.groupBy("node").agg(sf.least("node", sf.min("other")).alias("component"))
    labels = labels.localCheckpoint()
    for _ in range(MOST_ROUNDS):
        known = labels.toDF("other", "label")
        nearest = both.join(known, "other").groupBy("node").agg(sf.min("label").alias("label"))
        lowered = labels.join(nearest, "node", "left").select(
            "node",
            sf.least("component", "label").alias("component"),
            sf.col("component").alias("before"),
        )
        jumped = lowered.join(
            labels.toDF("through", "further"), sf.col("component") == sf.col("through"), "left"
        ).select("node", sf.least("component", "further").alias("component"), "before")
        jumped = jumped.localCheckpoint()
        n_changed = jumped.where(sf.col("component") != sf.col("before")).count()
        labels = jumped.select("node", "component")
        if not n_changed:
            return labels
    raise RuntimeError(f"Components did not settle in {MOST_ROUNDS} rounds.")
