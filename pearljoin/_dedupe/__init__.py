"""Deduplication of one table, or of several together."""
