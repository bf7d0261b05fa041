"""Nearest neighbours: dense vectors and tf-idf vectors."""
