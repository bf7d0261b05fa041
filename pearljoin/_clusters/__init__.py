"""One table with itself: pairs of its records, clusters of them, canonical records."""
