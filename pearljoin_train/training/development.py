"""The development split: held-out names, on which settings are chosen.

No benchmark row is in it, so choosing by it tunes nothing to a benchmark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import spearmanr
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score

from pearljoin import Encoder
from pearljoin_train.common.config import Config
from pearljoin_train.corpus.phrase_types import label_names
from pearljoin_train.data.join import Join
from pearljoin_train.training.examples import (
    PARAPHRASES,
    Examples,
    read_alias_examples,
    read_general_examples,
    read_typed_examples,
    sample,
)

__all__ = ["Development", "DevelopmentSplit"]

NAMES = 1_000
QUERIES = 150
MENTIONS = 800
LARGEST_JOIN = 600
"""Rows of a reference; larger joins take too long to be measured again and again."""
GROUPS = (("PERSON", "GPE", "ORG"), ("DISEASE", "CHEMICAL"))
"""Types that clustering should tell apart."""


@dataclass(frozen=True, slots=True)
class DevelopmentSplit:
    """The names and phrases that are measured on.

    Attributes
    ----------
    aliases, paraphrases
        Names with other names, by source.
    typed
        Entities of known type.
    general
        Ordinary phrases, whose similarities should stay the base's.
    joins
        Synthetic joins of names.
    """

    aliases: list[Examples]
    paraphrases: list[Examples]
    typed: Examples
    general: Examples
    joins: list[Join]

    @classmethod
    def read(cls, licences: str) -> DevelopmentSplit:
        """Read it from the data folder, sources of some licence classes."""
        # Here, as joins are made by what a machine that only trains need not have installed.
        from pearljoin_train.scorer.joins import alias_names, make_joins

        every = read_alias_examples("scorer", licences=licences)
        joins = make_joins(alias_names(), {}, a_source=1, seed=7, kinds={"plain": 1.0})
        return cls(
            [sample(e, NAMES, 0) for s, e in every.items() if s not in PARAPHRASES],
            [sample(e, NAMES, 0) for s, e in every.items() if s in PARAPHRASES],
            read_typed_examples("scorer", licences=licences),
            sample(read_general_examples("scorer", licences=licences), 300, 0),
            [join for join in joins if len(join.right) <= LARGEST_JOIN],
        )


class Development:
    """Measures an encoder on the development split.

    Parameters
    ----------
    config
        Says which sources may be read.
    base
        The untrained encoder, whose similarities of ordinary phrases are compared with.
    split
        What is measured on; read from the data folder by default.
    """

    def __init__(
        self, config: Config, base: Encoder, split: DevelopmentSplit | None = None
    ) -> None:
        split = split or DevelopmentSplit.read(config.licences)
        self._aliases, self._paraphrases = split.aliases, split.paraphrases
        self._typed, self._general, self._joins = split.typed, split.general, split.joins
        self._base = self._similarities(base)

    def __call__(self, encoder: Encoder) -> dict[str, float]:
        """Return the measures, all in [0, 1] or [-1, 1], higher is better."""
        found = {
            "retrieval": _mean(_top1(encoder, source) for source in self._aliases),
            "joins": _mean(_join_top1(encoder, join) for join in self._joins),
            "paraphrase": _mean(_top1(encoder, source) for source in self._paraphrases),
            "clustering": _mean(self._clustering(encoder, group) for group in GROUPS),
            "like_base": float(spearmanr(self._base, self._similarities(encoder)).statistic),
        }
        return found | {"mean": _mean(found.values())}

    def _clustering(self, encoder: Encoder, names: Sequence[str]) -> float:
        """Normalised mutual information of k-means and the types, as the benchmark measures it."""
        labels = [label_names("fine").index(name) for name in names]
        rows = np.flatnonzero(np.isin(self._typed.types, labels))
        if len(rows) > MENTIONS:
            rows = np.sort(np.random.default_rng(0).choice(rows, MENTIONS, replace=False))
        vectors = encoder.encode([self._typed.phrases[row] for row in rows])
        clusters = KMeans(len(labels), n_init=5, random_state=0).fit_predict(vectors)
        return float(normalized_mutual_info_score(self._typed.types[rows], clusters))

    def _similarities(self, encoder: Encoder) -> np.ndarray:
        vectors = encoder.encode(self._general.phrases)
        return np.asarray((vectors @ vectors.T)[np.triu_indices(len(vectors), 1)])


def _top1(encoder: Encoder, source: Examples) -> float:
    """Return the share of aliases whose nearest name is one of theirs."""
    reference = encoder.encode(source.phrases)
    rng = np.random.default_rng(0)
    asked = [
        (names[int(rng.integers(len(names)))], row) for row, names in enumerate(source.aliases)
    ]
    asked = asked[:: max(1, len(asked) // QUERIES)]
    nearest = (encoder.encode([alias for alias, _ in asked]) @ reference.T).argmax(axis=1)
    owners = [alias in source.aliases[at] for (alias, _), at in zip(asked, nearest, strict=True)]
    return float(np.mean(owners))


def _join_top1(encoder: Encoder, join: Join) -> float:
    """Return the share of answerable left rows whose nearest reference row is a match."""
    asked = [row for row, answers in enumerate(join.answers) if answers]
    if not asked:
        return 1.0
    similarities = encoder.encode([join.left[row] for row in asked]) @ encoder.encode(join.right).T
    nearest = similarities.argmax(axis=1)
    return float(
        np.mean(
            [join.right[at] in join.answers[row] for row, at in zip(asked, nearest, strict=True)]
        )
    )


def _mean(values: object) -> float:
    return float(np.mean(list(values)))  # type: ignore[call-overload]
