"""Word vectors and what turns them into a text's vector: tables, idf, weights by rank."""

from pearljoin._word_vectors.aggregator import Aggregator
from pearljoin._word_vectors.counts import DocumentFrequencies
from pearljoin._word_vectors.load import load_word_table
from pearljoin._word_vectors.pooling import Pooling
from pearljoin._word_vectors.rank_weights import RankWeights
from pearljoin._word_vectors.store import WordStore
from pearljoin._word_vectors.tables import WordTable
from pearljoin._word_vectors.tokens import TokenTable
from pearljoin._word_vectors.unknown import imputer
from pearljoin._word_vectors.vocabulary import Vocabulary

__all__ = [
    "Aggregator",
    "DocumentFrequencies",
    "Pooling",
    "RankWeights",
    "TokenTable",
    "Vocabulary",
    "WordStore",
    "WordTable",
    "imputer",
    "load_word_table",
]
