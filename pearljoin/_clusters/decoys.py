"""Decoys: made records that show how non-matches score in a table.

A decoy is a made record, each of whose values is drawn from another record of the table. It matches
no record, so its pairs are non-matches, and score as high as chance agreement makes them: among ten
thousand people many share a name and nearly a birth date, among a hundred none do. So decoys tell
how many non-matches reach a score, as decoy sequences do in the search of mass spectra (Elias and
Gygi 2007). That number is a lower bound: values are drawn column by column, while real entities,
such as siblings, may also resemble each other in several columns at once.

In a table with one column of text, a decoy is a text with one of its words replaced by a word of
another text that is about as frequent, and a number by a number. It resembles all texts that share
the other words, so it counts siblings, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, eye_array

from pearljoin._candidates.blocking import Pairs
from pearljoin._clusters.scored_pairs import ScoredPairs
from pearljoin._records.encoded import EncodedRecords
from pearljoin._records.missing_keys import NULL
from pearljoin._records.similarity import TextValues
from pearljoin._records.whole_record import column_shares, whole_records
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = [
    "closest_donor",
    "draw_decoys",
    "draw_word_decoys",
    "have_same_values",
    "may_be_same",
    "meets_donor",
]

MAY_BE_SAME = -2.0
"""Log odds from which two records of several columns may be one entity, so that neither meets a
decoy with a value of the other."""

MAY_BE_SAME_OTHERWISE = -5.0
"""Log odds that such a pair also reaches, by match weights or by the whole records as texts."""


def draw_decoys(
    side: EncodedRecords, order: IntVector, n_decoys: int, dim: int
) -> tuple[EncodedRecords, NDArray[np.int64]]:
    """Draw records whose values come from different records of one group.

    Parameters
    ----------
    side
        The records of the table, with their whole records.
    order
        int64 of shape (n,): the records to draw from, in an order that their content decides.
    n_decoys
        How many to draw.
    dim
        Columns of the vectors of whole records.

    Returns
    -------
    decoys
        The drawn records.
    donors
        int64 of shape (n_fields, n_decoys): the record that each value comes from.
    """
    donors = _draw_donors(side, order, n_decoys, len(side.codes))
    assert side.whole is not None
    bare = EncodedRecords(
        side.values,
        side.statistics,
        side.spelling,
        tuple(codes[of] for codes, of in zip(side.codes, donors, strict=True)),
        None if side.groups is None else side.groups[donors[0]],
        side.weights,
        side.nulls_equal,
        roles=side.roles,
    )
    whole = whole_records(bare, column_shares(side), dim, side.whole.statistics[0])
    return replace(bare, whole=whole), donors


def draw_word_decoys(
    side: EncodedRecords, order: IntVector, n_decoys: int
) -> tuple[list[str], NDArray[np.int64]]:
    """Draw texts with a word of another text of the group in place of one of their own.

    Parameters
    ----------
    side
        The records of the table, with one key column, which is text.
    order, n_decoys
        As of `draw_decoys`.

    Returns
    -------
    texts
        The drawn texts, normalised.
    donors
        int64 of shape (2, n_decoys): the record whose text each one is, and that of the word.
    """
    values, codes = side.values[0], side.codes[0]
    assert isinstance(values, TextValues)
    # With nulls_equal, a null is a value like any other, and may be a record.
    donors = _draw_donors(side, order[codes[order] != NULL], n_decoys, 2)
    words = [text.split() for text in values.normal]
    n_texts = Counter(chain.from_iterable(map(set, words)))
    rng = np.random.default_rng(1)
    texts = [
        " ".join(_with_other_word(words[codes[text]], words[codes[other]], n_texts, rng))
        for text, other in donors.T.tolist()
    ]
    return texts, donors


def _with_other_word(
    words: list[str], others: list[str], n_texts: Mapping[str, int], rng: np.random.Generator
) -> list[str]:
    """Replace a random word by the one of others that is most nearly as frequent.

    Words that all texts share, put in place of a name, would make decoys that resemble everything.
    Without another of its sort, number or not, a word stays.
    """
    of_sort: dict[bool, list[str]] = {True: [], False: []}
    for other in sorted(set(others)):
        of_sort[_has_digit(other)].append(other)
    for at in rng.permutation(len(words)).tolist():
        old = words[at]
        sort = [other for other in of_sort[_has_digit(old)] if other != old]
        if sort:
            wanted = n_texts[old]
            new = min(sort, key=lambda other: abs(log(n_texts[other] / wanted)))
            return [*words[:at], new, *words[at + 1 :]]
    return words


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def _draw_donors(
    side: EncodedRecords, order: IntVector, n_decoys: int, n_donors: int
) -> NDArray[np.int64]:
    """Draw the records of each decoy, all of one group: int64 of shape (n_donors, n_decoys)."""
    rng = np.random.default_rng(0)
    groups = np.zeros(len(side), dtype=np.int64)
    if side.groups is not None and len(order):
        # Numbered by first appearance in that order: the codes depend on the order of rows.
        _, first, group = np.unique(side.groups[order], return_index=True, return_inverse=True)
        groups[order] = first[group]
    order = order[np.argsort(groups[order], kind="stable")]
    at = rng.integers(0, len(order), n_decoys)
    starts = np.searchsorted(groups[order], groups[order][at], side="left")
    ends = np.searchsorted(groups[order], groups[order][at], side="right")
    return np.stack([order[rng.integers(starts, ends)] for _ in range(n_donors)])


def may_be_same(log_odds: FloatVector, pairs: RecordPairs, weights: MatchWeights) -> BoolVector:
    """Mark pairs that may be one entity, whose values are interchangeable.

    The log odds of the network do not suffice. Where they are too high, as in small tables with
    columns that tell little, decoys that resemble such pairs would be left out, and no decoy would
    show that the log odds are wrong.

    Parameters
    ----------
    log_odds
        float32 of shape (n_pairs,): as the network gives them.
    pairs
        How the pairs compare.
    weights
        Match weights.

    Returns
    -------
    near
        bool of shape (n_pairs,).
    """
    otherwise = np.maximum(weights.log_odds(pairs.columns), pairs.whole_logit)
    near = (log_odds >= MAY_BE_SAME) & (otherwise >= MAY_BE_SAME_OTHERWISE)
    return np.asarray(near, dtype=bool)


def meets_donor(n_records: int, near: Pairs, donors: NDArray[np.int64], pairs: Pairs) -> BoolVector:
    """Mark pairs of a decoy with a donor or a donor's duplicate.

    Parameters
    ----------
    n_records
        Number of records of the table.
    near
        Two aligned int64 arrays: pairs of records that may be one entity, so that a decoy with a
        value of one may match the other.
    donors
        As of `draw_decoys`.
    pairs
        Two aligned int64 arrays: a decoy and a record each.

    Returns
    -------
    meets
        bool of shape (n_pairs,).
    """
    first, second = near
    ones = np.ones(len(first), dtype=np.int8)
    shape = n_records, n_records
    graph = csr_matrix((ones, (first, second)), shape=shape)
    alike = csr_matrix(graph + graph.T + eye_array(n_records, dtype=np.int8))
    decoy, record = pairs
    found = np.zeros(len(decoy), dtype=bool)
    for of in donors:
        found |= np.asarray(alike[of[decoy], record]).reshape(-1) > 0
    return found


def closest_donor(
    n_records: int, scored: ScoredPairs, donors: NDArray[np.int64], pairs: Pairs
) -> FloatVector:
    """Log odds of each pair's record and the donor of its decoy that resembles it more.

    Parameters
    ----------
    n_records
        Number of records of the table.
    scored
        Pairs of records, each once, and their log odds.
    donors, pairs
        As of `meets_donor`.

    Returns
    -------
    log_odds
        float32 of shape (n_pairs,): infinite where the record is a donor, minus infinity where it
        is in no pair with one.
    """
    first, second, log_odds = scored
    # Places from 1: an entry that is not there reads as 0.
    places = np.arange(1, len(first) + 1)
    one_way = csr_matrix((places, (first, second)), shape=(n_records, n_records))
    place = csr_matrix(one_way + one_way.T)
    of_place = np.concatenate([np.array([-np.inf], dtype=np.float32), log_odds])
    decoy, record = pairs
    found = np.full(len(decoy), -np.inf, dtype=np.float32)
    for of in donors:
        found = np.maximum(found, of_place[np.asarray(place[of[decoy], record]).reshape(-1)])
        found[of[decoy] == record] = np.inf
    return found


def have_same_values(decoys: EncodedRecords, side: EncodedRecords, pairs: Pairs) -> BoolVector:
    """Mark pairs of decoy and record that are equal in every column.

    Such a decoy is a copy of the record, so the two may be a match. In each column two nulls are
    equal here. Keys would not do: all records with a null have the same one, `NULL`.

    Parameters
    ----------
    decoys
        As drawn.
    side
        The records of the table.
    pairs
        As of `meets_donor`.

    Returns
    -------
    same
        bool of shape (n_pairs,).
    """
    decoy, record = pairs
    same = np.ones(len(decoy), dtype=bool)
    for at, codes in enumerate(decoys.codes):
        ones = decoys.values[at].numbers_among(side.values[at])
        others = side.values[at].numbers
        same &= ones[codes[decoy]] == others[side.codes[at][record]]
    return same
