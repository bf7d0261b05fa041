"""deduplicate: clusters around a canonical value."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from frames import FrameMaker, TrigramEncoder, columns_of, pairs_of, rows_of

import pearljoin as pj

pytestmark = pytest.mark.every_kind

NAMES = ["Le Monde", "New York Times", "le monde", None, "Le Monde", "new york time", None, "zzz"]
CLUSTERS = [0, 1, 0, 2, 0, 1, 3, 4]
CANONICAL = [
    "Le Monde",
    "New York Times",
    "Le Monde",
    None,
    "Le Monde",
    "New York Times",
    None,
    "zzz",
]


LABELLED = pj.LabelledThreshold(0.9, 1.0, 0.0, ((0.1, 0.0), (0.0, 0.1)), 30)


def dedupe(table, **options):
    return pj.deduplicate(table, **{"encoder": TrigramEncoder(), "threshold": 0.6, **options})


def test_clusters_are_numbered_by_first_appearance(make_frame: FrameMaker) -> None:
    table = make_frame({"id": list(range(8)), "name": NAMES})
    found = dedupe(table, on="name")
    assert type(found) is type(table)
    assert columns_of(found) == {
        "id": list(range(8)),
        "name": NAMES,
        "cluster": CLUSTERS,
        "canonical": CANONICAL,
    }


def test_clusters_are_whole_numbers(make_frame: FrameMaker) -> None:
    found = dedupe(make_frame({"name": NAMES}))
    if isinstance(found, pl.LazyFrame):
        found = found.collect()
    kind = (
        found.schema.field("cluster").type
        if hasattr(found, "schema") and not isinstance(found, pl.DataFrame)
        else found["cluster"].dtype
    )
    assert str(kind).lower() == "int64"


def test_the_most_frequent_value_is_canonical() -> None:
    names = ["acme corp.", "acme corporation", "ACME Corp", "zeta", "ACME Corp"]
    found = dedupe(pd.DataFrame({"name": names}), threshold=0.4)
    assert found["canonical"].tolist() == [*["ACME Corp"] * 3, "zeta", "ACME Corp"]
    assert found["cluster"].tolist() == [0, 0, 0, 1, 0]


def test_of_equally_frequent_values_the_first_is_canonical() -> None:
    found = dedupe(["acme", "Acme", "ACME"])
    assert rows_of(found, "canonical") == ["acme"] * 3


def by_hand(names: list[str], threshold: float) -> tuple[list[int], list[str]]:
    """The rule as the documentation has it, on every pair's score."""
    result = pj.match(names, names, encoder=TrigramEncoder(), constraint="m:m", threshold=threshold)
    alike = set(pairs_of(result.matches()))
    frequency = {name: names.count(name) for name in names}
    order = sorted(dict.fromkeys(names), key=lambda name: (-frequency[name], names.index(name)))
    centre: dict[str, str] = {}
    for name in order:
        if name not in centre:
            for other in order:
                if other not in centre and (names.index(name), names.index(other)) in alike:
                    centre[other] = name
    chosen = [centre[name] for name in names]
    seen = list(dict.fromkeys(chosen))
    return [seen.index(name) for name in chosen], chosen


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.7, 0.9, 1.0])
def test_every_member_matches_its_canonical_value_itself(threshold: float) -> None:
    rng = np.random.default_rng(1)
    words = ["north", "south", "lodge", "house", "street", "Street", "st"]
    names = [" ".join(rng.choice(words, size=rng.integers(1, 4))) for _ in range(150)]
    found = dedupe(pd.DataFrame({"name": names}), threshold=threshold)
    clusters, chosen = by_hand(names, threshold)
    assert found["cluster"].tolist() == clusters
    assert found["canonical"].tolist() == chosen
    assert 1 < len(set(clusters)) < len(set(names)) + 1


def test_groups_keep_equal_values_apart(make_frame: FrameMaker) -> None:
    table = make_frame({"name": ["Acme", "acme", "Acme"], "land": ["IT", "IT", "US"]})
    found = dedupe(table, on="name", by="land")
    assert rows_of(found, "cluster", "canonical") == [(0, "Acme"), (0, "Acme"), (1, "Acme")]


def test_groups_that_differ_in_case_are_counted(make_frame: FrameMaker) -> None:
    lands = ["IT", "US", "it", "FR", "It", "us", None]
    table = make_frame({"name": ["Acme"] * 7, "land": lands})
    message = (
        r"^5 of the values in by=\['land'\] would be equal but for their case or outer "
        r"blanks, and their rows share no cluster\. Got 'IT' and 'it'\. "
        r"Hint: bring the column to one case"
    )
    with pytest.warns(pj.PearljoinWarning, match=message) as caught:
        found = dedupe(table, on="name", by="land")
    assert len(caught) == 1
    assert caught[0].filename == dedupe.__code__.co_filename
    assert rows_of(found, "cluster") == [0, 1, 2, 3, 4, 5, 6]


def test_several_keys_have_a_canonical_column_each(make_frame: FrameMaker) -> None:
    table = make_frame({"name": ["Acme", "ACME", "Acme"], "n": [1, 1, 9]})
    found = dedupe(table, on=["name", "n"], threshold=0.9, canonical="best", cluster="group")
    assert columns_of(found) == {
        "name": ["Acme", "ACME", "Acme"],
        "n": [1, 1, 9],
        "group": [0, 0, 1],
        "best_name": ["Acme", "Acme", "Acme"],
        "best_n": [1, 1, 9],
    }


def test_nulls_are_alone_unless_they_are_equal(make_frame: FrameMaker) -> None:
    table = make_frame({"name": [None, "Acme", None, " "]})
    assert rows_of(dedupe(table, on="name"), "cluster") == [0, 1, 2, 3]
    together = dedupe(table, on="name", nulls_equal=True)
    assert rows_of(together, "cluster", "canonical") == [
        (0, None),
        (1, "Acme"),
        (0, None),
        (0, None),
    ]


def test_a_pandas_index_and_types_survive() -> None:
    index = pd.Index([3, 3, 9], name="id")
    table = pd.DataFrame({"name": pd.Categorical(["a", "A", "b"]), "n": [1, 2, 3]}, index=index)
    found = dedupe(table, on="name")
    pd.testing.assert_frame_equal(found[["name", "n"]], table)
    assert found["canonical"].dtype == table["name"].dtype
    assert found["canonical"].tolist() == ["a", "a", "b"]


@pytest.mark.parametrize("names", [[], ["one"], [None]])
def test_tables_of_few_rows(make_frame: FrameMaker, names: list) -> None:
    found = dedupe(make_frame({"name": names}), on="name")
    assert columns_of(found) == {
        "name": names,
        "cluster": list(range(len(names))),
        "canonical": names,
    }


def test_a_column_or_a_sequence_becomes_a_table() -> None:
    found = dedupe(pl.Series("name", ["Acme", "ACME"]))
    assert found.to_dict(as_series=False) == {
        "name": ["Acme", "ACME"],
        "cluster": [0, 0],
        "canonical": ["Acme", "Acme"],
    }
    assert rows_of(dedupe(["Acme", "b", "ACME"]), "cluster") == [0, 1, 0]


def test_auto_is_a_fixed_threshold() -> None:
    names = ["acme corp", "acme corp ltd", "acme", "ACME", "globex"]
    auto = dedupe(names, threshold="auto")
    assert rows_of(auto) == rows_of(dedupe(names, threshold=0.75))
    assert rows_of(dedupe(names, threshold=pj.FixedThreshold(0.3)), "cluster") == [0, 0, 0, 0, 1]


def test_a_threshold_may_come_from_labels() -> None:
    names = ["acme corp", "acme corp ltd", "acme", "ACME", "globex"]
    chosen = pj.find_duplicates(names, encoder=TrigramEncoder(), threshold=LABELLED).threshold
    assert 0 < chosen <= 1
    assert rows_of(dedupe(names, threshold=LABELLED)) == rows_of(dedupe(names, threshold=chosen))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": pj.PrecisionTarget(0.9)}, r"cannot be estimated.*PrecisionTarget"),
        ({"threshold": 3}, r"threshold must be a number from 0 to 1. Got 3"),
        ({"on": "names"}, r"has no column 'names', named in on=.*did you mean 'name'"),
        ({"cluster": None}, r"cluster= must be a column name\. Got None"),
        ({"canonical": None}, r"canonical= must be a column name\. Got None"),
        ({"canonical": ["a"]}, r"canonical= must be a column name\. Got \['a'\]"),
        ({"cluster": "name"}, r"table has the columns \['name'\] already"),
        ({"canonical": "n"}, r"table has the columns \['n'\] already"),
    ],
)
def test_wrong_calls_are_told(options: dict, message: str) -> None:
    with pytest.raises(pj.InputError, match=message):
        dedupe(pd.DataFrame({"name": ["a"], "n": [1]}), **options)


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        (pd.DataFrame({"a": ["x"]}), {"on": "b"}, r"^The table has no column 'b', named in on="),
        (pd.DataFrame({"a": ["x"]}), {"by": "b"}, r"^The table has no column 'b', named in by="),
        (
            pd.DataFrame({"a": ["x"], "b": ["y"]}),
            {"by": ["a", "b"]},
            r"^The table's key column cannot be guessed. .*Hint: name it with on=\.$",
        ),
        (pd.DataFrame(index=[1]), {}, r"^The table has no columns"),
        (pd.DataFrame([["x", "y"]], columns=["a", "a"]), {}, r"^The table has several columns of"),
        (
            pd.DataFrame([["x"]], columns=pd.MultiIndex.from_tuples([("a", "b")])),
            {},
            r"^The table's columns form a MultiIndex",
        ),
    ],
)
def test_the_only_table_is_called_the_table(table, options: dict, message: str) -> None:
    with pytest.raises(pj.InputError, match=message):
        dedupe(table, **options)


@pytest.mark.parametrize("names", [["Acme", "b"], pd.Series(["Acme", "b"]), pl.Series(["Acme"])])
def test_a_column_without_a_name_is_called_left(names) -> None:
    assert next(iter(columns_of(dedupe(names)))) == "left"


def test_what_is_no_table_is_refused() -> None:
    message = r"^What was given cannot be read as a table. Got builtins.str"
    with pytest.raises(pj.TableTypeError, match=message):
        dedupe("Acme")
