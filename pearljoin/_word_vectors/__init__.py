"""Word vectors and what turns them into a text's vector: tables, idf, weights by rank."""

from pearljoin._word_vectors._aggregator import Aggregator
from pearljoin._word_vectors._counts import DocumentFrequencies
from pearljoin._word_vectors._pooling import Pooling
from pearljoin._word_vectors._rank_weights import RankWeights
from pearljoin._word_vectors._store import WordStore
from pearljoin._word_vectors._tables import WordTable, load_word_table
from pearljoin._word_vectors._tokens import TokenTable
from pearljoin._word_vectors._unknown import imputer
from pearljoin._word_vectors._vocabulary import Vocabulary

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
