"""The HTML report of a join or of a deduplication: one file that opens from disk.

content       what a report says, as plain texts and numbers
match_report  the content for a join
pair_pool     the distinct pairs that may be shown, and which of them are
pair_steps    what spoke for and against each of them
groups        right rows that several left rows share, and rows without candidates
clusters      clusters of one table: members, weakest link, golden record
facts         how a join was made
score_counts  histogram of scores; matches, expected precision and recall by threshold
differences   where two texts differ
write         from the content to a file
page/         template, style and scripts
vendor/       Vega and Vega-Lite with their licences, unchanged from their npm packages
"""
