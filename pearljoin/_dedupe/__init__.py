"""Deduplication of one table, or of several together."""

from pearljoin._dedupe.deduplicate import deduplicate

__all__ = ["deduplicate"]
