"""What holds of joins on Spark, whichever kind the session is of: what one machine gives."""

import datetime as dt
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from invoices import calendar
from repetitions import few
from voyages import ON, PORTS, tables

import pearljoin as pj
from pearljoin._spark.frames import content_hash

HOWS = ("right", "semi", "anti", "left", "inner", "full")
"""The last three are those of other laws, too."""
CONSTRAINTS = ("m:1", "m:m", "1:1")

# fmt: off
NAMES = [
    "The New York Times", "Le Monde", "Die Zeit", "Acme Corporation", "Initech", "Globex Inc.",
    "Umbrella", "Hooli", "Stark Industries", "Wayne Enterprises", "Daily Planet", "Initech",
    None, "Le Monde",
]
QUERIES = [
    "NY Times", "le monde", "Die Zeit.", "Acme Corp", "ACME Corporation", None, "Initech Ltd",
    "Globex", "", "Wayne Enterprise", "nothing at all", "Initech", "Initech", "Hooly", "Hooli",
    "Le Monde", "Le Monde", "The Daily Planet", "Vandelay Imports", None,
]
# fmt: on
LEFT = pa.table(
    {
        "name": pa.array(QUERIES),
        "n": pa.array([None if at % 7 == 3 else at for at in range(len(QUERIES))], pa.int64()),
        "land": pa.array(["FR" if at % 3 else "US" for at in range(len(QUERIES))]),
        "day": pa.array([dt.date(2024, 1, 1 + at) for at in range(len(QUERIES))]),
        "price": pa.array([Decimal(at) / 4 for at in range(len(QUERIES))], pa.decimal128(9, 2)),
        "tags": pa.array([["a"] * (at % 3) for at in range(len(QUERIES))]),
        "id": pa.array(range(len(QUERIES))),
    }
)
RIGHT = pa.table(
    {
        "name": pa.array(NAMES),
        "city": pa.array([f"City {at % 5}" if at % 4 else None for at in range(len(NAMES))]),
        "land": pa.array(["FR" if at % 2 else "US" for at in range(len(NAMES))]),
        "year": pa.array([1900 + at for at in range(len(NAMES))], pa.int32()),
        "open": pa.array([at % 2 == 0 for at in range(len(NAMES))]),
    }
)


def ordered(frame: Any) -> pa.Table:
    """A frame in the order of its content, which stands for that of rows on one machine."""
    return frame.orderBy(content_hash(frame)).toArrow()


def rows_of(table: pa.Table) -> list[tuple[Any, ...]]:
    """Rows in an order of their own; scores come last, and are rounded alike."""
    rows = zip(*table.to_pydict().values(), strict=True)
    return sorted(rows, key=lambda row: repr(row[:-1]))


def assert_same(found: Any, expected: pa.Table) -> None:
    """Compare a Spark frame with what one machine gives: names, rows, scores within 1e-5."""
    table = found.toArrow()
    assert table.column_names == expected.column_names
    assert table.num_rows == expected.num_rows
    for one, two in zip(rows_of(table), rows_of(expected), strict=True):
        assert one[:-1] == two[:-1]
        assert one[-1] == (pytest.approx(two[-1], abs=1e-5) if _is_score(two[-1]) else two[-1])


def _is_score(cell: Any) -> bool:
    return isinstance(cell, float)


class Results(dict[str, tuple[Any, Any]]):
    """Results on Spark and on one machine, by constraint; each is made when first asked for."""

    def __init__(self, frames: tuple[Any, Any], tables: tuple[Any, ...], **options: Any) -> None:
        super().__init__()
        self.sides = frames, tables
        self.options = options

    def __missing__(self, constraint: str) -> tuple[Any, Any]:
        on_spark, here = (
            pj.match(*sides, constraint=constraint, **self.options) for sides in self.sides
        )
        self[constraint] = on_spark, here
        return self[constraint]


@pytest.mark.usefixtures("kept_vectors")
class JoinLaws:
    """The tests; a subclass gives the session as the fixture ``spark``."""

    @pytest.fixture(scope="class")
    @classmethod
    def frames(cls, spark: Any) -> tuple[Any, Any]:
        """Both frames, in partitions of which some are empty."""
        left, right = spark.createDataFrame(LEFT), spark.createDataFrame(RIGHT)
        return left.repartition(3, "land"), right.repartition(2)

    @pytest.fixture(scope="class")
    @classmethod
    def tables(cls, frames: tuple[Any, Any]) -> tuple[pa.Table, pa.Table]:
        return ordered(frames[0]), ordered(frames[1])

    @pytest.fixture(scope="class")
    @classmethod
    def results(cls, frames: tuple[Any, Any], tables: tuple[pa.Table, pa.Table]) -> Results:
        """Results on Spark and on one machine, by constraint."""
        return Results(frames, tables, on="name")

    @pytest.mark.parametrize("how", few(HOWS, 3))
    @pytest.mark.parametrize("constraint", few(CONSTRAINTS, 1))
    def test_every_how_and_constraint(self, results: Any, how: str, constraint: str) -> None:
        found, expected = results[constraint]
        assert found.threshold == pytest.approx(expected.threshold, abs=1e-5)
        assert_same(found.join(how), expected.join(how))

    @pytest.mark.parametrize("n_partitions", few([24, 1], 1))
    def test_partitions_play_no_part(self, frames: Any, results: Any, n_partitions: int) -> None:
        # One, or more than there are rows.
        left, right = (frame.repartition(n_partitions) for frame in frames)
        found = pj.fuzzy_join(left.coalesce(24), right, on="name", how="inner")
        assert_same(found, results["m:1"][1].join("inner"))

    @pytest.mark.parametrize(
        ("constraint", "decision"), few([("m:1", ()), ("m:1", (0.3, "1:1")), ("1:1", ())], 2)
    )
    def test_pairs_are_those_of_one_machine(
        self, results: Any, constraint: str, decision: tuple[Any, ...]
    ) -> None:
        found, expected = (result.pairs(*decision) for result in results[constraint])
        table = found.toArrow()
        assert table.column_names == expected.column_names
        by_right = [
            sorted(
                zip(*(pairs[n].to_pylist() for n in ("right_row", "left", "right")), strict=True),
                key=repr,
            )
            for pairs in (table, expected)
        ]
        assert by_right[0] == by_right[1]
        for name in ("score", "p_answer", "p_same", "margin"):
            assert sorted(table[name].to_pylist()) == pytest.approx(
                sorted(expected[name].to_pylist()), abs=1e-5
            )

    def test_matches_name_rows_of_left_and_right(self, results: Any) -> None:
        found, expected = results["m:1"]
        left, right = found.left, found.right.withColumnRenamed("name", "reference")
        named = found.matches().join(left, "left_row").join(right, "right_row")
        rows = named.select("name", "reference", "score").toArrow()
        inner = expected.join("inner").select(["name", "name_right", "match_score"])
        assert_same(
            named.select("name", "reference", "score"), inner.rename_columns(rows.column_names)
        )

    @pytest.mark.parametrize("side", ["left", "right"])
    def test_unmatched_rows(self, results: Any, side: str) -> None:
        found, expected = results["m:1"]
        assert_same(found.unmatched(side), expected.unmatched(side))

    def test_another_threshold_and_constraint(self, results: Any) -> None:
        found, expected = results["m:1"]
        matches = found.matches(0.9, "m:m", 1).toArrow()
        one = expected.matches(0.9, "m:m", 1)
        assert sorted(matches["right_row"].to_pylist()) == sorted(one.right.tolist())
        assert sorted(matches["score"].to_pylist()) == pytest.approx(sorted(one.score.tolist()))

    @pytest.mark.parametrize("how", few(["full", "left"], 1))
    def test_several_keys_with_by(self, frames: Any, tables: Any, how: str) -> None:
        options = {"left_on": ["name", "n"], "right_on": ["name", "year"], "by": "land"}
        # Counts are no years, which both ways of joining say.
        with pytest.warns(pj.UnreadColumnWarning, match="values of 'n' on the left cannot"):
            found = pj.fuzzy_join(*frames, how=how, **options)
        with pytest.warns(pj.UnreadColumnWarning, match="values of 'n' on the left cannot"):
            expected = pj.fuzzy_join(*tables, how=how, **options)
        assert_same(found, expected)

    def test_veto_and_equal_nulls(self, frames: Any, tables: Any) -> None:
        options: dict[str, Any] = {"on": "name", "veto": "land", "nulls_equal": True}
        assert_same(pj.fuzzy_join(*frames, **options), pj.fuzzy_join(*tables, **options))

    def test_numbers_beside_text(self, spark: Any) -> None:
        right = pa.table({"code": pa.array([1.5, 20.0, 300.25]), "at": pa.array([0, 1, 2])})
        left = pa.table({"code": pa.array(["1.5", "n/a", "300.3", None])})
        frame = spark.createDataFrame(left).repartition(4)
        options: dict[str, Any] = {"on": "code", "how": "inner"}
        assert_same(pj.fuzzy_join(frame, right, **options), pj.fuzzy_join(left, right, **options))
        fillers = pa.table({"code": ["none", "n/a"]})
        expected = pj.fuzzy_join(fillers, right, on="code")
        assert_same(pj.fuzzy_join(spark.createDataFrame(fillers), right, on="code"), expected)
        odd = spark.createDataFrame(pa.table({"code": ["dear", "n/a"]}))
        with pytest.raises(pj.InputError, match="different kinds, which cannot be compared"):
            pj.fuzzy_join(odd, right, on="code")

    def test_codes_are_read_as_what_they_stand_for(self, spark: Any) -> None:
        left, right = map(pa.table, tables())
        result = pj.match(spark.createDataFrame(left.to_pandas()), right, on=ON)
        assert result.keys.translations == {"loaded": PORTS, "bound_for": PORTS}
        assert result.keys.kinds[1] == "text, translated"
        expected = pj.match(left, right, on=ON)
        assert_same(result.join(how="left"), expected.join(how="left"))

    def test_a_fitted_matcher_takes_frames(self, frames: Any, tables: Any) -> None:
        found = pj.Matcher(on="name").fit(frames[1]).match(frames[0])
        expected = pj.Matcher(on="name").fit(tables[1]).match(tables[0])
        assert_same(found.join("left"), expected.join("left"))

    def test_a_frame_may_be_the_reference_of_a_local_table(self, frames: Any, tables: Any) -> None:
        found = pj.fuzzy_join(tables[0], frames[1], on="name")
        assert isinstance(found, pa.Table)
        assert rows_of(found) == rows_of(pj.fuzzy_join(*tables, on="name"))

    def test_a_frame_without_rows(self, frames: Any) -> None:
        joined = pj.fuzzy_join(frames[0].limit(0), frames[1], on="name", how="full").toArrow()
        assert joined.num_rows == RIGHT.num_rows
        assert joined["name_right"].null_count == 1
        assert joined["n"].null_count == RIGHT.num_rows

    def test_equally_good_rows_are_told_by_content_or_by_a_column(self, spark: Any) -> None:
        right = pa.table({"name": ["Le Monde"] * 6, "age": pa.array([5, 3, 1, 4, 2, 6])})
        left = spark.createDataFrame(pa.table({"name": ["Le Monde", "le monde"]}))
        ages = set()
        for n in (1, 3):
            frame = spark.createDataFrame(right).repartition(n)
            joined = pj.fuzzy_join(left, frame, on="name").toArrow()
            ages.update(joined["age"].to_pylist())
        assert len(ages) == 1
        spark.conf.set("spark.pearljoin.orderBy", "age")
        try:
            joined = pj.fuzzy_join(left, spark.createDataFrame(right), on="name").toArrow()
        finally:
            spark.conf.unset("spark.pearljoin.orderBy")
        assert joined["age"].to_pylist() == [1, 1]

    @pytest.mark.parametrize(
        "options", few([{}, {"by": "land", "threshold": 0.3}, {"one_per": "land"}], 2)
    )
    def test_duplicates_are_those_of_one_machine(self, spark: Any, options: dict[str, Any]) -> None:
        queries = LEFT.select(["name", "land"])
        table = pa.concat_tables([queries, RIGHT.select(["name", "land"]), queries.slice(0, 3)])
        frame = spark.createDataFrame(table).repartition(3)
        found = pj.find_duplicates(frame, on="name", **options)
        expected = pj.find_duplicates(ordered(frame), on="name", **options)
        assert found.threshold == pytest.approx(expected.threshold, abs=1e-5)
        assert found.keys == expected.keys
        rows = found.rows.orderBy("row").toArrow()
        assert rows["name"].to_pylist() == ordered(frame)["name"].to_pylist()
        assert rows["cluster"].to_pylist() == expected.clusters().tolist()
        assert 5 < len(set(expected.clusters())) < table.num_rows - 5
        assert_same(found.pairs(), expected.pairs())

    @pytest.mark.thorough
    def test_columns_that_differ_are_told_as_on_one_machine(self, spark: Any) -> None:
        table = calendar(7)
        frame = spark.createDataFrame(pa.Table.from_pandas(table))
        messages, apart = [], []
        for one in (frame, ordered(frame)):
            with pytest.warns(pj.DifferingColumnWarning, match="veto='starts' keeps ") as caught:
                pj.deduplicate(one, on=list(table), threshold=0.1)
            ours = [told for told in caught if told.category is pj.DifferingColumnWarning]
            assert [told.filename for told in ours] == [__file__]
            messages.append(str(ours[0].message))
            apart.append(pj.deduplicate(one, on=list(table), veto="starts", threshold=0.1))
        assert messages[0] == messages[1]
        assert_same(*apart)

    def test_deduplicate_adds_cluster_and_canonical_value(self, spark: Any) -> None:
        names = ["Le Monde", "New York Times", "le monde", "Le Monde", None]
        frame = spark.createDataFrame(pa.table({"name": names}))
        found = pj.deduplicate(frame, on="name")
        assert_same(found, pj.deduplicate(ordered(frame), on="name"))
