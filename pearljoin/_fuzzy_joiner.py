"""FuzzyJoiner: the join as a scikit-learn transformer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pearljoin._decision.thresholds import Threshold
from pearljoin._matcher import Matcher
from pearljoin._options import read_how
from pearljoin._sklearn import SharingTransformer
from pearljoin._tables.input import as_table
from pearljoin._tables.keys import resolve_keys
from pearljoin._tables.output import result_names

__all__ = ["FuzzyJoiner"]

COLUMN_OPTIONS = ("on", "left_on", "right_on", "by", "left_by", "right_by", "veto")


class FuzzyJoiner(SharingTransformer):
    """Join a reference table to what passes through a pipeline.

    The reference is encoded once, at `fit`; `transform` looks rows up in it. `sklearn.base.clone`
    shares reference and encoder.

    Parameters
    ----------
    reference
        The table to look rows up in.
    on, left_on, right_on, by, left_by, right_by, veto, how, threshold, precision
        As in `fuzzy_join`. The default keeps every row once (``how="left"``, many_to_one), as a
        pipeline with a target needs it.
    constraint, k, weights, encoder, suffix, score, nulls_equal, device, batch_size, verbose
        As in `fuzzy_join`.

    Attributes
    ----------
    matcher_ : Matcher
        Holds the encoded reference.
    feature_names_out_ : list
        Names of the columns that `transform` returns.

    Examples
    --------
    >>> import pandas as pd
    >>> import pearljoin as pj
    >>> cities = pd.DataFrame({"city": ["Paris", "Lyon"], "people": [2_100_000, 520_000]})
    >>> joiner = pj.FuzzyJoiner(cities, on="city", threshold=0.5)
    >>> joiner.fit_transform(pd.DataFrame({"city": ["PARIS", "Rome"]}))["people"].tolist()
    [2100000.0, nan]
    """

    _fitted_attribute = "matcher_"

    def __init__(
        self,
        reference: Any,
        *,
        on: Any = None,
        left_on: Any = None,
        right_on: Any = None,
        by: Any = None,
        left_by: Any = None,
        right_by: Any = None,
        veto: Any = None,
        how: str = "left",
        threshold: float | str | Threshold = "auto",
        precision: float = 0.9,
        constraint: str = "many_to_one",
        k: int | None = None,
        weights: Any = None,
        encoder: Any = "default",
        suffix: str | Sequence[str] = "_right",
        score: str | None = "match_score",
        nulls_equal: bool = False,
        device: str = "auto",
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

    def fit(self, X: Any, y: Any = None) -> Self:
        """Encode the reference; `X` is looked at for its columns only.

        Parameters
        ----------
        X
            A table with the key columns.
        y
            Ignored.

        Raises
        ------
        InputError, TableTypeError
            As in `fuzzy_join`.
        """
        how = read_how(self.how)
        options = self.get_params(deep=False)
        for name in ("reference", "how", "suffix", "score"):
            options.pop(name)
        named = {name: options.pop(name) for name in COLUMN_OPTIONS}
        left, right = as_table(X, "left"), as_table(self.reference, "right")
        keys = resolve_keys(left, right, **named)
        if how not in ("semi", "anti"):
            result_names(left, right, keys, self.suffix, self.score)
        self.matcher_ = Matcher(
            left_on=list(keys.left),
            right_on=list(keys.right),
            left_by=list(keys.left_by) or None,
            right_by=list(keys.right_by) or None,
            veto=list(keys.left_veto) or None,
            **options,
        ).fit(self.reference)
        no_rows = left.head(0)
        self.feature_names_out_ = list(as_table(self._join(no_rows), "left").columns)
        return self

    def transform(self, X: Any) -> Any:
        """Join the reference to `X`.

        Parameters
        ----------
        X
            A table with the key columns.

        Returns
        -------
        table
            Of the kind of `X`.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        InputError, TableTypeError
            As in `fuzzy_join`.
        """
        self._check_fitted()
        return self._join(X)

    def _join(self, X: Any) -> Any:
        return self.matcher_.match(X).join(self.how, suffix=self.suffix, score=self.score)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns that `transform` returns.

        Parameters
        ----------
        input_features
            Ignored; here for scikit-learn.
        """
        self._check_fitted()
        return np.asarray(self.feature_names_out_, dtype=object)
