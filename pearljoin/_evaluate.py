"""evaluate(): how good a result is, where the true pairs are known."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pearljoin._errors import InputError
from pearljoin._matches import Matches
from pearljoin._result import MatchResult
from pearljoin._tables.input import Table
from pearljoin._tables.row_pairs import pair_cells, read_row_pairs
from pearljoin._typing import BoolVector, IntVector

__all__ = ["Evaluation", "evaluate"]

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, repr=False)
class Evaluation:
    """How good a set of matches is.

    Attributes
    ----------
    precision
        Share of the matches that are right, in [0, 1]; NaN without matches.
    recall
        Share of the true pairs that were found, in [0, 1]; NaN without true pairs.
    f1
        Their harmonic mean, ``2 right / (matches + true pairs)``.
    average_precision
        Precision averaged over the true pairs, each at the threshold at which it is found; 0 for
        those never found. It judges the order of the scores, whatever the threshold.
    n_right, n_matches, n_gold
        How many matches are right, how many there are, how many true pairs.
    gained, lost
        True pairs (left row, right row) found here and not by the baseline, and the reverse; None
        without a baseline.
    """

    precision: float
    recall: float
    f1: float
    average_precision: float
    n_right: int
    n_matches: int
    n_gold: int
    gained: Pairs | None = None
    lost: Pairs | None = None

    def __repr__(self) -> str:
        against = ""
        if self.gained is not None and self.lost is not None:
            against = f"; {len(self.gained):,} gained and {len(self.lost):,} lost"
        return (
            f"<Evaluation: precision {self.precision:.3f}, recall {self.recall:.3f}, "
            f"F1 {self.f1:.3f}, average precision {self.average_precision:.3f}; "
            f"{self.n_right:,} of {self.n_matches:,} matches right, "
            f"of {self.n_gold:,} true pairs{against}>"
        )


def evaluate(
    result: MatchResult | Matches,
    gold: Any,
    *,
    baseline: MatchResult | Matches | None = None,
    ids: Sequence[Hashable] | None = None,
) -> Evaluation:
    """Compare matches with the true pairs.

    Parameters
    ----------
    result
        What `match` or ``Matcher.match`` returned, or its matches.
    gold
        The true pairs: a list or set of tuples, an array of shape (n_pairs, 2), or a table (pandas,
        polars, pyarrow) with two columns, the left one first. Row positions counted from 0; with
        `ids`, what those columns hold. A repeated pair counts once.
    baseline
        Another result of the same tables, to list the true pairs gained and lost against it.
    ids
        Name of a column of the left table and of one of the right, whose values name the rows in
        `gold`.

    Returns
    -------
    evaluation
        Precision, recall, F1, average precision, and what was gained and lost.

    Raises
    ------
    InputError
        If `gold` is not understood, names a row that is not there, or `ids` do not tell rows apart.

    Examples
    --------
    >>> import pearljoin as pj
    >>> right = ["The New York Times", "Le Monde", "Die Zeit"]
    >>> result = pj.match(["NY Times", "le monde", "Tea room"], right, threshold=0.4)
    >>> pj.evaluate(result, [(0, 0), (1, 1)])
    <Evaluation: precision 1.000, recall 1.000, F1 1.000, average precision 1.000; 2 of 2 matches
    right, of 2 true pairs>
    """
    left, right = read_row_pairs(gold) if ids is None else _rows_of_ids(result, gold, ids)
    _check_rows(result, left, right)
    true = set(zip(left.tolist(), right.tolist(), strict=True))
    matches = _matches_of(result)
    found = _as_pairs(matches)
    n_right = len(found & true)
    compared = None if baseline is None else _as_pairs(_matches_of(baseline))
    return Evaluation(
        precision=n_right / len(found) if found else float("nan"),
        recall=n_right / len(true) if true else float("nan"),
        f1=2 * n_right / (len(found) + len(true)) if found or true else float("nan"),
        average_precision=_average_precision(_ranked(result), true),
        n_right=n_right,
        n_matches=len(found),
        n_gold=len(true),
        gained=None if compared is None else tuple(sorted((found - compared) & true)),
        lost=None if compared is None else tuple(sorted((compared - found) & true)),
    )


def _matches_of(result: MatchResult | Matches) -> Matches:
    if isinstance(result, Matches):
        return result
    if isinstance(result, MatchResult):
        return result.matches()
    raise InputError(
        f"A result cannot be evaluated. Got a {type(result).__name__}. Hint: give what "
        "pj.match(...) returned, or its .matches()."
    )


def _ranked(result: MatchResult | Matches) -> Matches:
    """The matches at every threshold."""
    return result if isinstance(result, Matches) else result.every_match()


def _as_pairs(matches: Matches) -> set[tuple[int, int]]:
    return set(zip(matches.left.tolist(), matches.right.tolist(), strict=True))


def _average_precision(ranked: Matches, true: set[tuple[int, int]]) -> float:
    """Sum over falling thresholds of the gain in recall times the precision."""
    if not true:
        return float("nan")
    order = np.argsort(-ranked.score, kind="stable")
    pairs = zip(ranked.left[order].tolist(), ranked.right[order].tolist(), strict=True)
    right: BoolVector = np.array([pair in true for pair in pairs], dtype=bool)
    # Pairs of one score are found at one threshold.
    last = np.flatnonzero(np.diff(ranked.score[order], append=-1))
    found = np.cumsum(right)[last]
    return float(np.diff(found, prepend=0) @ (found / (last + 1)) / len(true))


def _check_rows(result: MatchResult | Matches, left: IntVector, right: IntVector) -> None:
    if not isinstance(result, MatchResult):
        return
    for rows, table in ((left, result._left), (right, result._right)):
        if len(rows) and rows.max() >= table.n_rows:
            raise InputError(
                f"A true pair names a {table.side} row that is not there. Got row {rows.max()} of "
                f"{table.n_rows}. Hint: rows are counted from 0; for names of your own, "
                "ids=(left_column, right_column)."
            )


def _rows_of_ids(
    result: MatchResult | Matches, gold: Any, ids: Sequence[Hashable]
) -> tuple[IntVector, IntVector]:
    if not isinstance(result, MatchResult):
        raise InputError(
            "ids= needs the tables. Got matches alone. Hint: give what pj.match(...) returned."
        )
    if isinstance(ids, str) or len(ids) != 2:
        raise InputError(
            f"ids= names a column of each table. Got {ids!r}. Hint: ids=('id', 'id') where both "
            "are called so."
        )
    tables = (result._left, result._right)
    left, right = (
        _rows_called(table, name, cells)
        for table, name, cells in zip(tables, ids, pair_cells(gold), strict=True)
    )
    return left, right


def _rows_called(table: Table, name: Hashable, wanted: list[Any]) -> IntVector:
    listed = table.column(name, "ids").to_list()
    place = {cell: row for row, cell in enumerate(listed)}
    if len(place) < len(listed):
        raise InputError(
            f"The column {name!r} of the {table.side} table does not tell rows apart. Got "
            f"{len(place)} values in {len(listed)} rows. Hint: name a column of unique values."
        )
    unknown = [cell for cell in wanted if cell not in place]
    if unknown:
        raise InputError(
            f"True pairs name {table.side} rows that are not there. Got {unknown[0]!r}, and "
            f"{len(unknown)} such in all, which {name!r} does not hold."
        )
    return np.array([place[cell] for cell in wanted], dtype=np.int64)
