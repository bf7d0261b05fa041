"""Text to phrases with types and counts: the training corpus of the paper's section 3.4.

text → sentences (`tokens`) → phrases (`chunker`, or `trees` for parses from files) → entity types
(`entities`, `hub_entities`) → counts a shard (`shards`) → one table (`merge`) → shares (`shares`)
"""
