"""Claims known to be false: what is left to rows that surely have an answer, once it is taken away.

It is what rows without an answer claim, in the very style of their table (see
`pearljoin._scoring.null_calibration`).
"""

from __future__ import annotations

import zlib

import numpy as np

from pearljoin._features.groups import Groups
from pearljoin._features.text_profiles import TextProfile
from pearljoin._features.unmatched_tokens import PairTexts
from pearljoin._parallel import processors
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["MOST_ROWS", "evenly", "others_of_sure_rows"]

MOST_ROWS = 2_000
"""Rows that are enough to tell a table's claims by."""

HARDLY_DIFFERENT = 0.95
"""Edit ratio of one name written twice; different names are as like where a number differs."""


def evenly(best: IntVector, logit: FloatVector) -> IntVector:
    """At most `MOST_ROWS` of some pairs, evenly spaced by logit: the order of rows is nothing."""
    if len(best) <= MOST_ROWS:
        return best
    ranked = best[np.argsort(logit[best], kind="stable")]
    return ranked[np.linspace(0, len(ranked) - 1, MOST_ROWS).astype(np.int64)]


def others_of_sure_rows(logit: FloatVector, rows: Groups, wording: PairTexts | None) -> BoolVector:
    """Mark the pairs of rows that more likely than not have a match, but for their matches.

    Rows with several best pairs are left out: which of these is the match cannot be told.

    Parameters
    ----------
    logit
        float32 of shape (n_pairs,): log odds that each pair is a match.
    rows
        The pairs by left record.
    wording
        The texts of the pairs, to see which right records are the match's name over again: these
        are no rivals, and are not marked.

    Returns
    -------
    others
        bool of shape (n_pairs,), True for pairs of `MOST_ROWS` rows at most.
    """
    best = rows.best(logit)
    alone = np.bincount(rows.number[rows.is_best(logit)], minlength=len(rows)) == 1
    sure = _some(best[(logit[best] > 0) & alone], logit, wording)
    matched = np.full(len(rows), -1, dtype=np.int64)
    matched[rows.number[sure]] = sure
    match = matched[rows.number]
    others = (match >= 0) & (match != np.arange(len(logit)))
    if wording is not None:
        at = np.flatnonzero(others)
        others[at] = ~_same_name(wording.right, wording.others[at], wording.others[match[at]])
    return np.asarray(others, dtype=bool)


def _some(sure: IntVector, logit: FloatVector, wording: PairTexts | None) -> IntVector:
    """At most `MOST_ROWS` of sure rows' pairs, chosen by what the left texts say.

    Not by logit, where the last digit of another row's would change the choice.
    """
    if len(sure) <= MOST_ROWS or wording is None:
        return evenly(sure, logit)
    texts = (wording.left.normal[text] for text in wording.own[sure].tolist())
    # The same in every process, as Python's own hashes are not.
    hashes = [zlib.crc32(text.encode("utf-8", "surrogatepass")) for text in texts]
    return sure[np.argsort(hashes, kind="stable")[:MOST_ROWS]]


def _same_name(facts: TextProfile, one: IntVector, other: IntVector) -> BoolVector:
    """Tell which pairs of texts of one side are one name written twice.

    The same letters and digits, the same words but for small ones and legal forms, or hardly
    different with the same numbers.
    """
    # Imported here, so that training runs on a machine without it.
    from rapidfuzz import fuzz, process

    words = (facts.core[one] == facts.core[other]) & (facts.core[one] != 0)
    ratio = process.cpdist(
        facts.short[one], facts.short[other], scorer=fuzz.ratio, workers=processors()
    )
    near = np.flatnonzero(ratio >= 100 * HARDLY_DIFFERENT)
    alike = np.zeros(len(one), dtype=bool)
    differing = sum(
        np.asarray(abs(table[one[near]] - table[other[near]]).sum(axis=1)).reshape(-1)
        for table in (facts.numbers, facts.repeats)
    )
    alike[near] = differing == 0
    return np.asarray((facts.compact[one] == facts.compact[other]) | words | alike, dtype=bool)
