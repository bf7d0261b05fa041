"""Compare the rows of one table with each other."""

from __future__ import annotations

from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._errors import InputError
from pearljoin._fitted.fitted_table import FittedTable, fit_table
from pearljoin._fitted.left_names import left_names
from pearljoin._options import EncoderLike, MatchOptions
from pearljoin._tables.given_kinds import given_kinds
from pearljoin._tables.keys import KeyOptions, resolve_reference
from pearljoin._tables.read_table import ONLY, Table, as_table
from pearljoin._typing import Columns, Device, TableLike

__all__ = ["compare_table", "fit_one_table"]


def compare_table(
    table: TableLike,
    *,
    on: Columns | None = None,
    by: Columns | None = None,
    veto: Columns | None = None,
    encoder: EncoderLike = "auto",
    nulls_equal: bool = False,
    device: Device = "auto",
) -> TablePairs:
    """Compare the distinct records of a table with each other.

    Parameters
    ----------
    table
        A table or a single column.
    on, by, veto, encoder, nulls_equal, device
        As in `pearljoin.find_duplicates`.

    Returns
    -------
    pairs
        Candidate pairs, and the log odds that both records are the same thing.

    Raises
    ------
    InputError
        If a key column cannot be compared, or the encoder has no networks that score records.

    Examples
    --------
    >>> from pearljoin.scoring import compare_table
    >>> pairs = compare_table(["Le Monde", "Die Zeit", "le monde"])
    >>> first, second = pairs.pairs
    >>> (first[pairs.log_odds > 0], second[pairs.log_odds > 0])
    (array([0]), array([2]))
    """
    keys = KeyOptions(on=on, by=by, veto=veto)
    options = MatchOptions(encoder=encoder, nulls_equal=nulls_equal, device=device)
    reference = fit_one_table(as_table(table, ONLY), keys, options).learned().reference
    if reference.networks is None:
        raise InputError(
            "The encoder has no networks that score records. "
            f"Got {encoder!r}. Hint: encoder='default' has."
        )
    return TablePairs(reference)


def fit_one_table(table: Table, keys: KeyOptions, options: MatchOptions) -> FittedTable:
    """Encode a table whose rows are compared with each other.

    Parameters
    ----------
    table
        The table.
    keys, options
        Which columns are compared, and how.
    """
    names, guessed = resolve_reference(table, keys)
    left = left_names(keys, names)
    given = given_kinds(keys, left)
    return fit_table(table, names, options, left=left, guessed=guessed, given=given, one_table=True)
