"""Parts of a reference on a cluster, without a cluster: cells, shards, and rows that meet."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import binom

from pearljoin._search import tfidf
from pearljoin._spark.large.cells import WHOLE, Cells, Shares, is_whole, key_of, train_cells
from pearljoin._spark.large.meet import CellWorker
from pearljoin._spark.large.search import DEPTH, SearchSpelling, depth_of_part
from pearljoin._text.term_weights import TermWeights


@pytest.fixture(scope="module")
def vectors() -> Any:
    """Unit vectors around four middles: float32 of shape (400, 8)."""
    random = np.random.default_rng(0)
    middles = np.repeat(np.eye(8)[:4], 100, axis=0)
    found = middles + 0.1 * random.normal(size=middles.shape)
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def test_cells_are_those_of_near_vectors_and_learned_alike(vectors: Any) -> None:
    cells, again = (train_cells({"": vectors}, {"": 4}) for _ in range(2))
    np.testing.assert_array_equal(cells.centroids[""], again.centroids[""])
    found = cells.nearest(vectors, [""] * len(vectors))
    assert [len(set(part.tolist())) for part in found.reshape(4, 100)] == [1] * 4
    assert set(found.tolist()) == {0, 1, 2, 3}


def test_a_small_group_is_one_cell(vectors: Any) -> None:
    cells = train_cells({"large": vectors}, {"large": 4})
    found = cells.nearest(vectors[:2], ["small", "large"])
    assert found[0] == WHOLE
    assert found[1] >= 0
    keys = cells.keys_of(vectors[:2], ["small", "large"], np.arange(2))
    assert keys[0] == [key_of("small", WHOLE, 0, 0)]
    assert is_whole(keys[0][0])
    assert len(keys[1]) == 4
    assert not any(map(is_whole, keys[1]))


def test_the_own_cell_comes_first_and_all_its_parts_are_asked(vectors: Any) -> None:
    cells = train_cells({"": vectors}, {"": 4})
    own = int(cells.nearest(vectors[:1], [""])[0])
    shares = Shares({("", own): 3}, {("", own): 2})
    probing = Cells(cells.centroids, 2, shares)
    keys = probing.keys_of(vectors[:1], [""], np.array([7]))[0]
    # Of two copies the second has odd numbers.
    assert keys[:3] == [key_of("", own, part, 1) for part in range(3)]
    assert len(keys) == 4
    assert keys[3] != key_of("", own, 0, 0)


def test_phrases_are_scored_in_a_copy_of_their_own_cell() -> None:
    shares = Shares(own_copies={("a/b", 4): 3})
    keys = shares.own_keys(key_of("a/b", 4, 1, 7), np.array([0, 5, 3]))
    assert keys.to_pylist() == [key_of("a/b", 4, 0, copy) for copy in (0, 2, 0)]
    assert shares.own_keys(key_of("", 4, 0, 0), np.array([5])).to_pylist() == [key_of("", 4, 0, 0)]


@pytest.mark.parametrize("n_parts", [1, 2, 10, 100])
def test_a_shard_is_asked_for_enough(n_parts: int) -> None:
    depth = depth_of_part(DEPTH, n_parts)
    assert depth <= DEPTH
    assert binom.sf(depth, DEPTH, 1 / n_parts) < 1e-4
    assert depth == DEPTH if n_parts == 1 else depth < DEPTH


def test_shards_find_what_the_whole_finds() -> None:
    texts = [f"{first} {last} {n}" for first in ("anna", "bob", "eve") for last in
             ("smith", "jones", "brown") for n in range(100)]  # fmt: skip
    matrix = tfidf.weigh(tfidf.count(texts), np.ones(tfidf.N_COLUMNS, dtype=np.float32))
    whole = tfidf.Index(matrix)
    known = tfidf.Frequencies(*tfidf.present_columns(matrix), len(texts))
    # Common columns are left out: of a shard by itself, others would be.
    assert (known.rows > tfidf.COMMON_ROWS).any()
    queries = matrix[::50]
    _, _, expected = whole.nearest(queries, 900)
    found = [
        tfidf.Index(matrix[part::3], whole=known).nearest(queries, 900)[2] for part in range(3)
    ]
    np.testing.assert_allclose(np.sort(np.concatenate(found)), np.sort(expected), rtol=1e-6)


def test_a_shard_finds_the_same_in_whichever_order_its_phrases_come() -> None:
    # All are as near to the left phrase, and few are asked for.
    names = ["ann smith"] * 26
    terms, key = TermWeights.of(tfidf.count(names)), key_of("", WHOLE, 0, 0)
    worker = SearchSpelling(terms, is_alone=True, parts={}, depths={"": 3})
    left = pa.table({"id": [7], "normal": ["smith"]})
    n = len(names)
    table = pa.table({"key": [key] * n, "id": range(n), "first": range(n), "normal": names})
    for order in (range(n), range(n)[::-1], np.random.default_rng(0).permutation(n)):
        found = worker.open(table.take(pa.array(order)))(left)
        assert found.column("id").to_pylist() == [0, 1, 2]


class Counting(CellWorker):
    """Tells each left row how many rows of the reference it met, and how often a cell is opened."""

    opened = 0

    def open(self, reference: pa.Table) -> Any:
        self.opened += 1
        n = reference.num_rows
        return lambda left: pa.table({"id": left.column("id"), "n": [n] * left.num_rows})


def test_rows_meet_in_their_cells_however_batches_are_cut() -> None:
    rows = [("a", 0, 1), ("a", 0, 2), ("a", 1, 3), ("b", 1, 4), ("c", 0, 5), ("c", 1, 6),
            ("c", 1, 7)]  # fmt: skip
    keys, sides, ids = (list(column) for column in zip(*rows, strict=True))
    batch = pa.RecordBatch.from_pydict({"key": keys, "side": sides, "id": ids})
    for n in (1, 2, 3, 7):
        worker = Counting()
        batches = (batch.slice(start, n) for start in range(0, len(rows), n))
        found = pa.Table.from_batches(worker(batches)).to_pydict()
        # Nothing is looked up in a cell without a reference.
        assert dict(zip(found["id"], found["n"], strict=True)) == {3: 2, 6: 1, 7: 1}
        assert worker.opened == 2
