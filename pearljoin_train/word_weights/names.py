"""Alias pairs as training data for idf-rank weights."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np

from pearljoin_train.data.alias_pairs import PARAPHRASES, read_alias_pairs
from pearljoin_train.word_weights.pairs import PairSet
from pearljoin_train.word_weights.texts import words_of

__all__ = ["alias_pairs"]

LICENCE = "A"
MOST_OF_A_SOURCE = 1_000
LEFT_OUT = PARAPHRASES | {"abbreviations"}
"""Sources of abbreviations and of plain words rather than names."""


def alias_pairs(
    lengths: tuple[int, int], rng: np.random.Generator, *, path: Path | None = None
) -> PairSet:
    """Read alias pairs that are freely licensed and in no benchmark.

    Parameters
    ----------
    lengths
        Fewest and most words of a name. Equal ones suit the Euclidean distance: an average of
        many vectors is shorter than one of few, so that among names of all lengths the weights
        go into levelling that.
    rng
        Draws at most 1,000 pairs of each source, and the unrelated ones.
    path
        A file like ``train/alias_pairs.tsv.gz``; by default that one.

    Returns
    -------
    pairs
        Related: two names of one thing, not the same words. As many unrelated ones: a name with
        the alias of another thing from the same source, which is harder than from any.
    """
    by_source: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for pair in read_alias_pairs(path):
        if pair.licence == LICENCE and not pair.benchmarks and pair.source not in LEFT_OUT:
            left, right = words_of(pair.name), words_of(pair.alias)
            fits = all(lengths[0] <= len(words) <= lengths[1] for words in (left, right))
            if fits and set(left) != set(right):
                by_source[pair.source].append((" ".join(left), " ".join(right)))
    related: list[tuple[str, str]] = []
    unrelated: list[tuple[str, str]] = []
    for pairs in by_source.values():
        drawn = [pairs[row] for row in rng.permutation(len(pairs))[:MOST_OF_A_SOURCE]]
        if len(drawn) > 1:
            related += drawn
            turned = drawn[1:] + drawn[:1]
            unrelated += [(left[0], right[1]) for left, right in zip(drawn, turned, strict=True)]
    return PairSet.of(related, unrelated)
