"""Translations: left values of a key column that stand for right ones, as answers show.

Two tables may name the same few things in words of their own: a port by its code and by its name,
a state of an order by a number and by a word. Neither meaning nor spelling tells that *CNSHA* is
*Shanghai*. The other columns do, where nearly all of their answers that have the one have the
other.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import TypeAlias

import numpy as np
from scipy.special import bdtrc

from pearljoin._kinds.fillers import is_filler
from pearljoin._records.missing_keys import NULL
from pearljoin._records.numbered_values import NumberedValues
from pearljoin._records.parsed_values import ParsedValues
from pearljoin._records.similarity import TextValues
from pearljoin._scoring.clear_answers import clear_answers
from pearljoin._scoring.column_pairs import ColumnPairs, PairedRecords
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.record_features import RecordPairs
from pearljoin._scoring.related_values import Texts
from pearljoin._text.contrasts import are_in_contrast
from pearljoin._text.normalise import mend, normalise
from pearljoin._typing import BoolVector

__all__ = ["Translations", "translations"]

Translations: TypeAlias = dict[int, tuple[Texts, ...]]
"""By key column: left values and the right ones that they stand for, as they are written."""

Written: TypeAlias = TextValues | ParsedValues
"""Values of a column that are kept as they are written."""

FEWEST = 3
"""Answers of a left value that have its right one, at least."""

AGREEING = 0.8
"""Their share of all answers of the left value, at least."""

CHANCE = 0.01
"""Probability, at most, that any value of a column would have so many of them by chance."""

UNLIKE = 0.5
"""Part of its scale that a column places a pair at, at most, which needs a translation."""

_NUMBER = re.compile(r"\d+")

LEAST_SHARE, LEAST_EXPLAINED = 0.05, 0.5
"""Shares of the answers, and of those that are unlike, that need one, at least. With fewer a column
does well without; or it is written in so many ways that some which agree make the others look like
other things."""


def translations(
    pairs: RecordPairs, weights: MatchWeights, records: PairedRecords, columns: Collection[int]
) -> Translations:
    """Find left values of key columns that stand for right ones.

    Parameters
    ----------
    pairs
        How all candidates of sampled left records compare.
    weights
        Match weights that were learned from them.
    records
        The records of these candidates.
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
    written = {at: sides for at in sorted(columns) if (sides := _written(records, at)) is not None}
    for at, (here, there) in written.items():
        clear = np.flatnonzero(clear_answers(pairs, total - of_columns[:, at], weights))
        answers = records.take(clear).column(at)
        likeliest = _likeliest(answers, here, there)
        top = len(weights.columns[at].weight) - 1
        is_unlike = pairs.columns[at].position[clear[answers.known]] <= UNLIKE * top
        if _is_needed(answers, likeliest, is_unlike):
            # Equal left values are read alike, so one of them is enough.
            one_each = {here.normalised[code]: code for code in sorted(likeliest, reverse=True)}
            found[at] = {
                here.texts[code]: there.texts[likeliest[code]] for code in one_each.values()
            }
    common = _agreed(found.values())
    told = {
        at: _known_words(common, here, there) | found.get(at, {})
        for at, (here, there) in written.items()
    }
    return {at: tuple(sorted(texts.items())) for at, texts in told.items() if texts}


def _written(records: PairedRecords, at: int) -> tuple[Written, Written] | None:
    """The values of both sides in a column where they are kept as they are written; else None."""
    here, there = records.left.values[at], records.right.values[at]
    if isinstance(here, TextValues | ParsedValues) and isinstance(there, TextValues | ParsedValues):
        return here, there
    return None


def _likeliest(answers: ColumnPairs, here: Written, there: Written) -> dict[int, int]:
    """Find the right value that each left one stands for, by their codes, where there is one."""
    n_known, (left, right) = len(there.number_of), answers.known_codes
    of_records = there.numbers[answers.right.codes[answers.at]]
    share = np.bincount(of_records[of_records != NULL], minlength=n_known) / len(of_records)
    # Equal right values count together.
    numbers, own = there.numbers[right], here.numbers[left]
    new, size = np.unique(own[~_is_known(here, there)[left]], return_counts=True)
    found: dict[int, int] = {}
    for number, n_answers in zip(new.tolist(), size.tolist(), strict=True):
        if n_answers < FEWEST:
            continue
        of_value = own == number
        counts = np.bincount(numbers[of_value], minlength=n_known)
        best = int(counts.argmax())
        agree = int(counts[best])
        chance = bdtrc(agree - 1, n_answers, share[best]) * len(new) * n_known
        if agree >= max(FEWEST, AGREEING * n_answers) and chance < CHANCE:
            code, to = int(left[of_value].min()), int(right[of_value & (numbers == best)].min())
            if _may_stand_for(here.texts[code], there.texts[to]):
                found |= dict.fromkeys(np.unique(left[of_value]).tolist(), to)
    return found


def _may_stand_for(text: str, other: str) -> bool:
    """Tell whether a text may mean another: *3rd edition* is no *2nd edition*, nor is *n/a*."""
    if is_filler(text):
        return False
    words, others = (set(normalise(mend(some)).split()) for some in (text, other))
    numbers = ({*_NUMBER.findall(" ".join(some))} for some in (words, others))
    fewer, more = sorted(numbers, key=len)
    return fewer <= more and not are_in_contrast(words, others)


def _is_known(here: NumberedValues, there: NumberedValues) -> BoolVector:
    """Which left values the right column has: bool of shape (n_values + 1,)."""
    return here.numbers_among(there) < len(there.number_of)


def _is_needed(answers: ColumnPairs, likeliest: dict[int, int], is_unlike: BoolVector) -> bool:
    """Tell whether left values that stand for others are many, and most of what is unlike."""
    pairs = zip(*(codes.tolist() for codes in answers.known_codes), strict=True)
    told = np.array([likeliest.get(code) == to for code, to in pairs], dtype=bool)
    n_told, n_unlike = int((told & is_unlike).sum()), int(is_unlike.sum())
    return n_told > 0 and n_told >= max(LEAST_SHARE * len(told), LEAST_EXPLAINED * n_unlike)


def _agreed(found: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """What columns tell of words, but for those of which two tell otherwise."""
    told: dict[str, set[str]] = {}
    for texts in found:
        for word, right in texts.items():
            told.setdefault(word, set()).add(right)
    return {word: rights.pop() for word, rights in told.items() if len(rights) == 1}


def _known_words(words: Mapping[str, str], here: Written, there: Written) -> dict[str, str]:
    """What other columns tell of the words of one, such as the visiting team beside the home one.

    Both words of each are words of this column, too.
    """
    if not words:
        return {}
    codes = np.flatnonzero(~_is_known(here, there)[:-1])
    new, right = {here.texts[code] for code in codes.tolist()}, set(there.texts)
    return {word: words[word] for word in new & words.keys() if words[word] in right}
