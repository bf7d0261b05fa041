"""Training of the match scorer, on joins made from alias pairs."""
