"""Those of scikit-learn's own checks that give an estimator no numbers to fit."""

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils import estimator_checks

WITHOUT_DATA = [
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_get_params_invariance",
    "check_mixin_order",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_set_params",
    "check_valid_tag_types",
]


def check_estimator(name: str, estimator: BaseEstimator) -> None:
    """Run one of the checks, where this scikit-learn has it."""
    check = getattr(estimator_checks, name, None)
    if check is None:
        pytest.skip(f"this scikit-learn has no {name}")
    check(type(estimator).__name__, estimator)
