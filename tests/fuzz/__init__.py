"""Drawn tables and options, and what must hold of any of them."""
