"""Turney, BIRD, retrieval and the fuzzy join against values worked out by hand."""

import sys

import numpy as np
import pytest

from pearljoin_train.benchmark.tasks.bird import Bird
from pearljoin_train.benchmark.tasks.fuzzy_join import FuzzyJoin
from pearljoin_train.benchmark.tasks.nearest import nearest_exact, nearest_ivfpq, subspaces
from pearljoin_train.benchmark.tasks.retrieval import Retrieval
from pearljoin_train.benchmark.tasks.turney import Turney
from pearljoin_train.data.autofj import AutoFJTable

from .helpers import TableEncoder, degrees

CIRCLE = dict(zip(["0", "10", "25", "90", "180"], degrees(0, 10, 25, 90, 180), strict=True))


def test_turney_counts_the_questions_whose_solution_is_closest():
    task = Turney([("0", ("10", "25", "90")), ("0", ("25", "10", "90")), ("90", ("25", "0", "10"))])
    assert task.evaluate(TableEncoder(CIRCLE)) == {"accuracy": 2 / 3, "n": 3}


def test_turney_gives_a_tie_to_the_solution():
    encoder = TableEncoder({"query": [1, 0], "one": [1, 1], "other": [1, 1], "worse": [0, 1]})
    assert Turney([("query", ("one", "other", "worse"))]).evaluate(encoder)["accuracy"] == 1.0
    assert Turney([("query", ("worse", "one", "other"))]).evaluate(encoder)["accuracy"] == 0.0


def test_turney_choices_of_different_numbers_stay_apart():
    task = Turney([("0", ("90", "10")), ("90", ("90", "180", "25"))])
    assert task.evaluate(TableEncoder(CIRCLE))["accuracy"] == 0.5


def test_bird_is_pearson_of_cosines():
    # Cosines 1, 0 and -1 against 0.9, 0.2 and 0.1: deviations (1, 0, -1) and
    # (0.5, -0.2, -0.3), so 0.8 / sqrt(2 * 0.38).
    pairs = [("0", "0", 0.9), ("0", "90", 0.2), ("0", "180", 0.1)]
    metrics = Bird(pairs).evaluate(TableEncoder(CIRCLE))
    assert metrics["pearson"] == pytest.approx(0.8 / np.sqrt(0.76))
    assert metrics["n"] == 3


def test_bird_has_no_value_where_all_cosines_are_equal():
    assert Bird([("0", "10", 0.1), ("10", "0", 0.7)]).evaluate(TableEncoder(CIRCLE)) == {
        "pearson": None,
        "n": 2,
    }


def test_retrieval_compares_names_and_counts_what_is_wrong(monkeypatch):
    monkeypatch.setitem(sys.modules, "faiss", None)
    name = "pearljoin_train.benchmark.tasks.retrieval.faiss_is_installed"
    monkeypatch.setattr(name, lambda: False)
    task = Retrieval(
        names=["90", "10", "180"], mentions=[("0", "10"), ("25", "90"), ("180", "180")]
    )
    assert task.evaluate(TableEncoder(CIRCLE)) == {
        "top1": pytest.approx(2 / 3),
        "top1_ivfpq": None,
        "n": 3,
        "n_names": 3,
    }


def test_retrieval_marks_a_substitute():
    task = Retrieval(names=["10"], mentions=[("0", "10")], substitute=True)

    class First:
        def nearest(self, queries, reference):
            return np.zeros(len(queries), dtype=np.int64)

    assert task.evaluate(First()) == {
        "top1": 1.0,
        "top1_ivfpq": None,
        "n": 1,
        "n_names": 1,
        "substitute": True,
    }


def test_compressed_index_finds_far_clusters_and_the_task_reports_it():
    pytest.importorskip("faiss")
    generator = np.random.default_rng(0)
    vectors = generator.normal(size=(600, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    # Four lists and 8 subspaces of one number each: nothing is lost that would matter here.
    found = nearest_ivfpq(vectors[:100], vectors, lists=4)
    assert (found == np.arange(100)).mean() > 0.9
    table = {str(row): vector for row, vector in enumerate(vectors)}
    names = list(table)
    task = Retrieval(names, [(name, name) for name in names[:100]], lists=4)
    metrics = task.evaluate(TableEncoder(table))
    assert metrics["top1"] == 1.0
    assert metrics["top1_ivfpq"] == pytest.approx((found == np.arange(100)).mean())


@pytest.mark.parametrize(
    ("dim", "expected"), [(384, 24), (768, 24), (100, 25), (300, 25), (256, 32), (7, 7), (92, 23)]
)
def test_subspaces_is_the_divisor_nearest_to_24(dim, expected):
    # 256: 16 and 32 are as near, and the larger one compresses less.
    assert subspaces(dim) == expected


def test_nearest_exact_agrees_with_brute_force_in_blocks(monkeypatch):
    monkeypatch.setattr("pearljoin_train.benchmark.tasks.nearest.BLOCK_CELLS", 70)
    generator = np.random.default_rng(1)
    queries = generator.normal(size=(11, 5)).astype(np.float32)
    reference = generator.normal(size=(30, 5)).astype(np.float32)
    expected = [int(np.argmax([query @ row for row in reference])) for query in queries]
    assert nearest_exact(queries, reference).tolist() == expected


def test_nearest_exact_names_the_first_of_equal_rows():
    reference = np.array([[0, 1], [1, 0], [-0.0, 1], [1, 0]], dtype=np.float32)
    assert nearest_exact(reference, reference).tolist() == [0, 1, 0, 1]


def toy_table() -> AutoFJTable:
    # "10" stands twice among the queries and twice in the reference; "180" has no match.
    return AutoFJTable(
        "Toy",
        reference=("90", "0", "0", "25"),
        reference_ids=("a", "b", "c", "d"),
        queries=("10", "10", "90", "180"),
        query_ids=("q", "r", "s", "t"),
        gold=(("b", "q"), ("b", "r"), ("d", "s")),
    )


def test_fuzzy_join_counts_rows_and_skips_those_without_a_match():
    # "10" finds "0" (closer than "25") both times; "90" finds "90", not the labelled "25";
    # "180" is not asked.
    encoder = TableEncoder(CIRCLE)
    assert FuzzyJoin([toy_table()]).evaluate(encoder)["top1"] == pytest.approx(2 / 3)
    assert "180" not in encoder.asked


def test_fuzzy_join_takes_the_second_of_two_equal_titles_for_right():
    table = toy_table()

    class Third:
        def nearest(self, queries, reference):
            return np.full(len(queries), 2)

    assert FuzzyJoin([table]).evaluate(Third())["top1"] == pytest.approx(2 / 3)


def test_fuzzy_join_averages_over_tables_not_rows():
    second = AutoFJTable("Other", ("0", "90"), ("a", "b"), ("25",), ("q",), (("b", "q"),))
    metrics = FuzzyJoin([toy_table(), second]).evaluate(TableEncoder(CIRCLE))
    assert metrics == {"top1": pytest.approx((2 / 3 + 0) / 2), "n_tables": 2}
