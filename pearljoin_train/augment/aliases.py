"""Alias pairs: different names of one thing, as a paraphrase that needs no model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from pearljoin_train.augment.rules import Chance, pick
from pearljoin_train.data.alias_pairs import PARAPHRASES, read_alias_pairs

__all__ = ["Aliases", "read_aliases"]


def read_aliases(
    path: Path | None = None,
    *,
    licences: Collection[str] = ("A",),
    sources: Collection[str] | None = None,
    without: Collection[str] = PARAPHRASES,
) -> Iterator[tuple[str, str]]:
    """Read pairs of names of one thing; none that occurs in a benchmark.

    Parameters
    ----------
    path
        A file like ``train/alias_pairs.tsv.gz``; by default that one.
    licences
        Classes of licence to read.
    sources
        The only sources to read; None: all but `without`.
    without
        Sources to leave out, where `sources` is None; those of plain words, which the synonyms
        read.

    Yields
    ------
    pair
        Name and alias.
    """
    for pair in read_alias_pairs(path):
        wanted = pair.source in sources if sources is not None else pair.source not in without
        if wanted and pair.licence in licences and not pair.benchmarks:
            yield pair.name, pair.alias


class Aliases:
    """A table of the other names of a thing; calling it gives one of them for a text.

    Parameters
    ----------
    pairs
        Pairs of names, taken in both directions. Case and spaces do not count in the one that is
        looked up; a name equal to the text but for these is none of its aliases.
    only
        The texts that will be looked up: names that no other text has as an alias are left out,
        which saves memory. None: all.

    Examples
    --------
    >>> from random import Random
    >>> aliases = Aliases([("The New York Times", "NYT"), ("Köln", "Cologne")])
    >>> aliases("the new york times", Random(0)), aliases("Bonn", Random(0))
    ('NYT', 'Bonn')
    """

    def __init__(
        self, pairs: Iterable[tuple[str, str]], *, only: Iterable[str] | None = None
    ) -> None:
        wanted = None if only is None else {_key(text) for text in only}
        table: dict[str, dict[str, None]] = defaultdict(dict)
        for name, alias in pairs:
            for text, other in ((name, alias), (alias, name)):
                key, value = _key(text), _key(other)
                if key != value and value and (wanted is None or key in wanted):
                    table[key][other] = None
        self._table = {key: tuple(others) for key, others in table.items()}

    def __len__(self) -> int:
        """Return the number of texts that have an alias."""
        return len(self._table)

    def of(self, text: str) -> tuple[str, ...]:
        """Return the other names; none is the text itself."""
        return self._table.get(_key(text), ())

    def __call__(self, text: str, rng: Chance) -> str:
        """Return one of the other names, each as likely, or the text where it has none."""
        others = self._table.get(_key(text))
        return pick(others, rng) if others else text


def _key(text: str) -> str:
    return " ".join(text.casefold().split())
