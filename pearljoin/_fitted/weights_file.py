"""Match weights as plain numbers, for a saved matcher; and read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._fitted.saved_arrays import (
    LARGEST_REAL,
    Arrays,
    real_number,
    take_flags,
    take_reals,
    whole_number,
)
from pearljoin._scoring.alternatives import Alternatives
from pearljoin._scoring.column_alternatives import ColumnAlternatives
from pearljoin._scoring.correction import KNOTS
from pearljoin._scoring.match_weights import ColumnWeights, MatchWeights
from pearljoin._scoring.mixture import LARGEST_RATIO
from pearljoin._scoring.null_shift import LARGEST
from pearljoin._scoring.other_people import People
from pearljoin._scoring.record_table import RECORD_TABLE_FEATURES
from pearljoin._scoring.shared_columns import SharedColumns
from pearljoin._scoring.siblings import Siblings
from pearljoin._scoring.text_siblings import TEXT_TABLE_FEATURES
from pearljoin._typing import FloatVector

__all__ = ["read_alternatives", "read_weights", "write_weights"]

SHARES = "same", "related"
"""The parts of `SharedColumns` beside its sets."""

RATIOS = "siblings_ratio", "siblings_known_ratio"
"""The arrays of `Siblings` by column."""

FEWEST_KNOTS = 2
"""Levels of a column at least: conflict and equality."""

LARGEST_LOGARITHM = 50.0
"""Of numbers of records and of pairs a record, at most."""

TINY = 1e-12
"""How far a match rate is from 0 and 1, at least."""


def write_weights(
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
    if found.texts is not None:
        arrays[f"{prefix}texts"] = found.texts
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
            str(at): write_weights(learned, arrays, f"{prefix}text_{at}_")
            for at, learned in found.of_values.items()
        }
    return content


def read_weights(content: Mapping[str, Any], arrays: Arrays, prefix: str = "") -> MatchWeights:
    """Read what `write_weights` returned; raises KeyError or ValueError if it is damaged."""
    n_columns = sum(name.startswith(f"{prefix}match_weights_") for name in arrays)
    weights = tuple(
        take_reals(arrays, f"{prefix}match_weights_{at}", (None,), dtype=np.float64)
        for at in range(n_columns)
    )
    if min(map(len, weights), default=0) < FEWEST_KNOTS:
        raise ValueError("a column has no match weights")
    correction = None
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
            int(at): read_weights(learned, arrays, f"text_{int(at)}_")
            for at, learned in dict(content["of_values"]).items()
        }
    return MatchWeights(
        tuple(map(ColumnWeights, weights)),
        real_number(content["match_rate"], "the match rate", least=TINY, most=1 - TINY),
        real_number(content["n_right"], "n_right", least=0),
        _vector(arrays, f"{prefix}record_table", len(RECORD_TABLE_FEATURES)),
        correction,
        tuple(passing),
        _shared(arrays, n_columns, prefix),
        of_values,
        _some_weights(arrays, weights, f"{prefix}known"),
        # Files of before this was learned have none.
        real_number(content.get("null_shift", 0.0), "null_shift", least=-LARGEST, most=0.0),
        read_alternatives(content),
        _usual_weights(arrays, weights, prefix),
        _of_columns(content, n_columns),
        _siblings(content, arrays, weights, prefix),
        _steps(content, n_columns),
        _people(content, n_columns),
        _vector(arrays, f"{prefix}texts", len(TEXT_TABLE_FEATURES), most=LARGEST_LOGARITHM),
    )


def _vector(
    arrays: Arrays, name: str, length: int, most: float = LARGEST_REAL
) -> FloatVector | None:
    return take_reals(arrays, name, (length,), least=-most, most=most) if name in arrays else None


def read_alternatives(content: Mapping[str, Any]) -> Alternatives:
    """Read the words that name different things; files of before these were learned have none."""
    return _word_pairs(content.get("alternatives", []))


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
        found[int(at)] = ColumnAlternatives(read_alternatives(each), beside, names)
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
    most, named = n_columns - 1, known.get("by_values")
    own = (whole_number(at, "a column of one's own", most=most) for at in known.get("own", ()))
    said = [known.get(name, False) for name in ("are_named", "beside_others")]
    if not all(isinstance(each, bool) for each in said):
        raise ValueError(f"whether records are of people is {said!r}")
    at = None if named is None else whole_number(named, "the column of names", most=most)
    return People(said[0], tuple(own), by_values=at, beside_others=said[1])
