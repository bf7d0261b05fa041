"""Encoders of phrases: one protocol, and what loads and runs them."""

from pearljoin._encoders.load import bundled_names, bundled_scorer, load_encoder
from pearljoin._encoders.protocol import CoverageEncoder, Encoder

__all__ = ["CoverageEncoder", "Encoder", "bundled_names", "bundled_scorer", "load_encoder"]
