"""From scored candidates to matches: threshold, constraint, expected precision and recall."""
