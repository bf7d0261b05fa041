"""What is frozen as plain numbers, for a saved matcher; and read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._features.context import TABLE_FEATURES
from pearljoin._features.unmatched_tokens import SideCounts, TokenCounts
from pearljoin._fitted.saved_arrays import (
    LARGEST_REAL,
    Arrays,
    real_number,
    take_flags,
    take_reals,
    take_whole,
    whole_number,
)
from pearljoin._records.column_statistics import ColumnStatistics
from pearljoin._scoring.alternatives import Alternatives
from pearljoin._scoring.calibration import Calibration
from pearljoin._scoring.column_alternatives import ColumnAlternatives
from pearljoin._scoring.correction import KNOTS
from pearljoin._scoring.frozen_state import FrozenState, ScoreSample
from pearljoin._scoring.match_weights import ColumnWeights, MatchWeights
from pearljoin._scoring.mixture import LARGEST_RATIO
from pearljoin._scoring.null_shift import LARGEST
from pearljoin._scoring.other_people import People
from pearljoin._scoring.qualifiers import Qualifiers
from pearljoin._scoring.record_table import RECORD_TABLE_FEATURES
from pearljoin._scoring.shared_columns import SharedColumns
from pearljoin._scoring.siblings import Siblings
from pearljoin._search.tfidf import N_COLUMNS
from pearljoin._text.term_weights import TermWeights
from pearljoin._typing import FloatVector

__all__ = ["read_state", "read_statistics", "write_state", "write_statistics"]

SHARES = "same", "related"
"""The parts of `SharedColumns` beside its sets."""

RATIOS = "siblings_ratio", "siblings_known_ratio"
"""The arrays of `Siblings` by column."""

ROUNDING = 0.01
"""How far beyond [0, 1] a score may be."""

FEWEST_KNOTS = 2
"""Levels of a column at least: conflict and equality."""

LONGEST = 1.01
"""Largest number of a vector of unit length, with what rounding adds."""

FLOATS = np.finfo(np.float64)

TINY = 1e-12
"""How far a match rate is from 0 and 1, at least."""


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
        content["match_weights"] = _write_weights(state.match_weights, arrays)
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
        weights = _match_weights(content["match_weights"], arrays)
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
        _alternatives(content),
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


def _write_weights(
    found: MatchWeights, arrays: dict[str, NDArray[Any]], prefix: str = ""
) -> dict[str, Any]:
    """Put the arrays of match weights among others; return the rest."""
    content: dict[str, Any] = {
        "match_rate": found.match_rate,
        "n_right": found.n_right,
        "passing": list(found.passing),
        "alternatives": list(found.alternatives.pairs),
        "null_shift": found.null_shift,
    }
    for at, column in enumerate(found.columns):
        arrays[f"{prefix}match_weights_{at}"] = column.weight
    for at, column in found.known.items():
        arrays[f"{prefix}known_weights_{at}"] = column.weight
    for at, column in enumerate(found.usual):
        arrays[f"{prefix}usual_weights_{at}"] = column.weight
    if found.table is not None:
        arrays[f"{prefix}record_table"] = found.table
    if found.correction is not None:
        arrays[f"{prefix}correction"] = found.correction
    if found.siblings is not None:
        content["siblings"] = {"log_odds": found.siblings.log_odds, "trust": found.siblings.trust}
        arrays[f"{prefix}siblings_covered"] = found.siblings.covered
        learned = found.siblings.ratios, found.siblings.known_ratios
        for name, ratios in zip(RATIOS, learned, strict=True):
            arrays |= {f"{prefix}{name}_{at}": ratio for at, ratio in enumerate(ratios)}
    if found.shared is not None:
        for name in ("sets", *SHARES):
            arrays[f"{prefix}shared_{name}"] = getattr(found.shared, name)
    content["of_columns"] = {
        str(at): {
            "alternatives": list(each.words.pairs),
            "beside": dict(each.beside),
            "names": list(each.names.pairs),
        }
        for at, each in found.of_columns.items()
    }
    content["steps"] = {str(at): step for at, step in found.steps.items()}
    content["people"] = dict(vars(found.people))
    if found.of_values is not None:
        content["of_values"] = {
            str(at): _write_weights(learned, arrays, f"{prefix}text_{at}_")
            for at, learned in found.of_values.items()
        }
    return content


def _match_weights(content: Mapping[str, Any], arrays: Arrays, prefix: str = "") -> MatchWeights:
    n_columns = sum(name.startswith(f"{prefix}match_weights_") for name in arrays)
    weights = tuple(
        take_reals(arrays, f"{prefix}match_weights_{at}", (None,), dtype=np.float64)
        for at in range(n_columns)
    )
    if min(map(len, weights), default=0) < FEWEST_KNOTS:
        raise ValueError("a column has no match weights")
    table = correction = None
    if f"{prefix}record_table" in arrays:
        table = take_reals(arrays, f"{prefix}record_table", (len(RECORD_TABLE_FEATURES),))
    if f"{prefix}correction" in arrays:
        correction = take_reals(arrays, f"{prefix}correction", KNOTS.shape, dtype=np.float64)
    # Files of before these words were learned have none.
    passing = content.get("passing", ())
    if not all(isinstance(word, str) for word in passing):
        raise ValueError(f"words that tell nothing are {passing!r}")
    of_values = None
    # Files of before records of one table were told to be combinations of values have none.
    if "of_values" in content and not prefix:
        of_values = {
            int(at): _match_weights(learned, arrays, f"text_{int(at)}_")
            for at, learned in dict(content["of_values"]).items()
        }
    return MatchWeights(
        tuple(map(ColumnWeights, weights)),
        real_number(content["match_rate"], "the match rate", least=TINY, most=1 - TINY),
        real_number(content["n_right"], "n_right", least=0),
        table,
        correction,
        tuple(passing),
        _shared(arrays, n_columns, prefix),
        of_values,
        _some_weights(arrays, weights, f"{prefix}known"),
        # Files of before this was learned have none.
        real_number(content.get("null_shift", 0.0), "null_shift", least=-LARGEST, most=0.0),
        _alternatives(content),
        _usual_weights(arrays, weights, prefix),
        _of_columns(content, n_columns),
        _siblings(content, arrays, weights, prefix),
        _steps(content, n_columns),
        _people(content, n_columns),
    )


def _alternatives(content: Mapping[str, Any]) -> Alternatives:
    """Read the words that name different things; files of before these were learned have none."""
    return _word_pairs(content.get("alternatives", []))


def _qualifiers(content: Mapping[str, Any]) -> Qualifiers:
    """Read the words that a reference has and lacks; files of before have none."""
    found = content.get("qualifiers", [])
    if not all(isinstance(phrase, str) and phrase.split() for phrase in found):
        raise ValueError(f"words that a reference has and lacks are {found!r}")
    return Qualifiers(tuple(found))


def _word_pairs(found: Any) -> Alternatives:
    for pair in found if isinstance(found, list) else [found]:
        words = pair if isinstance(pair, list) else [pair]
        is_text = all(isinstance(word, str) and word.split() for word in words)
        if not is_text or len(words) != 2 or words[0] == words[1]:
            raise ValueError(f"words that name different things are {pair!r}")
    return Alternatives(tuple((one, other) for one, other in found))


def _of_columns(content: Mapping[str, Any], n_columns: int) -> dict[int, ColumnAlternatives]:
    """Read the alternatives of columns; files of before these were learned have none."""
    found = {}
    for at, each in dict(content.get("of_columns", {})).items():
        beside = {
            str(word): real_number(usual, "agreement", least=0.0, most=1.0)
            for word, usual in dict(each["beside"]).items()
        }
        names = _word_pairs(each["names"])
        found[int(at)] = ColumnAlternatives(_alternatives(each), beside, names)
    if not set(found) <= set(range(n_columns)):
        raise ValueError(f"alternatives are of columns {sorted(found)}, of {n_columns}")
    return found


def _usual_weights(
    arrays: Arrays, weights: Sequence[NDArray[np.float64]], prefix: str
) -> tuple[ColumnWeights, ...]:
    """Read the usual weights of all columns; files of before these were kept have none."""
    found = _some_weights(arrays, weights, f"{prefix}usual")
    if found and len(found) < len(weights):
        raise ValueError("a column has no usual match weights")
    return tuple(found.values())


def _some_weights(
    arrays: Arrays, weights: Sequence[NDArray[np.float64]], which: str
) -> dict[int, ColumnWeights]:
    """Read what more is known of some columns; files of before that have none."""
    names = {at: f"{which}_weights_{at}" for at in range(len(weights))}
    return {
        at: ColumnWeights(take_reals(arrays, name, weights[at].shape, dtype=np.float64))
        for at, name in names.items()
        if name in arrays
    }


def _shared(arrays: Arrays, n_columns: int, prefix: str) -> SharedColumns | None:
    """Read how often pairs share columns; files of before this was learned have none."""
    if f"{prefix}shared_sets" not in arrays:
        return None
    sets = take_flags(arrays, f"{prefix}shared_sets", (None, n_columns))
    of_sets: dict[str, Any] = {"shape": (len(sets),), "least": 0, "most": 1, "dtype": np.float64}
    same, related = (take_reals(arrays, f"{prefix}shared_{name}", **of_sets) for name in SHARES)
    return SharedColumns(sets, same, related)


def _siblings(
    content: Mapping[str, Any], arrays: Arrays, weights: Sequence[NDArray[np.float64]], prefix: str
) -> Siblings | None:
    """Read how siblings compare; files of before this was learned have nothing of it."""
    if "siblings" not in content:
        return None
    known = dict(content["siblings"])
    shares: dict[str, Any] = {"least": 0, "most": 1, "dtype": np.float64}
    covered = take_reals(arrays, f"{prefix}siblings_covered", (len(weights),), **shares)
    bounds: dict[str, Any] = {"least": -LARGEST_RATIO, "most": LARGEST_RATIO, "dtype": np.float64}
    # Files of before different known values were told from others have one name.
    names = RATIOS if f"{prefix}{RATIOS[1]}_0" in arrays else RATIOS[:1] * 2
    ratios, known_ratios = (
        tuple(
            take_reals(arrays, f"{prefix}{name}_{at}", weight.shape, **bounds)
            for at, weight in enumerate(weights)
        )
        for name in names
    )
    log_odds = real_number(known.get("log_odds"), "log odds of answers", least=-LARGEST_REAL)
    trust = real_number(known.get("trust"), "trust in siblings", least=0, most=1)
    return Siblings(ratios, known_ratios, log_odds, covered, trust)


def _steps(content: Mapping[str, Any], n_columns: int) -> dict[int, float]:
    """Read the steps of series; files of before these were learned have none."""
    found = {
        int(at): real_number(step, "the step of a series", least=TINY)
        for at, step in dict(content.get("steps", {})).items()
    }
    if not set(found) <= set(range(n_columns)):
        raise ValueError(f"series are of columns {sorted(found)}, of {n_columns}")
    return found


def _people(content: Mapping[str, Any], n_columns: int) -> People:
    """Read by which columns people are known; files of before this was learned name nobody."""
    known = dict(content.get("people", {}))
    most, named, is_named = n_columns - 1, known.get("by_values"), known.get("are_named", False)
    own = (whole_number(at, "a column of one's own", most=most) for at in known.get("own", ()))
    if not isinstance(is_named, bool):
        raise ValueError(f"whether records are of people is {is_named!r}")
    by_values = () if named is None else (whole_number(named, "the column of names", most=most),)
    return People(is_named, tuple(own), *by_values)


def _side_counts(name: str, arrays: Arrays) -> SideCounts:
    return SideCounts(*_counts(arrays, name, f"{name}_seen", f"{name}_unmatched"))


def _counts(arrays: Arrays, name: str, *counts: str) -> tuple[NDArray[Any], ...]:
    """Take columns of n-grams and words, ascending, and one or more counts of each."""
    columns = take_whole(arrays, name, (None,), most=N_COLUMNS - 1)
    if (np.diff(columns) <= 0).any():
        raise ValueError(f"{name!r} does not ascend")
    return columns, *(take_reals(arrays, each, columns.shape, least=0) for each in counts)
