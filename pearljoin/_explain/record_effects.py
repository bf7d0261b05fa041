"""Effects of each key column on the log odds of pairs of records."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from pearljoin._cached import cached_property
from pearljoin._comparison.comparison import Comparison
from pearljoin._comparison.record_scores import score_records
from pearljoin._explain.additive import Effects, additive_effects
from pearljoin._explain.group_effects import SAMPLE, middle
from pearljoin._matches import find_pairs
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.other_people import NOBODY
from pearljoin._scoring.record_features import RECORD_FEATURES, RecordPairs, record_features
from pearljoin._scoring.record_networks import RecordNetworks
from pearljoin._typing import Constraint, FloatMatrix, FloatVector, IntVector

__all__ = ["RecordEffects"]

WHOLE = "whole record"
RIVALS, TABLES = "rivals", "tables"
VALUES, RELATED, NAMES = "all values", "related rows", "given names"

LEAST = 2.0**-24
"""Probabilities are kept this far from 0 and 1, so that their log odds are finite: as far as the
last float32 below 1."""

OF_WHOLE = np.array([name.split("_")[0] == "whole" for name in RECORD_FEATURES])
LEADS = {
    "total_lead": "total",
    "whole_lead": "whole",
    "text_lead": "text_mean",
    "words_lead": "whole_words",
}
"""Margins over the rivals, and the features that they are of."""

OF_LEADS = [RECORD_FEATURES.index(name) for name in LEADS]
LEADING = [RECORD_FEATURES.index(name) for name in LEADS.values()]


class RecordEffects:
    """Computes what each key column does to a pair's log odds.

    Parameters
    ----------
    comparison
        The comparison that scored the pairs, by record networks.
    networks
        The networks.
    columns
        Names of the key columns.
    """

    def __init__(
        self, comparison: Comparison, networks: RecordNetworks, columns: tuple[str, ...]
    ) -> None:
        weights = comparison.state.match_weights
        assert weights is not None
        self._comparison = comparison
        self._networks = networks
        self._columns = columns
        self._weights = weights

    def of_pairs(
        self, left: IntVector, right: IntVector, constraint: Constraint
    ) -> list[Effects | None]:
        """Return the effects on pairs of records, in log odds.

        A column says nothing where its values are missing, and the whole record and the rivals
        where their features are neutral, as those of a pair between match and no match. What the
        score takes from the other candidates after the network is counted for the rivals too.

        Parameters
        ----------
        left, right
            int64 of shape (n_pairs,): record numbers.
        constraint
            Under which the pairs are scored.

        Returns
        -------
        effects
            Of each pair, by column, whole record and rivals; by what siblings share, where columns
            tell these from answers; by two given names; and by all values being the same, where
            these are compared by themselves; siblings and names only where they count. None if the
            pair is no candidate, or nothing of it was compared.
        """
        pairs, rights = self._compare(np.unique(left))
        features = record_features(pairs, self._weights)
        is_same = constraint == "many_to_many"
        plain, further = self._after_networks(pairs, rights, is_same)
        places = find_pairs(pairs.left, rights, left, right)
        known = np.flatnonzero(places >= 0)
        places[known[~pairs.is_compared[places[known]]]] = -1
        found: list[Effects | None] = [None] * len(places)
        for at, place in enumerate(places.tolist()):
            if place < 0:
                continue
            pair = pairs.take(np.array([place])), features[place]
            effects = self._of_candidate(*pair, float(plain[place]), is_same)
            more = (
                (name, float(effect[place]))
                for name, effect in further.items()
                if name == VALUES or effect[place]
            )
            found[at] = effects._replace(by_part=(*effects.by_part, *more))
        return found

    def _after_networks(
        self, pairs: RecordPairs, rights: IntVector, is_same: bool
    ) -> tuple[FloatVector, dict[str, NDArray[np.float64]]]:
        """Scores of pairs without what comes after the networks, and the effects of that."""
        weights, further = self._weights, {}
        score = self._score(pairs, rights, weights, is_same)
        if weights.siblings is not None:
            weights, before = replace(weights, siblings=None), score
            score = self._score(pairs, rights, weights, is_same)
            further[RELATED] = _log_odds(before) - _log_odds(score)
        if weights.people != NOBODY:
            weights, before = replace(weights, people=NOBODY), score
            score = self._score(pairs, rights, weights, is_same)
            further[NAMES] = _log_odds(before) - _log_odds(score)
        if pairs.agreement is not None:
            pairs, before = replace(pairs, agreement=None), score
            score = self._score(pairs, rights, weights, is_same)
            further[VALUES] = _log_odds(before) - _log_odds(score)
        return score, further

    def _score(
        self, pairs: RecordPairs, rights: IntVector, weights: MatchWeights, is_same: bool
    ) -> FloatVector:
        """Score all candidates of some left records."""
        found = score_records(pairs, rights, self._comparison.reference, weights)
        return found.same if is_same else found.answer

    def _of_candidate(
        self, pair: RecordPairs, features: NDArray[np.float32], score: float, is_same: bool
    ) -> Effects:
        network = self._networks.same if is_same else self._networks.answer
        parts = [*self._columns, WHOLE, *([] if is_same else [RIVALS])]

        def evaluate(there: NDArray[np.bool_]) -> FloatVector:
            copies = _copies_with(there, pair)
            rows = self._features_with(there, copies, features)
            beyond = self._weights.beyond_networks(copies.columns)
            return network.logit(rows[:, : len(network.mean)]) + beyond

        base, found = additive_effects(len(parts), evaluate)
        effects = dict(enumerate(found.tolist()))
        rest = float(_log_odds(score)) - base - float(found.sum())
        if is_same:
            return Effects(base, (*zip(parts, effects.values(), strict=True), (TABLES, rest)))
        effects[len(parts) - 1] += rest
        return Effects(base, tuple(zip(parts, effects.values(), strict=True)))

    def _compare(self, records: IntVector) -> tuple[RecordPairs, IntVector]:
        """Compare left records with their candidates; also the right record of each pair."""
        pairs = self._comparison.pairs_of(records)
        compared = self._comparison.compare(*pairs)
        assert isinstance(compared, RecordPairs)
        return compared, pairs[1]

    def _features_with(
        self, there: NDArray[np.bool_], copies: RecordPairs, features: NDArray[np.float32]
    ) -> FloatMatrix:
        """Features of a pair by which parts of its evidence are there, as `_copies_with` has it."""
        n_columns, rows = len(copies.columns), record_features(copies, self._weights)
        no_whole = ~there[:, n_columns]
        rows[no_whole] = np.where(OF_WHOLE, self._neutral, rows[no_whole])
        # The rivals stay as they are, whatever of this pair is there.
        rivals = features[LEADING] - features[OF_LEADS]
        rows[:, OF_LEADS] = rows[:, LEADING] - rivals
        if there.shape[1] > n_columns + 1:
            alone = np.flatnonzero(~there[:, -1])
            rows[alone[:, None], OF_LEADS] = self._neutral[OF_LEADS]
        return rows

    @cached_property
    def _neutral(self) -> NDArray[np.float32]:
        """Neutral features."""
        pairs, rights = self._compare(self._comparison.sample(SAMPLE))
        answer = self._score(pairs, rights, self._weights, is_same=False)
        return middle(record_features(pairs, self._weights), answer >= 0.5)


def _copies_with(there: NDArray[np.bool_], pair: RecordPairs) -> RecordPairs:
    """Copy a pair for each set of parts; values of columns that are not there are missing."""
    places = np.arange(len(there))
    copies = pair.take(np.zeros_like(places))
    columns = tuple(
        replace(one, position=np.where(there[:, at], one.position, np.nan))
        for at, one in enumerate(copies.columns)
    )
    logits = np.where(there[:, : len(columns)], copies.logits, np.nan).astype(np.float32)
    return replace(copies, left=places, columns=columns, logits=logits)


def _log_odds(probability: float | FloatVector) -> NDArray[np.float64]:
    wide = np.asarray(probability, dtype=np.float64)
    return np.asarray(logit(np.clip(wide, LEAST, 1 - LEAST)), dtype=np.float64)
