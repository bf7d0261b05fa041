"""What a lookup in a fitted matcher costs: one name at a time, and in several threads."""
