"""Base classes of the scikit-learn transformers: cloning, parameters, tags, column names."""

from __future__ import annotations

import copy
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClusterMixin, TransformerMixin, clone
from sklearn.exceptions import NotFittedError

__all__ = ["SharingClusterer", "SharingTransformer", "TextTransformer", "numbered_names"]


class SharingEstimator(BaseEstimator):  # type: ignore[misc]
    """Base of estimators whose clones share their parameters.

    Parameters may be models, tables or vectors: large, or impossible to copy (an ONNX session, a
    lock), or worthless as scikit-learn would copy them (a fitted vectoriser without its
    vocabulary). `sklearn.base.clone` therefore passes them on as they are.

    A subclass names the attribute that `fit` sets last, and may add to the hint of the error that
    an unfitted estimator raises.
    """

    _fitted_attribute: ClassVar[str]
    _fit_hint: ClassVar[str] = "call fit(X) first."

    def set_params(self, **params: Any) -> Self:
        """Set parameters, all or none; one of a nested estimator is set on a clone of it.

        Parameters
        ----------
        **params
            By name; ``encoder__analyzer`` is the parameter ``analyzer`` of the estimator
            ``encoder``.

        Returns
        -------
        self
            This estimator.

        Raises
        ------
        ValueError
            If there is no such parameter; none is set then.
        """
        names = {key.partition("__")[0] for key in params}
        # A parameter that is refused after others were set must not leave these set.
        trial = type(self)(**self.get_params(deep=False))
        # The nested estimator is shared with other clones, which must not change.
        for name in {key.partition("__")[0] for key in params if "__" in key}:
            nested = params.get(name, getattr(self, name, None))
            if hasattr(nested, "get_params") and not isinstance(nested, type):
                setattr(trial, name, clone(nested))
                params.pop(name, None)
        super(SharingEstimator, trial).set_params(**params)
        for name in names:
            setattr(self, name, getattr(trial, name))
        return self

    def _check_fitted(self) -> None:
        """Raise NotFittedError before `fit`."""
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Got no call of fit. "
                f"Hint: {self._fit_hint}"
            )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, self._fitted_attribute)

    def __sklearn_clone__(self) -> Self:
        twin = type(self)(**self.get_params(deep=False))
        # As sklearn.base.clone itself does.
        for name in ("_metadata_request", "_sklearn_output_config"):
            if name in vars(self):
                setattr(twin, name, copy.deepcopy(getattr(self, name)))
        return twin


class SharingTransformer(TransformerMixin, SharingEstimator):  # type: ignore[misc]
    """Base of transformers whose clones share their parameters."""

    def _renames_output(self) -> bool:
        """Whether scikit-learn calls the columns of a result by `get_feature_names_out`."""
        own = getattr(self, "_sklearn_output_config", {}).get("transform")
        return bool((own or get_config()["transform_output"]) != "default")


class SharingClusterer(ClusterMixin, SharingEstimator):  # type: ignore[misc]
    """Base of clusterers whose clones share their parameters."""


class TextTransformer(SharingTransformer):
    """Base of transformers of one text column, with scikit-learn's tags for it."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.one_d_array = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def numbered_names(prefix: object, n_columns: int) -> NDArray[np.object_]:
    """Name columns ``<prefix>_<i>``: array of str of shape (n_columns,)."""
    return np.array([f"{prefix}_{i}" for i in range(n_columns)], dtype=object)
