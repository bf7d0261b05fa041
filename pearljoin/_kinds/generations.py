"""The generation of people of one name, as *Jr.* and *Sr.* behind it say."""

from __future__ import annotations

__all__ = ["are_other_generations"]

_NUMBER = {
    "sr": 1,
    "senior": 1,
    "i": 1,
    "jr": 2,
    "junior": 2,
    "ii": 2,
    "2nd": 2,
    "iii": 3,
    "3rd": 3,
    "iv": 4,
    "4th": 4,
    "elder": 1,
    "younger": 2,
    **dict.fromkeys(["pere", "padre", "pai", "starszy", "starsi", "st", "id", "vanhempi", "da"], 1),
    "fils": 2,  # codespell:ignore fils
    **dict.fromkeys(["hijo", "filho", "mlodszy", "mladsi", "ml", "ifj", "nuorempi"], 2),
    **dict.fromkeys(["dj", "dy"], 2),
    "neto": 3,
}


def are_other_generations(one: str, other: str) -> bool:
    """Tell whether two normalised values are of a father and a son.

    Examples
    --------
    >>> are_other_generations("jr", "sr"), are_other_generations("jr", "ii")
    (True, False)
    >>> are_other_generations("jr", "")
    False
    """
    numbers = _NUMBER.get(one), _NUMBER.get(other)
    return None not in numbers and numbers[0] != numbers[1]
