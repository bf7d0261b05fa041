"""FuzzyJoiner: the join as a scikit-learn transformer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from pearljoin._errors import InputError, TableTypeError
from pearljoin._kinds.protocol import Kind
from pearljoin._matcher import Matcher
from pearljoin._options import (
    EncoderLike,
    MatchOptions,
    ThresholdLike,
    pick,
    read_constraint,
    read_how,
)
from pearljoin._repr import call_text
from pearljoin._sklearn import SharingTransformer
from pearljoin._tables.argument_hints import OF_MATCHING, with_hints
from pearljoin._tables.keys import KeyOptions, resolve_keys
from pearljoin._tables.output import check_result
from pearljoin._tables.read_table import Table, as_table
from pearljoin._typing import (
    ColumnLike,
    Columns,
    ConstraintName,
    Device,
    Frame,
    FrameOut,
    How,
    HowName,
    PlainColumnLike,
    TableLike,
    Weights,
)

__all__ = ["FuzzyJoiner"]


class FuzzyJoiner(SharingTransformer):
    """Join a reference table to what passes through a pipeline.

    The reference is encoded once, at `fit`; `transform` looks rows up in it. `sklearn.base.clone`
    shares reference and encoder.

    Parameters
    ----------
    reference
        The table to look rows up in.
    on, left_on, right_on, by, left_by, right_by, veto, kinds, geo, phone_region
        As in `fuzzy_join`.
    how, threshold, precision
        As in `fuzzy_join`. The default keeps every row once (``how="left"``, many_to_one), as a
        pipeline with a target needs it: `fit` refuses others where it is given a `y`.
    constraint, k, weights, encoder, suffix, score, nulls_equal, device, batch_size, verbose
        As in `fuzzy_join`.

    Attributes
    ----------
    matcher_ : Matcher
        Holds the encoded reference.
    feature_names_in_ : list
        Names of the columns that `fit` was given.
    feature_names_out_ : list
        Names of the columns that `transform` returns.

    Examples
    --------
    >>> import pandas as pd
    >>> import pearljoin as pj
    >>> cities = pd.DataFrame({"city": ["Paris", "Lyon"], "people": [2_100_000, 520_000]})
    >>> joiner = pj.FuzzyJoiner(cities, on="city")
    >>> joiner.fit_transform(pd.DataFrame({"city": ["PARIS", "Rome"]}))["people"].tolist()
    [2100000.0, nan]
    """

    _fitted_attribute = "matcher_"

    @with_hints(OF_MATCHING, 1, "name columns: FuzzyJoiner(reference, on='a').")
    def __init__(
        self,
        reference: TableLike,
        *,
        on: Columns | None = None,
        left_on: Columns | None = None,
        right_on: Columns | None = None,
        by: Columns | None = None,
        left_by: Columns | None = None,
        right_by: Columns | None = None,
        veto: Columns | None = None,
        kinds: Mapping[Any, Kind] | None = None,
        geo: tuple[Any, Any] | None = None,
        phone_region: str | None = None,
        how: HowName = "left",
        threshold: ThresholdLike = "auto",
        precision: float = 0.9,
        constraint: ConstraintName = "many_to_one",
        k: int | None = None,
        weights: Weights | None = None,
        encoder: EncoderLike = "auto",
        suffix: str | Sequence[str] = "_right",
        score: str | None = "match_score",
        nulls_equal: bool = False,
        device: Device = "auto",
        batch_size: int | None = None,
        verbose: bool | None = None,
    ) -> None:
        self.reference = reference
        self.on = on
        self.left_on = left_on
        self.right_on = right_on
        self.by = by
        self.left_by = left_by
        self.right_by = right_by
        self.veto = veto
        self.kinds = kinds
        self.geo = geo
        self.phone_region = phone_region
        self.how = how
        self.threshold = threshold
        self.precision = precision
        self.constraint = constraint
        self.k = k
        self.weights = weights
        self.encoder = encoder
        self.suffix = suffix
        self.score = score
        self.nulls_equal = nulls_equal
        self.device = device
        self.batch_size = batch_size
        self.verbose = verbose

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        # As scikit-learn's, which would print the whole table over many lines.
        options = self.get_params(deep=False)
        return call_text(self, {"reference": options.pop("reference"), **options})

    def fit(self, X: TableLike, y: Any = None) -> Self:
        """Encode the reference, and calibrate on the rows of `X`.

        Parameters
        ----------
        X
            A table with the key columns. Without rows, the reference alone is learned from.
        y
            Not used; where it is given, each row must stay once and in order.

        Raises
        ------
        InputError, TableTypeError
            As in `fuzzy_join`; also for a `y` that the rows would not go with any more.
        """
        how = read_how(self.how)
        if y is not None:
            self._check_rows_stay(how)
        arguments = self.get_params(deep=False)
        left, right = _input_table(X), as_table(self.reference, "right")
        given = pick(KeyOptions, arguments)
        keys = resolve_keys(left, right, given)
        check_result(left, right, keys, how=how, suffix=self.suffix, score=self.score)
        matcher = Matcher._of(keys.as_options(given), pick(MatchOptions, arguments))
        self.matcher_ = matcher._fit(right, keys, learn=not left.n_rows)
        if left.n_rows:
            self.matcher_._calibrate_and_match(left, keys)
        no_rows = as_table(left.head(0), "left")
        self.feature_names_in_ = list(left.columns)
        self.feature_names_out_ = list(as_table(self._join(no_rows), "left").columns)
        return self

    @overload
    def transform(self, X: Frame) -> Frame: ...
    @overload
    def transform(self, X: ColumnLike[FrameOut]) -> FrameOut: ...
    @overload
    def transform(self, X: PlainColumnLike) -> Any: ...
    def transform(self, X: TableLike) -> Any:
        """Join the reference to `X`.

        Parameters
        ----------
        X
            A table with the columns that `fit` was given, in any order; they come out in the order
            of `fit`. Columns that `fit` was not given follow them, unless an output is configured
            (`set_output`): its columns have the names that were learned, so others are refused.

        Returns
        -------
        table
            Of the kind of `X`, or as `set_output` says.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        InputError, TableTypeError
            As in `fuzzy_join`; also if a column is missing, or is one too many for `set_output`.
        """
        self._check_fitted()
        # Without one of them, a column of the reference could take its name.
        left = _input_table(X)
        missing = [name for name in self.feature_names_in_ if name not in left.columns]
        if missing:
            raise InputError(
                f"X lacks columns that it had when fitted. Got {list(left.columns)!r} without "
                f"{missing!r}. Hint: give the columns that fit was given, or fit again."
            )
        extra = [name for name in left.columns if name not in self.feature_names_in_]
        if extra and self._renames_output():
            raise InputError(
                "X has columns that it lacked when fitted, for which set_output has no names. Got "
                f"{extra!r}. Hint: leave them out, fit again, or use "
                "set_output(transform='default')."
            )
        if list(left.columns) != [*self.feature_names_in_, *extra]:
            left = left.select([*self.feature_names_in_, *extra])
        return self._join(left)

    def _check_rows_stay(self, how: How) -> None:
        """Refuse joins after which a target is out of step with the rows."""
        may_repeat = read_constraint(self.constraint) == "many_to_many" and self.k != 1
        if how == "left" and not may_repeat:
            return
        got = f"how={self.how!r}" if how != "left" else f"constraint={self.constraint!r}"
        raise InputError(
            f"The join drops, adds or repeats rows, and y would go with others. Got {got}, and y. "
            "Hint: how='left' with the default constraint keeps every row once and in order, and "
            "rows without a match have nulls; or join X and y before the pipeline."
        )

    def _join(self, left: Table) -> Any:
        return self.matcher_._match(left).join(self.how, suffix=self.suffix, score=self.score)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns that `transform` returns.

        Parameters
        ----------
        input_features
            Ignored; here for scikit-learn.
        """
        self._check_fitted()
        return np.asarray(self.feature_names_out_, dtype=object)


def _input_table(X: Any) -> Table:
    """Read what comes from the step before; raises as `as_table` does."""
    is_matrix = getattr(X, "ndim", None) == 2 and not hasattr(X, "columns")
    if is_matrix and getattr(getattr(X, "dtype", None), "names", None) is None:
        raise TableTypeError(
            "A FuzzyJoiner finds the key columns by name, and an array has no names. Got "
            f"{type(X).__module__}.{type(X).__qualname__} of shape {X.shape}, as the steps of "
            "scikit-learn return by default. Hint: pipeline.set_output(transform='pandas') (or "
            "'polars') makes them return tables; outside a pipeline, "
            "pandas.DataFrame(X, columns=[...]) makes one."
        )
    return as_table(X, "left")
