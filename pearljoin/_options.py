"""The options of a join: one list of names and defaults, checked once and handed on.

Their names, order and defaults are the fields of three classes: `KeyOptions` (in
`pearljoin._tables.keys`), `MatchOptions` and `JoinOptions`. `fuzzy_join`, `match`, `Matcher`,
`FuzzyJoiner` and the command line spell them in their signatures, for editors; a test compares.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, TypeVar, cast, get_args

import numpy as np
from numpy.typing import NDArray

from pearljoin._decision.thresholds import FixedThreshold, PrecisionTarget, Threshold, as_threshold
from pearljoin._errors import InputError, did_you_mean, nearest, partner_hint
from pearljoin._kinds.protocol import Kind
from pearljoin._typing import Columns, Constraint, ConstraintName, Device, How, HowName, Weights

__all__ = [
    "DeduplicateArguments",
    "EncoderLike",
    "JoinArguments",
    "JoinOptions",
    "MatchArguments",
    "MatchOptions",
    "ThresholdLike",
    "names_of",
    "pick",
    "read_constraint",
    "read_how",
    "read_k",
    "read_weights",
]

CONSTRAINTS: dict[str, Constraint] = {
    **{name: name for name in get_args(Constraint)},
    "m:1": "many_to_one",
    "1:1": "one_to_one",
    "m:m": "many_to_many",
}
DEVICES: dict[str, Device] = {name: name for name in get_args(Device)}
HOWS: dict[str, How] = {
    "left": "left",
    "inner": "inner",
    "right": "right",
    "full": "full",
    "outer": "full",
    "semi": "semi",
    "anti": "anti",
}

LARGEST_K = np.iinfo(np.int64).max

ThresholdLike: TypeAlias = float | Literal["auto"] | Threshold


class HasEncode(Protocol):
    """Any object with a method that encodes a list of texts."""

    def encode(self, *args: Any, **kwargs: Any) -> Any:
        """Encode texts."""
        ...


class HasTransform(Protocol):
    """A scikit-learn vectoriser or transformer."""

    def transform(self, *args: Any, **kwargs: Any) -> Any:
        """Encode texts."""
        ...


EncoderLike: TypeAlias = (
    str | os.PathLike[str] | HasEncode | HasTransform | Callable[[list[str]], Any]
)


class MatchArguments(TypedDict, total=False):
    """What `match` takes beside the tables, for type checkers."""

    on: Columns | None
    left_on: Columns | None
    right_on: Columns | None
    by: Columns | None
    left_by: Columns | None
    right_by: Columns | None
    veto: Columns | None
    kinds: Mapping[Any, Kind] | None
    geo: tuple[Any, Any] | None
    phone_region: str | None
    threshold: ThresholdLike
    precision: float
    constraint: ConstraintName
    k: int | None
    weights: Weights | None
    encoder: EncoderLike
    nulls_equal: bool
    device: Device
    batch_size: int | None
    verbose: bool | None


class JoinArguments(MatchArguments, total=False):
    """What `fuzzy_join` takes beside the tables, for type checkers."""

    how: HowName
    suffix: str | Sequence[str]
    score: str | None


class DeduplicateArguments(TypedDict, total=False):
    """What `deduplicate` takes beside the table, for type checkers."""

    on: Columns | None
    by: Columns | None
    veto: Columns | None
    kinds: Mapping[Any, Kind] | None
    geo: tuple[Any, Any] | None
    phone_region: str | None
    threshold: ThresholdLike
    precision: float
    weights: Weights | None
    encoder: EncoderLike
    cluster: str
    canonical: str
    nulls_equal: bool
    device: Device
    batch_size: int | None
    verbose: bool | None


AUTO: Any = "auto"


@dataclass(frozen=True, slots=True)
class JoinOptions:
    """How matches become a table."""

    how: HowName = "left"
    suffix: str | Sequence[str] = "_right"
    score: str | None = "match_score"


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """How two tables are matched, apart from which columns are the keys.

    The arguments of the public functions go in; what they mean is read from them once.

    Raises
    ------
    InputError
        If one of them is not understood or two of them contradict each other.
    """

    threshold: Threshold = AUTO  # read below, as are the short forms of others
    precision: float = 0.9
    constraint: Constraint = "many_to_one"
    k: int | None = None
    weights: Weights | None = None
    encoder: EncoderLike | None = "auto"
    nulls_equal: bool = False
    device: Device = "auto"
    batch_size: int | None = None
    verbose: bool | None = None

    def __post_init__(self) -> None:
        size = self.batch_size
        is_whole = isinstance(size, int | np.integer) and not isinstance(size, bool)
        if size is not None and (not is_whole or size < 1):
            raise InputError(f"The batch_size must be a whole number above 0. Got {size!r}.")
        _choose(self.device, DEVICES, "device")
        constraint = read_constraint(self.constraint)
        read = {
            "threshold": as_threshold(self.threshold, self.precision),
            "constraint": constraint,
            "k": read_k(self.k, constraint),
            "nulls_equal": bool(self.nulls_equal),
            "batch_size": None if size is None else int(size),
        }
        for name, value in read.items():
            object.__setattr__(self, name, value)

    def to_dict(self) -> dict[str, Any]:
        """The options as plain values, of which the same options can be made.

        Raises
        ------
        InputError
            If the threshold is of a kind that has no plain form.
        """
        options = {field.name: getattr(self, field.name) for field in fields(self)}
        named = isinstance(self.encoder, str | os.PathLike)
        options["encoder"] = os.fspath(cast(str, self.encoder)) if named else None
        if isinstance(self.weights, np.ndarray):
            options["weights"] = self.weights.tolist()
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
            return replace(self, k=self.k if k is None else k)
        return replace(self, constraint=read_constraint(constraint), k=k)


Options = TypeVar("Options")


def names_of(kind: Callable[..., Any]) -> tuple[str, ...]:
    """Names of the options that a class holds, in order.

    Examples
    --------
    >>> names_of(JoinOptions)
    ('how', 'suffix', 'score')
    """
    return tuple(field.name for field in fields(cast(Any, kind)))


def pick(kind: Callable[..., Options], arguments: Mapping[str, Any]) -> Options:
    """Make an options object of those arguments that are its fields.

    Examples
    --------
    >>> pick(JoinOptions, {"how": "inner", "verbose": True})
    JoinOptions(how='inner', suffix='_right', score='match_score')
    """
    return kind(**{name: arguments[name] for name in names_of(kind) if name in arguments})


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
    near = nearest(given, known, least=0.75)  # "1:n" is not meant for "1:1"
    meant = f"; did you mean {near[0]!r}?" if len(near) == 1 else "."
    raise InputError(f"{name}= is not understood. Got {given!r}. Hint: one of {choices}{meant}")


def read_k(k: int | None, constraint: Constraint) -> int | None:
    """Check `k`, which only many_to_many has a use for."""
    if k is None:
        return None
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise InputError(f"k must be a whole number above 0, or None for no limit. Got {k!r}.")
    if k > LARGEST_K:
        raise InputError(f"k is too large. Got {k!r}. Hint: None means no limit.")
    if constraint != "many_to_many":
        raise InputError(
            f"k limits the matches of a left row, and under constraint={constraint!r} there is at "
            f"most one. Got k={k}. Hint: leave k= out, or set constraint='many_to_many'."
        )
    return int(k)


def read_weights(
    weights: Any, keys: Sequence[Any], partners: Sequence[Any] = ()
) -> NDArray[np.float64]:
    """Read per-column weights, by key column or in the order of the keys.

    By key column, those that are left out count 1. Errors know the names of the `partners`, the
    columns of the other table.

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
            meant = partner_hint(unknown[0], keys, partners) or did_you_mean(unknown[0], keys)
            raise InputError(
                f"weights= names columns that are no keys. Got {unknown!r}. "
                f"Hint: {f'{meant} The' if meant else 'the'} keys are {list(keys)!r}."
            )
        weights = [weights.get(name, 1.0) for name in keys]
    try:
        values = np.asarray(list(np.atleast_1d(weights)), dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
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
