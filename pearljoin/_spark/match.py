"""match() of Spark frames: fit here, match there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._matcher import Matcher
from pearljoin._options import MatchOptions
from pearljoin._progress import LOG, work
from pearljoin._records.duplicates import warn_of_repeated
from pearljoin._spark.encode import encoded
from pearljoin._spark.frames import as_arrow_table, check_key_types, empty_table
from pearljoin._spark.probe import check_executors
from pearljoin._spark.result import SparkMatchResult
from pearljoin._spark.sample import calibration_rows, deciding_rows
from pearljoin._spark.settings import Settings, read_settings
from pearljoin._tables.keys import (
    KeyOptions,
    Keys,
    pair_keys,
    resolve_keys,
    resolve_reference,
)
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._tables.read_table import Table, as_table

__all__ = ["match", "match_fitted"]


def match(left: Any, right: Any, keys: KeyOptions, options: MatchOptions) -> SparkMatchResult:
    """Match a Spark frame with a reference, as `pearljoin.match` does.

    The reference is collected, encoded and calibrated at once; left rows are looked up when the
    result is asked for.

    Parameters
    ----------
    left
        A Spark DataFrame.
    right
        Another, or any table that `pearljoin.match` takes.
    keys, options
        What is compared, and how.

    Raises
    ------
    InputError
        If an argument or what a table holds cannot be used, or an executor is not fit for it.
    TableTypeError
        If a column has no counterpart in Arrow.
    """
    session = left.sparkSession
    settings = read_settings(session)
    empty = empty_table(left, "left")
    # What is wrong with the executors is told before anything large moves.
    check_executors(session, options, settings)
    reference = as_arrow_table(as_table(right, "right"))
    found = _resolve(empty, reference, keys)
    check_key_types(left, (*found.left, *found.left_by, *found.left_veto), "left")
    given = found.as_options(keys)
    with work(options.verbose):
        matcher = Matcher._of(given, options)._fit(reference, found)
        fitted = matcher._check_fitted()
        rows = deciding_rows(left, fitted, found)
        kinds = fitted.kinds_for(rows, found, calibrate=True)
        fitted = encoded(session, fitted, kinds)
        sample = as_table(calibration_rows(left, fitted, found, kinds), "left")
        comparison, fitted = fitted.compare(sample, found, calibrate=True, kinds=kinds)
    LOG.info(
        "fitted %s reference rows on the driver and calibrated on %s left records of %s; left rows "
        "are matched on the cluster when the result is asked for",
        f"{reference.n_rows:,}",
        f"{comparison.left.n_records:,}",
        "the lowest content hash",
    )
    return _result(left, given, found, fitted, kinds, settings)


def _resolve(left: Table, right: Table, given: KeyOptions) -> Keys:
    """Find the columns that are compared; where none are named, by the reference's values."""
    named = (given.on, given.left_on, given.right_on)
    if any(name is not None for name in named):
        return resolve_keys(left, right, given)
    names, guessed = resolve_reference(right, given)
    return pair_keys(left, right, names, given, guessed=guessed)


def match_fitted(matcher: Matcher, left: Any) -> SparkMatchResult:
    """Look the rows of a Spark frame up in a fitted matcher; the parameters are as of `match`."""
    fitted = matcher._check_fitted()
    session = left.sparkSession
    settings = read_settings(session)
    empty = empty_table(left, "left")
    check_executors(session, fitted.options, settings)
    keys = pair_keys(empty, fitted.right, fitted.names, matcher._keys, guessed=fitted.guessed)
    check_key_types(left, (*keys.left, *keys.left_by, *keys.left_veto), "left")
    fitted = replace(fitted, right=as_arrow_table(fitted.right))
    with work(fitted.options.verbose):
        kinds = fitted.kinds_for(deciding_rows(left, fitted, keys), keys)
        if kinds != fitted.frozen_kinds:
            # Read otherwise than it was fitted, which each worker would do anew.
            fitted = fitted.with_learned(kinds, fitted.learned(kinds)).frozen()
    return _result(left, matcher._keys, keys, fitted, kinds, settings)


def _result(
    left: Any,
    given: KeyOptions,
    keys: Keys,
    fitted: FittedTable,
    kinds: ColumnKinds,
    settings: Settings,
) -> SparkMatchResult:
    """Make the result, and warn of what is wrong with the reference."""
    if fitted.scored and fitted.options.constraint == "many_to_one":
        warn_of_repeated(fitted.learned().reference.repeated, fitted.right.n_rows)
    return SparkMatchResult(left, given, keys, fitted, kinds, settings)
