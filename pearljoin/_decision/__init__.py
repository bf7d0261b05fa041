"""From scored candidates to matches: thresholds, constraints, and what to expect of them."""
