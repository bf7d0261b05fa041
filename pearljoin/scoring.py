"""Public names for those who train a match scorer of their own.

A scorer turns the features of candidate pairs (`MatchResult.evidence`) into match probabilities. It
lives in a model folder as ``scorer.json``, as plain numbers. The private package
``pearljoin._scoring`` holds what this module names: the scorer, its calibration, and the model of
several key columns.
"""

from pearljoin._decision.thresholds import lowest_for_mean, lowest_with_usual
from pearljoin._features.compute import CandidateFeatures
from pearljoin._features.context import (
    CONTEXT_FEATURES,
    LARGEST_LOGIT,
    TABLE_FEATURES,
    context_features,
    table_features,
)
from pearljoin._features.registry import REGISTRY
from pearljoin._features.rival_groups import Groups
from pearljoin._features.unmatched_tokens import (
    NO_COUNTS,
    UNMATCHED_FEATURES,
    PairTokens,
    TokenCounts,
    count_tokens,
    unmatched_token_features,
)
from pearljoin._scoring.calibration import Calibration
from pearljoin._scoring.network import CLIP
from pearljoin._scoring.scorer import (
    NullPairs,
    Scorer,
    probability_of_log_odds,
    without_matches,
)
from pearljoin._scoring.scorer_file import FORMAT, read_scorer
from pearljoin._scoring.table_calibration import LARGEST_SLOPE, TableCalibration
from pearljoin._search.tfidf import count as count_terms
from pearljoin._search.tfidf import word_columns
from pearljoin._text.background import LEVELS_A_HALVING, UNKNOWN
from pearljoin._text.lexicon import LIGHT_WORDS
from pearljoin._text.normalise import normalise

__all__ = [
    "CLIP",
    "CONTEXT_FEATURES",
    "FEATURES",
    "FORMAT",
    "LARGEST_LOGIT",
    "LARGEST_SLOPE",
    "LEVELS_A_HALVING",
    "LIGHT_WORDS",
    "NO_COUNTS",
    "TABLE_FEATURES",
    "UNKNOWN",
    "UNMATCHED_FEATURES",
    "Calibration",
    "CandidateFeatures",
    "Groups",
    "NullPairs",
    "PairTokens",
    "Scorer",
    "TableCalibration",
    "TokenCounts",
    "context_features",
    "count_terms",
    "count_tokens",
    "lowest_for_mean",
    "lowest_with_usual",
    "normalise",
    "probability_of_log_odds",
    "read_scorer",
    "table_features",
    "unmatched_token_features",
    "without_matches",
    "word_columns",
]

FEATURES = REGISTRY.names
"""Names of the features, in the order in which a scorer takes them."""
