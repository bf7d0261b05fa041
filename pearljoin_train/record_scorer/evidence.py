"""Evidence on made records: how candidate pairs compare, and which are matches."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import pearljoin as pj
from pearljoin.scoring import (
    INTERVAL_FEATURES,
    PAIR_FEATURES,
    RECORD_FEATURES,
    RECORD_TABLE_FEATURES,
    ROW_FEATURES,
    TEXT_PAIR_FEATURES,
    WITHIN_FEATURES,
    RecordPairs,
    TablePairs,
    compare_records,
    compare_table,
    count_among_all,
    record_kind,
)
from pearljoin_train.records.made import LinkedTables, MadeDuplicates
from pearljoin_train.records.written_tables import WrittenTable
from pearljoin_train.scorer.candidates import blank_network

__all__ = ["RecordEvidence", "blank_record_networks", "compute_evidence"]


@dataclass(frozen=True)
class RecordEvidence:
    """How the candidate pairs of two tables compare, or of one with itself.

    Attributes
    ----------
    domain
        What the records are of.
    kinds
        Kind of each key column, as it was recognised.
    pairs
        How the pairs compare.
    is_match
        bool of shape (n_pairs,): which pairs are of one thing.
    n_left, n_right
        Number of left records, and of right records that one of them could meet.
    n_answerable
        Left records of whose things the right side has one; of one table, pairs of one thing.
    among_all, among_right
        By key column, float64 of shape (n_knots,): how many of some pairs at random are at each
        knot: of both sides, and of the right side alone.
    second
        int64 of shape (n_pairs,): the other record of each pair of one table, which is there once;
        None for two tables.
    """

    domain: str
    kinds: tuple[str, ...]
    pairs: RecordPairs
    is_match: NDArray[np.bool_]
    n_left: int
    n_right: float
    n_answerable: int
    among_all: list[NDArray[np.float64]]
    among_right: list[NDArray[np.float64]]
    second: NDArray[np.int64] | None = None

    @property
    def is_one_table(self) -> bool:
        """Whether a table is compared with itself."""
        return self.second is not None


def blank_record_networks(text: dict[str, Any], text_features: list[str]) -> dict[str, Any]:
    """Return record networks that say nothing, but for that of two texts.

    Parameters
    ----------
    text, text_features
        The network of two texts as plain numbers, and the features that it takes.
    """
    return {
        "features": list(RECORD_FEATURES),
        "text": text,
        "text_features": text_features,
        "knots": [-9.0, -6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0],
        "priors": {},
        "answer": blank_network(len(RECORD_FEATURES)),
        "answered": blank_network(len(ROW_FEATURES) + len(RECORD_TABLE_FEATURES)),
        "same": blank_network(len(PAIR_FEATURES)),
        "same_within": blank_network(len(PAIR_FEATURES)),
        "same_records": blank_network(len(WITHIN_FEATURES)),
        "same_texts": blank_network(len(TEXT_PAIR_FEATURES)),
        "text_correction": blank_network(len(INTERVAL_FEATURES)),
        "same_in_table": blank_network(len(PAIR_FEATURES) + 1 + len(RECORD_TABLE_FEATURES)),
        "usual_scores": [0.5],
    }


def compute_evidence(
    made: LinkedTables | MadeDuplicates | WrittenTable, encoder: Any
) -> RecordEvidence | None:
    """Compare the candidate pairs of made or written records.

    Parameters
    ----------
    made
        The records.
    encoder
        An encoder with `blank_record_networks`, or others.

    Returns
    -------
    evidence
        None where two tables have fewer than two columns, or where there is no pair.
    """
    with warnings.catch_warnings():  # some of a comparison is computed when it is asked for
        warnings.simplefilter("ignore", pj.PearljoinWarning)
        if isinstance(made, LinkedTables):
            return _between(made, encoder)
        return _within(made, encoder)


def compare_made(
    made: MadeDuplicates | WrittenTable, encoder: Any
) -> tuple[TablePairs, NDArray[np.int64]]:
    """Compare a table with itself; also return the thing of each record.

    A made table is compared by all columns, and so is a written one where a user must name some;
    else by those that are compared where none is named.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pj.PearljoinWarning)
        if isinstance(made, WrittenTable):
            try:
                found = compare_table(made.table, encoder=encoder)
            except pj.InputError:
                found = compare_table(made.table, on=list(made.table), encoder=encoder)
        else:
            table = pd.DataFrame(made.table, dtype=object)
            found = compare_table(table, on=list(table), encoder=encoder)
    return found, np.array(made.clusters)[found.records.first_row]


def _between(made: LinkedTables, encoder: Any) -> RecordEvidence | None:
    left, right = (pd.DataFrame(side, dtype=object) for side in (made.left, made.right))
    headers = list(right)
    if len(headers) < 2 or not len(left) or not len(right):
        return None
    matcher = pj.Matcher(on=headers, encoder=encoder, threshold=0.0).fit(right)
    comparison = matcher.match(left).comparison
    networks, sides = comparison.networks, comparison.sides
    if networks is None or not len(comparison.candidate_pairs[0]):
        return None
    left_at, right_at = comparison.candidate_pairs
    # Evidence of many tables is kept, without the tables.
    pairs = replace(compare_records(*sides, left_at, right_at, networks), named=None)
    of_left = np.array(made.left_things)[comparison.left.first_row]
    of_right = np.array(made.right_things)[comparison.right.first_row]
    seen = [column.position for column in pairs.columns]
    nothing = [np.zeros(0, dtype=np.float32)] * len(seen)
    return RecordEvidence(
        domain=made.domain,
        kinds=tuple(record_kind(sides[1], at) for at in range(len(seen))),
        pairs=pairs,
        is_match=of_left[left_at] == of_right[right_at],
        n_left=len(sides[0]),
        n_right=float(len(sides[1])),
        n_answerable=int(np.isin(of_left, of_right).sum()),
        among_all=count_among_all(*sides, networks, seen),
        among_right=count_among_all(sides[1], sides[1], networks, nothing),
    )


def _within(made: MadeDuplicates | WrittenTable, encoder: Any) -> RecordEvidence | None:
    if len(made.clusters) < 2:
        return None
    found, things = compare_made(made, encoder)
    first, second = found.pairs
    if not len(first):
        return None
    pairs = replace(found.compare(first, second), left=first, named=None)
    # Each pair counts for both of its records.
    seen = [np.tile(column.position, 2) for column in pairs.columns]
    among_all = count_among_all(found.side, found.side, found.scorer.networks, seen)
    sizes = np.bincount(things)
    return RecordEvidence(
        domain=made.domain,
        kinds=tuple(record_kind(found.side, at) for at in range(len(seen))),
        pairs=pairs,
        is_match=things[first] == things[second],
        n_left=len(found.side),
        n_right=max(1.0, len(found.side) - 1.0),
        n_answerable=int((sizes * (sizes - 1) // 2).sum()),
        among_all=among_all,
        among_right=among_all,
        second=second,
    )
