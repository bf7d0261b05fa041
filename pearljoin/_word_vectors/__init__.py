"""Word vectors and what turns them into a text's vector: tables, idf, weights by rank."""

from pearljoin._word_vectors._characters import imputer
from pearljoin._word_vectors._counts import DocumentFrequencies, split_words
from pearljoin._word_vectors._ranks import (
    Pooling,
    RankWeights,
    Words,
    keep_top,
    pool,
    rank_parts,
    sort_by_idf,
)
from pearljoin._word_vectors._store import WordStore
from pearljoin._word_vectors._tables import WordTable, load_word_table
from pearljoin._word_vectors._tokens import TokenTable
from pearljoin._word_vectors._vocabulary import Vocabulary

__all__ = [
    "DocumentFrequencies",
    "Pooling",
    "RankWeights",
    "TokenTable",
    "Vocabulary",
    "WordStore",
    "WordTable",
    "Words",
    "imputer",
    "keep_top",
    "load_word_table",
    "pool",
    "rank_parts",
    "sort_by_idf",
    "split_words",
]
