"""Public names for those who train a model folder's character encoder.

It lives there as ``ngrams.npz``: hashed n-grams of words, in 8 bits.
"""

from pearljoin._encoders.config import NGRAMS
from pearljoin._encoders.ngrams import NgramPart, WordGrams, word_grams

__all__ = ["NGRAMS", "NgramPart", "WordGrams", "word_grams"]
