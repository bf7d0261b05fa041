"""Adapters that run in this environment; see ``worker.py`` for what they return."""
