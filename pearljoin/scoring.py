"""Public names for those who train a match scorer of their own.

A scorer turns the evidence on a pair (`MatchResult.evidence`) into the probability of a match. It
lives in a model folder as ``scorer.json``, as plain numbers.
"""

from pearljoin._features import NAMES as FEATURES
from pearljoin._scorer import Scorer, read_scorer
from pearljoin._thresholds import lowest_for_mean

__all__ = ["FEATURES", "Scorer", "lowest_for_mean", "read_scorer"]
