"""Fuzzy joins and entity matching for dataframes."""
