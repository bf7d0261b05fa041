"""What MatchResult is put together from.

tables   the join, the matches, pairs to label, unmatched rows
quality  expected precision and recall, intervals from labels
views    the report, plots, and what a notebook shows
"""
