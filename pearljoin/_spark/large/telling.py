"""What tells the phrases of a reference on the cluster apart."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as sf

from pearljoin._comparison.told_apart import Telling
from pearljoin._kinds.people_columns import are_names_of_people
from pearljoin._kinds.person_words import read_words
from pearljoin._kinds.record_roles import person_or_thing
from pearljoin._scoring.alternatives import MOST_TEXTS, find_alternatives
from pearljoin._scoring.other_people import NO_PEOPLE, SAMPLE
from pearljoin._scoring.qualifiers import (
    MOST_QUALIFIED,
    NO_QUALIFIERS,
    Qualifiers,
    qualifiers_among,
    without_each,
)
from pearljoin._text.normalise import mend

__all__ = ["telling_of_phrases"]


def telling_of_phrases(phrases: Any, name: Hashable) -> Telling:
    """Find what tells phrases apart, as `pearljoin._comparison.told_apart.telling_of` does.

    Parameters
    ----------
    phrases
        As of `pearljoin._spark.large.phrases.phrases_of`.
    name
        What the key column is called.
    """
    # The lowest hashes are those of one machine, whatever the size of the sample.
    sampled = phrases.orderBy(sf.crc32("text"), "id").limit(max(MOST_TEXTS, MOST_QUALIFIED, SAMPLE))
    found = sampled.select("text", "normal").toArrow()
    texts, normal = (found.column(of).to_pylist() for of in ("text", "normal"))
    words = find_alternatives(normal[:MOST_TEXTS], are_distinct=True)
    may_be_people = person_or_thing(name) not in NO_PEOPLE
    people = [read_words([mend(text)], ["full"]) for text in texts[:SAMPLE] if may_be_people]
    qualifiers = _qualifiers_of(phrases, normal[:MOST_QUALIFIED])
    return Telling(words, qualifiers, names_people=are_names_of_people(people))


def _qualifiers_of(phrases: Any, sampled: Sequence[str]) -> Qualifiers:
    """Find words that phrases have with and without; all are searched for what some are without."""
    asked = set(sampled)
    rests = sorted({rest for text in asked for _, rest in without_each(text)})
    if not rests:
        return NO_QUALIFIERS
    table = pa.table({"normal": pa.array(rests, pa.string())})
    sought = sf.broadcast(phrases.sparkSession.createDataFrame(table))
    found = phrases.select("normal").join(sought, "normal", "left_semi").distinct().toArrow()
    known = set(found.column("normal").to_pylist())
    # Most references have none, however few of their names are repeated: these are not counted.
    if not qualifiers_among(asked, known, 0).phrases:
        return NO_QUALIFIERS
    return qualifiers_among(asked, known, _share_repeated(phrases))


def _share_repeated(phrases: Any) -> float:
    """The share of names that stand in several rows, whatever the order of their words."""
    words = sf.array_join(sf.array_sort(sf.split("normal", " ")), " ")
    n_rows = phrases.groupBy(words.alias("words")).agg(sf.sum("n").alias("n"))
    is_repeated = (sf.col("n") > 1).cast("double")
    return float(n_rows.agg(sf.avg(is_repeated)).collect()[0][0])
