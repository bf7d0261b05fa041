"""Public names for training a model folder's character encoder.

A folder has it as ``ngrams.npz``: hashed n-grams of words, in 8 bits.
"""

from pearljoin._encoders.folder_config import NGRAMS
from pearljoin._encoders.ngrams import NgramPart, WordGrams, word_grams

__all__ = ["NGRAMS", "NgramPart", "WordGrams", "word_grams"]
