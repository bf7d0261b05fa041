"""Count the background knowledge of words on the alias pairs.

``python -m pearljoin_train background --out FILE`` counts how common n-grams and words are in
names, which words other names of the same thing do without, and which words are written for each
other. Sources that are held out from training are left out.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pearljoin import InputError
from pearljoin._atomic import atomic_file
from pearljoin._progress import stage, work
from pearljoin.scoring import LEVELS_A_HALVING, UNKNOWN, count_terms, normalise, word_columns
from pearljoin_train.common.dry_run import add_dry_run, in_words, spread, timed
from pearljoin_train.data.alias_pairs import read_alias_pairs
from pearljoin_train.data.splits import is_held_out, part_of
from pearljoin_train.scorer.joins import NOT_NAMES

__all__ = ["count_background", "main"]

MOST_NAMES = 30_000
"""Names of one source that are counted, so that people do not drown the rest."""

FEWEST_PAIRS = 3
"""Pairs in which two words must replace each other to be equivalents."""

STRONGEST = 0.9
"""Equivalence is never as strong as equality."""

PRIOR_SHARE, PRIOR_PAIRS = 0.2, 5
"""Share of words that are unmatched at large, and how many pairs it counts for."""

SAMPLE = 4_000
"""Pairs that are counted to learn how long all take."""

Pair = tuple[str, str, str]


def read_pairs(*, whole: bool) -> Iterator[Pair]:
    """Yield the source and both names of each pair, normalised.

    Parameters
    ----------
    whole
        Whether to count the scorer's names, too; else only those of the encoder, so that a scorer
        learns what the background is worth on names that are new to it.
    """
    taken: Counter[str] = Counter()
    for pair in read_alias_pairs():
        source = pair.source
        if not pair.is_allowed() or source in NOT_NAMES - {"abbreviations"}:
            continue
        if is_held_out(source) or taken[source] >= MOST_NAMES:
            continue
        if whole or part_of(pair.name) == "encoder":
            left, right = normalise(pair.name), normalise(pair.alias)
            if left != right and left and right:
                taken[source] += 1
                yield source, left, right


def count_background(pairs: Iterable[Pair]) -> dict[str, NDArray[np.uint8]]:
    """Count on pairs of names; returns the arrays of the file.

    Raises
    ------
    InputError
        If there is no pair.
    """
    listed = list(pairs)
    if not listed:
        raise InputError(
            "There is no alias pair that may be counted. Hint: `python -m pearljoin_train data "
            "verify` tells whether the data are whole."
        )
    names = sorted(set(chain.from_iterable((left, right) for _, left, right in listed)))
    counts = count_terms(names)
    share = np.bincount(counts.indices, minlength=counts.shape[1]) / len(names)
    with np.errstate(divide="ignore"):
        levels = np.round(-LEVELS_A_HALVING * np.log2(share))
    shares = np.where(share > 0, np.minimum(levels, UNKNOWN - 1), UNKNOWN).astype(np.uint8)
    unmatched = _unmatched(listed, counts.shape[1] // 2)
    found = json.dumps(_equivalents(listed), ensure_ascii=False, separators=(",", ":"))
    return {
        "shares": shares,
        "unmatched": unmatched,
        "equivalents": np.frombuffer(found.encode(), dtype=np.uint8),
    }


def _unmatched(pairs: list[Pair], n_words: int) -> NDArray[np.uint8]:
    """How often each word is left out by the other name, in levels of 1/254."""
    seen: Counter[str] = Counter()
    without: Counter[str] = Counter()
    for _, left, right in pairs:
        ours, theirs = set(left.split()), set(right.split())
        if not ours & theirs:
            # Names that share no word say nothing about any of them.
            continue
        seen.update(ours | theirs)
        without.update(ours ^ theirs)
    words = [word for word, times in seen.items() if times >= FEWEST_PAIRS]
    columns = word_columns(words) - n_words
    rates = np.array(
        [(without[word] + PRIOR_SHARE * PRIOR_PAIRS) / (seen[word] + PRIOR_PAIRS) for word in words]
    )
    levels = np.full(n_words, UNKNOWN, dtype=np.uint8)
    levels[columns] = np.round(rates * (UNKNOWN - 1)).astype(np.uint8)
    return levels


def _equivalents(pairs: list[Pair]) -> list[tuple[str, str, float]]:
    """Words that replace each other, of all the words that replace either."""
    together: Counter[tuple[str, str]] = Counter()
    alone: Counter[str] = Counter()
    sure: set[tuple[str, str]] = set()
    for source, left, right in pairs:
        ours, theirs = left.split(), right.split()
        common = set(ours) & set(theirs)
        ours = [word for word in ours if word not in common]
        theirs = [word for word in theirs if word not in common]
        if not 0 < len(ours) == len(theirs) <= 3:
            continue
        for one, other in zip(ours, theirs, strict=True):
            if any(map(str.isdigit, one + other)) or min(len(one), len(other)) < 2:
                continue
            # Of several words, which replaces which is a guess but for those that begin alike.
            if len(ours) > 1 and one[0] != other[0]:
                continue
            key = min(one, other), max(one, other)
            together[key] += 1
            alone.update(key)
            if source == "nicknames":
                sure.add(key)
    found = []
    for (one, other), times in sorted(together.items()):
        rate = times / (min(alone[one], alone[other]) + 2)
        if (one, other) in sure:
            found.append((one, other, STRONGEST))
        elif times >= FEWEST_PAIRS and rate >= 0.05:
            found.append((one, other, round(min(STRONGEST, 0.3 + rate), 2)))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run ``python -m pearljoin_train background``; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m pearljoin_train background", description=__doc__
    )
    parser.add_argument("--out", type=Path, required=True, help="file to write, .npz")
    parser.add_argument(
        "--whole", action="store_true", help="count the names that scorers are trained on, too"
    )
    add_dry_run(parser)
    options = parser.parse_args(arguments)
    with work(None), stage("reading names"):
        pairs = list(read_pairs(whole=options.whole))
    if options.dry_run:
        sys.stdout.write(_plan(pairs, options.out))
        return 0
    with work(None), stage("counting words"):
        arrays = count_background(pairs)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    with atomic_file(options.out, what="background") as temporary:
        temporary.write_bytes(buffer.getvalue())
    return 0


def _plan(pairs: list[Pair], out: Path) -> str:
    sample = spread(pairs, SAMPLE)
    seconds = timed(lambda: count_background(sample)) / max(1, len(sample)) * len(pairs)
    return (
        f"reads {len(pairs):,} pairs of names of {len({pair[0] for pair in pairs})} sources\n"
        f"counts their words and n-grams in about {in_words(seconds)}, into {out}\n"
    )
