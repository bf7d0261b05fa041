"""Kinds of key columns: recognise one from its values, and compare two values of it."""
