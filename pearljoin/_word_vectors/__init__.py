"""Word vectors, and how those of a text's words become its vector: tables, idf, pooling."""

from pearljoin._word_vectors.aggregator import Aggregator
from pearljoin._word_vectors.document_frequencies import DocumentFrequencies
from pearljoin._word_vectors.load import load_word_table
from pearljoin._word_vectors.pooling import Pooling, RankWeights
from pearljoin._word_vectors.store import TfidfVocabulary, WordStore
from pearljoin._word_vectors.tables import WordTable
from pearljoin._word_vectors.token_table import TokenTable
from pearljoin._word_vectors.unknown import imputer

__all__ = [
    "Aggregator",
    "DocumentFrequencies",
    "Pooling",
    "RankWeights",
    "TfidfVocabulary",
    "TokenTable",
    "WordStore",
    "WordTable",
    "imputer",
    "load_word_table",
]
