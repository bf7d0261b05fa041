"""Compare the rows of one table with each other."""

from __future__ import annotations

from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._errors import InputError
from pearljoin._fitted.fit_table import fit_table
from pearljoin._options import EncoderLike, MatchOptions
from pearljoin._tables.keys import KeyOptions
from pearljoin._tables.read_table import ONLY, as_table
from pearljoin._typing import Columns, Device, TableLike

__all__ = ["compare_table"]


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
    fitted = fit_table(as_table(table, ONLY), keys, options, one_table=True)
    reference = fitted.learned().reference
    if reference.networks is None:
        raise InputError(
            "The encoder has no networks that score records. "
            f"Got {encoder!r}. Hint: encoder='default' has."
        )
    return TablePairs(reference)
