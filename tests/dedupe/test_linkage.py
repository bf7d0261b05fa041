"""Average linkage: against merging one pair at a time, and the laws of its constraints."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pearljoin._clusters.linkage import STEPS, Bounds, average_linkage
from pearljoin._clusters.repair import repair
from pearljoin._records.missing_keys import NULL

Edges = dict[tuple[int, int], float]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Edges]:
    """A number of nodes, and log odds of some of their pairs."""
    n_nodes = draw(st.integers(1, 9))
    pairs = [(i, j) for j in range(n_nodes) for i in range(j)]
    kept = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    odds = [draw(st.integers(-6000, 6000)) / STEPS for _ in kept]
    return n_nodes, dict(zip(kept, odds, strict=True))


def cluster(
    n_nodes: int, edges: Edges, apart: tuple = (), *, repaired: bool = False, **bounds
) -> np.ndarray:
    ends = np.array([*edges, *apart], dtype=np.int64).reshape(-1, 2)
    odds = np.array([*edges.values(), *(0.0 for _ in apart)], dtype=np.float32)
    is_apart = np.arange(len(ends)) >= len(edges)
    sizes = bounds.pop("sizes", np.ones(n_nodes, dtype=np.int64))
    given = ends[:, 0], ends[:, 1], odds, is_apart, Bounds(sizes, **bounds)
    labels = average_linkage(n_nodes, *given)
    return repair(labels, *given) if repaired else labels


def partition(labels: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == one).tolist()) for one in np.unique(labels)}


def one_at_a_time(n_nodes: int, edges: Edges) -> set[frozenset[int]] | None:
    """Merge the two nearest clusters until none are near; None where two are equally near."""
    clusters = [frozenset([node]) for node in range(n_nodes)]
    while True:
        means = []
        for at, one in enumerate(clusters):
            for other in clusters[:at]:
                between = [
                    odds for pair, odds in edges.items()
                    if len(one & set(pair)) == 1 and len(other & set(pair)) == 1
                ]  # fmt: skip
                if between:
                    means.append((sum(between) / len(between), one, other))
        means.sort(key=lambda mean: -mean[0])
        if not means or means[0][0] < 0:
            return set(clusters)
        if len(means) > 1 and means[0][0] == means[1][0]:
            return None
        _, one, other = means[0]
        clusters = [part for part in clusters if part not in (one, other)] + [one | other]


@given(graphs())
def test_rounds_of_merges_are_merges_one_at_a_time(graph: tuple[int, Edges]) -> None:
    n_nodes, edges = graph
    wanted = one_at_a_time(n_nodes, edges)
    if wanted is not None:
        assert partition(cluster(n_nodes, edges)) == wanted


@given(graphs(), st.randoms())
def test_the_order_of_the_edges_plays_no_part(graph: tuple[int, Edges], random) -> None:
    n_nodes, edges = graph
    shuffled = list(edges.items())
    random.shuffle(shuffled)
    turned = {(j, i): odds for (i, j), odds in shuffled}
    assert cluster(n_nodes, edges).tolist() == cluster(n_nodes, turned).tolist()


@given(graphs(), st.data())
def test_every_constraint_holds(graph: tuple[int, Edges], data: st.DataObject) -> None:
    n_nodes, edges = graph
    nodes = st.integers(0, n_nodes - 1)
    apart = [pair for pair in data.draw(st.lists(st.tuples(nodes, nodes))) if pair[0] != pair[1]]
    sources = np.array(data.draw(st.lists(st.integers(0, 4), min_size=n_nodes, max_size=n_nodes)))
    value = np.array(data.draw(st.lists(st.integers(-1, 1), min_size=n_nodes, max_size=n_nodes)))
    most = data.draw(st.integers(1, 4))
    labels = cluster(
        n_nodes,
        edges,
        tuple(apart),
        repaired=data.draw(st.booleans()),
        max_size=most,
        exclusive=(np.arange(n_nodes), sources),
        uniform=value[None],
    )
    for members in map(list, partition(labels)):
        assert len(members) <= most
        assert len(set(sources[members].tolist())) == len(members)
        assert len({one for one in value[members].tolist() if one != NULL}) <= 1
    assert all(labels[one] != labels[other] for one, other in apart)


def test_a_bridge_that_others_deny_is_cut() -> None:
    left, right = (0, 1, 2), (3, 4, 5)
    edges = {(i, j): 4.0 for group in (left, right) for j in group for i in group if i < j}
    edges |= {(i, j): -3.0 for i in left for j in right} | {(2, 3): 6.0}
    assert partition(cluster(6, edges, repaired=True)) == {frozenset(left), frozenset(right)}


def inside(labels: np.ndarray, edges: Edges) -> float:
    return sum(odds for (i, j), odds in edges.items() if labels[i] == labels[j])


@given(graphs())
def test_a_repair_leaves_no_node_that_would_gain_by_a_move(graph: tuple[int, Edges]) -> None:
    n_nodes, edges = graph
    labels = cluster(n_nodes, edges, repaired=True)
    found = inside(labels, edges)
    assert found >= inside(cluster(n_nodes, edges), edges) - 1e-6
    for node in range(n_nodes):
        for target in {*labels.tolist(), labels.max() + 1}:
            moved = labels.copy()
            moved[node] = target
            assert inside(moved, edges) <= found + 1e-6


def test_a_node_that_its_cluster_denies_leaves_it() -> None:
    edges = {(0, 1): 5.0, (1, 2): 4.9, (0, 2): -4.0, (2, 3): 4.8, (0, 3): -5.0, (1, 3): 4.0}
    labels = cluster(4, edges, repaired=True)
    assert partition(labels) == {frozenset({0}), frozenset({1, 2, 3})}


def test_a_chain_is_cut_where_its_ends_deny_it() -> None:
    edges = {(0, 1): 3.0, (1, 2): 2.0, (0, 2): -4.0}
    assert partition(cluster(3, edges)) == {frozenset({0, 1}), frozenset({2})}


@pytest.mark.parametrize("n_nodes", [200, 400])
def test_many_equal_edges_take_few_rounds(n_nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pearljoin._clusters.linkage.count", lambda: range(40))
    edges = {(i, j): 2.0 for j in range(n_nodes) for i in range(j)}
    assert len(partition(cluster(n_nodes, edges))) == 1


def test_many_spellings_of_one_name_merge_in_one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pearljoin._clusters.linkage.count", lambda: range(2))
    star = {(0, i): 2.0 for i in range(1, 3_000)}
    assert len(partition(cluster(3_001, star))) == 2


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_groups_that_merge_at_once_are_those_of_single_merges(sizes, data) -> None:
    n_nodes = sum(sizes)
    group = np.repeat(np.arange(len(sizes)), sizes)
    pairs = [(i, j) for j in range(n_nodes) for i in range(j)]
    numbers = data.draw(st.permutations(range(len(pairs))))
    edges = {
        (i, j): 10.0 + float(group[i]) if group[i] == group[j] else (number - 20) / 7
        for (i, j), number in zip(pairs, numbers, strict=True)
        if group[i] == group[j] or number % 3
    }
    singly = cluster(n_nodes, edges, max_size=n_nodes)
    assert partition(cluster(n_nodes, edges)) == partition(singly)


@pytest.mark.parametrize("sources", [None, 1])
def test_a_full_cluster_refuses_all_in_one_round(
    sources: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pearljoin._clusters.linkage.count", lambda: range(3))
    edges = {(0, i): 2.0 for i in range(1, 300)}
    exclusive = (np.arange(1, 300), np.zeros(299, dtype=np.int64)) if sources else None
    bounds = {"max_size": None if sources else 2, "exclusive": exclusive}
    assert sorted(map(len, partition(cluster(300, edges, **bounds))))[-2:] == [1, 2]


@given(graphs(), st.data())
def test_constraints_part_no_more_than_they_must(graph: tuple[int, Edges], data) -> None:
    n_nodes, edges = graph
    sources = np.array(data.draw(st.lists(st.integers(0, 4), min_size=n_nodes, max_size=n_nodes)))
    most = data.draw(st.integers(1, 4))
    labels = cluster(n_nodes, edges, max_size=most, exclusive=(np.arange(n_nodes), sources))
    parts = list(map(list, partition(labels)))
    for at, one in enumerate(parts):
        for other in parts[:at]:
            between = [v for (i, j), v in edges.items() if {labels[i], labels[j]} ==
                       {labels[one[0]], labels[other[0]]}]  # fmt: skip
            held = sources[one + other].tolist()
            if between and len(held) <= most and len(set(held)) == len(held):
                assert sum(between) < 0


def test_a_long_chain_of_rising_means_ends_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pearljoin._clusters.linkage.count", lambda: range(400))
    edges = {(i, i + 1): 0.1 + i / 400 for i in range(2_000)}
    assert len(partition(cluster(2_001, edges))) == 1


def test_no_nodes_and_no_edges() -> None:
    assert cluster(0, {}).tolist() == []
    assert cluster(3, {}).tolist() == [0, 1, 2]
