"""The features of a candidate pair: one table of name, group and function.

The order of the table is the order of the columns that a match scorer takes. `explain` adds effects
up by group. `pearljoin.scoring.FEATURES` lists the names, which scorer files and
`MatchResult.evidence` carry, so a name is not changed. To add a feature, add an entry and train a
scorer with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pearljoin._features import pair_features as pair
from pearljoin._features import rival_margins as by
from pearljoin._features.pair_features import PairBlock
from pearljoin._features.rival_groups import Groups
from pearljoin._features.rival_margins import RivalMargin
from pearljoin._parallel import in_parts, processors, side_by_side
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["REGISTRY", "Feature", "FeatureRegistry"]


class Feature(NamedTuple):
    """A feature of candidate pairs.

    Attributes
    ----------
    name
        Its name, by which files and users refer to it.
    group
        The kind of evidence it is, as `explain` names it.
    compute
        Computes it for a block of pairs, as an array of shape (n_pairs,); or the margin over the
        pairs' rivals, which is computed from the other features.
    """

    name: str
    group: str
    compute: Callable[[PairBlock], NDArray[Any]] | RivalMargin


@dataclass(frozen=True)
class FeatureRegistry:
    """Features in order.

    Attributes
    ----------
    features
        What the columns hold.
    """

    features: tuple[Feature, ...]

    def __len__(self) -> int:
        return len(self.features)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(feature.name for feature in self.features)

    @cached_property
    def groups(self) -> dict[str, IntVector]:
        """Columns of each group, groups by their first column."""
        groups: dict[str, list[int]] = {}
        for column, feature in enumerate(self.features):
            groups.setdefault(feature.group, []).append(column)
        return {group: np.array(columns) for group, columns in groups.items()}

    def compute(self, pairs: PairBlock, left: IntVector, right: IntVector) -> FloatMatrix:
        """Compute the features of all candidate pairs of two sides.

        Parameters
        ----------
        pairs
            The pairs.
        left, right
            int64 of shape (n_pairs,): left and right records, whose other pairs are the rivals.

        Returns
        -------
        features
            float32 of shape (n_pairs, n_features).
        """
        features = self.without_margins(pairs)
        self.add_margins(features, left=Groups(left), right=Groups(right))
        return features

    def without_margins(self, pairs: PairBlock) -> FloatMatrix:
        """Compute the features of each pair by itself.

        Returns
        -------
        features
            float32 of shape (n_pairs, n_features), to be completed by `add_margins`.
        """
        features = np.empty((len(pairs), len(self)), dtype=np.float32)

        def fill(part: slice) -> None:
            block = pairs.take(part)
            for column, feature in enumerate(self.features):
                if not isinstance(feature.compute, RivalMargin):
                    features[part, column] = feature.compute(block)

        in_parts(fill, len(pairs))
        return features

    def add_margins(self, features: FloatMatrix, **within: Groups) -> None:
        """Compute the rival margins from the other features, in place.

        Parameters
        ----------
        features
            float32 of shape (n_pairs, n_features).
        **within
            The pairs by `left` record, and by `right` record. Without `right`, the margins over
            rivals for the right record stay as they are.

        Notes
        -----
        A pair without a rival is compared with what the second best candidates of left records
        usually reach, whichever side the rivals are of.
        """
        margins = [
            (column, feature.compute)
            for column, feature in enumerate(self.features)
            if isinstance(feature.compute, RivalMargin) and feature.compute.within in within
        ]
        columns = _Columns(features, self.names)

        def fill(measure: by.Measure) -> None:
            values = measure.values(columns)
            usual = within["left"].usual_rival(values, measure.least_rival)
            for column, margin in margins:
                if margin.measure == measure:
                    features[:, column] = within[margin.within].margin(values, usual)

        measures = list(dict.fromkeys(margin.measure for _, margin in margins))
        for _ in side_by_side(fill, measures, processors()):
            pass

    def without_rivals(self, features: FloatMatrix, left: IntVector) -> FloatMatrix:
        """Compute features again after some pairs of each left record were removed.

        Parameters
        ----------
        features
            float32 of shape (n_pairs, n_features): the features of the pairs that remain.
        left
            int64 of shape (n_pairs,): left records.

        Returns
        -------
        features
            float32 of the same shape, with other margins within left records. Those within right
            records stay, because removing a pair of one left record frees no right record.
        """
        again = features.copy()
        self.add_margins(again, left=Groups(left))
        return again


class _Columns(Mapping[str, FloatVector]):
    """Features by name, each copied to a contiguous array when it is first asked for."""

    def __init__(self, features: FloatMatrix, names: tuple[str, ...]) -> None:
        self._features = features
        self._place = {name: column for column, name in enumerate(names)}
        self._copied: dict[str, FloatVector] = {}

    def __getitem__(self, name: str) -> FloatVector:
        if name not in self._copied:
            self._copied[name] = np.ascontiguousarray(self._features[:, self._place[name]])
        return self._copied[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._place)

    def __len__(self) -> int:
        return len(self._place)


MEANING, SPELLING, WORDS, INITIALS = "meaning", "spelling", "words", "initials"
NUMBERS, LEGAL_FORM, BRACKETS, LENGTH = "numbers", "legal form", "brackets", "length"
RIVALS = "rivals"

REGISTRY = FeatureRegistry(
    (
        Feature("cosine", MEANING, lambda pairs: pairs.similarities.cosine),
        Feature("centred", MEANING, lambda pairs: pairs.similarities.centred),
        Feature("ngrams", SPELLING, lambda pairs: pairs.similarities.ngrams),
        Feature("words", WORDS, lambda pairs: pairs.similarities.words),
        Feature("vector_known", MEANING, lambda pairs: pairs.similarities.known),
        Feature("jaro_winkler", SPELLING, pair.jaro_winkler),
        Feature("ratio", SPELLING, partial(pair.edit_ratio, measure="ratio")),
        Feature("token_sort", SPELLING, lambda pairs: pairs.token_sort),
        Feature("token_set", SPELLING, partial(pair.edit_ratio, measure="token_set_ratio")),
        Feature("partial", SPELLING, partial(pair.edit_ratio, measure="partial_ratio")),
        Feature("left_covered", WORDS, lambda pairs: pairs.common / pairs.squared_weight_sums[0]),
        Feature("right_covered", WORDS, lambda pairs: pairs.common / pairs.squared_weight_sums[1]),
        Feature("left_spelled", WORDS, lambda pairs: pairs.left_coverage.covered),
        Feature("right_spelled", WORDS, lambda pairs: pairs.right_coverage.covered),
        Feature("left_lacks", WORDS, lambda pairs: pairs.left_coverage.missing),
        Feature("right_lacks", WORDS, lambda pairs: pairs.right_coverage.missing),
        Feature("both_lack", WORDS, pair.both_missing),
        Feature("left_begun", WORDS, pair.left_prefixes),
        Feature("right_begun", WORDS, pair.right_prefixes),
        Feature("left_acronyms", INITIALS, pair.left_acronyms),
        Feature("right_acronyms", INITIALS, pair.right_acronyms),
        Feature("acronym", INITIALS, pair.acronym),
        Feature("numbers_agree", NUMBERS, lambda pairs: pairs.numbers.agree),
        Feature("numbers_conflict", NUMBERS, lambda pairs: pairs.numbers.conflict),
        Feature("numbers_missing", NUMBERS, lambda pairs: pairs.numbers.missing),
        Feature("legal_agree", LEGAL_FORM, pair.legal_forms_agree),
        Feature("legal_conflict", LEGAL_FORM, pair.legal_forms_conflict),
        Feature("brackets_agree", BRACKETS, lambda pairs: pairs.brackets.agree),
        Feature("brackets_conflict", BRACKETS, lambda pairs: pairs.brackets.conflict),
        Feature("brackets_missing", BRACKETS, lambda pairs: pairs.brackets.missing),
        Feature("bare_equal", SPELLING, lambda pairs: pairs.same(lambda text: text.bare_hash)),
        Feature("bare_token_sort", SPELLING, pair.bare_token_sort),
        Feature("core_equal", WORDS, pair.core_equal),
        Feature("compact_equal", SPELLING, lambda pairs: pairs.same(lambda text: text.compact)),
        Feature("first_word", WORDS, lambda pairs: pairs.same(lambda text: text.first_word)),
        Feature("last_word", WORDS, lambda pairs: pairs.same(lambda text: text.last_word)),
        Feature("length_ratio", LENGTH, pair.length_ratio),
        Feature("left_words", LENGTH, lambda pairs: np.log(pairs.left.n_words[pairs.left_at])),
        Feature("right_words", LENGTH, lambda pairs: np.log(pairs.right.n_words[pairs.right_at])),
        Feature("cosine_lead", RIVALS, RivalMargin(by.COSINE, "left")),
        Feature("centred_lead", RIVALS, RivalMargin(by.CENTRED, "left")),
        Feature("spelling_lead", RIVALS, RivalMargin(by.SPELLING, "left")),
        Feature("words_lead", RIVALS, RivalMargin(by.BOTH_COVERAGES, "left")),
        Feature("left_spelled_lead", RIVALS, RivalMargin(by.LEFT_COVERAGE, "left")),
        Feature("right_spelled_lead", RIVALS, RivalMargin(by.RIGHT_COVERAGE, "left")),
        Feature("left_lacks_lead", RIVALS, RivalMargin(by.LEFT_PRESENT, "left")),
        Feature("right_lacks_lead", RIVALS, RivalMargin(by.RIGHT_PRESENT, "left")),
        Feature("numbers_lead", RIVALS, RivalMargin(by.NUMBERS, "left")),
        Feature("column_lead", RIVALS, RivalMargin(by.MEANING_AND_SPELLING, "right")),
        Feature("centred_column_lead", RIVALS, RivalMargin(by.CENTRED, "right")),
        Feature("left_spelled_column_lead", RIVALS, RivalMargin(by.LEFT_COVERAGE, "right")),
        Feature("right_spelled_column_lead", RIVALS, RivalMargin(by.RIGHT_COVERAGE, "right")),
        Feature("numbers_column_lead", RIVALS, RivalMargin(by.NUMBERS, "right")),
    )
)
"""The features of this version."""
