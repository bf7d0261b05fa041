"""Public names for those who train a match scorer of their own.

A scorer turns the features of candidate pairs (`MatchResult.evidence`) into match probabilities. It
lives in a model folder as ``scorer.json``, as plain numbers. The private package
``pearljoin._scoring`` holds what this module names: the scorer, its calibration, and the model of
several key columns.
"""

from pearljoin._decision.thresholds import lowest_for_mean
from pearljoin._features.context import (
    CONTEXT_FEATURES,
    LARGEST_LOGIT,
    TABLE_FEATURES,
    column_rival,
    context_features,
    table_features,
)
from pearljoin._features.registry import REGISTRY
from pearljoin._features.rival_groups import Groups
from pearljoin._features.unmatched_tokens import (
    UNMATCHED_FEATURES,
    PairTexts,
    unmatched_token_features,
)
from pearljoin._scoring.network import CLIP
from pearljoin._scoring.scorer import Scorer
from pearljoin._scoring.scorer_file import FORMAT, read_scorer
from pearljoin._scoring.table_calibration import LARGEST_SLOPE
from pearljoin._text.lexicon import LIGHT_WORDS

__all__ = [
    "CLIP",
    "CONTEXT_FEATURES",
    "FEATURES",
    "FORMAT",
    "LARGEST_LOGIT",
    "LARGEST_SLOPE",
    "LEFT_OVER",
    "LIGHT_WORDS",
    "TABLE_FEATURES",
    "UNMATCHED_FEATURES",
    "Groups",
    "PairTexts",
    "Scorer",
    "Wording",
    "column_rival",
    "context_features",
    "left_over",
    "lowest_for_mean",
    "read_scorer",
    "standing",
    "table_features",
    "table_view",
    "unmatched_token_features",
]

FEATURES = REGISTRY.names
"""Names of the features, in the order in which a scorer takes them."""

# Names of earlier versions.
LEFT_OVER = UNMATCHED_FEATURES
Wording = PairTexts
left_over = unmatched_token_features
standing = context_features
table_view = table_features
