"""Features of candidate pairs: what a scorer looks at."""
