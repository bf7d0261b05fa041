"""Public names for those who train a match scorer of their own.

A scorer turns the evidence on pairs (`MatchResult.evidence`) into probabilities of a match. It
lives in a model folder as ``scorer.json``, as plain numbers.
"""

from pearljoin._features import NAMES as FEATURES
from pearljoin._scorer import FORMAT, Scorer, read_scorer
from pearljoin._standing import Groups, standing, table_view
from pearljoin._thresholds import lowest_for_mean

__all__ = [
    "FEATURES",
    "FORMAT",
    "Groups",
    "Scorer",
    "lowest_for_mean",
    "read_scorer",
    "standing",
    "table_view",
]
