"""Exact-match columns: who may match whom."""

import pandas as pd
import polars as pl
import pytest
from frames import FrameMaker, columns_of, join, match, pairs_of, rows_of

LEFT = {"name": ["Acme", "Acme", "Acme", "Acme"], "land": ["IT", "US", "FR", None]}
RIGHT = {"name": ["acme", "Acme", "acme", "Acme"], "land": ["US", "DE", "IT", None]}


@pytest.mark.parametrize(
    ("how", "rows"),
    [
        ("inner", [("Acme", "IT", "acme", 1.0), ("Acme", "US", "acme", 1.0)]),
        (
            "full",
            [
                ("Acme", "IT", "acme", 1.0),
                ("Acme", "US", "acme", 1.0),
                ("Acme", "FR", None, None),
                ("Acme", None, None, None),
                (None, "DE", "Acme", None),
                (None, None, "Acme", None),
            ],
        ),
    ],
)
def test_by_restricts_matches_and_is_merged(make_frame: FrameMaker, how: str, rows: list) -> None:
    joined = join(make_frame(LEFT), make_frame(RIGHT), on="name", by="land", how=how)
    assert list(columns_of(joined)) == ["name", "land", "name_right", "match_score"]
    assert rows_of(joined) == rows


def test_by_columns_of_different_names(make_frame: FrameMaker) -> None:
    right = make_frame({"name": RIGHT["name"], "country": RIGHT["land"]})
    joined = join(
        make_frame(LEFT), right, on="name", left_by="land", right_by="country", how="right"
    )
    assert rows_of(joined, "land", "name_right") == [
        ("IT", "acme"),
        ("US", "acme"),
        ("DE", "Acme"),
        (None, "Acme"),
    ]


def test_several_by_columns_must_all_be_equal(make_frame: FrameMaker) -> None:
    left = make_frame({"name": ["Acme"] * 3, "a": ["x", "x", "y"], "b": [1, 2, 1]})
    right = make_frame({"name": ["Acme"] * 3, "a": ["y", "x", "x"], "b": [1, 1, 3]})
    found = match(left, right, on="name", by=["a", "b"]).matches()
    assert pairs_of(found) == [(0, 1), (2, 0)]


def test_text_is_compared_as_it_stands(make_frame: FrameMaker) -> None:
    left, right = make_frame({"n": ["Acme"], "g": ["it"]}), make_frame({"n": ["Acme"], "g": ["IT"]})
    assert rows_of(join(left, right, on="n", by="g", how="inner")) == []


def test_null_groups_match_only_if_nulls_are_equal(make_frame: FrameMaker) -> None:
    left, right = make_frame(LEFT), make_frame(RIGHT)
    strict = match(left, right, on="name", by="land").matches()
    assert pairs_of(strict) == [(0, 2), (1, 0)]
    loose = match(left, right, on="name", by="land", nulls_equal=True).matches()
    assert pairs_of(loose) == [(0, 2), (1, 0), (3, 3)]


@pytest.mark.parametrize("constraint", ["m:1", "1:1", "m:m"])
def test_groups_of_any_size_agree_with_joins_of_each_group(constraint: str) -> None:
    names = [f"{word} {number}" for word in ("north", "south", "east") for number in range(40)]
    left = pd.DataFrame({"n": names[::2], "g": [len(name) % 3 for name in names[::2]]})
    right = pd.DataFrame({"n": [f"{name} st" for name in names], "g": [0, 1, 2, 1] * 30})
    together = match(left, right, on="n", by="g", constraint=constraint, threshold=0.5).matches()
    assert (left["g"].to_numpy()[together.left] == right["g"].to_numpy()[together.right]).all()
    assert len(together) > 20
    # Scores rest on the tables' own word frequencies, so only what is best is compared.
    everything = match(left, right, on="n", constraint="m:m", threshold=0.5).matches()
    same = left["g"].to_numpy()[everything.left] == right["g"].to_numpy()[everything.right]
    allowed = everything.take(same)
    wanted = {"m:1": allowed.best(), "1:1": allowed.one_to_one(), "m:m": allowed.ranked()}
    assert pairs_of(together) == pairs_of(wanted[constraint])
    assert together.score.tolist() == wanted[constraint].score.tolist()


# Types that differ ------------------------------------------------------------------------------


def test_whole_numbers_equal_floats_of_the_same_value(make_frame: FrameMaker) -> None:
    left = make_frame({"n": ["foo", "bar"], "g": [1, 2]})
    right = make_frame({"n": ["foo", "baz"], "g": [1.0, 2.5]})
    joined = join(left, right, on="n", by="g", how="full")
    assert rows_of(joined, "n", "g", "n_right") == [
        ("foo", 1, "foo"),
        ("bar", 2, None),
        (None, 2.5, "baz"),
    ]


def test_numbers_equal_their_text(make_frame: FrameMaker) -> None:
    left = make_frame({"n": ["foo", "bar"], "g": [1, 2]})
    right = make_frame({"n": ["foo", "baz"], "g": ["1", "x"]})
    joined = join(left, right, on="n", by="g", how="full")
    assert rows_of(joined, "n", "n_right") == [("foo", "foo"), ("bar", None), (None, "baz")]
    assert [str(cell) for cell in rows_of(joined, "g")] == ["1", "2", "x"]


def test_categories_of_two_vocabularies_merge_to_plain_values() -> None:
    left = pd.DataFrame({"n": ["foo"], "g": pd.Categorical(["u"])})
    right = pd.DataFrame({"n": ["bar"], "g": pd.Categorical(["v"])})
    assert join(left, right, on="n", by="g", how="full")["g"].tolist() == ["u", "v"]


def test_categories_of_one_vocabulary_stay_categories() -> None:
    left = pd.DataFrame({"n": ["foo"], "g": pd.Categorical(["u"], ["u", "v"])})
    right = pd.DataFrame({"n": ["bar"], "g": pd.Categorical(["v"], ["u", "v"])})
    joined = join(left, right, on="n", by="g", how="full")
    assert joined["g"].dtype == left["g"].dtype
    assert joined["g"].tolist() == ["u", "v"]


def test_a_polars_enum_stays_one() -> None:
    kind = pl.Enum(["u", "v"])
    left = pl.DataFrame({"n": ["foo"], "g": pl.Series(["u"], dtype=kind)})
    right = pl.DataFrame({"n": ["bar"], "g": pl.Series(["v"], dtype=kind)})
    joined = join(left, right, on="n", by="g", how="full")
    assert joined["g"].to_list() == ["u", "v"]
    assert joined["g"].dtype == kind
