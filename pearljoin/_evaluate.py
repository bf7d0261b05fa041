"""evaluate(): precision and recall of matches, where the true pairs are known."""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Sized
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from pearljoin._clusters.evaluation import ClusterEvaluation, evaluate_clusters
from pearljoin._dedupe.result import DedupeResult
from pearljoin._errors import InputError
from pearljoin._matches import Matches
from pearljoin._records.missing_keys import NULL
from pearljoin._records.records import factorize
from pearljoin._result import MatchResult
from pearljoin._tables.cells import is_null
from pearljoin._tables.read_table import ONLY, Table, as_table
from pearljoin._tables.row_pairs import pair_cells, read_row_pairs
from pearljoin._typing import BoolVector, IntVector

__all__ = ["Evaluation", "evaluate"]

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, repr=False)
class Evaluation:
    """Precision, recall and other measures of a set of matches.

    Attributes
    ----------
    precision
        Share of the matches that are right, in [0, 1]; NaN without matches.
    recall
        Share of the true pairs that were found, in [0, 1]; NaN without true pairs.
    f1
        Harmonic mean of precision and recall, ``2 right / (matches + true pairs)``.
    average_precision
        Mean over the true pairs of the precision at the threshold at which each is found; 0 for
        those never found. It depends on the order of the scores, not on the threshold.
    n_right, n_matches, n_gold
        Number of right matches, of matches, and of true pairs.
    gained, lost
        True pairs (left row, right row) found here and not by the baseline, and found by the
        baseline and not here; None without a baseline.
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
        compared = ""
        if self.gained is not None and self.lost is not None:
            compared = f"; {len(self.gained):,} gained and {len(self.lost):,} lost"
        return (
            f"<Evaluation: precision {self.precision:.3f}, recall {self.recall:.3f}, "
            f"F1 {self.f1:.3f}, average precision {self.average_precision:.3f}; "
            f"{self.n_right:,} of {self.n_matches:,} matches right, "
            f"of {self.n_gold:,} true pairs{compared}>"
        )


@overload
def evaluate(result: DedupeResult[Any], gold: Any) -> ClusterEvaluation: ...
@overload
def evaluate(
    result: MatchResult | Matches,
    gold: Any,
    *,
    baseline: MatchResult | Matches | None = None,
    ids: Sequence[Hashable] | None = None,
) -> Evaluation: ...
def evaluate(
    result: DedupeResult[Any] | MatchResult | Matches,
    gold: Any,
    *,
    baseline: MatchResult | Matches | None = None,
    ids: Sequence[Hashable] | None = None,
) -> Evaluation | ClusterEvaluation:
    """Compare matches with the true pairs, or clusters with the true ones.

    Parameters
    ----------
    result
        What `match` or ``Matcher.match`` returned, or its matches; or what `find_duplicates`
        returned.
    gold
        The true pairs: a list or set of tuples, an array of shape (n_pairs, 2), or a table (pandas,
        polars, pyarrow) with two columns of any names, the left one first, or with `left_row` and
        `right_row` among its columns. Row positions counted from 0; with `ids`, values of those
        columns. A repeated pair counts once. For clusters: the true cluster of each row, as a
        sequence of n_rows labels; a null is a cluster of its own.
    baseline
        Another result of the same tables; true pairs gained and lost are listed against it.
    ids
        Name of a column of the left table and of one of the right, whose values identify the rows
        in `gold`. They must be unique and hashable: text, numbers, dates or tuples.

    Returns
    -------
    evaluation
        Precision, recall, F1, average precision, and what was gained and lost; for clusters a
        `ClusterEvaluation`.

    Raises
    ------
    InputError
        If `gold` is not understood or names a row that is not there, or a column of `ids` has
        repeated or unhashable values.

    Examples
    --------
    >>> import pearljoin as pj
    >>> right = ["The New York Times", "Le Monde", "Die Zeit"]
    >>> result = pj.match(["NY Times", "le monde", "Tea room"], right)
    >>> pj.evaluate(result, [(0, 0), (1, 1)])
    <Evaluation: precision 1.000, recall 1.000, F1 1.000, average precision 1.000; 2 of 2 matches
    right, of 2 true pairs>
    """
    if isinstance(result, DedupeResult):
        if baseline is not None or ids is not None:
            raise InputError(
                "Clusters are compared with true clusters alone. Got baseline= or ids=. "
                "Hint: evaluate(result, labels), a label for each row."
            )
        return evaluate_clusters(result.clusters(), _labels_of(gold))
    left, right = read_row_pairs(gold) if ids is None else _rows_of_ids(result, gold, ids)
    _check_rows(result, left, right)
    true = set(zip(left.tolist(), right.tolist(), strict=True))
    found = _as_pairs(_matches_of(result))
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


def _labels_of(gold: Any) -> IntVector:
    """Number the true clusters of rows; a null is a cluster of its own."""
    table = as_table(gold, ONLY)
    if not table.single:
        raise InputError(
            f"True clusters are one label for each row. Got columns {list(table.columns)!r}. "
            "Hint: give the column."
        )
    cells = next(iter(table.columns.values())).to_list()
    _check_hashable(cells, "True clusters have unhashable labels")
    labels = factorize([None if is_null(cell) else cell for cell in cells])[1]
    alone = np.flatnonzero(labels == NULL)
    labels[alone] = len(cells) + alone
    return labels


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
    """Select the matches at threshold 0."""
    return result if isinstance(result, Matches) else result.all_matches()


def _as_pairs(matches: Matches) -> set[tuple[int, int]]:
    return set(zip(matches.left.tolist(), matches.right.tolist(), strict=True))


def _average_precision(ranked: Matches, true: set[tuple[int, int]]) -> float:
    """Sum of the precision times the gain in recall, over falling thresholds."""
    if not true:
        return float("nan")
    order = np.argsort(-ranked.score, kind="stable")
    pairs = zip(ranked.left[order].tolist(), ranked.right[order].tolist(), strict=True)
    is_right: BoolVector = np.array([pair in true for pair in pairs], dtype=bool)
    # Pairs of the same score are found at the same threshold.
    last = np.flatnonzero(np.diff(ranked.score[order], append=-1))
    found = np.cumsum(is_right)[last]
    return float(np.diff(found, prepend=0) @ (found / (last + 1)) / len(true))


def _check_rows(result: MatchResult | Matches, left: IntVector, right: IntVector) -> None:
    if not isinstance(result, MatchResult):
        return
    for rows, table in ((left, result._left), (right, result._right)):
        if len(rows) and rows.max() >= table.n_rows:
            raise InputError(
                f"A true pair names a {table.side} row that is not there. Got row {rows.max()} of "
                f"{table.n_rows}. Hint: rows are counted from 0; to name rows by a column of each "
                "table, give ids=(left_column, right_column)."
            )


def _rows_of_ids(
    result: MatchResult | Matches, gold: Any, ids: Sequence[Hashable]
) -> tuple[IntVector, IntVector]:
    if not isinstance(result, MatchResult):
        raise InputError(
            "ids= needs the tables. Got matches alone. Hint: give what pj.match(...) returned."
        )
    if isinstance(ids, str) or not isinstance(ids, Sized) or len(ids) != 2:
        raise InputError(
            f"ids= names a column of each table. Got {ids!r}. Hint: ids=('id', 'id') where both "
            "have that name."
        )
    tables = (result._left, result._right)
    left, right = (
        _rows_with_id(table, name, cells)
        for table, name, cells in zip(tables, ids, pair_cells(gold), strict=True)
    )
    return left, right


def _rows_with_id(table: Table, name: Hashable, wanted: list[Any]) -> IntVector:
    """Row positions of the wanted values of a column."""
    listed = table.column(name, "ids").to_list()
    _check_hashable(listed, f"The column {name!r} of the {table.side} table has unhashable values")
    _check_hashable(wanted, f"True pairs name {table.side} rows by unhashable values")
    position = {cell: row for row, cell in enumerate(listed)}
    if len(position) < len(listed):
        raise InputError(
            f"The column {name!r} of the {table.side} table does not tell rows apart. Got "
            f"{len(position)} values in {len(listed)} rows. Hint: name a column of unique values."
        )
    unknown = [cell for cell in wanted if cell not in position]
    if unknown:
        raise InputError(
            f"True pairs name {table.side} rows that are not there. Got {unknown[0]!r}, and "
            f"{len(unknown)} such in all, which {name!r} does not hold."
        )
    return np.array([position[cell] for cell in wanted], dtype=np.int64)


def _check_hashable(cells: list[Any], problem: str) -> None:
    for cell in cells:
        try:
            hash(cell)
        except (TypeError, ValueError) as error:
            raise InputError(
                f"{problem}. Got {cell!r}, a {type(cell).__name__}. Hint: name a column of text, "
                "numbers or tuples, or leave ids= out and give row positions."
            ) from error
