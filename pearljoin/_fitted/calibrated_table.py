"""Calibrating a fitted table: what rows of the other side decide, and what is learned of them.

They decide of which kinds columns are, how the other side writes its values, and which key columns
say nothing. Some of these are told only once the rows are compared: then they are compared again
without them.
"""

from __future__ import annotations

from pearljoin._comparison.calibration import calibrate
from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.large import compare
from pearljoin._errors import InputError
from pearljoin._fitted.fit_table import may_romanise
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._fitted.learned import Learned
from pearljoin._tables.idle_columns import without_silent
from pearljoin._tables.keys import Keys
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._tables.parsed_field import SideReading
from pearljoin._tables.read_table import Table
from pearljoin._tables.whole_tables import kinds_of_whole
from pearljoin._typing import Pairs

__all__ = ["calibrate_table", "calibrated_on"]


def calibrate_table(
    fitted: FittedTable,
    left: Table,
    keys: Keys,
    *,
    kinds: ColumnKinds | None = None,
    pairs: Pairs | None = None,
) -> tuple[Comparison, FittedTable]:
    """Calibrate a reference on rows, and compare them with it.

    Parameters
    ----------
    fitted
        The reference.
    left, keys
        The rows, and what is compared.
    kinds
        How columns compare, where the rows are some of those that decided it.
    pairs
        Candidate pairs of records, where they are known already.

    Returns
    -------
    comparison, calibrated
        The comparison, and the reference as it is calibrated.

    Raises
    ------
    InputError
        If a left column holds nothing that compares with the reference's.
    """
    kinds = _kinds_of_both(fitted, left, keys) if kinds is None else kinds
    # What is wrong with the rows is reported before anything is encoded.
    right = fitted.records_as(kinds)
    readings = [SideReading(comparer, learns=True) for comparer in right.comparers]
    records = fitted.read_left(left, keys, kinds, right, readings)
    learned = fitted.learned(kinds, right)
    comparison = compare(records, learned.reference, learned.kept, pairs)
    drops = fitted.drops_columns and pairs is None
    while True:
        may_drop = fitted.given.free_fields(kinds.fields) if drops else ()
        comparison, silent = calibrate(comparison, may_drop)
        if not silent:
            break
        kinds, comparison = _without_columns(fitted, left, keys, kinds, comparison, silent)
    found = Learned(comparison.reference, comparison.state, comparison.left.comparers)
    return comparison, fitted.with_learned(kinds, found)


def _kinds_of_both(fitted: FittedTable, left: Table, keys: Keys) -> ColumnKinds:
    """How the columns of the reference and of rows compare, by the whole of both."""
    kinds, drops = fitted.joint_kinds(left, keys), fitted.drops_columns
    romanises = may_romanise(fitted.options)
    given = fitted.given
    return kinds_of_whole(left, fitted.right, keys, kinds, given, drops=drops, romanises=romanises)


def _without_columns(
    fitted: FittedTable,
    left: Table,
    keys: Keys,
    kinds: ColumnKinds,
    comparison: Comparison,
    silent: tuple[int, ...],
) -> tuple[ColumnKinds, Comparison]:
    """Leave out silent columns; what was read and encoded of the others is kept."""
    fewer = without_silent(kinds, silent)
    stay = [at for at in range(len(kinds.fields)) if at not in silent]
    known, values = [comparison.reference.values[at] for at in stay], comparison.left_values
    if fewer.keys == kinds.keys:
        right, records = comparison.right.of_columns(stay), comparison.left.of_columns(stay)
        values = None if values is None else tuple(values[at] for at in stay)
    else:  # a column of names that is compared by its parts beside others, and alone as text
        right, values = fitted.records_as(fewer), None
        records = fitted.read(left, keys.left_names, fewer)
    reference = fitted.encode(fewer, known=known, records=right)
    return fewer, compare(records, reference, values=values)


def calibrated_on(fitted: FittedTable, left: Table, keys: Keys) -> FittedTable:
    """Return a reference calibrated on rows; raises InputError if none has a key."""
    comparison, calibrated = calibrate_table(fitted, left, keys)
    if comparison.left.n_records:
        return calibrated
    got = f"{left.n_rows:,} without a key" if left.n_rows else "none"
    raise InputError(
        f"A calibration needs rows. Got {got}. Hint: give rows such as will be looked up, "
        "or leave it out: fit alone calibrates on the reference."
    )
