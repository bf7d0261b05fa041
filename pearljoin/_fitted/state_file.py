"""What is frozen as plain numbers, for a saved matcher; and read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._features.context import TABLE_FEATURES
from pearljoin._features.unmatched_tokens import SideCounts, TokenCounts
from pearljoin._fitted.saved_arrays import (
    Arrays,
    real_number,
    take_reals,
    take_whole,
    whole_number,
)
from pearljoin._fitted.weights_file import read_alternatives, read_weights, write_weights
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._scoring.calibration import Calibration
from pearljoin._scoring.frozen_state import FrozenState, ScoreSample
from pearljoin._scoring.qualifiers import Qualifiers
from pearljoin._search.tfidf import N_COLUMNS
from pearljoin._text.term_weights import TermWeights
from pearljoin._typing import FloatVector

__all__ = ["read_state", "read_statistics", "write_state", "write_statistics"]

ROUNDING = 0.01
"""How far beyond [0, 1] a score may be."""

LONGEST = 1.01
"""Largest number of a vector of unit length, with what rounding adds."""

FLOATS = np.finfo(np.float64)


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
            columns, texts = _counts(arrays, f"terms_{at}", f"texts_{at}")
            terms = TermWeights(columns, texts, whole_number(described["n_texts"], "n_texts"))
            mean = take_reals(arrays, f"mean_{at}", (None,), least=-LONGEST, most=LONGEST)
        spread = real_number(described["spread"], "a spread", least=FLOATS.tiny, most=FLOATS.max)
        # Files of before row numbers were told apart have them in the whole records.
        is_row_number = described.get("is_row_number", False) is True
        found.append(ColumnStatistics(terms, mean, spread, is_row_number))
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
        content["calibration"] = _write_calibration(state.calibration, arrays)
    if state.compares_values:
        content["is_crossed"] = state.is_crossed
        content["of_values"] = {
            str(at): _write_calibration(learned, arrays, f"values_{at}_")
            for at, learned in state.of_values.items()
        }
    if state.match_weights is not None:
        content["match_weights"] = write_weights(state.match_weights, arrays)
    return content, arrays


def read_state(content: Mapping[str, Any], arrays: Arrays) -> FrozenState:
    """Read what `write_state` returned; raises KeyError or ValueError if it is damaged."""
    n_equal = whole_number(content["n_equal"], "n_equal")
    sample, same = (_sample(name, arrays, n_equal) for name in ("sample", "same"))
    calibration = weights = neighbours = None
    if "calibration" in content:
        calibration = _calibration(content["calibration"], arrays)
    of_values = {
        int(at): _calibration(learned, arrays, f"values_{int(at)}_")
        for at, learned in dict(content.get("of_values", {})).items()
    }
    if "match_weights" in content:
        weights = read_weights(content["match_weights"], arrays)
    if "neighbours" in arrays:
        neighbours = _scores(arrays, "neighbours", (None,))
    # Files of before values were compared by themselves say nothing of it.
    compares_values = "of_values" in content
    is_crossed = compares_values and content.get("is_crossed", True) is True
    rest = sample, same, neighbours, is_crossed, compares_values, of_values
    return FrozenState(calibration, weights, *rest)


def _write_calibration(
    learned: Calibration, arrays: dict[str, NDArray[Any]], prefix: str = ""
) -> dict[str, Any]:
    """Put the arrays of a calibration among others; return the rest."""
    arrays[f"{prefix}calibration_table"] = learned.table
    for side, counts in zip(TokenCounts._fields, learned.counts, strict=True):
        arrays[f"{prefix}tokens_{side}"] = counts.column
        arrays[f"{prefix}tokens_{side}_seen"] = counts.seen
        arrays[f"{prefix}tokens_{side}_unmatched"] = counts.unmatched
    words = {"alternatives": learned.alternatives.pairs, "qualifiers": learned.qualifiers.phrases}
    return {"n_left": learned.n_left, "names_people": learned.names_people, **words}


def _calibration(content: Mapping[str, Any], arrays: Arrays, prefix: str = "") -> Calibration:
    return Calibration(
        take_reals(arrays, f"{prefix}calibration_table", (len(TABLE_FEATURES),)),
        TokenCounts(
            *(_side_counts(f"{prefix}tokens_{side}", arrays) for side in TokenCounts._fields)
        ),
        whole_number(content["n_left"], "n_left"),
        read_alternatives(content),
        _qualifiers(content),
        content.get("names_people", False) is True,
    )


def _sample(name: str, arrays: Arrays, n_equal: int) -> ScoreSample:
    best, scores = (_scores(arrays, f"{name}_{part}", (None,)) for part in ("best", "scores"))
    rivals = _scores(arrays, f"{name}_rivals", best.shape)
    return ScoreSample(
        best, rivals, scores, take_whole(arrays, f"{name}_ranks", scores.shape), n_equal
    )


def _scores(arrays: Arrays, name: str, shape: tuple[int | None, ...]) -> FloatVector:
    return take_reals(arrays, name, shape, least=-ROUNDING, most=1 + ROUNDING)


def _qualifiers(content: Mapping[str, Any]) -> Qualifiers:
    """Read the words that a reference has and lacks; files of before have none."""
    found = content.get("qualifiers", [])
    if not all(isinstance(phrase, str) and phrase.split() for phrase in found):
        raise ValueError(f"words that a reference has and lacks are {found!r}")
    return Qualifiers(tuple(found))


def _side_counts(name: str, arrays: Arrays) -> SideCounts:
    return SideCounts(*_counts(arrays, name, f"{name}_seen", f"{name}_unmatched"))


def _counts(arrays: Arrays, name: str, *counts: str) -> tuple[NDArray[Any], ...]:
    """Take columns of n-grams and words, ascending, and one or more counts of each."""
    columns = take_whole(arrays, name, (None,), most=N_COLUMNS - 1)
    if (np.diff(columns) <= 0).any():
        raise ValueError(f"{name!r} does not ascend")
    return columns, *(take_reals(arrays, each, columns.shape, least=0) for each in counts)
