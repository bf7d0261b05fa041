"""Text normalised and cut into tokens."""
