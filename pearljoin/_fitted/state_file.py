"""What is frozen as plain numbers, for a saved matcher; and read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from pearljoin._features.unmatched_tokens import SideCounts, TokenCounts
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._scoring.calibration import Calibration
from pearljoin._scoring.correction import KNOTS
from pearljoin._scoring.frozen_state import FrozenState, ScoreSample
from pearljoin._scoring.match_weights import ColumnWeights, MatchWeights
from pearljoin._scoring.record_table import RECORD_TABLE_FEATURES
from pearljoin._scoring.shared_columns import SharedColumns
from pearljoin._text.term_weights import TermWeights

__all__ = ["read_state", "read_statistics", "write_state", "write_statistics"]

Arrays = Mapping[str, NDArray[Any]]

SHARED = "sets", "same", "related"
"""The parts of `SharedColumns`."""


def write_statistics(
    statistics: Sequence[ColumnStatistics],
) -> tuple[list[dict[str, Any]], dict[str, NDArray[Any]]]:
    """Return the statistics of the key columns as plain values and arrays by name."""
    content: list[dict[str, Any]] = []
    arrays: dict[str, NDArray[Any]] = {}
    for at, column in enumerate(statistics):
        described: dict[str, Any] = {"spread": column.spread, "is_row_number": column.is_row_number}
        if column.terms is not None and column.mean is not None:
            described["n_texts"] = column.terms.n_texts
            arrays[f"terms_{at}"] = column.terms.columns
            arrays[f"texts_{at}"] = column.terms.texts
            arrays[f"mean_{at}"] = column.mean
        content.append(described)
    return content, arrays


def read_statistics(
    content: Sequence[Mapping[str, Any]], arrays: Arrays
) -> tuple[ColumnStatistics, ...]:
    """Read what `write_statistics` returned; raises KeyError or ValueError if it is damaged."""
    found = []
    for at, described in enumerate(content):
        terms = mean = None
        if "n_texts" in described:
            columns, texts = arrays[f"terms_{at}"], arrays[f"texts_{at}"]
            if columns.shape != texts.shape or (len(columns) and columns.min() < 0):
                raise ValueError("term counts do not fit together")
            terms = TermWeights(columns, texts, int(described["n_texts"]))
            mean = arrays[f"mean_{at}"]
        # Files of before row numbers were told apart have them in the whole records.
        is_row_number = described.get("is_row_number", False) is True
        found.append(ColumnStatistics(terms, mean, float(described["spread"]), is_row_number))
    return tuple(found)


def write_state(state: FrozenState) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return what is frozen as plain values and arrays by name."""
    content: dict[str, Any] = {"n_equal": state.sample.n_equal}
    arrays = {
        f"{name}_{part}": getattr(some, part)
        for name, some in (("sample", state.sample), ("same", state.same_sample))
        for part in ("best", "rivals", "scores", "ranks")
    }
    if state.neighbours is not None:
        arrays["neighbours"] = state.neighbours
    if state.calibration is not None:
        learned = state.calibration
        content["calibration"] = {"n_left": learned.n_left}
        arrays["calibration_table"] = learned.table
        for side, counts in zip(TokenCounts._fields, learned.counts, strict=True):
            arrays[f"tokens_{side}"] = counts.column
            arrays[f"tokens_{side}_seen"] = counts.seen
            arrays[f"tokens_{side}_unmatched"] = counts.unmatched
    if state.match_weights is not None:
        found = state.match_weights
        content["match_weights"] = {
            "match_rate": found.match_rate,
            "n_right": found.n_right,
            "passing": list(found.passing),
        }
        for at, column in enumerate(found.columns):
            arrays[f"match_weights_{at}"] = column.weight
        if found.table is not None:
            arrays["record_table"] = found.table
        if found.correction is not None:
            arrays["correction"] = found.correction
        if found.shared is not None:
            for name in SHARED:
                arrays[f"shared_{name}"] = getattr(found.shared, name)
    return content, arrays


def read_state(content: Mapping[str, Any], arrays: Arrays) -> FrozenState:
    """Read what `write_state` returned; raises KeyError or ValueError if it is damaged."""
    sample, same = (
        ScoreSample(
            arrays[f"{name}_best"],
            arrays[f"{name}_rivals"],
            arrays[f"{name}_scores"],
            arrays[f"{name}_ranks"],
            int(content["n_equal"]),
        )
        for name in ("sample", "same")
    )
    calibration = model = None
    if "calibration" in content:
        numbers = content["calibration"]
        calibration = Calibration(
            arrays["calibration_table"],
            TokenCounts(*(_side_counts(side, arrays) for side in TokenCounts._fields)),
            int(numbers["n_left"]),
        )
    if "match_weights" in content:
        numbers = content["match_weights"]
        names = sorted(
            (name for name in arrays if name.startswith("match_weights_")),
            key=lambda name: int(name.rpartition("_")[2]),
        )
        columns = tuple(ColumnWeights(arrays[name]) for name in names)
        table = arrays.get("record_table")
        if table is not None and table.shape != (len(RECORD_TABLE_FEATURES),):
            raise ValueError("the features of the tables are not those of this version")
        correction = arrays.get("correction")
        if correction is not None and correction.shape != KNOTS.shape:
            raise ValueError("the correction of log odds is not of this version")
        rates = float(numbers["match_rate"]), float(numbers["n_right"])
        # Files of before these words were learned have none.
        passing = tuple(map(str, numbers.get("passing", ())))
        model = MatchWeights(columns, *rates, table, correction, passing, _shared(arrays))
    return FrozenState(calibration, model, sample, same, arrays.get("neighbours"))


def _shared(arrays: Arrays) -> SharedColumns | None:
    """Read how often pairs share columns; files of before this was learned have none."""
    if "shared_sets" not in arrays:
        return None
    shared = SharedColumns(*(arrays[f"shared_{name}"] for name in SHARED))
    if not len(shared.sets) == len(shared.same) == len(shared.related):
        raise ValueError("the shares of pairs do not fit together")
    return shared


def _side_counts(side: str, arrays: Arrays) -> SideCounts:
    counts = (arrays[f"tokens_{side}{name}"] for name in ("", "_seen", "_unmatched"))
    return SideCounts(*counts)
