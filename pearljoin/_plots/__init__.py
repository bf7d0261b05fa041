"""Plots on matplotlib axes, from arrays: scores, precision and recall, waterfalls, phrase maps."""
