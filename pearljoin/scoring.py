"""Public names for those who train a match scorer of their own.

A scorer turns the features of candidate pairs (`MatchResult.evidence`) into match probabilities. It
lives in a model folder as ``scorer.json``, as plain numbers. The private package
``pearljoin._scoring`` holds what this module names: the scorer, its calibration, and the model of
several key columns.
"""

from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._decision.thresholds import lowest_for_mean, lowest_with_usual
from pearljoin._dedupe.compare import compare_table
from pearljoin._features.compute import CandidateFeatures
from pearljoin._features.context import (
    CONTEXT_FEATURES,
    LARGEST_LOGIT,
    TABLE_FEATURES,
    context_features,
    table_features,
)
from pearljoin._features.registry import REGISTRY, TEXT_FEATURES
from pearljoin._features.rival_groups import Groups
from pearljoin._features.unmatched_tokens import (
    NO_COUNTS,
    UNMATCHED_FEATURES,
    PairTokens,
    TokenCounts,
    count_tokens,
    unmatched_token_features,
)
from pearljoin._scoring.answered import ROW_FEATURES
from pearljoin._scoring.calibration import Calibration
from pearljoin._scoring.compared import Compared
from pearljoin._scoring.knots import knot_counts
from pearljoin._scoring.level_prior import LevelPrior
from pearljoin._scoring.match_weights import MatchWeights
from pearljoin._scoring.match_weights import learn as learn_match_weights
from pearljoin._scoring.network import CLIP
from pearljoin._scoring.record_evidence import compare_records
from pearljoin._scoring.record_features import (
    PAIR_FEATURES,
    RECORD_FEATURES,
    WITHIN_FEATURES,
    RecordPairs,
    features_within,
    record_features,
)
from pearljoin._scoring.record_model import (
    WIDER_KIND,
    count_among_all,
    learn_within,
    record_kind,
)
from pearljoin._scoring.record_networks import RecordNetworks, with_table
from pearljoin._scoring.record_table import RECORD_TABLE_FEATURES, describe_pairs
from pearljoin._scoring.scorer import (
    NullPairs,
    Scorer,
    probability_of_log_odds,
    without_matches,
)
from pearljoin._scoring.scorer_file import FORMAT, read_record_networks, read_scorer
from pearljoin._scoring.table_calibration import LARGEST_SLOPE, TableCalibration
from pearljoin._scoring.text_correction import (
    INTERVAL_FEATURES,
    count_by_interval,
    describe_intervals,
)
from pearljoin._scoring.text_siblings import ALIKE, TEXT_PAIR_FEATURES, text_pair_features
from pearljoin._search.tfidf import count as count_terms
from pearljoin._search.tfidf import word_columns
from pearljoin._text.background import LEVELS_A_HALVING, UNKNOWN
from pearljoin._text.lexicon import LIGHT_WORDS
from pearljoin._text.normalise import normalise

__all__ = [
    "ALIKE",
    "CLIP",
    "CONTEXT_FEATURES",
    "FEATURES",
    "FORMAT",
    "INTERVAL_FEATURES",
    "LARGEST_LOGIT",
    "LARGEST_SLOPE",
    "LEVELS_A_HALVING",
    "LIGHT_WORDS",
    "NO_COUNTS",
    "PAIR_FEATURES",
    "RECORD_FEATURES",
    "RECORD_TABLE_FEATURES",
    "ROW_FEATURES",
    "TABLE_FEATURES",
    "TEXT_FEATURES",
    "TEXT_PAIR_FEATURES",
    "UNKNOWN",
    "UNMATCHED_FEATURES",
    "WIDER_KIND",
    "WITHIN_FEATURES",
    "Calibration",
    "CandidateFeatures",
    "Compared",
    "Groups",
    "LevelPrior",
    "MatchWeights",
    "NullPairs",
    "PairTokens",
    "RecordNetworks",
    "RecordPairs",
    "Scorer",
    "TableCalibration",
    "TablePairs",
    "TokenCounts",
    "compare_records",
    "compare_table",
    "context_features",
    "count_among_all",
    "count_by_interval",
    "count_terms",
    "count_tokens",
    "describe_intervals",
    "describe_pairs",
    "features_within",
    "knot_counts",
    "learn_match_weights",
    "learn_within",
    "lowest_for_mean",
    "lowest_with_usual",
    "normalise",
    "probability_of_log_odds",
    "read_record_networks",
    "read_scorer",
    "record_features",
    "record_kind",
    "table_features",
    "text_pair_features",
    "unmatched_token_features",
    "with_table",
    "without_matches",
    "word_columns",
]

FEATURES = REGISTRY.names
"""Names of the features, in the order in which a scorer takes them."""
