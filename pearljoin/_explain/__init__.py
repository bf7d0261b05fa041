"""Why two rows match: tokens and evidence of one pair, and what each adds to its score."""
