"""Null pairs: candidates of confidently matched rows other than their match.

Their scores are null scores: what rows without an answer score in this very table (see
`pearljoin._scoring.null_calibration`).
"""

from __future__ import annotations

import zlib

import numpy as np

from pearljoin._features.rival_groups import Groups
from pearljoin._features.text_profiles import TextProfile
from pearljoin._features.unmatched_tokens import PairTexts
from pearljoin._parallel import processors
from pearljoin._typing import BoolVector, FloatVector, IntVector

__all__ = ["MOST_ROWS", "choose_null_pairs", "sample_by_log_odds"]

MOST_ROWS = 2_000
"""Rows that null calibration looks at, at most."""

HARDLY_DIFFERENT = 0.95
"""Edit ratio from which two names count as one name written twice, if their numbers agree."""


def sample_by_log_odds(best: IntVector, logit: FloatVector) -> IntVector:
    """Choose at most `MOST_ROWS` pairs, evenly spaced by log odds, whatever the order of rows."""
    if len(best) <= MOST_ROWS:
        return best
    ranked = best[np.argsort(logit[best], kind="stable")]
    return ranked[np.linspace(0, len(ranked) - 1, MOST_ROWS).astype(np.int64)]


def choose_null_pairs(logit: FloatVector, rows: Groups, texts: PairTexts | None) -> BoolVector:
    """Mark the null pairs: those of rows that probably have a match, except the match.

    Rows with several best pairs are left out, because nothing says which of them is the match.

    Parameters
    ----------
    logit
        float32 of shape (n_pairs,): log odds that each pair is a match.
    rows
        The pairs by left record.
    texts
        The texts of the pairs. A right record that repeats the name of the match is not marked,
        since it is no rival.

    Returns
    -------
    others
        bool of shape (n_pairs,), True for pairs of `MOST_ROWS` rows at most.
    """
    best = rows.best(logit)
    alone = np.bincount(rows.number[rows.is_best(logit)], minlength=len(rows)) == 1
    sure = _some(best[(logit[best] > 0) & alone], logit, texts)
    matched = np.full(len(rows), -1, dtype=np.int64)
    matched[rows.number[sure]] = sure
    match = matched[rows.number]
    others = (match >= 0) & (match != np.arange(len(logit)))
    if texts is not None:
        at = np.flatnonzero(others)
        same = _same_name(texts.right, texts.right_at[at], texts.right_at[match[at]])
        others[at] = ~same
    return np.asarray(others, dtype=bool)


def _some(sure: IntVector, logit: FloatVector, texts: PairTexts | None) -> IntVector:
    """Choose at most `MOST_ROWS` pairs by a hash of their left texts.

    Not by log odds, where the last digit of another row's would change the choice.
    """
    if len(sure) <= MOST_ROWS or texts is None:
        return sample_by_log_odds(sure, logit)
    names = (texts.left.normal[text] for text in texts.left_at[sure].tolist())
    # The same in every process, which Python's own hashes are not.
    hashes = [zlib.crc32(name.encode("utf-8", "surrogatepass")) for name in names]
    return sure[np.argsort(hashes, kind="stable")[:MOST_ROWS]]


def _same_name(texts: TextProfile, first: IntVector, second: IntVector) -> BoolVector:
    """Mark the pairs of texts of one side that are one name written twice.

    The same letters and digits; the same words but for small ones and legal forms; or hardly
    different, with the same numbers.
    """
    # Imported here, so that training runs on a machine without it.
    from rapidfuzz import fuzz, process

    words = (texts.core[first] == texts.core[second]) & (texts.core[first] != 0)
    ratio = process.cpdist(
        texts.short[first], texts.short[second], scorer=fuzz.ratio, workers=processors()
    )
    near = np.flatnonzero(ratio >= 100 * HARDLY_DIFFERENT)
    alike = np.zeros(len(first), dtype=bool)
    differing = sum(
        np.asarray(abs(table[first[near]] - table[second[near]]).sum(axis=1)).reshape(-1)
        for table in (texts.numbers, texts.repeats)
    )
    alike[near] = differing == 0
    return np.asarray((texts.compact[first] == texts.compact[second]) | words | alike, dtype=bool)
