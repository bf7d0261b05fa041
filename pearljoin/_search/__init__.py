"""Nearest neighbours of dense vectors, sparse vectors and tf-idf vectors."""
