"""Deduplication of one table, or of several together."""

from pearljoin._dedupe.deduplicate import deduplicate
from pearljoin._dedupe.deduplicator import Deduplicator
from pearljoin._dedupe.explain import PairExplanation
from pearljoin._dedupe.find import find_duplicates
from pearljoin._dedupe.result import DedupeResult

__all__ = ["DedupeResult", "Deduplicator", "PairExplanation", "deduplicate", "find_duplicates"]
