"""Rows as records: the distinct values of key columns, encoded and compared column by column."""
