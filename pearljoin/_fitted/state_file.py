"""What is frozen as plain numbers, for a saved matcher; and read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from pearljoin._features.unmatched_tokens import SideCounts, TokenCounts
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._scoring.calibration import Calibration
from pearljoin._scoring.fellegi_sunter import RecordModel
from pearljoin._scoring.frozen_state import FrozenState, ScoreSample
from pearljoin._text.term_weights import TermWeights

__all__ = ["read_state", "read_statistics", "write_state", "write_statistics"]

Arrays = Mapping[str, NDArray[Any]]


def write_statistics(
    statistics: Sequence[ColumnStatistics],
) -> tuple[list[dict[str, Any]], dict[str, NDArray[Any]]]:
    """Return the statistics of the key columns as plain values and arrays by name."""
    content: list[dict[str, Any]] = []
    arrays: dict[str, NDArray[Any]] = {}
    for at, column in enumerate(statistics):
        described: dict[str, Any] = {"spread": column.spread}
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
        found.append(ColumnStatistics(terms, mean, float(described["spread"])))
    return tuple(found)


def write_state(state: FrozenState) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return what is frozen as plain values and arrays by name."""
    sample = state.sample
    content: dict[str, Any] = {"n_equal": sample.n_equal}
    arrays: dict[str, NDArray[Any]] = {
        "sample_best": sample.best,
        "sample_rivals": sample.rivals,
        "sample_scores": sample.scores,
        "sample_ranks": sample.ranks,
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
    if state.record_model is not None:
        model = state.record_model
        content["record_model"] = {
            "match_rate": model.match_rate,
            "calibration": model.calibration,
        }
        arrays["match_weights"] = model.weight
    return content, arrays


def read_state(content: Mapping[str, Any], arrays: Arrays) -> FrozenState:
    """Read what `write_state` returned; raises KeyError or ValueError if it is damaged."""
    sample = ScoreSample(
        arrays["sample_best"],
        arrays["sample_rivals"],
        arrays["sample_scores"],
        arrays["sample_ranks"],
        int(content["n_equal"]),
    )
    calibration = model = None
    if "calibration" in content:
        numbers = content["calibration"]
        calibration = Calibration(
            arrays["calibration_table"],
            TokenCounts(*(_side_counts(side, arrays) for side in TokenCounts._fields)),
            int(numbers["n_left"]),
        )
    if "record_model" in content:
        numbers = content["record_model"]
        learned = numbers["calibration"]
        model = RecordModel(
            arrays["match_weights"],
            float(numbers["match_rate"]),
            None if learned is None else (float(learned[0]), float(learned[1])),
        )
    return FrozenState(calibration, model, sample, arrays.get("neighbours"))


def _side_counts(side: str, arrays: Arrays) -> SideCounts:
    counts = (arrays[f"tokens_{side}{name}"] for name in ("", "_seen", "_unmatched"))
    return SideCounts(*counts)
