"""What two texts leave over once the words that both say are taken away, and how usual that is.

"Season" may be left over in half of a table's matches and mean nothing there; "women's" never is,
and where it is, two things are compared. No list tells which words are which: a table's own best
pairs do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.special import expit

from pearljoin._features.groups import Groups
from pearljoin._features.text_profiles import TextProfile
from pearljoin._parallel import in_parts
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["LEFT_OVER", "PairTexts", "left_over"]

LEFT_OVER = (
    "left_usual",
    "left_odd",
    "left_oddest",
    "right_usual",
    "right_odd",
    "right_oddest",
)
"""What the columns of `left_over` hold, in order."""

USUALLY_LEFT, FEW_WORDS = 0.2, 15
"""How often a word is left over in tables at large, and how many words weigh as much as that."""

FEW_TIMES = 0.5
"""How often a word was seen, by which it is taken to be like others where it was seldom seen."""


@dataclass(frozen=True)
class PairTexts:
    """The texts of pairs, as far as their words go.

    Attributes
    ----------
    left, right
        Facts of both sides' texts.
    own, others
        int64 of shape (n_pairs,): positions of each pair's texts.
    """

    left: TextProfile
    right: TextProfile
    own: IntVector
    others: IntVector

    def turned(self) -> PairTexts:
        """The same seen from the other side: what was left is right."""
        return PairTexts(self.right, self.left, self.others, self.own)

    def take(self, pairs: slice | IntVector) -> PairTexts:
        """The same of some of the pairs."""
        return replace(self, own=self.own[pairs], others=self.others[pairs])

    def lacking(self) -> tuple[csr_matrix, csr_matrix]:
        """Weights of each left text's words, and what of them the right text does not say."""
        words = self.left.words[self.own]
        return words, csr_matrix(words - words.multiply(self.right.said[self.others]))


class _Counts(NamedTuple):
    """How often the best pairs have each word of one side, and how often they leave it over.

    Attributes
    ----------
    seen, left
        float32 of shape (n_words,).
    seen_in, left_in
        Sparse, of shape (n_rows, n_words): what each row adds to them.
    """

    seen: FloatVector
    left: FloatVector
    seen_in: csr_matrix
    left_in: csr_matrix


def left_over(wording: PairTexts | None, logit: FloatVector, rows: Groups) -> FloatMatrix:
    """Describe what pairs leave over, by how often other rows' best pairs leave the same word over.

    Parameters
    ----------
    wording
        The texts of the pairs. None leaves nothing over, which is what speaks best for all pairs.
    logit
        float32 of shape (n_pairs,): log odds that each pair is a match, by a first judgement. A
        row's best pair counts as far as it is likely to be a match.
    rows
        The pairs by left record.

    Returns
    -------
    described
        float32 of shape (n_pairs, len(LEFT_OVER)). Of either side the share of its squared word
        weights in words that are usually left over, the share in words that are not, in [0, 1],
        and its heaviest word by what it lacks of being usual, as a share of the heaviest word of
        all.
    """
    if wording is None:
        return np.zeros((len(logit), len(LEFT_OVER)), dtype=np.float32)
    best, told = _best_pairs(logit, rows)
    sides = wording, wording.turned()
    described = [_describe(side, _count(side.take(best), told), rows.number) for side in sides]
    return np.hstack(described)


def _best_pairs(logit: FloatVector, rows: Groups) -> tuple[IntVector, csr_matrix]:
    """Rows' best pairs, equal ones too, and how far each row speaks for each of them.

    The second is sparse, of shape (n_rows, n_best).
    """
    best = np.flatnonzero(rows.is_best(logit))
    row = rows.number[best]
    chance = expit(logit[best]) / np.bincount(row, minlength=len(rows))[row]
    places = (row, np.arange(len(best)))
    return best, csr_matrix((chance, places), shape=(len(rows), len(best)), dtype=np.float32)


def _count(best: PairTexts, told: csr_matrix) -> _Counts:
    """Count the left words of best pairs, each pair as often as `told` says."""
    words, lacking = best.lacking()
    here, lacked = words.copy(), csr_matrix(lacking.multiply(words.power(-1)))
    here.data = np.ones_like(here.data)
    here, lacked = csr_matrix(told @ here), csr_matrix(told @ lacked)
    for one in (here, lacked):
        one.sort_indices()
    seen, left = (np.asarray(one.sum(axis=0), np.float32).reshape(-1) for one in (here, lacked))
    return _Counts(seen, left, here, lacked)


def _describe(side: PairTexts, counts: _Counts, row: IntVector) -> FloatMatrix:
    """The first three columns of `left_over`: what the left texts leave over."""
    described = np.empty((len(row), 3), dtype=np.float32)

    def describe(part: slice) -> None:
        described[part] = np.stack(_shares(side.take(part), counts, row[part]), axis=1)

    in_parts(describe, len(row))
    return described


def _shares(
    side: PairTexts, counts: _Counts, row: IntVector
) -> tuple[NDArray[np.floating[Any]], ...]:
    """What is left over that is usual, what is odd, and the oddest word."""
    words, lacking = side.lacking()
    lacking.sort_indices()
    usual = lacking.copy()
    usual.data = _usual(lacking, counts, row)
    odd = csr_matrix(lacking - lacking.multiply(usual))
    mass = np.maximum(side.left.word_mass[side.own], 1e-6)
    whole, oddly = (
        np.asarray(one.multiply(words).sum(axis=1)).reshape(-1) / mass for one in (lacking, odd)
    )
    oddest = odd.max(axis=1).toarray().reshape(-1) / side.left.heaviest
    return whole - oddly, oddly, oddest


def _usual(lacking: csr_matrix, counts: _Counts, row: IntVector) -> FloatVector:
    """How often the best pairs of other rows leave each word over, by the places of `lacking`."""
    share = (counts.left.sum() + USUALLY_LEFT * FEW_WORDS) / (counts.seen.sum() + FEW_WORDS)
    # A row does not speak for itself.
    seen = FEW_TIMES + counts.seen[lacking.indices] - _at(lacking, counts.seen_in[row])
    left = FEW_TIMES * share + counts.left[lacking.indices] - _at(lacking, counts.left_in[row])
    return np.asarray(np.clip(left / seen, 0, 1), dtype=np.float32)


def _at(places: csr_matrix, values: csr_matrix) -> NDArray[np.float64]:
    """What a sparse matrix holds at the places of another, 0 where nothing: by place.

    Both have sorted indices, and the second one no zeros stored.
    """
    number, one, there = places.copy(), places.copy(), values.copy()
    number.data = np.arange(1.0, 1 + places.nnz)
    one.data, there.data = np.ones_like(one.data), np.ones_like(there.data)
    common, held = csr_matrix(number.multiply(there)), csr_matrix(values.multiply(one))
    found = np.zeros(places.nnz)
    found[common.data.astype(np.int64) - 1] = held.data
    return found
