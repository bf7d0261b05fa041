"""Joins on a small cluster of this machine, beside the same join without one."""
