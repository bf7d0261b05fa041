"""Translations: left values of a key column that stand for right ones, as answers show.

Two tables may name the same few things in words of their own: a port by its code and by its name,
a state of an order by a number and by a word. Neither meaning nor spelling tells that *CNSHA* is
*Shanghai*. The other columns do, where nearly all of their answers that have the one have the
other.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.stats import binom

from pearljoin._records.missing_keys import NULL
from pearljoin._records.numbered_values import NumberedValues
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.clear_answers import clear_answers
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._scoring.related_values import Texts, WrittenPairs
from pearljoin._typing import BoolVector, IntVector

__all__ = ["Translations", "translations"]

Translations: TypeAlias = dict[int, tuple[Texts, ...]]
"""By key column: left values and the right ones that they stand for, as they are written."""

WRITTEN = (TextValues, ParsedValues)
"""Columns whose values are kept as they are written."""

FEWEST = 3
"""Answers of a left value that have its right one, at least."""

AGREEING = 0.8
"""Their share of all answers of the left value, at least."""

CHANCE = 0.01
"""Probability, at most, that any value of a column would have so many of them by chance."""

UNLIKE = 0.5
"""Part of its scale that a column places a pair at, at most, which needs a translation."""

LEAST_SHARE = 0.05
"""Share of the left records whose value needs one, at least: else a column does well without."""


def translations(
    pairs: RecordPairs, weights: MatchWeights, written: WrittenPairs, columns: Collection[int]
) -> Translations:
    """Find left values of key columns that stand for right ones.

    Parameters
    ----------
    pairs
        How all candidates of sampled left records compare.
    weights
        Match weights that were learned from them.
    written
        What is written in these candidates.
    columns
        The key columns that are asked for.

    Returns
    -------
    translations
        Of the columns that need any. A left value that the right column has stands for itself.

    Notes
    -----
    A left value's answers have some right value by chance as often as the right records have it, so
    their number is binomially distributed. Of the many pairs of values some are frequent by chance:
    the probability is multiplied by how many there are (Bonferroni).
    """
    if len(pairs.columns) == 1:
        return {}
    of_columns = weights.of_pairs(pairs.columns)
    total, found = of_columns.sum(axis=1), {}
    for at in sorted(columns):
        here, there = written.left.values[at], written.right.values[at]
        if not (isinstance(here, WRITTEN) and isinstance(there, WRITTEN)):
            continue
        clear = np.flatnonzero(clear_answers(pairs, total - of_columns[:, at], weights))
        answers = _Answers.of(at, written, clear)
        likeliest = _likeliest(answers, here, there)
        top = len(weights.columns[at].weight) - 1
        is_unlike = pairs.columns[at].position[answers.pairs] <= UNLIKE * top
        if answers.share(likeliest, is_unlike) >= LEAST_SHARE:
            listed = ((here.texts[code], there.texts[to]) for code, to in likeliest.items())
            found[at] = tuple(sorted(listed))
    return _shared(found, written, columns) if found else {}


def _shared(found: Translations, written: WrittenPairs, columns: Collection[int]) -> Translations:
    """Translate values in all columns that have them, as of the home and the visiting team.

    A value for which two columns have different right ones is translated in these alone.
    """
    of_value: dict[str, set[str]] = {}
    for texts in found.values():
        for value, right in texts:
            of_value.setdefault(value, set()).add(right)
    common = {value: rights.pop() for value, rights in of_value.items() if len(rights) == 1}
    shared = {}
    for at in columns:
        here, there = written.left.values[at], written.right.values[at]
        if not (isinstance(here, WRITTEN) and isinstance(there, WRITTEN)):
            continue
        is_new = here.numbers_among(there)[:-1] >= len(there.number_of)
        here_too = {here.texts[code] for code in np.flatnonzero(is_new).tolist()} & common.keys()
        known = set(there.texts)
        more = {value: common[value] for value in here_too if common[value] in known}
        told = {**more, **dict(found.get(at, ()))}
        if told:
            shared[at] = tuple(sorted(told.items()))
    return shared


class _Answers(NamedTuple):
    """Values of one key column in clear answers by the others.

    Attributes
    ----------
    pairs
        int64 of shape (n_answers,): the places of the answers in the candidate pairs.
    left, right
        int64 of shape (n_answers,): codes of their values, of which none is null.
    records
        int64 of shape (n_records,): codes of the values of all right records.
    """

    pairs: IntVector
    left: IntVector
    right: IntVector
    records: IntVector

    @classmethod
    def of(cls, at: int, written: WrittenPairs, pairs: IntVector) -> _Answers:
        """Look up the values of a column in some candidate pairs."""
        records = written.right.codes[at]
        left = written.left.codes[at][written.left_at[pairs]]
        right = records[written.right_at[pairs]]
        known = (left != NULL) & (right != NULL)
        return cls(pairs[known], left[known], right[known], records)

    def share(self, likeliest: dict[int, int], is_unlike: BoolVector) -> float:
        """The share of the answers that are of a left value and its right one, and unlike."""
        if not len(self.pairs):
            return 0.0
        told = [likeliest.get(code) == to for code, to in zip(self.left, self.right, strict=True)]
        return float((np.array(told) & is_unlike).mean())


def _likeliest(answers: _Answers, here: NumberedValues, there: NumberedValues) -> dict[int, int]:
    """Find the right value that each left one stands for, by their codes, where there is one."""
    n_known = len(there.number_of)
    # Equal right values count together.
    numbers, of_records = there.numbers[answers.right], there.numbers[answers.records]
    share = np.bincount(of_records[of_records != NULL], minlength=n_known) / len(of_records)
    is_new = here.numbers_among(there)[answers.left] >= n_known
    new, size = np.unique(answers.left[is_new], return_counts=True)
    found = {}
    for code, n_answers in zip(new.tolist(), size.tolist(), strict=True):
        if n_answers < FEWEST:
            continue
        of_value = answers.left == code
        counts = np.bincount(numbers[of_value], minlength=n_known)
        best = int(counts.argmax())
        agree = int(counts[best])
        chance = binom.sf(agree - 1, n_answers, share[best]) * len(new) * n_known
        if agree >= max(FEWEST, AGREEING * n_answers) and chance < CHANCE:
            found[code] = int(answers.right[of_value & (numbers == best)].min())
    return found
