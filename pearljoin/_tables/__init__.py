"""The dataframe edge: reading tables and columns, and assembling joined tables."""
