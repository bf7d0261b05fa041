"""Names near to one that is not there."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["hint"]


def hint(name: str, known: Iterable[str], otherwise: str) -> str:
    """Ask whether a name near to it was meant, or else give the other advice.

    Examples
    --------
    >>> hint("names", ["city", "name"], "name a column.")
    "Hint: did you mean 'name'?"
    >>> hint("xyz", ["city", "name"], "name a column.")
    'Hint: name a column.'
    """
    lowered = {one.lower(): one for one in known}
    near = difflib.get_close_matches(name.lower(), lowered, n=3, cutoff=0.5)
    if not near:
        return f"Hint: {otherwise}"
    return f"Hint: did you mean {' or '.join(repr(lowered[one]) for one in near)}?"
