"""match() of Spark frames: fit here, match there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pearljoin._fitted.calibrated_table import calibrate_table
from pearljoin._matcher import Matcher
from pearljoin._options import MatchOptions
from pearljoin._progress import LOG, work
from pearljoin._spark.encode import encoded
from pearljoin._spark.frames import as_arrow_table, check_key_types, empty_table, is_frame
from pearljoin._spark.large.learn import learn
from pearljoin._spark.large.result import LargeMatchResult
from pearljoin._spark.large.scope import check_large, is_beyond, sampled_rows
from pearljoin._spark.probe import check_executors
from pearljoin._spark.result import SparkMatchResult
from pearljoin._spark.sample import calibration_rows, compared_names, deciding_rows
from pearljoin._spark.settings import Settings, read_settings
from pearljoin._tables.keys import (
    KeyOptions,
    Keys,
    pair_keys,
    resolve_keys,
    resolve_reference,
)
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
    is_large = is_frame(right) and is_beyond(right, settings.largest_reference)
    reference = as_arrow_table(sampled_rows(right) if is_large else as_table(right, "right"))
    found = _resolve(empty, reference, keys)
    check_key_types(left, compared_names(found), "left")
    given = found.as_options(keys)
    if is_large:
        check_key_types(right, (*found.right, *found.right_by), "right")
        with work(options.verbose):
            return _match_large(left, right, found, given, reference, options, settings)
    with work(options.verbose):
        matcher = Matcher._of(given, options)._fit(reference, found)
        fitted = matcher._check_fitted()
        rows = deciding_rows(left, fitted, found)
        kinds = fitted.joint_kinds(rows, found)
        fitted = encoded(session, fitted, kinds)
        sample = as_table(calibration_rows(left, fitted, found, kinds), "left")
        comparison, fitted = calibrate_table(fitted, sample, found, kinds=kinds)
    LOG.info(
        "fitted %s reference rows on the driver and calibrated on %s left records of %s; left rows "
        "are matched on the cluster when the result is asked for",
        f"{reference.n_rows:,}",
        f"{comparison.left.n_records:,}",
        "the lowest content hash",
    )
    fitted.warn_of_repeated()
    return SparkMatchResult(left, given, found, fitted, fitted.frozen_kinds, settings)


def _match_large(
    left: Any,
    right: Any,
    keys: Keys,
    given: KeyOptions,
    some: Table,
    options: MatchOptions,
    settings: Settings,
) -> LargeMatchResult:
    """Match with a reference that stays on the cluster, of which some rows are here."""
    fitted = Matcher._of(given, options)._fit(some, keys)._check_fitted()
    kinds = fitted.joint_kinds(deciding_rows(left, fitted, keys), keys)
    kinds = kinds._replace(idle=())  # some rows of the reference do not tell
    check_large(fitted, kinds, keys)
    reference = learn(left, right, keys, fitted, kinds, settings)
    LOG.info(
        "encoded %s reference rows on the cluster, and calibrated on %s left records of the lowest "
        "content hash; left rows are matched when the result is asked for",
        f"{reference.n_rows:,}",
        f"{reference.fitted.learned().n_left:,}",
    )
    return LargeMatchResult(left, right, given, keys, reference, settings)


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
    keys = fitted.keys_with(empty, matcher._keys)
    check_key_types(left, compared_names(keys), "left")
    fitted = replace(fitted, right=as_arrow_table(fitted.right))
    with work(fitted.options.verbose):
        kinds = fitted.kinds_for(deciding_rows(left, fitted, keys), keys)
        if kinds != fitted.frozen_kinds:
            # Read otherwise than it was fitted, which each worker would do anew.
            fitted = fitted.with_learned(kinds, fitted.learned(kinds)).frozen()
    return SparkMatchResult(left, matcher._keys, keys, fitted, kinds, settings)
