"""Compares left records with a reference: candidate pairs, features and scores."""
