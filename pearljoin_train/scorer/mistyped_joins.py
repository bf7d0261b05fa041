"""Joins whose left texts are mistyped: several slips a text, as in what is typed in a hurry or read
by a machine.

Lists of other names hold few of these, and a scorer that has seen few takes two slips for another
name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from pearljoin_train.augment.character import misspell, misspell_code
from pearljoin_train.data.join import Join
from pearljoin_train.scorer.joins import letters_of

__all__ = ["mistyped_joins"]

SHARES = (0.0, 0.0, 0.0, 0.1, 0.3, 0.6, 0.9)
"""Shares of the left texts of a join that are mistyped."""

N_SLIPS, LETTERS_A_SLIP = (1, 1, 2, 2, 3), 4
"""Slips in a text, of which one has so many letters at least."""

CODE_SHARE = 0.3
"""Chance that a slip is in a model number, where a text has one."""


def mistyped_joins(joins: Iterable[Join], *, seed: int) -> Iterator[Join]:
    """Mistype some left texts of some joins.

    A text stays as it is where slips would make it another left text, or a right one.

    Parameters
    ----------
    joins
        The joins.
    seed
        The same seed mistypes the same texts in the same way.
    """
    for number, join in enumerate(joins, seed):
        yield _mistyped(join, Random(f"{join.source} {number}"))


def _mistyped(join: Join, rng: Random) -> Join:
    share = rng.choice(SHARES)
    known = {letters_of(text) for text in (*join.left, *join.right)}
    found: dict[str, set[str]] = defaultdict(set)
    for text, answer in zip(join.left, join.answers, strict=True):
        if rng.random() < share:
            written = _mistype(text, rng)
            text = text if letters_of(written) in known else written
        found[text] |= answer
    return replace(join, left=list(found), answers=[*map(frozenset, found.values())])


def _mistype(text: str, rng: Random) -> str:
    """Make one to three slips, fewer in a short text."""
    most = max(1, sum(map(str.isalpha, text)) // LETTERS_A_SLIP)
    for _ in range(min(rng.choice(N_SLIPS), most)):
        of_code = misspell_code(text, rng) if rng.random() < CODE_SHARE else text
        text = of_code if of_code != text else misspell(text, rng)
    return text
