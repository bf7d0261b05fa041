"""Fitting: how a reference is read, by its own columns and what the user gave."""

from __future__ import annotations

import os
from collections.abc import Sequence

from pearljoin._errors import InputError
from pearljoin._fitted.encoder_source import EncoderSource
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._fitted.left_names import left_names
from pearljoin._options import MatchOptions, read_weights
from pearljoin._tables.adding import named_by
from pearljoin._tables.given_kinds import GivenKinds, given_kinds
from pearljoin._tables.idle_columns import drops_idle, without_idle
from pearljoin._tables.keys import ColumnNames, KeyOptions, Keys, resolve_reference
from pearljoin._tables.kinds import ColumnKinds, column_kinds
from pearljoin._tables.lengths import unit_of_lengths
from pearljoin._tables.read_table import Table
from pearljoin._tables.scripts import is_read_in_latin

__all__ = ["fit_table", "kinds_alone", "may_romanise"]


def fit_table(
    right: Table,
    keys: KeyOptions,
    options: MatchOptions,
    *,
    paired: Keys | None = None,
    corpus: Sequence[str] = (),
    one_table: bool = False,
) -> FittedTable:
    """Read a reference; it is encoded, and learned from, when first asked for.

    Parameters
    ----------
    right
        The reference.
    keys, options
        Which columns are compared, and how.
    paired
        The columns, where those of the other side are known already.
    corpus
        Text that an unfitted encoder is fitted on beside the reference's.
    one_table
        Whether its rows are compared among themselves.

    Raises
    ------
    InputError
        If a key column is missing, or kinds are given beside weights.
    """
    if paired is None:
        names, guessed = resolve_reference(right, keys)
        left = left_names(keys, names)
    else:
        names, guessed, left = paired.right_names, paired.guessed, paired.left
    given = given_kinds(keys, left, names.keys)
    if options.weights is not None and (given.kinds or given.geo):
        raise InputError(
            "With weights= columns are compared by similarity, whatever their kinds. Got both "
            f"weights={options.weights!r} and kinds= or geo=. Hint: leave one of them out."
        )
    kinds = kinds_alone(right, names, options, given, one_table=one_table)
    weights = read_weights(options.weights, left, names.keys)
    rest = weights, options, EncoderSource(options, corpus)
    named = named_by(keys, guessed=guessed)
    return FittedTable(right, names, guessed, kinds, kinds, *rest, given, one_table, named)


def kinds_alone(
    right: Table, names: ColumnNames, options: MatchOptions, given: GivenKinds, *, one_table: bool
) -> ColumnKinds:
    """Tell how the columns of a reference compare, before another table is known.

    Parameters
    ----------
    right, names
        The reference, and its columns that are compared.
    options, given
        How to match, and what the user says of the kinds of the key columns.
    one_table
        Whether its rows are compared among themselves.
    """
    kinds = column_kinds(right, names, parsed=options.weights is None, given=given)
    lengths = (unit_of_lengths(right.columns[name]) for name in names.keys)
    units = ((at, unit) for at, unit in enumerate(lengths) if unit is not None)
    kinds = kinds._replace(units=tuple(units))
    if may_romanise(options):
        columns = enumerate(right.columns[name] for name in names.keys)
        latin = (at for at, column in columns if is_read_in_latin(column, one_table=one_table))
        kinds = kinds._replace(romanised=tuple(latin))
    if drops_idle(options.weights, options.nulls_equal, one_table):
        kinds = without_idle(right, names, kinds, given)
    return kinds


def may_romanise(options: MatchOptions) -> bool:
    """Whether names of other scripts may be written in Latin letters: an own encoder knows them.

    One that is loaded is as its name where it has a match scorer, which tells it from an own one.
    """
    encoder = options.encoder
    is_named = isinstance(encoder, str | os.PathLike)
    return is_named or isinstance(getattr(encoder, "scorer", None), bytes)
