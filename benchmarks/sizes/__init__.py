"""Precision and recall at default settings by the number of rows looked up at once."""
