"""Public names for training a model folder's tables: its n-grams and its word pieces.

A folder has them as ``ngrams.npz``, hashed n-grams of words, and ``tokens.npz``, both in 8 bits.
"""

from pearljoin._encoders.folder_config import NGRAMS, TOKENS
from pearljoin._encoders.ngrams import NgramPart
from pearljoin._encoders.piece_table import PieceTable
from pearljoin._encoders.word_grams import WordGrams, word_grams

__all__ = ["NGRAMS", "TOKENS", "NgramPart", "PieceTable", "WordGrams", "word_grams"]
