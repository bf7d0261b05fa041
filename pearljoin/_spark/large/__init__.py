"""References that no process holds: both sides stay on the cluster.

Phrases are the distinct key values of one group of `by` values. Three steps find the answers of
left ones, each on rows that meet in a cell (`pearljoin._spark.large.cells`): the nearest by meaning
in cells of near vectors, the nearest by spelling in shards, and the scores, in the left phrase's
own cell, to which its candidates are brought. What the steps need of the whole reference is learned
first (`pearljoin._spark.large.learn`): frequencies and means are sums over the cluster, and the
state is learned from sampled phrases that are compared with all.
"""
