"""Sampled left records and sampled phrases of a reference, with their candidates among all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as sf

from pearljoin._spark.encode import loaded_encoder
from pearljoin._spark.large.phrases import Reading
from pearljoin._spark.large.score import pairs_of
from pearljoin._spark.large.search import CandidatePlan, candidates
from pearljoin._text.normalise import as_encoded
from pearljoin._typing import IntVector, Pairs

__all__ = ["Sampled", "look_up"]


@dataclass(frozen=True)
class Sampled:
    """What one machine learns from, too.

    Attributes
    ----------
    left
        Sampled left records, a row each.
    queries
        These and then the sampled phrases, numbered from 0 on, as left phrases.
    there
        The phrases of the reference that are needed, by ``id``.
    all_pairs
        Candidates of all queries, by their places in `queries` and `there`.
    null_pairs
        Those of the sampled phrases, which are numbered in the order of the reference.
    """

    left: pa.Table
    queries: pa.Table
    there: pa.Table
    all_pairs: Pairs
    null_pairs: Pairs

    @property
    def pairs(self) -> Pairs:
        """The candidates of the left records."""
        left_at, right_at = self.all_pairs
        is_left = left_at < self.left.num_rows
        return left_at[is_left], right_at[is_left]


def look_up(
    phrases: Any,
    plan: CandidatePlan,
    encoder: str,
    reading: Reading,
    sample: pa.Table,
    null: pa.Table,
) -> Sampled:
    """Search all cells for sampled left records and sampled phrases.

    Parameters
    ----------
    phrases, plan, encoder
        Of the reference.
    reading
        How left rows are read.
    sample, null
        Left rows, and phrases of the reference.
    """
    # Rows that differ in words of one meaning are one record, once these are read as one.
    left = sample.take(pa.array(reading.records(sample).first_row))
    queries = _queries(plan, encoder, reading.keys_of(left), null)
    frame = phrases.sparkSession.createDataFrame(queries)
    found = candidates(phrases, frame.drop("vector", "cells"), frame, plan).toArrow()
    null_ids = null.column("id").to_numpy()
    there = _needed(phrases, found, null_ids)
    ids = there.column("id").to_numpy()
    left_at, right_at = pairs_of(found, found.column("left").to_numpy(), ids)
    is_null, order = left_at >= left.num_rows, np.argsort(null_ids)
    place = np.argsort(order)[left_at[is_null] - left.num_rows]
    by_place = np.lexsort((right_at[is_null], place))
    null_pairs = place[by_place], right_at[is_null][by_place]
    return Sampled(left, queries, there, (left_at, right_at), null_pairs)


def _queries(
    plan: CandidatePlan, encoder: str, read: dict[str, list[str | None]], null: pa.Table
) -> pa.Table:
    columns = {name: [*read[name], *null.column(name).to_pylist()] for name in read}
    texts = columns["text"]
    # Phrases that are both have a vector each, of one encoding.
    vectors = loaded_encoder(encoder).encode([as_encoded(text) for text in texts])
    ids = np.arange(len(texts))
    every = replace(plan.cells, n_probe=None)
    listed = every.keys_of(vectors, columns["group"], ids)
    return pa.table(
        {
            "id": ids,
            **columns,
            "vector": pa.array([row.tobytes() for row in vectors], pa.binary()),
            "cells": pa.array(listed, pa.list_(pa.string())),
        }
    )


def _needed(phrases: Any, found: pa.Table, more: IntVector) -> pa.Table:
    """Collect candidates and some more phrases, with what they are compared as, by ``id``."""
    listed = [found.column(name).combine_chunks().flatten() for name in ("candidates", "firsts")]
    ids = np.unique(np.concatenate([*listed, more]))
    asked = phrases.sparkSession.createDataFrame(pa.table({"id": ids}))
    return phrases.join(sf.broadcast(asked), "id").toArrow().sort_by("id")
