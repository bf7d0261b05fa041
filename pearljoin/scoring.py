"""Public names for those who train a match scorer of their own.

A scorer turns the evidence on pairs (`MatchResult.evidence`) into probabilities of a match. It
lives in a model folder as ``scorer.json``, as plain numbers.
"""

from pearljoin._decision.thresholds import lowest_for_mean
from pearljoin._features.context import LARGEST_LOGIT, column_rival, standing, table_view
from pearljoin._features.groups import Groups
from pearljoin._features.registry import REGISTRY
from pearljoin._features.unmatched_tokens import LEFT_OVER, PairTexts, left_over
from pearljoin._scoring.scorer import CLIP, FORMAT, LARGEST_SLOPE, Scorer, read_scorer
from pearljoin._text.lexicon import LIGHT_WORDS

__all__ = [
    "CLIP",
    "FEATURES",
    "FORMAT",
    "LARGEST_LOGIT",
    "LARGEST_SLOPE",
    "LEFT_OVER",
    "LIGHT_WORDS",
    "Groups",
    "PairTexts",
    "Scorer",
    "Wording",
    "column_rival",
    "left_over",
    "lowest_for_mean",
    "read_scorer",
    "standing",
    "table_view",
]

FEATURES = REGISTRY.names
"""Names of the features, in the order that a scorer takes them in."""

Wording = PairTexts
"""The name of `PairTexts` in earlier versions."""
