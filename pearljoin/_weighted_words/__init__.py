"""Texts as weighted averages of word vectors (De Boom et al. 2016), as a transformer."""

from pearljoin._weighted_words.encoder import WeightedWordEncoder

__all__ = ["WeightedWordEncoder"]
