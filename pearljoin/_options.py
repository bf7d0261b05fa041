"""The options of a join, checked in one place and carried as one value."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pearljoin._decision.thresholds import FixedThreshold, PrecisionTarget, Threshold, as_threshold
from pearljoin._errors import InputError
from pearljoin._typing import Constraint, How

__all__ = ["MatchOptions", "read_constraint", "read_how", "read_k", "read_weights"]

CONSTRAINTS: dict[str, Constraint] = {
    "many_to_one": "many_to_one",
    "one_to_one": "one_to_one",
    "many_to_many": "many_to_many",
    "m:1": "many_to_one",
    "1:1": "one_to_one",
    "m:m": "many_to_many",
}
DEVICES = ("auto", "cpu", "cuda")
HOWS: dict[str, How] = {
    "left": "left",
    "inner": "inner",
    "right": "right",
    "full": "full",
    "outer": "full",
    "semi": "semi",
    "anti": "anti",
}


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """Everything that says how two sides are matched, apart from which columns are the keys."""

    threshold: Threshold
    constraint: Constraint
    k: int | None
    weights: Any
    encoder: Any
    nulls_equal: bool
    device: str
    batch_size: int | None
    verbose: bool | None

    @classmethod
    def read(
        cls,
        *,
        threshold: Any,
        precision: float,
        constraint: str,
        k: int | None,
        weights: Any,
        encoder: Any,
        nulls_equal: bool,
        device: str,
        batch_size: int | None,
        verbose: bool | None,
    ) -> MatchOptions:
        """Check the arguments of the public functions.

        Raises
        ------
        InputError
            If one of them is not understood or two of them contradict each other.
        """
        read = read_constraint(constraint)
        is_whole = isinstance(batch_size, int | np.integer) and not isinstance(batch_size, bool)
        if batch_size is not None and (not is_whole or batch_size < 1):
            raise InputError(f"The batch_size must be a whole number above 0. Got {batch_size!r}.")
        if device not in DEVICES:
            raise InputError(
                f"device= is not understood. Got {device!r}. Hint: one of {', '.join(DEVICES)}."
            )
        return cls(
            as_threshold(threshold, precision),
            read,
            read_k(k, read),
            weights,
            encoder,
            bool(nulls_equal),
            device,
            None if batch_size is None else int(batch_size),
            verbose,
        )

    def to_dict(self) -> dict[str, Any]:
        """The options as plain values that `read` takes again.

        Raises
        ------
        InputError
            If the threshold is of a kind that has no plain form.
        """
        named = isinstance(self.encoder, str | os.PathLike)
        options: dict[str, Any] = {
            "constraint": self.constraint,
            "k": self.k,
            "weights": self.weights.tolist()
            if isinstance(self.weights, np.ndarray)
            else self.weights,
            "encoder": os.fspath(self.encoder) if named else None,
            "nulls_equal": self.nulls_equal,
            "device": self.device,
            "batch_size": self.batch_size,
            "verbose": self.verbose,
        }
        if isinstance(self.threshold, FixedThreshold):
            return {**options, "threshold": self.threshold.value}
        if isinstance(self.threshold, PrecisionTarget):
            return {**options, "threshold": "auto", "precision": self.threshold.precision}
        raise InputError(
            f"A threshold of this kind cannot be saved. Got {type(self.threshold).__name__}. "
            "Hint: save with a number or 'auto', and give the threshold when deciding."
        )

    def with_decision(self, constraint: str | None, k: int | None) -> MatchOptions:
        """The same with another constraint; `k` goes with the constraint it was given for."""
        if constraint is None:
            return replace(self, k=read_k(self.k if k is None else k, self.constraint))
        read = read_constraint(constraint)
        return replace(self, constraint=read, k=read_k(k, read))


def read_constraint(constraint: str) -> Constraint:
    """Read a cardinality by either of its names."""
    chosen: Constraint = _choose(constraint, CONSTRAINTS, "constraint")
    return chosen


def read_how(how: str) -> How:
    """Read the kind of join by any of its names."""
    chosen: How = _choose(how, HOWS, "how")
    return chosen


def _choose(given: Any, known: Mapping[str, Any], name: str) -> Any:
    if isinstance(given, str) and given in known:
        return known[given]
    choices = ", ".join(repr(choice) for choice in known)
    raise InputError(f"{name}= is not understood. Got {given!r}. Hint: one of {choices}.")


def read_k(k: int | None, constraint: Constraint) -> int | None:
    """Check `k`, which only many_to_many has a use for."""
    if k is None:
        return None
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise InputError(f"k must be a whole number above 0, or None for no limit. Got {k!r}.")
    if constraint != "many_to_many":
        raise InputError(
            f"k limits the matches of a left row, and under constraint={constraint!r} there is at "
            f"most one. Got k={k}. Hint: leave k out, or set constraint='many_to_many'."
        )
    return int(k)


def read_weights(weights: Any, keys: Sequence[Any]) -> NDArray[np.float64]:
    """Read per-column weights, by key column or in the order of the keys.

    Returns
    -------
    weights
        float64 of shape (n_keys,); they sum to 1. Equal where none are given.

    Raises
    ------
    InputError
        If they are not as many as the keys, negative, not finite, or all zero.
    """
    if weights is None:
        return np.full(len(keys), 1 / len(keys))
    if isinstance(weights, Mapping):
        unknown = [name for name in weights if name not in keys]
        if unknown:
            raise InputError(
                f"weights= names columns that are no keys. Got {unknown!r}. "
                f"Hint: the keys are {list(keys)!r}."
            )
        weights = [weights.get(name, 1.0) for name in keys]
    try:
        values = np.asarray(list(np.atleast_1d(weights)), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"weights= must be numbers. Got {weights!r}.") from error
    if values.shape != (len(keys),):
        raise InputError(
            f"weights= must have one number a key column. Got {len(values)} for {list(keys)!r}."
        )
    if not np.isfinite(values).all() or (values < 0).any() or not values.sum() > 0:
        raise InputError(
            f"weights= must be 0 or more, finite, and not all 0. Got {weights!r}. "
            "Hint: weights=[2, 1] lets the first key column count twice as much."
        )
    return np.asarray(values / values.sum(), dtype=np.float64)
