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
from pearljoin._features.partial_similarity import partial_similarity
from pearljoin._features.rival_groups import Groups
from pearljoin._features.rival_margins import RivalMargin
from pearljoin._parallel import in_parts
from pearljoin._typing import FloatMatrix, FloatVector, IntVector

__all__ = ["REGISTRY", "TEXT_FEATURES", "Feature", "FeatureRegistry"]


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

    def columns(self, features: FloatMatrix, *names: str) -> list[FloatVector]:
        """Return some columns of features by name, each float32 of shape (n_pairs,)."""
        return [features[:, self.names.index(name)] for name in names]

    @cached_property
    def groups(self) -> dict[str, IntVector]:
        """Columns of each group, groups by their first column."""
        groups: dict[str, list[int]] = {}
        for column, feature in enumerate(self.features):
            groups.setdefault(feature.group, []).append(column)
        return {group: np.array(columns) for group, columns in groups.items()}

    def compute(self, pairs: PairBlock, left: IntVector) -> FloatMatrix:
        """Compute the features of candidate pairs.

        Parameters
        ----------
        pairs
            The pairs.
        left
            int64 of shape (n_pairs,): left records, whose other pairs are the rivals.

        Returns
        -------
        features
            float32 of shape (n_pairs, n_features).
        """
        features = self.compute_alone(pairs)
        self._add_margins(features, Groups(left))
        return features

    def compute_alone(self, pairs: PairBlock) -> FloatMatrix:
        """Compute the features that do not depend on rivals; the margins are 0.

        Returns
        -------
        features
            float32 of shape (n_pairs, n_features).
        """
        features = np.zeros((len(pairs), len(self)), dtype=np.float32)

        def fill(part: slice) -> None:
            block = pairs.take(part)
            for column, feature in enumerate(self.features):
                if not isinstance(feature.compute, RivalMargin):
                    features[part, column] = feature.compute(block)

        in_parts(fill, len(pairs))
        return features

    def _add_margins(self, features: FloatMatrix, rows: Groups) -> None:
        """Compute the rival margins from the other features, in place."""
        columns = _Columns(features, self.names)
        for column, feature in enumerate(self.features):
            if isinstance(feature.compute, RivalMargin):
                measure = feature.compute.measure
                features[:, column] = rows.margin(measure.values(columns), measure.usual_rival)

    def without_rivals(
        self, features: FloatMatrix, left: IntVector, things: IntVector | None = None
    ) -> FloatMatrix:
        """Compute features again after some pairs of each left record are rivals no more.

        Parameters
        ----------
        features
            float32 of shape (n_pairs, n_features): the features of the pairs that remain.
        left
            int64 of shape (n_pairs,): left records.
        things
            int64 of shape (n_pairs,): as of `Groups`.

        Returns
        -------
        features
            float32 of the same shape, with other margins.
        """
        again = features.copy()
        self._add_margins(again, Groups(left, things))
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
RIVALS, SIBLINGS = "rivals", "siblings"
PEOPLE, CODES = "people", "codes"

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
        Feature(
            "partial",
            SPELLING,
            lambda pairs: partial_similarity(
                pairs.left.short, pairs.right.short, pairs.left_at, pairs.right_at
            ),
        ),
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
        Feature("family_name", PEOPLE, lambda pairs: pairs.names.family),
        Feature("given_name", PEOPLE, lambda pairs: pairs.names.given),
        Feature("given_initial", PEOPLE, lambda pairs: pairs.names.initial),
        Feature("names_swapped", PEOPLE, lambda pairs: pairs.names.swapped),
        Feature("codes_agree", CODES, lambda pairs: pairs.codes_shared),
        Feature("codes_conflict", CODES, pair.codes_conflict),
        Feature("codes_ratio", CODES, pair.codes_ratio),
        Feature("sibling_cosine", SIBLINGS, lambda pairs: pairs.similarities.sibling),
        Feature(
            "sibling_lead",
            SIBLINGS,
            lambda pairs: pairs.similarities.cosine - pairs.similarities.sibling,
        ),
        Feature("cosine_lead", RIVALS, RivalMargin(by.COSINE)),
        Feature("centred_lead", RIVALS, RivalMargin(by.CENTRED)),
        Feature("spelling_lead", RIVALS, RivalMargin(by.SPELLING)),
        Feature("words_lead", RIVALS, RivalMargin(by.BOTH_COVERAGES)),
        Feature("left_spelled_lead", RIVALS, RivalMargin(by.LEFT_COVERAGE)),
        Feature("right_spelled_lead", RIVALS, RivalMargin(by.RIGHT_COVERAGE)),
        Feature("left_lacks_lead", RIVALS, RivalMargin(by.LEFT_PRESENT)),
        Feature("right_lacks_lead", RIVALS, RivalMargin(by.RIGHT_PRESENT)),
        Feature("numbers_lead", RIVALS, RivalMargin(by.NUMBERS)),
    )
)
"""The features of this version."""

TEXT_FEATURES = tuple(
    feature.name for feature in REGISTRY.features if feature.group not in (RIVALS, SIBLINGS)
)
"""Names of the features of two texts by themselves, whatever other candidates there are."""
