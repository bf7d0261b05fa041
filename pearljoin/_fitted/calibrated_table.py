"""Calibrating a fitted table: what rows of the other side decide, and what is learned of them.

They decide of which kinds columns are, how the other side writes its values, which of these stand
for others here, and which key columns say nothing. Some of this is told only once the rows are
compared: then they are compared again.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial

from pearljoin._comparison.calibration import calibrate
from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.large import compare
from pearljoin._errors import InputError
from pearljoin._fitted.fit_table import may_romanise
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._fitted.learned import Learned
from pearljoin._progress import LOG
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.rereading import ASK_NOTHING, AskedColumns, Rereading
from pearljoin._tables.idle_columns import without_silent
from pearljoin._tables.keys import Keys
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._tables.parsed_field import SideReading
from pearljoin._tables.read_table import Table
from pearljoin._tables.whole_tables import kinds_of_whole

__all__ = ["calibrate_table", "calibrated_on"]

WRITTEN = frozenset({"text", "parsed_category", "parsed_code"})
"""Kinds of columns whose values may stand for others."""

SHOWN = 5
"""Translations that the log shows of a column."""

MOST_TRANSLATED = 2
"""Times that columns are compared again with values translated, at most: each takes as long as the
first time, and tells more of the other columns. First, words are found by columns alone."""


def calibrate_table(
    fitted: FittedTable,
    left: Table,
    keys: Keys,
    *,
    kinds: ColumnKinds | None = None,
    compare_as: Callable[[ColumnKinds], Comparison] | None = None,
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
    compare_as
        Compares the rows with the reference, both read as some kinds. Default: as they are here. A
        reference on a cluster is searched there.

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
    comparison = (compare_as or partial(_compared, fitted, left, keys))(kinds)
    for n_before in itertools.count():
        asked = _asked(fitted, kinds, n_before) if fitted.drops_columns else ASK_NOTHING
        comparison, rereading = calibrate(comparison, asked)
        if not rereading.is_needed:
            break
        before, kinds = kinds, _read_again(kinds, keys, rereading)
        if compare_as is not None:
            comparison = compare_as(kinds)
        elif rereading.silent:
            comparison = _without_columns(fitted, left, keys, (before, kinds), comparison)
        else:
            comparison = _translated(fitted, left, keys, kinds, comparison, rereading)
    found = Learned(comparison.reference, comparison.state, comparison.left.comparers)
    return comparison, fitted.with_learned(kinds, found)


def _compared(fitted: FittedTable, left: Table, keys: Keys, kinds: ColumnKinds) -> Comparison:
    # What is wrong with the rows is reported before anything is encoded.
    right = fitted.records_as(kinds)
    readings = [SideReading(comparer, learns=True) for comparer in right.comparers]
    records = fitted.read_left(left, keys, kinds, right, readings)
    learned = fitted.learned(kinds, right)
    return compare(records, learned.reference, learned.kept)


def _kinds_of_both(fitted: FittedTable, left: Table, keys: Keys) -> ColumnKinds:
    """How the columns of the reference and of rows compare, by the whole of both."""
    kinds, drops = fitted.joint_kinds(left, keys), fitted.drops_columns
    romanises = may_romanise(fitted.options)
    given = fitted.given
    return kinds_of_whole(left, fitted.right, keys, kinds, given, drops=drops, romanises=romanises)


def _asked(fitted: FittedTable, kinds: ColumnKinds, n_before: int) -> AskedColumns:
    """Which key columns may be read otherwise than they were, so many times before."""
    of_text = [at for at, (first, *_) in enumerate(kinds.fields) if kinds.keys[first] in WRITTEN]
    may_translate = of_text if n_before < MOST_TRANSLATED else []
    by_values = [] if n_before else of_text
    return AskedColumns(fitted.given.free_fields(kinds.fields), may_translate, by_values)


def _read_again(kinds: ColumnKinds, keys: Keys, rereading: Rereading) -> ColumnKinds:
    """Leave out silent columns, or else read left values as the right ones they stand for."""
    if rereading.silent:
        return without_silent(kinds, rereading.silent)
    texts, words = dict(kinds.translated), dict(kinds.words)
    for of, found in ((texts, rereading.translated), (words, rereading.words)):
        for at, read in found.items():
            (place,) = kinds.fields[at]
            of[place] = tuple(sorted((dict(of.get(place, ())) | dict(read)).items()))
            shown = ", ".join(f"{text!r} as {to!r}" for text, to in read[:SHOWN])
            more = ", ..." if len(read) > SHOWN else ""
            LOG.info("values of %r are read as right ones: %s%s", keys.left[place], shown, more)
    translated, of_words = (tuple(sorted(each.items())) for each in (texts, words))
    return kinds._replace(translated=translated, words=of_words)


def _translated(
    fitted: FittedTable,
    left: Table,
    keys: Keys,
    kinds: ColumnKinds,
    comparison: Comparison,
    rereading: Rereading,
) -> Comparison:
    """Compare left values as the right ones they stand for; the reference stays as it is."""
    readers = comparison.left.comparers
    readings = tuple(map(SideReading, comparison.right.comparers, readers))
    records = fitted.read(left, keys.left_names, kinds, readings)
    # Of texts, those that are read as they were are not encoded again.
    changed = {*rereading.translated, *rereading.words}
    same = [
        None if at in changed and not isinstance(values, TextValues) else values
        for at, values in enumerate(comparison.left_values)
    ]
    return compare(records, comparison.reference, values=same)


def _without_columns(
    fitted: FittedTable,
    left: Table,
    keys: Keys,
    kinds: tuple[ColumnKinds, ColumnKinds],
    comparison: Comparison,
) -> Comparison:
    """Compare without silent columns; what was read and encoded of the others is kept."""
    before, fewer = kinds
    stay = [at for at, columns in enumerate(before.fields) if columns in fewer.fields]
    known, values = [comparison.reference.values[at] for at in stay], comparison.left_values
    if fewer.keys == before.keys:
        right, records = comparison.right.of_columns(stay), comparison.left.of_columns(stay)
        values = tuple(values[at] for at in stay) if values else ()
    else:  # a column of names that is compared by its parts beside others, and alone as text
        right, values = fitted.records_as(fewer), ()
        records = fitted.read(left, keys.left_names, fewer)
    reference = fitted.encode(fewer, known=known, records=right)
    return compare(records, reference, values=values)


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
