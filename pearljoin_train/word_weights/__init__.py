"""Weights of idf ranks over word vectors: De Boom et al. (2016), from text to tables."""
