"""Public names for those who train a match scorer of their own.

A scorer turns the evidence on pairs (`MatchResult.evidence`) into probabilities of a match. It
lives in a model folder as ``scorer.json``, as plain numbers.
"""

from pearljoin._features import NAMES as FEATURES
from pearljoin._left_over import LEFT_OVER, Wording, left_over
from pearljoin._scorer import CLIP, FORMAT, LARGEST_SLOPE, Scorer, read_scorer
from pearljoin._standing import LARGEST_LOGIT, Groups, column_rival, standing, table_view
from pearljoin._thresholds import lowest_for_mean
from pearljoin._words import LIGHT_WORDS

__all__ = [
    "CLIP",
    "FEATURES",
    "FORMAT",
    "LARGEST_LOGIT",
    "LARGEST_SLOPE",
    "LEFT_OVER",
    "LIGHT_WORDS",
    "Groups",
    "Scorer",
    "Wording",
    "column_rival",
    "left_over",
    "lowest_for_mean",
    "read_scorer",
    "standing",
    "table_view",
]
