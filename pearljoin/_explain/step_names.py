"""What the steps of an explanation mean, in a sentence each."""

from __future__ import annotations

from collections.abc import Collection, Sequence

__all__ = ["BASE", "described"]

BASE = "base"
"""The first step: what a pair has without any evidence."""

MEANINGS = {
    BASE: "what a pair has whose evidence is neutral",
    "meaning": "how near the texts are in meaning, by the encoder",
    "spelling": "how alike the texts are, letter by letter",
    "words": "words that both have, and how unexpected those are that one has alone",
    "initials": "words of one that are acronyms or initials in the other",
    "numbers": "numbers, and words such as north and south, that agree or differ",
    "legal form": "Ltd, GmbH, Inc. and the like",
    "brackets": "what stands in brackets",
    "length": "how long the texts are",
    "people": "family and given names, and initials of these",
    "codes": "article numbers and other codes",
    "rivals": "how far the left row's other candidates stay behind",
    "siblings": "whether the right row is as near to other right rows",
    "tables": "the calibration to these tables",
    "whole record": "all key columns, read as one text",
    "all values": "whether all key columns have the same values, of each column by itself",
    "lone value": "a date or a telephone number that is the only key, and another one",
    "related rows": "columns that related things share, as a household its address, or differ in",
    "given names": "two names that people have, neither of which is written for the other",
    "units": "two flats, floors or suites of one building",
    "own value": "one name and one value that hardly two people share, as an e-mail address",
    "alternatives": "words that tell things of the table apart, as makers and years do",
    "series": "dates that lie apart as those of rows that return at even steps, each month, say",
    "passing words": "words that texts of one thing of the table have or lack",
    "other evidence": "what no other step accounts for",
    "the rest": "effects that are too small to be shown, together",
}


def described(names: Sequence[str], columns: Collection[str]) -> list[tuple[str, str]]:
    """Say what steps mean.

    Parameters
    ----------
    names
        Their names; those that are not known are left out.
    columns
        Names of the key columns that have a step; the one of a join by a single column has none.

    Returns
    -------
    described
        Name and meaning of each.

    Examples
    --------
    >>> described(["city", "rivals"], ["name", "city"])
    [('city', 'a key column'), ('rivals', "how far the left row's other candidates stay behind")]
    """
    meanings = MEANINGS | dict.fromkeys(columns, "a key column")
    return [(name, meanings[name]) for name in names if name in meanings]
