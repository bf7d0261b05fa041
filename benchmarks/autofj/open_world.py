"""The open-world form of a table: half of the answers taken away from the reference."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from pearljoin_train.data.autofj import AutoFJTable

__all__ = ["is_removed", "open_world"]


def is_removed(title: str) -> bool:
    """Tell whether a matched reference title is taken away.

    Parameters
    ----------
    title
        As published.

    Returns
    -------
    removed
        True where the first byte of the sha256 of the title's UTF-8 is even.

    Examples
    --------
    >>> is_removed("Paris"), is_removed("London")
    (False, True)
    """
    return hashlib.sha256(title.encode("utf-8")).digest()[0] % 2 == 0


def open_world(table: AutoFJTable) -> AutoFJTable:
    """Take about half of the matched titles out of a table's reference.

    Parameters
    ----------
    table
        A published table, where nearly every query has a match.

    Returns
    -------
    table
        The same queries; a reference without the titles that have a match and that `is_removed`
        picks; the true pairs that are left, so that about half of the queries have none.
        Unmatched reference titles all stay.
    """
    gone = {reference for reference, _ in table.gold_titles if is_removed(reference)}
    kept = [
        (row, title)
        for row, title in zip(table.reference_ids, table.reference, strict=True)
        if title not in gone
    ]
    ids = {row for row, _ in kept}
    return replace(
        table,
        reference=tuple(title for _, title in kept),
        reference_ids=tuple(row for row, _ in kept),
        gold=tuple(pair for pair in table.gold if pair[0] in ids),
    )
