"""Encoders: one protocol, several ways to get one."""

from pearljoin._encoders._protocol import CoverageEncoder, Encoder

__all__ = ["CoverageEncoder", "Encoder"]
