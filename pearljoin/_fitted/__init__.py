"""A fitted reference: its table, how it is read, what was learned of it, and its files."""
