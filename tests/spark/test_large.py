"""Joins with a reference that stays on the cluster are those of one machine."""

import warnings
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from clubs import ASKED, ONE, OTHER
from repetitions import few
from spark_laws import LEFT, RIGHT, Results, assert_same, ordered

import pearljoin as pj
from pearljoin._scoring.qualifiers import find_qualifiers
from pearljoin._spark.large import learn
from pearljoin._spark.large.result import LargeMatchResult
from pearljoin._spark.large.telling import telling_of_phrases
from pearljoin._text.normalise import normalise

pytestmark = pytest.mark.usefixtures("kept_vectors")

CASES = [
    *(("m:1", "semi"), ("1:1", "inner"), ("m:1", "left")),
    *(("m:1", "right"), ("1:1", "full"), ("1:1", "anti")),
]
"""Each `how` once: a join takes seconds."""

CLUBS = list(chain.from_iterable(zip(ONE, OTHER, strict=True)))


@pytest.fixture(scope="module")
def large(classic: Any) -> Iterator[Any]:
    """A session that collects no reference."""
    classic.conf.set("spark.pearljoin.largestReference", "1")
    yield classic
    classic.conf.unset("spark.pearljoin.largestReference")


@pytest.fixture(scope="module")
def frames(large: Any) -> tuple[Any, Any]:
    # Partitions by a column: round robin deals rows otherwise where fewer columns are asked for.
    left = large.createDataFrame(LEFT).repartition(3, "land")
    return left, large.createDataFrame(RIGHT).repartition(2)


@pytest.fixture(scope="module")
def results(frames: tuple[Any, Any]) -> Results:
    """Results on Spark and on one machine, by constraint."""
    return Results(frames, tuple(map(ordered, frames)), on="name", by="land")


@pytest.mark.thorough
@pytest.mark.parametrize(("constraint", "how"), CASES)
def test_every_how(results: Any, constraint: str, how: str) -> None:
    found, expected = results[constraint]
    assert isinstance(found, LargeMatchResult)
    assert found.threshold == pytest.approx(expected.threshold, abs=1e-5)
    assert_same(found.join(how), expected.join(how))


@pytest.mark.parametrize(
    ("constraint", "decision"), few([("m:1", ()), ("1:1", ()), ("m:1", (0.3, "1:1"))], 1)
)
def test_pairs_are_those_of_one_machine(
    results: Any, constraint: str, decision: tuple[Any, ...]
) -> None:
    found, expected = (result.pairs(*decision) for result in results[constraint])
    table = found.toArrow()
    assert table.column_names == expected.column_names
    for name in ("left", "right", "runner_up"):
        assert sorted(table[name].to_pylist(), key=repr) == sorted(
            expected[name].to_pylist(), key=repr
        )
    for name in ("score", "p_answer", "p_same", "margin"):
        assert sorted(table[name].to_pylist()) == pytest.approx(
            sorted(expected[name].to_pylist()), abs=1e-5
        )


@pytest.mark.thorough
def test_matches_name_rows_of_left_and_right(results: Any) -> None:
    found, expected = results["m:1"]
    left, right = found.left, found.right.withColumnRenamed("name", "reference")
    named = found.matches().join(left, "left_row").join(right, "right_row")
    inner = expected.join("inner").select(["name", "name_right", "match_score"])
    named = named.select("name", "reference", "score")
    assert_same(named, inner.rename_columns(["name", "reference", "score"]))
    assert_same(found.unmatched("right"), expected.unmatched("right"))


@pytest.mark.thorough
def test_many_to_many(results: Any) -> None:
    found, expected = (result.matches(0.3, "m:m") for result in results["m:1"])
    table = found.toArrow()
    assert sorted(table["right_row"].value_counts().field(1).to_pylist()) == sorted(
        np.unique(expected.right, return_counts=True)[1].tolist()
    )
    assert sorted(table["score"].to_pylist()) == pytest.approx(sorted(expected.score), abs=1e-5)


def full_width(text: str) -> str:
    """Write a text in the wide letters of East Asian typography, which normalise to ASCII."""
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


@pytest.fixture
def small_cells(large: Any) -> Iterator[Any]:
    """A session with ten phrases in a cell, all of which are looked into."""
    settings = {"cellPhrases": "10", "cellRecall": "1"}
    for name, value in settings.items():
        large.conf.set(f"spark.pearljoin.{name}", value)
    yield large
    for name in settings:
        large.conf.unset(f"spark.pearljoin.{name}")


@pytest.mark.thorough
def test_doubles_are_no_rivals_wherever_their_cells_are(small_cells: Any) -> None:
    tables = pa.table({"name": ASKED}), pa.table({"name": CLUBS})
    frames = tuple(map(small_cells.createDataFrame, tables))
    found = pj.match(*frames, on="name", encoder="pearl-nano")
    expected = pj.match(tables[0], ordered(frames[1]), on="name", encoder="pearl-nano")
    assert len(expected.doubles) >= 30
    assert len(found._reference.plan.cells.centroids[""]) == 8
    assert found.threshold == pytest.approx(expected.threshold, abs=1e-5)
    assert_same(found.join("left"), expected.join("left"))
    told, there = found.pairs().toArrow(), expected.pairs()
    assert sorted(told["runner_up"].to_pylist(), key=repr) == sorted(
        there["runner_up"].to_pylist(), key=repr
    )


# fmt: off
FIRST = ("North", "South", "Green", "Royal", "Upper", "Grand", "Saint", "Port", "Lake", "Mount")
LAST = ("Bridge", "Field", "Harbour", "Valley", "Castle", "Chapel", "Mill", "Forest", "Abbey")
# fmt: on
TOWNS = [f"{one} {other}" for one in FIRST for other in LAST]
"""More than are all compared, in cells of which each left row asks some."""

QUERIES = [f"{one} {other} town" for one in FIRST[::2] for other in LAST[::2]]


@pytest.mark.thorough
def test_cells_and_shards_find_what_one_machine_finds(
    small_cells: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = [*QUERIES, *(name.lower() for name in TOWNS[::7])]
    queries += [name.replace("r", "") for name in TOWNS[::5]]
    tables = pa.table({"name": queries}), pa.table({"name": TOWNS})
    frames = tuple(map(small_cells.createDataFrame, tables))
    monkeypatch.setattr(learn, "SHARD_PHRASES", 40)
    monkeypatch.setattr(learn, "LEFT_A_TASK", 20)
    found = pj.match(*frames, on="name")
    plan = found._reference.plan
    assert len(plan.cells.centroids[""]) == 9
    assert set(plan.shards.parts.values()) == {3}
    assert max(plan.shards.copies.values()) > 1
    expected = pj.match(tables[0], ordered(frames[1]), on="name")
    assert found.keys == expected.keys
    assert "North" in found.keys.words["name"].values()
    assert found.threshold == pytest.approx(expected.threshold, abs=1e-5)
    assert_same(found.join("left"), expected.join("left"))


@pytest.mark.thorough
def test_what_tells_names_apart_is_learned_of_the_whole_reference(large: Any) -> None:
    names = [*TOWNS, *(f"{name} East" for name in TOWNS[::3])]
    # Some are one record once their words are read as others.
    queries = [*TOWNS[::6], *(name.replace("r", "") for name in TOWNS[::4] + TOWNS[::6])]
    queries += [f"{name} Easst" for name in TOWNS[::9]]
    tables = pa.table({"name": queries}), pa.table({"name": names})
    frames = tuple(map(large.createDataFrame, tables))
    found = pj.match(*frames, on="name")
    expected = pj.match(tables[0], ordered(frames[1]), on="name")
    learned, known = (
        each.calibration
        for each in (found._reference.fitted.learned().state, expected.comparison.state)
    )
    assert learned.qualifiers == known.qualifiers
    assert learned.qualifiers.phrases == ("east",)
    assert learned.alternatives == known.alternatives
    assert learned.names_people == known.names_people
    assert found.keys == expected.keys
    assert found.keys.words
    assert found.threshold == pytest.approx(expected.threshold, abs=1e-5)
    assert_same(found.join("left"), expected.join("left"))


@pytest.mark.parametrize("turned", [False, True])
def test_qualifiers_are_those_of_one_machine(large: Any, turned: bool) -> None:
    names = [*TOWNS[::5], *(f"{name} East" for name in TOWNS[::5])]
    names += [f"{name} East" for name in TOWNS[1::5]]
    # A reference that names things twice has words with and without by the way.
    names += [" ".join(name.split()[::-1]) for name in TOWNS[::5] if turned]
    names += TOWNS[:2]
    table = pa.table({"text": names, "normal": [normalise(name) for name in names]})
    phrases = table.group_by(["text", "normal"]).aggregate([([], "count_all")])
    phrases = phrases.rename_columns(["text", "normal", "n"])
    phrases = phrases.append_column("id", pa.array(range(len(phrases))))
    found = telling_of_phrases(large.createDataFrame(phrases), "town").qualifiers
    assert found == find_qualifiers(table["normal"].to_pylist())
    assert bool(found.phrases) != turned


@pytest.mark.thorough
def test_names_of_equal_keys_are_compared_as_the_first_wherever_it_lies(small_cells: Any) -> None:
    # Equal but for their form, and far from each other by vectors: they lie in other cells.
    names = [*TOWNS, *map(full_width, TOWNS[::2])]
    queries = [*QUERIES, *(full_width(name.replace("r", "")) for name in TOWNS[::5])]
    tables = pa.table({"name": queries}), pa.table({"name": names})
    frames = tuple(map(small_cells.createDataFrame, tables))
    # Scores far below the threshold tell of every rival.
    options: dict[str, Any] = {"on": "name", "encoder": "pearl-nano", "threshold": 0.01}
    with warnings.catch_warnings():
        # Nothing but the whole reference can be said to have duplicates.
        warnings.simplefilter("error", pj.DuplicateReferenceWarning)
        joined = pj.match(*frames, **options).join("left")
    with pytest.warns(pj.DuplicateReferenceWarning, match="45 of 135 rows repeat"):
        expected = pj.match(tables[0], ordered(frames[1]), **options)
    assert_same(joined, expected.join("left"))


def test_a_join_that_fails_leaves_nothing_on_the_executors(
    frames: Any, large: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancelled(*given: Any) -> Any:
        raise KeyboardInterrupt

    before = set(large.sparkContext._jsc.getPersistentRDDs())
    monkeypatch.setattr(learn, "calibration_rows", cancelled)
    with pytest.raises(KeyboardInterrupt):
        pj.match(*frames, on="name")
    # What other tests left may be collected meanwhile.
    assert set(large.sparkContext._jsc.getPersistentRDDs()) <= before


def test_what_cannot_stay_on_the_cluster(frames: Any) -> None:
    for options, got in (
        ({"on": "name", "veto": "land"}, "veto="),
        ({"left_on": ["name", "n"], "right_on": ["name", "year"]}, "key columns of the kinds"),
        ({"on": "name", "weights": [1]}, "weights="),
        ({"on": "name", "encoder": object()}, "encoder="),
    ):
        with pytest.raises(pj.InputError, match=f"stays on the cluster.*Got {got}.*Hint: raise"):
            pj.match(*frames, **options)


def test_settings_of_cells(frames: Any, large: Any) -> None:
    for name, value in (("cellPhrases", "0"), ("cellRecall", "2"), ("cellRecall", "all")):
        large.conf.set(f"spark.pearljoin.{name}", value)
        try:
            with pytest.raises(
                pj.InputError, match=rf"spark\.pearljoin\.{name} must be.*'{value}'"
            ):
                pj.match(*frames, on="name")
        finally:
            large.conf.unset(f"spark.pearljoin.{name}")


def test_duplicates_are_not_listed(results: Any) -> None:
    with pytest.raises(pj.InputError, match="not listed for a reference that stays"):
        _ = results["m:1"][0].duplicates


@pytest.mark.thorough
def test_jobs_are_described(results: Any, large: Any) -> None:
    results["1:1"][0].join("inner")
    jobs = large.sparkContext._jsc.sc().statusStore().jobsList(None)
    told = (jobs.apply(at).description() for at in range(jobs.size()))
    found = {each.get() for each in told if each.isDefined()}
    assert found >= {
        f"pearljoin: {what}"
        for what in (
            "check the executors",
            "count the reference",
            "sample the reference",
            "encode the reference on the cluster",
            "add up what the reference says of itself",
            "sample left rows for the calibration",
            "calibrate on sampled phrases",
            "assign one to one",
        )
    }


@pytest.mark.thorough
def test_the_plan_counts_phrases_candidates_and_matches(results: Any, large: Any) -> None:
    found, expected = results["m:1"]
    found.matches().toArrow()
    store = large._jsparkSession.sharedState().statusStore()
    runs = store.executionsList()
    last = runs.apply(runs.size() - 1).executionId()
    counted = _rows_behind(store.planGraph(last), store.executionMetrics(last))
    n_phrases, n_matches = _n_phrases(LEFT), _n_phrases(expected.join("semi"))
    # Those of the reference are another operator's.
    assert n_phrases in counted["EncodePhrases"]
    assert max(counted["SearchMeaning"]) > n_phrases
    assert counted["ScoreCell"] == [n_matches]
    assert 0 < n_matches < n_phrases


def _n_phrases(table: pa.Table) -> int:
    names, lands = (table.column(name).to_pylist() for name in ("name", "land"))
    return len({pair for pair in zip(names, lands, strict=True) if pair[0]})


def _rows_behind(graph: Any, values: Any) -> dict[str, list[int]]:
    """Rows that the next operator that counts has had from each worker of a plan."""
    nodes = graph.allNodes()
    by_id = {nodes.apply(at).id(): nodes.apply(at) for at in range(nodes.size())}
    edges = [graph.edges().apply(at) for at in range(graph.edges().size())]
    behind = {edge.fromId(): edge.toId() for edge in edges}
    found: dict[str, list[int]] = {}
    for at, worker in by_id.items():
        if "MapInArrow" not in worker.name():
            continue
        n_rows, then = 0, at
        while not n_rows and then in behind:
            then = behind[then]
            metrics = by_id[then].metrics()
            for metric in map(metrics.apply, range(metrics.size())):
                if metric.name() in ("number of output rows", "shuffle records written"):
                    shown = values.apply(metric.accumulatorId())
                    n_rows = max(n_rows, int(shown.replace(",", "")))
        found.setdefault(worker.desc().split("(")[0].split()[-1], []).append(n_rows)
    return found
