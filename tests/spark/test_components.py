"""Connected components on a cluster, against scipy's; components that are too large."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from repetitions import few
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

import pearljoin as pj
from pearljoin._spark import dedupe
from pearljoin._spark.components import components

# A chain, which takes the most rounds; a star; and pairs at random.
CHAIN = [(at, at + 1) for at in range(0, 40)]
STAR = [(50, at) for at in range(51, 70)]
RANDOM = np.random.default_rng(5).integers(100, 160, (40, 2)).tolist()
EDGES = {
    "small": [*CHAIN[:5], *STAR[:4], *(pair for pair in RANDOM if max(pair) < 120)],
    "large": [*CHAIN, *STAR, *RANDOM],
}


@pytest.mark.parametrize("edges", few(EDGES, 1))
def test_components_are_those_of_scipy(classic: Any, edges: str) -> None:
    pairs = np.array(EDGES[edges])
    frame = classic.createDataFrame(pa.table({"first": pairs[:, 0], "second": pairs[:, 1]}))
    found = components(frame).toArrow()
    graph = coo_matrix((np.ones(len(pairs)), pairs.T), shape=(160, 160))
    label = connected_components(graph, directed=False)[1]
    lowest = {group: int(np.flatnonzero(label == group)[0]) for group in set(label.tolist())}
    expected = {node: lowest[int(label[node])] for node in np.unique(pairs).tolist()}
    assert dict(zip(*found.to_pydict().values(), strict=True)) == expected


@pytest.mark.thorough
def test_a_giant_component_is_named(classic: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dedupe, "MOST_PAIRS", 2)
    names = [f"Acme Corporation{end}" for end in ("", ".", " Inc", " Ltd", " Co", " Plc")]
    frame = classic.createDataFrame(pa.table({"name": [*names, "Le Monde"]}))
    with pytest.raises(pj.InputError, match=r"too large to be clustered.*around 'Acme Corp"):
        pj.deduplicate(frame, on="name", threshold=0.2)


def test_what_duplicates_on_spark_cannot_do(classic: Any) -> None:
    frame = classic.createDataFrame(pa.table({"name": ["a", "b"]}))
    with pytest.raises(pj.InputError, match="must_link= names rows by their positions"):
        pj.find_duplicates(frame, on="name", must_link=[(0, 1)])
    with pytest.raises(pj.InputError, match="where a score is a probability"):
        pj.find_duplicates(frame, on="name", weights=[1.0])
