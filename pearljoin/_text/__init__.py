"""Text: normalised, split into tokens, and the similarity of tokens."""
