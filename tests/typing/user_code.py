"""Code as users write it, for type checkers; it is never run.

A line that ends in ``# wrong`` must be flagged, and no other.
"""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import pearljoin as pj


def a_table_comes_out_as_it_went_in(
    pandas: pd.DataFrame, polars: pl.DataFrame, lazy: pl.LazyFrame, arrow: pa.Table
) -> None:
    assert_type(pj.fuzzy_join(pandas, polars, on="name"), pd.DataFrame)
    assert_type(pj.fuzzy_join(polars, arrow, on="name"), pl.DataFrame)
    assert_type(pj.fuzzy_join(lazy, pandas, on="name"), pl.LazyFrame)
    assert_type(pj.fuzzy_join(arrow, ["Le Monde"], on="name"), pa.Table)
    assert_type(pj.deduplicate(pandas, on="name", veto="year", precision=0.95), pd.DataFrame)
    assert_type(pj.find_duplicates(pandas, on="name"), pj.DedupeResult[pd.DataFrame])
    assert_type(pj.find_duplicates([polars, polars]).golden(), pl.DataFrame)
    assert_type(pj.deduplicate(polars), pl.DataFrame)
    assert_type(pj.deduplicate(lazy), pl.LazyFrame)
    assert_type(pj.deduplicate(arrow), pa.Table)


def a_column_comes_out_as_a_table(pandas: pd.Series[str], polars: pl.Series) -> None:
    assert_type(pj.fuzzy_join(pandas, ["Le Monde"]), pd.DataFrame)
    assert_type(pj.match(polars, polars).join(), pl.DataFrame)
    assert_type(pj.deduplicate(polars), pl.DataFrame)


def plain_columns_are_taken(chunked: pa.ChunkedArray) -> None:
    pj.match(["NY Times", None], ("Le Monde",)).matches(0.5)
    pj.match(np.array(["NY Times"]), chunked)
    pj.match(pd.Index(["NY Times"]), pd.array(["Le Monde"]))
    pj.Matcher().fit(["Le Monde"]).add(["Die Zeit"]).match(chunked)


def results_keep_the_left_type(pandas: pd.DataFrame, polars: pl.DataFrame, arrow: pa.Table) -> None:
    result = pj.match(
        pandas,
        polars,
        left_on=["name", "year"],
        right_on=("title", 0),
        veto="year",
        threshold=pj.PrecisionTarget(0.95),
        precision=0.9,
        constraint="1:1",
        k=None,
        weights={"name": 2, "year": 1},
        encoder=lambda texts: [[len(text)] for text in texts],
        nulls_equal=True,
        device="cpu",
        batch_size=32,
        verbose=False,
    )
    assert_type(result.join(), pd.DataFrame)
    assert_type(result.join("outer", suffix=("_l", "_r"), score=None), pd.DataFrame)
    assert_type(result.pairs(), pd.DataFrame)
    assert_type(result.suggest_labels(30), pd.DataFrame)
    assert_type(result.unmatched(), pd.DataFrame)
    assert_type(result.matches(0.5, "m:m", k=3), pj.Matches)
    assert_type(result.keys.guessed, bool)
    assert_type(pj.match(arrow, arrow).join(), pa.Table)
    matcher = pj.Matcher(on="name", threshold="auto", constraint="m:m", k=3).fit(polars)
    assert_type(matcher, pj.Matcher)
    assert_type(matcher.match(pandas).join(), pd.DataFrame)
    assert_type(matcher.match(polars).join("semi"), pl.DataFrame)
    assert_type(pj.Matcher.load("folder").match(arrow).join(), pa.Table)
    joiner = pj.FuzzyJoiner(polars, on="name", how="inner", weights=[1, 2.5])
    assert_type(joiner.fit(pandas).transform(pandas), pd.DataFrame)
    assert_type(joiner.transform(polars), pl.DataFrame)


def annotated(result: pj.MatchResult, typed: pj.MatchResult[pl.DataFrame]) -> pl.DataFrame:
    """A result may be annotated with its left table's type, or without it."""
    assert_type(result.join(), Any)
    pj.evaluate(result, [(0, 0)])
    return typed.join()


class MyEncoder:
    dim = 2

    def encode(self, phrases: list[str]) -> list[list[float]]:
        return [[1.0, 0.0] for _ in phrases]


def options_of_all_kinds(left: pd.DataFrame, right: pd.DataFrame) -> None:
    pj.fuzzy_join(left, right, on="name", encoder=MyEncoder(), weights=np.ones(1))
    pj.fuzzy_join(left, right, on=["name"], by="country", threshold=0.5, device="cuda")
    pj.fuzzy_join(left, right, on=0, threshold=1, how="full", constraint="many_to_many", k=2)


def wrong_calls(left: pd.DataFrame, right: pd.DataFrame) -> None:
    pj.fuzzy_join(left, right, on="name", how="leftish")  # wrong
    pj.fuzzy_join(left, right, "name")  # wrong
    pj.fuzzy_join(left, right, on={"name"})  # wrong
    pj.fuzzy_join(left, right, threshold=[0.5])  # wrong
    pj.fuzzy_join(left, right, threshold="high")  # wrong
    pj.fuzzy_join(left, right, constraint="n:1")  # wrong
    pj.fuzzy_join(left, right, device="tpu")  # wrong
    pj.fuzzy_join(left, right, k="2")  # wrong
    pj.fuzzy_join(left, right, encoder=3)  # wrong
    pj.fuzzy_join(left, right, weights="1")  # wrong
    pj.fuzzy_join(left, right, suffix=1)  # wrong
    pj.fuzzy_join(left, 3)  # wrong
    pj.fuzzy_join(3, right)  # wrong
    pj.match(left, right, onn="name")  # wrong
    pj.match(left, right, how="inner")  # wrong
    pj.match(left, right, "name")  # wrong
    pj.match(left, right, batch_size=2.5)  # wrong
    pj.match(left, right).join("cross")  # wrong
    pj.match(left, right).join(on="name")  # wrong
    pj.match(left, right).matches(0.5, "1:n")  # wrong
    pj.match(left, right).unmatched("both")  # wrong
    pj.Matcher("name")  # wrong
    pj.Matcher(on="name", constraint="n:m")  # wrong
    pj.Matcher(on="name", how="left")  # wrong
    pj.Matcher(on="name").fit(3)  # wrong
    pj.Matcher(on="name").fit(right).match(left, on="name")  # wrong
    pj.FuzzyJoiner(right, "name")  # wrong
    pj.FuzzyJoiner(right, on="name", how="cross")  # wrong
    pj.deduplicate(left, "name")  # wrong
    pj.deduplicate(left, threshold=[0.5])  # wrong
    pj.deduplicate(left, constraint="1:1")  # wrong
    _: pl.DataFrame = pj.fuzzy_join(left, right)  # wrong
