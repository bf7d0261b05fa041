"""Candidate pairs: blocking by nearest vectors and equal values, and pairs that are excluded."""
