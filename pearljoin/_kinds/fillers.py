"""What stands in a cell whose value is not known."""

from __future__ import annotations

__all__ = ["is_filler"]

_WORDS = (
    "n/a n.a. n.a #n/a <na> nan null none unknown unk unk. unspecified missing tbd tba n.d. n.d "
    "s.d. unbekannt inconnu desconocido sconosciuto - -- --- – — ? ?? ??? . … ... 0000-00-00 "
    "00/00/0000 00.00.0000 k.a. undated (blank) (empty) (none) (null) (unknown) [null] "
    "#ref! #value! #div/0! #name? #null! #num!"  # as spreadsheets write their errors
)
_PHRASES = (
    *("not available", "not applicable", "not known", "not specified"),
    *("no data", "no date", "keine angabe"),
)
_FILLERS = frozenset([*_WORDS.split(), *_PHRASES])
"""In lower case. "NA" is left out: it may be Namibia."""


def is_filler(text: str) -> bool:
    """Tell whether a text stands for a value that is not known.

    Examples
    --------
    >>> is_filler("N/A"), is_filler("unk."), is_filler("NA")
    (True, True, False)
    """
    return text.lower() in _FILLERS
