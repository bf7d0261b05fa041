"""Features of candidate pairs, which a match scorer takes."""
