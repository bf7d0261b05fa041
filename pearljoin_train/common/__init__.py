"""Shared by all stages: commands, config, whole files, cached vectors."""
