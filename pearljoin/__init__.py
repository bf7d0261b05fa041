"""Fuzzy joins and entity matching for dataframes, on phrase embeddings that run on a laptop.

Public names are loaded on first use, so importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pearljoin._errors import (
    DifferingColumnWarning,
    DuplicateReferenceWarning,
    InputError,
    MissingExtraError,
    ModelError,
    NoMatchWarning,
    PearljoinError,
    PearljoinWarning,
    TableTypeError,
    UnreadColumnWarning,
)
from pearljoin._tables.distributed import register
from pearljoin._version import __version__

if TYPE_CHECKING:
    from pearljoin._clusters.evaluation import ClusterEvaluation
    from pearljoin._decision.calibration_summary import CalibrationSummary
    from pearljoin._decision.thresholds import FixedThreshold, PrecisionTarget
    from pearljoin._dedupe.clusterer import DuplicateClusterer
    from pearljoin._dedupe.deduplicate import deduplicate
    from pearljoin._dedupe.deduplicator import Deduplicator
    from pearljoin._dedupe.explain import PairExplanation
    from pearljoin._dedupe.find import find_duplicates
    from pearljoin._dedupe.result import DedupeResult
    from pearljoin._encoders import Encoder, load_encoder
    from pearljoin._evaluate import Evaluation, evaluate
    from pearljoin._explain.explanation import Explanation
    from pearljoin._fuzzy_joiner import FuzzyJoiner
    from pearljoin._join import fuzzy_join, match
    from pearljoin._labelled_threshold import LabelledThreshold
    from pearljoin._matcher import Matcher
    from pearljoin._matches import Matches
    from pearljoin._phrase_encoder import PhraseEncoder
    from pearljoin._result import MatchResult
    from pearljoin._weighted_words import WeightedWordEncoder

_HOMES = {
    "CalibrationSummary": "_decision.calibration_summary",
    "ClusterEvaluation": "_clusters.evaluation",
    "DedupeResult": "_dedupe.result",
    "Deduplicator": "_dedupe.deduplicator",
    "DuplicateClusterer": "_dedupe.clusterer",
    "Encoder": "_encoders",
    "Evaluation": "_evaluate",
    "Explanation": "_explain.explanation",
    "FixedThreshold": "_decision.thresholds",
    "FuzzyJoiner": "_fuzzy_joiner",
    "LabelledThreshold": "_labelled_threshold",
    "MatchResult": "_result",
    "Matcher": "_matcher",
    "Matches": "_matches",
    "PairExplanation": "_dedupe.explain",
    "PhraseEncoder": "_phrase_encoder",
    "PrecisionTarget": "_decision.thresholds",
    "WeightedWordEncoder": "_weighted_words",
    "deduplicate": "_dedupe.deduplicate",
    "evaluate": "_evaluate",
    "find_duplicates": "_dedupe.find",
    "fuzzy_join": "_join",
    "load_encoder": "_encoders",
    "match": "_join",
}

__all__ = [
    "CalibrationSummary",
    "ClusterEvaluation",
    "DedupeResult",
    "Deduplicator",
    "DifferingColumnWarning",
    "DuplicateClusterer",
    "DuplicateReferenceWarning",
    "Encoder",
    "Evaluation",
    "Explanation",
    "FixedThreshold",
    "FuzzyJoiner",
    "InputError",
    "LabelledThreshold",
    "MatchResult",
    "Matcher",
    "Matches",
    "MissingExtraError",
    "ModelError",
    "NoMatchWarning",
    "PairExplanation",
    "PearljoinError",
    "PearljoinWarning",
    "PhraseEncoder",
    "PrecisionTarget",
    "TableTypeError",
    "UnreadColumnWarning",
    "WeightedWordEncoder",
    "__version__",
    "deduplicate",
    "evaluate",
    "find_duplicates",
    "fuzzy_join",
    "load_encoder",
    "match",
]


# Imported when the first frame of Spark is given.
register("pyspark", "pearljoin._spark")


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'pearljoin' has no attribute {name!r}")
    value = getattr(import_module(f"pearljoin.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
